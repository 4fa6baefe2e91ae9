package engine

import (
	"bytes"
	"context"
	"math"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/audit"
	"github.com/stemma-memory/stemma/internal/code"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Verify says that a memory still holds: its code refs are pinned to the code as
// it is now, and its confidence rises, once a day for one author.
func (e *Engine) Verify(ctx context.Context, in api.VerifyRequest) (api.VerifyReply, error) {
	it, err := e.resolveMemory(ctx, in.Ref)
	if err != nil {
		return api.VerifyReply{}, err
	}
	if it.Record == nil {
		return api.VerifyReply{}, conflict("%s was purged", it.Ref.Short())
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
	space, err := e.beside(ctx, it.Record)
	if err != nil {
		return api.VerifyReply{}, err
	}
	claim, err := e.sign(memory.Header{
		Space: space, Confidence: memory.Certain, Provenance: memory.Provenance{Via: memory.ViaDirect, Context: "verify"},
	}, &memory.Verify{Of: it.Ref, Method: in.Method, Notes: in.Notes, Evidence: evidence})
	if err != nil {
		return api.VerifyReply{}, err
	}
	if err := e.append(ctx, store.Batch{Records: []*memory.Record{claim}}); err != nil {
		return api.VerifyReply{}, err
	}
	after, err := e.store.Get(ctx, it.Ref.ID)
	if err != nil {
		return api.VerifyReply{}, sorted(err)
	}
	m, err := e.view(ctx, after[0])
	if err != nil {
		return api.VerifyReply{}, err
	}
	return api.VerifyReply{
		Claim: claim.Ref().String(), Ref: m.Ref, Headline: m.Headline, Tier: m.Tier, Confidence: m.Confidence,
		Before: it.State.Confidence.Float(), Verifications: m.Verified, ByAgent: after[0].State.AgentVerified,
		CodeRefs: codeTexts(evidence), Missing: missing(after[0]),
	}, nil
}

// mayVerify asks whether this engine's voice may say that a memory holds.
func (e *Engine) mayVerify(ctx context.Context, it *store.Item) error {
	v, err := e.voice()
	if err != nil {
		return err
	}
	who, err := e.standing(ctx)
	if err == nil && !memory.MayVerify(v, it.Record, who) {
		err = &failure{kind: api.ErrForbidden, text: it.Ref.Short() + " is somebody else's; witness it instead of verifying it"}
	}
	return err
}

// soundly refuses a record of which an audit has something to say: nobody verifies
// what its author did not sign, or might not.
func (e *Engine) soundly(ctx context.Context, it *store.Item) error {
	refused := func(status, why string) error {
		return conflict("%s cannot be verified: %s, %s. See 'stemma audit %s'", it.Ref.Short(), status, why, it.Ref.Short())
	}
	ring, err := e.standing(ctx)
	if err != nil {
		return err
	}
	if err := verify(it.Record); err != nil {
		return refused(string(audit.BadSignature), oneLine(err))
	}
	if f := ring.Fault(it.Record); f != memory.Sound {
		return refused(string(f), faultWords(f))
	}
	var b bytes.Buffer
	if _, err := e.ExportPart(ctx, &b, api.ExportRequest{Refs: []string{it.Ref.String()}}); err != nil {
		return err
	}
	report, err := audit.Bundle(ctx, &b, audit.Options{Now: e.c.Now, Offenders: math.MaxInt32})
	if err != nil {
		return sorted(err)
	}
	for _, f := range report.Offenders {
		if f.Ref == it.Ref.String() && f.Status != audit.MissingParent {
			return refused(string(f.Status), f.Why)
		}
	}
	return nil
}

// pinAgain pins the code refs of a memory to the code as it is now. What is gone
// cannot be verified.
func (e *Engine) pinAgain(ctx context.Context, it *store.Item, files []string) ([]memory.Evidence, error) {
	if len(files) > 0 {
		return e.pins(ctx, files)
	}
	stands, err := e.stand(ctx, []*store.Item{it}, true)
	if err != nil {
		return nil, err
	}
	s := stands[0]
	if len(s.refs) == 0 {
		return nil, nil
	}
	tree, _, err := e.workTree(ctx)
	if err != nil {
		return nil, err
	}
	if tree == nil {
		return nil, invalid("verify: nothing says where the code of %s is; set Config.Dir", it.Ref.Short())
	}
	var out []memory.Evidence
	for i, f := range s.findings {
		if f.State == code.Stale {
			return nil, conflict("%s cannot be verified: %s. Name what it speaks of now with --file, revise it, or reject it", it.Ref.Short(), f.Reason)
		}
		now, err := tree.Pin(ctx, f.Follow(s.refs[i]))
		if err != nil {
			return nil, sortedCode(err)
		}
		out = append(out, now)
	}
	return out, nil
}
