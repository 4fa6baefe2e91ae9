package views

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/code"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/index"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Check compares what memories say of code with the code. The hash decides; git
// explains.
func (e *Views) Check(ctx context.Context, in api.CheckRequest) (api.CheckReply, error) {
	rd := e.trust.Reading(ctx)
	reply := api.CheckReply{Uncommitted: in.Uncommitted, Memories: []api.Checked{}, Counts: make(map[string]int)}
	tree, _, err := e.trust.WorkTree(rd)
	if err != nil {
		return reply, err
	}
	if tree == nil {
		return reply, core.Invalid("check: nothing says where the code is; set Config.Dir")
	}
	reply.Root, reply.Plain = tree.Root(), tree.Plain()
	var items []*store.Item
	if len(in.Refs) > 0 {
		items, err = e.ResolveAll(rd, in.Refs)
	} else {
		items, err = e.Coded(rd)
	}
	if err != nil {
		return reply, err
	}
	codeStates, err := e.CodeStates(rd, items, in.Uncommitted)
	if err != nil {
		return reply, err
	}
	var rated []*store.Item
	for _, s := range codeStates {
		if s.State.AgentVerified {
			rated = append(rated, s.Item)
		}
	}
	if _, err := e.trust.Rate(rd, rated, false); err != nil { // who verified it, as every reading says
		return reply, err
	}
	slices.SortStableFunc(codeStates, func(a, b *CodeState) int { return cmp.Compare(b.Urgency(), a.Urgency()) })
	for _, s := range codeStates {
		if len(s.Findings) == 0 {
			if len(in.Refs) > 0 {
				return reply, core.Invalid(
					"%s names no code; say what it speaks of with `verify %s file=PATH`", s.Ref.Short(),
					s.Ref.Short(),
				)
			}
			continue
		}
		reply.Checked, reply.Refs = reply.Checked+1, reply.Refs+len(s.Findings)
		reply.Counts[string(s.CodeState)]++
		if in.All || len(in.Refs) > 0 || s.CodeState != code.Verified {
			reply.Memories = append(reply.Memories, s.shown())
		}
	}
	return reply, nil
}

// Coded returns the live memories that name code.
func (e *Views) Coded(rd *trust.Reading) ([]*store.Item, error) {
	spaces, err := e.ReadSpaces(rd)
	if err != nil || len(spaces) == 0 {
		return nil, core.Classify(err)
	}
	var items []*store.Item
	for it, err := range e.Store.List(rd, store.Query{Spaces: spaces, Mark: index.CodeMark}) {
		if err != nil {
			return nil, core.Classify(err)
		}
		if it.Record != nil {
			items = append(items, it)
		}
	}
	return items, nil
}

// A CodeState is a memory and the state of the code it names.
type CodeState struct {
	*store.Item
	Refs      []memory.Evidence
	Findings  []code.Finding
	CodeState code.State
}

// CodeStates looks at the code that memories name. Without any code around it is
// unknown.
func (e *Views) CodeStates(rd *trust.Reading, items []*store.Item, uncommitted bool) ([]*CodeState, error) {
	pins, err := e.trust.Pinned(rd, items)
	if err != nil {
		return nil, err
	}
	var all []memory.Evidence
	out := make([]*CodeState, len(items))
	for i, it := range items {
		out[i] = &CodeState{Item: it, Refs: pins[i]}
		all = append(all, pins[i]...)
	}
	tree, cache, err := e.trust.WorkTree(rd)
	if err != nil || tree == nil || len(all) == 0 {
		for _, s := range out {
			s.CodeState = code.Unknown
		}
		return out, err
	}
	findings, err := tree.Check(rd, all, code.Options{Uncommitted: uncommitted, Cache: cache})
	if err != nil {
		return nil, trust.SortedCode(err)
	}
	for _, s := range out {
		s.Findings, findings = findings[:len(s.Refs)], findings[len(s.Refs):]
		s.CodeState = code.Overall(s.Findings)
	}
	return out, nil
}

// Urgency returns how soon a memory should be looked at: deleted code before changed code, a
// constraint before a decision before the rest.
func (s *CodeState) Urgency() int {
	const gone, changed, unknown = 20, 10, 5
	const constraint, decision = 2, 1
	n := 0
	switch s.CodeState {
	case code.Stale:
		n = gone
	case code.NeedsReview:
		n = changed
	case code.Unknown:
		return unknown
	default:
		return 0
	}
	if note, ok := s.Record.Body.(*memory.Note); ok {
		switch note.Type {
		case trust.ConstraintType:
			n += constraint
		case trust.DecisionType:
			n += decision
		}
	}
	return n
}

// Paths returns the current paths of the code that a memory names, and the former path of
// deleted code.
func (s *CodeState) Paths() string {
	var out []string
	for i, f := range s.Findings {
		text := code.Text(s.Refs[i])
		if f.State != code.Stale {
			text = code.Text(f.Follow(s.Refs[i]))
		}
		out = append(out, text)
	}
	return core.Or(strings.Join(out, ", "), strings.Join(core.CodeTexts(s.Refs), ", "))
}

func (s *CodeState) shown() api.Checked {
	m := View(s.Item)
	subtype, _ := m.Content["type"].(string)
	c := api.Checked{
		Ref: m.Ref, Type: m.Type, Subtype: subtype, Headline: m.Headline, Text: m.Text, At: m.At, Tier: m.Tier,
		State:   string(s.CodeState),
		Reasons: code.Reasons(s.Findings), VerifiedByAgent: s.State.AgentVerified,
		LastVerified: m.LastVerified, Store: m.Store,
		Files: []api.CheckedRef{},
	}
	for i, f := range s.Findings {
		r := api.CheckedRef{Ref: code.Text(s.Refs[i]), State: string(f.State), Reason: f.Reason, Commit: f.Commit}
		if now := code.Text(f.Follow(s.Refs[i])); now != r.Ref && f.State != code.Stale {
			r.Now = now
		}
		c.Files = append(c.Files, r)
	}
	return c
}
