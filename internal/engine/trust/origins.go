package trust

import (
	"strings"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/memory"
)

// Support is how many sources of a memory still count, and from how many independent origins they are.
type Support struct {
	Sources int
	Origins int // at most Sources
}

// mostWalked bounds how many records behind one memory are looked at. Sources behind which more is are one origin:
// what was not read is no evidence of independence.
const mostWalked = 2000

// support counts the sources of a record that still count. Two are one origin if they share an ancestor, a page or a
// session, themselves or in what they were made of.
func (s *scoring) support(r *memory.Record, fallen map[memory.ID]string) Support {
	var out Support
	first := make(map[string]int) // by whom something was reached first
	group := []int{}              // of each source, another one of its origin, or itself
	var of func(i int) int
	of = func(i int) int {
		if group[i] != i {
			group[i] = of(group[i])
		}
		return group[i]
	}
	walked := 0
	for _, ref := range r.Header.Provenance.From {
		if fallen[ref.ID] != "" {
			continue
		}
		own := len(group)
		group = append(group, own)
		reach := func(key string) (known bool) {
			by, known := first[key]
			if !known {
				first[key] = own
			} else {
				group[of(own)] = of(by)
			}
			return known
		}
		for todo := []memory.ID{ref.ID}; len(todo) > 0; todo = todo[1:] {
			if walked++; walked > mostWalked {
				reach("more")
				break
			}
			if reach(todo[0].String()) {
				continue // what is behind it was reached with it
			}
			if it := s.held[todo[0]]; it != nil && it.Record != nil {
				for _, key := range placesOf(it.Record) {
					reach(key)
				}
				todo = append(todo, it.Record.Header.Provenance.Sources()...)
			}
		}
	}
	out.Sources = len(group)
	for i := range group {
		if of(i) == i {
			out.Origins++
		}
	}
	return out
}

// placesOf returns where a record was said or read: its session, and pages.
func placesOf(r *memory.Record) []string {
	var out []string
	if r.Header.Session != "" {
		out = append(out, "session "+r.Header.Session)
	}
	if page, is := strings.CutPrefix(r.Header.Provenance.Context, core.ContextOutside); is && page != "" {
		out = append(out, "page "+page)
	}
	for _, e := range r.Header.Provenance.Evidence {
		if e.Type == "url" && e.Reference != "" {
			out = append(out, "page "+e.Reference)
		}
	}
	return out
}

// Words say it where the sources are fewer than they seem: "1 origin"; "" where each is one of its own.
func (s Support) Words() string {
	if s.Origins >= s.Sources {
		return ""
	}
	return core.Plural(s.Origins, "origin")
}
