package trust

import (
	"strings"
	"unicode"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/memory"
)

// OthersWords names outside words of which no more is known.
const OthersWords = "words of others"

// sourceName says in short where outside words come from; by is who wrote them, as the reader calls them.
func sourceName(r *memory.Record, by string) string {
	if from, is := strings.CutPrefix(r.Header.Provenance.Context, core.ContextOutside); is {
		return asName(from)
	}
	if raw, ok := r.Body.(*memory.Raw); ok && r.Header.Origin == memory.OriginTool {
		return core.Or(asName(raw.Speaker), "a tool")
	}
	if r.Header.Origin == memory.OriginImport {
		return "an import"
	}
	return core.Or(by, OthersWords)
}

// mostSource is how many characters of a source a mark has.
const mostSource = 60

// asName is a name that others chose, set so that it looks like no mark of ours.
func asName(text string) string {
	return shorten.To(strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) || strings.ContainsRune("()[]{};\"`", r) {
			return '_'
		}
		return r
	}, text), mostSource)
}
