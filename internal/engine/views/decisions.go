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
	"github.com/stemma-memory/stemma/internal/graph"
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

// mostAbout is how many memories about a name are looked at.
const mostAbout = 10_000

// about takes the decisions about a record, all its revisions with it, or about what a name stands for.
func (d *deciding) about(what string) error {
	var ids []memory.ID
	it, err := d.e.Lookup(d.rd, what)
	switch {
	case err == nil:
		return d.aboutOne(it)
	case strings.Contains(what, ":"):
		return err
	default:
		if ids, err = d.named(what); err != nil {
			return err
		}
	}
	return d.aboutThese(ids)
}

// mostDecided is how many decisions the answer about one memory has.
const mostDecided = 20

// decided lists the last decisions about a record and its other revisions, whose words it does not repeat in full.
func (e *Views) decided(rd *trust.Reading, it *store.Item) ([]api.Decision, error) {
	base, err := rd.Voices()
	if err != nil {
		return nil, err
	}
	d := &deciding{e: e, rd: rd, base: base, limit: mostDecided}
	if err := d.aboutOne(it); err != nil {
		return nil, core.Classify(err)
	}
	d.found = d.found[:min(len(d.found), mostDecided)]
	if len(d.found) == 0 {
		return nil, nil
	}
	out, err := d.shown()
	for i := range out {
		for j := range out[i].Of {
			out[i].Of[j].Text = ""
		}
		if out[i].Now != nil {
			out[i].Now.Text = ""
		}
	}
	return out, core.Classify(err)
}

// aboutOne takes the decisions about a record and its other revisions.
func (d *deciding) aboutOne(it *store.Item) error {
	ids, err := d.revisions(it)
	if err != nil {
		return err
	}
	return d.aboutThese(ids)
}

// aboutThese takes the decisions about some records.
func (d *deciding) aboutThese(ids []memory.ID) error {
	edges, err := d.e.Store.Edges(d.rd, graph.Forward, ids...)
	if err != nil {
		return err
	}
	var from []memory.ID
	for _, edge := range edges {
		switch edge.Rel {
		case graph.Speaks, graph.LinkSource, graph.LinkTarget, graph.Supersedes:
			from = append(from, edge.From)
		}
	}
	reads, err := d.e.Reads(d.rd)
	if err != nil {
		return err
	}
	slices.SortFunc(from, memory.ID.Compare)
	claims, err := d.rd.Get(slices.Compact(from)...)
	for _, it := range core.Present(claims) {
		if it.Record != nil && reads(it.Record.Header.Space) {
			d.take(it)
		}
	}
	return err
}

// revisions returns a record with those that it replaced and that replaced it.
func (d *deciding) revisions(it *store.Item) ([]memory.ID, error) {
	ids, seen := []memory.ID{it.Ref.ID}, map[memory.ID]bool{it.Ref.ID: true}
	for todo := ids; len(todo) > 0 && len(ids) < mostAbout; {
		var next []memory.ID
		for _, dir := range []graph.Direction{graph.Back, graph.Forward} {
			edges, err := d.e.Store.Edges(d.rd, dir, todo...)
			if err != nil {
				return nil, err
			}
			for _, edge := range edges {
				id := edge.From
				if dir == graph.Back {
					id = edge.To
				}
				if edge.Rel == graph.Supersedes && !seen[id] {
					seen[id], next = true, append(next, id)
				}
			}
		}
		ids, todo = append(ids, next...), next
	}
	return ids, nil
}

// named returns the memories about a name, and takes what was decided about the key that bears it.
func (d *deciding) named(name string) ([]memory.ID, error) {
	var ids []memory.ID
	_, err := d.e.Gather(d.rd, store.Query{Has: AboutName(name), Hidden: true}, mostAbout,
		func(it *store.Item) (bool, error) {
			if it.Record != nil && slices.ContainsFunc(it.Record.Header.About, func(s string) bool {
				return strings.EqualFold(s, name)
			}) {
				ids = append(ids, it.Ref.ID)
			}
			return true, nil
		})
	if err != nil {
		return nil, err
	}
	for it, err := range d.e.Store.List(d.rd, store.Query{Kinds: []memory.Kind{memory.KindKey}, Hidden: true}) {
		if err != nil {
			return nil, err
		}
		if it.Record == nil {
			continue
		}
		if k, is := it.Record.Body.(*memory.Key); is && (strings.EqualFold(k.Name, name) ||
			strings.EqualFold(d.base.NameOf(d.base.Ring.Principal(k.Key)), name)) {
			d.take(it)
		}
	}
	return ids, nil
}

