package door

import (
	"context"
	"errors"
	"slices"

	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/proof"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// claimRels are the relations by which a claim or a revision refers to its record.
var claimRels = []graph.Relation{graph.Speaks, graph.LinkSource, graph.LinkTarget, graph.Supersedes}

// A folder folds the states of some records from verified claims.
type folder struct {
	d    *Store
	v    *view
	ctx  context.Context
	held map[memory.ID]*memory.Record // verified; nil is not held, purged or forged
	said map[memory.ID]*claims
	part bool // of what may take the place of the record that is folded, something that was said is not there
}

// claims are all claims about one record.
type claims struct {
	records []*memory.Record
	sum     proof.Sum
	whole   bool // they are all that was ever said of it
}

// fold computes the states of items that were verified, and remembers them.
func (d *Store) fold(ctx context.Context, v *view, items []*store.Item) error {
	f := &folder{d: d, v: v, ctx: ctx, held: make(map[memory.ID]*memory.Record), said: make(map[memory.ID]*claims)}
	refs := make([]memory.Ref, len(items))
	for i, it := range items {
		refs[i] = it.Ref
		f.held[it.Ref.ID] = it.Record
	}
	if err := f.gather(refs); err != nil {
		return err
	}
	if err := f.successors(refs); err != nil {
		return err
	}
	for _, it := range items {
		if err := f.one(it); err != nil {
			return err
		}
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.states)+len(items) > mostStates {
		clear(v.states)
		clear(v.doubts)
		clear(v.kinds)
	}
	for _, it := range items {
		if it.Record == nil {
			continue
		}
		v.states[it.Ref.ID], v.kinds[it.Ref.ID] = it.State, it.Ref.Kind
		if it.Doubt != "" {
			v.doubts[it.Ref.ID] = it.Doubt
		}
	}
	return nil
}

// one folds one record.
func (f *folder) one(it *store.Item) error {
	id := it.Ref.ID
	c, whole := f.said[id], f.whole(it.Ref)
	if it.Record == nil { // the marks about a deleted record are all that is left of it
		it.State = keptBits(it.State, it)
		return nil
	}
	var about []*memory.Record
	if c != nil {
		about = c.records
	}
	f.part = false
	s, err := state.FoldAmong(it.Record, about, f.d.now(), f.v.ring, f.look)
	if err != nil {
		return err
	}
	if by := it.State.SupersededBy; s.SupersededBy.IsZero() && !by.IsZero() {
		// What a purged revision replaced stays replaced. The tables say so, and may:
		// it only hides.
		items, err := f.d.Store.Get(f.ctx, by)
		if err != nil {
			return err
		}
		if items[0] != nil && items[0].State.Purged {
			s.SupersededBy = by
		}
	}
	// So does what a rival was that is purged now: what the tables hide stays hidden.
	if s.Outranked = it.State.Outranked; !s.Outranked && it.Ref.Kind.IsMemory() && s.SupersededBy.IsZero() {
		if s.Outranked, err = f.outranked(it.Record); err != nil {
			return err
		}
	}
	s.Due = store.Earlier(s.Due, it.State.Due) // of a rival, the row knows
	doubt := store.Doubt("")
	if !whole || f.part && s.SupersededBy.IsZero() {
		doubt = store.Withheld
	}
	it.State, it.Doubt = keptBits(s, it), doubt
	return nil
}

// whole reports whether all that was ever said of a record was there when it was gathered.
func (f *folder) whole(ref memory.Ref) bool {
	c := f.said[ref.ID]
	return c != nil && c.whole
}

// wanted returns what the book has of what was said of a record; ok is false where it cannot be read.
func (f *folder) wanted(ref memory.Ref) (sum proof.Sum, ok bool, err error) {
	sum, err = f.d.book.Said(ref)
	if errors.Is(err, proof.ErrEdited) {
		return sum, false, nil
	}
	return sum, err == nil, err
}

// complete reports whether it is known of each record what was ever said of it.
func (f *folder) complete() bool { return f.d.book != nil && f.v.untrusted == "" }

// gather reads the claims about some records. Nothing need be read for those of which the book
// knows that there never was any, if the tables have none either.
func (f *folder) gather(refs []memory.Ref) error {
	var todo []memory.Ref
	for _, ref := range refs {
		if f.said[ref.ID] != nil {
			continue
		}
		f.said[ref.ID] = &claims{}
		if f.complete() {
			sum, err := f.d.book.Said(ref)
			if err == nil && sum == (proof.Sum{}) {
				f.said[ref.ID].whole = true
				continue
			}
			if c := f.d.told.known(ref, sum); c != nil && err == nil {
				f.said[ref.ID] = c
				continue
			}
		}
		todo = append(todo, ref)
	}
	if !f.complete() {
		for _, ref := range todo {
			f.said[ref.ID].whole = f.v.untrusted == ""
		}
		return f.hearOf(todo)
	}
	for range looks {
		var err error
		if todo, err = f.agree(todo, f.hearOf); err != nil || len(todo) == 0 {
			return err
		}
		f.again(todo) // others write meanwhile: the book is of one moment, what was read of another
	}
	_, err := f.agree(todo, f.hearAll) // the tables do not have what the records say
	return err
}

// agree reads what was said of records, and returns those of which the book has something else: before they were read,
// and after it.
func (f *folder) agree(refs []memory.Ref, read func([]memory.Ref) error) (others []memory.Ref, err error) {
	before := make([]proof.Sum, len(refs))
	for i, ref := range refs {
		if before[i], _, err = f.wanted(ref); err != nil {
			return nil, err
		}
	}
	if err := read(refs); err != nil {
		return nil, err
	}
	for i, ref := range refs {
		after, ok, err := f.wanted(ref)
		if err != nil {
			return nil, err
		}
		c := f.said[ref.ID]
		if c.whole = ok && (c.sum == before[i] || c.sum == after); c.whole {
			f.d.told.know(ref, c, f.d.now())
		} else if ok {
			others = append(others, ref)
		}
	}
	return others, nil
}

// again forgets what was heard of some records, so that it is read as it is now.
func (f *folder) again(refs []memory.Ref) {
	f.ctx = store.Fresh(f.ctx)
	for id, r := range f.held {
		if r == nil {
			delete(f.held, id)
		}
	}
	for _, ref := range refs {
		f.d.remembered(f.said[ref.ID].records)
		f.said[ref.ID] = &claims{}
	}
}

// hearOf adds the claims about records that the tables name.
func (f *folder) hearOf(refs []memory.Ref) error {
	if len(refs) == 0 {
		return nil
	}
	ids, kinds := make([]memory.ID, len(refs)), make(map[memory.ID]memory.Kind, len(refs))
	for i, ref := range refs {
		ids[i], kinds[ref.ID] = ref.ID, ref.Kind
	}
	edges, err := f.d.Store.Edges(f.ctx, graph.Forward, ids...)
	if err != nil {
		return err
	}
	return f.hear(speakers(edges), kinds)
}

// speakers returns who says something of each record, by arrows.
func speakers(edges []graph.Edge) map[memory.ID][]memory.ID {
	from := make(map[memory.ID][]memory.ID)
	seen := make(map[[2]memory.ID]bool, len(edges))
	for _, e := range edges {
		if pair := [2]memory.ID{e.To, e.From}; slices.Contains(claimRels, e.Rel) && !seen[pair] {
			seen[pair] = true
			from[e.To] = append(from[e.To], e.From)
		}
	}
	return from
}

// hearAll adds the claims about records that their own bytes name, from the whole log.
func (f *folder) hearAll(refs []memory.Ref) error {
	from, kinds := make(map[memory.ID][]memory.ID), make(map[memory.ID]memory.Kind, len(refs))
	for _, ref := range refs {
		more, err := f.v.speaking(f.ctx, f.d, ref.ID)
		if err != nil {
			return err
		}
		from[ref.ID], kinds[ref.ID] = more, ref.Kind
	}
	return f.hear(from, kinds)
}

// hear adds the claims about records, taken from the records themselves.
func (f *folder) hear(from map[memory.ID][]memory.ID, kinds map[memory.ID]memory.Kind) error {
	var all []memory.ID
	for _, speakers := range from {
		all = append(all, speakers...)
	}
	if err := f.read(all); err != nil {
		return err
	}
	for to, speakers := range from {
		c := f.said[to]
		for _, id := range speakers {
			r := f.held[id]
			if r == nil {
				ok, err := f.purged(id)
				if err != nil {
					return err
				}
				if ok && f.d.book != nil {
					c.sum = c.sum.Plus(f.d.book.Hash(id))
				}
				continue
			}
			if !slices.Contains(said(r), memory.Ref{Kind: kinds[to], ID: to}) {
				continue // the arrow is not its own
			}
			c.records = append(c.records, r)
			if f.d.book != nil {
				c.sum = c.sum.Plus(f.d.book.Hash(id))
			}
		}
	}
	return nil
}

// speaking returns the claims about a record by reading the whole log. It is used where the
// derived tables are incomplete.
func (v *view) speaking(ctx context.Context, d *Store, of memory.ID) ([]memory.ID, error) {
	v.scan.Lock()
	defer v.scan.Unlock()
	if v.scanned == nil {
		all := make(map[memory.ID][]memory.ID)
		for _, s := range v.spaces {
			if err := d.scan(ctx, s, all); err != nil {
				return nil, err
			}
		}
		v.scanned = all
	}
	return v.scanned[of], nil
}

// scan reads one whole log, and keeps which records each claim is about.
func (d *Store) scan(ctx context.Context, s store.Space, by map[memory.ID][]memory.ID) error {
	for after := store.Seq(0); after < s.Last; {
		page, err := d.Store.Since(ctx, s.Name, after, listPage)
		if err != nil || len(page) == 0 {
			return err
		}
		after = page[len(page)-1].Seq
		ids := make([]memory.ID, len(page))
		for i, c := range page {
			ids[i] = c.ID
		}
		items, err := d.Store.Get(ctx, ids...)
		if err != nil {
			return err
		}
		for _, r := range d.soundOf(items) {
			for _, ref := range said(r) {
				if !slices.Contains(by[ref.ID], r.ID) {
					by[ref.ID] = append(by[ref.ID], r.ID)
				}
			}
		}
	}
	return nil
}

// read gets records that are not held yet.
func (f *folder) read(ids []memory.ID) error {
	var todo []memory.ID
	for _, id := range ids {
		if _, known := f.held[id]; !known {
			f.held[id] = nil
			todo = append(todo, id)
		}
	}
	if len(todo) == 0 {
		return nil
	}
	items, err := f.d.Store.Get(f.ctx, todo...)
	if err != nil {
		return err
	}
	for _, r := range f.d.soundOf(items) {
		f.held[r.ID] = r
	}
	return nil
}

// purged reports whether a record is gone because somebody who may said so.
func (f *folder) purged(id memory.ID) (bool, error) {
	items, err := f.d.Store.Get(f.ctx, id)
	if err != nil || items[0] == nil || items[0].Record != nil {
		return false, err
	}
	edges, err := f.d.Store.Edges(f.ctx, graph.Forward, id)
	if err != nil {
		return false, err
	}
	var marks []memory.ID
	for _, e := range edges {
		if e.Rel == graph.Speaks {
			marks = append(marks, e.From)
		}
	}
	if err := f.read(marks); err != nil {
		return false, err
	}
	for _, m := range marks {
		r := f.held[m]
		if r == nil {
			continue
		}
		b, ok := r.Body.(*memory.Mark)
		if !ok || b.Verb != memory.Purge || !f.v.ring.Voice(r).Owner {
			continue
		}
		for _, ref := range memory.Subjects(b) {
			if ref.ID == id && ref.Kind != memory.KindMark && ref.Kind != memory.KindKey {
				return true, nil
			}
		}
	}
	return false, nil
}
