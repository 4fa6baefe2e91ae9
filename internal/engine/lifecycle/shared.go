package lifecycle

import (
	"context"
	"errors"
	"io/fs"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/evolve"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// mostDiffering bounds how many memories one exchange compares: what is left is compared by the
// next.
const mostDiffering = 300

// differCursor begins the name of the cursor up to which a shared space was compared.
const differCursor = "differ/"

// Differ compares what came to the shared spaces since the last time: each memory of one's own
// with the current ones of others, and each of others with one's own. What does not go together
// becomes a link in the space, which all who read it see. Rules compare, and propose nothing: of
// two people neither brings the other up to date.
func (e *Lifecycle) Differ(ctx context.Context) error {
	me, err := e.KnownKeys()
	if errors.Is(err, fs.ErrNotExist) || err == nil && me == nil {
		return nil
	}
	if err != nil {
		return err
	}
	shared, err := e.Shared(ctx)
	if err != nil || len(shared) == 0 {
		return err
	}
	spaces, err := e.First().Spaces(ctx)
	if err != nil {
		return core.Classify(err)
	}
	left := mostDiffering
	for _, s := range spaces {
		if !shared[s.Name] || left <= 0 {
			continue
		}
		if writes, err := e.SharedWrites(ctx, s.Name); err != nil || !writes {
			if err != nil {
				return err
			}
			continue
		}
		if err := e.differIn(ctx, s, me.Principal, &left); err != nil {
			return err
		}
	}
	return nil
}

// differIn compares what is new in one space.
func (e *Lifecycle) differIn(ctx context.Context, space store.Space, me string, left *int) error {
	name := differCursor + space.Name
	after, err := e.First().Cursor(ctx, name)
	if err != nil || after >= space.Last {
		return core.Classify(err)
	}
	at := after
	for at < space.Last && *left > 0 {
		page, err := e.First().Listed(ctx, space.Name, at, mostDiffering)
		if err != nil {
			return core.Classify(err)
		}
		if len(page) == 0 {
			at = space.Last
			break
		}
		for _, c := range page {
			if *left <= 0 {
				break
			}
			at = c.Seq
			if !c.Ref.Kind.IsMemory() || c.Ref.Kind == memory.KindRaw {
				continue
			}
			*left--
			if err := e.differOf(ctx, c.Ref.ID, me); err != nil {
				return err
			}
		}
	}
	return core.Classify(e.First().SetCursor(ctx, name, at))
}

// differOf compares one memory with those that another person wrote in the same space, and links
// it with the one that it contradicts most.
func (e *Lifecycle) differOf(ctx context.Context, id memory.ID, me string) error {
	it, err := e.One(ctx, id)
	if err != nil || it == nil || !it.State.Live() || !IsCompared(it.Record) {
		return err
	}
	who, err := e.Keyring(ctx)
	if err != nil {
		return err
	}
	mine := who.Voice(it.Record).Principal == me
	found, err := e.candidatesBut(ctx, nil, it.Record, func(o *store.Item) bool {
		by := who.Voice(o.Record).Principal
		return mine == (by == me) // of two others neither is compared here
	})
	if err != nil || len(found) == 0 {
		return err
	}
	seen := func(it *store.Item) evolve.Memory {
		h := &it.Record.Header
		m := evolve.Memory{Text: core.Compared(it.Record), Kind: it.Ref.Kind, About: h.About, At: h.At.Time()}
		if !h.ValidFrom.IsZero() {
			m.At = h.ValidFrom.Time()
		}
		if n, ok := it.Record.Body.(*memory.Note); ok {
			m.Type = n.Type
		}
		return m
	}
	var out Outcome
	for _, o := range found { // each by itself: of three who differ all three pairs are told
		new, old := it, o
		if new.Record.Header.At.Time().Before(old.Record.Header.At.Time()) {
			new, old = old, new
		}
		r := evolve.Rules(seen(new), []evolve.Memory{seen(old)})
		if r == nil || r.Type != memory.Update && r.Type != memory.Contradict {
			continue
		}
		r.Type = memory.Contradict
		if err := e.Relate(ctx, &out, new, old, r, memory.OriginAgent); err != nil {
			return err
		}
	}
	if len(out.Records) == 0 {
		return nil
	}
	return e.Append(ctx, store.Batch{Records: out.Records})
}
