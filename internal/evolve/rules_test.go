package evolve_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	. "github.com/stemma-memory/stemma/internal/evolve"
	"github.com/stemma-memory/stemma/internal/model/sim"
	"github.com/stemma-memory/stemma/memory"
)

// classes are what a detector of update and contradict is measured by. What extends or
// derives is none of both.
var classes = []string{memory.Update, memory.Contradict, "none"}

// A Matrix counts pairs by what they are and what a detector said of them.
type Matrix map[string]map[string]int

// Measure lets a detector judge pairs.
func Measure(detect func(new, old Memory) string, pairs []pair) Matrix {
	m := Matrix{}
	for _, c := range classes {
		m[c] = map[string]int{}
	}
	for _, p := range pairs {
		m[class(p.Label)][class(detect(p.memories()))]++
	}
	return m
}

func class(label string) string {
	if label == memory.Update || label == memory.Contradict {
		return label
	}
	return "none"
}

// memories are the pair's two, each about the names that occur in it.
func (p pair) memories() (new, old Memory) {
	about := func(text string) (names []string) {
		for _, a := range p.About {
			if strings.Contains(strings.ToLower(text), strings.ToLower(a)) {
				names = append(names, a)
			}
		}
		return names
	}
	return Memory{Text: p.New, About: about(p.New)}, Memory{Text: p.Old, About: about(p.Old)}
}

// Of returns precision, recall and F1 of a class.
func (m Matrix) Of(class string) (precision, recall, f1 float64) {
	said, are, right := 0, 0, m[class][class]
	for _, c := range classes {
		said += m[c][class]
		are += m[class][c]
	}
	precision, recall = float64(right)/float64(max(said, 1)), float64(right)/float64(max(are, 1))
	if right > 0 {
		f1 = 2 * precision * recall / (precision + recall)
	}
	return precision, recall, f1
}

// Macro is the mean F1 of the classes.
func (m Matrix) Macro() float64 {
	sum := 0.0
	for _, c := range classes {
		_, _, f1 := m.Of(c)
		sum += f1
	}
	return sum / float64(len(classes))
}

func (m Matrix) String() string {
	var b strings.Builder
	fmt.Fprintf(
		&b, "\n| is \\ said | %s | precision | recall | F1 |\n|---|---:|---:|---:|---:|---:|---:|\n",
		strings.Join(classes, " | "),
	)
	for _, c := range classes {
		p, r, f := m.Of(c)
		fmt.Fprintf(
			&b, "| %s | %d | %d | %d | %.2f | %.2f | %.2f |\n", c, m[c][classes[0]], m[c][classes[1]],
			m[c][classes[2]], p, r, f,
		)
	}
	fmt.Fprintf(&b, "macro-F1 %.3f\n", m.Macro())
	return b.String()
}

func byRules(new, old Memory) string {
	if r := Rules(new, []Memory{old}); r != nil {
		return r.Type
	}
	return "none"
}

// bySim asks the simulated model, as any other model is asked.
func bySim(new, old Memory) string {
	answer, err := sim.Generator{}.Generate(context.Background(), Ask(new, []Memory{old}, 1))
	if err != nil {
		return "none"
	}
	r, err := Read(answer, new, 1)
	if err != nil || r == nil {
		return "none"
	}
	return r.Type
}

// What the rules reach at least; docs/lab/evolution.md gives the figures.
type floor struct{ macro, precision float64 } // precision of contradict

func TestTuneHalf(t *testing.T) {
	pairs := readPairs(t, "tune")
	m := Measure(byRules, pairs)
	t.Log(m)
	floor{0.42, 0.95}.holds(t, m)
	for _, p := range pairs {
		got := byRules(p.memories())
		if got != class(p.Label) {
			t.Logf("%s: %s, %q → %q", p.ID, got, p.Old, p.New)
		}
		if p.Source == "seed" && got != class(p.Label) {
			t.Errorf("%s, an example the project was specified with: %s, want %s", p.ID, got, p.Label)
		}
	}
}

// Only figures of this half are printed, so that no one fits the rules to it.
func TestHeldHalf(t *testing.T) {
	pairs := readPairs(t, "held")
	m := Measure(byRules, pairs)
	t.Log("rules", m)
	floor{0.34, 0.88}.holds(t, m)
	t.Log("the simulated model", Measure(bySim, pairs))
}

// The pairs written along with the rules.
func TestOwnPairs(t *testing.T) {
	data, err := os.ReadFile("testdata/rules.txt")
	if err != nil {
		t.Fatal(err)
	}
	var pairs []pair
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(strings.TrimSuffix(line, "\n"), "|")
		if len(f) != 4 {
			t.Fatalf("%q has %d fields, want 4", line, len(f))
		}
		pairs = append(
			pairs,
			pair{Label: f[0], Old: f[1], New: f[2], About: strings.FieldsFunc(f[3], func(c rune) bool { return c == ',' })},
		)
	}
	m := Measure(byRules, pairs)
	t.Log(m)
	floor{0.42, 0.88}.holds(t, m)
	for _, p := range pairs {
		if got := byRules(p.memories()); got != class(p.Label) {
			t.Logf("%s, not %s: %q → %q", got, p.Label, p.Old, p.New)
		}
	}
}

func (f floor) holds(t *testing.T, m Matrix) {
	t.Helper()
	if got := m.Macro(); got < f.macro {
		t.Errorf("macro-F1 = %.3f, want at least %.2f", got, f.macro)
	}
	if got, _, _ := m.Of(memory.Contradict); got < f.precision {
		t.Errorf("precision of contradict = %.3f, want at least %.2f", got, f.precision)
	}
}

