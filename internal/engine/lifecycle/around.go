package lifecycle

import (
	"context"
	"slices"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/engine/views"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// AroundRequest names a memory.
type AroundRequest struct {
	Ref string `json:"ref"`
}

// AroundReply is what somebody wants to see beside a memory before they decide about it.
type AroundReply struct {
	Talks []Talk  `json:"talks"` // the captured words that it comes from, each within its conversation
	Older []Older `json:"older"` // what it replaced, would replace, or contradicts
	// Near are current memories about the same thing, at most three.
	Near []views.Standing `json:"near"`
	Own  bool             `json:"own,omitempty"` // its words are the agent's own: no turn says them
}

// A Talk is a part of a conversation.
type Talk struct {
	Session string `json:"session,omitempty"`
	Agent   string `json:"agent,omitempty"`
	Turns   []Turn `json:"turns"`
	Later   bool   `json:"later,omitempty"` // it has later turns
}

// A Turn is what was said in a conversation.
type Turn struct {
	views.Standing
	Behind bool `json:"behind,omitempty"` // the memory comes from it
	Gap    bool `json:"gap,omitempty"`    // earlier turns are left out before it
}

// An Older is a memory that another one replaces or contradicts.
type Older struct {
	views.Standing
	Relation string `json:"relation,omitempty"` // of a link; "" is that it was replaced already
	Link     string `json:"link,omitempty"`
}

// Bounds of a conversation that is shown around a turn.
const (
	turnsAround = 2      // before and after
	turnShown   = 4_000  // bytes of a turn beside
	turnsLooked = 20_000 // turns of one conversation that are looked through
)

// Around shows the conversation around the words that a memory comes from, what it replaces, and what is near to it.
func (e *Lifecycle) Around(ctx context.Context, in AroundRequest) (AroundReply, error) {
	rd := e.trust.Reading(store.AtOnce(ctx))
	reply := AroundReply{Talks: []Talk{}, Older: []Older{}, Near: []views.Standing{}}
	it, err := e.Lookup(rd, in.Ref)
	if err != nil || it.Record == nil {
		return reply, err
	}
	behind, err := e.views.WordsBehind(rd, it, wordsQueued)
	if err != nil {
		return reply, err
	}
	words := behind.Words
	if len(words) == 0 {
		words, reply.Own = behind.Own, len(behind.Own) > 0
	}
	if reply.Talks, err = e.talks(rd, words); err != nil {
		return reply, err
	}
	older, err := e.views.Older(rd, it)
	if err != nil {
		return reply, err
	}
	for _, o := range older {
		m, err := e.views.View(rd, o.Item)
		if err != nil {
			return reply, err
		}
		one := Older{Standing: standingOf(o.Item, m, textShown), Relation: o.Relation}
		if o.Link != nil {
			one.Link = o.Link.String()
		}
		reply.Older = append(reply.Older, one)
	}
	if !it.Ref.Kind.IsMemory() || it.Ref.Kind == memory.KindRaw {
		return reply, nil
	}
	near, err := e.nearOf(ctx, newLooked(), []*store.Item{it})
	if err != nil {
		return reply, err
	}
	shown, err := e.views.Views(rd, near...)
	for i, m := range shown {
		reply.Near = append(reply.Near, standingOf(near[i], m, turnShown))
	}
	return reply, err
}

// talks shows captured words with the turns around them: those of one conversation together.
func (e *Lifecycle) talks(rd *trust.Reading, words []*store.Item) ([]Talk, error) {
	out := []Talk{}
	spaces, err := e.ReadSpaces(rd)
	if err != nil {
		return nil, core.Classify(err)
	}
	for len(words) > 0 {
		h := &words[0].Record.Header
		var said, others []*store.Item
		for i, w := range words {
			o := &w.Record.Header
			if i == 0 || h.Session != "" && o.Session == h.Session && o.Space == h.Space {
				said = append(said, w)
			} else {
				others = append(others, w)
			}
		}
		words = others
		t := Talk{Session: h.Session, Agent: h.Agent}
		part := part{said: said}
		if h.Session != "" && slices.Contains(spaces, h.Space) { // no neighbours of what lies where one does not read
			if err := e.around(rd, h, &part); err != nil {
				return nil, err
			}
		}
		part.rest()
		shown, err := e.views.Views(rd, part.turns...)
		if err != nil {
			return nil, err
		}
		t.Later = part.later
		for i, it := range part.turns {
			most := turnShown
			if part.behind(it) {
				most = textShown
			}
			t.Agent = core.Or(t.Agent, it.Record.Header.Agent)
			t.Turns = append(t.Turns, Turn{
				Standing: standingOf(it, shown[i], most), Behind: part.behind(it), Gap: part.gaps[it.Ref.ID],
			})
		}
		out = append(out, t)
	}
	return out, nil
}

// A part of a conversation is some turns of it with those around each.
type part struct {
	said, turns []*store.Item
	gaps        map[memory.ID]bool
	later       bool
}

func (p *part) behind(it *store.Item) bool {
	return slices.ContainsFunc(p.said, func(w *store.Item) bool { return w.Ref == it.Ref })
}

// rest adds what the conversation does not list, such as words that were forgotten.
func (p *part) rest() {
	for _, w := range p.said {
		if !slices.ContainsFunc(p.turns, func(o *store.Item) bool { return o.Ref == w.Ref }) {
			p.turns = append(p.turns, w)
		}
	}
}

// around reads a conversation until it has the turns around those of a part.
func (e *Lifecycle) around(rd *trust.Reading, h *memory.Header, p *part) error {
	p.gaps = make(map[memory.ID]bool)
	var before []*store.Item
	after, left, looked, gap := 0, len(p.said), 0, false
	q := store.Query{Kinds: []memory.Kind{memory.KindRaw}, Spaces: []string{h.Space}, Session: h.Session, Oldest: true}
	for it, err := range e.Store.List(rd, q) {
		if err != nil {
			return core.Classify(err)
		}
		if looked++; looked > turnsLooked {
			return nil
		}
		if it.Record == nil || it.Record.Header.Session != h.Session {
			continue
		}
		switch by := it.Record.Header.Provenance.Context; {
		case p.behind(it):
			if before = append(before, it); gap {
				p.gaps[before[0].Ref.ID] = true
			}
			p.turns = append(p.turns, before...)
			before, gap, after, left = nil, false, turnsAround, left-1
		case by == core.ContextRemember || by == core.ContextCorrect: // the agent's own, beside the turns
		case after > 0:
			p.turns = append(p.turns, it)
			after--
		case left == 0:
			p.later = true
			return nil
		default:
			if before = append(before, it); len(before) > turnsAround {
				before, gap = before[1:], true
			}
		}
	}
	return nil
}
