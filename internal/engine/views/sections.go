package views

import (
	"strings"

	"github.com/stemma-memory/stemma/internal/code"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/pack"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/both"
	"github.com/stemma-memory/stemma/internal/store/door"
	"github.com/stemma-memory/stemma/memory"
)

// Section is the one of the memory, by what the code that a memory names is now. What binds or
// is verified needs a look once its code is another.
func (s *CodeState) Section(v *trust.Rating) string {
	in := v.Section(s.Item)
	changed := s.CodeState == code.Stale || s.CodeState == code.NeedsReview
	if changed && in != trust.InObserved && in != trust.InUnverified {
		return trust.InNeeds
	}
	return in
}

// EntryOf is a memory as a pack shows it, with all that it says.
func (e *Views) EntryOf(it *store.Item, v *trust.Rating) *pack.Entry {
	r := it.Record
	en := &pack.Entry{
		Ref: it.Ref.Short(), Kind: string(it.Ref.Kind), Tier: string(v.Tier), Text: standing.Whole(r), Store: it.Store,
		Path: strings.Join(core.CodeRefs(r), ", "), Agent: v.State.AgentVerified, Origin: string(r.Header.Origin),
		Review: string(v.State.Review), Level: string(v.Level), Actionable: v.Actionable, Disputed: v.Disputed,
		External: v.Tainted && !v.Member, By: v.By,
		Firm: v.Decided(), Origins: v.Support.Origins,
	}
	en.Speaker, en.At, en.When = standing.Speaker(r.Body), e.standing.Day(r), e.standing.When(r)
	en.Section = v.Section(it)
	en.Type = typeOf(r.Body)
	if _, ok := r.Body.(*memory.Raw); ok {
		en.Tier = string(memory.KindRaw)
		return en
	}
	en.Why = v.Why(r)
	if now := coursed(&store.Item{Ref: it.Ref, Record: r, State: v.State}); now != "" {
		en.Why = JoinWhy(now, en.Why) // a reader must not take a goal for one that is active still
	}
	if en.Section == trust.InObserved {
		en.Said = v.Tier != state.Grounded && v.Tier != state.Observed
		if !en.Said {
			en.Priority = 1 // before what only was said
		}
	}
	return en
}

func JoinWhy(first, rest string) string {
	if rest == "" {
		return first
	}
	return first + "; " + rest
}

// Notice returns why nothing in a pack ranks above its authors' word, or another warning about
// the whole pack; "" for none.
func (e *Views) Notice(rd *trust.Reading) (string, error) {
	if e.C.Foreign {
		return "this store is not yours: nothing in it was verified for you", nil
	}
	untrusted, err := e.WhyUntrusted(rd)
	notice := e.C.Notice
	if err == nil && untrusted != "" {
		notice = "nothing could be verified: " + untrusted
	}
	if e.Damaged() != "" { // the whole of it names a place, and is longer than a pack has room for
		const damaged = "the store is damaged: answers come from a copy; `doctor repair=true` mends it"
		notice = strings.TrimPrefix(notice+"; "+damaged, "; ")
	}
	return notice, err
}

// WhyUntrusted returns why no memory of the store may be trusted more than its author's word:
// its log is not the one that was read here before, or the record of earlier reads is
// unreadable. "" means that it may.
func (e *Views) WhyUntrusted(rd *trust.Reading) (string, error) {
	stores := []store.Store{store.Plain(e.Store)}
	if two, ok := store.Plain(e.Store).(*both.Store); ok {
		stores = two.Both()
	}
	for _, s := range stores {
		d, ok := s.(*door.Store)
		if !ok {
			continue
		}
		if untrusted, err := d.WhyUntrusted(rd); err != nil || untrusted != "" {
			return untrusted, core.Classify(err)
		}
	}
	return "", nil
}
