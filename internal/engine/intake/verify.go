package intake

import (
	"bytes"
	"context"
	"math"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/audit"
	"github.com/stemma-memory/stemma/audit/report"
	"github.com/stemma-memory/stemma/internal/code"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Verify says that a memory still holds: its code refs are pinned to the code as
// it is now, and its confidence rises, once a day for one author.
func (e *Intake) Verify(ctx context.Context, in api.VerifyRequest) (api.VerifyReply, error) {
	it, err := e.ResolveMemory(ctx, in.Ref)
	if err != nil {
		return api.VerifyReply{}, err
	}
	if it.Record == nil {
		return api.VerifyReply{}, core.Conflict("%s was purged", it.Ref.Short())
	}
	if err := e.mayVerify(ctx, it); err != nil {
		return api.VerifyReply{}, err
	}
	if err := e.soundly(ctx, it); err != nil {
		return api.VerifyReply{}, err
	}
	evidence, err := e.pinAgain(ctx, it, in.Files)
	if err != nil {
		return api.VerifyReply{}, err
	}
	voice, err := e.Voice()
	if err != nil {
		return api.VerifyReply{}, err
	}
	space, err := e.SpaceFor(ctx, it.Record)
	if err != nil {
		return api.VerifyReply{}, err
	}
	claim, err := e.Sign(memory.Header{
		Space: space, Confidence: memory.Certain, Provenance: memory.Provenance{Via: memory.ViaDirect, Context: "verify"},
	}, &memory.Verify{Of: it.Ref, Method: in.Method, Notes: in.Notes, Evidence: evidence})
	if err != nil {
		return api.VerifyReply{}, err
	}
	if err := e.Append(ctx, store.Batch{Records: []*memory.Record{claim}}); err != nil {
		return api.VerifyReply{}, err
	}
	after, err := e.Store.Get(ctx, it.Ref.ID)
	if err != nil {
		return api.VerifyReply{}, core.Classify(err)
	}
	m, err := e.views.View(e.trust.Reading(ctx), after[0])
	if err != nil {
		return api.VerifyReply{}, err
	}
	return api.VerifyReply{
		Claim: claim.Ref().String(), Ref: m.Ref, Headline: m.Headline, Tier: m.Tier, Confidence: m.Confidence,
		ConfidenceBefore: it.State.Confidence.Float(), VerificationCount: m.VerificationCount, ByAgent: !voice.Owner,
		CodeRefs: core.CodeTexts(evidence), Missing: core.Missing(after[0]),
	}, nil
}

// mayVerify asks whether this engine's voice may say that a memory holds.
func (e *Intake) mayVerify(ctx context.Context, it *store.Item) error {
	v, err := e.Voice()
	if err != nil {
		return err
	}
	who, err := e.Keyring(ctx)
	if err == nil && !state.MayVerify(v, it.Record, who) {
		err = &core.Failure{
			Kind: api.ErrForbidden,
			Text: it.Ref.Short() + " belongs to somebody else; witness it instead of verifying it",
		}
	}
	return err
}

// soundly refuses a record of which an audit has something to say: no one verifies
// what its author did not sign, or might not.
func (e *Intake) soundly(ctx context.Context, it *store.Item) error {
	refused := func(status, why string) error {
		return core.Conflict(
			"%s cannot be verified: %s, %s. See `audit %s`", it.Ref.Short(), status, why, it.Ref.Short(),
		)
	}
	ring, err := e.Keyring(ctx)
	if err != nil {
		return err
	}
	if err := core.Verify(it.Record); err != nil {
		return refused(string(report.BadSignature), core.OneLine(err))
	}
	if f := ring.Fault(it.Record); f != state.Sound {
		return refused(string(f), core.FaultWords(f))
	}
	var b bytes.Buffer
	if _, err := e.Export(ctx, &b, api.ExportRequest{Refs: []string{it.Ref.String()}}); err != nil {
		return err
	}
	found, err := audit.Bundle(ctx, &b, audit.Options{Now: e.C.Now, Offenders: math.MaxInt32})
	if err != nil {
		return core.Classify(err)
	}
	for _, f := range found.Offenders {
		if f.Ref == it.Ref.String() && f.Status != report.MissingParent {
			return refused(string(f.Status), f.Why)
		}
	}
	return nil
}

// pinAgain pins the code refs of a memory to the current code. Refs to deleted code cannot be
// verified.
func (e *Intake) pinAgain(ctx context.Context, it *store.Item, files []string) ([]memory.Evidence, error) {
	if len(files) > 0 {
		return e.trust.Pins(e.trust.Reading(ctx), files)
	}
	codeStates, err := e.views.CodeStates(e.trust.Reading(ctx), []*store.Item{it}, true)
	if err != nil {
		return nil, err
	}
	s := codeStates[0]
	if len(s.Refs) == 0 {
		return nil, nil
	}
	tree, _, err := e.trust.WorkTree(e.trust.Reading(ctx))
	if err != nil {
		return nil, err
	}
	if tree == nil {
		return nil, core.Invalid("verify: cannot find the code of %s without a directory; set Config.Dir", it.Ref.Short())
	}
	var out []memory.Evidence
	for i, f := range s.Findings {
		if f.State == code.Stale {
			return nil, core.Conflict(
				"%s cannot be verified: %s. Name what it speaks of now with `files=PATH`, revise it, or reject it",
				it.Ref.Short(), f.Reason,
			)
		}
		now, err := tree.Pin(ctx, f.Follow(s.Refs[i]))
		if err != nil {
			return nil, trust.SortedCode(err)
		}
		out = append(out, now)
	}
	return out, nil
}
