package sqlstore

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
)

// A Figure is what one measurement of a store gave. Times are of processor, of the
// client and the database together, so that they mean one core and not what else
// the machine did.
type Figure struct {
	Engine  string `json:"engine"`
	Records int    `json:"records"` // in the store
	Spaces  int    `json:"spaces"`  // they are spread over
	Dims    int    `json:"dims"`    // numbers in a vector

	PayloadBytes float64 `json:"payload_bytes"` // a record's signed bytes, in the mean
	RecordBytes  float64 `json:"record_bytes"`  // on disk, a record, everything but vectors
	IndexBytes   float64 `json:"index_bytes"`   // of that, the index of words
	VectorBytes  float64 `json:"vector_bytes"`  // on disk in the database, a vector
	CodeBytes    float64 `json:"code_bytes"`    // beside the database, a vector; 0 where only memory has it

	AppendMS    float64 `json:"append_ms"`     // of processor, a record in batches of 500
	AppendOneMS float64 `json:"append_one_ms"` // a record by itself
	MatchMS     float64 `json:"match_ms"`      // a search by words in one space
	NearestMS   float64 `json:"nearest_ms"`    // a search by a vector in one space
	AppendRate  float64 `json:"append_rate"`   // records a second by the clock, in batches of 500
	Load        float64 `json:"load"`          // of the machine's two cores meanwhile, over a minute

	Took map[string]Took `json:"took,omitempty"` // by what was done
}

// Took is how long something took by the clock, in milliseconds.
type Took struct {
	Half float64 `json:"half"` // took no longer
	P95  float64 `json:"p95"`
}

// ReadFigures reads the figures that a measurement wrote, the small stores first.
func ReadFigures(r io.Reader) ([]Figure, error) {
	var out []Figure
	d := json.NewDecoder(r)
	d.DisallowUnknownFields()
	if err := d.Decode(&out); err != nil {
		return nil, fmt.Errorf("read the figures: %w", err)
	}
	slices.SortStableFunc(out, func(a, b Figure) int { return a.Records - b.Records })
	for _, f := range out {
		if f.Records <= 0 || f.Spaces <= 0 || f.RecordBytes <= 0 || f.AppendMS <= 0 || f.MatchMS <= 0 || f.NearestMS <= 0 {
			return nil, fmt.Errorf("the figures of %s with %d records in %d spaces are not whole", f.Engine, f.Records, f.Spaces)
		}
	}
	return out, nil
}
