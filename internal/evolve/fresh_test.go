package evolve_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	. "github.com/stemma-memory/stemma/internal/evolve"
	"github.com/stemma-memory/stemma/memory"
)

// The set written after the rules, to see what generalises. Only every other pair, the
// first, third and so on, is ever printed; of the rest only figures.
func TestFreshPairs(t *testing.T) {
	pairs := readPairs(t, "../fresh")
	var shown, unseen, late []pair
	for i, p := range pairs {
		if p.Note == "late" {
			late = append(late, p)
		} else if i%2 == 0 {
			shown = append(shown, p)
		} else {
			unseen = append(unseen, p)
		}
	}
	m := Measure(byRules, shown)
	t.Log("shown", m)
	m = Measure(byRules, unseen)
	t.Log("unseen", m, byKind(unseen))
	floor{0, 0}.holds(t, m)
	t.Log("late", Measure(byRules, late), byKind(late))
	t.Log("all", byKind(pairs))
	for _, p := range append(late, shown...) {
		new, old := p.memories()
		r := Rules(new, []Memory{old})
		got, why := "none", ""
		if r != nil {
			got, why = r.Type, r.Reason
		}
		if got != class(p.Label) {
			t.Logf("%s: %s (%s), %q → %q", p.ID, got, why, p.Old, p.New)
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
		kind := r.Type + ": a word of change"
		if r.Type == memory.Contradict || !slices.Contains([]float64{0.5, 0.6}, r.Confidence) {
			kind, _, _ = strings.Cut(r.Reason, ":")
			kind, _, _ = strings.Cut(kind, ",")
			kind = r.Type + ": " + kind
		}
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
