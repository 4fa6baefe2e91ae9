package lifecycle

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/engine/views"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// QueueRequest asks what waits for a person, as the page lists it.
type QueueRequest struct {
	All   bool     `json:"all,omitempty"`   // also what the policy asks no person about
	Limit int      `json:"limit,omitempty"` // 0 is 500, the most
	Refs  []string `json:"refs,omitempty"`  // these memories alone, whether they wait or not; at most 500
}

// QueueReply is what waits, the oldest first.
type QueueReply struct {
	Items []QueueItem `json:"items"`
	More  bool        `json:"more,omitempty"`
}

// A QueueItem is a memory that waits for a decision, with the words that it comes from.
type QueueItem struct {
	views.Standing
	Why      string `json:"why,omitempty"`        // why a person is asked, where it is not for being an agent's alone
	OneByOne bool   `json:"one_by_one,omitempty"` // no decision about several covers it
	// Words are captured words behind it, at most three, each cut where it is long; Own is that they are the agent's.
	Words []api.Source `json:"words,omitempty"`
	Own   bool         `json:"own,omitempty"`
	From  QueueFrom    `json:"from"`
}

// QueueFrom is what a memory that waits came from, by which the page groups it.
type QueueFrom struct {
	Key   string `json:"key"` // the same for all that came from there
	How   string `json:"how"` // outside, session, import, source or none
	Name  string `json:"name,omitempty"`
	Agent string `json:"agent,omitempty"`
	Of    string `json:"of,omitempty"` // the key of its author, where that is not this person's
}

// Bounds of a queue.
const (
	mostQueued  = 500
	wordsQueued = 3
	wordsShown  = 600     // bytes of each
	textShown   = 100_000 // bytes of a memory
)

// Queue lists what waits for a person: what the policy asks them about, and what is held back after outside words.
func (e *Lifecycle) Queue(ctx context.Context, in QueueRequest) (QueueReply, error) {
	rd := e.trust.Reading(store.AtOnce(ctx))
	reply := QueueReply{Items: []QueueItem{}}
	limit := cmp.Or(in.Limit, mostQueued)
	if limit < 1 || limit > mostQueued {
		return reply, core.Invalid("limit: must be from 1 to %d, got %d", mostQueued, in.Limit)
	}
	if len(in.Refs) > mostQueued {
		return reply, core.Invalid("refs: must be at most %d, got %d", mostQueued, len(in.Refs))
	}
	q, err := &queued{}, error(nil)
	if len(in.Refs) > 0 {
		q.items, err = e.named(ctx, in.Refs)
	} else {
		q, err = e.queued(rd, in.All, limit)
	}
	if err != nil || len(q.items) == 0 {
		return reply, err
	}
	reply.More = q.more
	shown, err := e.views.Views(rd, q.items...)
	if err != nil {
		return reply, err
	}
	voices, err := e.voices(ctx)
	if err != nil {
		return reply, err
	}
	for i, it := range q.items {
		one := QueueItem{Standing: standingOf(it, shown[i], textShown), Why: q.why[it.Ref.ID]}
		if one.OneByOne, err = e.views.DecidedAlone(rd, it); err != nil {
			return reply, err
		}
		// what does not stand word for word in the list is not covered by a decision about several
		one.OneByOne = one.OneByOne || len(memory.Whole(it.Record.Body)) > textShown
		words, own, err := e.queuedBehind(rd, it)
		if err != nil {
			return reply, err
		}
		one.Own = own
		for _, w := range words {
			one.Words = append(one.Words, queuedWords(w))
		}
		if _, err := e.views.Views(rd, words...); err != nil { // what an agent was shown is kept
			return reply, err
		}
		one.From = e.queuedFrom(it, words, one.Own, q.after[it.Ref.ID], voices)
		reply.Items = append(reply.Items, one)
	}
	return reply, nil
}

// queuedBehind returns the captured words behind a memory that waits, and whether they are the agent's own.
func (e *Lifecycle) queuedBehind(rd *trust.Reading, it *store.Item) (words []*store.Item, own bool, err error) {
	behind, err := e.views.WordsBehind(rd, it, wordsQueued)
	if len(behind.Words) > 0 || err != nil {
		return behind.Words, false, err
	}
	return behind.Own, len(behind.Own) > 0, nil
}

