package words

import (
	"hash/maphash"
	"strings"
	"sync"
	"testing"
)

func TestTerms(t *testing.T) {
	tests := []struct{ claim, text, want string }{
		{"words are stemmed in lower case", "The Connections were DROPPED", "the connect were drop"},
		{"punctuation parts words", "yes, (no); really?! \"ok\"…", "yes no realli ok"},
		{"a joiner with a space behind joins nothing", "well - so. Then: a_ _b", "well so then a b"},
		{"nothing but punctuation gives nothing", "... --- ''' :: __", ""},
		{"an empty text gives nothing", "", ""},
		{"numbers are kept", "42 cats, 007", "42 cat 007"},

		{"camel case gives whole and parts", "handleUserInput", "handleuserinput handl user input"},
		{"an acronym ends where a word begins", "HTTPServer parseURL", "httpserver http server parseurl pars url"},
		{"the plural of an acronym stays with it", "userIDs URLs", "userids user id url"},
		{"a whole is not stemmed", "user_services", "userservices user servic"},
		{"a hump may follow a digit", "sha256Sum 3D K8S A1B2", "sha256sum sha256 sum 3d k8s a1b2"},
		{"terms with digits are not stemmed", "utf8 1990s", "utf8 1990s"},
		{"hyphens join", "foo-bar", "foobar foo bar"},
		{"underscores join, however many", "ERR_CONN foo__bar __init__", "errconn err conn foobar foo bar init"},
		{"a dotted name is found by its last name", "config.maxRetries", "configmaxretries config maxretries max retri"},
		{"double colons join", "std::vector", "stdvector std vector"},
		{"two dashes are a dash", "wait--what", "wait what"},
		{"a path is its names", "src/stores/connection.ts", "src store connectionts connect ts"},
		{"a backslash parts as well", `C:\Users\ann`, "c user ann"},
		{"the v of a version is dropped", "v1.2.3 1.2.3", "123 1 2 3 123 1 2 3"},
		{"the v stays where no version is", "v2 vim v.x v1-2", "v2 vim vx v x v12 v1 2"},
		{"a time", "10:30", "1030 10 30"},
		{"a date", "2026-11-21", "20261121 2026 11 21"},
		{"a mail address", "jane.doe@example.com", "janedoe jane doe examplecom exampl com"},
		{"an address of the web", "https://www.example.com/a?q=1", "https wwwexamplecom www exampl com a q 1"},
		{"a reference", "episode:0a1b2c3d", "episode0a1b2c3d episod 0a1b2c3d"},

		{"the possessive is dropped", "Caroline's CAROLINE’S dogs'", "carolin carolin dog"},
		{"short verbs are dropped", "she'll we're I'd they've I'm", "she we i they i"},
		{"other short endings are written together", "don't isn’t", "dont isnt"},
		{"a word behind an apostrophe is found", "O'Brien l'homme", "obrien o brien lhomme l homm"},

		{"diacritics are dropped", "Café naïve Ångström", "cafe naiv angstrom"},
		{"letters without a decomposition are folded", "Straße STRASSE Œuvre Łódź Ærø Đà Þórður Diyarbakır",
			"strass strass oeuvr lodz aero da thordur diyarbakir"},
		{"compatible forms are plain", "ﬁle Ｆｕｌｌ x² Ⅷ", "file full x2 viii"},
		{"an apostrophe within a letter is dropped", "ŉ", "n"},
		{"fractions and signs part words", "1½ Stemma™", "1 stemma"},
		{"other scripts have humps and joiners too", "ЛевТолстой кое-что", "левтолстои лев толстои коечто кое что"},
		{"Greek has one sigma", "ΣΊΣΥΦΟΣ σίσυφος", "σισυφοσ σισυφοσ"},
		{"invisible characters are dropped", "con\u00adnec\u200dtion \ufeffword", "connect word"},
		{"letters without a meaning are dropped", "a\u115f\u1160\u3164\uffa0b مـا", "ab ما"},
		{"a zero width space parts words", "one\u200btwo", "one two"},
		{"broken UTF-8 parts words", "one\xfftwo\xc3", "one two"},

		{"Chinese gives pairs", "记忆的来源", "记忆 忆的 的来 来源"},
		{"a character alone is a term", "第 3 章", "第 3 章"},
		{"Japanese keeps its sound marks", "ガギ カ\u3099キ\u3099 ｶﾞｷﾞ", "ガギ ガギ ガギ"},
		{"the long vowel belongs to the word", "メモリー", "メモ モリ リー"},
		{"Korean is not taken apart into its strokes", "기억은", "기억 억은"},
		{"two scripts are two words", "Go言語v1.2", "go 言語 12 1 2"},
		{"a zero is a zero", "二〇", "二零"},
	}
	for _, tt := range tests {
		t.Run(tt.claim, func(t *testing.T) {
			got := strings.Join(Terms(tt.text), " ")
			if got != tt.want {
				t.Errorf("Terms(%q) = %s, want %s", tt.text, got, tt.want)
			}
		})
	}
}

