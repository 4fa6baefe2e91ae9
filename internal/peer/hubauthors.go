package peer

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// keyBook reads the key records again where any log has grown.
func (h *Hub) keyBook(ctx context.Context) (*KeyBook, error) {
	logs, err := h.store.Spaces(ctx)
	if err != nil {
		return nil, err
	}
	last := make(map[string]store.Seq, len(logs))
	for _, l := range logs {
		last[l.Name] = l.Last
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.book != nil && maps.Equal(last, h.last) {
		return h.book, nil
	}
	rs, err := keyRecords(ctx, h.store)
	if err != nil {
		return nil, err
	}
	ring, err := h.store.Keyring(ctx)
	if err != nil {
		return nil, err
	}
	h.book, h.ring, h.last = NewKeyBook(rs), ring, last
	return h.book, nil
}

// concern returns the key records about those who wrote in a space.
func (h *Hub) concern(ctx context.Context, space string) ([]*memory.Record, error) {
	book, err := h.keyBook(ctx)
	if err != nil {
		return nil, err
	}
	f, err := h.store.Tree(ctx, space)
	if err != nil {
		return nil, err
	}
	dids, err := h.authors(ctx, space, f)
	if err != nil {
		return nil, err
	}
	return book.Concern(dids), nil
}

// authors returns the keys that wrote in a space. What was read once is not read again.
func (h *Hub) authors(ctx context.Context, space string, f ledger.Frontier) ([]string, error) {
	one := h.space(space)
	one.mu.Lock()
	defer one.mu.Unlock()
	if one.read < f.Size() {
		if err := h.recallAuthors(ctx, space, one); err != nil {
			return nil, err
		}
	}
	for one.read < f.Size() {
		page, err := h.store.Kept(ctx, space, store.Seq(one.read), MostLines)
		if err != nil {
			return nil, err
		}
		if len(page) == 0 {
			break
		}
		for _, k := range page {
			if k.Bytes == nil {
				continue
			}
			r, err := loaded(k)
			if err != nil {
				return nil, err
			}
			one.authors[r.Header.Author] = true
		}
		one.read = int64(page[len(page)-1].Seq)
	}
	return slices.Sorted(maps.Keys(one.authors)), h.keepAuthors(ctx, space, one)
}

// census is the saved list of a space's authors, so that a restarted hub need not read the
// whole space.
type census struct {
	Read    int64    `json:"read"`
	Authors []string `json:"authors"`
}

func censusName(space string) string { return "authors/" + space }

// recallAuthors reads who wrote in a space as it was kept: by this hub before it was
// started again, or by another that serves the space meanwhile.
func (h *Hub) recallAuthors(ctx context.Context, space string, one *shared) error {
	raw, err := h.store.Note(ctx, censusName(space))
	if err != nil || len(raw) == 0 || bytes.Equal(raw, one.kept) {
		return err
	}
	var c census
	if err := json.Unmarshal(raw, &c); err != nil {
		return fmt.Errorf("%w: who wrote in %s: %w", store.ErrDamaged, space, err)
	}
	for _, a := range c.Authors {
		one.authors[a] = true
	}
	one.read, one.kept, one.keptTo = max(one.read, c.Read), raw, c.Read
	return nil
}

// keepAuthors keeps who wrote in a space. Another hub of the store may have been
// faster: then it stays as that one has it.
func (h *Hub) keepAuthors(ctx context.Context, space string, one *shared) error {
	if one.read == one.keptTo {
		return nil
	}
	raw, err := json.Marshal(census{one.read, slices.Sorted(maps.Keys(one.authors))})
	if err != nil {
		return err
	}
	err = h.store.SwapNote(ctx, censusName(space), one.kept, raw)
	if errors.Is(err, store.ErrConflict) {
		one.kept, err = h.store.Note(ctx, censusName(space))
		return err
	}
	if err == nil {
		one.kept, one.keptTo = raw, one.read
	}
	return err
}

// wrote notes who wrote what was just appended, so that it need not be read again.
func (h *Hub) wrote(ctx context.Context, space string, got Appended, rs []*memory.Record) {
	one := h.space(space)
	one.mu.Lock()
	defer one.mu.Unlock()
	if one.read == 0 && one.kept == nil && got.Before > 0 && h.recallAuthors(ctx, space, one) != nil {
		return // readers of the census read the space instead, and get the error
	}
	here := 0
	for _, r := range rs {
		if r.Header.Space == space {
			here++
		}
	}
	if got.Added != len(rs) || int64(got.Before) != one.read || int(got.After-got.Before) != here {
		return
	}
	for _, r := range rs {
		if r.Header.Space == space {
			one.authors[r.Header.Author] = true
		}
	}
	one.read = int64(got.After)
	const worth = 10 * MostLines // for those who serve the space to readers
	if one.read >= one.keptTo+worth {
		_ = h.keepAuthors(ctx, space, one) // it can be read again
	}
}
