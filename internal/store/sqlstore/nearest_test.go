package sqlstore

import (
	"bytes"
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/nearest"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
	"github.com/stemma-memory/stemma/internal/store/storetest"
	"github.com/stemma-memory/stemma/internal/vec"
	"github.com/stemma-memory/stemma/memory"
)

// points are the vectors of these tests: of raws(n), the one of the same place.
var points = sync.OnceValue(func() [][]float32 { return storetest.Points(7, 6000, 32) })

// putAll appends n records and their vectors.
func putAll(tb testing.TB, s *Store, model string, n int) []*memory.Record {
	tb.Helper()
	rs := raws(tb, n)
	appendAll(tb, s, rs)
	putVectors(tb, s, model, rs, 0)
	return rs
}

// putVectors returns records the points from one on.
func putVectors(tb testing.TB, s *Store, model string, rs []*memory.Record, from int) {
	tb.Helper()
	vs := make([]store.Vector, len(rs))
	for i, r := range rs {
		vs[i] = store.Vector{ID: r.ID, Vec: points()[from+i]}
	}
	if err := s.PutVectors(tb.Context(), model, vs...); err != nil {
		tb.Fatal(err)
	}
}

func near(tb testing.TB, s *Store, n store.Near) []store.Hit {
	tb.Helper()
	hits, err := s.Nearest(tb.Context(), n)
	if err != nil {
		tb.Fatal(err)
	}
	return hits
}

// wantFirst asks for the record of a place by its point.
func wantFirst(tb testing.TB, s *Store, model string, rs []*memory.Record, i int) {
	tb.Helper()
	hits := near(tb, s, store.Near{Model: model, Vec: points()[i], Limit: 1})
	if len(hits) != 1 || hits[0].ID != rs[i].ID || math.Abs(hits[0].Score-1) > 1e-5 {
		tb.Errorf("nearest to vector %d is %v, want %s with 1", i, hits, rs[i].ID.Short())
	}
}

// sidecar returns where the codes of a model are, that are beside a file.
func sidecar(tb testing.TB, path string) string {
	tb.Helper()
	all, err := filepath.Glob(path + "-vectors-*")
	if err != nil {
		tb.Fatal(err)
	}
	all = slices.DeleteFunc(all, func(s string) bool { return strings.HasSuffix(s, ".lock") })
	if len(all) != 1 {
		tb.Fatalf("beside the store are the codes %q, want one file", all)
	}
	return all[0]
}

// nearStores are the kinds of stores these tests run on.
var nearStores = map[string]func(testing.TB) string{
	"sqlite": tempSQLite, "postgres": storetest.EmptyPostgres, "pgvector": tempPgvector,
}

func TestNearestLasts(t *testing.T) {
	for name, spec := range nearStores {
		t.Run(name, func(t *testing.T) {
			address, o := spec(t), Options{}
			if name != "sqlite" {
				o.Cache = filepath.Join(t.TempDir(), "cache")
			}
			a, b := open(t, address, o), open(t, address, o)
			rs := raws(t, 500)
			appendAll(t, a, rs)
			putVectors(t, a, "m", rs[:100], 0)
			wantFirst(t, a, "m", rs, 5)
			wantFirst(t, b, "m", rs, 6)
			putVectors(t, a, "m", rs[100:110], 100) // few, and each store takes them into memory
			wantFirst(t, b, "m", rs, 105)
			wantFirst(t, a, "m", rs, 106)
			putVectors(t, b, "m", rs[110:400], 110) // many, and one writes the file that the other opens again
			wantFirst(t, b, "m", rs, 205)
			wantFirst(t, a, "m", rs, 206)
			putVectors(t, a, "m", rs[400:401], 400)
			wantFirst(t, b, "m", rs, 400)
			if err := b.Close(); err != nil {
				t.Fatal(err)
			}
			if hits, err := b.Nearest(t.Context(), store.Near{Model: "m", Vec: points()[0], Limit: 1}); err == nil {
				t.Errorf("a closed store gives %v", hits)
			}
			again := open(t, address, o)
			wantFirst(t, again, "m", rs, 105)
			wantFirst(t, again, "m", rs, 400)
			if hits := near(t, again, store.Near{Model: "m", Vec: points()[450], Limit: 1000}); len(hits) != 401 {
				t.Errorf("%d vectors are found, want 401", len(hits))
			}
			if _, filed := again.copies.Codes(1); name != "pgvector" && !filed {
				t.Error("there is no file of codes")
			}
		})
	}
}

