//go:build !race

package sqlstore

import (
	"os"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/storetest"
	"github.com/stemma-memory/stemma/memory"
)

// What is made of 100,000 records is made again within a minute.
func TestRepairOfMany(t *testing.T) {
	n := 2000
	if os.Getenv("STEMMA_LONG") != "" {
		n = 100_000
	}
	a := storetest.NewOwner("many")
	s := open(t, tempSQLite(t), Options{})
	var rs []*memory.Record
	for i := range n {
		r := a.Raw(t, sentence(i))
		if i%3 == 2 {
			r = a.Make(t, &memory.Note{Type: "insight", Summary: sentence(i)}, func(h *memory.Header) {
				h.Provenance.Via, h.Provenance.From = memory.ViaInference, []memory.Ref{rs[i-1].Ref(), rs[i-2].Ref()}
			})
		}
		rs = append(rs, r)
		if len(rs) == n || i%1000 == 999 {
			if _, err := s.Append(t.Context(), store.Batch{Records: rs[i/1000*1000:]}); err != nil {
				t.Fatal(err)
			}
		}
	}
	exec(t, s, "DELETE FROM edges; DELETE FROM state; DELETE FROM segments; UPDATE spaces SET tree = x'00'")
	began := time.Now()
	if _, err := s.Repair(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	took := time.Since(began)
	if took > time.Minute {
		t.Errorf("to repair %d records took %v, want at most a minute", n, took)
	}
	began = time.Now()
	healthy(t, s)
	t.Logf("%d records: repaired in %v, looked over in %v", n, took, time.Since(began))
}
