package removal

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/engine/views"
	"github.com/stemma-memory/stemma/internal/salience"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/sorting"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// ForgetCandidates shows what a run would forget now, with the terms of each
// salience. It forgets nothing.
func (e *Removal) ForgetCandidates(ctx context.Context, in api.ForgetRunRequest) (api.ForgetRunReply, error) {
	show := in.Limit
	if show == 0 {
		show = views.DefaultLimit
	}
	in.Limit, in.DryRun = 0, true
	c, reply, err := e.cycle(ctx, in)
	if err != nil {
		return reply, err
	}
	return reply, c.show(ctx, &reply, show)
}

// ForgetRun forgets rarely used memories in one act, all or nothing. It repeats until there is
// nothing left that it may forget, so that a second run does nothing. Undo reverses it.
func (e *Removal) ForgetRun(ctx context.Context, in api.ForgetRunRequest) (api.ForgetRunReply, error) {
	c, reply, err := e.cycle(ctx, in)
	if err != nil {
		return reply, err
	}
	if err := c.show(ctx, &reply, mostShown); err != nil || in.DryRun || len(c.gone) == 0 {
		return reply, err
	}
	refs := make([]memory.Ref, len(c.gone))
	for i, at := range c.gone {
		refs[i] = c.all[at].ref
	}
	m := core.Marking{Verb: memory.Forget, Reason: c.reason(&reply), Context: core.ContextForgetRun, At: c.now}
	var marks []*memory.Record
	batch := store.Batch{}
	if c.purges {
		items, err := e.Store.Get(ctx, core.IDsOf(refs)...)
		if err != nil {
			return reply, core.Classify(err)
		}
		m.Verb, m.With, batch.Purge = memory.Purge, true, core.IDsOf(refs)
		if marks, err = e.Marks(ctx, m, items...); err != nil {
			return reply, err
		}
	} else if marks, err = e.MarksIn("", m, refs); err != nil {
		return reply, err
	}
	batch.Records = marks
	if err := e.Append(ctx, batch); err != nil {
		return reply, err
	}
	for _, m := range marks {
		reply.Claims = append(reply.Claims, m.Ref().String())
	}
	return reply, nil
}

// reason says by which rule memories go; it is stored with the act.
func (c *forgetting) reason(reply *api.ForgetRunReply) string {
	if c.byAge {
		return "older than " + shorten.Age(c.minAge) + ", by rule"
	}
	return fmt.Sprintf("salience below %g, unused for %s", reply.Threshold, shorten.Age(c.minAge))
}

// rule reads the rule that what is older goes, however often it was used.
func (c *forgetting) rule(in *api.ForgetRunRequest) error {
	switch {
	case in.OlderThan == "" && in.Purge:
		return core.Invalid("purge: belongs to older_than, such as older_than=365d")
	case in.OlderThan == "":
		return nil
	case in.Threshold != nil || in.MinAge != "" || in.HalfLife != "":
		return core.Invalid("older_than: goes by age alone; leave out threshold, min_age and half_life")
	}
	if in.Purge {
		if err := c.e.OwnerOnly("purge records"); err != nil {
			return err
		}
	}
	age, err := howLong("older_than", in.OlderThan, 0)
	if err == nil && age <= 0 {
		err = core.Invalid("older_than: must be more than 0")
	}
	c.byAge, c.purges, in.MinAge = true, in.Purge, in.OlderThan
	return err
}

// cycle finds what may be forgotten now.
func (e *Removal) cycle(ctx context.Context, in api.ForgetRunRequest) (*forgetting, api.ForgetRunReply, error) {
	reply := api.ForgetRunReply{Candidates: []api.ForgetCandidate{}, Claims: []string{}}
	c := &forgetting{
		e: e, now: e.C.Now(), threshold: salience.Threshold, include: in.IncludeApproved,
		kept: make(map[salience.Reason]int),
	}
	if err := c.rule(&in); err != nil {
		return c, reply, err
	}
	if in.Threshold != nil {
		c.threshold = *in.Threshold
	}
	if c.threshold < 0 || math.IsNaN(c.threshold) || math.IsInf(c.threshold, 0) {
		return c, reply, core.Invalid("threshold: must be 0 or more, got %g", c.threshold)
	}
	var err error
	if c.minAge, err = howLong("min_age", in.MinAge, salience.MinAge); err != nil {
		return c, reply, err
	}
	if c.halfLife, err = howLong("half_life", in.HalfLife, salience.HalfLife); err != nil {
		return c, reply, err
	}
	if c.halfLife == 0 {
		return c, reply, core.Invalid("half_life: must be more than 0")
	}
	if in.Limit < 0 {
		in.Limit = 0
	}
	reply.Threshold, reply.MinAgeDays, reply.HalfLifeDays = c.threshold, c.minAge.Hours()/24, c.halfLife.Hours()/24
	reply.ByAge, reply.Purged = c.byAge, c.purges
	if err := c.read(ctx); err != nil {
		return c, reply, err
	}
	if err := c.choose(ctx, in.Limit); err != nil {
		return c, reply, err
	}
	reply.Count = len(c.gone)
	for reason, n := range c.kept {
		reply.Kept = append(reply.Kept, api.ForgetKept{Reason: string(reason), Count: n})
	}
	sorting.By(reply.Kept, func(a, b api.ForgetKept) int { return strings.Compare(a.Reason, b.Reason) })
	return c, reply, nil
}

// show puts so many candidates into a reply; below 0 is all.
func (c *forgetting) show(ctx context.Context, reply *api.ForgetRunReply, most int) error {
	shown := c.gone
	if most >= 0 && len(shown) > most {
		shown, reply.More = shown[:most], true
	}
	ids := make([]memory.ID, len(shown))
	for i, at := range shown {
		ids[i] = c.all[at].ref.ID
	}
	items, err := c.e.Store.Get(ctx, ids...)
	if err != nil {
		return core.Classify(err)
	}
	for i, at := range shown {
		t := c.terms[at]
		one := api.ForgetCandidate{
			Ref: c.all[at].ref.String(), Confidence: t.Confidence, TimesAccessed: t.Times,
			DaysSinceAccess: t.Days, HalfLifeDays: t.HalfLife,
			Salience: t.Salience, Formula: t.String(),
		}
		if it := items[i]; it != nil && it.Record != nil {
			one.Headline, one.CreatedAt = it.Record.Headline(), it.Record.Header.At.String()
			one.Text, one.At = standing.Beyond(it.Record), standing.At(it.Record)
		}
		reply.Candidates = append(reply.Candidates, one)
	}
	return nil
}

// howLong reads a length of time: 90d, 12w, 36h, or a number of days.
func howLong(field, text string, left time.Duration) (time.Duration, error) {
	const day = 24 * time.Hour
	if text == "" {
		return left, nil
	}
	number, unit := text, day
	if t, ok := strings.CutSuffix(text, "w"); ok {
		number, unit = t, 7*day
	} else if t, ok := strings.CutSuffix(text, "d"); ok {
		number = t
	}
	if n, err := strconv.ParseFloat(number, 64); err == nil && n >= 0 && n*float64(unit) < math.MaxInt64 {
		return time.Duration(n * float64(unit)), nil
	}
	if d, err := time.ParseDuration(text); err == nil && d >= 0 {
		return d, nil
	}
	return 0, core.Invalid("%s: must be a length of time like 90d, 12w or 36h, got %q", field, shorten.To(text, 40))
}
