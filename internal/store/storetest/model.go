package storetest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/memstore"
	"github.com/stemma-memory/stemma/memory"
)

// testModel makes random appends to the store and to memstore; whatever one
// says, the other must say. STEMMA_SEED runs one seed again.
func testModel(p *place) {
	const appends, compareEvery = 120, 20
	seed := rand.Uint64()
	if s, err := strconv.ParseUint(os.Getenv("STEMMA_SEED"), 10, 64); err == nil {
		seed = s
	}
	p.Logf("STEMMA_SEED=%d", seed)
	rnd := rand.New(rand.NewPCG(seed, 2))
	model := memstore.Open(p.clock)
	w := newWorld(p, "model", rnd)
	late := w.all // made, and not appended yet; the delegations among them
	for i := range appends {
		for range 1 + rnd.IntN(3) {
			late = append(late, w.grow())
		}
		b := store.Batch{NewAliases: rnd.IntN(3) == 0}
		for n := 1 + rnd.IntN(3); n > 0 && len(late) > 0; n-- {
			k := len(late) - 1 - rnd.IntN(min(len(late), 6)) // mostly the newest: claims before subjects
			if rnd.IntN(3) == 0 {
				k = 0
			}
			b.Records = append(b.Records, late[k])
			late = append(late[:k:k], late[k+1:]...)
		}
		if rnd.IntN(4) == 0 {
			b.Expect = append(b.Expect, w.all[rnd.IntN(len(w.all))].ID)
		}
		if rnd.IntN(4) == 0 {
			from := w.mems[rnd.IntN(len(w.mems))]
			b.Absent = append(b.Absent, store.Derivation{From: from.ID, Kind: memory.KindBelief, Via: memory.ViaInference})
		}
		p.bothAppend(model, b)
		if i%10 == 9 {
			p.set(p.clock().Add(minutes(2)))
		}
		if i%compareEvery == compareEvery-1 {
			p.same(fmt.Sprintf("append %d of seed %d", i, seed), dump(p, p.Store, w.all), dump(p, model, w.all))
		}
	}
	p.bothAppend(model, store.Batch{Records: w.all}) // what is missing still, or was refused
	p.same(fmt.Sprintf("all of seed %d", seed), dump(p, p.Store, w.all), dump(p, model, w.all))
	p.holds(fmt.Sprint("seed ", seed), w.all)
}

// bothAppend asks that both stores take a batch, or both refuse it.
func (p *place) bothAppend(model store.Store, b store.Batch) {
	p.Helper()
	got, gotErr := p.Append(p.Context(), b)
	want, wantErr := model.Append(p.Context(), b)
	if got != want || errors.Is(gotErr, store.ErrConflict) != (wantErr != nil) {
		p.Fatalf("Append = %d, %v, want %d, %v", got, gotErr, want, wantErr)
	}
}
