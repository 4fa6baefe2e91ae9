package evolve_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	. "github.com/stemma-memory/stemma/internal/evolve"
	"github.com/stemma-memory/stemma/memory"
)

// The set written after the rules were first measured, to see which kinds of rule hold on
// texts they were not made with. By now they have been changed by it.
func TestFreshPairs(t *testing.T) {
	pairs := readPairs(t, "../fresh")
	m := Measure(byRules, pairs)
	t.Log(m, byKind(pairs))
	floor{0.42, 0.95}.holds(t, m)
	for _, p := range pairs {
		if got := byRules(p.memories()); got != class(p.Label) {
			t.Logf("%s: %s, %q → %q", p.ID, got, p.Old, p.New)
		}
	}
}

// byKind counts for every kind of rule how often it was right.
func byKind(pairs []pair) string {
	right, said := map[string]int{}, map[string]int{}
	for _, p := range pairs {
		new, old := p.memories()
		r := Rules(new, []Memory{old})
		if r == nil {
			continue
		}
		kind, _, _ := strings.Cut(r.Reason, ":")
		kind, _, _ = strings.Cut(kind, ",")
		if r.Type == memory.Update && kind != "likely changed" && kind != "said and denied" &&
			!strings.HasPrefix(kind, "another ") {
			kind = "a word of change"
		}
		kind = r.Type + ": " + kind
		said[kind]++
		if class(p.Label) == r.Type {
			right[kind]++
		}
	}
	var b strings.Builder
	kinds := make([]string, 0, len(said))
	for k := range said {
		kinds = append(kinds, k)
	}
	slices.Sort(kinds)
	for _, k := range kinds {
		fmt.Fprintf(&b, "\n%-40s %d of %d", k, right[k], said[k])
	}
	return b.String()
}
