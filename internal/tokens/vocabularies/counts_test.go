package vocabularies

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/dlclark/regexp2/v2"
	"github.com/tiktoken-go/tokenizer"

	"github.com/stemma-memory/stemma/internal/tokens"
)

var (
	texts  = flag.Int("texts", 300, "texts of each kind; with more, also the whole repository")
	update = flag.Bool("update", false, "write the counts that package tokens is tested with")
)

// The patterns of tiktoken, with (?>…) for what it writes with ++.
const (
	o200kPattern = `` +
		`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|` +
		`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|` +
		`\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|(?>\s+)`
	cl100kPattern = `'(?i:[sdmt]|ll|ve|re)|(?>[^\r\n\p{L}\p{N}]?)(?>\p{L}+)|(?>\p{N}{1,3})|` +
		` ?(?>[^\s\p{L}\p{N}]+)(?>[\r\n]*)|(?>\s+)\z|\s*[\r\n]|\s+(?!\S)|\s`
)

// A reference counts in the simplest way by one vocabulary, and as tiktoken-go does.
type reference struct {
	words   map[string]int
	pattern *regexp2.Regexp
	codec   tokenizer.Codec
}

func newReference(t testing.TB, name tokenizer.Encoding, size int, pattern string) *reference {
	t.Helper()
	codec, err := tokenizer.Get(name)
	if err != nil {
		t.Fatal(err)
	}
	ref := &reference{map[string]int{}, regexp2.MustCompile(pattern, regexp2.None), codec}
	for rank := range size {
		word, err := codec.Decode([]uint{uint(rank)})
		if err != nil {
			t.Fatal(err)
		}
		ref.words[word] = rank
	}
	return ref
}

// count returns the larger of what tiktoken and tiktoken-go count.
func (ref *reference) count(t testing.TB, text string) int {
	t.Helper()
	sum := ref.pieces(t, text)
	if !utf8.ValidString(text) {
		sum = max(sum, ref.pieces(t, string([]rune(text))))
	}
	n, err := ref.codec.Count(text)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	if strings.Contains(text, "\x7f") {
		return sum // tiktoken-go leaves it out
	}
	return max(sum, n)
}

// pieces counts by the pattern. It matches characters, so pieces are found again in the bytes.
func (ref *reference) pieces(t testing.TB, text string) int {
	t.Helper()
	sum, rest := 0, text
	m, err := ref.pattern.FindStringMatch(text)
	for ; m != nil && err == nil; m, err = ref.pattern.FindNextMatch(m) {
		end := 0
		for range m.RuneLength {
			_, n := utf8.DecodeRuneInString(rest[end:])
			end += n
		}
		sum += ref.merge(rest[:end])
		rest = rest[end:]
	}
	if err != nil || rest != "" {
		t.Fatalf("%q: %v, %q is left", text, err, rest)
	}
	return sum
}

// merge counts the tokens of a piece.
func (ref *reference) merge(piece string) int {
	if _, ok := ref.words[piece]; ok {
		return 1
	}
	return ref.join(piece)
}

// join counts the tokens of a piece without looking whether it is one.
func (ref *reference) join(piece string) int {
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

// references are those of both vocabularies.
type references struct{ o200k, cl100k *reference }

func newReferences(t testing.TB) references {
	t.Helper()
	return references{
		newReference(t, tokenizer.O200kBase, 199998, o200kPattern),
		newReference(t, tokenizer.Cl100kBase, 100256, cl100kPattern),
	}
}

func (refs references) of(t testing.TB, text string) tokens.Cost {
	t.Helper()
	return tokens.Cost{O200k: refs.o200k.count(t, text), Cl100k: refs.cl100k.count(t, text)}
}

// same compares one text. What only the newer Unicode has may cost more than the references know, and so may
// bytes that are no UTF-8 beside empty lines with blanks: package tokens takes the larger number for each.
func (refs references) same(t testing.TB, what, text string) bool {
	t.Helper()
	want, got := refs.of(t, text), tokens.Of(text)
	if got == want || (newer(text) || broken(text)) && got.O200k >= want.O200k && got.Cl100k >= want.Cl100k {
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

// broken reports whether a text has both of what programs read in different ways.
func broken(text string) bool {
	return !utf8.ValidString(text) && emptyLine.MatchString(text)
}

var emptyLine = regexp.MustCompile(`[\r\n][\t\v\f \x{85}\pZ]+[\r\n]`)

func TestCountsAreThoseOfTheTokenizers(t *testing.T) {
	refs := newReferences(t)
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			wrong := 0
			for seed := range *texts {
				if !refs.same(t, fmt.Sprint(seed), k.write(rand.New(rand.NewPCG(uint64(seed), 1)))) {
					if wrong++; wrong == 5 {
						t.FailNow()
					}
				}
			}
		})
	}
}

func TestCountsOfTheRepositoryAreThoseOfTheTokenizers(t *testing.T) {
	refs := newReferences(t)
	wrong, size, all := 0, 0, sources(t)
	for i, text := range all {
		if *texts <= 300 && i%16 > 0 {
			continue
		}
		size += len(text)
		if !refs.same(t, "a source", text) {
			if wrong++; wrong == 5 {
				break
			}
		}
	}
	t.Logf("%d bytes", size)
}

// What package tokens leaves out for it is true of both vocabularies.
func TestWhatIsTrueOfTheVocabularies(t *testing.T) {
	refs := newReferences(t)
	for name, ref := range map[string]*reference{"o200k": refs.o200k, "cl100k": refs.cl100k} {
		for word := range ref.words {
			if n := ref.join(word); n != 1 {
				t.Errorf("%s: %q is joined to %d tokens", name, word, n)
			}
			last := strings.LastIndexAny(word, "\r\n") + 1
			if last > 0 && last < len(word) && strings.IndexByte("\t\v\f \xc2\xe1\xe2\xe3", word[last]) >= 0 {
				t.Errorf("%s: %q has a line end before blanks", name, word)
			}
		}
	}
}

// The counts that package tokens is tested with are those of the references.
func TestGoldenCounts(t *testing.T) {
	refs := newReferences(t)
	var b bytes.Buffer
	out := json.NewEncoder(&b)
	out.SetEscapeHTML(false)
	for _, k := range kinds {
		for seed := range 16 {
			text := k.write(rand.New(rand.NewPCG(uint64(seed), 3)))
			if text == "" || newer(text) {
				continue
			}
			c := refs.of(t, text)
			err := out.Encode(map[string]any{"kind": k.name, "text": []byte(text), "o200k": c.O200k, "cl100k": c.Cl100k})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	compare(t, filepath.Join("testdata", "counts.jsonl"), b.Bytes())
}

func FuzzCount(f *testing.F) {
	refs := newReferences(f)
	for _, k := range kinds {
		for seed := range 5 {
			f.Add(k.write(rand.New(rand.NewPCG(uint64(seed), 2))))
		}
	}
	f.Fuzz(func(t *testing.T, text string) { refs.same(t, "fuzz", text) })
}