func TestNearestReadOnly(t *testing.T) {
	path := tempSQLite(t)
	s := open(t, path, Options{})
	rs := putAll(t, s, "m", 100)
	for range 2 { // without codes, and with those that another has made
		readOnly := open(t, path, Options{ReadOnly: true})
		wantFirst(t, readOnly, "m", rs, 50)
		all, err := filepath.Glob(path + "-vectors-*")
		if err != nil || len(all) > 0 && s.copies.Coded() == 0 {
			t.Errorf("a store that only reads made %v, %v", all, err)
		}
		wantFirst(t, s, "m", rs, 51)
	}
	info, err := os.Stat(sidecar(t, path))
	must(t, err)
	if info.Mode().Perm() != session.FilePerm {
		t.Errorf("the file of codes has mode %v, want %o", info.Mode(), session.FilePerm)
	}
	putVectors(t, s, "m", rs[:nearest.WorthWriting+1], 100) // enough to be worth writing
	readOnly := open(t, path, Options{ReadOnly: true})
	if hits := near(t, readOnly, store.Near{Model: "m", Vec: points()[150], Limit: 1}); hits[0].ID != rs[50].ID {
		t.Errorf("the nearest is %s, want %s", hits[0].ID.Short(), rs[50].ID.Short())
	}
	if now, err := os.Stat(sidecar(t, path)); err != nil || now.Size() != info.Size() ||
		!now.ModTime().Equal(info.ModTime()) {
		t.Errorf("a store that only reads wrote to the codes, %v", err)
	}
}

// TestNearestLocked has another process write the file all the while.
func TestNearestLocked(t *testing.T) {
	path := tempSQLite(t)
	s := open(t, path, Options{})
	rs := raws(t, 500)
	appendAll(t, s, rs)
	putVectors(t, s, "m", rs[:200], 0)
	wantFirst(t, s, "m", rs, 100)
	m, err := nearest.ModelOf(t.Context(), s.read, "m")
	must(t, err)
	at, h, err := s.nearest().CodesAt(t.Context(), "m", m)
	must(t, err)
	w, err := vec.Edit(at, h)
	must(t, err)
	putVectors(t, s, "m", rs[200:400], 200)
	wantFirst(t, s, "m", rs, 399)
	must(t, w.Close())
	if x, err := vec.Open(at, h); err != nil || x.Len() != 200 {
		t.Errorf("the file that is being written has %d vectors, %v, want 200", x.Len(), err)
	}
	putVectors(t, s, "m", rs[400:401], 400)
	wantFirst(t, s, "m", rs, 400)
	if x, err := vec.Open(at, h); err != nil || x.Len() != 401 {
		t.Errorf("the file has %d vectors, %v, want 401", x.Len(), err)
	}
}

// TestNearestPurged asks that a record without its bytes is never found, nor
// what was computed of them kept.
func TestNearestPurged(t *testing.T) {
	for name, spec := range nearStores {
		t.Run(name, func(t *testing.T) {
			address := spec(t)
			s := open(t, address, Options{})
			rs := putAll(t, s, "m", 200)
			putVectors(t, s, "other", rs[:1], 0)
			all := store.Near{Model: "m", Vec: points()[0], Limit: 300, Hidden: true}
			if hits := near(t, s, all); len(hits) != 200 {
				t.Fatalf("%d vectors are found, want 200", len(hits))
			}
			unguard(t, s)
			exec(t, s, "DELETE FROM payloads WHERE key = (SELECT min(key) FROM payloads)")
			if hits := near(t, s, all); len(hits) != 199 || hits[0].ID == rs[0].ID {
				t.Errorf(
					"%d vectors are found, the nearest of %s, want 199 without that of %s", len(hits),
					hits[0].ID.Short(), rs[0].ID.Short(),
				)
			}
			must(t, s.Change(t.Context(), "drop", func(ctx context.Context, w *session.Session) error {
				return s.dropVectors(ctx, w, []int64{session.FirstKey(1) + 1, session.FirstKey(1) + 2})
			}))
			left := func(query string) (n int) {
				_, err := s.read.One(t.Context(), []any{&n}, query)
				must(t, err)
				return n
			}
			if name == "pgvector" {
				if n := left("SELECT count(*) FROM near WHERE vec IS NOT NULL"); n != 198 {
					t.Errorf("the copy has %d vectors, want 198", n)
				}
			}
			for _, again := range []*Store{s, open(t, address, Options{})} {
				hits := near(t, again, all)
				if len(hits) != 198 || slices.ContainsFunc(hits, func(h store.Hit) bool { return h.ID == rs[1].ID }) {
					t.Errorf("%d vectors are found, want 198 without that of %s", len(hits), rs[1].ID.Short())
				}
				if other := near(t, again, store.Near{Model: "other", Vec: points()[0], Limit: 1, Hidden: true}); len(other) != 0 {
					t.Errorf("of another model %d vectors are found, want none", len(other))
				}
			}
			for v, err := range s.Vectors(t.Context(), "m") {
				if err != nil || v.ID == rs[0].ID || v.ID == rs[1].ID || len(v.Vec) == 0 {
					t.Errorf("Vectors gives %v of %s, %v", v.Vec, v.ID.Short(), err)
				}
			}
			if n := left("SELECT count(*) FROM vectors WHERE length(vec) > 0"); n != 198 {
				t.Errorf("the table has %d vectors, want 198", n)
			}
			if name == "pgvector" {
				return
			}
			x, filed := s.copies.Codes(1)
			if x.Len() != 198 || filed && x.Worn() {
				t.Errorf("there are %d codes, want 198", x.Len())
			}
			putVectors(t, s, "m", rs[1:2], 1) // it may come back, if it is embedded again
			wantFirst(t, s, "m", rs, 1)
		})
	}
}

