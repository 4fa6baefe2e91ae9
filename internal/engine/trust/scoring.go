package trust

import (
	"time"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/store"
	score "github.com/stemma-memory/stemma/internal/trust"
	"github.com/stemma-memory/stemma/memory"
)

// Scoring reads what the scores of some records rest on.
func (e *Scores) Scoring(rd *Reading, items []*store.Item, at time.Time, strict bool) (*scoring, error) {
	s, err := e.scoring(rd, at, strict)
	if err != nil {
		return nil, err
	}
	return s, s.gather(e, items, func(*store.Item) bool { return true })
}

func (e *Scores) scoring(rd *Reading, at time.Time, strict bool) (*scoring, error) {
	v, err := rd.TrustContext()
	if err != nil {
		return nil, err
	}
	return &scoring{
		Context: v, rd: rd, strict: strict, held: make(map[memory.ID]*store.Item),
		own: make(map[memory.ID]score.Result), plain: make(map[plain]score.Result), limits: make(map[limitKey]*limit),
		gone: make(map[memory.ID]memory.Ref), events: make(map[memory.ID]*event), at: at,
		by: make(map[memory.ID]string), apart: e.Apart,
	}, nil
}

// MostBehind bounds how many records behind the requested ones are read. Unread ones count as
// the worst.
const MostBehind = 20_000

// gather reads all sources of those of items that are whole, and the claims about them.
func (s *scoring) gather(e *Scores, items []*store.Item, whole func(*store.Item) bool) error {
	var todo []memory.ID
	asked := make(map[memory.ID]bool)
	apart := make(map[memory.ID]bool) // items whose sources nothing needs yet
	add := func(it *store.Item) {
		for next := []*store.Item{it}; len(next) > 0; next = next[1:] {
			for _, id := range behind(next[0].Record) {
				if apart[id] { // something that counts rests on it after all
					delete(apart, id)
					next = append(next, s.held[id])
				} else if !asked[id] && s.held[id] == nil {
					asked[id] = true
					todo = append(todo, id)
				}
			}
		}
	}
	all := make([]*store.Item, 0, len(items))
	for _, it := range items {
		if it != nil && it.Record != nil {
			all = append(all, it)
			s.held[it.Ref.ID] = it
			apart[it.Ref.ID] = !whole(it)
		}
	}
	for _, it := range all {
		if !apart[it.Ref.ID] {
			add(it)
		}
	}
	for requested := len(all); len(todo) > 0 && len(all)-requested < MostBehind; {
		level, err := s.rd.Get(todo...)
		if err != nil {
			return core.Classify(err)
		}
		todo = nil
		for _, it := range level {
			switch {
			case it == nil || s.held[it.Ref.ID] != nil:
			case it.Record != nil:
				if !s.at.IsZero() {
					if it, err = e.AsOf(s.rd, it, s.at); err != nil {
						return core.Classify(err)
					}
				}
				if it != nil {
					all = append(all, it)
					s.held[it.Ref.ID] = it
					add(it)
				}
			case it.State.Purged:
				s.gone[it.Ref.ID] = it.Ref
			}
		}
	}
	var ids []memory.ID // that an agent verified last, and somebody before
	var twice []*store.Item
	for _, it := range core.Present(items) {
		if it.State.AgentVerified && it.State.Verifications > 1 {
			ids, twice = append(ids, it.Ref.ID), append(twice, it)
		}
	}
	claims, err := s.rd.Speaking(ids, memory.KindVerify)
	if err != nil {
		return err
	}
	s.verified = verifiedTwice(s.Ring, s.at, twice, claims)
	every := 0
	if len(items) == 1 { // who asks for one shows all that was said of it
		every = 1
	}
	s.said, err = s.Context.said(s.rd, all, every)
	return err
}
