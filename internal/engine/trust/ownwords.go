package trust

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// sharesText reports whether a text of one record is in a text of the other, or around it.
func sharesText(a, b *memory.Record) bool {
	before := textsIn(b)
	return slices.ContainsFunc(textsIn(a), func(text string) bool {
		return slices.ContainsFunc(before, func(old string) bool {
			return strings.Contains(text, old) || strings.Contains(old, text)
		})
	})
}

func foldedText(text string) string { return strings.ToLower(words.Folded(text)) }

// textsIn returns all texts of a record's body, folded. A name or a type, of letters alone, is none.
func textsIn(r *memory.Record) []string {
	var whole struct {
		Body any `json:"body"`
	}
	if json.Unmarshal(r.Bytes, &whole) != nil {
		return []string{""} // what cannot be read is in everything
	}
	var out []string
	var take func(v any)
	take = func(v any) {
		switch v := v.(type) {
		case string:
			line := foldedText(v)
			if strings.ContainsFunc(line, func(c rune) bool { return !unicode.IsLetter(c) && c != '_' && c != '-' }) {
				out = append(out, line)
			}
		case []any:
			for _, one := range v {
				take(one)
			}
		case map[string]any:
			for _, one := range v {
				take(one)
			}
		}
	}
	take(whole.Body)
	return out
}
