//go:build unix

package hub

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime/pprof"
	"syscall"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
	"github.com/stemma-memory/stemma/memory"
)

var (
	many     = flag.Int("records", 5_000, "records that the benchmark exchanges")
	packed   = flag.Bool("packed", false, "the benchmark compresses what goes over the loopback")
	profiles = flag.String(
		"profiles", "", "the benchmark profiles push and pull apart, into PREFIXpushed and PREFIXpulled",
	)
)

// cpu is what this process has used of all processors.
func cpu(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkHub pushes records from a store in a file to a hub over HTTP on the loopback,
// and pulls them into another, verification included; client and hub are one process, and
// its processor time is of both. A database that is another process uses its own.
//
//	go test ./internal/hub -run '^$' -bench Hub -benchtime 1x -records 100000
func BenchmarkHub(b *testing.B) {
	b.Run("sqlite", func(b *testing.B) { speed(b, func() string { return filepath.Join(b.TempDir(), "hub.db") }) })
	b.Run("postgres", func(b *testing.B) { speed(b, func() string { return tempPostgres(b) }) })
}

func speed(b *testing.B, spec func() string) {
	ann := newPerson(b, "ann")
	created, err := ann.Kept(b.Context(), ann.home(), 0, 1)
	if err != nil {
		b.Fatal(err)
	}
	items, err := ann.Get(b.Context(), created[0].Ref.ID)
	if err != nil {
		b.Fatal(err)
	}
	rs := []*memory.Record{items[0].Record}
	for i := range *many {
		rs = append(
			rs,
			ann.make(
				b, ann.home(),
				&memory.Belief{
					Statement: fmt.Sprintf("belief %d is about as long as a sentence that somebody would write down", i),
				},
			),
		)
	}
	for b.Loop() {
		p := serveHub(b, openHub(b, spec()))
		p.near = !*packed
		onDisk := func(name string) *person {
			s, err := sqlstore.Open(b.Context(), filepath.Join(b.TempDir(), name+".db"), sqlstore.Options{})
			if err != nil {
				b.Fatal(err)
			}
			b.Cleanup(func() { _ = s.Close() })
			return &person{name: name, key: ann.key, Store: s}
		}
		from, to := onDisk("from"), onDisk("to")
		for page := rs; len(page) > 0; page = page[min(len(page), 1000):] {
			from.add(b, page[:min(len(page), 1000)]...)
		}
		p.letIn(from, "", "")
		to.Client = from.Client
		measured := func(what string, who *person) {
			if *profiles != "" {
				f, err := os.Create(*profiles + what)
				if err == nil {
					defer f.Close()
					err = pprof.StartCPUProfile(f)
				}
				if err != nil {
					b.Fatal(err)
				}
				defer pprof.StopCPUProfile()
			}
			began, used := time.Now(), cpu(b)
			who.mustSync(b)
			n := float64(*many)
			b.ReportMetric(n/time.Since(began).Seconds(), what+"/s")
			b.ReportMetric(float64((cpu(b)-used).Microseconds())/n, what+"-cpu-µs")
		}
		measured("pushed", from)
		measured("pulled", to)
		best := time.Hour
		for range 5 {
			began := time.Now()
			from.mustSync(b)
			best = min(best, time.Since(began))
		}
		b.ReportMetric(float64(best.Microseconds())/1000, "idle-ms")
		if n := count(b, to, ann.home()); n != len(rs) {
			b.Fatalf("%d of %d records came", n, len(rs))
		}
	}
}

func count(b *testing.B, s store.Store, space string) int {
	tree, err := s.Tree(b.Context(), space)
	if err != nil {
		b.Fatal(err)
	}
	return int(tree.Size())
}
