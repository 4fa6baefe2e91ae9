package care

import (
	"context"
	"errors"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/both"
)

// repair makes again all that is made of records. It writes nothing that is signed, so
// that an agent may do it as well as a person.
func (e *Care) repair(ctx context.Context, reply *api.DoctorReply, progress func(done int)) error {
	if e.C.ReadOnly || e.C.Foreign {
		const text = "a store that is only read here is not repaired: adopt it first, or open it for writing"
		return &core.Failure{Kind: api.ErrForbidden, Text: text}
	}
	if err := e.FlushTouched(ctx); err != nil {
		return err
	}
	r := new(api.Repaired)
	reply.Repaired = r
	stores := []store.Store{store.Plain(e.Store)}
	if two, ok := store.Plain(e.Store).(*both.Store); ok {
		stores = two.Both()
	}
	done := 0
	for _, one := range stores {
		s, ok := core.Inside(one).(store.Database)
		if !ok {
			return core.Invalid("a store in memory, or one at a hub, has nothing to repair")
		}
		before := done
		last := 0
		did, err := s.Repair(ctx, func(_ string, n, _ int) {
			if n < last {
				before += last // the next going through
			}
			last = n
			if done = before + n; progress != nil {
				progress(done)
			}
		})
		if err != nil && !errors.Is(err, store.ErrReadOnly) && !errors.Is(err, store.ErrDamaged) {
			return core.Classify(err)
		}
		if err != nil {
			r.Left = append(r.Left, core.OneLine(err))
		}
		r.Records, r.Columns = r.Records+did.Records, r.Columns+did.Columns
		r.Edges, r.States = r.Edges+did.Edges, r.States+did.States
		r.Left = append(r.Left, did.Left...)
	}
	return nil
}
