package storetest

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// writers is how many write at once.
const writers = 8

// testConcurrent asks that nothing is lost and no position skipped or seen too
// early when many write and somebody reads the log by a cursor.
func testConcurrent(p *place) {
	const each = 20
	ann := NewOwner("ann")
	var rs [writers][]*memory.Record
	for w := range rs {
		for i := range each {
			rs[w] = append(rs[w], ann.Raw(p, fmt.Sprintf("%d of writer %d", i, w)))
		}
	}
	var writing, reading sync.WaitGroup
	var done atomic.Bool
	for w := range rs {
		writing.Go(func() {
			for _, r := range rs[w] {
				if n, err := p.Append(p.Context(), store.Batch{Records: []*memory.Record{r}}); n != 1 || err != nil {
					p.Errorf("Append among writers = %d, %v", n, err)
				}
			}
		})
	}
	seen := make(map[memory.ID]bool)
	reading.Go(func() {
		for at := store.Seq(0); ; {
			last := done.Load()
			changes, err := p.Since(p.Context(), ann.Space, at, each)
			if err != nil {
				p.Errorf("Since among writers: %v", err)
				return
			}
			for _, c := range changes {
				if at++; c.Seq != at || seen[c.ID] {
					p.Errorf("the log gives %d after %d", c.Seq, at-1)
					return
				}
				seen[c.ID] = true
			}
			if items, err := p.Get(p.Context(), changeIDs(changes)...); err != nil || containsNil(items) {
				p.Errorf("Get of what the log names gives %v, %v", items, err)
			}
			if last && len(changes) == 0 {
				return
			}
		}
	})
	writing.Wait()
	done.Store(true)
	reading.Wait()
	if len(seen) != writers*each {
		p.Errorf("the reader saw %d records, want %d", len(seen), writers*each)
	}
}

func changeIDs(cs []store.Change) []memory.ID {
	var out []memory.ID
	for _, c := range cs {
		out = append(out, c.ID)
	}
	return out
}

func containsNil(items []*store.Item) bool {
	for _, it := range items {
		if it == nil {
			return true
		}
	}
	return false
}

// testRace asks that of many who expect the same, one is served.
func testRace(p *place) {
	ann := NewOwner("ann")
	raw, belief := ann.Raw(p, "raw"), ann.Belief(p, "belief")
	p.add(raw, belief)
	var revise, promote, imports [writers]store.Batch
	for i := range writers {
		text := fmt.Sprint("of racer ", i)
		revise[i] = store.Batch{Records: []*memory.Record{ann.Revise(p, text, belief)}, Expect: []memory.ID{belief.ID}}
		promote[i] = store.Batch{
			Records: []*memory.Record{ann.Make(p, &memory.Episode{Objective: text}, promoting(raw))},
			Absent:  []store.Derivation{{From: raw.ID, Kind: memory.KindEpisode, Via: memory.ViaPromote}},
		}
		imports[i] = store.Batch{Records: []*memory.Record{ann.Raw(p, text, Known("one id"))}, NewAliases: true}
	}
	p.race("revise one belief", revise[:])
	p.race("promote one raw", promote[:])
	p.race("import one id", imports[:])
	if got := p.stats().Records; got != 5 {
		p.Errorf("Stats.Records = %d after the races, want 5", got)
	}
}

func (p *place) race(what string, batches []store.Batch) {
	p.Helper()
	var wg sync.WaitGroup
	var won, lost atomic.Int32
	for _, b := range batches {
		wg.Go(func() {
			switch n, err := p.Append(p.Context(), b); {
			case err == nil && n == 1:
				won.Add(1)
			case errors.Is(err, store.ErrConflict) && n == 0:
				lost.Add(1)
			default:
				p.Errorf("%s = %d, %v", what, n, err)
			}
		})
	}
	wg.Wait()
	if won.Load() != 1 || int(lost.Load()) != len(batches)-1 {
		p.Errorf(
			"of %d that %s %d won and %d lost, want 1 and %d", len(batches), what, won.Load(), lost.Load(),
			len(batches)-1,
		)
	}
}
