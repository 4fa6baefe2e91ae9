package standing

import (
	"slices"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// SaidAgain is the detector of a link whose newer end says again what a person replaced by the
// older one.
const SaidAgain = "said-again"

// SaidSince is the detector of a link whose newer end says again what something newer stands against.
const SaidSince = "said-since"

// MayReplace reports whether a voice may put another memory in the place of an old one. A person
// may who may decide about it. An agent leaves to a person what is theirs to decide.
func (e *Standings) MayReplace(
	rd *trust.Reading, by state.Voice, person bool, old *store.Item, who state.Voices,
) (bool, error) {
	if may := state.May(by, old.Record, who); !may || person {
		return may, nil
	}
	persons, err := e.PersonsToDecide(rd, old)
	return !persons, err
}

// Outweighs reports whether the newer end of an open link is given before the older, which it
// would replace: its author may replace the older. An agent's memory has the weight of
// the person who approved it or whose words it is.
func (e *Standings) Outweighs(rd *trust.Reading, t *Tie, who state.Voices) (bool, error) {
	by := who.Voice(t.NewItem.Record)
	said, err := e.spoken(rd, t.NewItem.Record, who)
	if err != nil {
		return false, err
	}
	approved := t.NewItem.State.Review == state.ReviewApproved
	person := by.Owner || said || approved
	if t.Detector == SaidAgain && !person {
		return false, nil
	}
	// the person whose word it is decides about their own earlier word
	by.Owner = by.Owner || said || approved && samePrincipal(who, t.NewItem.State.ReviewedBy, by.Principal)
	return e.MayReplace(rd, by, person, t.OldItem, who)
}

// PersonsToDecide reports whether a person decides what becomes of a memory, also of what another signed:
// a person approved or protected it, wrote it, or it was drafted of a person's words.
func (e *Standings) PersonsToDecide(rd *trust.Reading, it *store.Item) (bool, error) {
	if !it.State.Yields() {
		return true, nil
	}
	said, err := e.OriginOf(rd, it.Record)
	return said == memory.OriginOwner, err
}

// SaidByPerson reports whether a memory is a person's word: they approved it, or spoke it.
func (e *Standings) SaidByPerson(rd *trust.Reading, it *store.Item, who state.Voices) (bool, error) {
	if it.State.Review == state.ReviewApproved {
		return true, nil
	}
	return e.spoken(rd, it.Record, who)
}

// spoken reports whether a person's own key signed a memory, or it was drafted of nothing but
// words that they signed. A memory that an agent wrote and gave a person's words as its source
// is the agent's, unless it says the same.
func (e *Standings) spoken(rd *trust.Reading, r *memory.Record, who state.Voices) (bool, error) {
	voice := who.Voice(r)
	if voice.Owner {
		return true, nil
	}
	p := &r.Header.Provenance
	if p.Via != memory.ViaInference && p.Via != memory.ViaPromote {
		return false, nil
	}
	var ids []memory.ID
	for _, ref := range p.From {
		switch {
		case ref.Kind == memory.KindRaw:
			ids = append(ids, ref.ID)
		case !slices.Contains(p.Supersedes, ref):
			return false, nil
		}
	}
	if len(ids) == 0 {
		return false, nil
	}
	raws, err := rd.Get(ids...)
	if err != nil {
		return false, core.Classify(err)
	}
	for _, raw := range raws {
		if raw == nil || raw.Record == nil || raw.Record.Header.Origin != memory.OriginOwner {
			return false, nil
		}
		if by := who.Voice(raw.Record); !by.Owner || by.Principal != voice.Principal {
			return false, nil
		}
		if run := raw.Record.Header.Provenance.Run; (run == "" || run != p.Run) && !SayTheSame(raw.Record, r) {
			return false, nil
		}
	}
	return true, nil
}
