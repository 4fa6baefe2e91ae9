//go:build !race

package sqlstore

import (
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/salvage"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
	"github.com/stemma-memory/stemma/memory"
)

// Of a damaged file each record that is whole is written out, in the order of the log,
// and those that are not are named. The file itself is not changed.
func TestSalvage(t *testing.T) {
	t.Parallel()
	path := tempSQLite(t)
	s := filled(t, path, Options{})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	all := various(t)
	gone := all[4].ID // purged
	want := slices.DeleteFunc(slices.Clone(all), func(r *memory.Record) bool { return r.ID == gone })
	check := func(name string, bytes []byte, least int) {
		t.Helper()
		at := tempSQLite(t)
		if err := os.WriteFile(at, bytes, 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := salvage.File(t.Context(), at)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(got.Records) < least || len(got.Records)+len(got.Lost) < len(want) && least > 0 {
			t.Errorf("%s: %d records of %d, %d named", name, len(got.Records), len(want), len(got.Lost))
		}
		last := make(map[string]int)
		for _, r := range got.Records {
			i := slices.IndexFunc(want, func(w *memory.Record) bool { return w.ID == r.ID })
			if i < 0 || len(r.Sigs) == 0 {
				t.Fatalf("%s: a record that was not in the store: %s", name, r.Ref())
			}
			if i < last[r.Header.Space] {
				t.Errorf("%s: %s is out of order", name, r.Ref().Short())
			}
			last[r.Header.Space] = i
		}
		if after, err := os.ReadFile(at); err != nil || !slices.Equal(after, bytes) {
			t.Errorf("%s: the file was changed, %v", name, err)
		}
		to := open(t, tempSQLite(t), Options{})
		if n, err := to.Append(t.Context(), store.Batch{Records: got.Records, Obey: true}); err != nil ||
			n != len(got.Records) {
			t.Errorf("%s: %d of %d records were stored, %v", name, n, len(got.Records), err)
		}
	}
	check("whole", whole, len(want))
	check("no head", slices.Concat(make([]byte, 100), whole[100:]), len(want))
	check("no schema", slices.Concat(make([]byte, 3*session.PageSize), whole[3*session.PageSize:]), len(want))
	check("the first half", whole[:len(whole)/2], 0)
	rng := rand.New(rand.NewPCG(11, 11))
	for range flips() / 10 {
		bytes := slices.Clone(whole)
		bit := rng.IntN(len(bytes) * 8)
		bytes[bit/8] ^= 1 << (bit % 8)
		check("a flipped bit", bytes, len(want)-1)
	}
	for page := range len(whole) / session.PageSize {
		bytes := slices.Clone(whole)
		clear(bytes[page*session.PageSize : (page+1)*session.PageSize])
		check("an empty page", bytes, len(want)/2)
	}
}
