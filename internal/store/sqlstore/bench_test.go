package sqlstore

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
	"github.com/stemma-memory/stemma/internal/store/storetest"
	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// vocabulary is what sentences of about a hundred characters are made of.
var vocabulary = words.Terms("the bridge over river was closed last winter because ice broke two of its piers " +
	"and nobody asked " +
	"whether deploy scripts should retry after failure when network returns timeouts or certificate expires early " +
	"morning " +
	"garden library painting teacher violin mountain recipe lantern harbour ticket keyboard window printer schedule " +
	"budget")

// sentence returns words that differ from n to n.
func sentence(n int) string {
	var b bytes.Buffer
	for x := uint64(n)*2654435761 + 1; b.Len() < 90; {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		b.WriteString(vocabulary[x%uint64(len(vocabulary))] + " ")
	}
	return b.String() + fmt.Sprint(n)
}

// raws makes n records ready to be appended.
func raws(tb testing.TB, n int) []*memory.Record {
	tb.Helper()
	a := storetest.NewOwner("bench")
	out := make([]*memory.Record, n)
	for i := range out {
		out[i] = a.Raw(tb, sentence(i))
	}
	return out
}

func appendAll(tb testing.TB, s store.Store, rs []*memory.Record) {
	tb.Helper()
	added, err := s.Append(tb.Context(), store.Batch{Records: rs})
	if err != nil || added != len(rs) {
		tb.Fatalf("Append of %d records = %d, %v", len(rs), added, err)
	}
}

// BenchmarkAppendAgainstBare appends one record, and inserts one row of the same
// bytes into a table of its own, in turn. It reports the medians and how many
// times as long Append takes.
func BenchmarkAppendAgainstBare(b *testing.B) {
	db, err := sql.Open(
		"sqlite", session.DSN(tempSQLite(b), "journal_mode(WAL) "+session.Lasting(0)+session.AlwaysSet+" "+session.WriterSet),
	)
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if _, err := db.Exec("CREATE TABLE rows (id INTEGER PRIMARY KEY, bytes BLOB)"); err != nil {
		b.Fatal(err)
	}
	st, err := db.Prepare("INSERT INTO rows (bytes) VALUES (?)")
	if err != nil {
		b.Fatal(err)
	}
	s := open(b, tempSQLite(b), Options{})
	rs := raws(b, b.N)
	bare, full := make([]time.Duration, b.N), make([]time.Duration, b.N)
	b.ResetTimer()
	for i := range b.N {
		start := time.Now()
		if _, err := st.Exec(rs[i].Bytes); err != nil {
			b.Fatal(err)
		}
		between := time.Now()
		appendAll(b, s, rs[i:i+1])
		bare[i], full[i] = between.Sub(start), time.Since(between)
	}
	slices.Sort(bare)
	slices.Sort(full)
	b.ReportMetric(float64(bare[b.N/2].Nanoseconds()), "bare-ns")
	b.ReportMetric(float64(full[b.N/2].Nanoseconds()), "append-ns")
	b.ReportMetric(float64(full[b.N/2])/float64(bare[b.N/2]), "times")
	b.ReportMetric(float64(full[b.N/10])/float64(bare[b.N/10]), "times-p10")
}

func BenchmarkAppendOne(b *testing.B) {
	s := open(b, tempSQLite(b), Options{})
	rs := raws(b, b.N)
	b.ResetTimer()
	for i := range b.N {
		appendAll(b, s, rs[i:i+1])
	}
}

// BenchmarkAppendThousand counts records, a thousand a batch.
func BenchmarkAppendThousand(b *testing.B) {
	benchmarkThousand(b, tempSQLite(b))
}

func BenchmarkAppendThousandPostgres(b *testing.B) {
	benchmarkThousand(b, storetest.EmptyPostgres(b))
}

func benchmarkThousand(b *testing.B, spec string) {
	const batch = 1000
	s := open(b, spec, Options{})
	rs := raws(b, b.N*batch)
	b.ResetTimer()
	for i := range b.N {
		appendAll(b, s, rs[i*batch:(i+1)*batch])
	}
	b.ReportMetric(float64(b.N*batch)/b.Elapsed().Seconds(), "records/s")
	b.StopTimer()
	st, err := s.Stats(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(st.Bytes)/float64(len(rs)), "B/record")
	b.ReportMetric(float64(len(rs[0].Bytes)), "B/payload")
}

// chain makes notes each derived from the one before.
func chain(tb testing.TB, n int) []*memory.Record {
	tb.Helper()
	a := storetest.NewOwner("chain")
	out := []*memory.Record{a.Raw(tb, "the first of a chain")}
	for i := 1; i <= n; i++ {
		out = append(out, a.Make(tb, &memory.Note{Type: "insight", Summary: sentence(i)}, func(h *memory.Header) {
			h.Provenance.Via, h.Provenance.From = memory.ViaInference, []memory.Ref{out[i-1].Ref()}
		}))
	}
	return out
}

func BenchmarkWalk500(b *testing.B) {
	const hops = 500
	s := open(b, tempSQLite(b), Options{})
	rs := chain(b, hops)
	appendAll(b, s, raws(b, 5000))
	appendAll(b, s, rs)
	for b.Loop() {
		id, n := rs[hops].ID, 0
		for {
			es, err := s.Edges(b.Context(), graph.Back, id)
			if err != nil {
				b.Fatal(err)
			}
			if len(es) == 0 {
				break
			}
			id = es[0].To
			n++
		}
		if n != hops {
			b.Fatalf("walked %d hops, want %d", n, hops)
		}
	}
}

func BenchmarkGet100(b *testing.B) {
	s := open(b, tempSQLite(b), Options{})
	rs := raws(b, 5000)
	appendAll(b, s, rs)
	ids := make([]memory.ID, 100)
	for i := range ids {
		ids[i] = rs[i*47].ID
	}
	for b.Loop() {
		if _, err := s.Get(b.Context(), ids...); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMatch(b *testing.B) {
	s := open(b, tempSQLite(b), Options{})
	appendAll(b, s, raws(b, 20000))
	for b.Loop() {
		hits, err := s.Match(b.Context(), store.Match{Terms: []string{"bridg", "violin", "garden"}, Limit: 50})
		if err != nil || len(hits) == 0 {
			b.Fatal(len(hits), err)
		}
	}
}

// BenchmarkOpenAppendClose is what a process that captures one line does.
func BenchmarkOpenAppendClose(b *testing.B) {
	path := closed(b, 0) // nobody else has it open: each is the last to close
	rs := raws(b, b.N)
	b.ResetTimer()
	for i := range b.N {
		s, err := Open(context.Background(), path, Options{})
		if err != nil {
			b.Fatal(err)
		}
		appendAll(b, s, rs[i:i+1])
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