// named returns the memories of a list; those that are not here are left out.
func (e *Lifecycle) named(ctx context.Context, refs []string) ([]*store.Item, error) {
	var out []*store.Item
	for _, ref := range refs {
		it, err := e.Lookup(ctx, ref)
		switch {
		case errors.Is(err, api.ErrNotFound):
		case err != nil:
			return nil, err
		case it.Record != nil && it.Ref.Kind.IsMemory():
			out = append(out, it)
		}
	}
	return out, nil
}

// queued is what waits, before it is shown.
type queued struct {
	items []*store.Item
	why   map[memory.ID]string
	after map[memory.ID]string // where the outside words come from, of what is held back
	more  bool
}

func (e *Lifecycle) queued(rd *trust.Reading, all bool, limit int) (*queued, error) {
	q := &queued{why: make(map[memory.ID]string), after: make(map[memory.ID]string)}
	spaces, err := e.ReadSpaces(rd)
	if err != nil || len(spaces) == 0 {
		return q, core.Classify(err)
	}
	held, rated, more, err := e.views.HeldBack(rd)
	if err != nil {
		return q, err
	}
	q.items, q.more = held, more
	for _, it := range held {
		q.after[it.Ref.ID] = standing.FewSources(rated[it.Ref.ID].After)
	}
	waiting, err := e.standing.Waits(rd)
	if err != nil {
		return q, err
	}
	kinds, err := views.ListKinds("")
	if err != nil {
		return q, err
	}
	asking := waiting.Asking(rd, kinds, spaces)
	if all {
		asking = e.Store.List(rd, store.Query{Kinds: kinds, Spaces: spaces, Oldest: true})
	}
	asked := 0
	for it, err := range asking {
		if err != nil {
			return q, core.Classify(err)
		}
		asks, why, err := waiting.Memory(rd, it)
		if err != nil {
			return q, err
		}
		if !asks && !(all && it.Record != nil && it.State.Review == state.ReviewPending) {
			continue
		}
		q.why[it.Ref.ID] = why
		if _, is := q.after[it.Ref.ID]; is {
			continue
		}
		if asked == limit {
			q.more = true
			break
		}
		asked++
		q.items = append(q.items, it)
	}
	slices.SortStableFunc(q.items, func(a, b *store.Item) int {
		return a.Record.Header.At.Time().Compare(b.Record.Header.At.Time())
	})
	if len(q.items) > limit {
		q.items, q.more = q.items[:limit], true
	}
	return q, nil
}

// queuedWords shows captured words in short.
func queuedWords(it *store.Item) api.Source {
	return api.Source{
		Ref: it.Ref.String(), Headline: cutTo(memory.Whole(it.Record.Body), wordsShown),
		At: standing.At(it.Record), Speaker: standing.Speaker(it.Record.Body),
	}
}

// cutTo cuts a text that has more bytes.
func cutTo(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most] + "…"
}

// standingOf is how a record stands, without its members: its text says them.
func standingOf(it *store.Item, m api.Memory, most int) views.Standing {
	s := views.StandingOf(it, m)
	s.Content, s.Memory.Text = nil, ""
	if it.Record != nil {
		s.Text = cutTo(memory.Whole(it.Record.Body), most)
	}
	return s
}

// queuedFrom says where a memory came from: outside words, a conversation, an import, or its source.
func (e *Lifecycle) queuedFrom(
	it *store.Item, words []*store.Item, own bool, after string, voices func(*memory.Record) voice,
) QueueFrom {
	h := &it.Record.Header
	f := QueueFrom{How: "none", Agent: h.Agent}
	if !voices(it.Record).Mine {
		f.Of = h.Author
	}
	session := h.Session
	for _, w := range words {
		session = core.Or(session, w.Record.Header.Session)
		f.Agent = core.Or(f.Agent, w.Record.Header.Agent)
	}
	switch {
	case after != "":
		f.How, f.Name = "outside", after
	case h.Origin == memory.OriginImport && len(h.Alias) > 0:
		f.How, f.Name = "import", core.AliasSource(h.Alias[0])
	case session != "":
		f.How, f.Name = "session", session
	case len(words) > 0 && !own:
		f.How, f.Name = "source", queuedWords(words[0]).Headline
	}
	key := []string{f.How, f.Name, f.Of, f.Agent}
	switch f.How {
	case "session":
		key = append(key, h.Space) // two projects may call a session the same
	case "source":
		key = append(key, words[0].Ref.String())
	}
	sum := sha256.Sum256([]byte(strings.Join(key, "\x00")))
	f.Key = hex.EncodeToString(sum[:6])
	return f
}
