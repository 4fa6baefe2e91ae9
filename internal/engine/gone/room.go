// Package gone is the part of the engine that answers for one person's data: it finds what speaks of them and what
// they said, erases it in one act, and certifies that.
package gone

import (
	"context"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/exchange"
	"github.com/stemma-memory/stemma/internal/engine/intake"
	"github.com/stemma-memory/stemma/internal/engine/receipts"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/both"
	"github.com/stemma-memory/stemma/memory"
)

// Gone is that part, for one caller.
type Gone struct {
	*core.Core

	exchange *exchange.Exchange
	intake   *intake.Intake
	receipts *receipts.Journal
	trust    *trust.Scores
}

// New returns it over the rooms below.
func New(x *exchange.Exchange, i *intake.Intake, r *receipts.Journal, t *trust.Scores) *Gone {
	return &Gone{Core: t.Core, exchange: x, intake: i, receipts: r, trust: t}
}

// stores returns those that are read, the one that is written to first.
func (e *Gone) stores() []store.Store {
	if two, ok := store.Plain(e.Store).(*both.Store); ok {
		return two.Both()
	}
	return []store.Store{store.Plain(e.Store)}
}

// each hands over every record that a store holds, of every kind and space, in the order of the logs.
func each(ctx context.Context, s store.Store, do func(it *store.Item) error) error {
	spaces, err := s.Spaces(ctx)
	if err != nil {
		return core.Classify(err)
	}
	for _, space := range spaces {
		for after := store.Seq(0); ; {
			page, err := s.Listed(ctx, space.Name, after, core.ExportPage)
			if err != nil {
				return core.Classify(err)
			}
			if len(page) == 0 {
				break
			}
			ids := make([]memory.ID, 0, len(page))
			for _, l := range page {
				if !l.Gone {
					ids = append(ids, l.Ref.ID)
				}
			}
			items, err := s.Get(ctx, ids...)
			if err != nil {
				return core.Classify(err)
			}
			for _, it := range items {
				if it == nil || it.Record == nil {
					continue
				}
				if err := do(it); err != nil {
					return err
				}
			}
			after = page[len(page)-1].Seq
		}
	}
	return nil
}
