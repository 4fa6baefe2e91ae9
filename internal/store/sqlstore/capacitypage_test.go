package sqlstore_test

import (
	"fmt"
	"math"
	"strings"

	"github.com/stemma-memory/stemma/internal/store/sqlstore"
)

// totals are the sizes of hubs that the page has.
var totals = []float64{1e6, 1e7, 1e8, 1e9, 1e10}

// MeasuredTable returns the figures as the page has them.
func MeasuredTable(all []sqlstore.Figure) string {
	t := table(
		"engine | records | spaces | bytes/record | of it index of words | bytes/vector | beside it, code | append in " +
			"batches, ms | alone, ms | by words, ms | by a vector, ms | appends/s | load",
	)
	for _, f := range all {
		t.row(f.Engine, count(float64(f.Records)), count(float64(f.Spaces)), one(f.RecordBytes), one(f.IndexBytes),
			one(f.VectorBytes),
			one(f.CodeBytes), fmt.Sprintf("%.3f", f.AppendMS), digits(f.AppendOneMS), digits(f.MatchMS),
			digits(f.NearestMS), count(f.AppendRate), digits(f.Load))
	}
	return t.String()
}

// TookTable returns how long each thing took by the clock, where that was measured: half,
// and 95 of 100, took no longer.
func TookTable(all []sqlstore.Figure) string {
	t := table("engine | records | " + strings.Join(timed, " | ") + " | load")
	for _, f := range all {
		if f.Took == nil {
			continue
		}
		cells := []string{f.Engine, count(float64(f.Records))}
		for _, what := range timed {
			w := f.Took[what]
			cells = append(cells, digits(w.Half)+", "+digits(w.P95))
		}
		t.row(append(cells, digits(f.Load))...)
	}
	return t.String()
}

// timed are the things of TookTable, as the figures name them.
var timed = []string{"by words", "by a vector", "get", "list 20", "trace", "append 500", "stats"}

// ProjectedTable returns what hubs take.
func (m *Model) ProjectedTable() string {
	t := table(
		"records | spaces | largest | records | of it index | vectors | appends/s | searches/s | searches/s a core | " +
			"cores | nodes by bytes | by cores | cores on Citus | nodes by those | cores for counting keys",
	)
	for _, total := range totals {
		r := m.Project(total)
		least, most, nodes := m.OnCluster(r)
		t.row(count(r.Records), count(r.Spaces), count(r.Largest), bytes(r.RecordBytes), bytes(r.IndexBytes),
			bytes(r.VectorBytes),
			digits(r.Appends), digits(r.Searches), digits(r.PerCore), digits(r.Cores), count(r.ByBytes), count(r.ByCores),
			digits(least)+" to "+digits(most), count(nodes), digits(r.KeyCores))
	}
	return t.String()
}

// PlacedTable returns how spaces come to lie, and how long searches then wait.
func (m *Model) PlacedTable() string {
	t := table(
		"records | nodes | how | pieces | fullest node | hottest node | bytes moved for a tenth more nodes | pieces " +
			"above one core | busy at the hottest | median, ms | 99th, ms",
	)
	for _, total := range totals[2:] {
		nodes := m.Project(total).Nodes()
		for _, p := range m.Place(total, nodes) {
			w := m.Queue(total, nodes, p.Load)
			wait := []string{digits(w.P50), digits(w.P99)}
			if w.Busy > 0.98 {
				wait = []string{"never ends", "never ends"}
			}
			t.row(append([]string{count(total), count(float64(nodes)), p.How, count(float64(p.Pieces)),
				fmt.Sprintf("%.2f", p.Bytes), fmt.Sprintf("%.2f", p.Load),
				fmt.Sprintf("%.1f %%", p.Moved*100), count(float64(p.Busier)), fmt.Sprintf(
					"%.0f %%", min(w.Busy, 1)*100,
				)}, wait...)...)
		}
	}
	return t.String()
}

// AssumedTable returns what is assumed.
func (m *Model) AssumedTable() string {
	t := table("what | value | why")
	for _, r := range [][3]string{
		{
			"records in the median space", count(m.MedianSpace),
			"a few months of one agent's work; sizes are log-normal, as sizes of what people make mostly are",
		},
		{
			"spread of sizes, of the logarithm", digits(m.Sigma),
			"the mean is then about seven times the median: a few spaces have most records",
		},
		{
			"records in the largest space", count(m.MostSpace),
			"where a search by comparing all vectors ends being one: above it a space should be divided",
		},
		{"days in which a space grew", count(m.GrowthDays), "evenly; appends and searches follow from it"},
		{"peak over mean", digits(m.Peak), "one working day in one part of the world"},
		{
			"searches for each append", digits(m.SearchesPerAppend),
			"an agent looks before it writes; each search is by words and by a vector",
		},
		{"vectors for each record", "1", "from above: marks and keys have none"},
		{"key records in a space", digits(m.KeysPerSpace), "the least"},
		{"copies", digits(m.Copies), "what the engines keep by default"},
		{
			"cores of a node, of which in use", fmt.Sprintf("%d, %.0f %%", m.NodeCores, m.NodeBusy*100),
			"room for a node's loss and for copying",
		},
		{"bytes of a node", bytes(m.NodeBytes), "60 % of 2 TB"},
		{"a range", fmt.Sprintf("%.0f MiB", m.RangeBytes/(1<<20)), "CockroachDB's default"},
	} {
		t.row(r[:]...)
	}
	return t.String()
}

// MovesTable returns what it takes to move a space.
func (m *Model) MovesTable() string {
	t := table("space | records | bytes, a copy | time | ranges")
	for _, s := range []struct {
		name string
		n    float64
	}{{"the median", m.MedianSpace}, {"100 times it", 100 * m.MedianSpace}, {"the largest", m.MostSpace}} {
		t.row(
			s.name, count(s.n), bytes(m.Bytes(s.n)), digits(m.Bytes(s.n)/m.MoveRate)+" s",
			count(max(1, m.Bytes(s.n)/m.RangeBytes)),
		)
	}
	return t.String()
}

// A grid is a table of Markdown.
type grid struct{ strings.Builder }

func table(head string) *grid {
	t := &grid{}
	t.row(strings.Split(head, " | ")...)
	t.WriteString("|" + strings.Repeat("---|", strings.Count(head, " | ")+1) + "\n")
	return t
}

func (t *grid) row(cells ...string) { t.WriteString("| " + strings.Join(cells, " | ") + " |\n") }

func one(n float64) string { return fmt.Sprintf("%.0f", n) }

// digits returns two or three digits that mean something.
func digits(n float64) string {
	switch {
	case n >= 100:
		return count(n)
	case n >= 10:
		return fmt.Sprintf("%.0f", n)
	case n >= 1:
		return fmt.Sprintf("%.1f", n)
	}
	return fmt.Sprintf("%.2g", math.Round(n*1000)/1000)
}

// count returns a whole number with commas.
func count(n float64) string {
	s := fmt.Sprintf("%.0f", n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func bytes(n float64) string {
	for _, u := range []struct {
		of   float64
		name string
	}{{1e12, "TB"}, {1e9, "GB"}, {1e6, "MB"}} {
		if n >= u.of {
			return fmt.Sprintf("%.3g %s", n/u.of, u.name)
		}
	}
	return fmt.Sprintf("%.3g kB", n/1e3)
}
