package pack

import (
	"bufio"
	"cmp"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// A counted text has been given to the tokenizers themselves.
type counted struct {
	Class  string
	CL100k int
	O200k  int
	Text   string
}

// countedTexts reads testdata/tokens.jsonl; the counts in it are tiktoken's.
func countedTexts(t testing.TB) []counted {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "tokens.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var list []counted
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var c counted
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		list = append(list, c)
	}
	if err := lines.Err(); err != nil || len(list) < 40 {
		t.Fatalf("%d texts: %v", len(list), err)
	}
	return list
}

func TestTheEstimateIsNeverUnderWhatTokenizersCount(t *testing.T) {
	for _, c := range countedTexts(t) {
		if got, least := Estimate(c.Text), max(c.CL100k, c.O200k); got < least {
			t.Errorf("%s: estimated %d, counted %d: %.60s", c.Class, got, least, c.Text)
		}
	}
}

func TestTheEstimateIsNotFarOver(t *testing.T) {
	limits := map[string]int{"english": 145, "code": 140} // percent of what is counted
	const others = 175
	sums := map[string][2]int{}
	for _, c := range countedTexts(t) {
		class := c.Class
		switch class {
		case "go", "python", "typescript", "sql", "shell", "json":
			class = "code"
		}
		s := sums[class]
		sums[class] = [2]int{s[0] + Estimate(c.Text), s[1] + max(c.CL100k, c.O200k)}
	}
	for class, s := range sums {
		if most := cmp.Or(limits[class], others); s[0]*100 > s[1]*most {
			t.Errorf("%s: estimated %d, counted %d: over %d %%", class, s[0], s[1], most)
		}
	}
}

// mixed returns texts of all kinds cut at any character.
func mixed(t testing.TB, n int) []string {
	t.Helper()
	texts := countedTexts(t)
	r := rand.New(rand.NewPCG(9, 9))
	list := make([]string, n)
	for i := range list {
		a, b := []rune(texts[r.IntN(len(texts))].Text), []rune(texts[r.IntN(len(texts))].Text)
		list[i] = string(a[r.IntN(len(a)):]) + string(b[:r.IntN(len(b))])
	}
	return list
}

func TestTheWholeCostsAtMostOneTokenMoreThanItsParts(t *testing.T) {
	for _, s := range mixed(t, 60) {
		for i := range s {
			if got, parts := Estimate(s), Estimate(s[:i])+Estimate(s[i:]); got > parts+1 {
				t.Fatalf("Estimate(%q) = %d, and of its parts at %d %d", s, got, i, parts)
			}
		}
	}
}

func TestTheEstimateNeverFallsWhenTextIsAppended(t *testing.T) {
	for _, s := range mixed(t, 200) {
		last := 0
		for i := range s {
			got := Estimate(s[:i])
			if got < last {
				t.Fatalf("Estimate(%q) = %d, and without its last character %d", s[:i], got, last)
			}
			last = got
		}
	}
}

// The chooser adds up the weights of pieces; that is right only if the whole never weighs more.
func TestPiecesWeighAtLeastAsMuchAsTheWhole(t *testing.T) {
	var req Request
	for i, c := range countedTexts(t) {
		req.Entries = append(req.Entries, Entry{Ref: "note:" + string(rune('a'+i%26)), Section: "verified", Text: c.Text,
			Path: c.Text, Why: c.Text})
	}
	for _, f := range formats {
		c := newChooser(build(t, req), build(t, req).form(f))
		pieces := []string{c.form.open(c.heading(inFull, 500, 500))}
		for i := range c.layout.Sections {
			pieces = append(pieces, c.form.section(&c.layout.Sections[i], i > 0))
			for e := range c.entries {
				pieces = append(pieces, c.line(i, e, 0, e > 0))
			}
			pieces = append(pieces, c.form.missed(&c.layout.Sections[i], 3, 500), c.form.end())
		}
		pieces = append(pieces, c.form.left([]Omission{{"needs", ForBudget, 3, 0}}, inFull), c.form.close())
		sum := 0
		for _, p := range pieces {
			sum += weigh(p)
		}
		if whole := weigh(strings.Join(pieces, "")); whole > sum {
			t.Errorf("%s: the whole weighs %d, its pieces %d", f, whole, sum)
		}
	}
}

func TestNoByteIsDearerThanItIsSaidToBe(t *testing.T) {
	for c := range 256 {
		for _, before := range []string{"", "a", "A", " ", "1", "\n", "."} {
			s := before + string([]byte{byte(c)})
			if got := weigh(s); got > dearest*len(s) {
				t.Errorf("%q weighs %d", s, got)
			}
		}
	}
	for r := rune(0); r < 0x30000; r++ {
		if got := weigh(string(r)); got > dearest*utf8.RuneLen(max(r, 0)) && utf8.ValidRune(r) {
			t.Errorf("%U weighs %d", r, got)
		}
	}
}

func FuzzEstimate(f *testing.F) {
	for _, c := range countedTexts(f) {
		f.Add(c.Text, len(c.Text)/2)
	}
	f.Fuzz(func(t *testing.T, s string, at int) {
		if at < 0 || at > len(s) {
			return
		}
		whole, a, b := Estimate(s), Estimate(s[:at]), Estimate(s[at:])
		if whole > a+b+1 {
			t.Errorf("Estimate(%q) = %d, of its parts at %d %d and %d", s, whole, at, a, b)
		}
		if (whole == 0) != (s == "") {
			t.Errorf("Estimate(%q) = %d", s, whole)
		}
	})
}
