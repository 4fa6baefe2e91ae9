package loop

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

// Change is what came of statements whose scenario says what they replace.
type Change struct {
	Named   Share `json:"named"`   // changes: the reply named a memory that is no longer so, in near or in a link
	Astray  int   `json:"astray"`  // changes whose reply did not, and linked them to something else
	Fresh   int   `json:"fresh"`   // statements that touch nothing
	Near    int   `json:"near"`    // of these, with memories in near
	Wrong   int   `json:"wrong"`   // of these, linked as if they replaced or contradicted something
	Told    int   `json:"told"`    // corrections by the agents that tell what is no longer so
	Opened  int   `json:"opened"`  // links that were undecided at some time
	Decided int   `json:"decided"` // of these, ended because somebody decided or replaced a memory
	Dropped int   `json:"dropped"` // of these, ended because they were not settled
}

func (c *Change) add(d *Change) {
	c.Named.add(d.Named)
	c.Astray, c.Fresh, c.Near = c.Astray+d.Astray, c.Fresh+d.Fresh, c.Near+d.Near
	c.Wrong, c.Told = c.Wrong+d.Wrong, c.Told+d.Told
	c.Opened, c.Decided, c.Dropped = c.Opened+d.Opened, c.Decided+d.Decided, c.Dropped+d.Dropped
}

// WrongPerHundred is how many of 100 statements that touch nothing were linked.
func (c Change) WrongPerHundred() float64 { return 100 * ratio(c.Wrong, c.Fresh, 0) }

// NearOfFresh is the share of statements that touch nothing which were given memories in near.
func (c Change) NearOfFresh() float64 { return ratio(c.Near, c.Fresh, 0) }

// openIn returns how many of the results of a session's questions are marked as undecided; sessions count from 1.
func (r *Result) openIn(session int) *Share {
	for len(r.Open) < session {
		r.Open = append(r.Open, Share{})
	}
	return &r.Open[session-1]
}

// weigh says how large the answers to remembers were.
func (r *Result) weigh() {
	middle := func(sizes []int) int {
		if len(sizes) == 0 {
			return 0
		}
		all, n := slices.Sorted(slices.Values(sizes)), len(sizes)
		return (all[(n-1)/2] + all[n/2]) / 2
	}
	r.Tokens.Median, r.Tokens.Naming = middle(r.sizes), middle(r.naming)
	if len(r.sizes) > 0 {
		r.Tokens.Remember = slices.Max(r.sizes)
	}
}

// The states of a link that say how it stands.
const (
	linkOpen     = "open"
	linkProposed = "proposed"
	linkDropped  = "dropped"
)

// undecided counts which results of a question are marked as undecided.
func (r *running) undecided(results []found) {
	open := r.out.openIn(r.number)
	open.Wanted += len(results)
	for _, f := range results {
		if f.open {
			open.Found++
		}
	}
}

// replaced returns, for each of the words that a statement replaces, the current memories that say them.
func (r *running) replaced(ctx context.Context, s *Step) ([][]string, error) {
	var out [][]string
	for _, words := range s.Replaces {
		refs, err := r.memories(ctx, words)
		if err != nil {
			return nil, err
		}
		out = append(out, refs)
	}
	return out, nil
}

// reply is what remember answers, as far as it is looked at.
type reply struct {
	Memories []struct{ Ref, Text string } `json:"memories"`
	Said     []string                     `json:"known_already"`
	Links    []string                     `json:"links"`
	Near     []struct{ Ref string }       `json:"near"`
}

// names reports whether the reply shows a memory, in near or as one that a link proposes to replace.
func (a *reply) names(ref string) bool {
	for _, n := range a.Near {
		if same(n.Ref, ref) {
			return true
		}
	}
	for _, l := range a.Links {
		if slices.ContainsFunc(strings.Fields(l), func(word string) bool { return same(word, ref) }) {
			return true
		}
	}
	return false
}

// same reports whether a short ref is that of a memory.
func same(short, ref string) bool {
	kind, id, ok := strings.Cut(short, ":")
	return ok && kind != "" && len(id) >= 8 && strings.HasPrefix(ref, short)
}

