package lifecycle

import (
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/ext"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// mostReadElsewhere is how many of the nearest records are compared with what an agent writes.
const mostReadElsewhere = 12

// readElsewhere returns outside words, of any conversation, that an agent's text repeats to the word. No receipt says
// that it read them in this one, but a host without hooks writes none. What a person said or decided in as many words
// is no repetition, nor what a memory said before that nothing external is behind.
func (e *Lifecycle) readElsewhere(rd *trust.Reading, session, text string, sources []memory.ID) ([]memory.ID, error) {
	terms := words.Query(shorten.To(text, mostComparedBytes))
	if len(terms) == 0 {
		return nil, nil
	}
	spaces, err := e.ReadSpaces(rd)
	if err != nil || len(spaces) == 0 {
		return nil, err
	}
	items, _, err := e.Matching(rd, store.Match{
		Terms: terms, Least: trust.LeastToTheWord(len(terms)), Spaces: spaces, Limit: mostReadElsewhere,
		Kinds: append(memory.Memories(), memory.KindRaw),
	})
	if err != nil {
		return nil, err
	}
	items = slices.DeleteFunc(core.Present(items), func(it *store.Item) bool {
		return it.Record == nil || !trust.ToTheWord(text, trust.PassageOf(trust.OutsideText(it.Record)))
	})
	named := func(it *store.Item) bool { return slices.Contains(sources, it.Ref.ID) }
	if len(items) == 0 || slices.ContainsFunc(items, named) { // where the words are from is said
		return nil, nil
	}
	ratings, err := e.trust.Rate(rd, items, false)
	if err != nil {
		return nil, err
	}
	var outside []*store.Item
	var own *memory.Record // the first that said it without anything external behind it
	for _, it := range items {
		r := ratings[it.Ref.ID]
		switch _, person, turn := core.TurnWords(it.Record); {
		case r == nil:
		case inside(it.Record):
			if slices.Contains(e.standing.Conversations(session), it.Record.Header.Session) {
				return nil, nil // it read them here, on this machine
			}
		case !r.Tainted && (turn && person || r.Decided()): // whenever they said it, it is theirs
			return nil, nil
		case r.Tainted && !r.Member:
			outside = append(outside, it)
		case turn: // an agent's answer is no word of a person
		case own == nil || it.Record.Header.At.Time().Before(own.Header.At.Time()):
			own = it.Record
		}
	}
	outside = slices.DeleteFunc(outside, func(it *store.Item) bool {
		return own != nil && !it.Record.Header.At.Time().Before(own.Header.At.Time())
	})
	if len(outside) == 0 {
		return nil, nil
	}
	if what, err := e.exposureOf(rd, session, text, outside); err != nil || what != ext.Repeats {
		return nil, err // the person said it in this conversation
	}
	return core.IDsOf(core.RefsOf(outside)), nil
}

// inside reports whether a tool gave words that are of this machine, such as a file of the project: an agent that says
// them says what it knows.
func inside(r *memory.Record) bool {
	return r.Header.Origin == memory.OriginTool && !strings.HasPrefix(r.Header.Provenance.Context, core.ContextOutside)
}
