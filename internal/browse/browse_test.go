package browse_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/browse"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/plain"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/memory"
)

var update = flag.Bool("update", false, "write the golden files anew")

// A house is a store of a person and an agent, who wrote some things in it.
type house struct {
	t            testing.TB
	owner, agent *engine.Engine
	belief, new  string
	tick         func() // a day passes
}

func newHouse(t testing.TB) *house {
	t.Helper()
	dir := t.TempDir()
	clock := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
	open := func(origin memory.Origin) *engine.Engine {
		e, err := engine.Open(t.Context(), filepath.Join(dir, "memory.db"), engine.Config{
			Origin: origin, KeyDir: filepath.Join(dir, "keys"), Agent: "planner", Dir: dir,
			Now: func() time.Time { return clock },
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { e.Close() })
		return e
	}
	h := &house{
		t: t, owner: open(memory.OriginOwner), agent: open(memory.OriginAgent),
		tick: func() { clock = clock.Add(24 * time.Hour) },
	}
	slow := h.raw("Ada", "The /orders page took 4 s today.\nI measured it twice.")
	fast := h.raw("", "After the cache went in: 80 ms. 漢字 and 👍🏽 too.")
	h.tick()
	first := h.promote(slow, "Profiled the slow /orders endpoint")
	second := h.promote(fast, "Put a cache before /orders")
	h.tick()
	h.belief = h.consolidate("Caching pays off for slow endpoints", first, second)
	h.tick()
	r, err := h.agent.Revise(
		t.Context(),
		api.ReviseRequest{Ref: h.belief, Draft: api.Draft{Text: "Caching pays off for slow endpoints that are read often"}},
	)
	h.must(err)
	h.new = r.Ref
	h.consolidate("Old endpoints are slow", first)
	note, err := h.agent.Add(
		t.Context(), api.AddRequest{Draft: api.Draft{Kind: "note", Text: "somebody wants the cache gone"}},
	)
	h.must(err)
	_, err = h.owner.Quarantine(t.Context(), api.QuarantineRequest{Target: note.Ref, Reason: "nobody knows who"})
	h.must(err)
	return h
}

func (h *house) must(err error) {
	h.t.Helper()
	if err != nil {
		h.t.Fatal(err)
	}
}

func (h *house) raw(speaker, text string) string {
	h.t.Helper()
	r, err := h.agent.Capture(h.t.Context(), api.CaptureRequest{Text: text, Speaker: speaker})
	h.must(err)
	return r.Ref
}

func (h *house) promote(raw, text string) string {
	h.t.Helper()
	r, err := h.agent.Promote(h.t.Context(), api.PromoteRequest{From: []string{raw}, Draft: api.Draft{Text: text}})
	h.must(err)
	return r.Ref
}

func (h *house) consolidate(text string, from ...string) string {
	h.t.Helper()
	r, err := h.agent.Consolidate(h.t.Context(), api.ConsolidateRequest{From: from, Draft: api.Draft{Text: text}})
	h.must(err)
	return r.Ref
}

// walk begins a walk and presses keys.
func (h *house) walk(o browse.Options, ref, words string, keys ...browse.Key) *browse.Model {
	h.t.Helper()
	m := browse.New(h.owner, o)
	h.must(m.Start(h.t.Context(), ref, words))
	m.Screen(100, 30)
	press(h.t, m, keys...)
	return m
}

func press(t testing.TB, m *browse.Model, keys ...browse.Key) {
	for _, k := range keys {
		m.Press(t.Context(), k)
	}
}

// letters are the keys of a word that is typed.
func letters(word string) []browse.Key {
	var out []browse.Key
	for _, r := range word {
		out = append(out, browse.Key(string(r)))
	}
	return out
}

// digits are what differs from run to run: ids and keys.
var digits = regexp.MustCompile(`z6Mk\w+|\b[0-9a-f]{8,64}\b`)

// named returns ids names of one length, in the order of their coming.
func named(text string) string {
	seen := make(map[string]string)
	return digits.ReplaceAllStringFunc(text, func(s string) string {
		key := shorten.To(s, 8)
		if seen[key] == "" {
			seen[key] = fmt.Sprintf("%08d", len(seen)+1)
		}
		return seen[key] + strings.Repeat("-", len(s)-8)
	})
}

// TestScreens compares what a person sees with what they saw before.
func TestScreens(t *testing.T) {
	h := newHouse(t)
	tests := []struct {
		name          string
		width, height int
		ref, words    string
		keys          []browse.Key
	}{
		{"list", 100, 14, "", "", nil},
		{"list-hidden-raw", 100, 14, "", "", []browse.Key{"v", "f"}},
		{"list-narrow", 40, 16, "", "", nil},
		{"search", 100, 14, "", "cache", []browse.Key{"v"}},
		{"nothing", 60, 10, "", "zebra", nil},
		{"page", 100, 26, "new", "", nil},
		{"page-narrow", 40, 24, "new", "", nil},
		{"page-folded", 80, 24, "belief", "", []browse.Key{"-", browse.Right}},
		{"evidence", 80, 24, "new", "", []browse.Key{"2"}},
		{"trust", 80, 30, "new", "", []browse.Key{"w"}},
		{"history", 80, 20, "new", "", []browse.Key{"t"}},
		{"record", 80, 40, "new", "", []browse.Key{"5"}},
		{"help", 80, 20, "", "", []browse.Key{"?"}},
		{"help-narrow", 40, 40, "", "", []browse.Key{"?"}},
		{"confirm", 80, 10, "", "", []browse.Key{"j", "a"}},
		{
			"typing", 50, 10, "", "",
			append([]browse.Key{"/"}, letters("a very long question that does not fit into the line")...),
		},
		{"low", 80, 3, "", "", []browse.Key{"j"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ref := map[string]string{"new": h.new, "belief": h.belief}[tt.ref]
			m := h.walk(browse.Options{Decide: true}, ref, tt.words)
			m.Screen(tt.width, tt.height)
			press(t, m, tt.keys...)
			got := named(m.Screen(tt.width, tt.height)) + "\n"
			file := filepath.Join("testdata", tt.name+".txt")
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil || got != string(want) {
				t.Errorf("%v; got\n%s\nwant\n%s", err, got, want)
			}
		})
	}
}

// Every place fits into every screen: as many lines, none too wide, in colour
// too.
func TestScreensFit(t *testing.T) {
	h := newHouse(t)
	for _, color := range []bool{false, true} {
		m := h.walk(browse.Options{Color: color, Decide: true}, h.new, "")
		for _, keys := range [][]browse.Key{
			nil, {"2"}, {"3"}, {"4"}, {"5"}, {"?"}, {"q", "n"}, {"v"}, {"a"}, {"n", "/", "x"},
			{browse.Escape, "r"},
		} {
			press(t, m, keys...)
			for width := 1; width <= 130; width += 7 {
				for height := 1; height <= 40; height += 3 {
					text := m.Screen(width, height)
					if n := strings.Count(text, "\n") + 1; n != height {
						t.Fatalf("%v on %d×%d: %d lines", keys, width, height, n)
					}
					for line := range strings.Lines(text) {
						if w := ansi.StringWidth(strings.TrimSuffix(line, "\n")); w > width {
							t.Fatalf("%v on %d×%d: %d columns in %q", keys, width, height, w, line)
						}
					}
					if !color && strings.Contains(text, "\x1b") {
						t.Fatalf("a colour where none is wanted: %q", text)
					}
				}
			}
		}
	}
}

// One goes from a belief down to the words and back, and on again.
func TestWalk(t *testing.T) {
	h := newHouse(t)
	m := h.walk(browse.Options{}, h.new, "")
	see := func(what string, keys ...browse.Key) {
		t.Helper()
		press(t, m, keys...)
		if text := m.Screen(100, 30); !strings.Contains(text, what) {
			t.Fatalf("after %q no %q in\n%s", keys, what, text)
		}
	}
	see("› └ ▾ belief:")
	see("›   │ └ · raw:", "j", "j")
	see("I measured it twice.", browse.Enter)
	see("› └ ▾ episode:")
	see("that are read often", "[")
	see("I measured it twice.", "]")
	see("nothing further on", "]")
	see("›   ├ ▾ episode:", "[", browse.Left)
	see("›   ├ ▸ episode:", "h")
	see("› └ ▾ belief:", "h")
	see("› └ ▸ belief:", "h")
	see("this is where you began", "h")
	see("▾ belief:", "l")
	see("search \"cache\"", append(append([]browse.Key{"/"}, letters("cache")...), browse.Enter)...)
	see("kind raw", "f")
	see("search \"cache\"", "F")
	press(t, m, "[", "g")
	see("›   ├ ▸ episode:", "j")
	if text := m.Screen(40, 30); !strings.Contains(text, "›   ├ ▸ episode Profiled") {
		t.Errorf("another size selects another row:\n%s", text)
	}
	if m.Done() {
		t.Error("the walk is over before q")
	}
	press(t, m, "q")
	if !m.Done() {
		t.Error("q does not leave")
	}
}

// A branch below what was asked for at first is asked for when it is opened.
func TestDeepBranches(t *testing.T) {
	h := newHouse(t)
	ref := h.new
	for i := range 8 {
		ref = h.consolidate(fmt.Sprintf("conclusion number %d of them", i), ref)
	}
	m := h.walk(browse.Options{}, ref, "")
	press(t, m, "+")
	if text := m.Screen(100, 60); strings.Contains(text, "4 s today") {
		t.Fatalf("all levels at once:\n%s", text)
	}
	for range 40 {
		press(t, m, "l")
		if strings.Contains(m.Screen(100, 60), "4 s today") {
			return
		}
	}
	t.Errorf("the words are not reached:\n%s", m.Screen(100, 60))
}

// Approving asks first, and only y is yes; rejecting takes a reason.
func TestDecisions(t *testing.T) {
	h := newHouse(t)
	review := func() api.ShowReply {
		r, err := h.owner.Show(t.Context(), api.RefRequest{Ref: h.new})
		h.must(err)
		return r
	}
	m := h.walk(browse.Options{Decide: true}, h.new, "")
	for _, k := range []browse.Key{browse.Enter, "n", " ", "pasted:y", browse.Escape} {
		if press(t, m, "a", k); review().Review != "pending" {
			t.Fatalf("%q approved it", k)
		}
	}
	if press(t, m, "a", "y"); review().Review != "approved" {
		t.Errorf("y did not approve: %s", m.Screen(100, 30))
	}
	if text := m.Screen(100, 30); !strings.Contains(text, "belief · observed · approved") ||
		!strings.Contains(text, ": approved, observed") {
		t.Errorf("the page does not show the approval:\n%s", text)
	}
	if press(t, m, "x", "y", browse.Escape); review().Review != "approved" {
		t.Error("escape in the place of a reason rejected it")
	}
	h.tick()
	press(t, m, "x", "y")
	press(t, m, letters("a guess")...)
	press(t, m, browse.Enter)
	r := review()
	if r.Review != "rejected" || r.Claims[len(r.Claims)-1].Content["reason"] != "a guess" {
		t.Errorf("review %q, claims %+v", r.Review, r.Claims)
	}
	onlooker := h.walk(browse.Options{}, h.belief, "")
	if press(t, onlooker, "a", "y"); !strings.Contains(onlooker.Screen(100, 30), "place") &&
		strings.Contains(onlooker.Screen(100, 30), "· approved") {
		t.Errorf("one who may not decide did:\n%s", onlooker.Screen(100, 30))
	}
}

// Nothing that memory says reaches the terminal as a control.
func TestNothingSteersTheTerminal(t *testing.T) {
	h := newHouse(t)
	for _, evil := range []string{
		"\x1b[31m", "\x1b]0;t\x07", "\u009b2J", "\r", "\u202e", "\u2066", "\u200b", "\ufeff", "\u2028",
		"\U000e0041", "\x7f", "\x1b[?1049l",
	} {
		raw := h.raw("Eve"+evil, "words "+evil+" of a raw\nand "+evil)
		ref := h.promote(raw, "an episode "+evil+" of words")
		m := h.walk(browse.Options{Decide: true}, ref, "", "1", "2", "3", "4", "5")
		for _, keys := range [][]browse.Key{
			nil, {"a"}, {"n", "1"}, {"2"}, {"5"}, {"n"}, {"v"}, {"f"}, {"j"}, {"x"},
			{"n", "/", browse.Key("pasted:" + evil)}, {browse.Enter},
		} {
			press(t, m, keys...)
			text := m.Screen(120, 50)
			if i := strings.IndexFunc(text, func(r rune) bool { return plain.Harmful(r) }); i >= 0 {
				t.Fatalf("%q after %q: %q", evil, keys, text[max(0, i-30):min(i+10, len(text))])
			}
		}
	}
}

// What fails is said, and one stays where one is.
func TestFailures(t *testing.T) {
	h := newHouse(t)
	m := browse.New(h.owner, browse.Options{Decide: true})
	if err := m.Start(t.Context(), "belief:ffffffff", ""); err == nil {
		t.Error("a walk began at nothing")
	}
	m = h.walk(browse.Options{Decide: true}, h.new, "")
	gone, cancel := context.WithCancelCause(t.Context())
	cancel(fmt.Errorf("the store is away"))
	m.Press(gone, browse.Enter)
	if !strings.Contains(m.Screen(100, 30), "that are read often") {
		t.Errorf("not where one was:\n%s", m.Screen(100, 30))
	}
}
