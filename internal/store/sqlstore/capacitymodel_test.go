package sqlstore_test

// The files capacity*_test.go project figures measured on small stores to sizes that no one
// machine holds. They also place spaces onto shards, to show what skew does to the sum.

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/stemma-memory/stemma/internal/store/sqlstore"
)

// What is assumed, not measured. The page has each with its reason.
type Assumed struct {
	MedianSpace, Sigma float64 // of the sizes of spaces: the logarithm is normal
	MostSpace          float64 // records in one space
	GrowthDays         float64 // in which a space came to its size, evenly
	Peak               float64 // how many times the mean the busiest hour has
	SearchesPerAppend  float64
	KeysPerSpace       float64 // key records
	Copies             float64 // of everything
	NodeCores          int
	NodeBusy           float64 // how much of the cores may be in use at the peak
	NodeBytes          float64 // of disk that may be filled
	RangeBytes         float64 // what engines that split by key keep together
	MoveRate           float64 // bytes a second from one node to another
}

// Stated are the assumptions of the page.
var Stated = Assumed{
	MedianSpace: 2_000, Sigma: 2, MostSpace: 1e7, GrowthDays: 365, Peak: 5, SearchesPerAppend: 1, KeysPerSpace: 1,
	Copies: 3, NodeCores: 16, NodeBusy: 0.5, NodeBytes: 1.2e12, RangeBytes: 512 << 20, MoveRate: 1e8,
}

// KeyCountMS is the processor that counting one key record takes, which every append
// and every trusting search does of all spaces: 141 ms for 677,000 of them among two
// million others, through an index alone and the filter of a hub's policy, in the mean
// of 20 counts on PostgreSQL 15. Without the filter it is 86 ms.
const KeyCountMS = 141.0 / 677_000

// A Model projects the figures of one engine.
type Model struct {
	Assumed
	one  []sqlstore.Figure // of one space, by size
	many sqlstore.Figure   // of many spaces
}

// NewModel makes the model of an engine's figures: at least two sizes of one space,
// and one of many.
func NewModel(a Assumed, engine string, all []sqlstore.Figure) (*Model, error) {
	m := &Model{Assumed: a}
	for _, f := range all {
		switch {
		case f.Engine != engine:
		case f.Spaces == 1:
			m.one = append(m.one, f)
		default:
			m.many = f
		}
	}
	if len(m.one) < 2 || m.many.Spaces < 2 {
		return nil, fmt.Errorf(
			"of %s there are figures for %d sizes of one space and %d of many: want two and one", engine,
			len(m.one), min(1, m.many.Spaces),
		)
	}
	return m, nil
}

// SearchMS is the processor a search by words and by a vector takes in a space of n
// records. Between sizes it is on the line between them, above the greatest on the
// line of the last two. It is never less than in one space of many: a database is
// larger than one space.
func (m *Model) SearchMS(n float64) float64 {
	cost := func(f sqlstore.Figure) float64 { return f.MatchMS + f.NearestMS }
	i := 1
	for i < len(m.one)-1 && float64(m.one[i].Records) < n {
		i++
	}
	a, b := m.one[i-1], m.one[i]
	slope := (cost(b) - cost(a)) / float64(b.Records-a.Records)
	return max(cost(a)+slope*(n-float64(a.Records)), cost(m.many))
}

// AppendMS is the processor an append of one record takes by itself.
func (m *Model) AppendMS() float64 { return m.many.AppendOneMS }

// Bytes are what n records and their vectors take, a copy.
func (m *Model) Bytes(n float64) float64 { return n * (m.many.RecordBytes + m.many.VectorBytes) }

// Draw returns the sizes of spaces that have so many records together. The same total
// gives the same spaces.
func (m *Model) Draw(total float64) []float64 {
	rnd := rand.New(rand.NewPCG(uint64(total), 1))
	var out []float64
	for sum := 0.0; sum < total; {
		n := math.Ceil(min(m.MedianSpace*math.Exp(m.Sigma*rnd.NormFloat64()), m.MostSpace, total-sum))
		out = append(out, n)
		sum += n
	}
	return out
}

// A Row is what a hub of some size takes.
type Row struct {
	Records, Spaces, Largest             float64
	RecordBytes, IndexBytes, VectorBytes float64 // a copy
	Appends, Searches                    float64 // a second, at the peak
	PerCore                              float64 // searches a second, one core
	Cores, KeyCores                      float64 // at the peak; KeyCores are for counting key records besides
	ByBytes, ByCores                     float64 // nodes
}

// Nodes is how many nodes it takes, with three as the least that bear a loss.
func (r Row) Nodes() int { return int(max(3, r.ByBytes, r.ByCores)) }

// appendsPerRecord is the rate at the peak of a space, for each of its records.
func (m *Model) appendsPerRecord() float64 { return m.Peak / (m.GrowthDays * 24 * 3600) }

// Project says what a hub with so many records takes.
func (m *Model) Project(total float64) Row {
	r := Row{Records: total}
	var searchMS float64 // a second
	for _, n := range m.Draw(total) {
		r.Spaces++
		r.Largest = max(r.Largest, n)
		searches := n * m.appendsPerRecord() * m.SearchesPerAppend
		r.Searches += searches
		searchMS += searches * m.SearchMS(n)
	}
	r.Appends = total * m.appendsPerRecord()
	r.RecordBytes, r.IndexBytes, r.VectorBytes = total*m.many.RecordBytes, total*m.many.IndexBytes,
		total*m.many.VectorBytes
	r.PerCore = r.Searches / (searchMS / 1000)
	r.Cores = (searchMS + r.Appends*m.AppendMS()) / 1000
	r.KeyCores = (r.Appends + r.Searches) * r.Spaces * m.KeysPerSpace * KeyCountMS / 1000
	r.ByBytes = math.Ceil(m.Bytes(total) * m.Copies / m.NodeBytes)
	r.ByCores = math.Ceil(r.Cores / (float64(m.NodeCores) * m.NodeBusy))
	return r
}
