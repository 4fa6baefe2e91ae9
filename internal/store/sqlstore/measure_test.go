//go:build linux

package sqlstore

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/storetest"
	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// The stores that are measured: short texts of a vocabulary in which few words are
// common, and vectors of a small embedder.
const (
	measuredDims       = 384
	measuredVocabulary = 30_000
	measuredQuestions  = 200
	measuredAlone      = 100
	measuredBatch      = 500
)

// BenchmarkMeasure measures stores of several sizes and writes the figures of which the
// capacity model is made (docs/lab/design/scale.md) to the file that STEMMA_MEASURE
// names. With STEMMA_LONG there is one of 1,000,000 records. What -bench leaves out keeps
// the figures that the file has.
func BenchmarkMeasure(b *testing.B) {
	path := os.Getenv("STEMMA_MEASURE")
	if path == "" {
		b.Skip("STEMMA_MEASURE names no file for the figures")
	}
	all := measuredBefore(b, path)
	for _, engine := range []string{"SQLite", "PostgreSQL"} {
		type size struct{ records, spaces int }
		sizes := []size{{1_000, 1}, {10_000, 1}, {100_000, 1}, {100_000, 100}}
		if os.Getenv("STEMMA_LONG") != "" {
			sizes = append(sizes, size{1_000_000, 1})
		}
		for _, n := range sizes {
			b.Run(fmt.Sprint(engine, " ", n.records, " in ", n.spaces), func(b *testing.B) {
				f := measureStore(b, engine, n.records, n.spaces)
				all = slices.DeleteFunc(all, func(old Figure) bool {
					return old.Engine == f.Engine && old.Records == f.Records && old.Spaces == f.Spaces
				})
				all = append(all, f)
				b.Logf("%+v", f)
			})
		}
	}
	text, err := json.MarshalIndent(all, "", "\t")
	if err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(path, append(text, '\n'), 0o644); err != nil {
		b.Fatal(err)
	}
}

