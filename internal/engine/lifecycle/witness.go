package lifecycle

import (
	"context"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Witness confirms, disputes or partly confirms somebody else's memory. It applies to this
// revision only. About one's own memories only a dispute is allowed: it retracts them.
func (e *Lifecycle) Witness(ctx context.Context, in api.WitnessRequest) (api.WitnessReply, error) {
	it, err := e.ResolveMemory(ctx, in.Ref)
	if err != nil {
		return api.WitnessReply{}, err
	}
	claim, redacted, err := e.Attest(ctx, it, &memory.Witness{Of: it.Ref, Attestation: in.Attestation, Notes: in.Notes})
	if err != nil {
		return api.WitnessReply{}, err
	}
	if err := e.Append(ctx, store.Batch{Records: []*memory.Record{claim}}); err != nil {
		return api.WitnessReply{}, err
	}
	reply, err := e.witnessed(ctx, it.Ref, claim)
	reply.Redacted = redacted
	return reply, err
}

// Attest makes a witness record, and says what was taken out of its notes.
func (e *Lifecycle) Attest(
	ctx context.Context, it *store.Item, w *memory.Witness,
) (*memory.Record, []api.Redaction, error) {
	if it.Record == nil {
		return nil, nil, core.Conflict("%s was purged; a witness could not read it any more", it.Ref.Short())
	}
	if err := memory.Check(w); err != nil {
		return nil, nil, core.Classify(err)
	}
	v, err := e.Voice()
	if err != nil {
		return nil, nil, err
	}
	who, err := e.Keyring(ctx)
	if err != nil {
		return nil, nil, err
	}
	author := who.Voice(it.Record)
	agents := !v.Owner && author.Owner // its own word about what its owner wrote: kept, and worth nothing
	if own := author.Principal == v.Principal; own && !agents && w.Attestation != "dispute" {
		return nil, nil, core.Conflict(
			"%s is your own, and no one vouches for themselves: only `attestation=dispute`, which retracts it, says "+
				"anything of one's own",
			it.Ref.Short(),
		)
	}
	space := ""
	if e.C.Space == core.AllSpaces { // there is no one space that is written to: it lies beside what it is about
		if space, err = e.SpaceFor(ctx, it.Record); err != nil {
			return nil, nil, err
		}
	}
	return e.SignClean(memory.Header{
		Space: space, Confidence: memory.Certain, Provenance: memory.Provenance{Via: memory.ViaDirect, Context: "witness"},
	}, w)
}

func (e *Lifecycle) witnessed(ctx context.Context, ref memory.Ref, claim *memory.Record) (api.WitnessReply, error) {
	reply := api.WitnessReply{Claim: claim.Ref().String()}
	items, err := e.Store.Get(ctx, ref.ID)
	if err != nil {
		return reply, core.Classify(err)
	}
	reply.Trust, err = e.views.TrustOf(e.trust.Reading(ctx), items[0])
	for _, w := range reply.Trust.Witnesses {
		if w.Ref == reply.Claim && !w.Counts {
			reply.Hint = "kept, and does not count here: " + w.Why
		}
	}
	return reply, err
}
