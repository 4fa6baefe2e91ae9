package peer

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/stemma-memory/stemma/internal/envelope"
	"github.com/stemma-memory/stemma/internal/sorting"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

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
		return LogPage{Head: head}, nil // the caller notices that the log is shorter than before
	}
	page.Head = head
	if in.Lines || !in.Filter.byKind() {
		err = s.records(ctx, in, &page)
	} else { // a request for ids alone reads no records
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

// inOrder returns an error unless a record is at its required place in the log.
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

// Hello says what the caller may see.
func (s *session) Hello(ctx context.Context, in Hello) (Welcome, error) {
	w := Welcome{Version: Version, Key: s.key.DID(), Any: s.who.Any, Lines: MostLines}
	if in.Version != Version {
		return w, fmt.Errorf("%w: this peer speaks %d, not %d", ErrVersion, Version, in.Version)
	}
	var err error
	if w.Name, err = s.store.StoreName(ctx); err != nil {
		return w, err
	}
	logs, err := s.store.Spaces(ctx)
	if err != nil {
		return w, err
	}
	var names []string
	for _, l := range logs {
		names = append(names, l.Name)
	}
	for name := range s.who.Roles {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	names = slices.DeleteFunc(names, func(name string) bool { return !s.who.role(name).May(Reader) })
	sorting.By(names, func(a, b string) int { return cmp.Or(home(b)-home(a), cmp.Compare(a, b)) })
	keysOf := make(map[string]string)
	// others write meanwhile: the keys are read first, and their ends before the end of the
	// logs, so that nobody learns of the end of a key without what came before it
	for _, name := range names {
		about, err := s.concern(ctx, name)
		if err != nil {
			return w, err
		}
		if len(about) > 0 {
			keysOf[name] = DigestIDs(IDs(about))
		}
	}
	for _, name := range names {
		one := Shared{Space: name, Role: s.who.role(name), Keys: keysOf[name]}
		if one.Head, err = s.head(ctx, name); err != nil {
			return w, err
		}
		seen, _, err := s.seen(ctx, in.Store, name)
		if err != nil {
			return w, err
		}
		one.Cosigned, one.CosignedRoot = seen.Size, seen.Root
		w.Spaces = append(w.Spaces, one)
	}
	return w, nil
}
