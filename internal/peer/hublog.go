package peer

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/envelope"
	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// cutOrigin returns the name of the store whose log of a space an origin names.
func cutOrigin(origin, space string) (string, bool) {
	rest, ok := strings.CutPrefix(origin, "stemma/")
	if !ok {
		return "", false
	}
	name, ok := strings.CutSuffix(rest, "/"+space)
	return name, ok && name != "" && !strings.Contains(name, "/")
}

// mostWords bounds the kinds and tags of a filter.
const mostWords = 256

// Log returns a page of a log.
func (s *session) Log(ctx context.Context, in LogRequest) (LogPage, error) {
	var page LogPage
	if err := s.allowed(in.Space, Reader); err != nil {
		return page, err
	}
	head, err := s.head(ctx, in.Space)
	if err != nil {
		return page, err
	}
	if in.After < 0 || in.Held < 0 || in.Limit < 1 || in.Limit > MostIDs {
		return page, fmt.Errorf("%w: a page of %d after %d", ErrRequest, in.Limit, in.After)
	}
	if len(in.Filter.Kinds)+len(in.Filter.Tags) > mostWords { // each is looked for in each record
		return page, fmt.Errorf(
			"%w: a filter of %d kinds and tags, the most is %d", ErrRequest,
			len(in.Filter.Kinds)+len(in.Filter.Tags), mostWords,
		)
	}
	if in.After > head.Size || in.Held > head.Size {
		return LogPage{Head: head}, nil // the caller sees for himself that the log is shorter than it was
	}
	page.Head = head
	if in.Lines || !in.Filter.byKind() {
		err = s.records(ctx, in, &page)
	} else { // whoever wants ids alone needs nothing read
		err = s.listed(ctx, in, &page)
	}
	if err != nil {
		return page, err
	}
	to := in.After + int64(len(page.Entries))
	if page.Page, err = s.consistency(ctx, in.Space, to, head.Size); err != nil {
		return page, err
	}
	page.Held, err = s.consistency(ctx, in.Space, in.Held, head.Size)
	return page, err
}

// listed returns the entries of a page, which are all that is asked for.
func (s *session) listed(ctx context.Context, in LogRequest, page *LogPage) error {
	all, err := s.store.Listed(ctx, in.Space, store.Seq(in.After), int(min(int64(in.Limit), page.Head.Size-in.After)))
	if err != nil {
		return err
	}
	for i, l := range all {
		if err := inOrder(in, i, l.Seq); err != nil {
			return err
		}
		e := Entry{Ref: l.Ref}
		switch {
		case l.Gone:
			e.Skip = Gone
		case !in.Filter.kind(l.Ref.Kind):
			e.Skip = Filtered
		}
		page.Entries = append(page.Entries, e)
	}
	return nil
}

// inOrder returns an error unless a record stands where it must in the log.
func inOrder(in LogRequest, i int, at store.Seq) error {
	if want := in.After + int64(i) + 1; int64(at) != want {
		return fmt.Errorf("%w: the log of %s has no place %d", store.ErrDamaged, in.Space, want)
	}
	return nil
}

// records returns the entries of a page, and the records that are asked for.
func (s *session) records(ctx context.Context, in LogRequest, page *LogPage) error {
	kept, err := s.store.Kept(ctx, in.Space, store.Seq(in.After), int(min(int64(in.Limit), page.Head.Size-in.After)))
	if err != nil {
		return err
	}
	size := 0
	for i, k := range kept {
		if err := inOrder(in, i, k.Seq); err != nil {
			return err
		}
		e := Entry{Ref: k.Ref}
		room := in.Lines && size < MostBytes && len(page.Lines) < MostLines
		if k.Bytes == nil {
			e.Skip = Gone
		} else if room || !in.Filter.all() {
			r, err := loaded(k)
			if err != nil {
				return err
			}
			if !in.Filter.Chooses(r) {
				e.Skip = Filtered
			} else if room {
				l, err := envelope.Write(r)
				if err != nil {
					return err
				}
				size += len(l)
				page.Lines = append(page.Lines, l)
			}
		}
		page.Entries = append(page.Entries, e)
	}
	return nil
}

// loaded reads a record of the own log.
func loaded(k store.Kept) (*memory.Record, error) {
	r, err := memory.Load(k.Bytes)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", k.Ref.Short(), store.ErrDamaged, err)
	}
	if r.Ref() != k.Ref {
		return nil, fmt.Errorf("%s: %w: its bytes have another id", k.Ref.Short(), store.ErrDamaged)
	}
	r.Sigs = k.Sigs
	return r, nil
}

// Fetch returns records.
func (s *session) Fetch(ctx context.Context, in Fetch) (Lines, error) {
	var out Lines
	if err := s.allowed(in.Space, Reader); err != nil {
		return out, err
	}
	if len(in.IDs) > MostLines {
		return out, fmt.Errorf("%w: %d records at once, the most is %d", ErrRequest, len(in.IDs), MostLines)
	}
	items, err := s.store.Get(ctx, in.IDs...)
	if err != nil {
		return out, err
	}
	var about map[memory.ID]bool
	size := 0
	for _, it := range items {
		if it == nil || it.Record == nil {
			continue
		}
		if it.Record.Header.Space != in.Space {
			if about == nil {
				rs, err := s.concern(ctx, in.Space)
				if err != nil {
					return out, err
				}
				about = setOf(IDs(rs))
			}
			if !about[it.Ref.ID] {
				continue
			}
		}
		if out.More = size >= MostBytes; out.More {
			break
		}
		l, err := envelope.Write(it.Record)
		if err != nil {
			return out, err
		}
		size += len(l)
		out.Lines = append(out.Lines, l)
	}
	return out, nil
}

// Keys names the key records of a space.
func (s *session) Keys(ctx context.Context, in KeysRequest) (KeyList, error) {
	if err := s.allowed(in.Space, Reader); err != nil {
		return KeyList{}, err
	}
	about, err := s.concern(ctx, in.Space)
	return KeyList{IDs(about)}, err
}

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

// census is what is kept of who wrote in a space, so that a hub that was started again
// need not read it all.
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
		return // whoever needs to know who wrote reads it, and is told what is wrong
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