// shown puts decisions into words.
func (d *deciding) shown() ([]api.Decision, error) {
	var ids, decisions []memory.ID
	for _, one := range d.found {
		decisions = append(decisions, one.Ref.ID)
		ids = append(ids, core.IDsOf(one.Of)...)
		if one.Now != nil {
			ids = append(ids, one.Now.ID)
		}
	}
	items, err := d.rd.Get(ids...)
	if err != nil {
		return nil, err
	}
	held := make(map[memory.ID]*store.Item)
	var rated []*store.Item
	for _, it := range items {
		if it == nil || held[it.Ref.ID] != nil {
			continue
		}
		if held[it.Ref.ID] = it; it.Record != nil {
			rated = append(rated, it)
		}
	}
	ratings, err := d.e.trust.Rate(d.rd, rated, false)
	if err != nil {
		return nil, err
	}
	d.e.receipts.NoteShown("decisions", rated, ratings)
	marks, err := d.e.MarksOf(d.rd, rated, ratings, memory.Time{})
	if err != nil {
		return nil, err
	}
	marked := make(map[memory.ID][]string)
	for i, it := range rated {
		marked[it.Ref.ID] = marks[i]
	}
	back, err := d.takenBack(decisions)
	if err != nil {
		return nil, err
	}
	out := make([]api.Decision, len(d.found))
	for i, one := range d.found {
		out[i] = d.decision(&one, held, marked)
		out[i].TakenBack = back[one.Ref.ID]
		out[i].Counts = !out[i].TakenBack && d.counts(&one, held)
	}
	return out, nil
}

// takenBack returns which decisions an undo took back, or a later claim replaced.
func (d *deciding) takenBack(decisions []memory.ID) (map[memory.ID]bool, error) {
	edges, err := d.e.Store.Edges(d.rd, graph.Forward, decisions...)
	if err != nil {
		return nil, err
	}
	edges = slices.DeleteFunc(edges, func(e graph.Edge) bool { return e.Rel != graph.Supersedes && e.Rel != graph.Speaks })
	ids := make([]memory.ID, len(edges))
	for i, edge := range edges {
		ids[i] = edge.From
	}
	items, err := d.rd.Get(ids...)
	if err != nil {
		return nil, err
	}
	out := make(map[memory.ID]bool)
	for i, it := range items {
		if it == nil || it.Record == nil {
			continue
		}
		undo := it.Record.Header.Provenance.Context == core.ContextUndo
		m, is := it.Record.Body.(*memory.Mark)
		switch {
		case edges[i].Rel == graph.Supersedes && (undo || !it.Ref.Kind.IsMemory()), // a revision only replaces one
			undo && is && (m.Verb == memory.Forget || m.Verb == memory.Reject):
			out[edges[i].To] = true
		}
	}
	return out, nil
}

// decision shows one.
func (d *deciding) decision(
	one *decided, held map[memory.ID]*store.Item, marked map[memory.ID][]string,
) api.Decision {
	h := &one.Record.Header
	out := api.Decision{
		Ref: one.Ref.String(), At: h.At.String(), Act: one.Name, Detail: one.Detail, By: d.who(one.Record),
		Key: cmp.Or(one.voice.Principal, h.Author), Agent: d.agent(one), Of: []api.LinkEnd{}, OfMore: max(one.more, 0),
		Why: one.Why, Space: h.Space,
	}
	for _, ref := range one.Of {
		out.Of = append(out.Of, d.end(ref, held[ref.ID], marked[ref.ID]))
	}
	if one.Now != nil {
		now := d.end(*one.Now, held[one.Now.ID], marked[one.Now.ID])
		out.Now = &now
	}
	if one.Key != "" {
		name := cmp.Or(one.Named, d.base.NameOf(d.base.Ring.Principal(one.Key)), core.Fingerprint(one.Key))
		out.Of = append(out.Of, api.LinkEnd{Ref: one.Key, Headline: name})
	}
	if len(one.Of) == 0 {
		return out
	}
	first := held[one.Of[0].ID]
	if first == nil || first.Record == nil {
		return out
	}
	if one.Ref.Kind.IsMemory() && out.Why == first.Record.Header.Trigger {
		out.Why = "" // it was said of the one before
	}
	if v := d.base.Ring.Voice(first.Record); one.voice.Owner && !v.Owner && v.Principal != "" {
		switch one.Name {
		case memory.Approve, memory.Reject, state.ActResolve:
			out.ProposedBy = d.agent(&decided{Item: first, voice: v})
		}
	}
	return out
}

// end shows what was decided about. What is quarantined, purged or forged is there without its words.
func (d *deciding) end(ref memory.Ref, it *store.Item, marks []string) api.LinkEnd {
	switch {
	case it == nil:
		return linkEnd(ref, nil, d.base)
	case it.Record == nil:
		return api.LinkEnd{Ref: it.Ref.String(), Headline: PurgedText, Hidden: "purged"}
	case it.State.Quarantined || it.State.Purged || it.Doubt == store.Forged:
		why := cmp.Or(core.Hidden(&it.State), string(it.Doubt))
		return api.LinkEnd{Ref: it.Ref.String(), Headline: "(" + why + ")", Hidden: why}
	}
	end := linkEnd(it.Ref, it, d.base)
	end.Marks = marks
	return end
}

// counts reports whether a decision has effect for the reader: who made it may decide about what it is about.
func (d *deciding) counts(one *decided, held map[memory.ID]*store.Item) bool {
	v := one.voice
	if v.Principal == "" || one.Name == memory.Approve && !v.Owner {
		return false
	}
	if len(one.Of) == 0 {
		return true
	}
	first := held[one.Of[0].ID]
	if first == nil || first.Record == nil {
		return true
	}
	switch one.Name {
	case state.ActWitness, state.ActPropose:
		return true
	case state.ActVerify:
		return state.MayVerify(v, first.Record, d.base.Ring)
	case memory.Forget, memory.Recover, memory.Quarantine, memory.Release, memory.Purge:
		return state.MayHide(v, first.Record, d.base.Ring)
	}
	return state.May(v, first.Record, d.base.Ring)
}
