//go:build unix

package peer

import (
	"context"
	"flag"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
	"github.com/stemma-memory/stemma/memory"
)

var many = flag.Int("records", 10_000, "records that the benchmark exchanges")

// onDisk returns a site with a store in a file.
func onDisk(b *testing.B, name string) *site {
	s := newSite(b, name)
	st, err := sqlstore.Open(b.Context(), filepath.Join(b.TempDir(), name+".db"), sqlstore.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = st.Close() })
	s.named = named{st, name}
	return s
}

// BenchmarkSync pushes records from one store in a file to a hub in another, and pulls
// them into a third, in one process, verification included.
//
//	go test ./internal/peer -run '^$' -bench Sync -benchtime 1x -records 100000
func BenchmarkSync(b *testing.B) {
	ann := newPerson(b, "ann")
	agent := ann.agent(b, "ann's agent")
	space := ann.key.DID() + "/team"
	rs := append([]*memory.Record{}, agent.identity...)
	for i := range *many {
		rs = append(
			rs,
			agent.belief(b, space, fmt.Sprintf("belief %d is about as long as a sentence that somebody would write down", i)),
		)
	}
	for b.Loop() {
		hub, from, to := onDisk(b, "hub"), onDisk(b, "from"), onDisk(b, "to")
		for page := rs; len(page) > 0; page = page[min(len(page), 1000):] {
			if _, err := from.Append(b.Context(), store.Batch{Records: page[:min(len(page), 1000)]}); err != nil {
				b.Fatal(err)
			}
		}
		remote := hub.hub().For(Caller{Account: "all", Any: true})
		took := func(s *site) time.Duration {
			began := time.Now()
			s.mustSync(b, remote)
			return time.Since(began)
		}
		used := cpu(b)
		push := took(from)
		b.ReportMetric(float64((cpu(b)-used).Microseconds())/float64(*many), "pushed-cpu-µs")
		used = cpu(b)
		pull := took(to)
		b.ReportMetric(float64((cpu(b)-used).Microseconds())/float64(*many), "pulled-cpu-µs")
		idle := min(took(from), took(from), took(from))
		took(from)
		began := time.Now()
		Run(
			context.Background(), New(Options{Peer: "hub", Store: "from", Push: true, Pull: true}), from.local(),
			hub.hub().For(Caller{Account: "all", Any: true}),
		)
		cold := time.Since(began)
		b.ReportMetric(float64(*many)/push.Seconds(), "pushed/s")
		b.ReportMetric(float64(*many)/pull.Seconds(), "pulled/s")
		b.ReportMetric(float64(idle.Microseconds())/1000, "idle-ms")
		b.ReportMetric(float64(cold.Microseconds())/1000, "idle-new-hub-ms")
	}
}
