package sqlstore_test

import (
	"fmt"
	"math"
)

// A Run is what a cluster took beside one PostgreSQL, by turns on one machine: the processor of client, hub and
// servers together for each record that was pushed to a hub and pulled from it.
type Run struct {
	What           string
	Records        float64
	Cluster, Alone []float64 // microseconds a record, one for each turn
	From           string    // where the figures are from
	Servers        float64   // how many times the servers alone took; 0 was not noted
}

// Runs are those of Citus, the first ones first. They are no figures of searches: none was measured on it.
var Runs = []Run{
	{"4 shards", 20_000, []float64{325, 306}, []float64{196, 179}, "What was run", 157.0 / 34},
	{"1 shard", 20_000, []float64{287, 302}, []float64{187, 182}, "What was run", 142.0 / 34},
	{"100,000 records", 100_000, []float64{322}, []float64{176}, "What was run", 164.0 / 30},
	{"pages of 1,000", 0, []float64{243, 235}, []float64{148, 142}, "[sync.md](sync.md)", 0},
	{"pages of 2,000", 0, []float64{211, 208}, []float64{146, 144}, "[sync.md](sync.md)", 0},
	{"pages by their bounds, as now", 100_000, []float64{149, 165}, []float64{121, 143}, "What was run", 41.1 / 17.6},
}

// Times is how many times as much the cluster took.
func (r Run) Times() float64 { return mean(r.Cluster) / mean(r.Alone) }

func mean(all []float64) float64 {
	sum := 0.0
	for _, n := range all {
		sum += n
	}
	return sum / float64(len(all))
}

// times returns the least and the most of all runs.
func times() (least, most float64) {
	least = math.Inf(1)
	for _, r := range Runs {
		least, most = min(least, r.Times()), max(most, r.Times())
	}
	return least, most
}

// OnCluster returns the cores of a hub on Citus, at the least and at the most, and the nodes that the most takes.
func (m *Model) OnCluster(r Row) (least, most, nodes float64) {
	low, high := times()
	least, most = r.Cores*low, r.Cores*high
	return least, most, math.Ceil(most / (float64(m.NodeCores) * m.NodeBusy))
}

// RunsTable returns the runs as the page has them.
func RunsTable() string {
	t := table("run on Citus | records | Citus, µs a record | one PostgreSQL | times | servers alone, times | from")
	for _, r := range Runs {
		records, servers := "not noted", "not noted"
		if r.Records > 0 {
			records = count(r.Records)
		}
		if r.Servers > 0 {
			servers = fmt.Sprintf("up to %.1f", r.Servers)
		}
		t.row(r.What, records, one(mean(r.Cluster)), one(mean(r.Alone)), fmt.Sprintf("%.2f", r.Times()), servers, r.From)
	}
	return t.String()
}
