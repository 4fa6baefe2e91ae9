package stemma

import (
	"context"
	"strconv"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// DriveSatisfyRequest says that a drive was met.
type DriveSatisfyRequest struct {
	Ref    string   `json:"ref"`
	Amount *float64 `json:"amount,omitempty" jsonschema:"by how much it is weaker now, 0 to 1; left out is 0.2"`
	Reason string   `json:"reason,omitempty"`
}

// DriveIntensityRequest says how strong a drive is.
type DriveIntensityRequest struct {
	Ref       string   `json:"ref"`
	Intensity *float64 `json:"intensity" jsonschema:"0 to 1"`
	Reason    string   `json:"reason,omitempty"`
}

// defaultAmount is by how much a drive is weaker once it was met, in thousandths.
const defaultAmount = 200

// DriveSatisfy lowers the intensity of a drive, not below 0.
func (e *Engine) DriveSatisfy(ctx context.Context, in DriveSatisfyRequest) (MarkReply, error) {
	amount := defaultAmount
	if in.Amount != nil {
		var err error
		if amount, err = memory.Thousandths("amount", *in.Amount, 0, 1); err != nil {
			return MarkReply{}, sorted(err)
		}
		if amount == 0 {
			return MarkReply{}, invalid("amount: 0 lowers nothing")
		}
	}
	it, err := e.resolveKind(ctx, in.Ref, memory.KindDrive)
	if err != nil {
		return MarkReply{}, err
	}
	return e.intensify(ctx, it, max(intensity(it)-amount, 0), in.Reason)
}

// DriveIntensity says how strong a drive is now.
func (e *Engine) DriveIntensity(ctx context.Context, in DriveIntensityRequest) (MarkReply, error) {
	if in.Intensity == nil {
		return MarkReply{}, invalid("intensity: say how strong it is, 0 to 1")
	}
	to, err := memory.Thousandths("intensity", *in.Intensity, 0, 1)
	if err != nil {
		return MarkReply{}, sorted(err)
	}
	it, err := e.resolveKind(ctx, in.Ref, memory.KindDrive)
	if err != nil {
		return MarkReply{}, err
	}
	return e.intensify(ctx, it, to, in.Reason)
}

func (e *Engine) intensify(ctx context.Context, it *store.Item, to int, reason string) (MarkReply, error) {
	value := strconv.FormatFloat(float64(to)/float64(memory.Certain), 'f', -1, 64)
	return e.say(ctx, it, remark{memory.Intensity, value, reason, "say how strong it is", it.Record != nil && intensity(it) == to})
}

// intensity is how strong a drive is now, in thousandths: as was said last, or else
// as it was written. What was said and is no such number says nothing.
func intensity(it *store.Item) int {
	if f, err := strconv.ParseFloat(it.State.Intensity, 64); err == nil {
		if n, err := memory.Thousandths("intensity", f, 0, 1); err == nil {
			return n
		}
	}
	if it.Record != nil {
		if d, ok := it.Record.Body.(*memory.Drive); ok {
			return d.Intensity
		}
	}
	return 0
}
