package lifecycle

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// newerAgainst returns the newest memory that stands against an older one, and how: one that an open link sets against
// it, or one that was let go, or else the nearest one about the same thing, of which no rule tells how.
func (e *Lifecycle) newerAgainst(
	ctx context.Context, it *store.Item,
) (newest *store.Item, relation string, err error) {
	open, err := e.standing.UndecidedAt(e.trust.Reading(ctx), memory.Time{}, []*store.Item{it})
	if err != nil {
		return nil, "", err
	}
	at := func(it *store.Item) time.Time { return it.Record.Header.At.Time() }
	take := func(old, new *store.Item, how string) {
		other := new
		if other.Ref == it.Ref {
			other = old
		}
		against := how == memory.Update || how == memory.Contradict
		if against && (at(other).After(at(it)) || other == new && at(other).Equal(at(it))) &&
			(newest == nil || at(other).After(at(newest))) {
			newest, relation = other, how
		}
	}
	for _, o := range open[it.Ref.ID] {
		if !o.Differs {
			take(o.OldItem, o.NewItem, o.Relation)
		}
	}
	if newest != nil {
		return newest, relation, nil
	}
	links, err := e.standing.Tying(e.trust.Reading(ctx), it.Ref.ID)
	if err != nil {
		return nil, "", err
	}
	ties, err := e.standing.Ties(e.trust.Reading(ctx), memory.Time{}, links)
	if err != nil {
		return nil, "", err
	}
	for _, t := range ties {
		if t.State == standing.LinkLetGo && t.OldItem != nil && t.NewItem != nil && t.OldItem.State.Live() &&
			t.NewItem.State.Live() {
			take(t.OldItem, t.NewItem, t.Relation)
		}
	}
	if newest == nil {
		newest, err = e.newerNear(ctx, it)
	}
	return newest, relation, err
}

// newerNear returns the nearest memory about the same thing as an older one that says otherwise.
func (e *Lifecycle) newerNear(ctx context.Context, old *store.Item) (*store.Item, error) {
	since, said := old.Record.Header.At.Time(), standing.Stated(old.Record)
	near, err := e.nearBut(ctx, nil, old.Record, func(it *store.Item) bool {
		return !it.Record.Header.At.Time().After(since) || standing.Stated(it.Record) == said ||
			sameValues(core.Compared(old.Record), core.Compared(it.Record))
	})
	if err != nil || len(near) == 0 {
		return nil, err
	}
	return near[0], nil
}

// sameValues reports whether two sentences have names or figures, and the same: of these the later one says again, in
// other words, what the earlier one says.
func sameValues(a, b string) bool {
	in, of := valuesIn(a, b), valuesIn(b, a)
	return len(in) > 0 && maps.Equal(in, of)
}

// valuesIn returns the words of a sentence that have a figure or begin with a capital letter. One that begins the
// sentence counts where it stands within the other one.
func valuesIn(text, other string) map[string]bool {
	out := make(map[string]bool)
	within := make(map[string]bool)
	for i, w := range plainWords(other) {
		within[w] = within[w] || i > 0
	}
	for i, w := range plainWords(text) {
		first, _ := utf8.DecodeRuneInString(w)
		if strings.ContainsFunc(w, unicode.IsDigit) || unicode.IsUpper(first) && (i > 0 || within[w]) {
			out[w] = true
		}
	}
	return out
}

// plainWords returns the words of a text without the marks around them.
func plainWords(text string) []string {
	all := strings.FieldsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(",;:!?()\"“”„«»", r)
	})
	for i, w := range all {
		all[i] = strings.Trim(w, ".'’")
	}
	return slices.DeleteFunc(all, func(w string) bool { return w == "" })
}
