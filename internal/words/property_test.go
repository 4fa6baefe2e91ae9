package words

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// pieces are what random texts are made of: every class of character, and what joins them.
var pieces = strings.Split(`the|Caroline|running|dont|HTTP|ID|s|ll|v1|.2|42|_|-|.|:|::|__|'|’|/|@|,| | |  |
|Ümlaut|ß|é|É|e`+"\u0301"+`|Лев|σς|ﬁ|Ⅷ|²|½|™|İ|ŉ|ǅ|記憶|カ|ﾞ|`+"\u3099"+`|ー|〇|한국|`+"\u1112\u1161\u11ab"+
	`|ไทย|हिन्दी|عربي|ﷺ|`+
	"\u00ad|\u200d|\u200b|\ufeff|\xff|\xc3|\x00|\u0301|😀|AND|NOT|(|\"|*|"+strings.Repeat("x", 70)+"|"+
	strings.Repeat("Ж", 40), "|")

func randomText(r *rand.Rand) string {
	var b strings.Builder
	for range r.IntN(12) {
		if r.IntN(20) == 0 {
			b.WriteRune(rune(r.IntN(unicode.MaxRune)))
		} else {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
	}
	return b.String()
}

// checkText fails the test unless every promise of the package holds for the text.
func checkText(t *testing.T, text string) {
	t.Helper()
	terms := Terms(text)
	for _, term := range terms {
		if len(term) == 0 || len(term) > MaxBytes || !utf8.ValidString(term) {
			t.Fatalf("Terms(%q) has %q (%d bytes), want valid UTF-8 of 1 to %d bytes", text, term, len(term), MaxBytes)
		}
		for _, r := range term {
			if !unicode.IsLetter(r) && !unicode.IsDigit(r) || unicode.ToLower(r) != r {
				t.Fatalf("Terms(%q) has %q with %U, want letters and digits in lower case", text, term, r)
			}
		}
	}
	if again := Terms(text); !slices.Equal(again, terms) {
		t.Fatalf("Terms(%q) = %q, and the second time %q", text, terms, again)
	}
	if got, want := string(AppendTerms(nil, text)), strings.Join(terms, " "); got != want {
		t.Fatalf("AppendTerms(%q) = %q, want %q", text, got, want)
	}
	query := Query(text)
	if (len(query) == 0) != (len(terms) == 0) {
		t.Fatalf("Query(%q) = %q, want something if and only if Terms has: %q", text, query, terms)
	}
	seen := map[string]bool{}
	for _, q := range query {
		if !slices.Contains(terms, q) || seen[q] {
			t.Fatalf("Query(%q) has %q, want each only once and all of them in Terms: %q", text, q, terms)
		}
		seen[q] = true
	}
}

func TestAnyTextIsFoundByItself(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		checkText(t, randomText(r))
	}
}

// lastAssigned is behind every character of Unicode that is not for private use.
const lastAssigned = 0xe0fff

func TestEveryLetterAndDigitIsFound(t *testing.T) {
	meaningless := []rune("\u02bb\u02bcـ\u115f\u1160\u3164\uffa0ﾞﾟ")
	inWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	for r := rune(0); r <= lastAssigned; r++ {
		// some letters are but a mark on its own
		if !inWord(r) || slices.Contains(meaningless, r) || !strings.ContainsFunc(norm.NFKD.String(string(r)), inWord) ||
			strings.HasPrefix(norm.NFKD.String(string(r)), "ـ") {
			continue
		}
		if got := Terms(string(r)); len(got) == 0 {
			t.Errorf("Terms(%U %c) is empty, want a term", r, r)
		}
	}
}

func TestNormalFormsGiveTheSameTerms(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 20_000 {
		text := strings.ToValidUTF8(randomText(r), " ")
		want := Terms(norm.NFC.String(text))
		if got := Terms(norm.NFD.String(text)); !slices.Equal(got, want) {
			t.Fatalf("Terms of the NFD of %q = %q, want those of its NFC %q", text, got, want)
		}
	}
}

// A soft hyphen within a word takes it off the fast path, and must change nothing else.
func TestThePlainPathIsTheSameAsTheLong(t *testing.T) {
	const alphabet = "aabcdeegiilmnorssty   .:-_'A4,/"
	r := rand.New(rand.NewPCG(5, 6))
	for range 20_000 {
		var plain, long strings.Builder
		for range r.IntN(30) {
			c := alphabet[r.IntN(len(alphabet))]
			plain.WriteByte(c)
			long.WriteByte(c)
			if unicode.IsLetter(rune(c)) {
				long.WriteString("\u00ad")
			}
		}
		got, want := Terms(plain.String()), Terms(long.String())
		if !slices.Equal(got, want) {
			t.Fatalf("Terms(%q) = %q, want %q", plain.String(), got, want)
		}
	}
}

func FuzzTerms(f *testing.F) {
	for _, p := range pieces {
		f.Add(p)
	}
	f.Add("handleUserInput v1.2.3 O'Brien's 记忆ガ src/a_b.ts")
	f.Fuzz(checkText)
}
