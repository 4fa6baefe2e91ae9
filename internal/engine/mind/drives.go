package mind

import (
	"context"
	"strconv"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// defaultAmount is by how much a drive is weaker once it was met, in thousandths.
const defaultAmount = 200

// DriveSatisfy lowers the intensity of a drive, not below 0.
func (e *Mind) DriveSatisfy(ctx context.Context, in api.DriveSatisfyRequest) (api.MarkReply, error) {
	amount := defaultAmount
	if in.Amount != nil {
		var err error
		if amount, err = memory.Thousandths("amount", *in.Amount, 0, 1); err != nil {
			return api.MarkReply{}, core.Classify(err)
		}
		if amount == 0 {
			return api.MarkReply{}, core.Invalid("amount: 0 lowers nothing")
		}
	}
	it, err := e.resolveKind(ctx, in.Ref, memory.KindDrive)
	if err != nil {
		return api.MarkReply{}, err
	}
	return e.intensify(ctx, it, max(core.Intensity(it)-amount, 0), in.Reason)
}

// DriveIntensity says how strong a drive is now.
func (e *Mind) DriveIntensity(ctx context.Context, in api.DriveIntensityRequest) (api.MarkReply, error) {
	if in.Intensity == nil {
		return api.MarkReply{}, core.Invalid("intensity: say how strong it is, 0 to 1")
	}
	to, err := memory.Thousandths("intensity", *in.Intensity, 0, 1)
	if err != nil {
		return api.MarkReply{}, core.Classify(err)
	}
	it, err := e.resolveKind(ctx, in.Ref, memory.KindDrive)
	if err != nil {
		return api.MarkReply{}, err
	}
	return e.intensify(ctx, it, to, in.Reason)
}

func (e *Mind) intensify(ctx context.Context, it *store.Item, to int, reason string) (api.MarkReply, error) {
	value := strconv.FormatFloat(float64(to)/float64(memory.Certain), 'f', -1, 64)
	return e.say(ctx, it, remark{memory.Intensity, value, reason, "say how strong it is", it.Record != nil &&
		core.Intensity(it) == to})
}