// Rules say next to nothing of memories that have nothing to do with each other.
func TestUnrelatedMemories(t *testing.T) {
	const (
		texts = 300
		tries = 20_000
		most  = 0.005
	)
	random := rand.New(rand.NewPCG(7, 11))
	var all []Memory
	for _, p := range readPairs(t, "tune") {
		new, old := p.memories()
		all = append(all, new, old)
	}
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	found := map[string]int{}
	for range tries {
		i, j := random.IntN(texts), random.IntN(texts)
		if all[i].Text == all[j].Text {
			continue
		}
		if r := Rules(all[i], all[j:j+1]); r != nil {
			found[r.Type]++
		}
	}
	n := found[memory.Update] + found[memory.Contradict]
	t.Logf("%d of %d pairs: %v", n, tries, found)
	if float64(n) >= most*tries {
		t.Errorf("%d relations among %d pairs at random, want fewer than %.1f %%", n, tries, most*100)
	}
}

func BenchmarkRules(b *testing.B) {
	old := Memory{
		Text:  "The May outage lasted 40 minutes because the certificate of the gateway had expired and nobody was warned.",
		About: []string{"May outage"},
	}
	new := Memory{
		Text:  "In the May outage the site was down for well over two hours, says Victor, who had the pager that week.",
		About: []string{"Victor"},
	}
	b.ReportAllocs()
	for b.Loop() {
		Rules(new, []Memory{old})
	}
}

// What the project was specified with, and what a person reads of it.
func TestRules(t *testing.T) {
	for _, tt := range []struct{ old, new, want, reason string }{
		{"Alice works at Acme", "Alice left Acme and joined StartupX", memory.Update, "StartupX"},
		{"likes hiking", "hates hiking", memory.Contradict, "hates"},
		{"Bob likes hiking", "Bob hates hiking", memory.Contradict, "hates"},
		{"Know the release branch rules", "Use the release branch rules", "none", ""},
		{"pnpm workspaces", "tabs", "none", ""},
		{"The port is 8080", "The port is 9090", memory.Contradict, "8080 → 9090"},
		{"The timeout is 30 s", "The timeout is 30000 ms", "none", ""},
		{"Alice lives in Rome", "Does Alice live in Oslo?", "none", ""},
		{"Alice lives in Rome", "If Alice lives in Oslo we visit her", "none", ""},
		{"Die Zeit ist 10 Minuten", "Die Zeit ist 20 Minuten", memory.Contradict, "10 → 20"},
		{"时间是 10 分钟", "时间是 20 分钟", "none", ""},
		{"", "", "none", ""},
	} {
		r := Rules(Memory{Text: tt.new}, []Memory{{Text: tt.old}})
		got := "none"
		if r != nil {
			got = r.Type
			if r.Detector != RulesVersion || !strings.Contains(r.Reason, tt.reason) || r.Confidence >= 0.7 {
				t.Errorf("%q → %q: %+v, want a reason with %q", tt.old, tt.new, r, tt.reason)
			}
		}
		if got != tt.want {
			t.Errorf("%q → %q: %s, want %s", tt.old, tt.new, got, tt.want)
		}
	}
	several := []Memory{{Text: "The soup is hot."}, {Text: "Alice works at Acme"}, {Text: "pnpm workspaces"}}
	if r := Rules(Memory{Text: "Alice left Acme and joined StartupX"}, several); r == nil || r.Candidate != 1 {
		t.Errorf("among several: %+v, want the second", r)
	}
	if r := Rules(Memory{Text: "Alice left Acme and joined StartupX", External: true}, several); r != nil {
		t.Errorf("from outside: %+v, want none", r)
	}
}

// Who says again what the newest of a chain says does not speak against it, nor against what that replaced; who says
// otherwise speaks against the newest.
func TestAChainIsSaidAgain(t *testing.T) {
	day := func(n int, text string) Memory {
		return Memory{Text: text, At: time.Date(2026, 3, n, 0, 0, 0, 0, time.UTC)}
	}
	old := []Memory{day(1, "Orders are kept in SQLite"), day(2, "Orders are kept in PostgreSQL from now on")}
	if r := Rules(day(3, "Orders are kept in PostgreSQL."), old); r != nil {
		t.Errorf("said again: %+v, want none", r)
	}
	if r := Rules(day(3, "Orders are kept in MySQL."), old); r == nil || r.Candidate != 1 {
		t.Errorf("said otherwise: %+v, want the newest", r)
	}
	if r := Rules(day(3, "Orders are kept in SQLite."), old); r == nil || r.Candidate != 1 {
		t.Errorf("said as at first: %+v, want the newest", r)
	}
}

func FuzzRules(f *testing.F) {
	f.Add("Alice works at Acme", "Alice left Acme and joined StartupX", "Alice")
	f.Add("2026-01-10: 412 tests, all green", "2026-03-02: 655 tests", "")
	f.Add("no not never 'nt \"a b\" -- 5:30 1.2.3 half an hour and a half", "says that isn't 's", "isn")
	f.Fuzz(func(t *testing.T, old, new, about string) {
		n, o := Memory{Text: new, About: []string{about}}, []Memory{{Text: old, About: []string{about}}, {Text: new}}
		r := Rules(n, o)
		if again := Rules(n, o); !reflect.DeepEqual(r, again) {
			t.Fatalf("%+v, then %+v", r, again)
		}
		if r != nil && Allowed(r, n, len(o)) == nil {
			t.Fatalf("%+v may not be", r)
		}
	})
}
