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

// looks is how often it is looked whether the store and the book agree, before it is said that they do not. While one
// looks, others write.
const looks = 3

// A given is the view that one request goes by, until its own process writes.
type given struct {
	v      *view
	writes int64
}

// current returns what follows from the logs as they are now. While nothing came into
// them that is what followed before. One request goes by one view.
func (d *Store) current(ctx context.Context) (*view, error) {
	writes := d.writes.Load()
	if g, ok := store.GlanceOf(ctx).Kept(d).(given); ok && g.writes == writes {
		return g.v, nil
	}
	v, err := d.latest(ctx)
	if err == nil {
		store.GlanceOf(ctx).Keep(d, given{v, writes})
	}
	return v, err
}

// latest returns the view of the logs as they are now, or as the request sees them.
func (d *Store) latest(ctx context.Context) (*view, error) {
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
	var v *view
	for range looks {
		if v, err = d.look(ctx); err != nil || !v.rewritten {
			break
		}
	}
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	d.view = v
	d.mu.Unlock()
	return v, nil
}

// look follows the logs. What the book knows is read before they are: what comes into a log while one looks is in the
// log before it is in the book, so a log that was not rewritten has all that the book had.
func (d *Store) look(ctx context.Context) (*view, error) {
	v := &view{
		untrusted: d.untrusted, states: make(map[memory.ID]state.State),
		doubts: make(map[memory.ID]store.Doubt), kinds: make(map[memory.ID]memory.Kind),
	}
	ctx = store.Fresh(ctx)
	var err error
	if d.book != nil && d.untrusted == "" {
		err = d.follow(ctx, v)
	} else {
		v.spaces, err = d.Store.Spaces(ctx)
	}
	if err != nil {
		return nil, err
	}
	return v, d.keys(ctx, v)
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
	heads, grown, err := d.extendAll(ctx, name, v)
	v.rewritten = errors.Is(err, errRewritten)
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
	ctx context.Context, name string, v *view,
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
	known, err := d.book.Count()
	if err != nil {
		return nil, 0, err
	}
	spaces, err := d.Store.Spaces(ctx)
	if err != nil {
		return nil, 0, err
	}
	v.spaces = spaces
	if err := counted(known, spaces); err != nil {
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

// counted reports whether the logs hold as many records as were verified before: one that was put back to what it was
// holds fewer.
func counted(known int64, spaces []store.Space) error {
	for _, s := range spaces {
		known -= int64(s.Last)
	}
	if known > 0 {
		return fmt.Errorf("%w: %d records fewer", errRewritten, known)
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

// keys makes the keyring of the view, which follows from the verified key records.
func (d *Store) keys(ctx context.Context, v *view) error {
	for range looks {
		before, err := d.saidOfKeys(v)
		if err != nil {
			return err
		}
		all, err := d.keyRecords(ctx, v)
		if err != nil {
			return err
		}
		if d.book == nil || v.untrusted != "" {
			return nil
		}
		var sum proof.Sum
		for _, r := range all {
			sum = sum.Plus(d.book.Hash(r.ID))
		}
		if sum == before {
			return nil
		}
		after, err := d.saidOfKeys(v) // what came meanwhile
		if err != nil || sum == after {
			return err
		}
		d.remembered(all)
		ctx = store.Fresh(ctx)
	}
	v.untrusted = "a record about keys is missing from it, or was put in behind its log"
	return nil
}

// saidOfKeys returns what the book has of the key records.
func (d *Store) saidOfKeys(v *view) (proof.Sum, error) {
	if d.book == nil || v.untrusted != "" {
		return proof.Sum{}, nil
	}
	sum, err := d.book.Said(proof.AllKeys)
	if errors.Is(err, proof.ErrEdited) {
		v.untrusted, err = err.Error(), nil
	}
	return sum, err
}

// remembered puts those records into the book that this process has verified, and its writer not noted yet.
func (d *Store) remembered(rs []*memory.Record) {
	var fresh []proof.Entry
	for _, r := range rs {
		if known, err := d.book.Sound(r.ID); err == nil && !known { // a book that cannot be read says so itself
			fresh = append(fresh, entry(r))
		}
	}
	_ = d.book.Add(fresh) // or its writer does
}

// keyRecords reads the key records, and makes the keyring of those that are sound.
func (d *Store) keyRecords(ctx context.Context, v *view) ([]*memory.Record, error) {
	inside, err := d.Store.Keyring(ctx)
	if err != nil {
		return nil, err
	}
	var items []*store.Item
	for it, err := range d.Store.List(ctx, store.Query{Kinds: []memory.Kind{memory.KindKey}, Hidden: true, Oldest: true}) {
		if err != nil {
			return nil, err
		}
		items = append(items, it)
	}
	all := slices.DeleteFunc(d.soundOf(items), func(r *memory.Record) bool { return r.Header.Kind != memory.KindKey })
	v.ring = state.NewKeyring(all...)
	v.ring.KeptBy, v.ring.Arrived, v.ring.Agrees = inside.KeptBy, inside.Arrived, inside.Agrees
	return all, nil
}
