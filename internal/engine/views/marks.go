package views

import (
	"slices"
	"strconv"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/code"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Marks that more than one place of this file writes.
const (
	markCodeChanged   = "code changed"
	markCodeUnchecked = "code not checked"
	markUntil         = "until "
	markAfter         = "after reading "
	markWordsOf       = "words of "
)

// Marks returns what a reader must know of a record beside its words, each in a few words. Every reading
// takes its marks from here, in text and in JSON. v and d are nil where there is nothing to say; state is
// that of the code which the record names, "" for none.
func Marks(it *store.Item, v *trust.Rating, d *standing.Settled, state code.State) []string {
	var out []string
	say := func(text string) {
		if text != "" && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	say(markHidden(it))
	say(string(it.Doubt))
	if v != nil && v.Disputed {
		say("disputed")
	}
	if d != nil {
		for _, text := range d.Marks {
			say(text)
		}
		for _, text := range fewOpen(d.Open) {
			say(text)
		}
	}
	if v != nil {
		if day := v.Ended(); day != "" {
			say(markUntil + day)
		} else {
			say(v.Over)
		}
	}
	switch state {
	case code.Stale, code.NeedsReview:
		say(markCodeChanged)
	case code.Unknown:
		say(markCodeUnchecked)
	}
	if v != nil {
		if core.Hidden(&it.State) == "" {
			say(markFallen(it, v))
		}
		for _, text := range OutsideMarks(it, v) {
			say(text)
		}
		say(v.Apart)
		switch {
		case v.Tainted && !v.Member:
		case it.Record != nil && it.Ref.Kind != memory.KindRaw && v.Doubt == "" && v.Section(it) == trust.InUnverified:
			say("unverified")
		}
	}
	return out
}

// markHidden is why a list leaves out a record, with what took its place.
func markHidden(it *store.Item) string {
	why := core.Hidden(&it.State)
	if why == "superseded" {
		return "replaced by " + memory.Ref{Kind: it.Ref.Kind, ID: it.State.SupersededBy}.Short()
	}
	return why
}

// markFallen says how many sources of a memory do not count any more.
func markFallen(it *store.Item, v *trust.Rating) string {
	switch n := len(v.Fallen); {
	case n == 0 || it.Record == nil:
		return ""
	case n == len(it.Record.Header.Provenance.From):
		return "none of its sources counts any more"
	default:
		return trust.NoLonger(n)
	}
}

// mostOpen is how many open links of a record are named: more would take the place of other memories.
const mostOpen = 2

func fewOpen(open []string) []string {
	open = slices.Compact(slices.Sorted(slices.Values(open))) // in every reading the same, in whatever order links came
	if more := len(open) - mostOpen; more > 0 {
		return append(open[:mostOpen:mostOpen], strconv.Itoa(more)+" more undecided")
	}
	return open
}

// OutsideMarks says that outside words are behind a record, and how.
func OutsideMarks(it *store.Item, v *trust.Rating) (out []string) {
	if v == nil || it.Record == nil {
		return nil
	}
	if text := exposed(v); text != "" && it.Ref.Kind != memory.KindRaw && core.Hidden(&it.State) == "" {
		out = append(out, text)
	}
	if v.Tainted && !v.Member {
		out = append(out, "external")
	}
	return out
}

// exposed says what an agent had been shown when it wrote a memory, or whose words those are. What rests on outside
// words is marked by that.
func exposed(v *trust.Rating) string {
	switch {
	case len(v.After) == 0:
		return ""
	case v.Words:
		return markWordsOf + standing.FewSources(v.After)
	case v.Tainted:
		return ""
	}
	return markAfter + standing.FewSources(v.After)
}

// HeldThen are the marks of a memory that held at the time which is asked for: that it was replaced since
// is said by the day until which it held.
func HeldThen(marks []string, until string) []string {
	out := []string{markUntil + until}
	for _, m := range marks {
		if !strings.HasPrefix(m, "replaced by ") && m != out[0] {
			out = append(out, m)
		}
	}
	return out
}

// MarksOf returns the marks of records whose ratings are known, in their order.
func (e *Views) MarksOf(
	rd *trust.Reading, items []*store.Item, trusted standing.Ratings, at memory.Time,
) ([][]string, error) {
	said, err := e.standing.Decide(rd, items, trusted, at)
	if err != nil {
		return nil, err
	}
	states, err := e.MarkedCode(rd, items)
	if err != nil {
		return nil, err
	}
	out := make([][]string, len(items))
	for i, it := range items {
		if it != nil && it.Ref.Kind.IsMemory() {
			out[i] = Marks(it, trusted[it.Ref.ID], said[it.Ref.ID], states[it.Ref.ID])
		}
	}
	return out, nil
}

// MarkEnds gives the memories that links tie the marks that every reading gives them.
func MarkEnds(rd *trust.Reading, e *Views, ends []*api.LinkEnd) error {
	var ids []memory.ID
	at := make(map[memory.ID][]*api.LinkEnd)
	for _, end := range ends {
		ref, err := memory.ParseRef(end.Ref)
		if err != nil {
			return err
		}
		if at[ref.ID] == nil {
			ids = append(ids, ref.ID)
		}
		at[ref.ID] = append(at[ref.ID], end)
	}
	items, err := rd.Get(ids...)
	if err != nil {
		return core.Classify(err)
	}
	trusted, err := e.trust.Rate(rd, items, false)
	if err != nil {
		return err
	}
	marks, err := e.MarksOf(rd, items, trusted, memory.Time{})
	for i := range marks {
		for _, end := range at[ids[i]] {
			end.Marks = marks[i]
		}
	}
	return err
}

// MarkedThen returns the marks of a record as of a time. What became of code since is not said.
func (e *Views) MarkedThen(
	rd *trust.Reading, it *store.Item, v *trust.Rating, at memory.Time,
) ([]string, error) {
	said, err := e.standing.Decide(rd, []*store.Item{it}, nil, at)
	if err != nil {
		return nil, err
	}
	return Marks(it, v, said[it.Ref.ID], ""), nil
}

// MarkedCode returns the state of the code that records name; those that name none are absent.
func (e *Views) MarkedCode(rd *trust.Reading, items []*store.Item) (map[memory.ID]code.State, error) {
	var coded []*store.Item
	for _, it := range items {
		if it != nil && it.Record != nil && it.Record.HasCode() {
			coded = append(coded, it)
		}
	}
	if len(coded) == 0 {
		return nil, nil
	}
	states, err := e.CodeStates(rd, coded, false)
	if err != nil {
		return nil, err
	}
	out := make(map[memory.ID]code.State, len(states))
	for _, s := range states {
		if len(s.Refs) > 0 {
			out[s.Ref.ID] = s.CodeState
		}
	}
	return out, nil
}
