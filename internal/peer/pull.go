package peer

import (
	"fmt"
	"slices"

	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/memory"
)

// pull takes what came into the peer's log since the last time. What verifies is
// stored before the place moves; what does not is named, and asked for again.
func (x *Exchange) pull(s Shared, p *Place, r *SpaceReport) error {
	tree, err := p.frontier()
	if err != nil {
		return err
	}
	done := s.Size <= tree.Size() && len(x.acked) == 0
	if done && s.Keys == p.KeysIn && len(p.Refused) == 0 {
		if err := x.settle(p); err != nil {
			return err
		}
		return x.save(s.Space, p)
	}
	if err := x.readBook(); err != nil {
		return err
	}
	l := &pulling{
		Exchange: x, s: s, p: p, r: r, tree: tree, theirs: make(map[memory.ID]*memory.Record),
		fresh: make(map[memory.ID]bool), lines: p.Push == 0,
	}
	if err := l.readKeys(); err != nil {
		return err
	}
	if err := l.retry(); err != nil {
		return err
	}
	for !done {
		if done, err = l.page(); err != nil {
			return err
		}
	}
	for id := range x.acked {
		return rewritten("it acknowledged %d records, one of them %s, that are not in its log", len(x.acked), id.Short())
	}
	if err := l.settle(p); err != nil {
		return err
	}
	return l.closeKeys()
}

// page takes one page of the log, and reports whether it was the last.
func (l *pulling) page() (last bool, err error) {
	if l.next == nil {
		l.next = &CallLog{In: l.after(l.tree.Size(), l.p.Held.Size)}
	}
	asked := l.next.In.Limit
	page, err := finish(&l.asker, l.next)
	l.next = nil
	if err != nil {
		return false, err
	}
	tree, err := l.follows(page, asked)
	if err != nil {
		return false, err
	}
	if l.until == 0 {
		l.until = page.Head.Size
	}
	if tree.Size() < l.until {
		l.next = begin[LogRequest, LogPage](&l.asker, l.after(tree.Size(), page.Head.Size))
	}
	var want []memory.ID
	var gone []memory.Ref
	for i, e := range page.Entries {
		if l.tree.Size()+int64(i) >= l.s.Size {
			l.fresh[e.Ref.ID] = true
		}
		if l.acked[e.Ref.ID] { // given a moment ago, so it is here
			delete(l.acked, e.Ref.ID)
			l.p.Refused = taken(l.p.Refused, func(id memory.ID) bool { return id == e.Ref.ID })
			continue
		}
		if e.Skip == Gone {
			gone = append(gone, e.Ref)
			continue
		}
		if e.Skip == Filtered && l.maySkip(e.Ref.Kind) {
			continue
		}
		want = append(want, e.Ref.ID)
	}
	if err := l.take(want, page.readings()); err != nil {
		return false, err
	}
	if err := l.missed(gone); err != nil { // after what came with it: marks
		return false, err
	}
	if err := l.p.reached(tree, page.Head); err != nil {
		return false, err
	}
	l.tree = tree
	return tree.Size() >= l.until, l.save(l.s.Space, l.p)
}

// follows verifies that a page continues the records taken so far, and that the log which the
// peer now claims starts with all of it. It returns the tree after the page.
func (l *pulling) follows(page LogPage, asked int) (ledger.Frontier, error) {
	tree := l.tree
	root, err := l.w.root(l.s.Space, page.Head)
	if err != nil {
		return tree, err
	}
	if err := grew(l.p.Held, page.Head, page.Held); err != nil {
		return tree, err
	}
	for _, e := range page.Entries {
		tree.Append(ledger.Hash(e.Ref.ID))
	}
	switch {
	case len(page.Entries) > asked:
		return tree, fmt.Errorf("the peer gave %d positions of its log, and was asked for %d", len(page.Entries), asked)
	case tree.Size() > page.Head.Size:
		return tree, rewritten("its log has %d records and shows %d", page.Head.Size, tree.Size())
	case tree.Size() == page.Head.Size:
		if tree.Root() != root {
			return tree, rewritten("the records in its log are not those it signed for")
		}
		return tree, nil
	case len(page.Entries) == 0:
		return tree, rewritten("its log has %d records and shows none after %d", page.Head.Size, tree.Size())
	}
	return tree, grew(headOf(&tree), page.Head, page.Page)
}

// retry asks again for what was refused before: its keys may have come.
func (l *pulling) retry() error {
	if len(l.p.Refused) == 0 {
		return nil
	}
	var ids []memory.ID
	for _, r := range l.p.Refused {
		ids = append(ids, r.ID)
	}
	if err := l.take(ids, nil); err != nil {
		return err
	}
	return l.save(l.s.Space, l.p)
}

// readKeys reads what the peer holds of the keys that wrote in the space. Nothing is
// stored yet: each goes before the first record that needs it.
func (l *pulling) readKeys() error {
	if l.s.Keys == l.p.KeysIn && len(l.p.Refused) == 0 {
		return nil
	}
	return l.askKeys()
}

// askKeys asks which key records the peer has now, and fetches those that are not here.
func (l *pulling) askKeys() error {
	list, err := request[KeysRequest, KeyList](&l.asker, KeysRequest{l.s.Space})
	if err != nil {
		return err
	}
	if len(list.IDs) > mostKeys {
		return fmt.Errorf("%w: the peer names %d key records, the most is %d", ErrDenied, len(list.IDs), mostKeys)
	}
	l.news = DigestIDs(list.IDs) != l.s.Keys
	for part := range slices.Chunk(list.IDs, MostIDs) {
		lacks, err := ask[Unheld, []memory.ID](&l.asker, Unheld{part})
		if err != nil {
			return err
		}
		lacks = slices.DeleteFunc(lacks, func(id memory.ID) bool { return l.theirs[id] != nil })
		got, _, err := l.fetch(lacks, nil)
		for _, rec := range got {
			if _, ok := rec.Body.(*memory.Key); ok {
				l.theirs[rec.ID] = rec
				l.book.Add(rec)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// mostKeys is how many key records of those who write in a space are taken. A team of many
// years has thousands.
const mostKeys = 1 << 16

// closeKeys stores the rest of the peer's key records, rotations and revocations, after the
// records that those keys wrote.
func (l *pulling) closeKeys() error {
	var rest []*memory.Record
	for _, k := range l.book.Concern(l.book.DIDs()) {
		if l.theirs[k.ID] != nil && !(l.news && k.Ends()) {
			delete(l.theirs, k.ID)
			rest = append(rest, k)
			l.ring.Add(k)
		}
	}
	for part := range slices.Chunk(rest, MostLines) {
		if err := l.store(part); err != nil {
			return err
		}
	}
	if l.news { // what ended meanwhile does so the next time: what it wrote elsewhere goes first
		return l.save(l.s.Space, l.p)
	}
	l.p.KeysIn = l.s.Keys
	return l.save(l.s.Space, l.p)
}
