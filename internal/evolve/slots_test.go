package evolve_test

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	. "github.com/stemma-memory/stemma/internal/evolve"
	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// A stored is a subject with its facts and what is said of it later.
type stored struct {
	subject string
	about   []string
	facts   []string
	news    []string  // replace nothing
	changes []changed // replace a fact
}

// A changed is a statement that replaces a fact, or, if it is a second change, the last statement that replaced it.
type changed struct {
	fact   int
	second bool
	text   string
}

func readStored(t *testing.T, half string) (all []stored) {
	t.Helper()
	for _, line := range slotLines(t, half) {
		sign, text, _ := strings.Cut(line, " ")
		if sign == "=" {
			subject, names, _ := strings.Cut(text, " |")
			all = append(all, stored{subject: subject, about: strings.Fields(names)})
			continue
		}
		s := &all[len(all)-1]
		switch sign {
		case ".":
			s.facts = append(s.facts, text)
		case "+":
			s.news = append(s.news, text)
		default:
			s.changes = append(s.changes, changed{int(sign[0] - '1'), strings.HasSuffix(sign, ">"), text})
		}
	}
	return all
}

// slotLines returns the lines of a file of testdata/slots that are no comment.
func slotLines(t *testing.T, name string) (lines []string) {
	t.Helper()
	data, err := os.ReadFile("testdata/slots/" + name + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSuffix(line, "\n"); line != "" && !strings.HasPrefix(line, "# ") || strings.Contains(name, "noise") {
			lines = append(lines, line)
		}
	}
	return lines
}

// memories makes memories of texts about a subject.
func (s *stored) memories(texts ...string) []Memory {
	var all []Memory
	for i, text := range texts {
		m := Memory{Text: text, At: time.Unix(int64(i), 0)}
		for _, name := range s.about {
			if strings.Contains(text, name) {
				m.About = append(m.About, name)
			}
		}
		all = append(all, m)
	}
	return all
}

// Tallied are the figures of the rules in stores of facts.
type Tallied struct{ news, linked, changes, right, second, rightSecond, wrong, contradict int }

func (c Tallied) String() string {
	said := c.right + c.linked + c.wrong
	return fmt.Sprintf("%d of %d new facts linked; %d of %d updates found (R %.3f, %d as contradiction), "+
		"%d of %d second ones to the head; %d to another; P %.3f",
		c.linked, c.news, c.right, c.changes, float64(c.right)/float64(c.changes), c.contradict, c.rightSecond,
		c.second, c.wrong, float64(c.right)/float64(max(said, 1)))
}

// tally compares what is said later with the five facts of its store, and second changes with the first one as well.
func tally(t *testing.T, half string, show bool) (c Tallied) {
	t.Helper()
	links := func(r *Relation) bool { return r != nil && r.Type != memory.Extend }
	for _, s := range readStored(t, half) {
		facts := s.memories(s.facts...)
		for _, text := range s.news {
			c.news++
			if r := Rules(s.memories(text)[0], facts); links(r) {
				c.linked++
				if show {
					t.Logf("wrong: %q → %q (%s: %s)", s.facts[r.Candidate], text, r.Type, r.Reason)
				}
			}
		}
		first := map[int]string{}
		for _, ch := range s.changes {
			old, want := facts, ch.fact
			if ch.second {
				c.second++
				old, want = s.memories(append(slices.Clone(s.facts), first[ch.fact])...), len(facts)
			} else {
				first[ch.fact] = ch.text
			}
			c.changes++
			r := Rules(s.memories(ch.text)[0], old)
			switch {
			case links(r) && r.Candidate == want:
				c.right++
				if ch.second {
					c.rightSecond++
				}
				if r.Type == memory.Contradict {
					c.contradict++
				}
			case links(r):
				c.wrong++
				if show {
					t.Logf("other: %q → %q (%s: %s)", old[r.Candidate].Text, ch.text, r.Type, r.Reason)
				}
			case show:
				t.Logf("missed: %q → %q", old[want].Text, ch.text)
			}
		}
	}
	return c
}

// linkedNoise returns how many texts that state nothing are linked, each with the likest five before it and among facts.
func linkedNoise(t *testing.T, half string, show bool) (linked, all int) {
	t.Helper()
	var before []Memory
	for _, s := range readStored(t, half) {
		before = append(before, s.memories(s.facts...)...)
	}
	for _, text := range slotLines(t, "noise-"+half) {
		all++
		new, terms := Memory{Text: text}, words.Terms(text)
		likeness := func(m Memory) (n int) {
			for _, w := range words.Terms(m.Text) {
				if slices.Contains(terms, w) {
					n++
				}
			}
			return n
		}
		old := slices.Clone(before)
		slices.SortStableFunc(old, func(a, b Memory) int { return cmp.Compare(likeness(b), likeness(a)) })
		if r := Rules(new, old[:5]); r != nil && r.Type != memory.Extend {
			linked++
			if show {
				t.Logf("noise: %q → %q (%s: %s)", old[r.Candidate].Text, text, r.Type, r.Reason)
			}
		}
		before = append(before, new)
	}
	return linked, all
}

// Of new facts beside five facts of their subject, of which they replace none, and of texts that state nothing at most
// one in a hundred and one in three hundred are linked.
func TestSlots(t *testing.T) {
	for _, half := range halves() {
		c := tally(t, half, half == "dev" && testing.Verbose())
		t.Log(half, c)
		linked, all := linkedNoise(t, half, half == "dev" && testing.Verbose())
		t.Logf("%s: %d of %d texts that state nothing linked", half, linked, all)
	}
}

// halves are what is measured: the held half only where nothing of it is to be learnt.
func halves() []string {
	if os.Getenv("SLOTS_HELD") == "" {
		return []string{"dev"}
	}
	return []string{"dev", "held"}
}
