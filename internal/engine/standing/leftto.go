package standing

import (
	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// LeftToPerson says why this engine's voice leaves to a person what becomes of a memory: a person
// wrote, approved or protected it, or it was drafted of a person's words. "" is that it does not.
func (e *Standings) LeftToPerson(rd *trust.Reading, it *store.Item) (string, error) {
	if e.C.Origin == memory.OriginOwner || it.Ref.Kind == memory.KindRaw || it.Record == nil {
		return "", nil
	}
	who, err := rd.Keyring()
	if err != nil {
		return "", err
	}
	by, err := e.Voice()
	if err != nil {
		return "", err
	}
	author := who.Voice(it.Record)
	if author.Principal != by.Principal {
		return "", nil // another's: who may decide about it is another question
	}
	said, err := e.OriginOf(rd, it.Record)
	switch {
	case err != nil:
		return "", err
	case author.Owner || said == memory.OriginOwner || it.State.Review == state.ReviewApproved:
		return it.Ref.Short() + " is a person's word, or approved by one", nil
	case it.State.Protected:
		return it.Ref.Short() + " is protected", nil
	}
	return "", nil
}

// TakesOut returns why this engine's voice may not take a memory out of what is current by itself,
// nil where it may. Every verb that does so asks here, whatever it is called: forget, reject, a goal's
// status, a run of forgetting, the undo of what wrote the memory. What is what only a person can do,
// such as "forget it".
func (e *Standings) TakesOut(rd *trust.Reading, it *store.Item, what string) error {
	short := it.Ref.Short()
	why, err := e.LeftToPerson(rd, it)
	switch {
	case err != nil:
		return err
	case why == short+" is protected":
		return Protected(it)
	case why != "":
		return &core.Failure{
			Kind: api.ErrForbidden,
			Text: why + ": only a person can " + what + "; to say that it is wrong: `correct " + short + " is=wrong`",
		}
	case e.C.Origin != memory.OriginOwner && !it.State.SupersededBy.IsZero():
		return e.replaced(rd, it)
	case e.C.Origin == memory.OriginOwner:
		return nil
	}
	after, err := e.AfterOutside(rd, it)
	if err != nil || after == "" {
		return err
	}
	return &core.Failure{
		Kind: api.ErrForbidden,
		Text: "this session had read " + after + ": only a person can " + what + "; to propose it: `correct " + short +
			" is=wrong`, or `is=over`",
	}
}

// replaced names the revision that is current in the place of a memory.
func (e *Standings) replaced(rd *trust.Reading, it *store.Item) error {
	chains, err := e.Chains(rd, memory.Time{}, []*store.Item{it})
	if err != nil {
		return err
	}
	return core.Conflict("%s was superseded by %s; name that one", it.Ref.Short(), chains[0].Latest().Ref.Short())
}

// Protected says that a memory is protected.
func Protected(it *store.Item) error {
	return core.Conflict("%s is protected; `unprotect %s` first, if it is meant", it.Ref.Short(), it.Ref.Short())
}
