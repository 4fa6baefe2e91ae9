package engine

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/trust"
	"github.com/stemma-memory/stemma/memory"
)

// A filter is what a search leaves out beside what is hidden.
type filter struct {
	kind, session string
	tags          []string // all of them
	minTrust      int
	minLevel      trust.Level
	tier          memory.Tier
	since, until  memory.Time
	asOf, validAt memory.Time
}

// tiers are the tiers, the best first.
var tiers = []memory.Tier{memory.Grounded, memory.Observed, memory.Inferred, memory.Hypothesis}

// filter reads what a request leaves out. A time can be said as how long ago.
func searchRequestFilter(in *api.SearchRequest, now time.Time) (filter, error) {
	f := filter{kind: in.Type, session: in.Session, tier: memory.Tier(in.Tier), minLevel: trust.Level(in.MinLevel)}
	for t := range strings.SplitSeq(in.Tag, ",") {
		if t = strings.TrimSpace(t); t != "" {
			f.tags = append(f.tags, t)
		}
	}
	if in.MinLevel != "" && !slices.Contains(trustLevels, f.minLevel) {
		return f, invalid("min_level: must be unverified, attested, anchored or consensus, got %q", memory.Cut(in.MinLevel, 40))
	}
	if in.MinTrust != nil {
		if !(*in.MinTrust >= 0 && *in.MinTrust <= 1) {
			return f, invalid("min_trust: must be from 0 to 1, got %v", *in.MinTrust)
		}
		f.minTrust = int(math.Round(*in.MinTrust * trust.One))
	}
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

// trustLevels are what a search can ask for.
var trustLevels = []trust.Level{trust.Unverified, trust.Attested, trust.Anchored, trust.Consensus}

// trusts tells whether a memory is trusted as far as was asked for.
func (f *filter) trusts(v *vouched) bool {
	return v.Score >= f.minTrust && (f.minLevel == "" || v.Level.AtLeast(f.minLevel))
}

// narrows tells whether there is something to go by where nothing was asked in
// words.
func (f *filter) narrows() bool { return len(f.tags) > 0 || f.minTrust > 0 || f.minLevel != "" }

// tiers tells whether a tier is as good as was asked for.
func (f *filter) tiers(t memory.Tier) bool {
	return f.tier == "" || t != memory.NoTier && slices.Index(tiers, t) <= slices.Index(tiers, f.tier)
}

// takes tells whether a record passes.
func (f *filter) takes(r *memory.Record) bool {
	h := &r.Header
	at := happened(r)
	switch {
	case slices.ContainsFunc(f.tags, func(t string) bool { return !slices.Contains(h.Tags, t) }),
		f.session != "" && h.Session != f.session,
		f.kind != "" && content(r.Body)["type"] != f.kind,
		!f.since.IsZero() && at.Before(f.since.Time),
		!f.until.IsZero() && !at.Before(f.until.Time):
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
