package extract

import (
	"bufio"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// A namedSentence is one of testdata/entities.txt: what it names, each with its kind.
type namedSentence struct {
	text string
	want map[string]string
}

func namedSentences(t *testing.T) []namedSentence {
	t.Helper()
	f, err := os.Open("testdata/entities.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []namedSentence
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		text, names, _ := strings.Cut(lines.Text(), " | ")
		s := namedSentence{text, map[string]string{}}
		for n := range strings.SplitSeq(names, "; ") {
			if name, kind, ok := strings.Cut(n, ": "); ok {
				s.want[name] = kind
			}
		}
		out = append(out, s)
	}
	if len(out) != 200 {
		t.Fatalf("%d sentences, want 200", len(out))
	}
	return out
}

// What a sentence is kept under is what it names, and nothing else; each name is of its kind. The rules were made
// with the odd sentences; the even ones were held back.
func TestSentencesName(t *testing.T) {
	halves := []struct {
		name          string
		recall, kinds float64
		wanted, found int
		sorted        int
	}{{name: "developing", recall: .95, kinds: .95}, {name: "held", recall: .9, kinds: .9}}
	for i, s := range namedSentences(t) {
		h := &halves[i%2]
		var got []string
		found, _ := Remember(s.text, time.Time{})
		for _, e := range found {
			got = append(got, e.Name)
		}
		for _, d := range Kept("", s.text, time.Time{}) {
			got = append(got, d.About...)
		}
		slices.Sort(got)
		for _, name := range slices.Compact(got) {
			if _, ok := s.want[name]; !ok && !Nameless(name) {
				t.Errorf("%s: %q names %q, which is no name in it", h.name, s.text, name)
			}
		}
		h.wanted += len(s.want)
		for name, kind := range s.want {
			if !slices.Contains(got, name) {
				t.Logf("%s: %q: %q is not found", h.name, s.text, name)
				continue
			}
			h.found++
			if is := KindOf(name, []string{s.text}); is == kind {
				h.sorted++
			} else {
				t.Logf("%s: %q: %q is a %s, want %s", h.name, s.text, name, is, kind)
			}
		}
	}
	for _, h := range halves {
		recall, kinds := float64(h.found)/float64(h.wanted), float64(h.sorted)/float64(h.found)
		t.Logf("%s: %d of %d names found (%.2f), %d of the right kind (%.2f)", h.name, h.found, h.wanted, recall, h.sorted,
			kinds)
		if recall < h.recall || kinds < h.kinds {
			t.Errorf("%s: recall %.2f and kinds %.2f, want at least %.2f and %.2f", h.name, recall, kinds, h.recall, h.kinds)
		}
	}
}
