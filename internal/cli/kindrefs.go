package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// refOf returns the ref that a person means who asks for one of a kind: its id, or of a
// relationship and a drive its name.
func (a *app) refOf(ctx context.Context, kind memory.Kind, word string) (string, error) {
	if strings.Contains(word, ":") || kind != memory.KindRelationship && kind != memory.KindDrive {
		return kindRef(kind, word), nil
	}
	const all = -1
	r, err := call(ctx, a, (*engine.Engine).List, api.ListRequest{Kind: string(kind), Limit: all})
	if err != nil {
		return "", err
	}
	var refs, names []string
	for _, m := range r.Memories {
		name := nameOf(m)
		if names = append(names, line(name, mostSpeaker)); strings.EqualFold(name, word) {
			refs = append(refs, m.Ref)
		}
	}
	switch {
	case len(refs) == 1:
		return refs[0], nil
	case len(refs) > 1:
		return "", several{fmt.Sprintf("%d %ss are named %q: %s; use an ID", len(refs), kind, line(word, mostSpeaker),
			shortRefs(refs))}
	case strings.Trim(strings.ToLower(word), "0123456789abcdef") == "":
		return kindRef(kind, word), nil // digits of an id
	}
	slices.Sort(names)
	what := fmt.Sprintf("no %s named %q", kind, line(word, mostSpeaker))
	const most = 8
	if names = slices.Compact(names); len(names) > 0 {
		what += "; known names: " + strings.Join(names[:min(len(names), most)], ", ")
	}
	if len(names) > most {
		what += fmt.Sprintf(" and %d more", len(names)-most)
	}
	return "", missing{what}
}

// nameOf returns the name of a relationship, or what a drive is about.
func nameOf(m api.Memory) string {
	for _, member := range []string{"name", "type"} {
		if s, ok := m.Content[member].(string); ok && (member == "name" || m.Type == string(memory.KindDrive)) {
			return s
		}
	}
	return m.Headline
}