// measuredBefore returns the figures of a file, none where there is no such file.
func measuredBefore(t testing.TB, path string) []Figure {
	t.Helper()
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all, err := ReadFigures(f)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func measureStore(t testing.TB, engine string, n, spaces int) Figure {
	f := Figure{Engine: engine, Records: n, Spaces: spaces, Dims: measuredDims}
	cache, spec := t.TempDir(), ""
	if engine == "SQLite" {
		spec = tempSQLite(t)
	} else {
		spec = storetest.EmptyPostgres(t)
	}
	s := open(t, spec, Options{Cache: cache})
	owner := storetest.NewOwner("measured")
	base := owner.Space
	zipf := rand.NewZipf(rand.New(rand.NewPCG(1, 1)), 1.1, 3, measuredVocabulary-1)
	rnd := rand.New(rand.NewPCG(2, 2))
	say := func(least, most int) string {
		var b strings.Builder
		for range least + rnd.IntN(most-least+1) {
			fmt.Fprintf(&b, "w%dk ", zipf.Uint64())
		}
		return b.String()
	}
	in := func(i int) string { return fmt.Sprint(base, i) }
	var ids []memory.ID
	var payload int
	fresh := func(n int, space func(i int) string) []*memory.Record {
		rs := make([]*memory.Record, n)
		for i := range rs {
			owner.Space = space(i)
			rs[i] = owner.Raw(t, say(8, 30)+fmt.Sprint(len(ids)))
			ids = append(ids, rs[i].ID)
			payload += len(rs[i].Bytes)
		}
		return rs
	}
	many := fresh(n, func(i int) string { return in(i / measuredBatch % spaces) })
	f.PayloadBytes = float64(payload) / float64(n)
	alone := fresh(measuredAlone, func(int) string { return in(0) })
	before, start := processor(t), time.Now()
	var batches []time.Duration
	for part := range slices.Chunk(many, measuredBatch) {
		began := time.Now()
		appendAll(t, s, part)
		batches = append(batches, time.Since(began))
	}
	many = nil // a million are two gigabytes
	f.AppendRate = float64(n) / time.Since(start).Seconds()
	f.AppendMS = (processor(t) - before) * 1000 / float64(n)
	before = processor(t)
	for part := range slices.Chunk(alone, 1) {
		appendAll(t, s, part)
	}
	f.AppendOneMS = (processor(t) - before) * 1000 / measuredAlone
	f.RecordBytes = float64(onDisk(t, s)) / float64(len(ids))
	var index int64
	if _, err := s.read.One(
		t.Context(), []any{&index}, "SELECT CAST(coalesce(sum(length(bytes)), 0) AS BIGINT) FROM segment_parts",
	); err != nil {
		t.Fatal(err)
	}
	f.IndexBytes = float64(index) / float64(len(ids))

	took := make(map[string]Took)
	took["append 500"] = inOrder(batches[len(batches)-len(batches)/10-1:])
	f.MatchMS, took["by words"] = perQuestion(t, func(int) error {
		_, err := s.Match(t.Context(), store.Match{Terms: words.Terms(say(3, 8)), Spaces: []string{in(0)}, Limit: 50})
		return err
	})

	was := onDisk(t, s)
	for from := 0; from < n; from += measuredBatch {
		vs := make([]store.Vector, measuredBatch)
		for i, p := range storetest.Points(uint64(from), len(vs), measuredDims) {
			vs[i] = store.Vector{ID: ids[from+i], Vec: p}
		}
		if err := s.PutVectors(t.Context(), "m", vs...); err != nil {
			t.Fatal(err)
		}
	}
	f.VectorBytes = float64(onDisk(t, s)-was) / float64(n)
	ask := storetest.Points(7, measuredQuestions, measuredDims)
	f.NearestMS, took["by a vector"] = perQuestion(t, func(i int) error {
		_, err := s.Nearest(t.Context(), store.Near{Model: "m", Vec: ask[i], Spaces: []string{in(0)}, Limit: 50})
		return err
	})
	f.CodeBytes = float64(bytesUnder(t, cache)) / float64(n)
	f.Load = load(t)
	others(t, s, owner, ids[:n], took)
	f.Took = took
	return f
}

// perQuestion returns the milliseconds of processor that a question takes once all
// that is read once has been read, and how long it took by the clock.
func perQuestion(t testing.TB, ask func(i int) error) (processorMS float64, took Took) {
	t.Helper()
	for i := range 3 {
		if err := ask(i); err != nil {
			t.Fatal(err)
		}
	}
	all := make([]time.Duration, measuredQuestions)
	before := processor(t)
	for i := range all {
		began := time.Now()
		if err := ask(i); err != nil {
			t.Fatal(err)
		}
		all[i] = time.Since(began)
	}
	return (processor(t) - before) * 1000 / measuredQuestions, inOrder(all)
}

func onDisk(t testing.TB, s *Store) int64 {
	t.Helper()
	st, err := s.Stats(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return st.Bytes
}

func bytesUnder(t testing.TB, dir string) (sum int64) {
	t.Helper()
	err := filepath.WalkDir(dir, func(_ string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		is, err := e.Info()
		if err == nil {
			sum += is.Size()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

// processor returns the seconds of processor that this process and the server of the
// tests have had. The server's processes are told apart by their parent.
func processor(t testing.TB) float64 {
	t.Helper()
	var own syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &own); err != nil {
		t.Fatal(err)
	}
	sum := time.Duration(own.Utime.Nano() + own.Stime.Nano()).Seconds()
	dir := os.Getenv("STEMMA_POSTGRES_DIR") // as scripts/postgres.sh sets it
	if dir == "" {
		return sum
	}
	text, err := os.ReadFile(filepath.Join(dir, "data", "postmaster.pid"))
	if err != nil {
		t.Fatal(err)
	}
	master, _, _ := strings.Cut(string(text), "\n")
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	const ticks = 100 // a second, on every Linux
	for _, name := range stats {
		b, err := os.ReadFile(name)
		if err != nil {
			continue // it has ended
		}
		f := strings.Fields(string(b[bytes.LastIndexByte(b, ')')+1:])) // state, parent, …
		if len(f) > 14 && (f[1] == master || name == "/proc/"+master+"/stat") {
			for _, i := range []int{11, 12} { // by itself, and by the system for it
				n, err := strconv.ParseFloat(f[i], 64)
				if err != nil {
					t.Fatal(err)
				}
				sum += n / ticks
			}
			if f[1] != master { // the first process, which has had what its ended ones had
				for _, i := range []int{13, 14} {
					n, _ := strconv.ParseFloat(f[i], 64)
					sum += n / ticks
				}
			}
		}
	}
	return sum
}

func load(t testing.TB) float64 {
	t.Helper()
	b, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(b), " ")
	n, err := strconv.ParseFloat(first, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
