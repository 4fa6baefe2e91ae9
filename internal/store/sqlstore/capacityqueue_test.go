package sqlstore_test

import (
	"math/rand/v2"
	"slices"
	"sort"
)

// A Wait is how long a search takes on a node, waiting for a core included.
type Wait struct {
	Busy        float64 // of the node's cores, in the mean
	P50, P99    float64 // milliseconds
	Outstanding int     // the most that waited at once
}

// arrivals is how many searches are played.
const arrivals = 200_000

// Queue plays a node's peak: appends and searches come at random, times as often as at
// the mean node, and whoever came first has the next free core. No disk and no network
// is in it.
func (m *Model) Queue(total float64, nodes int, times float64) Wait {
	rnd := rand.New(rand.NewPCG(uint64(total), 2))
	sizes := m.Draw(total)
	upTo := make([]float64, len(sizes)) // a search is in a space as likely as the space is large
	var sum float64
	for i, n := range sizes {
		sum += n
		upTo[i] = sum
	}
	rate := total * m.appendsPerRecord() * (1 + m.SearchesPerAppend) / float64(nodes) * times / 1000 // a millisecond
	free := make([]float64, m.NodeCores)
	var took, starts []float64 // starts of those that waited, in their order
	begun := 0
	var now, busy float64
	var w Wait
	for range arrivals {
		now += rnd.ExpFloat64() / rate
		ms, search := m.AppendMS(), rnd.Float64() >= 1/(1+m.SearchesPerAppend)
		if search {
			ms = m.SearchMS(sizes[sort.SearchFloat64s(upTo, rnd.Float64()*sum)])
		}
		core := least(free)
		start := max(now, free[core])
		free[core] = start + ms
		busy += ms
		if search {
			took = append(took, free[core]-now)
		}
		for begun < len(starts) && starts[begun] <= now {
			begun++
		}
		if start > now {
			starts = append(starts, start)
			w.Outstanding = max(w.Outstanding, len(starts)-begun)
		}
	}
	slices.Sort(took)
	w.P50, w.P99 = took[len(took)/2], took[len(took)*99/100]
	w.Busy = busy / (now * float64(m.NodeCores))
	return w
}
