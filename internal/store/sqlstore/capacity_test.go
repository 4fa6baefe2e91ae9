package sqlstore_test

import (
	"flag"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/internal/store/sqlstore"
)

var update = flag.Bool("tables", false, "write the tables into docs/lab/design/scale.md")

const page = "../../../docs/lab/design/scale.md"

func figures(tb testing.TB) []sqlstore.Figure {
	tb.Helper()
	f, err := os.Open("testdata/measured.json")
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	all, err := sqlstore.ReadFigures(f)
	if err != nil {
		tb.Fatal(err)
	}
	return all
}

func model(tb testing.TB) *Model {
	tb.Helper()
	m, err := NewModel(Stated, "PostgreSQL", figures(tb))
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

func TestSpacesAddUp(t *testing.T) {
	m := model(t)
	for _, total := range totals[:3] {
		var sum, most float64
		for _, n := range m.Draw(total) {
			sum, most = sum+n, max(most, n)
		}
		if sum != total || most > m.MostSpace {
			t.Errorf("the spaces of %g have %g records, the largest %g", total, sum, most)
		}
	}
}

func TestSearchCostsFollowTheFigures(t *testing.T) {
	m := model(t)
	small, big := m.SearchMS(1e3), m.SearchMS(1e6)
	f := m.one[len(m.one)-1]
	if got, want := m.SearchMS(float64(f.Records)), f.MatchMS+f.NearestMS; math.Abs(got-want) > 1e-9 {
		t.Errorf("a search of %d records takes %g ms, measured were %g", f.Records, got, want)
	}
	if least := m.many.MatchMS + m.many.NearestMS; small < least || big <= small {
		t.Errorf("searches take %g and %g ms: want at least %g, and more where there is more", small, big, least)
	}
}

// TestPlacingLosesNothing: whatever is placed has all bytes and all load of the spaces,
// and no node of several can have less than the mean.
func TestPlacingLosesNothing(t *testing.T) {
	m := model(t)
	sizes := m.Draw(1e7)
	var bytes, load float64
	for _, n := range sizes {
		bytes, load = bytes+m.Bytes(n), load+m.load(n)
	}
	for name, pieces := range map[string][]piece{
		"hashed": m.hashed(sizes, 4, 0), "apart": m.hashed(sizes, 4, 0.01), "ranged": m.ranged(sizes),
	} {
		var b, l float64
		for _, p := range pieces {
			b, l = b+p.bytes, l+p.load
		}
		if math.Abs(b/bytes-1) > 1e-9 || math.Abs(l/load-1) > 1e-9 {
			t.Errorf("%s has %g of the bytes and %g of the load", name, b/bytes, l/load)
		}
	}
	for _, p := range m.Place(1e7, 4) {
		if p.Bytes < 1 || p.Load < 1 || p.Moved <= 0 || p.Moved > 0.5 {
			t.Errorf("%+v", p)
		}
	}
}

// TestQueueAgainstTheory: without waiting the median is that of the costs, and a node
// above its cores falls behind.
func TestQueueAgainstTheory(t *testing.T) {
	m := model(t)
	idle := m.Queue(1e7, 1000, 1)
	if least := m.SearchMS(0); idle.P50 < least || idle.Busy > 0.05 || idle.Outstanding > 1 {
		t.Errorf("an idle node: %+v, a search takes at least %g ms", idle, least)
	}
	over := m.Queue(1e10, 3, 1)
	if over.Busy < 0.99 || over.P50 < 100*idle.P50 {
		t.Errorf("a node with far too much: %+v", over)
	}
}

func TestFiguresThatAreNotWhole(t *testing.T) {
	for _, text := range []string{"", "{}", `[{"engine":"x"}]`, `[{"unknown":1}]`} {
		if _, err := sqlstore.ReadFigures(strings.NewReader(text)); err == nil {
			t.Errorf("ReadFigures(%q) gives no error", text)
		}
	}
	if _, err := NewModel(Stated, "another", figures(t)); err == nil {
		t.Error("a model of no figures")
	}
}
