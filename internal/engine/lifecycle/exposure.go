package lifecycle

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/ext"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// expose keeps in a header what an agent was shown in its conversation, and what the words that it writes now are to
// those of them that came from outside.
func (e *Lifecycle) expose(ctx context.Context, h *memory.Header, text string, sources []memory.ID) error {
	h.Ext = ext.With(h.Ext, ext.AfterOutside, "")
	rd := e.trust.Reading(ctx)
	shown, outside, err := e.receipts.Recalled(rd, core.Or(h.Session, e.C.Session), sources)
	if h.Recalled = shown; err != nil || e.isPerson() {
		return err
	}
	said, err := rd.Get(sources...)
	if err != nil {
		return core.Classify(err)
	}
	before := shown[:outside:outside]
	for _, it := range core.Present(said) {
		more, err := e.shownBefore(rd, it)
		if err != nil {
			return err
		}
		before = addNew(before, more)
	}
	h.Recalled = addNew(slices.Clip(shown), before)
	if text == "" {
		return nil
	}
	what := ext.NotExposed
	if len(before) > 0 {
		items, err := rd.Get(before...)
		if err != nil {
			return core.Classify(err)
		}
		if what, err = e.exposureOf(rd, h.Session, text, items); err != nil {
			return err
		}
	}
	if what != ext.Repeats {
		elsewhere, err := e.readElsewhere(rd, core.Or(h.Session, e.C.Session), text, sources)
		if err != nil {
			return err
		}
		if len(elsewhere) > 0 {
			h.Recalled, what = addNew(h.Recalled, elsewhere), ext.Repeats
		}
	}
	if what != ext.NotExposed {
		h.Ext = ext.With(h.Ext, ext.AfterOutside, string(what))
	}
	return nil
}

// shownBefore returns the outside words that an agent had been shown in its conversation when it said something there:
// what it answered a person is a record without what came before it.
func (e *Lifecycle) shownBefore(ctx context.Context, it *store.Item) ([]memory.ID, error) {
	if it.Record == nil || it.Record.Header.Origin != memory.OriginAgent || len(it.Record.Header.Recalled) > 0 {
		return nil, nil
	}
	if _, person, is := core.TurnWords(it.Record); !is || person {
		return nil, nil
	}
	return e.receipts.OutsideIn(e.trust.Reading(ctx), it.Record.Header.Session, it.Record.Header.At.Time())
}

// addNew adds those that are not there, as far as a record may name them.
func addNew(to, more []memory.ID) []memory.ID {
	for _, id := range more {
		if len(to) < memory.MaxSources && !slices.Contains(to, id) {
			to = append(to, id)
		}
	}
	return to
}

// exposureOf compares words with outside words, and with what the person said in the conversation.
func (e *Lifecycle) exposureOf(
	ctx context.Context, session, text string, outside []*store.Item,
) (ext.Exposure, error) {
	turns, err := e.standing.PersonsTurns(e.trust.Reading(ctx), session)
	if err != nil {
		return ext.NotExposed, err
	}
	passages := func(yield func(trust.Passage) bool) {
		for _, it := range core.Present(outside) {
			if it.Record != nil && !yield(trust.PassageOf(trust.OutsideText(it.Record))) {
				return
			}
		}
	}
	switch {
	case trust.Repeating(text, passages, turns):
		return ext.Repeats, nil
	case standing.SaidThere(turns, text):
		return ext.SaidThere, nil
	}
	return ext.HadRead, nil
}

// exposeDraft keeps in the header of a draft what its words are to the outside words that were shown before the words
// which it is made of: a sentence of these may be the agent's own, and another not.
func (e *Lifecycle) exposeDraft(
	ctx context.Context, h *memory.Header, text string, sources []*store.Item, from []int,
) error {
	rd := e.trust.Reading(ctx)
	for _, n := range from {
		said := sources[n]
		before, err := e.shownBefore(rd, said)
		if err != nil {
			return err
		}
		h.Recalled = addNew(h.Recalled, before)
		outside, err := rd.Get(before...)
		if err != nil {
			return core.Classify(err)
		}
		if ext.ExposureOf(said.Record) != ext.NotExposed {
			if outside, err = e.trust.OutsideBefore(rd, said); err != nil {
				return err
			}
		}
		if len(outside) == 0 {
			continue
		}
		what, err := e.exposureOf(rd, said.Record.Header.Session, text, outside)
		if err != nil {
			return err
		}
		if now := ext.ExposureOf(&memory.Record{Header: *h}); now == ext.NotExposed || what == ext.Repeats {
			h.Ext = ext.With(h.Ext, ext.AfterOutside, string(what))
		}
	}
	return nil
}

