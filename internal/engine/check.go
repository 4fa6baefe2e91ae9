package engine

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/code"
	"github.com/stemma-memory/stemma/internal/index"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Check compares what memories say of code with the code. The hash decides; git
// explains.
func (e *Engine) Check(ctx context.Context, in api.CheckRequest) (api.CheckReply, error) {
	reply := api.CheckReply{Uncommitted: in.Uncommitted, Memories: []api.Checked{}, Counts: make(map[string]int)}
	tree, _, err := e.workTree(ctx)
	if err != nil {
		return reply, err
	}
	if tree == nil {
		return reply, invalid("check: nothing says where the code is; set Config.Dir")
	}
	reply.Root, reply.Plain = tree.Root(), tree.Plain()
	var items []*store.Item
	if len(in.Refs) > 0 {
		items, err = e.resolveAll(ctx, in.Refs)
	} else {
		items, err = e.coded(ctx)
	}
	if err != nil {
		return reply, err
	}
	stands, err := e.stand(ctx, items, in.Uncommitted)
	if err != nil {
		return reply, err
	}
	slices.SortStableFunc(stands, func(a, b *standing) int { return cmp.Compare(b.urgency(), a.urgency()) })
	for _, s := range stands {
		if len(s.findings) == 0 {
			if len(in.Refs) > 0 {
				return reply, invalid("%s names no code; say what it speaks of with 'stemma verify %s --file PATH'", s.Ref.Short(), s.Ref.Short())
			}
			continue
		}
		reply.Checked, reply.Refs = reply.Checked+1, reply.Refs+len(s.findings)
		reply.Counts[string(s.state)]++
		if in.All || len(in.Refs) > 0 || s.state != code.Verified {
			reply.Memories = append(reply.Memories, s.shown())
		}
	}
	return reply, nil
}

// coded gives the live memories that name code.
func (e *Engine) coded(ctx context.Context) ([]*store.Item, error) {
	spaces, err := e.shelves(ctx)
	if err != nil || len(spaces) == 0 {
		return nil, sorted(err)
	}
	var items []*store.Item
	for it, err := range e.store.List(ctx, store.Query{Spaces: spaces, Mark: index.CodeMark}) {
		if err != nil {
			return nil, sorted(err)
		}
		if it.Record != nil {
			items = append(items, it)
		}
	}
	return items, nil
}

// A standing is a memory and how the code it names stands.
type standing struct {
	*store.Item
	refs     []memory.Evidence
	findings []code.Finding
	state    code.State
}

// stand looks at the code that memories name. Without any code around nothing
// can be told.
func (e *Engine) stand(ctx context.Context, items []*store.Item, uncommitted bool) ([]*standing, error) {
	pins, err := e.pinned(ctx, items)
	if err != nil {
		return nil, err
	}
	var all []memory.Evidence
	out := make([]*standing, len(items))
	for i, it := range items {
		out[i] = &standing{Item: it, refs: pins[i]}
		all = append(all, pins[i]...)
	}
	tree, cache, err := e.workTree(ctx)
	if err != nil || tree == nil || len(all) == 0 {
		for _, s := range out {
			s.state = code.Unknown
		}
		return out, err
	}
	findings, err := tree.Check(ctx, all, code.Options{Uncommitted: uncommitted, Cache: cache})
	if err != nil {
		return nil, sortedCode(err)
	}
	for _, s := range out {
		s.findings, findings = findings[:len(s.refs)], findings[len(s.refs):]
		s.state = code.Overall(s.findings)
	}
	return out, nil
}

// Types of notes that bind: when what they speak of changed, that is looked at
// first.
const (
	constraintType = "constraint"
	decisionType   = "decision"
)

// urgency is how soon a memory should be looked at: what is gone before what has
// changed, a constraint before a decision before the rest.
func (s *standing) urgency() int {
	const gone, changed, untold = 20, 10, 5
	const constraint, decision = 2, 1
	n := 0
	switch s.state {
	case code.Stale:
		n = gone
	case code.NeedsReview:
		n = changed
	case code.Unknown:
		return untold
	default:
		return 0
	}
	if note, ok := s.Record.Body.(*memory.Note); ok {
		switch note.Type {
		case constraintType:
			n += constraint
		case decisionType:
			n += decision
		}
	}
	return n
}

// paths is the code that a memory speaks of, where it is now; of what is gone,
// where it was.
func (s *standing) paths() string {
	var out []string
	for i, f := range s.findings {
		text := code.Text(s.refs[i])
		if f.State != code.Stale {
			text = code.Text(f.Follow(s.refs[i]))
		}
		out = append(out, text)
	}
	return or(strings.Join(out, ", "), strings.Join(codeTexts(s.refs), ", "))
}

func (s *standing) shown() api.Checked {
	m := view(s.Item)
	subtype, _ := m.Content["type"].(string)
	c := api.Checked{
		Ref: m.Ref, Type: m.Type, Subtype: subtype, Headline: m.Headline, Tier: m.Tier, State: string(s.state),
		Reasons: code.Reasons(s.findings), ByAgent: s.State.AgentVerified, Verified: m.LastVerified, Shelf: m.Shelf,
		Files: []api.CheckedRef{},
	}
	for i, f := range s.findings {
		r := api.CheckedRef{Ref: code.Text(s.refs[i]), State: string(f.State), Reason: f.Reason, Commit: f.Commit}
		if now := code.Text(f.Follow(s.refs[i])); now != r.Ref && f.State != code.Stale {
			r.Now = now
		}
		c.Files = append(c.Files, r)
	}
	return c
}
