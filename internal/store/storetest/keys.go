package storetest

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// addBy appends records as one who writes.
func (p *place) addBy(by string, rs ...*memory.Record) {
	p.Helper()
	if n, err := p.Append(p.Context(), store.Batch{Records: rs, By: by}); n != len(rs) || err != nil {
		p.Fatalf("Append of %d records by a writer = %d, %v", len(rs), n, err)
	}
}

// keptBy asks whose store it is.
func (p *place) keptBy(what, want string) {
	p.Helper()
	k, err := p.Keyring(p.Context())
	if err != nil {
		p.Fatal(err)
	}
	if got := k.Keeper(); got != want {
		p.Errorf("%s: the keeper is %q, want %q", what, got, want)
	}
}

// testKeeper checks that a store belongs to its only writer, that this person's claims about
// strangers' memories count for as long, and that a write which fails makes it nobody's.
func testKeeper(p *place) {
	ann, bob, eve := NewOwner("ann"), NewOwner("bob"), NewOwner("eve")
	poison, other := eve.Belief(p, "poison"), eve.Belief(p, "more of it")
	hide := ann.Mark(p, memory.Quarantine, poison)
	stolen := ann.Revoke(p, eve, memory.Compromised)
	all := []*memory.Record{poison, hide}
	p.add(poison, hide) // without a writer
	p.keptBy("carried", "")
	p.holds("carried", all)
	refused := store.Batch{
		Records: []*memory.Record{ann.Raw(p, "never")}, By: bob.Key,
		Check: func(*memory.Record) error { return errRefused },
	}
	if _, err := p.Append(p.Context(), refused); !errors.Is(err, errRefused) {
		p.Fatalf("Append that a check refuses = %v", err)
	}
	p.keptBy("after a write that was refused", "")
	own := ann.Raw(p, "her own")
	p.addBy(ann.Key, own)
	all, p.keeper = append(all, own), ann.Key
	p.keptBy("after the first write", ann.Key)
	p.holds("the first has written", all)
	if !p.state(poison).Quarantined {
		p.Error("what the keeper had quarantined before is shown")
	}
	p.addBy(ann.Key, stolen)
	p.set(p.clock().Add(time.Millisecond)) // of two spaces the clock says what came first
	p.addBy("", other)
	all = append(all, stolen, other)
	p.holds("the keeper took a stranger's key back", all)
	if !p.state(other).Quarantined {
		p.Error("what came from a key that the keeper took back is shown")
	}
	p.add0(own)
	if _, err := p.Append(p.Context(), store.Batch{Records: []*memory.Record{own}, By: bob.Key}); err != nil {
		p.Fatal(err)
	}
	p.keptBy("after another sent what is held", ann.Key)
	second := bob.Raw(p, "another's")
	p.addBy(bob.Key, second)
	all, p.keeper = append(all, second), "*"
	k, err := p.Keyring(p.Context())
	if err != nil {
		p.Fatal(err)
	}
	if got := k.Keeper(); got == ann.Key || got == bob.Key || got == "" {
		p.Errorf("the keeper of a store of two is %q, want neither", got)
	}
	p.holds("two have written", all)
	if p.state(poison).Quarantined || p.state(other).Quarantined {
		p.Error("one of two who write hides what is another's")
	}
	p.addBy(ann.Key, ann.Raw(p, "again"))
	p.keptBy("after the first writes again", "*")
}

