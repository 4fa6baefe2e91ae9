package storetest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/stemma-memory/stemma/internal/store"
)

// testTry looks at random batches before they are added: a trial is the store as it is afterwards, and leaves it as it
// was.
func testTry(p *place) {
	s, is := p.Store.(store.Trier)
	if !is {
		p.Skip("it cannot answer as it would be: optional data")
	}
	rnd := rand.New(rand.NewPCG(41, 5))
	w := newWorld(p, "trials", rnd)
	w.log = func() string { return p.someLog(rnd) }
	b := store.Batch{Records: w.all}
	for i := range 12 {
		before := dump(p, p.Store, w.all)
		var then []string
		err := s.Try(p.Context(), b, func(_ context.Context, t store.Store) error {
			then = dump(p, t, w.all)
			return nil
		})
		if err != nil {
			p.Fatalf("trial %d: %v", i, err)
		}
		p.same(fmt.Sprint("the end of trial ", i), dump(p, p.Store, w.all), before)
		p.add(b.Records...)
		p.same(fmt.Sprint("trial ", i), then, dump(p, p.Store, w.all))
		if b = (store.Batch{}); i%3 == 2 {
			p.set(p.clock().Add(minutes(2)))
		}
		for range 4 {
			b.Records = append(b.Records, w.grow())
		}
	}
	failed := errors.New("it failed")
	if err := s.Try(p.Context(), b, func(context.Context, store.Store) error { return failed }); !errors.Is(err, failed) {
		p.Errorf("a trial in which something failed: %v, want that error", err)
	}
	p.add(b.Records...) // and the next write is an ordinary one
}
