package engine

import (
	"context"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/code"
	"github.com/stemma-memory/stemma/internal/pack"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/door"
	"github.com/stemma-memory/stemma/internal/store/shelves"
	"github.com/stemma-memory/stemma/memory"
)

// Sections of packs. A memory is in the first for which it has what it takes.
const (
	inValues      = "values"
	inGoals       = "goals"
	inDrives      = "drives"
	inConstraints = "constraints"
	inNeeds       = "needs"
	inVerified    = "verified"
	inObserved    = "observed"
	inUnverified  = "unverified"
)

// section says where in a pack a memory belongs whose code is as it was.
func (v *vouched) section(it *store.Item) string {
	approved := v.actionable && v.approved
	note, _ := it.Record.Body.(*memory.Note)
	switch k := it.Ref.Kind; {
	case k == memory.KindRaw || v.doubt != "":
		return inUnverified
	case k == memory.KindValue && approved:
		return inValues
	case k == memory.KindGoal && approved && active(&v.state):
		return inGoals
	case k == memory.KindGoal && !active(&v.state): // it is over
		return v.below()
	case k == memory.KindDrive && approved:
		return inDrives
	case note != nil && note.Type == constraintType && approved:
		return inConstraints
	case v.actionable && (v.tier == memory.Grounded || v.tier == memory.Observed):
		return inVerified
	}
	return v.below()
}

// below is the section of what nobody approved or confirmed.
func (v *vouched) below() string {
	if v.own && !v.tainted {
		return inObserved
	}
	return inUnverified
}

// active reports whether a goal is still one.
func active(s *memory.State) bool { return goalStatus(s) == api.GoalActive }

// section is the one of the memory, by what the code that a memory names is now. What binds or
// is verified needs a look once its code is another.
func (s *standing) section(v *vouched) string {
	in := v.section(s.Item)
	changed := s.state == code.Stale || s.state == code.NeedsReview
	if changed && in != inObserved && in != inUnverified {
		return inNeeds
	}
	return in
}

// entryOf is a memory as a pack shows it.
func entryOf(it *store.Item, v *vouched) *pack.Entry {
	r := it.Record
	en := &pack.Entry{
		Ref: it.Ref.Short(), Kind: string(it.Ref.Kind), Tier: string(v.tier), Text: r.Headline(), Shelf: it.Shelf,
		Path: strings.Join(codeRefs(r), ", "), Agent: v.state.AgentVerified, Origin: string(r.Header.Origin),
		Review: string(v.state.Review), Level: string(v.Level), Actionable: v.actionable, Disputed: v.disputed, External: v.tainted,
	}
	if by := speaker(r.Body); by != "" {
		en.Text = by + ": " + en.Text
	}
	en.Section = v.section(it)
	en.Type, _ = content(r.Body)["type"].(string)
	if _, ok := r.Body.(*memory.Raw); ok {
		en.Tier = string(memory.KindRaw)
		en.At = happened(r).Format("2006-01-02")
		return en
	}
	if en.Why = v.why(r); v.over != "" {
		en.Why = joinWhy(v.over, en.Why)
	}
	if now := coursed(&store.Item{Ref: it.Ref, Record: r, State: v.state}); now != "" {
		en.Why = joinWhy(now, en.Why) // a reader must not take a goal for one that is active still
	}
	if en.Section == inObserved {
		en.Said = v.tier != memory.Grounded && v.tier != memory.Observed
		if !en.Said {
			en.Priority = 1 // before what only was said
		}
	}
	return en
}

func joinWhy(first, rest string) string {
	if rest == "" {
		return first
	}
	return first + "; " + rest
}

// why says in short what a memory rests on, or that it rests on nothing any more.
func (v *vouched) why(r *memory.Record) string {
	from := len(r.Header.Provenance.From)
	switch {
	case v.doubt == store.Withheld:
		return "cannot be verified here"
	case from > 0 && len(v.fallen) == from:
		return "nothing it rests on stands any more"
	case v.approved && v.state.Review == memory.ReviewApproved:
		if len(v.fallen) > 0 {
			return "approved " + day(v.state.ReviewedAt) + ", " + sourceWords(r, v.fallen)
		}
		return "approved " + day(v.state.ReviewedAt)
	case v.approved:
		return "typed by a person"
	case v.tier == memory.Grounded, v.tier == memory.Observed, len(v.fallen) > 0:
		return sourceWords(r, v.fallen)
	}
	return ""
}

// notice says why nothing in a pack stands above what its authors say, or what else
// is to be said of all of it; "" is nothing.
func (e *Engine) notice(ctx context.Context) (string, error) {
	if e.c.Foreign {
		return "this store is not yours: nothing in it was verified for you", nil
	}
	told, err := e.told(ctx)
	notice := e.c.Notice
	if err == nil && told != "" {
		notice = "nothing could be verified: " + told
	}
	if e.Damaged() != "" { // the whole of it names a place, and is longer than a pack has room for
		const damaged = "the store is damaged: answers come from a copy; 'stemma doctor --repair' mends it"
		notice = strings.TrimPrefix(notice+"; "+damaged, "; ")
	}
	return notice, err
}

// told says why nothing of a store that is read may be lifted: its log is not the one
// that was read here before, or what is known of it cannot be read. "" is that it may.
func (e *Engine) told(ctx context.Context) (string, error) {
	stores := []store.Store{e.store}
	if two, ok := e.store.(*shelves.Store); ok {
		stores = two.Both()
	}
	for _, s := range stores {
		d, ok := s.(*door.Store)
		if !ok {
			continue
		}
		if told, err := d.Told(ctx); err != nil || told != "" {
			return told, sorted(err)
		}
	}
	return "", nil
}
