package views

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/index"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/state"
	score "github.com/stemma-memory/stemma/internal/trust"
	"github.com/stemma-memory/stemma/memory"
)

// A Filter is what a search leaves out in addition to hidden records.
type Filter struct {
	kind, session string
	Tags          []string // all of them
	minTrust      int
	minLevel      score.Level
	tier          state.Tier
	Since, until  memory.Time
	AsOf, ValidAt memory.Time
}

// tiers are the tiers, the best first.
var tiers = []state.Tier{state.Grounded, state.Observed, state.Inferred, state.Hypothesis}

// filter reads what a request leaves out. A time can be said as how long ago, and a day is one of a zone.
func SearchRequestFilter(in *api.SearchRequest, now time.Time, zone *time.Location) (Filter, error) {
	f := Filter{kind: in.Type, session: in.Session, tier: state.Tier(in.Tier), minLevel: score.Level(in.MinLevel)}
	for t := range strings.SplitSeq(in.Tag, ",") {
		if t = strings.TrimSpace(t); t != "" {
			f.Tags = append(f.Tags, t)
		}
	}
	if in.MinLevel != "" && !slices.Contains(trustLevels, f.minLevel) {
		return f, core.Invalid(
			"min_level: must be unverified, attested, anchored or consensus, got %q",
			shorten.To(in.MinLevel, 40),
		)
	}
	if in.MinTrust != nil {
		if !(*in.MinTrust >= 0 && *in.MinTrust <= 1) {
			return f, core.Invalid("min_trust: must be from 0 to 1, got %v", *in.MinTrust)
		}
		f.minTrust = int(math.Round(*in.MinTrust * score.One))
	}
	if in.Tier != "" && !slices.Contains(tiers, f.tier) {
		return f, core.Invalid("tier: must be grounded, observed, inferred or hypothesis, got %q", shorten.To(in.Tier, 40))
	}
	for _, t := range []struct {
		field, text string
		into        *memory.Time
	}{
		{"since", in.Since, &f.Since}, {"until", in.Until, &f.until}, {core.AsOf, in.AsOf, &f.AsOf},
		{"valid_at", in.ValidAt, &f.ValidAt},
	} {
		var err error
		if *t.into, err = core.When(t.field, t.text, now, zone); err != nil {
			return f, err
		}
	}
	return f, nil
}

// trustLevels are what a search can ask for.
var trustLevels = []score.Level{score.Unverified, score.Attested, score.Anchored, score.Consensus}

// Trusts reports whether a memory is trusted as far as was asked for.
func (f *Filter) Trusts(v *trust.Rating) bool {
	return v.Score >= f.minTrust && (f.minLevel == "" || v.Level.AtLeast(f.minLevel))
}

// Narrows reports whether there is something to go by where nothing was asked in
// words.
func (f *Filter) Narrows() bool { return len(f.Tags) > 0 || f.minTrust > 0 || f.minLevel != "" }

// Tiers reports whether a tier is as good as was asked for.
func (f *Filter) Tiers(t state.Tier) bool {
	return f.tier == "" || t != state.NoTier && slices.Index(tiers, t) <= slices.Index(tiers, f.tier)
}

// Marks returns the marks of package index that all have that pass.
func (f *Filter) Marks() [][]string {
	var out [][]string
	for _, t := range f.Tags {
		out = append(out, []string{index.TagMark(t)})
	}
	if f.kind != "" {
		out = append(out, []string{index.TypeMark(f.kind)})
	}
	return out
}

// Takes reports whether a record passes.
func (f *Filter) Takes(r *memory.Record) bool {
	h := &r.Header
	at := standing.Happened(r)
	switch {
	case slices.ContainsFunc(f.Tags, func(t string) bool { return !slices.Contains(h.Tags, t) }),
		f.session != "" && h.Session != f.session,
		f.kind != "" && typeOf(r.Body) != f.kind,
		!f.Since.IsZero() && at.Before(f.Since.Time()),
		!f.until.IsZero() && !at.Before(f.until.Time()):
		return false
	}
	return f.ValidAt.IsZero() || core.Holds(r, f.ValidAt.Time())
}
