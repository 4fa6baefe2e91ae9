package views

import (
	"errors"
	"io/fs"
	"iter"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/index"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// promptEvent is the event of what a person said to an agent.
const promptEvent = "user_prompt"

// promptsRead is how many prompts are read to count them: whether each is the person's own words shows in its
// bytes. The others are counted by the tables.
const promptsRead = 64

// IsPrompt reports whether a record is a prompt in a person's own words, and what these are.
func IsPrompt(r *memory.Record) (own string, is bool) {
	raw, ok := r.Body.(*memory.Raw)
	if !ok || raw.Event != promptEvent {
		return "", false
	}
	return core.OwnWords(r)
}

// prompts is what finds the reader's prompts of which no current memory was made, the oldest first: those that wait, or
// those that were settled as not kept. Found is false where there can be none.
type prompts struct {
	query store.Query
	ring  *state.Keyring
	me    string
	found bool
}

func (e *Views) prompts(rd *trust.Reading, notKept bool) (p prompts, err error) {
	me, err := e.KnownKeys()
	if errors.Is(err, fs.ErrNotExist) || err == nil && me == nil || e.C.Foreign {
		return p, nil
	}
	if err != nil {
		return p, err
	}
	spaces, err := e.ReadSpaces(rd)
	if err != nil || len(spaces) == 0 {
		return p, core.Classify(err)
	}
	if p.ring, err = rd.Keyring(); err != nil {
		return p, err
	}
	p.me, p.found = me.Principal, true
	p.query = store.Query{
		Kinds: []memory.Kind{memory.KindRaw}, Spaces: spaces, Authors: p.ring.Keys(me.Principal), Unused: true,
		Open: !notKept, Done: notKept, Oldest: true, Has: [][]string{{index.SubjectMark("user")}},
	}
	if !notKept {
		p.query.Untied = core.SaidIn // what was remembered in the conversation comes from it
	}
	return p, nil
}

// own reports whether a record is one of them.
func (p *prompts) own(it *store.Item) bool {
	if it.Record == nil || p.ring.Voice(it.Record).Principal != p.me {
		return false
	}
	_, is := IsPrompt(it.Record)
	return is
}

// Prompts returns the reader's prompts of which no current memory was made, the oldest first: those that wait, or with
// notKept those that were settled. A session and a time choose some of them.
func (e *Views) Prompts(
	rd *trust.Reading, notKept bool, session string, since time.Time,
) iter.Seq2[*store.Item, error] {
	return func(yield func(*store.Item, error) bool) {
		p, err := e.prompts(rd, notKept)
		if err != nil {
			yield(nil, err)
			return
		}
		if !p.found {
			return
		}
		p.query.Session = session
		for it, err := range e.Store.List(rd, p.query) {
			if err != nil {
				yield(nil, core.Classify(err))
				return
			}
			if p.own(it) && !standing.Happened(it.Record).Before(since) && !yield(it, nil) {
				return
			}
		}
	}
}

// CountPrompts says how many prompts wait, or with notKept were settled, and since when. It reads few of them.
func (e *Views) CountPrompts(rd *trust.Reading, notKept bool) (n api.Counted, err error) {
	p, err := e.prompts(rd, notKept)
	if err != nil || !p.found {
		return n, err
	}
	looked := 0
	var since time.Time
	p.query.Few = promptsRead + 1
	for it, err := range e.Store.List(rd, p.query) {
		if err != nil {
			return n, core.Classify(err)
		}
		if looked++; looked > promptsRead {
			break
		}
		if !p.own(it) {
			continue
		}
		n.Count++
		if at := standing.Happened(it.Record); since.IsZero() || at.Before(since) {
			since, n.Since = at, standing.At(it.Record)
		}
	}
	if looked > promptsRead {
		all, err := store.CountListed(rd, e.Store, p.query)
		if err != nil {
			return n, core.Classify(err)
		}
		n.Count += max(all-promptsRead, 0)
	}
	return n, nil
}

// PromptsLine says in one line how many prompts wait, "" where none does. It names no day by the clock, so that it
// stays the same until something is said or settled.
func PromptsLine(n api.Counted, zone *time.Location) string {
	if n.Count == 0 {
		return ""
	}
	since := ""
	if at, err := time.Parse(time.RFC3339Nano, n.Since); err == nil {
		since = " since " + at.In(zone).Format("Monday 2006-01-02")
	}
	are := " are not yet memories"
	if n.Count == 1 {
		are = " is not yet a memory"
	}
	return core.Plural(n.Count, "prompt") + since + are + ": `recent waiting=true`"
}
