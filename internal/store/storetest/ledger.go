package storetest

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// treeIs asks that the tree over every log is the one over its ids in order.
func (p *place) treeIs(what string) {
	p.Helper()
	spaces, err := p.Spaces(p.Context())
	if err != nil {
		p.Fatal(err)
	}
	for _, space := range spaces {
		tree, err := p.Tree(p.Context(), space.Name)
		if err != nil {
			p.Fatal(err)
		}
		log, err := p.Since(p.Context(), space.Name, 0, int(space.Last)+1)
		if err != nil {
			p.Fatal(err)
		}
		var want ledger.Frontier
		for _, c := range log {
			want.Append(ledger.Hash(c.ID))
		}
		if tree != want || tree.Size() != int64(space.Last) {
			p.Errorf("%s: the tree of %s has %d ids and the root %s, want %d and %s", what, space.Name,
				tree.Size(), ledger.EncodeHash(tree.Root()), want.Size(), ledger.EncodeHash(want.Root()))
		}
	}
}

var errRefused = errors.New("refused by a check")

// testTree checks the tree over each log: with any number of writers at once, and after any
// failure.
func testTree(p *place) {
	ann := NewOwner("ann")
	if tree, err := p.Tree(p.Context(), "nowhere"); err != nil || tree.Size() != 0 || tree.Root() != ledger.EmptyRoot() {
		p.Errorf("the tree of no log has %d ids, %v, want the empty one", tree.Size(), err)
	}
	old := ann.Belief(p, "old")
	p.add(old, ann.Revise(p, "newer", old))
	p.treeIs("two")
	spaces := []*Author{ann, ann.On("work"), ann.On("play")}
	var batches [writers][]store.Batch
	for w := range batches {
		for i := range 12 {
			var b store.Batch
			for j := range 1 + (w+i)%5 {
				b.Records = append(b.Records, spaces[(w+i+j*j)%len(spaces)].Raw(p, fmt.Sprintf("%d %d %d", w, i, j)))
			}
			switch i % 6 {
			case 2:
				b.Expect = []memory.ID{old.ID}
			case 4:
				last := b.Records[len(b.Records)-1]
				b.Check = func(r *memory.Record) error {
					if r == last {
						return errRefused
					}
					return nil
				}
			}
			batches[w] = append(batches[w], b)
		}
	}
	var all sync.WaitGroup
	for _, mine := range batches {
		all.Go(func() {
			for i, b := range mine {
				_, err := p.Append(p.Context(), b)
				want := [6]error{2: store.ErrConflict, 4: errRefused}[i%6]
				if !errors.Is(err, want) {
					p.Errorf("Append of batch %d = %v, want %v", i, err, want)
				}
			}
		})
	}
	all.Wait()
	p.treeIs("many writers")
	p.add0(batches[0][0].Records...)
	p.treeIs("the same again")
}

// testHeld asks for checkpoints as they were kept, once for each who holds them.
func testHeld(p *place) {
	ctx, at := p.Context(), p.clock()
	one := store.Checkpoint{Space: "a", Size: 3, Root: ledger.Hash{1}, Note: "a note\nof lines\n", At: at}
	held, forked, later := one, one, one
	held.By, held.At = "somebody", at.Add(time.Second)
	forked.Root, forked.Note, forked.At = ledger.Hash{2}, "another", at.Add(2*time.Second)
	later.Size, later.At = 7, at.Add(-time.Hour)
	elsewhere := store.Checkpoint{Space: "b", Size: 0, Root: ledger.EmptyRoot(), At: at}
	for _, c := range []store.Checkpoint{one, held, forked, later, elsewhere} {
		if err := p.Hold(ctx, c); err != nil {
			p.Fatal(err)
		}
	}
	again := one
	again.Note, again.At = "not this one", at.Add(time.Hour)
	if err := p.Hold(ctx, again); err != nil {
		p.Errorf("Hold of what is held: %v", err)
	}
	for space, want := range map[string][]store.Checkpoint{"a": {later, one, held, forked}, "b": {elsewhere}, "c": nil} {
		got, err := p.Held(ctx, space)
		if same := func(x, y store.Checkpoint) bool {
			return x.At.Equal(y.At) && x.Space == y.Space && x.Size == y.Size && x.Root == y.Root && x.Note == y.Note &&
				x.By == y.By
		}; err != nil || !slices.EqualFunc(got, want, same) {
			p.Errorf("Held of %s = %v, %v, want %v", space, got, err, want)
		}
	}
}

// testCame asks that the time at which records came is the store's, and never goes
// back within a space, whatever the clock does.
func testCame(p *place) {
	ann := NewOwner("ann")
	work := ann.On("work")
	start := p.clock()
	var all []*memory.Record
	for i, after := range []time.Duration{
		0, time.Hour, -time.Hour, time.Minute, 2 * time.Hour, -100 * 24 * time.Hour, 2 * time.Hour,
	} {
		p.set(start.Add(after))
		rs := []*memory.Record{ann.Raw(p, fmt.Sprint("main ", i))}
		if i%2 == 1 {
			rs = append(rs, work.Raw(p, fmt.Sprint("work ", i)))
		}
		p.add(rs...)
		all = append(all, rs...)
		most := start
		for _, it := range p.get(all...) {
			if it.Record.Header.Space != ann.Space {
				continue
			}
			if it.Came.Before(most) {
				p.Errorf("record %d of the log came at %v, after one that came at %v", it.Seq, it.Came, most)
			}
			most = it.Came
		}
		if i == 4 && !most.Equal(start.Add(2*time.Hour)) {
			p.Errorf("the last came at %v, want %v by the clock", most, start.Add(2*time.Hour))
		}
	}
	k, err := p.Keyring(p.Context())
	if err != nil {
		p.Fatal(err)
	}
	for i, it := range p.get(all...) {
		a, held := k.Arrived(it.Ref.ID)
		if !held || a.Space != all[i].Header.Space || a.Seq != int64(it.Seq) || !a.At.Equal(it.Came) {
			p.Errorf("the keyring says that record %d arrived at %+v, want %d and %v", i, a, it.Seq, it.Came)
		}
	}
	if _, held := k.Arrived(memory.ID{1}); held {
		p.Error("the keyring knows the place of a record that is not held")
	}
	for _, size := range []int64{0, 1, 5, 7} {
		if !k.Agrees(ann.Space, size, p.rootAt(ann.Space, size)) {
			p.Errorf("the keyring does not agree with the root of the log at %d", size)
		}
	}
	if root := p.rootAt(ann.Space, 7); k.Agrees(ann.Space, 8, root) || k.Agrees(ann.Space, 6, root) ||
		k.Agrees(work.Space, 7, root) || k.Agrees("nowhere", 7, root) {
		p.Error("the keyring agrees with a root that the log did not have then")
	}
}
