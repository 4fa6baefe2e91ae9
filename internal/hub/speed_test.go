//go:build unix

package hub

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime/pprof"
	"strconv"
	"strings"
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
// its processor time is of both. That of the database's servers is shown apart. With STEMMA_TEST_POSTGRES and
// STEMMA_TEST_CITUS both are measured, by turns with -count.
//
//	go test ./internal/hub -run '^$' -bench Hub -benchtime 1x -records 100000
func BenchmarkHub(b *testing.B) {
	b.Run("sqlite", func(b *testing.B) { speed(b, "", func() string { return filepath.Join(b.TempDir(), "hub.db") }) })
	for _, name := range []string{"postgres", "citus"} {
		server, given := os.LookupEnv("STEMMA_TEST_" + strings.ToUpper(name))
		if !given {
			continue
		}
		for _, shards := range []int{1, 4} {
			b.Run(fmt.Sprintf("%s/%d", name, shards), func(b *testing.B) {
				b.Setenv("STEMMA_TEST_POSTGRES", server)
				dir := os.Getenv("STEMMA_" + strings.ToUpper(name) + "_DIR")
				speed(b, dir, func() string { return tempShards(b, shards) })
			})
		}
	}
}

// ofServers is what the servers whose directories lie in one have used of all processors, and their children.
func ofServers(b *testing.B, dir string) (sum time.Duration) {
	masters := make(map[string]bool)
	files, _ := filepath.Glob(filepath.Join(dir, "*", "postmaster.pid"))
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		pid, _, _ := strings.Cut(string(text), "\n")
		masters[pid] = true
	}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, name := range stats {
		text, err := os.ReadFile(name)
		if err != nil {
			continue // it has ended
		}
		f := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:])) // state, parent, …
		ended := 0
		switch pid := filepath.Base(filepath.Dir(name)); {
		case masters[pid]: // it has had what its ended ones had
			ended = 2
		case !masters[f[1]]:
			continue
		}
		for _, ticks := range f[11 : 13+ended] {
			n, err := strconv.Atoi(ticks)
			if err != nil {
				b.Fatal(err)
			}
			sum += time.Duration(n) * 10 * time.Millisecond
		}
	}
	return sum
}

func speed(b *testing.B, servers string, spec func() string) {
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
			began, used, theirs := time.Now(), cpu(b), ofServers(b, servers)
			who.mustSync(b)
			n := float64(*many)
			b.ReportMetric(n/time.Since(began).Seconds(), what+"/s")
			b.ReportMetric(float64((cpu(b)-used).Microseconds())/n, what+"-cpu-µs")
			b.ReportMetric(float64((ofServers(b, servers)-theirs).Microseconds())/n, what+"-database-µs")
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