func TestQuery(t *testing.T) {
	tests := []struct{ claim, text, want string }{
		{"stop words are dropped", "What did Caroline's friend say about the adoption?", "carolin friend say adopt"},
		{"unless there is nothing else", "who is it", "who is it"},
		{"a term is looked for once", "connect connections CONNECTED", "connect"},
		{"operators are words or nothing", `NEAR("a b", 5) AND NOT title:x* OR ^y`, "near b 5 titlex titl x y"},
		{"stop words in a name go, its whole stays", "state-of-the-art to_do", "stateoftheart state art todo"},
		{"a contraction is a stop word with its apostrophe and without", "she'll don't dont shell", "shell"},
		{"words with a point of their own stay", "before after off down", "befor after off down"},
		{"pairs are looked for", "记忆", "记忆"},
		{"an empty query looks for nothing", " ?! ", ""},
	}
	for _, tt := range tests {
		t.Run(tt.claim, func(t *testing.T) {
			got := strings.Join(Query(tt.text), " ")
			if got != tt.want {
				t.Errorf("Query(%q) = %s, want %s", tt.text, got, tt.want)
			}
		})
	}
}

func TestStopWordsAreFoundAsTheyAreFolded(t *testing.T) {
	for w := range stopWords() {
		if got := string(AppendTerms(nil, w)); len(got) == 0 || strings.Contains(got, " ") {
			t.Errorf("AppendTerms(%q) = %q, want one term", w, got)
		}
		if got := analyze(nil, w, true); len(got) != 0 {
			t.Errorf("analyze(%q) = %q, want it dropped", w, got)
		}
	}
}

func TestTermsHaveABound(t *testing.T) {
	tests := []struct{ claim, text, want string }{
		{"a long word keeps its beginning", strings.Repeat("7", 100), strings.Repeat("7", 64)},
		{"a letter is not cut in two", "a" + strings.Repeat("я", 50), "a" + strings.Repeat("я", 31)},
		{"data has no humps", strings.Repeat("aB", 40), strings.Repeat("ab", 32)},
		{"a SHA-256 is kept whole", strings.Repeat("0123456789abcdef", 4), strings.Repeat("0123456789abcdef", 4)},
		{
			"a long name keeps its parts", strings.Repeat("x", 60) + "_tail7",
			strings.Repeat("x", 60) + "tail " + strings.Repeat("x", 60) + " tail7",
		},
	}
	for _, tt := range tests {
		t.Run(tt.claim, func(t *testing.T) {
			got := strings.Join(Terms(tt.text), " ")
			if got != tt.want {
				t.Errorf("Terms(%q) = %s, want %s", tt.text, got, tt.want)
			}
		})
	}
}

func TestAppendTermsPartsFromWhatIsThere(t *testing.T) {
	for dst, want := range map[string]string{"": "red box", "big": "big red box", "big ": "big red box"} {
		got := string(AppendTerms([]byte(dst), "red boxes"))
		if got != want {
			t.Errorf("AppendTerms(%q) = %q, want %q", dst, got, want)
		}
	}
	if got := string(AppendTerms([]byte("big"), "...")); got != "big" {
		t.Errorf("AppendTerms without terms = %q, want %q", got, "big")
	}
}

func TestTermsFromManyGoroutines(t *testing.T) {
	var texts, want []string
	for i := range 200 {
		word := strings.Repeat(string(rune('a'+i%26)), i/26+2) + "ings connected"
		texts = append(texts, word)
		want = append(want, strings.Join(Terms(word), " "))
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i, text := range texts {
				if got := strings.Join(Terms(text), " "); got != want[i] {
					t.Errorf("Terms(%q) = %s, want %s", text, got, want[i])
				}
			}
		})
	}
	wg.Wait()
}

func TestAWordThatReplacesACachedOneIsStemmedAgain(t *testing.T) {
	c := stemCache{seed: maphash.MakeSeed()}
	for i := range c.slots { // every word falls where another one is
		c.slots[i].Store(&stemmed{"another", "wrong"})
	}
	for range 2 {
		if got, want := c.stem([]byte("connections")), "connect"; got != want {
			t.Errorf("stem = %q, want %q", got, want)
		}
	}
}
