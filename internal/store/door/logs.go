package door

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/internal/proof"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// logPage is how much of a log is read at a time.
const logPage = 4096

// current returns what follows from the logs as they are now. While nothing came into
// them that is what followed before.
func (d *Store) current(ctx context.Context) (*view, error) {
	spaces, err := d.Store.Spaces(ctx)
	if err != nil {
		return nil, err
	}
	if v := d.seen(spaces); v != nil {
		return v, nil
	}
	d.following.Lock()
	defer d.following.Unlock()
	if v := d.seen(spaces); v != nil {
		return v, nil
	}
	v := &view{
		spaces: spaces, untrusted: d.untrusted, states: make(map[memory.ID]state.State),
		doubts: make(map[memory.ID]store.Doubt), kinds: make(map[memory.ID]memory.Kind),
	}
	if d.book != nil && d.untrusted == "" {
		if err := d.follow(ctx, v); err != nil {
			return nil, err
		}
	}
	if err := d.keys(ctx, v); err != nil {
		return nil, err
	}
	d.mu.Lock()
	d.view = v
	d.mu.Unlock()
	return v, nil
}

// seen returns the view of logs that are as they were, nil if they are not.
func (d *Store) seen(spaces []store.Space) *view {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.view != nil && slices.Equal(spaces, d.view.spaces) {
		return d.view
	}
	return nil
}

// follow looks at what came into the logs since they were last looked at.
func (d *Store) follow(ctx context.Context, v *view) error {
	name, err := d.Store.StoreName(ctx)
	if err != nil {
		return err
	}
	heads, grown, err := d.extendAll(ctx, name, v.spaces)
	if errors.Is(err, proof.ErrEdited) || errors.Is(err, errRewritten) || errors.Is(err, store.ErrDamaged) {
		v.untrusted = err.Error()
		return nil
	}
	if err == nil && (grown > 0 || !d.book.Exists()) {
		_ = d.book.SetHeads(name, heads) // or it is looked at again
		_ = d.book.Settle()
	}
	return err
}

var errRewritten = errors.New(
	"its log is not the one that was read here before: parts of it are missing or were replaced",
)

// extendAll reads the logs on from where they were verified, and reports whether they
// are still the ones that were.
func (d *Store) extendAll(
	ctx context.Context, name string, spaces []store.Space,
) (heads map[string]proof.Head, grown int64, err error) {
	was, heads, err := d.book.Heads()
	cut := errors.Is(err, proof.ErrCut)
	if err != nil && !cut {
		return nil, 0, err
	}
	if cut || was != "" && was != name { // or another store lies where that one was
		if err := d.book.Remove(); err != nil {
			return nil, 0, err
		}
		heads = make(map[string]proof.Head)
	}
	if err := d.counted(ctx); err != nil {
		return nil, 0, err
	}
	byName := make(map[string]store.Space, len(spaces))
	for _, s := range spaces {
		byName[s.Name] = s
	}
	for name, h := range heads {
		if int64(byName[name].Last) < h.Tree.Size() {
			return heads, 0, fmt.Errorf("%w: %s had %d records and has %d", errRewritten, name, h.Tree.Size(), byName[name].Last)
		}
	}
	for _, s := range spaces {
		h := heads[s.Name]
		n := int64(s.Last) - h.Tree.Size()
		if err := d.extend(ctx, s, &h); err != nil {
			return heads, 0, err
		}
		heads[s.Name] = h
		grown += n
		kept, err := d.Store.Tree(ctx, s.Name)
		if err != nil {
			return heads, 0, err
		}
		if kept.Size() == h.Tree.Size() && kept != h.Tree {
			return heads, 0, fmt.Errorf("%w: %s", errRewritten, s.Name)
		}
	}
	return heads, grown, nil
}

// counted reports whether the logs hold as many records as were verified: one that was
// put back to what it was holds fewer. What others add meanwhile is in a log before it
// is in the book.
func (d *Store) counted(ctx context.Context) error {
	n, err := d.book.Count()
	if err != nil {
		return err
	}
	spaces, err := d.Store.Spaces(ctx)
	if err != nil {
		return err
	}
	for _, s := range spaces {
		n -= int64(s.Last)
	}
	if n > 0 {
		return fmt.Errorf("%w: %d records fewer", errRewritten, n)
	}
	return nil
}

// extend verifies the part of a log after a head, and moves the head.
func (d *Store) extend(ctx context.Context, s store.Space, h *proof.Head) error {
	for h.Tree.Size() < int64(s.Last) {
		page, err := d.Store.Since(ctx, s.Name, store.Seq(h.Tree.Size()), logPage)
		if err != nil {
			return err
		}
		if len(page) == 0 {
			return fmt.Errorf("%w: %s ends at %d of %d", errRewritten, s.Name, h.Tree.Size(), s.Last)
		}
		if err := d.admit(ctx, page); err != nil {
			return err
		}
		for _, c := range page {
			if int64(c.Seq) != h.Tree.Size()+1 {
				return fmt.Errorf("%w: place %d of %s is followed by place %d", errRewritten, h.Tree.Size(), s.Name, c.Seq)
			}
			h.Tree.Append(ledger.Hash(c.ID))
		}
	}
	return nil
}

// admit verifies records of a log that were not verified before.
func (d *Store) admit(ctx context.Context, page []store.Change) error {
	var unknown []memory.ID
	for _, c := range page {
		ok, err := d.book.Sound(c.ID)
		if err != nil {
			return err
		}
		holds, known := d.learned(c.ID)
		if !ok && (holds || !known) {
			unknown = append(unknown, c.ID)
		}
	}
	type part struct {
		items []*store.Item
		err   error
	}
	read := make(chan part, 1) // the next is read while one is verified
	go func() {
		defer close(read)
		for ids := range slices.Chunk(unknown, listPage) {
			items, err := d.Store.Get(ctx, ids...)
			read <- part{items, err}
		}
	}()
	var failed error
	for p := range read {
		if failed = errors.Join(failed, p.err); failed != nil {
			continue
		}
		var fresh []proof.Entry
		for _, r := range d.soundOf(p.items) { // those that this process verified, and the book forgot
			fresh = append(fresh, entry(r))
		}
		_ = d.book.Add(fresh) // or it is done again by the next
	}
	return failed
}

// keys returns the keyring that follows from the verified key records.
func (d *Store) keys(ctx context.Context, v *view) error {
	inside, err := d.Store.Keyring(ctx)
	if err != nil {
		return err
	}
	var items []*store.Item
	for it, err := range d.Store.List(ctx, store.Query{Kinds: []memory.Kind{memory.KindKey}, Hidden: true, Oldest: true}) {
		if err != nil {
			return err
		}
		items = append(items, it)
	}
	all := slices.DeleteFunc(d.soundOf(items), func(r *memory.Record) bool { return r.Header.Kind != memory.KindKey })
	if d.book != nil && v.untrusted == "" {
		var sum proof.Sum
		for _, r := range all {
			sum = sum.Plus(d.book.Hash(r.ID))
		}
		want, err := d.book.Said(proof.AllKeys)
		switch {
		case errors.Is(err, proof.ErrEdited):
			v.untrusted = err.Error()
		case err != nil:
			return err
		case sum != want:
			v.untrusted = "a record about keys is missing from it, or was put in behind its log"
		}
	}
	v.ring = state.NewKeyring(all...)
	v.ring.KeptBy, v.ring.Arrived, v.ring.Agrees = inside.KeptBy, inside.Arrived, inside.Agrees
	return nil
}
