package storetest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"

	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/memstore"
	"github.com/stemma-memory/stemma/memory"
)

// testModel makes random appends to the store and to memstore; whatever one
// says, the other must say. STEMMA_SEED runs one seed again.
func testModel(p *place) {
	seed := rand.Uint64()
	if s, err := strconv.ParseUint(os.Getenv("STEMMA_SEED"), 10, 64); err == nil {
		seed = s
	}
	p.Logf("STEMMA_SEED=%d", seed)
	p.models(seed)
}

// testModelAgain runs the seeds that once found something: 13678271865491637707, that
// bytes which came back were counted as purged.
func testModelAgain(p *place) {
	p.models(13678271865491637707)
}

func (p *place) models(seed uint64) {
	model := memstore.Open(p.clock)
	p.model(model, fmt.Sprint("model ", seed), rand.New(rand.NewPCG(seed, 2)), false)
	p.model(model, fmt.Sprint("purging ", seed), rand.New(rand.NewPCG(seed, 3)), true)
}

// model makes random appends of one world. Where some are purged, there is no truth
// to be compared with: it knows nothing of the order in which things were said.
func (p *place) model(model store.Store, name string, rnd *rand.Rand, purging bool) {
	const appends, compareEvery = 100, 20
	w := newWorld(p, name, rnd)
	w.log = func() string { return p.someLog(rnd) }
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
		if rnd.IntN(4) == 0 && len(w.mems) > 0 {
			from := w.mems[rnd.IntN(len(w.mems))]
			b.Absent = append(b.Absent, store.Derivation{From: from.ID, Kind: memory.KindBelief, Via: memory.ViaInference})
		}
		if rnd.IntN(10) == 0 {
			b.By = w.owners[rnd.IntN(4+i/40)].Key // mostly the first
		}
		if purging && rnd.IntN(4) == 0 {
			of := w.all[rnd.IntN(len(w.all))]
			by := w.authors[rnd.IntN(len(w.authors))]
			mark := by.Mark(p, memory.Purge, of)
			w.all, b.Records, b.Purge = append(w.all, mark), append(b.Records, mark), append(b.Purge, of.ID)
		}
		p.bothAppend(model, b)
		switch i % 10 {
		case 9:
			p.set(p.clock().Add(minutes(2)))
		case 4:
			p.set(p.clock().Add(-minutes(1)))
		}
		if i%compareEvery == compareEvery-1 {
			p.same(fmt.Sprintf("append %d of %s", i, name), dump(p, p.Store, w.all), dump(p, model, w.all))
		}
	}
	p.bothAppend(model, store.Batch{Records: w.all}) // the records that are missing or were refused
	p.same("all of "+name, dump(p, p.Store, w.all), dump(p, model, w.all))
	if purging {
		return
	}
	k, err := p.Keyring(p.Context())
	if err != nil {
		p.Fatal(err)
	}
	p.keeper = k.Keeper()
	p.holds(name, w.all)
}

// someLog says what a log of the store was at some time.
func (p *place) someLog(rnd *rand.Rand) string {
	spaces, err := p.Spaces(p.Context())
	if err != nil || len(spaces) == 0 {
		return ""
	}
	s := spaces[rnd.IntN(len(spaces))]
	size := rnd.Int64N(int64(s.Last) + 1)
	return state.FromLine(s.Name, size, p.rootAt(s.Name, size))
}

// rootAt returns the root of a log when it had a size.
func (p *place) rootAt(space string, size int64) string {
	p.Helper()
	root, err := store.RootAt(size, func(after store.Seq, limit int) ([]store.Change, error) {
		return p.Since(p.Context(), space, after, limit)
	})
	if err != nil {
		p.Fatal(err)
	}
	return ledger.EncodeHash(root)
}

// bothAppend asks that both stores take a batch, or both refuse it.
func (p *place) bothAppend(model store.Store, b store.Batch) {
	p.Helper()
	got, gotErr := p.Append(p.Context(), b)
	want, wantErr := model.Append(p.Context(), b)
	if got != want || (gotErr != nil) != (wantErr != nil) ||
		errors.Is(gotErr, store.ErrConflict) != errors.Is(wantErr, store.ErrConflict) {
		p.Fatalf("Append = %d, %v, want %d, %v", got, gotErr, want, wantErr)
	}
}
