package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/engine/core"
)

// groupings are what memories to review can be grouped by.
var groupings = []string{"session", "source", "kind"}

// A group is some memories to review that have something in common.
type group struct {
	name    string
	pending []api.Pending
}

// grouped puts memories into groups, in the order of the oldest of each.
func (a *app) grouped(pending []api.Pending, by string) []group {
	var out []group
	at := make(map[string]int)
	for _, p := range pending {
		key, name := a.groupOf(p, by)
		i, known := at[key]
		if !known {
			i = len(out)
			at[key] = i
			out = append(out, group{name: name})
		}
		out[i].pending = append(out[i].pending, p)
	}
	return out
}

// groupOf returns what a memory is grouped by, and how that is called.
func (a *app) groupOf(p api.Pending, by string) (key, name string) {
	switch {
	case by == "kind":
		return p.Type + " " + subtype(p.Memory), "kind " + subtype(p.Memory)
	case by == "session" && p.Session != "":
		return p.Session, "session " + a.about(p.Session, 40) + " of " + day(p.CreatedAt)
	case by == "session":
		return "", "no session"
	case len(p.Sources) > 0:
		s := p.Sources[0]
		return s.Ref, "from " + shortRef(s.Ref) + " " + a.saidBy(s.Speaker, s.Headline)
	case p.Origin == "import" && len(p.Alias) > 0:
		source := core.AliasSource(p.Alias[0])
		return "import " + source, "imported from " + clean(source)
	}
	return "", "no source"
}

// showGroup shows a group, with a number for each memory that a decision about several may cover.
func (a *app) showGroup(g group, number, of int) {
	fmt.Fprintf(a.env.Stdout, "\ngroup %d of %d: %s, %s\n", number, of, g.name,
		count(len(g.pending), "memory", "memories"))
	together, alone := g.split()
	for i, p := range together {
		fmt.Fprintf(a.env.Stdout, "%3d  ", i+1)
		a.showPendingOne(p)
	}
	for _, p := range alone {
		fmt.Fprintf(a.env.Stdout, "     ")
		a.showPendingOne(p)
		fmt.Fprintf(a.env.Stdout, "  by itself: it directs, or would replace what was approved\n")
	}
}

// split parts the memories of a group into those that one decision may cover, and those that want one each.
func (g group) split() (together, alone []api.Pending) {
	for _, p := range g.pending {
		if p.OneByOne {
			alone = append(alone, p)
		} else {
			together = append(together, p)
		}
	}
	return together, alone
}

// groupQuestion asks about a group.
const groupQuestion = "approve all, reject all, one by one, skip or quit? [a/r/o/s/q; all but some: a but 2 5] "

// reviewGroups goes through groups with a person at the terminal: first what one decision may cover, then each of the
// others by itself.
func (a *app) reviewGroups(ctx context.Context, in *bufio.Reader, groups []group) error {
	for i, g := range groups {
		together, alone := g.split()
		if len(together) > 0 {
			g.pending = together
			a.showGroup(g, i+1, len(groups))
			if err := a.reviewGroup(ctx, in, g); err != nil {
				return err
			}
		}
		if len(alone) > 0 {
			a.hint("%s: %s by itself", g.name, count(len(alone), "memory is decided", "memories are decided, each"))
		}
		if err := a.reviewMemories(ctx, in, api.ReviewReply{Pending: alone}); err != nil {
			return err
		}
	}
	return nil
}

// reviewGroup asks about a group until there is an answer.
func (a *app) reviewGroup(ctx context.Context, in *bufio.Reader, g group) error {
	for {
		answer, err := a.ask(in, groupQuestion)
		if err != nil {
			return err
		}
		again, err := a.decideGroup(ctx, in, g, answer)
		if errors.Is(err, errQuit) {
			return err
		}
		if err != nil {
			a.hint("stemma: %v", err)
		}
		if err == nil && !again {
			return nil
		}
	}
}

// reviewHeld goes through what is held back because of outside words: one decision for a source, and one for each
// memory that directs or would replace what a person approved. What waits anyway was asked about before.
func (a *app) reviewHeld(ctx context.Context, in *bufio.Reader, r api.ReviewReply) error {
	asked := make(map[string]bool)
	for _, p := range r.Pending {
		asked[p.Ref] = true
	}
	var groups []group
	for _, h := range r.HeldBack {
		g := group{name: "held back after reading " + a.about(h.Source, 80)}
		for _, m := range h.Memories {
			p := api.Pending{Memory: m, OneByOne: slices.Contains(h.OneByOne, m.Ref)}
			if p.OneByOne {
				p.Asks, p.Why = true, "it directs, or would replace what a person approved, after reading "+h.Source
			}
			if !asked[m.Ref] {
				g.pending = append(g.pending, p)
			}
		}
		if len(g.pending) > 0 {
			groups = append(groups, g)
		}
	}
	return a.reviewGroups(ctx, in, groups)
}

// decideGroup does what was answered about a group, and reports whether to ask again.
func (a *app) decideGroup(ctx context.Context, in *bufio.Reader, g group, answer string) (again bool, err error) {
	act, rest, _ := strings.Cut(strings.ToLower(strings.TrimSpace(answer)), " ")
	if rest != "" {
		if g.pending, err = allBut(g.pending, rest); err != nil {
			return true, err
		}
	}
	refs := make([]string, len(g.pending))
	for i, p := range g.pending {
		refs[i] = p.Ref
	}
	do := (*engine.Engine).Approve
	switch act {
	case "a", "approve", "all":
	case "r", "reject":
		do = (*engine.Engine).Reject
	case "o", "one":
		return false, a.reviewMemories(ctx, in, api.ReviewReply{Pending: g.pending})
	case "", "s", "skip":
		return false, nil
	case "q", "quit":
		return false, errQuit
	default:
		a.hint("%s is not one of the answers", quoted(answer, 40))
		return true, nil
	}
	reason := ""
	if act[0] == 'r' {
		if reason, err = a.ask(in, "reason (optional): "); err != nil {
			return true, err
		}
	}
	r, err := call(ctx, a, do, api.DecideRequest{Refs: refs, Reason: reason})
	if err != nil {
		return true, err
	}
	a.who.approved = a.who.approved || act[0] == 'a'
	return false, a.showDecided(r)
}

// allBut leaves memories out by their numbers: "but 2 and 5".
func allBut(pending []api.Pending, words string) ([]api.Pending, error) {
	out := make(map[int]bool)
	for _, word := range strings.FieldsFunc(words, func(r rune) bool { return r == ' ' || r == ',' }) {
		if slices.Contains([]string{"all", "but", "and"}, word) {
			continue
		}
		n, err := strconv.Atoi(word)
		if err != nil || n < 1 || n > len(pending) {
			return nil, fmt.Errorf("%s is not a number from 1 to %d; nothing changed", quoted(word, 20), len(pending))
		}
		out[n-1] = true
	}
	if len(out) == 0 || len(out) == len(pending) {
		return nil, errors.New("name some of the numbers to leave out, not none and not all; nothing changed")
	}
	var kept []api.Pending
	for i, p := range pending {
		if !out[i] {
			kept = append(kept, p)
		}
	}
	return kept, nil
}
