package removal

import (
	"context"
	"strings"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// hiddenStill says which of some recovered memories something else hides, who said so, and what would show them
// again; "" is none.
func (e *Removal) hiddenStill(ctx context.Context, refs []string) (string, error) {
	items, err := e.ResolveAll(ctx, refs)
	if err != nil {
		return "", err
	}
	v, err := e.trust.Reading(ctx).TrustContext()
	if err != nil {
		return "", err
	}
	var out []string
	for _, it := range items {
		short := it.Ref.Short()
		switch {
		case it.Record == nil || it.State.Live():
		case it.State.Quarantined:
			out = append(out, short+" stays in quarantine; `release "+short+"` shows it again")
		case it.State.Review == state.ReviewRejected:
			by, err := e.rejectedBy(ctx, v, it)
			if err != nil {
				return "", err
			}
			out = append(out, short+" stays "+by+"; `approve "+short+" force=true` shows it again")
		case !it.State.SupersededBy.IsZero():
			chains, err := e.Chains(ctx, memory.Time{}, []*store.Item{it})
			if err != nil {
				return "", err
			}
			out = append(out, short+" stays replaced by "+chains[0].Latest().Ref.Short())
		}
	}
	return strings.Join(out, "\n"), nil
}

// rejectedBy says by whom a memory was rejected, when and why.
func (e *Removal) rejectedBy(ctx context.Context, v *trust.Context, it *store.Item) (string, error) {
	marks, err := e.trust.Reading(ctx).Speaking([]memory.ID{it.Ref.ID}, memory.KindMark)
	if err != nil {
		return "", err
	}
	records := make([]*memory.Record, len(marks))
	for i, m := range marks {
		records[i] = m.Record
	}
	by := state.Decide(it.Record, records, e.C.Now(), v.Ring).Rejected
	if by == nil {
		return "rejected", nil
	}
	text := "rejected by " + core.Or(v.NameOf(v.Ring.Voice(by).Principal), by.Header.Author) +
		" on " + by.Header.At.Time().Format("2006-01-02")
	if m, ok := by.Body.(*memory.Mark); ok && m.Reason != "" {
		text += ": " + core.QuotedCut(m.Reason)
	}
	return text, nil
}
