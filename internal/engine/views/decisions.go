package views

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Decisions lists who decided what, when and why, the newest first. What is not verified, or was signed with a key that
// speaks for no one, is not among them.
func (e *Views) Decisions(ctx context.Context, in api.DecisionsRequest) (api.DecisionsReply, error) {
	reply := api.DecisionsReply{Decisions: []api.Decision{}}
	d, err := e.deciding(ctx, in)
	if err != nil {
		return reply, err
	}
	if in.About == "" {
		err = d.listed()
	} else {
		err = d.about(in.About)
	}
	if err != nil {
		return reply, core.Classify(err)
	}
	if d.limit >= 0 && len(d.found) > d.limit {
		d.found, reply.More = d.found[:d.limit], true
	}
	some, err := d.shown()
	reply.Decisions = append(reply.Decisions, some...)
	return reply, core.Classify(err)
}

// deciding is one list of decisions being made.
type deciding struct {
	e            *Views
	rd           *trust.Reading
	in           api.DecisionsRequest
	base         *trust.Context
	since, until time.Time
	limit        int
	found        []decided // the newest first, of all that was read: one more than asked for
}

// A decided is a record with what it decides.
type decided struct {
	*store.Item
	*state.Act
	voice state.Voice
	more  int // of those that it is about, beside the first
}

// mostOf is how many records of one decision are shown.
const mostOf = 20

func (e *Views) deciding(ctx context.Context, in api.DecisionsRequest) (*deciding, error) {
	d := &deciding{e: e, rd: e.trust.Reading(store.AtOnce(ctx)), in: in, limit: cmp.Or(in.Limit, DefaultLimit)}
	if in.Act != "" && !slices.Contains(state.Acts(), in.Act) {
		return nil, core.Invalid("act: must be one of %s, got %q", strings.Join(state.Acts(), ", "), shorten.To(in.Act, 40))
	}
	var err error
	if d.since, err = e.Ago("since", in.Since); err != nil {
		return nil, err
	}
	if d.until, err = e.Ago("until", in.Until); err != nil {
		return nil, err
	}
	d.base, err = d.rd.Voices()
	return d, err
}

// listed reads decisions from the log, claims and revisions each the newest first, no further than it must.
func (d *deciding) listed() error {
	spaces, err := d.e.ReadSpaces(d.rd)
	if err != nil {
		return err
	}
	others := []memory.Kind{memory.KindWitness, memory.KindVerify, memory.KindAssess, memory.KindLink}
	queries := []store.Query{{Kinds: []memory.Kind{memory.KindKey}}} // a key is everywhere whose it is
	if len(spaces) > 0 {
		queries = append(queries,
			store.Query{Kinds: []memory.Kind{memory.KindMark}, Spaces: spaces, But: state.NoDecision},
			store.Query{Kinds: memory.Memories(), Spaces: spaces, Replaces: true},
			store.Query{Kinds: others, Spaces: spaces, But: state.NoDecision})
	}
	for _, q := range queries {
		q.Hidden, q.Few = true, max(d.limit, 0)+1
		q.After = d.newer()
		for it, err := range d.e.Store.List(d.rd, q) {
			if err != nil {
				return err
			}
			if d.enough(it) {
				break
			}
			d.take(it)
		}
	}
	return nil
}

// newer is a time: what is dated then or before is not among the newest, nor asked for.
func (d *deciding) newer() time.Time {
	at := d.since
	if d.limit >= 0 && len(d.found) > d.limit {
		at = d.found[d.limit].Record.Header.At.Time()
	}
	if at.IsZero() {
		return at
	}
	return at.Add(-time.Millisecond)
}

// enough reports whether neither a record nor one that came before it can be among the newest: none is dated later than
// it came, but for a clock that is a little ahead.
func (d *deciding) enough(it *store.Item) bool {
	if it.Record == nil {
		return false
	}
	latest := it.Record.Header.At.Time()
	if it.Came.After(latest) {
		latest = it.Came
	}
	latest = latest.Add(trust.AheadBy)
	return latest.Before(d.since) ||
		d.limit >= 0 && len(d.found) > d.limit && d.found[d.limit].Record.Header.At.Time().After(latest)
}

// newestFirst orders decisions alike in every store that holds them.
func newestFirst(a, b decided) int {
	return cmp.Or(b.Record.Header.At.Time().Compare(a.Record.Header.At.Time()), b.Ref.ID.Compare(a.Ref.ID))
}

// take keeps a record if it is a decision that is asked for.
func (d *deciding) take(it *store.Item) {
	if it == nil || it.Record == nil || it.Doubt == store.Forged {
		return
	}
	at := it.Record.Header.At.Time()
	if at.Before(d.since) || !d.until.IsZero() && at.After(d.until) {
		return
	}
	voice, fault := d.base.Ring.Judge(it.Record)
	if fault != state.Sound {
		return
	}
	a := state.ActOf(it.Record, voice)
	if a == nil || d.in.Act != "" && a.Name != d.in.Act {
		return
	}
	one := decided{Item: it, Act: a, voice: voice}
	if one.more = len(a.Of) - mostOf; one.more > 0 {
		a.Of = a.Of[:mostOf]
	}
	if d.in.By != "" && !d.by(&one) {
		return
	}
	i, held := slices.BinarySearchFunc(d.found, one, newestFirst)
	if held {
		return
	}
	d.found = slices.Insert(d.found, i, one)
	if d.limit >= 0 && len(d.found) > d.limit+1 {
		d.found = d.found[:d.limit+1]
	}
}

// by reports whether a decision is by who is asked for: by name, by key, or by the agent that acted.
func (d *deciding) by(one *decided) bool {
	h, want := &one.Record.Header, strings.TrimSpace(d.in.By)
	if strings.EqualFold(want, "me") {
		want = "you"
	}
	for _, name := range []string{
		d.who(one.Record), d.agent(one), one.voice.Principal, h.Author, core.Fingerprint(h.Author),
	} {
		if name != "" && strings.EqualFold(name, want) {
			return true
		}
	}
	return false
}

// who names the person behind a record.
func (d *deciding) who(r *memory.Record) string {
	if name := d.base.By(r); name != "" {
		return name
	}
	if d.base.Root != "" {
		return d.base.NameOf(d.base.Root)
	}
	const enough = 12
	return shorten.To(strings.TrimPrefix(cmp.Or(d.base.Controller(r), r.Header.Author), "did:key:"), enough)
}

// agent names the agent that acted, "" where a person did.
func (d *deciding) agent(one *decided) string {
	if one.voice.Owner || one.voice.Principal == "" {
		return ""
	}
	return cmp.Or(one.Record.Header.Agent, "an agent")
}
