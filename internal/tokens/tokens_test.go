package tokens

import (
	"bufio"
	"encoding/json"
	"hash/maphash"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// A sample is a text with its tokens, as the module vocabularies counts them with others' tokenizers.
type sample struct {
	Kind          string
	Text          []byte
	O200k, Cl100k int
}

func samples(t testing.TB) []sample {
	t.Helper()
	f, err := os.Open("testdata/counts.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []sample
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var s sample
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	if len(all) < 300 {
		t.Fatalf("%d samples", len(all))
	}
	return all
}

func TestCountsAreThoseOfTheTokenizers(t *testing.T) {
	for _, s := range samples(t) {
		if got, want := Of(string(s.Text)), (Cost{s.O200k, s.Cl100k}); got != want {
			t.Errorf("%s: Of(%q) = %v, want %v", s.Kind, s.Text, got, want)
		}
	}
}

// Counted with tiktoken.
func TestOf(t *testing.T) {
	for text, want := range map[string]Cost{
		"":                                     {0, 0},
		"hello world":                          {2, 2},
		"don't stop":                           {2, 3},
		"日本語":                                  {2, 4},
		"<|endoftext|>":                        {7, 7},
		"\n\t\t3.14":                           {6, 6},
		"x\x7f=":                               {3, 3},
		strings.Repeat("a", 128):               {16, 16},
		"\U0001f469\u200d\U0001f4bb writes it": {7, 9},
	} {
		if got := Of(text); got != want {
			t.Errorf("Of(%q) = %v, want %v", text, got, want)
		}
	}
}

// Some characters are letters or digits to newer programs and none to older ones: both are counted.
func TestBothVersionsOfUnicodeAreCounted(t *testing.T) {
	const text = "1\U00010d40234" // a digit of Unicode 16, which is in a group with 1 and 2
	for _, o := range []vocabulary{o200k(), cl100k()} {
		older, newer := o.count(reading{text, 0}, all), o.count(reading{text, 4}, all)
		if newer <= older {
			t.Fatalf("%d and %d tokens: this test would prove nothing", older, newer)
		}
	}
	v := reading{text, 4}
	if got, want := Of(text), (Cost{o200k().count(v, all), cl100k().count(v, all)}); got != want {
		t.Errorf("Of = %v, want %v", got, want)
	}
}

// Parted with tiktoken's patterns.
func TestPieces(t *testing.T) {
	for _, tt := range []struct{ o200k, cl100k string }{
		{"it's| a|DON'T|.", "it|'s| aDON|'T|."},
		{"it'ſ| x'ſ", "it|'ſ| x|'ſ"},
		{"'rewe'll|a|'r", "'re|we|'ll|a|'r"},
		{"Foo|Bar|XMLHttp", "FooBarXMLHttp"},
		{"中|AB| 中AB中Ab", "中AB| 中AB中Ab"},
		{"e\u0301|E| \u0301a|!\u0301", "e|\u0301E| \u0301|a|!\u0301"},
		{"123|4|a|½|b", "123|4|a|½|b"},
		{"a|.\n//\n|\t\n|\t|\tb", "a|.\n|//\n|\t\n|\t|\tb"},
		{"a|  | b| ", "a|  | b| "},
		{"a| |1| (|\u3000b|\n|  ", "a| |1| (|\u3000b|\n|  "},
	} {
		for want, o := range map[string]vocabulary{tt.o200k: o200k(), tt.cl100k: cl100k()} {
			v := reading{strings.ReplaceAll(want, "|", ""), 0}
			var got []string
			for i := 0; i < len(v.text); {
				end := o.split(v, i)
				got = append(got, v.text[i:end])
				i = end
			}
			if got := strings.Join(got, "|"); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		}
	}
}

func TestFits(t *testing.T) {
	for _, s := range samples(t) {
		text := string(s.Text)
		n := max(s.O200k, s.Cl100k)
		for most := -1; most <= n+2; most++ {
			if got := Fits(text, most); got != (n <= most) {
				t.Errorf("Fits(%q, %d) = %v, it has %d tokens", text, most, got, n)
			}
		}
	}
	if Fits("", -1) || !Fits("", 0) {
		t.Error("the empty text costs no token")
	}
	if !Fits("word", math.MaxInt) || Cut("word", math.MaxInt, "…") != "word" {
		t.Error("a word is more than any number of tokens")
	}
}

// Where Apart says so, costs are added up.
func TestCostsAddUpWhereTextsAreApart(t *testing.T) {
	all := samples(t)
	r := rand.New(rand.NewPCG(1, 1))
	apart, seams := 0, 0
	check := func(a, b string) {
		seams++
		if !Apart(a, b) {
			return
		}
		apart++
		whole, sum := Of(a+b), Of(a).Add(Of(b))
		if strange(a) && strange(b) {
			if whole.O200k > sum.O200k || whole.Cl100k > sum.Cl100k {
				t.Errorf("Of(%q + %q) = %v, more than %v", a, b, whole, sum)
			}
		} else if whole != sum {
			t.Errorf("Of(%q + %q) = %v, want %v", a, b, whole, sum)
		}
	}
	for _, s := range all {
		text := string(s.Text)
		for i := range text {
			check(text[:i], text[i:])
		}
		for range 20 {
			other := string(all[r.IntN(len(all))].Text)
			check(text, other)
			check(text+"\n", other)
			check(text, " "+other)
			check(text+"a", other)
			check(text+"1", other)
			check(text+"中", other)
		}
	}
	if apart*8 < seams {
		t.Errorf("%d of %d seams are apart: this test would prove little", apart, seams)
	}
}

// strange reports whether a text is read in more than one way.
func strange(s string) bool {
	newer, broken := odd(s)
	return newer || broken
}

func TestApart(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"", "x", true}, {"x", "", true}, {"word", " word", true}, {"word.", " word", true}, {"word", "\"", true},
		{"word", ".", true},
		{"a line.\n", "a line", true}, {"a line\n", "- item", true}, {"word", "\n", true}, {"12", "km", true},
		{"km", "12", true},
		{"word", "s", false}, {"word", "'s", false}, {"e", "\u0301", false}, {".", "\n", false}, {"\n", "\n", false},
		{"\n", "  x", false},
		{".\n", "/", false}, {" ", "word", false}, {"  ", " word", false}, {".", ".", false},
		{"12", "3", false}, {"(", "word", false},
	} {
		if got := Apart(tt.a, tt.b); got != tt.want {
			t.Errorf("Apart(%q, %q) = %v, want %v", tt.a, tt.b, got, tt.want)
		}
	}
}

