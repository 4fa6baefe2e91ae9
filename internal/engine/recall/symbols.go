package recall

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// symbolsOf returns the symbols of a question that has no words, such as one emoji; nil for any other. A selector of
// how a symbol is drawn is no part of it.
func symbolsOf(query string, terms []string) []string {
	if len(terms) > 0 || !strings.ContainsFunc(query, isSymbol) {
		return nil
	}
	fields := strings.Fields(withoutSelectors(query))
	return slices.DeleteFunc(fields, func(f string) bool { return !strings.ContainsFunc(f, isSymbol) })
}

func isSymbol(r rune) bool { return r > unicode.MaxASCII && unicode.IsSymbol(r) }

func withoutSelectors(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Variation_Selector, r) {
			return -1
		}
		return r
	}, s)
}

// withSymbols returns the newest of some records that have all symbols, as hits: the index has words alone.
func withSymbols(ctx context.Context, in store.Store, q store.Query, symbols []string, most int) (
	hits []store.Hit, full bool, err error,
) {
	q.Says = string([]rune(symbols[0])[:1])
	for it, err := range in.List(ctx, q) {
		if err != nil {
			return nil, false, core.Classify(err)
		}
		if it.Record == nil || !saysAll(it.Record, symbols) {
			continue
		}
		if len(hits) == most {
			return hits, true, nil
		}
		hits = append(hits, store.Hit{ID: it.Ref.ID, Score: 1, Kind: it.Ref.Kind, Hidden: !it.State.Live()})
	}
	return hits, false, nil
}

// saysAll reports whether a record has all of some symbols in what it says.
func saysAll(r *memory.Record, symbols []string) bool {
	text := withoutSelectors(standing.Whole(r))
	return !slices.ContainsFunc(symbols, func(one string) bool { return !strings.Contains(text, one) })
}
