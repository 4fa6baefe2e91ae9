package pack

import (
	"slices"

	"github.com/stemma-memory/stemma/internal/tokens"
)

// made is an entry that is ready to be shown.
type made struct {
	entry  Entry
	turns  []*turn
	shell  tokens.Cost // of what is said of a conversation beside its turns, when known
	weighs bool
}

// tame makes the texts of an entry harmless.
func tame(e Entry) *made {
	m := &made{}
	if len(e.Turns) == 0 {
		m.turns = []*turn{newTurn(Turn{Ref: e.Ref, By: e.Speaker, Text: e.Text, Near: e.Near, Score: e.Score, Hit: true})}
	}
	for _, t := range e.Turns {
		m.turns = append(m.turns, newTurn(t))
	}
	for _, f := range [...]struct {
		text *string
		most int
	}{{&e.Kind, maxName}, {&e.Type, maxName}, {&e.Tier, maxName}, {&e.State, maxName},
		{&e.Path, maxPath}, {&e.Why, maxWhy}, {&e.Store, maxName}, {&e.By, maxName}, {&e.At, maxName}, {&e.Origin, maxName},
		{&e.Review, maxName}, {&e.Level, maxName}} {
		if *f.text != "" {
			*f.text = oneLine(*f.text, f.most)
		}
	}
	e.Marks = slices.Clone(e.Marks)
	for i := range e.Marks {
		e.Marks[i] = oneLine(e.Marks[i], maxWhy)
	}
	m.entry = e
	return m
}

// of is an entry as much as is said of it.
func (m *made) of(v view) *Entry {
	if !v.bare {
		return &m.entry
	}
	e := m.entry
	e.Kind, e.Type, e.Path, e.Why, e.At, e.bare = "", "", "", "", "", true
	return &e
}
