package vocabularies

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/dlclark/regexp2/v2"
	"github.com/tiktoken-go/tokenizer"

	"github.com/stemma-memory/stemma/internal/tokens"
)

var texts = flag.Int("texts", 300, "texts of each kind")

// A reference counts as others do.
type reference struct {
	o200k, cl100k tokenizer.Codec
	words         map[string]int  // of cl100k
	blanks        *regexp2.Regexp // the pattern of cl100k in tiktoken
}

func newReference(t testing.TB) *reference {
	t.Helper()
	ref := &reference{words: map[string]int{}}
	var err error
	if ref.o200k, err = tokenizer.Get(tokenizer.O200kBase); err != nil {
		t.Fatal(err)
	}
	if ref.cl100k, err = tokenizer.Get(tokenizer.Cl100kBase); err != nil {
		t.Fatal(err)
	}
	for rank := range 100256 {
		word, err := ref.cl100k.Decode([]uint{uint(rank)})
		if err != nil {
			t.Fatal(err)
		}
		ref.words[word] = rank
	}
	ref.blanks = regexp2.MustCompile(`'(?i:[sdmt]|ll|ve|re)|(?>[^\r\n\p{L}\p{N}]?)(?>\p{L}+)|(?>\p{N}{1,3})|`+
		` ?(?>[^\s\p{L}\p{N}]+)(?>[\r\n]*)|(?>\s+)\z|\s*[\r\n]|\s+(?!\S)|\s`, regexp2.None)
	return ref
}

// count returns what tokens.Of is to return.
func (ref *reference) count(t testing.TB, text string) tokens.Cost {
	t.Helper()
	cost := ref.plain(t, text)
	if !utf8.ValidString(text) {
		sent := ref.plain(t, string([]rune(text)))
		cost = tokens.Cost{O200k: max(cost.O200k, sent.O200k), Cl100k: max(cost.Cl100k, sent.Cl100k)}
	}
	return cost
}

func (ref *reference) plain(t testing.TB, text string) tokens.Cost {
	t.Helper()
	o, err := ref.o200k.Count(text)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	c, err := ref.cl100k.Count(text)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return tokens.Cost{O200k: o, Cl100k: max(c, ref.byTiktoken(t, text))}
}

// byTiktoken counts by cl100k with tiktoken's own pattern, if that may differ from the pattern of tiktoken-go: in
// texts that end with blanks.
func (ref *reference) byTiktoken(t testing.TB, text string) int {
	t.Helper()
	if rest := strings.TrimRightFunc(text, unicode.IsSpace); len(rest) == len(text) {
		return 0
	}
	sum := 0
	m, err := ref.blanks.FindStringMatch(text)
	for ; m != nil && err == nil; m, err = ref.blanks.FindNextMatch(m) {
		sum += ref.merge(m.String())
	}
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return sum
}

// merge counts the tokens of a piece in the simplest way.
func (ref *reference) merge(piece string) int {
	if _, ok := ref.words[piece]; ok {
		return 1
	}
	var parts []string
	for i := range len(piece) {
		parts = append(parts, piece[i:i+1])
	}
	for {
		best, at := -1, 0
		for i := range len(parts) - 1 {
			if rank, ok := ref.words[parts[i]+parts[i+1]]; ok && (best < 0 || rank < best) {
				best, at = rank, i
			}
		}
		if best < 0 {
			return len(parts)
		}
		parts[at] += parts[at+1]
		parts = append(parts[:at+1], parts[at+2:]...)
	}
}

// same compares one text; what only the newer Unicode has may cost more than the reference knows.
func (ref *reference) same(t testing.TB, what, text string) bool {
	t.Helper()
	want, got := ref.count(t, text), tokens.Of(text)
	if got == want || newer(text) && got.O200k >= want.O200k && got.Cl100k >= want.Cl100k {
		return true
	}
	if len(text) > 2000 {
		what, text = fmt.Sprintf("%s of %d bytes", what, len(text)), text[:2000]
	}
	t.Errorf("%s: %v, want %v: %q", what, got, want, text)
	return false
}

// newer reports whether a text has characters that this Go does not know.
func newer(text string) bool {
	for _, r := range text {
		if !unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z, unicode.C) {
			return true
		}
	}
	return false
}

func TestCountsAreThoseOfTheTokenizers(t *testing.T) {
	ref := newReference(t)
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			wrong := 0
			for seed := range *texts {
				if !ref.same(t, fmt.Sprint(seed), k.write(rand.New(rand.NewPCG(uint64(seed), 1)))) {
					if wrong++; wrong == 5 {
						t.FailNow()
					}
				}
			}
		})
	}
}

func TestCountsOfTheRepositoryAreThoseOfTheTokenizers(t *testing.T) {
	ref := newReference(t)
	wrong, size, all := 0, 0, sources(t)
	for _, text := range all {
		size += len(text)
		if !ref.same(t, "a source", text) {
			if wrong++; wrong == 5 {
				break
			}
		}
	}
	t.Logf("%d texts, %d bytes", len(all), size)
}

func FuzzCount(f *testing.F) {
	ref := newReference(f)
	for _, k := range kinds {
		for seed := range 5 {
			f.Add(k.write(rand.New(rand.NewPCG(uint64(seed), 2))))
		}
	}
	f.Fuzz(func(t *testing.T, text string) { ref.same(t, "fuzz", text) })
}
