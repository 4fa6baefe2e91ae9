package store

import (
	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/memory"
)

// tellReplaced queues what a memory replaces where that may follow otherwise now: it was decided
// against, or no more, something took its place, or a link ties it.
func (f *refold) tellReplaced(r *memory.Record, about []*memory.Record, old, now *state.State) {
	if !r.Header.Kind.IsMemory() {
		return
	}
	if holds(old) != holds(now) || old.Due != now.Due {
		f.forked = append(f.forked, r.ID)
		f.decided[r.ID] = true
	}
	var before []memory.ID
	linked := false
	for _, c := range about {
		l, ok := c.Body.(*memory.Link)
		if !ok || l.Relation != memory.Update {
			continue
		}
		linked = true
		if l.Target.ID == r.ID {
			before = append(before, l.Source.ID)
		}
	}
	for _, ref := range r.Header.Provenance.Supersedes {
		before = append(before, ref.ID)
	}
	if len(before) == 0 || f.replaced[r.ID] ||
		!linked && holds(old) && holds(now) && old.SupersededBy == now.SupersededBy && old.Due == now.Due {
		return
	}
	f.replaced[r.ID] = true
	f.want(before...)
}

// tellLinked queues what links put a record in the place of that is not held.
func (f *refold) tellLinked(id memory.ID) error {
	if f.replaced[id] {
		return nil
	}
	f.replaced[id] = true
	links, err := f.rows.Pointing(id, graph.LinkTarget)
	if err != nil {
		return err
	}
	for _, one := range links {
		c, err := f.rows.Record(one)
		if err != nil {
			return err
		}
		if c == nil {
			continue
		}
		if l, ok := c.Body.(*memory.Link); ok && l.Relation == memory.Update {
			f.want(l.Source.ID)
		}
	}
	return nil
}

// tellLinks queues the links that tie a memory: who may settle them follows from whose it is.
func (f *refold) tellLinks(r *memory.Record) error {
	if !r.Header.Kind.IsMemory() {
		return nil
	}
	links, err := f.rows.Pointing(r.ID, graph.LinkSource, graph.LinkTarget)
	f.want(links...)
	return err
}

// claimRels are the relations by which a claim or a revision refers to its record.
var claimRels = []graph.Relation{graph.Speaks, graph.LinkSource, graph.LinkTarget, graph.Supersedes}
