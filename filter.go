package stemma

import (
	"slices"
	"time"

	"github.com/stemma-memory/stemma/memory"
)

// A filter is what a search leaves out beside what is hidden.
type filter struct {
	kind, tag, session string
	tier               memory.Tier
	since, until       memory.Time
	asOf, validAt      memory.Time
}

// tiers are the tiers, the best first.
var tiers = []memory.Tier{memory.Grounded, memory.Observed, memory.Inferred, memory.Hypothesis}

// filter reads what a request leaves out. A time can be said as how long ago.
func (in *SearchRequest) filter(now time.Time) (filter, error) {
	f := filter{kind: in.Type, tag: in.Tag, session: in.Session, tier: memory.Tier(in.Tier)}
	if in.Tier != "" && !slices.Contains(tiers, f.tier) {
		return f, invalid("tier: must be grounded, observed, inferred or hypothesis, got %q", memory.Cut(in.Tier, 40))
	}
	for _, t := range []struct {
		field, text string
		into        *memory.Time
	}{{"since", in.Since, &f.since}, {"until", in.Until, &f.until}, {"as_of", in.AsOf, &f.asOf}, {"valid_at", in.ValidAt, &f.validAt}} {
		if ago, err := time.ParseDuration(t.text); err == nil && ago >= 0 {
			*t.into = memory.At(now.Add(-ago))
			continue
		}
		var err error
		if *t.into, err = parseTime(t.field, t.text); err != nil {
			return f, err
		}
	}
	return f, nil
}

// takes tells whether a record passes.
func (f *filter) takes(r *memory.Record, tier memory.Tier) bool {
	h := &r.Header
	at := happened(r)
	switch {
	case f.tag != "" && !slices.Contains(h.Tags, f.tag),
		f.session != "" && h.Session != f.session,
		f.kind != "" && content(r.Body)["type"] != f.kind,
		!f.since.IsZero() && at.Before(f.since.Time),
		!f.until.IsZero() && !at.Before(f.until.Time),
		f.tier != "" && slices.Index(tiers, tier) > slices.Index(tiers, f.tier),
		f.tier != "" && tier == memory.NoTier:
		return false
	}
	return f.validAt.IsZero() || holds(r, f.validAt.Time)
}

// holds tells whether what r says held at a time; what says no times held always.
func holds(r *memory.Record, at time.Time) bool {
	from, until := r.Header.ValidFrom, r.Header.ValidUntil
	return (from.IsZero() || !at.Before(from.Time)) && (until.IsZero() || at.Before(until.Time))
}

// happened is when what a raw tells of happened, and else when r was recorded.
func happened(r *memory.Record) time.Time {
	if raw, ok := r.Body.(*memory.Raw); ok && !raw.OccurredAt.IsZero() {
		return raw.OccurredAt.Time
	}
	return r.Header.At.Time
}
