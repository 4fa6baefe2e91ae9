package sqlstore

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/sums"
	"github.com/stemma-memory/stemma/internal/store/storetest"
	"github.com/stemma-memory/stemma/memory"
)

// The databases compute the sum of a count of readings as we do, and a bit more or less
// always returns another one.
func TestUsageSum(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	rows := [][3]int64{
		{0, 0, 0}, {1<<40 + 1, 1, 1_700_000_000_000}, {math.MinInt64, math.MaxInt64, -1},
		{math.MaxInt64, math.MinInt64, math.MinInt64},
	}
	for range 20 {
		rows = append(rows, [3]int64{int64(rng.Uint64()), int64(rng.Uint64()), int64(rng.Uint64())})
	}
	for _, r := range rows {
		for field := range r {
			for bit := range 64 {
				one := r
				one[field] ^= 1 << bit
				if sums.Usage(one[0], one[1], one[2]) == sums.Usage(r[0], r[1], r[2]) {
					t.Errorf("bit %d of field %d of %v is not in the sum", bit, field, r)
				}
			}
		}
	}
	both(t, func(t *testing.T, spec string) {
		s := open(t, spec, Options{})
		for _, r := range rows {
			var got int64
			query := "SELECT " + sums.UsageOf("CAST(? AS BIGINT)", "CAST(? AS BIGINT)", "CAST(? AS BIGINT)")
			if _, err := s.read.One(t.Context(), []any{&got}, query, r[2], r[1], r[0]); err != nil ||
				got != sums.Usage(r[0], r[1], r[2]) {
				t.Errorf("the database gives %d, %v for %v, want %d", got, err, r, sums.Usage(r[0], r[1], r[2]))
			}
		}
	})
}

// both runs a test on both databases.
func both(t *testing.T, do func(t *testing.T, spec string)) {
	t.Helper()
	for name, spec := range map[string]func(testing.TB) string{"sqlite": tempSQLite, "postgres": storetest.EmptyPostgres} {
		t.Run(name, func(t *testing.T) { do(t, spec(t)) })
	}
}

// summed makes a small store with counts of readings and vectors. Nothing guards its log.
func summed(t *testing.T, spec string) (*Store, []*memory.Record) {
	t.Helper()
	s, rs := open(t, spec, Options{}), raws(t, 3)
	appendAll(t, s, rs)
	for i := range 3 {
		if err := s.Touch(t.Context(), time.UnixMilli(int64(100-i)), rs[0].ID, rs[1].ID, rs[0].ID); err != nil {
			t.Fatal(err)
		}
	}
	for i, r := range rs {
		if err := s.PutVectors(t.Context(), "model", store.Vector{ID: r.ID, Vec: []float32{1, float32(i)}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.SetCursor(t.Context(), store.EmbedCursor+"model main", 3); err != nil {
		t.Fatal(err)
	}
	healthy(t, s)
	unguard(t, s)
	return s, rs
}

// lostAlone asks that of the first record one thing is not known, and all else is.
func lostAlone(t *testing.T, s *Store, rs []*memory.Record, lost string) {
	t.Helper()
	used, err := s.Used(t.Context(), rs[0].ID)
	if err != nil || (used[0].Times == 0) != (lost == "used") {
		t.Errorf("Used gives %v, %v", used, err)
	}
	for one, err := range s.Survey(t.Context(), time.Time{}) {
		if err != nil || one.Item.Ref.ID == rs[0].ID && ((one.Usage.Times == 0) != (lost == "used") ||
			one.Item.Came.IsZero() != (lost == "came")) {
			t.Errorf("Survey gives %v, %v", one, err)
		}
	}
	items, err := s.Get(t.Context(), rs[0].ID)
	if err != nil || items[0].Came.IsZero() != (lost == "came") {
		t.Errorf("Get gives %v, %v", items, err)
	}
	kept, err := s.Kept(t.Context(), rs[0].Header.Space, 0, 1)
	if err != nil || kept[0].Came.IsZero() != (lost == "came") {
		t.Errorf("Kept gives %v, %v", kept, err)
	}
	ring, err := s.Keyring(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if a, held := ring.Arrived(rs[0].ID); !held || a.At.IsZero() != (lost == "came") {
		t.Errorf("it arrived %v, %v", a, held)
	}
	if first, err := s.FirstCame(t.Context()); err != nil || first.IsZero() != (lost == "came") {
		t.Errorf("the first came at %v, %v", first, err)
	}
	hits, err := s.Nearest(t.Context(), store.Near{Model: "model", Vec: []float32{1, 0}, Limit: 5})
	want := map[string]int{"near": 2, "all near": 0}
	n, fewer := want[lost]
	if !fewer {
		n = 3
	}
	if err != nil || len(hits) != n {
		t.Errorf("Nearest gives %v, %v, want %d", hits, err, n)
	}
	vectors := 0
	for _, err := range s.Vectors(t.Context(), "model") {
		if vectors++; err != nil {
			t.Error(err)
		}
	}
	if vectors != n && lost != "all near" { // who knows the number of a model asks no list for it
		t.Errorf("there are %d vectors, want %d", vectors, n)
	}
}