// mayAfterOutside reports whether an agent may revise a memory by itself although its conversation was shown outside
// words: not where its new words are these, and not to end or merge memories.
func (e *Lifecycle) mayAfterOutside(
	ctx context.Context, in api.ReviseRequest, old *store.Item, new, said *memory.Record,
) (bool, error) {
	if e.isPerson() {
		return true, nil
	}
	rd := e.trust.Reading(ctx)
	brings, err := e.bringsFigure(rd, old, new)
	if err != nil {
		return false, err
	}
	if brings || ext.ExposureOf(new) == ext.Repeats || said != nil && ext.ExposureOf(said) == ext.Repeats {
		return e.standing.FromOutside(rd, old)
	}
	switch {
	case in.ValidUntil == "" && len(in.Merge) == 0:
		return true, nil
	}
	after, err := e.standing.AfterOutside(rd, old)
	return after == "", err
}

// bringsFigure reports whether a figure or an address that a memory says in the place of an older one stands in outside
// words that its author had been shown, and in nothing that the person said there. It is the same in each language and
// wording, so it shows what was retold.
func (e *Lifecycle) bringsFigure(rd *trust.Reading, old *store.Item, new *memory.Record) (bool, error) {
	brought := figuresOf(memory.Whole(new.Body))
	without := func(text string) {
		for figure := range figuresOf(text) {
			delete(brought, figure)
		}
	}
	if without(memory.Whole(old.Record.Body)); len(brought) == 0 {
		return false, nil
	}
	said, err := rd.Get(new.Header.Provenance.Sources()...)
	if err != nil {
		return false, core.Classify(err)
	}
	var outside []*store.Item
	for _, it := range append(core.Present(said), &store.Item{Ref: new.Ref(), Record: new}) {
		if it.Record == nil {
			continue
		}
		before, err := e.trust.OutsideBefore(rd, it)
		if err != nil {
			return false, err
		}
		outside = append(outside, before...)
	}
	if len(outside) == 0 {
		return false, nil
	}
	turns, err := e.standing.PersonsTurns(rd, new.Header.Session)
	if err != nil {
		return false, err
	}
	for _, turn := range turns {
		without(turn)
	}
	for _, it := range outside {
		for figure := range figuresOf(trust.OutsideText(it.Record)) {
			if brought[figure] {
				return true, nil
			}
		}
	}
	return false, nil
}

// figuresOf returns the words of a text that have a digit and one more sign, or a dot within: ports, versions, days,
// settings, addresses.
func figuresOf(text string) map[string]bool {
	out := make(map[string]bool)
	for _, word := range strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(".:-/=@_", r)
	}) {
		word = strings.ToLower(strings.Trim(word, ".:-/=@_"))
		if utf8.RuneCountInString(word) > 1 && (strings.ContainsFunc(word, unicode.IsDigit) || strings.Contains(word, ".")) {
			out[word] = true
		}
	}
	return out
}

// whyProposed says why an agent's act on a memory is only proposed, "" where that is its owner's to decide.
func (e *Lifecycle) whyProposed(ctx context.Context, it *store.Item) (string, error) {
	why, err := e.standing.LeftToPerson(e.trust.Reading(ctx), it)
	if err != nil || why != "" || e.isPerson() {
		return why, err
	}
	shown, outside, err := e.receipts.Recalled(e.trust.Reading(ctx), e.C.Session, nil)
	if err != nil || outside == 0 {
		return "", err
	}
	after, err := e.standing.NamesOf(e.trust.Reading(ctx), shown[:outside])
	return "this session had read " + after, err
}
