package views

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/code"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// How much is said of each session.
const (
	mostWriters  = 30 // sessions that are described
	mostPrompts  = 5
	mostBearing  = 5
	fewBearing   = 2 // where there are several sessions
	promptText   = 1000
	mostGiven    = 500 // memories of one session that are looked at
	leastShared  = 2   // words
	sharedShown  = 3
	severalBegin = 4
)

// sessionsOf describes the sessions of an answer.
func (e *Views) sessionsOf(rd *trust.Reading, reply *api.BlameReply) ([]api.BlameSession, error) {
	out := []api.BlameSession{}
	all := writers(reply)
	if len(all) > mostWriters {
		reply.Notes = append(reply.Notes, "more sessions wrote lines than are described")
		all = all[:mostWriters]
	}
	until := make(map[string]string)
	for _, w := range all {
		until[w.session] = max(until[w.session], w.last)
	}
	given := e.receipts.GivenIn(until)
	bearing := mostBearing
	if len(all) >= severalBegin {
		bearing = fewBearing
	}
	for _, w := range all {
		s := api.BlameSession{Session: w.session, Host: w.host, Lines: w.lines, Given: []api.BlameGiven{}}
		var err error
		if s.Prompts, s.MorePrompts, err = e.PromptsOf(rd, w.host, w.session, w.last); err != nil {
			return out, err
		}
		for _, p := range s.Prompts {
			w.text.WriteString(p.Text + "\n")
		}
		list := make(map[memory.ID]string) // with the time
		for _, one := range given[w.session] {
			if ref, err := memory.ParseRef(one.Ref); err == nil && ref.Kind.IsMemory() {
				list[ref.ID] = one.At
			}
		}
		if err := e.signedGiven(rd, w, list); err != nil {
			return out, err
		}
		if s.Given, s.GivenInAll, err = e.bearing(rd, w, list, bearing); err != nil {
			return out, err
		}
		out = append(out, s)
	}
	return out, nil
}

// PromptsOf returns the last things that a session was asked until a time, the newest first, and how many were before.
func (e *Views) PromptsOf(
	rd *trust.Reading, host, session, until string,
) (out []api.BlameSaid, more int, err error) {
	out = []api.BlameSaid{}
	spaces, err := e.ReadSpaces(rd)
	if err != nil || len(spaces) == 0 {
		return out, 0, core.Classify(err)
	}
	for it, err := range e.Store.List(rd, store.Query{
		Kinds: []memory.Kind{memory.KindRaw}, Spaces: spaces, Session: session, Says: eventPrompt,
	}) {
		if err != nil {
			return out, 0, core.Classify(err)
		}
		if it.Record == nil || it.Doubt == store.Forged {
			continue
		}
		raw, is := it.Record.Body.(*memory.Raw)
		if !is || raw.Event != eventPrompt || raw.Source != "hook" || host != "" && it.Record.Header.Platform != host {
			continue
		}
		if at := standing.At(it.Record); until == "" || at <= until {
			out = append(out, api.BlameSaid{Ref: it.Ref.String(), At: at, Text: shorten.To(raw.Said(), promptText)})
		}
	}
	slices.SortStableFunc(out, func(a, b api.BlameSaid) int { return cmp.Compare(b.At, a.At) })
	if more = len(out) - mostPrompts; more > 0 {
		return out[:mostPrompts], more, nil
	}
	return out, 0, nil
}

const eventPrompt = "user_prompt"

// signedGiven adds what the records that were signed at commits say the session had been given.
func (e *Views) signedGiven(rd *trust.Reading, w *written, list map[memory.ID]string) error {
	ids, err := e.SignedGiven(rd, w.signed)
	for _, id := range ids {
		if _, had := list[id]; !had {
			list[id] = ""
		}
	}
	return err
}

