package peer

import (
	"context"
	"slices"

	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// mostGone is how many records are remembered of a space that a peer called purged and
// of which nothing else is known here. Where there are more, the log is gone through again
// once the marks came.
const mostGone = 1000

// Missing asks which of some records are neither held here nor purged by a mark that is.
type Missing struct{ Refs []memory.Ref }

// CallMissing asks the own store.
type CallMissing = Call[Missing, []memory.Ref]

// Unmarked returns those of some records that are neither held nor purged by a held mark that
// an owner's key signed. For a record that nobody here has it is unknown whether that owner
// could purge it; but the mark is visible to everybody.
func Unmarked(ctx context.Context, s store.Store, refs []memory.Ref) ([]memory.Ref, error) {
	ids := make([]memory.ID, len(refs))
	for i, r := range refs {
		ids[i] = r.ID
	}
	lacks, err := unheld(ctx, s, ids)
	if err != nil || len(lacks) == 0 {
		return nil, err
	}
	open := setOf(lacks)
	edges, err := s.Edges(ctx, graph.Forward, lacks...)
	if err != nil {
		return nil, err
	}
	var from []memory.ID
	for _, e := range edges {
		if e.Rel == graph.Speaks {
			from = append(from, e.From)
		}
	}
	if len(from) > 0 {
		marks, err := s.Get(ctx, from...)
		if err != nil {
			return nil, err
		}
		ring, err := s.Keyring(ctx)
		if err != nil {
			return nil, err
		}
		for _, it := range marks {
			if it == nil || it.Record == nil {
				continue
			}
			if m, ok := it.Record.Body.(*memory.Mark); ok && m.Verb == memory.Purge && ring.Voice(it.Record).Owner {
				for _, of := range memory.Subjects(m) {
					delete(open, of.ID)
				}
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(refs), func(r memory.Ref) bool { return !open[r.ID] }), nil
}

// missed remembers those records of a page that the peer calls purged and of which
// nothing else is known here yet. What the own filter leaves out is missed by no one.
func (l *pulling) missed(gone []memory.Ref) error {
	gone = slices.DeleteFunc(gone, func(r memory.Ref) bool { return !l.o.Filter.kind(r.Kind) })
	if len(gone) == 0 {
		return nil
	}
	left, err := ask[Missing, []memory.Ref](&l.asker, Missing{gone})
	for _, r := range left {
		switch {
		case slices.Contains(l.p.Gone, r):
		case len(l.p.Gone) < mostGone:
			l.p.Gone = append(l.p.Gone, r)
		default:
			l.p.MoreGone = true
		}
	}
	return err
}

// settle forgets what was called purged and whose mark came since, or which came itself.
// Where not all of it could be remembered and most is settled, the log is gone through
// again the next time: that costs ids.
func (x *Exchange) settle(p *Place) error {
	if err := x.settleRefused(p); err != nil || len(p.Gone) == 0 {
		return err
	}
	left, err := ask[Missing, []memory.Ref](&x.asker, Missing{p.Gone})
	if err != nil {
		return err
	}
	if p.Gone = left; p.MoreGone && len(left) < mostGone/2 {
		p.Pull, p.Tree, p.MoreGone = 0, nil, false
	}
	return nil
}

// settleRefused forgets refusals of records whose purge arrived since: they were purged there
// between the page that named them and the request for them.
func (x *Exchange) settleRefused(p *Place) error {
	if len(p.Refused) == 0 {
		return nil
	}
	var refs []memory.Ref
	for _, r := range p.Refused {
		refs = append(refs, memory.Ref{ID: r.ID})
	}
	left, err := ask[Missing, []memory.Ref](&x.asker, Missing{refs})
	if err != nil {
		return err
	}
	open := make(map[memory.ID]bool)
	for _, r := range left {
		open[r.ID] = true
	}
	p.Refused = taken(p.Refused, func(id memory.ID) bool { return !open[id] })
	return nil
}
