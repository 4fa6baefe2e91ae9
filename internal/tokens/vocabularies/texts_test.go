package vocabularies

import (
	"cmp"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// A kind of text, written by chance.
type kind struct {
	name  string
	write func(r *rand.Rand) string
}

var kinds = []kind{
	{"prose", prose},
	{"code", code},
	{"json", func(r *rand.Rand) string {
		b, _ := json.Marshal(map[string]any{prose(r): []any{r.Int64(), r.Float64(), prose(r)}, "id": digits(r), "x": nil})
		return string(b)
	}},
	{"base64", func(r *rand.Rand) string { return base64.StdEncoding.EncodeToString(octets(r, r.IntN(300))) }},
	{"hex", func(r *rand.Rand) string { return hex.EncodeToString(octets(r, r.IntN(80))) }},
	{"log", func(r *rand.Rand) string {
		return fmt.Sprintf("2026-0%d-1%d %02d:%02d:07.%03d [%s] \t%s=%q err=%v\r\n", r.IntN(9)+1, r.IntN(9), r.IntN(24),
			r.IntN(60), r.IntN(1000), pick(r, "INFO", "warn", "ERROR", "T-1"), pick(r, "user's", "path", "x.y"), prose(r), nil)
	}},
	{"ideographs", func(r *rand.Rand) string {
		return runes(r, ranges{{0x4e00, 0x9fff}, {0x3040, 0x30ff}, {0x3001, 0x3003}})
	}},
	{"rare ideographs", func(r *rand.Rand) string {
		return runes(r, ranges{{0x3400, 0x4dbf}, {0x20000, 0x2a6df}, {0x30000, 0x3134a}})
	}},
	{"hangul", func(r *rand.Rand) string { return runes(r, ranges{{0xac00, 0xd7a3}, {' ', ' '}, {0x1100, 0x11ff}}) }},
	{"arabic", func(r *rand.Rand) string { return runes(r, ranges{{0x600, 0x6ff}, {' ', ' '}, {0x610, 0x61a}}) }},
	{"indic", func(r *rand.Rand) string { return runes(r, ranges{{0x900, 0xdff}, {' ', ' '}, {0x200c, 0x200d}}) }},
	{"thai", func(r *rand.Rand) string { return runes(r, ranges{{0xe00, 0xe7f}, {0x1000, 0x109f}, {0x1780, 0x17ff}}) }},
	{"case", func(r *rand.Rand) string {
		return runes(r, ranges{{'A', 'Z'}, {'a', 'z'}, {0x1c4, 0x1cc}, {0x2b0, 0x2ff}, {0x300, 0x36f}, {0x370, 0x4ff},
			{0x5d0, 0x5ea}, {'\'', '\''}, {' ', ' '}})
	}},
	{"contractions", func(r *rand.Rand) string {
		return several(r, func() string {
			return pick(r, "'s", "'S", "'ſ", "'t", "'re", "'RE", "'rE", "'ve", "'m", "'ll", "'Ll", "'l", "'d", "'", "’s", "''",
				"I",
				"we", "DON", "Don", "é", "中", "\u0301", "ǅ", " ", "  ", "\n", "1", "s", "st", ".", "ſ", "K", "\u212a")
		})
	}},
	{"emoji", func(r *rand.Rand) string {
		return several(r, func() string {
			return pick(r, "👩‍👩‍👧‍👦", "👍🏽", "🇩🇪", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "❤️", "1️⃣", "🙂", "\u200d", "\ufe0f", " ", "ok", "!",
				string(rune(0x1f300+r.IntN(0x400))))
		})
	}},
	{"blanks", func(r *rand.Rand) string {
		return several(r, func() string {
			return pick(r, " ", " ", "  ", "\t", "\n", "\r\n", "\r", "\n\n", "\v", "\f", "\u0085", "\u00a0", "\u2003", "\u2028",
				"\u2029",
				"\u3000", "\u1680", "\u202f", "\u205f", "\u200b", "\ufeff", "\u180e", "a", "B", "7", ".", "/", "//", "-", "中",
				"\u0301", "'s")
		})
	}},
	{"signs", func(r *rand.Rand) string {
		return several(r, func() string {
			return pick(r, "/", "//", "\n", "\r\n", ".", "...", "…", "—", "(", ")", "{}", "<|endoftext|>", "<|fim_prefix|>",
				"==", " ", "x", "_",
				"#", "%", "£", "€", "½", "²", "Ⅷ", "٣", "१", "12345", "\x00", "\x7f", "\\n", "\"", "`", "~", "^", "\u0301")
		})
	}},
	{"runes", func(r *rand.Rand) string {
		return runes(r, ranges{{0, 0x7f}, {0, 0x7ff}, {0, 0xffff}, {0, utf8.MaxRune}})
	}},
	{"runes of scripts", func(r *rand.Rand) string {
		at := rune(r.IntN(0x1ff) * 0x100)
		return runes(r, ranges{{at, at + 0xff}, {' ', '~'}})
	}},
	{"bytes", func(r *rand.Rand) string { return string(octets(r, r.IntN(60))) }},
	{"broken", func(r *rand.Rand) string {
		b := []byte(runes(r, ranges{{' ', '~'}, {0xa0, 0xffff}, {'\n', '\n'}}))
		for range r.IntN(3) {
			if len(b) > 0 {
				i := r.IntN(len(b))
				b = slices.Delete(b, i, i+1)
			}
		}
		return string(b)
	}},
	{"long words", func(r *rand.Rand) string {
		letters := pick(r, "ab", "abcdefghijklmnopqrstuvwxyz", "aeiounrst", "a", "XYZ", "中文字", "éàü", "-=*_", " ", "\t")
		return strings.Repeat(pick(r, "", " ", "\n"), 1) + word(r, letters, 20+r.IntN(400))
	}},
	{"repeated", func(r *rand.Rand) string {
		return strings.Repeat(runes(r, ranges{{' ', '~'}, {0xa0, 0x2fff}}), 1+r.IntN(20))
	}},
}

func pick(r *rand.Rand, of ...string) string { return of[r.IntN(len(of))] }

func several(r *rand.Rand, part func() string) string {
	var b strings.Builder
	for range r.IntN(16) {
		b.WriteString(part())
	}
	return b.String()
}

type ranges [][2]rune

func runes(r *rand.Rand, of ranges) string {
	var b strings.Builder
	for range r.IntN(40) {
		one := of[r.IntN(len(of))]
		b.WriteRune(one[0] + rune(r.IntN(int(one[1]-one[0])+1)))
	}
	return b.String()
}

func word(r *rand.Rand, letters string, n int) string {
	of := []rune(letters)
	var b strings.Builder
	for range n {
		b.WriteRune(of[r.IntN(len(of))])
	}
	return b.String()
}

func octets(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func digits(r *rand.Rand) string { return fmt.Sprint(r.Uint64() >> r.IntN(64)) }

func prose(r *rand.Rand) string {
	return several(r, func() string {
		return pick(r, "The ", "memory ", "isn't ", "a ", "belief", ", ", "whoever ", "DON'T ", "they'll ", "said: ",
			"“we’ve ", "decided” ",
			"in ", "2026", ". ", "— ", "Überprüfung ", "naïve ", "café's ", "PostgreSQL", "’s ", "\n\n", "- ", "1. ", "e.g. ",
			"antidisestablishmentarianism ",
			word(r, "etaoinshrdlucmfw", 1+r.IntN(12))+" ")
	})
}

func code(r *rand.Rand) string {
	return several(r, func() string {
		return pick(r, "func ", "(e *Engine) ", "\n", "\n\t", "\n\t\t", "    ", "if err != nil {", "}\n", "return ",
			"camelCaseName", "XMLHttpRequest",
			"snake_case_2", "0x1F", "3.14e-9", "// why's this", "/* */", "&&", "->", ":=", "'\\n'", "\"%s\\n\"", ";", "</div>",
			"\r\n", "$HOME/.x",
			"https://a.b/c?d=e&f#g", word(r, "abcXYZ_09", 1+r.IntN(20)))
	})
}

// sources returns the texts of the repository in pieces.
func sources(t testing.TB) []string {
	var texts []string
	root := filepath.Join("..", "..", "..")
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules") {
			return cmp.Or(err, fs.SkipDir)
		}
		if !d.Type().IsRegular() {
			return nil
		}
		switch filepath.Ext(name) {
		case ".go", ".md", ".json", ".jsonl", ".ts", ".tsx", ".css", ".html", ".sh", ".sql", ".txt", ".yaml", ".py":
			b, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			for part := range slices.Chunk(b[:min(len(b), 1<<16)], 3000) {
				texts = append(texts, string(part))
			}
		}
		return nil
	})
	if err != nil || len(texts) == 0 {
		t.Fatalf("%d texts: %v", len(texts), err)
	}
	return texts
}
