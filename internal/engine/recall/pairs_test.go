//go:build !race

package recall_test

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// A saidPair is what was remembered, what is remembered later, and how the two are related.
type saidPair struct{ label, old, new string }

// held reports whether a pair is in the half that is only counted. The rule is fixed: two of five pairs, by
// the bits of the new text.
func (p saidPair) held() bool {
	h := fnv.New32a()
	h.Write([]byte(p.new))
	return h.Sum32()>>8%5 < 2
}

func saidPairs(t testing.TB, held bool) (pairs []saidPair) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "pairs.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(data) {
		f := strings.Split(strings.TrimSpace(string(line)), " | ")
		if f[0] == "" || strings.HasPrefix(f[0], "#") {
			continue
		}
		if len(f) != 3 {
			t.Fatalf("%q has %d parts, want label | old | new", line, len(f))
		}
		if p := (saidPair{f[0], f[1], f[2]}); p.held() == held {
			pairs = append(pairs, p)
		}
	}
	return pairs
}

// kinds are what a pair is counted as. A pair that extends counts as none where update and contradict
// are measured.
var kinds = []string{memory.Update, memory.Contradict, memory.Extend, "none"}

// A tally counts pairs by what they are and what was said of them.
type tally map[[2]string]int

func (c tally) of(class string, same func(string) string) (precision, recall, f1 float64) {
	said, are, right := 0, 0, 0
	for k, n := range c {
		is, told := same(k[0]), same(k[1])
		if told == class {
			said += n
		}
		if is == class {
			are += n
		}
		if is == class && told == class {
			right += n
		}
	}
	precision, recall = float64(right)/float64(max(said, 1)), float64(right)/float64(max(are, 1))
	if right > 0 {
		f1 = 2 * precision * recall / (precision + recall)
	}
	return precision, recall, f1
}

// plainKind takes an extension for none.
func plainKind(kind string) string {
	if kind == memory.Extend {
		return "none"
	}
	return kind
}

func (c tally) macro() float64 {
	sum := 0.0
	for _, class := range []string{memory.Update, memory.Contradict, "none"} {
		_, _, f1 := c.of(class, plainKind)
		sum += f1
	}
	return sum / 3
}

func (c tally) String() string {
	var b strings.Builder
	for _, is := range kinds {
		fmt.Fprintf(&b, "\n%-10s", is)
		for _, told := range kinds {
			fmt.Fprintf(&b, " %4d", c[[2]string{is, told}])
		}
		p, r, f1 := c.of(is, func(s string) string { return s })
		fmt.Fprintf(&b, "   precision %.2f recall %.2f F1 %.2f", p, r, f1)
	}
	fmt.Fprintf(&b, "\nmacro-F1 of update, contradict, none %.3f", c.macro())
	return b.String()
}

// countPairs remembers all old texts in one store, then each new one, and counts how the new memory is linked
// with its old one. astray counts links with the memory of another pair.
func countPairs(t *testing.T, pairs []saidPair, tell func(p saidPair, told, reason string)) (c tally, astray int) {
	t.Helper()
	e := open(t, filepath.Join(t.TempDir(), "memory.db"), engine.Config{})
	say := func(text string) api.RememberReply {
		r, err := e.Remember(t.Context(), api.RememberRequest{Text: text})
		if err != nil {
			t.Fatalf("remember %q: %v", text, err)
		}
		return r
	}
	olds := make([][]string, len(pairs))
	for i, p := range pairs {
		r := say(p.old)
		for _, m := range r.Memories {
			olds[i] = append(olds[i], m.Ref)
		}
	}
	c = tally{}
	for i, p := range pairs {
		told, reason := "none", ""
		for _, l := range say(p.new).Links {
			own := false
			for _, ref := range olds[i] {
				own = own || l.Old.Ref == ref
			}
			if own {
				told, reason = l.Relation, l.Reason
			} else {
				astray++
				reason = "astray, " + l.Relation + ": " + l.Old.Headline
			}
		}
		c[[2]string{p.label, told}]++
		tell(p, told, reason)
	}
	return c, astray
}

// The half that the rules may be made with.
func TestPairsSaid(t *testing.T) {
	t.Parallel()
	c, astray := countPairs(t, saidPairs(t, false), func(p saidPair, told, reason string) {
		if told != p.label || reason != "" && told == "none" {
			t.Logf("%s, not %s: %q → %q (%s)", told, p.label, p.old, p.new, reason)
		}
	})
	t.Log(c, "\nlinked with another pair's", astray)
	atLeast(t, c, 0.64, 0.97, 0.38, 0.82)
	if most := 3; astray > most {
		t.Errorf("%d links with another pair's memory, were at most %d", astray, most)
	}
}

// The half that is only counted: its pairs are not printed, so that nothing is fitted to them.
func TestPairsSaidHeld(t *testing.T) {
	t.Parallel()
	c, astray := countPairs(t, saidPairs(t, true), func(saidPair, string, string) {})
	t.Log(c, "\nlinked with another pair's", astray)
	atLeast(t, c, 0.57, 0.89, 0.25, 0.80)
	if most := 2; astray > most {
		t.Errorf("%d links with another pair's memory, were at most %d", astray, most)
	}
}

// atLeast holds what was reached; docs/lab/evolution.md gives the figures and the goals.
func atLeast(t *testing.T, c tally, macro, contradict, update, extend float64) {
	t.Helper()
	itself := func(kind string) string { return kind }
	precision, _, _ := c.of(memory.Contradict, plainKind)
	_, recall, _ := c.of(memory.Update, plainKind)
	_, extended, _ := c.of(memory.Extend, itself)
	for name, f := range map[string]struct{ got, least float64 }{
		"macro-F1": {c.macro(), macro}, "precision of contradict": {precision, contradict},
		"recall of update": {recall, update}, "recall of extend": {extended, extend},
	} {
		if f.got < f.least {
			t.Errorf("%s is %.3f, was at least %.2f", name, f.got, f.least)
		}
	}
}
