package standing

import (
	"strings"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/index"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// AboutName is what the index has of memories about a name, and of what its bearer said: each of its words
// among the subjects.
func AboutName(name string) [][]string {
	var out [][]string
	for _, t := range words.Terms(strings.ToLower(name)) { // whatever its capitals, the index has it in small letters
		out = append(out, []string{index.SubjectMark(t)})
	}
	return out
}

// Gather reads all memories that a query selects through the index, until do says that it has enough or so many
// were read; 0 is all. more reports whether some are left.
func (e *Standings) Gather(rd *trust.Reading, q store.Query, most int, do func(*store.Item) (bool, error)) (
	more bool, err error,
) {
	spaces, err := e.ReadSpaces(rd)
	if err != nil || len(spaces) == 0 {
		return false, core.Classify(err)
	}
	q.Spaces = spaces
	read := 0
	for it, err := range e.Store.List(rd, q) {
		if err != nil {
			return false, core.Classify(err)
		}
		if read++; most > 0 && read > most {
			return true, nil
		}
		if it.Record == nil {
			continue
		}
		if again, err := do(it); err != nil || !again {
			return true, err
		}
	}
	return false, nil
}

// together reports whether one act decided against a link and the older one of its memories: where
// the newer one is of another kind, that is how it is kept in its place.
func together(link, old *state.State) bool {
	return old.Review == state.ReviewRejected && link.ReviewedBy == old.ReviewedBy && link.ReviewedAt == old.ReviewedAt
}

// TookPlace returns, by their ids, what is given instead of memories that do not hold any more, as of a time (zero is
// now): their revision, or the current memory of a link that updates or contradicts them.
func (e *Standings) TookPlace(rd *trust.Reading, at memory.Time, old []*store.Item) (map[memory.ID]*store.Item, error) {
	items, err := e.ItemsAt(rd, at, core.IDsOf(core.RefsOf(old))...)
	if err != nil {
		return nil, err
	}
	chains, err := e.Chains(rd, at, items)
	if err != nil {
		return nil, err
	}
	out := make(map[memory.ID]*store.Item)
	var ended []memory.ID
	last := make(map[memory.ID][]memory.ID) // the first of each chain by its last
	for _, c := range chains {
		switch {
		case len(c) == 0:
		case c.Last().State.Live() && len(c) > 1:
			out[c.First().Ref.ID] = c.Last()
		case !c.Last().State.Live() && c.Last().State.Links > 0:
			id := c.Last().Ref.ID
			ended, last[id] = append(ended, id), append(last[id], c.First().Ref.ID)
		}
	}
	links, err := e.Tying(rd, ended...)
	if err != nil || len(links) == 0 {
		return out, err
	}
	ties, err := e.Ties(rd, at, links)
	for i, t := range ties {
		if t.Relation != memory.Update && t.Relation != memory.Contradict ||
			t.OldItem == nil || t.NewItem == nil || !t.NewItem.State.Live() ||
			t.State == linkRejected && !together(&links[i].State, &t.OldItem.State) {
			continue
		}
		for _, id := range last[t.OldItem.Ref.ID] {
			out[id] = t.NewItem
		}
	}
	return out, err
}