// TestNearestFileForgets asks that the codes of a purged record leave the file.
func TestNearestFileForgets(t *testing.T) {
	path := tempSQLite(t)
	s := open(t, path, Options{})
	putAll(t, s, "m", 300)
	near(t, s, store.Near{Model: "m", Vec: points()[0], Limit: 1})
	before, err := os.ReadFile(sidecar(t, path))
	must(t, err)
	must(t, s.Change(t.Context(), "drop", func(ctx context.Context, w *session.Session) error {
		return s.dropVectors(ctx, w, []int64{session.FirstKey(1) + 9})
	}))
	near(t, s, store.Near{Model: "m", Vec: points()[0], Limit: 1})
	after, err := os.ReadFile(sidecar(t, path))
	must(t, err)
	v, most := points()[8], float32(0)
	for _, f := range v {
		most = max(most, f, -f)
	}
	codes := make([]byte, len(v))
	for i, f := range v {
		codes[i] = byte(int8(math.Round(float64(f) / float64(most) * 127)))
	}
	if !bytes.Contains(before, codes) || bytes.Contains(after, codes) {
		t.Errorf(
			"the codes are in the file before: %v, and after: %v, want true and false",
			bytes.Contains(before, codes), bytes.Contains(after, codes),
		)
	}
	x, _ := s.copies.Codes(1)
	if n := x.Len(); n != 299 {
		t.Errorf("%d codes are left, want 299", n)
	}
}

// TestNearestAtOnce searches while vectors come.
func TestNearestAtOnce(t *testing.T) {
	for name, spec := range nearStores {
		t.Run(name, func(t *testing.T) {
			address := spec(t)
			a, b := open(t, address, Options{}), open(t, address, Options{})
			rs := raws(t, 1000)
			appendAll(t, a, rs)
			var all sync.WaitGroup
			all.Go(func() {
				for i := 0; i < len(rs); i += 100 {
					putVectors(t, a, "m", rs[i:i+100], i)
					wantFirst(t, a, "m", rs, i+50)
				}
			})
			for _, s := range []*Store{a, b, b} {
				all.Go(func() {
					for i := range 50 {
						near(t, s, store.Near{Model: "m", Vec: points()[i], Limit: 20})
					}
				})
			}
			all.Wait()
			for _, s := range []*Store{a, b} {
				if hits := near(t, s, store.Near{Model: "m", Vec: points()[0], Limit: 2000}); len(hits) != len(rs) {
					t.Errorf("%d are found, want %d", len(hits), len(rs))
				}
			}
		})
	}
}

func TestNearestPlans(t *testing.T) {
	s := open(t, tempSQLite(t), Options{})
	putAll(t, s, "m", 100)
	for name, query := range nearest.Statements() {
		if got := plan(t, s, query); strings.Contains(got, "SCAN ") || strings.Contains(got, "TEMP B-TREE") ||
			strings.Contains(got, "AUTOMATIC") {
			t.Errorf("%s: the plan is\n%s", name, got)
		}
	}
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}