// testKeys holds arrivals of key records that change what was folded before.
func testKeys(p *place) {
	for _, tt := range []struct {
		name string
		make func(q *place, ann, eve *Author) [][]*memory.Record // batches
	}{
		{"a revocation from a place that has been", func(q *place, ann, _ *Author) [][]*memory.Record {
			bot, d := ann.NewAgent(q, ann.Key+" bot")
			one, two := bot.Belief(q, "one"), bot.Belief(q, "two")
			var tree ledger.Frontier
			tree.Append(ledger.Hash(d.ID), ledger.Hash(one.ID))
			from := state.FromLine(ann.Space, 2, ledger.EncodeHash(tree.Root()))
			return [][]*memory.Record{
				{d, one}, {two, bot.Revise(q, "three", two)}, {ann.Revoke(q, bot, memory.Compromised, from)},
			}
		}},
		{"a revocation from a place that is yet to come", func(q *place, ann, _ *Author) [][]*memory.Record {
			bot, d := ann.NewAgent(q, ann.Key+" bot")
			work := *bot
			work.Space = ann.On("work").Space
			var batch []*memory.Record
			var tree ledger.Frontier
			for i := range 4 {
				batch = append(batch, work.Belief(q, fmt.Sprint("of work ", i)))
				if i < 3 {
					tree.Append(ledger.Hash(batch[i].ID))
				}
			}
			from := state.FromLine(work.Space, 3, ledger.EncodeHash(tree.Root()))
			gone := ann.Revoke(q, bot, memory.Compromised, from)
			return [][]*memory.Record{{d, gone}, batch[:1], batch[1:2], batch[2:3], batch[3:]}
		}},
		{"a rotation after what the new key said", func(q *place, ann, _ *Author) [][]*memory.Record {
			next := NewOwner(ann.Key + " next")
			next.Space = ann.Space
			bot, d := next.NewAgent(q, next.Key+" bot")
			old := ann.Belief(q, "old")
			return [][]*memory.Record{
				{old, d}, {
					next.Revise(q, "new", old), bot.Mark(q, memory.Protect, old),
				}, {next.Mark(q, memory.Forget, old)}, {ann.Rotate(q, ann, next)},
			}
		}},
		{"a revocation by a key that turns out to be the owner's", func(q *place, ann, _ *Author) [][]*memory.Record {
			next := NewOwner(ann.Key + " next")
			next.Space = ann.Space
			bot, d := ann.NewAgent(q, ann.Key+" bot")
			return [][]*memory.Record{
				{d}, {next.Revoke(q, bot, memory.Compromised)}, {bot.Belief(q, "stolen")},
				{ann.Rotate(q, ann, next)},
			}
		}},
		{"a recovery key that is named last", func(q *place, ann, _ *Author) [][]*memory.Record {
			next, saver := NewOwner(ann.Key+" next"), NewOwner(ann.Key+" saver")
			next.Space = ann.Space
			old := ann.Belief(q, "old")
			return [][]*memory.Record{
				{old}, {saver.Rotate(q, ann, next)}, {next.Revise(q, "new", old)}, {ann.Raw(q, "after")},
				{ann.Make(q, &memory.Key{Op: memory.OpInception, Key: ann.Key, Next: state.Commitment(saver.Key)})},
			}
		}},
		{"a rival whose author loses the right", func(q *place, ann, _ *Author) [][]*memory.Record {
			bot, d := ann.NewAgent(q, ann.Key+" bot")
			root := bot.Belief(q, "root")
			one, two := ann.Revise(q, "one", root), bot.Revise(q, "two", root)
			three := bot.Revise(q, "three", two)
			var tree ledger.Frontier
			from := state.FromLine(ann.Space, 0, ledger.EncodeHash(tree.Root()))
			return [][]*memory.Record{{d, root}, {one}, {two}, {three}, {ann.Revoke(q, bot, memory.Compromised, from)}}
		}},
		{"a stranger's word", func(q *place, ann, eve *Author) [][]*memory.Record {
			bot, d := ann.NewAgent(q, ann.Key+" bot")
			old := bot.Belief(q, "old")
			return [][]*memory.Record{
				{d, old}, {eve.Revoke(q, bot, memory.Compromised), eve.Revoke(q, ann, memory.Lost)},
				{ann.Revise(q, "new", old), bot.Raw(q, "more")},
			}
		}},
	} {
		p.Run(tt.name, func(t *testing.T) {
			q := &place{T: t, Store: p.Store}
			q.now.Store(p.now.Load())
			batches := tt.make(q, NewOwner(tt.name), NewOwner(tt.name+" stranger"))
			var all []*memory.Record
			for i, b := range batches {
				all = append(all, b...)
				q.add(b...)
				q.holds(fmt.Sprint("after batch ", i), all)
			}
		})
	}

	// keys of a batch count for what the batch says, also where it expects something
	ann := NewOwner("expects")
	bot, d := ann.NewAgent(p, "expects bot")
	b := bot.Belief(p, "the agent's")
	p.add(b)
	if _, err := p.Append(p.Context(), store.Batch{
		Records: []*memory.Record{d, bot.Mark(p, memory.Forget, b)}, Expect: []memory.ID{b.ID},
	}); err != nil {
		p.Fatal(err)
	}
	if !p.state(b).Forgotten {
		p.Error("a claim under a delegation of its own batch, which expected something, does nothing")
	}
}
