package standing

import (
	"slices"
	"strconv"
	"strings"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/ext"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// Bounds on what is read of a conversation.
const (
	TurnsLooked = 200      // the newest turns
	TurnBytes   = 16 << 10 // of one
)

// Conversations returns the names of the conversation that is going on; the writer calls it session.
func (e *Standings) Conversations(session string) []string {
	var out []string
	for _, name := range append([]string{session, e.C.Session}, e.C.Sessions...) {
		if name != "" && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// PersonsTurns returns what the person said in a conversation, a text for each turn.
func (e *Standings) PersonsTurns(rd *trust.Reading, session string) ([]string, error) {
	me, err := e.OwnKeys()
	if err != nil {
		return nil, err
	}
	who, err := rd.Keyring()
	if err != nil {
		return nil, err
	}
	var out []string
	for _, name := range e.Conversations(session) {
		for it, err := range e.Store.List(rd, store.Query{
			Kinds: []memory.Kind{memory.KindRaw}, Session: name, Limit: TurnsLooked,
		}) {
			if err != nil {
				return nil, core.Classify(err)
			}
			if it.Record == nil || !it.State.Live() || who.Voice(it.Record).Principal != me.Principal {
				continue
			}
			if words, person, is := core.TurnWords(it.Record); is && person {
				out = append(out, shorten.To(words, TurnBytes))
			}
		}
	}
	return out, nil
}

// TermsIn returns which of some words are in a text.
func TermsIn(text string, sought []string) map[string]bool {
	out := make(map[string]bool)
	for _, term := range words.Terms(shorten.To(text, TurnBytes)) {
		if slices.Contains(sought, term) {
			out[term] = true
		}
	}
	return out
}

// SaidThere reports whether one of some turns has most words of a text.
func SaidThere(turns []string, text string) bool {
	sought := words.Query(shorten.To(text, TurnBytes))
	return 2*trust.MostSaid(turns, sought) > len(sought)
}

// AfterOutside names outside words that this conversation was shown, where an agent would take a memory out of what
// is current by itself: it may do so because of them. "" is that there are none, that the memory is external itself,
// that the person speaks there of what it says, or that it was written in the same conversation after them.
func (e *Standings) AfterOutside(rd *trust.Reading, it *store.Item) (string, error) {
	shown, outside, err := e.receipts.Recalled(rd, e.C.Session, nil)
	if err != nil || outside == 0 || it.Record == nil {
		return "", err
	}
	h := &it.Record.Header
	if slices.Contains(e.Conversations(""), h.Session) && ext.ExposureOf(it.Record) != ext.NotExposed {
		return "", nil
	}
	if from, err := e.FromOutside(rd, it); from || err != nil {
		return "", err
	}
	turns, err := e.PersonsTurns(rd, h.Session)
	if err != nil || SaidThere(turns, core.Compared(it.Record)) {
		return "", err
	}
	return e.NamesOf(rd, shown[:outside])
}

// FromOutside reports whether a memory is external: outside words may take it out again.
func (e *Standings) FromOutside(rd *trust.Reading, it *store.Item) (bool, error) {
	trusted, err := e.trust.Rate(rd, []*store.Item{it}, false)
	v := trusted[it.Ref.ID]
	return v != nil && v.Tainted, err
}

// NamesOf says in short where outside words come from.
func (e *Standings) NamesOf(rd *trust.Reading, ids []memory.ID) (string, error) {
	items, err := rd.Get(ids...)
	if err != nil {
		return "", core.Classify(err)
	}
	names, err := e.trust.SourcesOf(rd, items)
	if len(names) == 0 {
		names = []string{trust.OthersWords}
	}
	return FewSources(names), err
}

// FewSources names where outside words come from, two at most.
func FewSources(names []string) string {
	const most = 2
	if more := len(names) - most; more > 0 {
		return strings.Join(names[:most], ", ") + " and " + strconv.Itoa(more) + " more"
	}
	return strings.Join(names, " and ")
}
