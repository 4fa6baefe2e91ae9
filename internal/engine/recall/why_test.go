package recall_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stemma-memory/stemma/api"
)

// Every term of a score is shown, and they add up; what is wrong with a source is
// shown on all that rests on it, however far.
func TestTermsAddUp(t *testing.T) {
	t.Parallel()
	p, ctx := newPeople(t), t.Context()
	source := add(t, p.Owner, "belief", "the weir holds")
	last := source
	for _, text := range []string{"so the mill is dry", "so the flour is fine", "so there is bread"} {
		last = write(t, p.Owner, api.AddRequest{Draft: api.Draft{Kind: "belief", Text: text}, From: []string{last}})
	}
	f, g := p.Friend("Ada"), p.Friend("Bea")
	take(t, p.Owner, f.Confirms(source, "confirm"), g.Confirms(source, "dispute"), f.Confirms(last, "partial"))
	for _, ref := range []string{source, last} {
		e, err := p.Owner.Why(ctx, api.WhyRequest{Ref: ref})
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for _, term := range e.Trust.Terms {
			sum += term.Points
			if term.Why == "" {
				t.Errorf("%s: no word on why", term.Name)
			}
		}
		if math.Abs(sum-e.Trust.Raw) > 1e-9 || e.Trust.Score != math.Max(0, math.Min(1, e.Trust.Raw)) {
			t.Errorf("the terms of %q make %v, raw %v, score %v", e.Headline, sum, e.Trust.Raw, e.Trust.Score)
		}
		if len(e.Conditions) == 0 || len(e.ConfidenceHistory) == 0 ||
			math.Abs(e.Ranking.Trust-(0.85+e.Trust.Score/2)) > 1e-3 {
			t.Errorf("%q: %+v", e.Headline, e.Ranking)
		}
	}
	tr := trustIn(t, p.Owner, last)
	up := slices.IndexFunc(tr.Upstream, func(u api.TrustUpstream) bool { return u.Ref == source })
	if up < 0 || tr.Upstream[up].Why != "disputed" {
		t.Errorf("what rests on it, three steps away, shows %+v", tr.Upstream)
	}
	if o := trustIn(t, p.Owner, source).Opinion; math.Abs(o.Belief+o.Disbelief+o.Uncertainty-1) > 1e-3 ||
		o.Belief != o.Disbelief {
		t.Errorf("one for and one against: %+v", o)
	}
}
