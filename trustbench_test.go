package stemma_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stemma-memory/stemma"
	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
	"github.com/stemma-memory/stemma/memory"
)

// BenchmarkTaint measures what rests on one record, a fifth of a store in which
// every memory but the first has two sources. STEMMA_LONG makes it 1,000,000
// arrows, of which 200,000 lead to the 100,000 that are affected.
func BenchmarkTaint(b *testing.B) {
	n := 50_000
	if os.Getenv("STEMMA_LONG") != "" {
		n = 500_000
	}
	path := filepath.Join(b.TempDir(), "memory.db")
	root := grove(b, path, n)
	e := open(b, path, stemma.Config{})
	var took []time.Duration
	for b.Loop() {
		began := time.Now()
		reply, err := e.Taint(b.Context(), stemma.TaintRequest{Target: root})
		took = append(took, time.Since(began))
		if err != nil || reply.Falls != n/5 || len(reply.Affected) == 0 {
			b.Fatalf("%d affected, want %d: %v", reply.Falls, n/5, err)
		}
	}
	b.ReportMetric(slices.Min(took).Seconds(), "s/taint")
	b.ReportMetric(float64(2*n), "arrows")
}

// grove makes a store of n memories that each rest on two earlier ones: five woods
// of n/5, each with two raws at its beginning; of one of them it gives the root, on
// which all of its wood rests.
func grove(b *testing.B, path string, n int) (root string) {
	b.Helper()
	st, err := sqlstore.Open(b.Context(), path, sqlstore.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer st.Close()
	key, err := keys.Generate(bytes.NewReader(make([]byte, 64)))
	if err != nil {
		b.Fatal(err)
	}
	made := 0
	record := func(body memory.Body, from ...memory.Ref) *memory.Record {
		var nonce [16]byte
		made++
		binary.BigEndian.PutUint64(nonce[:], uint64(made))
		h := memory.Header{
			Space: key.DID() + "/main", Author: key.DID(), Origin: memory.OriginOwner,
			At: memory.Milli(int64(made)), Confidence: memory.Certain,
			Provenance: memory.Provenance{Via: memory.ViaPromote, From: from}, Nonce: base64.RawURLEncoding.EncodeToString(nonce[:]),
		}
		r, err := memory.New(h, body)
		if err != nil {
			b.Fatal(err)
		}
		return r
	}
	var batch []*memory.Record
	flush := func() {
		if _, err := st.Append(b.Context(), store.Batch{Records: batch}); err != nil {
			b.Fatal(err)
		}
		batch = batch[:0]
	}
	for wood := range 5 {
		first := record(&memory.Raw{Text: fmt.Sprintf("the root of wood %d", wood)})
		if wood == 2 {
			root = first.Ref().String()
		}
		batch = append(batch, first)
		grown := []memory.Ref{first.Ref()}
		for i := range n / 5 {
			// eight rest on each, and the second is near the first
			from := []memory.Ref{grown[i/8], grown[min(i/8+1, len(grown)-1)]}
			if i/8+1 >= len(grown) {
				from = from[:1]
			}
			r := record(&memory.Note{Type: "insight", Summary: fmt.Sprintf("what grew in wood %d: %d", wood, i)}, from...)
			grown = append(grown, r.Ref())
			if batch = append(batch, r); len(batch) >= 5000 {
				flush()
			}
		}
	}
	flush()
	return root
}
