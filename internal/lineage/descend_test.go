//go:build !race

package lineage_test

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math/rand"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/internal/lineage"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
	"github.com/stemma-memory/stemma/memory"
)

// slow hides what a store can do at once.
type slow struct{ lineage.Graph }

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

// What a store finds at once is what it finds level by level: the same records in
// the same order, the same ways, survivors and grounds, also where sources are not
// held, roots rest on roots or are named twice, and more are asked for than fit
// into one list.
func TestDescendants(t *testing.T) {
	key, err := keys.Generate(zeros{})
	if err != nil {
		t.Fatal(err)
	}
	for seed := range int64(6) {
		chance := rand.New(rand.NewSource(seed))
		st, err := sqlstore.Open(t.Context(), filepath.Join(t.TempDir(), "memory.db"), sqlstore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		made := make([]*memory.Record, 0, 2000)
		var held []*memory.Record
		for i := range 300 + 150*int(seed) {
			var nonce [16]byte
			binary.BigEndian.PutUint64(nonce[:], uint64(i))
			h := memory.Header{
				Space: key.DID() + "/main", Author: key.DID(), Origin: memory.OriginOwner,
				At:         memory.At(time.UnixMilli(int64(i + 1))),
				Confidence: memory.Certain, Provenance: memory.Provenance{Via: memory.ViaDirect},
				Nonce: base64.RawURLEncoding.EncodeToString(nonce[:]),
			}
			var body memory.Body = &memory.Raw{Text: fmt.Sprint("turn ", i)}
			if i > 5 && chance.Intn(12) > 0 {
				body = &memory.Note{Type: "insight", Summary: fmt.Sprint("note ", i)}
				cited := make(map[memory.ID]bool)
				for range 1 + chance.Intn(3) {
					if r := made[chance.Intn(len(made))]; !cited[r.ID] {
						cited[r.ID] = true
						h.Provenance.From = append(h.Provenance.From, r.Ref())
					}
				}
				h.Recalled = []memory.ID{made[0].ID}
			}
			r, err := memory.New(h, body)
			if err != nil {
				t.Fatal(err)
			}
			if made = append(made, r); chance.Intn(40) > 0 {
				held = append(held, r)
			}
		}
		chance.Shuffle(len(held), func(i, j int) { held[i], held[j] = held[j], held[i] })
		if _, err := st.Append(t.Context(), store.Batch{Records: held}); err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{1, 1, 2, 10, 700} {
			var roots []memory.ID
			for range n {
				roots = append(roots, held[chance.Intn(len(held))].ID)
			}
			same(t, st, roots...)
		}
		same(t, st, made[0].ID, memory.ID{1})
		if err := st.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func same(t *testing.T, g lineage.Graph, roots ...memory.ID) {
	t.Helper()
	got, err := lineage.Radius(context.Background(), g, roots...)
	if err != nil {
		t.Fatal(err)
	}
	want, err := lineage.Radius(context.Background(), slow{g}, roots...)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Order) == 0 && len(want.Order) == 0 {
		got.Order, want.Order = nil, nil
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("from %d roots: %d records, %d survive, want %d and %d; in the same order: %v, ways: %v, grounds: %v",
			len(roots),
			len(got.Order), len(got.Survives), len(want.Order), len(want.Survives), reflect.DeepEqual(got.Order, want.Order),
			reflect.DeepEqual(got.Parent, want.Parent), reflect.DeepEqual(got.Grounds, want.Grounds))
	}
}
