package cli

import (
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
)

// marksAside returns the marks to print behind the words of a memory, and who wrote it in a shared space;
// "" for none. What stands before the words is not repeated.
func marksAside(m *api.Memory) string {
	all := marked(m.Marks, m.Hidden)
	if m.By != "" {
		all = append(all, "by "+whole(m.By))
	}
	if len(all) == 0 {
		return ""
	}
	return " (" + strings.Join(all, "; ") + ")"
}

// marked returns marks, safe for a terminal, without one that was said.
func marked(marks []string, said string) []string {
	var out []string
	for _, m := range marks {
		if m != said {
			out = append(out, whole(m))
		}
	}
	return out
}

// headAside is marksAside for the head of an answer about one memory, where nothing else says that it is hidden.
func headAside(m *api.Memory) string {
	of := *m
	if of.Hidden != "" && !slices.Contains(of.Marks, of.Hidden) {
		of.Marks = append([]string{of.Hidden}, of.Marks...)
	}
	of.Hidden = ""
	return marksAside(&of)
}

// nodeAside returns the marks to print behind the words of a memory.
func nodeAside(n *api.Node) string {
	return marksAside(&api.Memory{Marks: n.Marks, Hidden: n.Hidden})
}

// asideOf is marksAside of marks alone.
func asideOf(marks []string) string { return marksAside(&api.Memory{Marks: marks}) }