// answered looks at the reply to a remember. Agents that tell what is no longer so do it now, of what the
// reply shows.
func (r *running) answered(ctx context.Context, s *Step, old [][]string, text string) error {
	var a reply
	if err := json.Unmarshal([]byte(text), &a); err != nil {
		return fmt.Errorf("the answer to remember is no JSON: %w", err)
	}
	size := r.o.Tokens(text)
	if r.out.sizes = append(r.out.sizes, size); len(a.Near)+len(a.Links) > 0 {
		r.out.naming = append(r.out.naming, size)
	}
	if _, err := r.links(ctx); err != nil {
		return err
	}
	if s.New {
		r.out.Change.Fresh++
		if len(a.Near) > 0 {
			r.out.Change.Near++
		}
		for _, m := range a.Memories {
			r.fresh[m.Ref] = s
		}
	}
	for i, words := range s.Replaces {
		r.out.Change.Named.Wanted++
		at := slices.IndexFunc(old[i], a.names)
		switch {
		case len(old[i]) == 0:
			r.miss(s, fmt.Sprintf("no current memory says what it replaces: %s", clip(words)))
		case at < 0 && len(a.Links) > 0:
			r.out.Change.Astray++
			r.miss(s, fmt.Sprintf("linked to something else than what it replaces: %s", clip(a.Links[0])))
		case at < 0:
			r.miss(s, fmt.Sprintf("the reply does not name what it replaces: %s", clip(words)))
		default:
			r.out.Change.Named.Found++
			if err := r.tell(ctx, s, &a, old[i][at], words); err != nil {
				return err
			}
		}
	}
	return nil
}

// tell has the agent say that a memory is no longer so because of the one it has just made.
func (r *running) tell(ctx context.Context, s *Step, a *reply, old, words string) error {
	by := a.by(words)
	if !r.tells || by == "" {
		return nil
	}
	if _, err := r.talk.call(ctx, "correct", map[string]any{"ref": old, "by": by}); err != nil {
		if ctx.Err() != nil {
			return err
		}
		r.miss(s, fmt.Sprintf("the correction was refused: %s", clip(err.Error())))
		return nil
	}
	r.out.Change.Told++
	return nil
}

// by is the memory of the reply that shares most words with what is no longer so: of one statement several
// may have been made.
func (a *reply) by(words string) (ref string) {
	most := -1
	for _, m := range a.Memories {
		shared := 0
		for _, w := range strings.Fields(folded(words)) {
			if slices.Contains(strings.Fields(folded(m.Text)), w) {
				shared++
			}
		}
		if shared > most {
			ref, most = m.Ref, shared
		}
	}
	if ref == "" && len(a.Said) > 0 {
		return a.Said[0]
	}
	return ref
}

// links returns all links by which one memory may replace or contradict another, and notes which are undecided.
func (r *running) links(ctx context.Context) (all []api.LinkView, err error) {
	err = r.person(ctx, func(e *engine.Engine) error {
		list, err := e.Conflicts(ctx, api.OpenRequest{All: true, Limit: -1})
		for _, l := range list.Conflicts {
			if l.Relation != "update" && l.Relation != "contradict" {
				continue
			}
			all = append(all, l)
			if isOpen(&l) {
				r.opened[l.Ref] = true
			}
		}
		return err
	})
	return all, err
}

func isOpen(l *api.LinkView) bool { return l.State == linkOpen || l.State == linkProposed }

// settled counts at the end what became of links, and which ones tie a statement that touches nothing.
func (r *running) settled(all []api.LinkView) {
	wrong := make(map[*Step]bool)
	for i := range all {
		l := &all[i]
		if r.opened[l.Ref] {
			r.out.Change.Opened++
			switch {
			case l.State == linkDropped:
				r.out.Change.Dropped++
			case !isOpen(l):
				r.out.Change.Decided++
			}
		}
		for ref, s := range r.fresh {
			if (same(ref, l.New.Ref) || same(ref, l.New.Was)) && !wrong[s] {
				wrong[s] = true
				r.out.Change.Wrong++
				r.miss(s, fmt.Sprintf("touches nothing, and has a link (%s) to: %s", l.Relation, clip(l.Old.Headline)))
			}
		}
	}
}
