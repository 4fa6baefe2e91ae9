package engine_test

import (
	"bytes"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

// BenchmarkCapture measures one durable capture against a bare one-row insert
// with the same durability, turn by turn in one run: x_bare is their ratio.
func BenchmarkCapture(b *testing.B) {
	dir := b.TempDir()
	db, err := sql.Open(
		"sqlite",
		filepath.Join(dir, "bare.db")+"?_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_txlock=immediate",
	)
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if _, err := db.Exec("CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT)"); err != nil {
		b.Fatal(err)
	}
	insert, err := db.Prepare("INSERT INTO t (text) VALUES (?)")
	if err != nil {
		b.Fatal(err)
	}
	e := open(b, filepath.Join(dir, "memory.db"), engine.Config{})
	capture(b, e, "the first, which makes the keys")
	var bare, ours []time.Duration
	for b.Loop() {
		t0 := time.Now()
		if _, err := insert.Exec(hundred); err != nil {
			b.Fatal(err)
		}
		t1 := time.Now()
		if _, err := e.Capture(b.Context(), api.CaptureRequest{Text: hundred}); err != nil {
			b.Fatal(err)
		}
		bare, ours = append(bare, t1.Sub(t0)), append(ours, time.Since(t1))
	}
	b.ReportMetric(micros(median(bare)), "bare_µs")
	b.ReportMetric(micros(median(ours)), "capture_µs")
	b.ReportMetric(float64(median(ours))/float64(median(bare)), "x_bare")
}

func median(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[len(d)/2]
}

func micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }

// BenchmarkIngest measures an import in batches: signed, indexed, durable; and
// what a record of 100 characters takes on disk.
func BenchmarkIngest(b *testing.B) {
	const n = 20_000
	for b.Loop() {
		path := filepath.Join(b.TempDir(), "memory.db")
		e := open(b, path, engine.Config{})
		t0 := time.Now()
		if _, err := e.Ingest(b.Context(), foreigners(n), nil); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(n/time.Since(t0).Seconds(), "records/s")
		if err := e.Close(); err != nil {
			b.Fatal(err)
		}
		var bytes int64
		files, _ := filepath.Glob(path + "*")
		for _, f := range files {
			if info, err := os.Stat(f); err == nil {
				bytes += info.Size()
			}
		}
		b.ReportMetric(float64(bytes)/n, "B/record")
	}
}

// BenchmarkTrace measures a trace to depth 3 with 50 episodes behind a belief,
// and a chain of 500 revisions, in a store of 100,000 records.
func BenchmarkTrace(b *testing.B) {
	specs := map[string]string{"sqlite": filepath.Join(b.TempDir(), "memory.db")}
	if dsn := os.Getenv("STEMMA_TEST_POSTGRES"); dsn != "" {
		specs["postgres"] = postgresSchema(b, dsn)
	}
	for _, name := range []string{"sqlite", "postgres"} {
		spec, ok := specs[name]
		if !ok {
			continue
		}
		b.Run(name, func(b *testing.B) {
			e := open(b, spec, engine.Config{})
			if _, err := e.Ingest(b.Context(), foreigners(99_000), nil); err != nil {
				b.Fatal(err)
			}
			var episodes []string
			for i := range 50 {
				episodes = append(episodes, promote(b, e, fmt.Sprint("episode ", i), capture(b, e, fmt.Sprint("words ", i))))
			}
			wide := consolidate(b, e, "fifty times", episodes...)
			chain := add(b, e, "belief", "first")
			for i := range 500 {
				chain = revise(b, e, chain, fmt.Sprint("revision ", i))
			}
			trace := func(ref string, depth int) func(*testing.B) {
				return func(b *testing.B) {
					for b.Loop() {
						if _, err := e.Trace(b.Context(), api.TraceRequest{Ref: ref, Depth: &depth}); err != nil {
							b.Fatal(err)
						}
					}
				}
			}
			b.Run("50-episodes", trace(wide, 3))
			b.Run("500-revisions", trace(chain, 0))
		})
	}
}

// BenchmarkProcess measures a `stemma raw` process from start to exit against
// `sqlite3 file "insert …"`, turn by turn in one run.
func BenchmarkProcess(b *testing.B) {
	sqlite3, err := exec.LookPath("sqlite3")
	if err != nil {
		b.Skip("no sqlite3 program to measure against")
	}
	dir := b.TempDir()
	bin := filepath.Join(dir, "bin", "stemma")
	build := exec.Command("go", "build", "-trimpath", "-o", bin, "../../cmd/stemma")
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // as it is shipped: one static binary
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	bare := filepath.Join(dir, "bare.db")
	if out, err := exec.Command(
		sqlite3, bare, "PRAGMA journal_mode=WAL; CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT)",
	).CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	run := func(name string, args ...string) time.Duration {
		cmd := exec.Command(name, args...)
		cmd.Env = append(os.Environ(), "XDG_DATA_HOME="+dir, "STEMMA_STORE="+filepath.Join(dir, "memory.db"))
		t0 := time.Now()
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%s: %v\n%s", name, err, out)
		}
		return time.Since(t0)
	}
	run(bin, "raw", hundred)
	var ours, theirs []time.Duration
	for b.Loop() {
		theirs = append(theirs, run(sqlite3, bare, "INSERT INTO t (text) VALUES ('"+hundred+"')"))
		ours = append(ours, run(bin, "raw", hundred))
	}
	b.ReportMetric(micros(median(theirs))/1000, "sqlite3_ms")
	b.ReportMetric(micros(median(ours))/1000, "stemma_ms")
	b.ReportMetric(float64(median(ours))/float64(median(theirs)), "x_sqlite3")
}

// BenchmarkImport measures an export taken into an empty store: every signature
// verified, then stored.
func BenchmarkImport(b *testing.B) {
	const n = 20_000
	from := open(b, filepath.Join(b.TempDir(), "from.db"), engine.Config{})
	if _, err := from.Ingest(b.Context(), foreigners(n), nil); err != nil {
		b.Fatal(err)
	}
	var bundle bytes.Buffer
	if _, err := from.Export(b.Context(), &bundle, api.ExportRequest{}); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		to := open(b, filepath.Join(b.TempDir(), "to.db"), engine.Config{})
		t0 := time.Now()
		if _, err := to.Import(b.Context(), bytes.NewReader(bundle.Bytes()), nil); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(n/time.Since(t0).Seconds(), "records/s")
	}
}