func TestCut(t *testing.T) {
	for _, tt := range []struct {
		text string
		most int
		want string
	}{
		{"one two three", 3, "one two three"},
		{"one two three four", 3, "one two…"},
		{"one two three four", 1, "…"},
		{"one two three four", 0, ""},
		{"one two\nthree four", 4, "one two…"},
		{"", 0, ""},
	} {
		if got := Cut(tt.text, tt.most, "…"); got != tt.want {
			t.Errorf("Cut(%q, %d) = %q, want %q", tt.text, tt.most, got, tt.want)
		}
	}
}

func checkCut(t *testing.T, text string, most int, sign string) {
	t.Helper()
	got := Cut(text, most, sign)
	if Count(text) <= most {
		if got != text {
			t.Errorf("Cut(%q, %d) = %q though it fits", text, most, got)
		}
		return
	}
	if Count(got) > max(most, 0) {
		t.Errorf("Cut(%q, %d, %q) = %q has %d tokens", text, most, sign, got, Count(got))
	}
	kept, ok := strings.CutSuffix(got, sign)
	if !ok {
		if got != "" || Count(sign) <= most {
			t.Errorf("Cut(%q, %d, %q) = %q", text, most, sign, got)
		}
		return
	}
	if !strings.HasPrefix(text, kept) || len(kept) == len(text) {
		t.Fatalf("Cut(%q, %d, %q) = %q", text, most, sign, got)
	}
	if kept != "" && !ends(text, len(kept)) {
		t.Errorf("Cut(%q, %d, %q) = %q ends within a character", text, most, sign, got)
	}
	if next, _ := utf8.DecodeRuneInString(text[len(kept):]); len(text) > window || unicode.IsSpace(next) {
		return // it may end at a word
	}
	for end := len(kept) + 1; end < len(text); end++ {
		longer := strings.TrimRightFunc(text[:end], unicode.IsSpace)
		if ends(text, end) && len(longer) > len(kept) && Count(longer+sign) <= most {
			t.Errorf("Cut(%q, %d, %q) = %q, but %q fits", text, most, sign, got, longer)
			return
		}
	}
}

func TestCutKeepsCharactersWhole(t *testing.T) {
	for _, one := range []string{"👩‍👩‍👧‍👦", "👍🏽", "🇩🇪", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "ẹ́", "한", "नी", "1️⃣", "❤️"} {
		text := strings.Repeat(one, 9)
		for most := range Count(text) {
			if got := Cut(text, most, ""); len(got)%len(one) != 0 {
				t.Errorf("Cut(%q, %d) = %q", text, most, got)
			}
		}
	}
}

func TestShortAndLongPiecesAreMergedAlike(t *testing.T) {
	for _, s := range samples(t) {
		for _, o := range []vocabulary{o200k(), cl100k()} {
			if text := string(s.Text); text != "" && len(text) <= short {
				if got, want := o.mergeLong(text), o.mergeShort(text); got != want {
					t.Errorf("%q: %d, want %d", text, got, want)
				}
			}
		}
	}
}

func TestCountAllocatesNothing(t *testing.T) {
	text := strings.Repeat("Where orders are kept was decided in May; see https://example.org/a/b?c=d. 注文はどこに。 ", 20)
	n := 1.0
	for range 20 { // with some seeds two of its pieces have one place
		if seed = maphash.MakeSeed(); n > 0 {
			n = testing.AllocsPerRun(100, func() { Count(text) })
		}
	}
	if n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func FuzzCount(f *testing.F) {
	for _, s := range samples(f) {
		f.Add(string(s.Text), 7)
	}
	f.Fuzz(func(t *testing.T, text string, at int) {
		c := Of(text)
		if c.Max() > 3*len(text) || c.O200k*longest < len(text) || c.Cl100k*longest < len(text) {
			t.Errorf("Of(%q) = %v", text, c)
		}
		if !Fits(text, c.Max()) || Fits(text, c.Max()-1) {
			t.Errorf("Fits(%q) is not what %d tokens are", text, c.Max())
		}
		if at < 0 || at > len(text) {
			return
		}
		if utf8.ValidString(text) {
			checkCut(t, text, at, "…")
		}
		if a, b := text[:at], text[at:]; Apart(a, b) && utf8.ValidString(a) && utf8.ValidString(b) {
			if sum := Of(a).Add(Of(b)); c.O200k > sum.O200k || c.Cl100k > sum.Cl100k || c != sum && !strange(text) {
				t.Errorf("Of(%q + %q) = %v, want %v", a, b, c, sum)
			}
		}
	})
}
