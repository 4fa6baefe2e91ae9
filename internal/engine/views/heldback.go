package views

import (
	"context"
	"slices"
	"strconv"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/ext"
	"github.com/stemma-memory/stemma/internal/index"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// MostHeld is how many memories that are held back are looked at.
const MostHeld = 200

// HeldBack returns the reader's memories that wait for a person because of outside words, the newest first, with their
// ratings, and whether there may be more.
func (e *Views) HeldBack(rd *trust.Reading) (held []*store.Item, trusted standing.Ratings, more bool, err error) {
	spaces, err := e.ReadSpaces(rd)
	if err != nil || len(spaces) == 0 {
		return nil, nil, false, core.Classify(err)
	}
	words, read := index.AfterMark(ext.Repeats), index.AfterMark(ext.HadRead)
	var direct []string
	for _, t := range trust.DirectTypes() {
		direct = append(direct, index.TypeMark(t))
	}
	var all []*store.Item
	for _, q := range []store.Query{
		{Kinds: memory.Memories(), Has: [][]string{{words}}},
		{Kinds: []memory.Kind{memory.KindNote}, Has: [][]string{{read}, direct}},
		{Kinds: trust.DirectKinds(), Has: [][]string{{read}}},
	} {
		q.Spaces, q.Limit = spaces, MostHeld+1
		n := 0
		for it, err := range e.Store.List(rd, q) {
			if err != nil {
				return nil, nil, false, core.Classify(err)
			}
			if n++; n > MostHeld {
				more = true
			} else if it.Record != nil && it.State.Live() && it.Ref.Kind != memory.KindRaw {
				all = append(all, it)
			}
		}
	}
	if trusted, err = e.trust.Rate(rd, all, false); err != nil {
		return nil, nil, false, err
	}
	for _, it := range all {
		if v := trusted[it.Ref.ID]; v != nil && v.Held && !v.Decided() {
			held = append(held, it)
		}
	}
	slices.SortStableFunc(held, func(a, b *store.Item) int {
		return b.Record.Header.At.Time().Compare(a.Record.Header.At.Time())
	})
	return held, trusted, more, nil
}

// CountHeld says how many memories are held back.
func (e *Views) CountHeld(ctx context.Context) (api.Counted, error) {
	rd := e.trust.Reading(ctx)
	held, _, more, err := e.HeldBack(rd)
	return api.Counted{Count: len(held), More: more}, err
}

// HeldLine says in one line how many memories are held back, "" where none is.
func HeldLine(n api.Counted) string {
	count := strconv.Itoa(n.Count) + " memories"
	switch {
	case n.Count == 0:
		return ""
	case n.More:
		count = strconv.Itoa(n.Count) + " or more memories"
	case n.Count == 1:
		count = "1 memory"
	}
	return count + " held back after outside words until a person decides: `review`"
}

// HeldGroups shows what is held back, in groups by where the outside words come from.
func (e *Views) HeldGroups(ctx context.Context) ([]api.HeldGroup, error) {
	rd := e.trust.Reading(ctx)
	held, trusted, _, err := e.HeldBack(rd)
	if err != nil {
		return nil, err
	}
	at := make(map[string]int)
	var out []api.HeldGroup
	for _, it := range held {
		source := standing.FewSources(trusted[it.Ref.ID].After)
		i, known := at[source]
		if !known {
			i, at[source] = len(out), len(out)
			out = append(out, api.HeldGroup{Source: source, Memories: []api.Memory{}})
		}
		m, err := e.View(rd, it)
		if err != nil {
			return nil, err
		}
		alone, err := e.DecidedAlone(rd, it)
		if err != nil {
			return nil, err
		}
		g := &out[i]
		g.Count++
		g.Memories = append(g.Memories, m)
		if alone {
			g.OneByOne = append(g.OneByOne, it.Ref.String())
		}
	}
	return out, nil
}

// DecidedAlone reports whether a decision about a memory covers no other one: it directs, or it would replace what a
// person approved.
func (e *Views) DecidedAlone(rd *trust.Reading, it *store.Item) (bool, error) {
	if trust.Directs(it.Record) {
		return true, nil
	}
	older, err := e.Older(rd, it)
	if err != nil {
		return false, err
	}
	for _, old := range older {
		if persons, err := e.standing.PersonsToDecide(rd, old.Item); err != nil || persons {
			return persons, err
		}
	}
	return false, nil
}

// Replaced is an older memory that a newer one took the place of, or would take or contradict.
type Replaced struct {
	Item     *store.Item
	Relation string      // of a link that is not withdrawn; "" is a revision
	Link     *memory.Ref // nil is a revision
}

// Older returns the memories that one replaced, or is linked with as the newer of the two.
func (e *Views) Older(rd *trust.Reading, it *store.Item) ([]Replaced, error) {
	var out []Replaced
	var ids []memory.ID
	for _, ref := range it.Record.Header.Provenance.Supersedes {
		out, ids = append(out, Replaced{}), append(ids, ref.ID)
	}
	links, err := e.standing.Tying(rd, it.Ref.ID)
	if err != nil {
		return nil, err
	}
	for _, l := range links {
		b, is := l.Record.Body.(*memory.Link)
		if is && b.Target == it.Ref && l.State.Live() {
			out, ids = append(out, Replaced{Relation: b.Relation, Link: &l.Ref}), append(ids, b.Source.ID)
		}
	}
	items, err := rd.Get(ids...)
	if err != nil {
		return nil, core.Classify(err)
	}
	for i, old := range items {
		out[i].Item = old
	}
	return slices.DeleteFunc(out, func(r Replaced) bool { return r.Item == nil || r.Item.Record == nil }), nil
}