// SignedGiven returns what records that were signed at commits say their session had been given.
func (e *Views) SignedGiven(rd *trust.Reading, signed []string) (out []memory.ID, err error) {
	var ids []memory.ID
	for _, name := range signed {
		if ref, err := memory.ParseRef(name); err == nil {
			ids = append(ids, ref.ID)
		}
	}
	items, err := rd.Get(ids...)
	if err != nil {
		return nil, core.Classify(err)
	}
	for _, it := range core.Present(items) {
		if it.Record != nil {
			out = append(out, it.Record.Header.Recalled...)
		}
	}
	return out, nil
}

// A weighed is a memory that a session had been given, and how much it bears on what was written.
type weighed struct {
	*store.Item
	why   string
	worth int
}

// bearing returns the memories that bear on what a session wrote: those that name the file, and those that share words
// with the lines or with what was asked.
func (e *Views) bearing(
	rd *trust.Reading, w *written, list map[memory.ID]string, most int,
) (out []api.BlameGiven, all int, err error) {
	out = []api.BlameGiven{}
	var ids []memory.ID
	for id := range list {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b memory.ID) int { return cmp.Or(cmp.Compare(list[b], list[a]), a.Compare(b)) })
	items, err := rd.Get(ids[:min(len(ids), mostGiven)]...)
	if err != nil {
		return out, 0, core.Classify(err)
	}
	reads, err := e.Reads(rd)
	if err != nil {
		return out, 0, err
	}
	said := make(map[string]bool)
	for _, t := range words.Query(w.text.String()) {
		said[t] = true
	}
	var some []weighed
	var rated []*store.Item
	for _, it := range core.Present(items) {
		if it.Record != nil && !reads(it.Record.Header.Space) {
			continue
		}
		all++
		if it.Record == nil || it.Doubt == store.Forged || it.Ref.Kind == memory.KindRaw {
			continue
		}
		one := weighed{Item: it}
		if one.why, one.worth = bears(it, w.files, said); one.worth > 0 {
			some = append(some, one)
		}
	}
	slices.SortStableFunc(some, func(a, b weighed) int { return cmp.Compare(b.worth, a.worth) })
	some = some[:min(len(some), most)]
	for _, one := range some {
		rated = append(rated, one.Item)
	}
	ratings, err := e.trust.Rate(rd, rated, false)
	if err != nil {
		return out, all, err
	}
	e.receipts.NoteShown("blame", rated, ratings)
	marks, err := e.MarksOf(rd, rated, ratings, memory.Time{})
	if err != nil {
		return out, all, err
	}
	base, err := rd.Voices()
	if err != nil {
		return out, all, err
	}
	d := &deciding{e: e, rd: rd, base: base}
	for i, one := range some {
		g := api.BlameGiven{LinkEnd: d.end(one.Ref, one.Item, marks[i]), At: list[one.Ref.ID], Bears: one.why}
		if g.Hidden == "" {
			if g.Decisions, err = e.Decided(rd, one.Item); err != nil {
				return out, all, err
			}
		}
		out = append(out, g)
	}
	return out, all, nil
}

const namesFile = 1000 // is worth more than any words

// bears says why a memory bears on lines, and how much.
func bears(it *store.Item, files []string, said map[string]bool) (why string, worth int) {
	for _, ev := range it.Record.Header.Provenance.Evidence {
		if slices.Contains(files, ev.Path) {
			return "names " + code.Text(ev), namesFile
		}
	}
	var shared []string
	had, useful := make(map[string]bool), make(map[string]bool)
	for _, t := range words.Query(it.Record.Words()) { // without the words that every text has
		useful[t] = true
	}
	for _, word := range strings.FieldsFunc(it.Record.Words(), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsPunct(r) && r != '_' && r != '-'
	}) {
		for _, t := range words.Query(word) {
			if said[t] && !had[t] && !words.OfNumber(t) && useful[t] {
				had[t], shared = true, append(shared, word)
				break
			}
		}
	}
	if len(shared) < leastShared {
		return "", 0
	}
	return "shares words: " + strings.Join(shared[:min(len(shared), sharedShown)], ", "), len(shared)
}
