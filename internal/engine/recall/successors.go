package recall

import (
	"slices"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// A search must not walk long chains: it looks at so many revisions, of one chain and of all that it walks together.
const (
	mostSteps   = 64
	mostVisited = 160
)

// A front is where a walk along revisions has come to.
type front struct {
	at   memory.ID
	into *front      // the front whose way this one met
	live memory.ID   // the current memory at its end
	way  []memory.ID // where it has been
}

// end returns the current memory at the end of the way; none where an undo took back what the way begins with, which is
// on it by what it says again.
func (f *front) end(restores map[memory.ID]memory.ID) memory.ID {
	way := f.way
	for f.into != nil {
		f = f.into
		way = append(slices.Clip(way), f.way...)
	}
	for i, id := range way {
		if was, is := restores[id]; is && i > 0 && !slices.Contains(way[:i], was) {
			return memory.ID{}
		}
	}
	return f.live
}

// successors returns, for some memories, the current ones that took their place, and the memories. A chain is walked
// once, however many of its revisions are among them.
func successors(
	ids []memory.ID, reads func(space string) bool, get func([]memory.ID) ([]*store.Item, error),
) (found map[memory.ID]memory.ID, first []*store.Item, err error) {
	found = make(map[memory.ID]memory.ID)
	seen := make(map[memory.ID]*front)
	restores := make(map[memory.ID]memory.ID)
	var walking []*front
	for _, id := range ids {
		seen[id] = &front{at: id}
		walking = append(walking, seen[id])
	}
	for step := 0; len(walking) > 0 && step < mostSteps && len(seen) <= mostVisited; step++ {
		at := make([]memory.ID, len(walking))
		for i, f := range walking {
			at[i] = f.at
		}
		items, err := get(at)
		if err != nil {
			return nil, nil, err
		}
		if step == 0 {
			first = items
		}
		var further []*front
		for i, it := range items {
			f := walking[i]
			if it == nil || it.Record == nil {
				continue
			}
			f.way = append(f.way, it.Ref.ID)
			if was, is := store.Restores(it.Record); is {
				restores[it.Ref.ID] = was
			}
			next := it.State.SupersededBy
			switch {
			case it.State.Live() && reads(it.Record.Header.Space):
				f.live = it.Ref.ID
			case next.IsZero():
			case seen[next] == nil:
				f.at, seen[next] = next, f
				further = append(further, f)
			case !meets(seen[next], f):
				f.into = seen[next]
			}
		}
		walking = further
	}
	for _, id := range ids {
		if live := seen[id].end(restores); !live.IsZero() && live != id {
			found[id] = live
		}
	}
	return found, first, nil
}

// meets reports whether a front has joined another, or is it: revisions that replace each other have no end.
func meets(f, other *front) bool {
	for ; f != nil; f = f.into {
		if f == other {
			return true
		}
	}
	return false
}
