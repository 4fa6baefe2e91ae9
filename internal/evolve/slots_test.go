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
		line = strings.TrimSuffix(line, "\n")
		if line != "" && !strings.HasPrefix(line, "# ") || strings.Contains(name, "noise") {
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

// linkedNoise returns how many texts that state nothing are linked, each with the likest five before it and among
// facts.
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

// Of new facts beside five facts of their subject, of which they replace none, at most one in a hundred is linked, and
// of texts that state nothing one in three hundred. What is linked is right in 97 of 100 cases. Of the held half only
// figures are printed, so that no one fits the rules to it.
func TestSlots(t *testing.T) {
	for half, least := range map[string]float64{"dev": 0.90, "held": 0.75} {
		show := half == "dev" && testing.Verbose()
		c := tally(t, half, show)
		t.Log(half, c)
		if 100*c.linked > c.news {
			t.Errorf("%s: %d of %d new facts linked, at most one in a hundred", half, c.linked, c.news)
		}
		if said := c.right + c.linked + c.wrong; float64(c.right) < 0.97*float64(said) {
			t.Errorf("%s: %d of %d links are right, want 97 in 100", half, c.right, said)
		}
		if recall := float64(c.right) / float64(c.changes); recall < least {
			t.Errorf("%s: recall %.3f, was at least %.2f", half, recall, least)
		}
		linked, all := linkedNoise(t, half, show)
		t.Logf("%s: %d of %d texts that state nothing linked", half, linked, all)
		if 300*linked > all {
			t.Errorf("%s: %d of %d texts that state nothing linked, at most one in 300", half, linked, all)
		}
	}
}

// Two things of one kind, events and words of change with another slot are no change.
func TestNoSlotNoLink(t *testing.T) {
	for _, pair := range [][2]string{
		{"The API depends on Redis.", "The API depends on Kafka."},
		{"Chapter 3 is done.", "Chapter 4 is done."},
		{"Chapter 3 has 20 pages.", "Chapter 4 has 30 pages."},
		{"The API uses port 8080 in environment 1.", "The API uses port 8081 in environment 2."},
		{"Ada met Siemens on Monday.", "Ada met Bosch on Monday."},
		{"Ada has a brother in Oslo.", "Ada has a beard now."},
		{"Lena, Jonas, Lena", "Jonas, Lena, Jonas"},
		{"Ada lives in Rome since May.", "Ada plays chess since May."},
		{"We use Redis for sessions.", "From now on we write tests first."},
		{"We use Redis for sessions.", "Scrap the idea of a second office."},
		{"We use Redis for sessions.", "Instead of cake there is fruit on Fridays."},
		{"The budget is 40,000 euros.", "The amended contract was signed in Bonn."},
		{"Ada works at Acme.", "Ada no longer eats meat."},
		{"Ada lives in Rome.", "Ada went back to the gym."},
		{"Sabine hat einen Sohn.", "Sabine hat jetzt einen Hund."},
		{"Camille a un chien.", "Camille a maintenant un vélo."},
		{"Diego tiene un perro.", "Diego tiene ahora una moto."},
	} {
		if r := Rules(Memory{Text: pair[1]}, []Memory{{Text: pair[0]}}); r != nil {
			t.Errorf("%q → %q: %s, %s", pair[0], pair[1], r.Type, r.Reason)
		}
	}
}

// A change is found in four languages; in others nothing is told.
func TestLanguagesOfChange(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"Ada lives in Rome.", "Ada moved to Oslo.", memory.Update},
		{"Sabine wohnt in Köln.", "Sabine wohnt jetzt in Bonn.", memory.Update},
		{"Das Backup läuft um 2 Uhr.", "Das Backup läuft um 3 Uhr.", memory.Contradict},
		{"Sabine arbeitet bei der Bahn.", "Sabine arbeitet nicht mehr bei der Bahn.", memory.Update},
		{"Camille habite à Lyon.", "Camille habite maintenant à Dijon.", memory.Update},
		{"Camille travaille chez Michelin.", "Camille ne travaille plus chez Michelin.", memory.Update},
		{"Diego vive en Sevilla.", "Diego ya no vive en Sevilla.", memory.Update},
		{"Diego tiene dos hijos.", "Diego tiene tres hijos.", memory.Contradict},
		{"Marco abita a Roma.", "Marco abita adesso a Milano.", "none"},
		{"O João mora em Lisboa.", "O João mora agora no Porto.", "none"},
		{"Jan werkt bij Philips.", "Jan werkt niet meer bij Philips.", "none"},
		{"Ola mieszka w Krakowie.", "Ola mieszka teraz w Gdańsku.", "none"},
		{"Ольга живёт в Москве.", "Ольга теперь живёт в Казани.", "none"},
		{"时间是 10 分钟", "时间是 20 分钟", "none"},
	} {
		got := "none"
		if r := Rules(Memory{Text: c.new}, []Memory{{Text: c.old}}); r != nil {
			got = r.Type
		}
		if got != c.want {
			t.Errorf("%q → %q: %s, want %s", c.old, c.new, got, c.want)
		}
	}
}

// A statement of change leaves true what it says, and the next change is linked with it, not with what it replaced.
func TestChains(t *testing.T) {
	for _, chain := range [][]string{
		{"Ada works at Acme.", "Ada left Acme and joined Initech.", "Ada left Initech.", "Ada joined Globex."},
		{"The port is 8080.", "The port is 9090.", "The port is 8080 again.", "The port is 7070."},
		{"Ada lives in Rome.", "Ada moved from Rome to Oslo.", "Ada now lives in Bergen."},
		{"CI runs on Jenkins.", "CI moved from Jenkins to Buildkite.", "CI runs on Drone now."},
	} {
		for i := range chain[1:] {
			var old []Memory
			for k, text := range chain[:i+1] {
				old = append(old, Memory{Text: text, At: time.Unix(int64(k), 0)})
			}
			if r := Rules(Memory{Text: chain[i+1]}, old); r == nil || r.Candidate != i {
				t.Errorf("%q: %+v, want a link to %q", chain[i+1], r, chain[i])
			}
		}
	}
}
