package removal

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/lineage"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// mostShown is how many records a reply names.
const mostShown = 1000

// Quarantine hides a source from lists, searches and packs, with everything that rests on it
// alone, in one reversible act. Memories with other sources stay.
func (e *Removal) Quarantine(ctx context.Context, in api.QuarantineRequest) (api.QuarantineReply, error) {
	q := &quarantining{e: e, reason: in.Reason, voice: e.Voice}
	if err := e.OwnerOnly("quarantine memories"); err != nil {
		return q.reply, err
	}
	var roots []memory.Ref
	var err error
	if q.target, roots, err = e.target(ctx, in.Target, mostAffected); err != nil {
		return q.reply, err
	}
	marks, err := q.of(ctx, roots)
	if err != nil || in.DryRun {
		q.reply.Claims = []string{}
		return q.reply, err
	}
	if len(marks) == 0 {
		return q.reply, core.Conflict("all of %s is quarantined already", shortTarget(q.target))
	}
	return q.reply, e.Append(ctx, store.Batch{Records: marks})
}

// quarantining is one quarantine being put together.
type quarantining struct {
	e      *Removal
	target string
	reason string
	reply  api.QuarantineReply
	voice  func() (state.Voice, error) // of the person whose quarantine it is
	most   int                         // records that it may hide; 0 is any number
}

// of makes the marks that hide roots and what rests on them alone.
func (q *quarantining) of(ctx context.Context, roots []memory.Ref) ([]*memory.Record, error) {
	todo, err := q.reached(ctx, roots)
	if err != nil {
		return nil, err
	}
	return q.marks(ctx, memory.Quarantine, todo)
}

// reached returns what the quarantine of roots hides: those, and what rests on them alone.
func (q *quarantining) reached(ctx context.Context, roots []memory.Ref) ([]*store.Item, error) {
	q.reply = api.QuarantineReply{Target: q.target, Claims: []string{}, Records: []api.Affected{}}
	ids := core.IDsOf(roots)
	if err := q.bounded(len(ids)); err != nil { // before what rests on them is looked for
		return nil, err
	}
	b, err := lineage.Radius(ctx, q.e.Store, ids...)
	if err != nil {
		return nil, core.Classify(err)
	}
	falls := slices.Clone(ids)
	var stays []memory.ID
	for _, id := range b.Order {
		if b.Survives[id] {
			stays = append(stays, id)
		} else {
			falls = append(falls, id)
		}
	}
	if err := q.bounded(len(falls)); err != nil {
		return nil, err
	}
	todo, err := q.notYet(ctx, falls, memory.Quarantine)
	if err != nil {
		return nil, err
	}
	if q.reply.Records, err = q.e.affected(ctx, b, ids, core.IDsOf(core.RefsOf(todo)), mostShown); err != nil {
		return nil, err
	}
	q.reply.Survives, err = q.e.affected(ctx, b, ids, stays, mostShown)
	return todo, err
}

// bounded refuses more records than may be hidden.
func (q *quarantining) bounded(n int) error {
	if q.most == 0 || n <= q.most {
		return nil
	}
	return core.Invalid("without: more than %d records rest on it alone; name a part of it, "+
		"or see with `taint` what rests on it", q.most)
}

// notYet returns those of ids that can be hidden, or brought back, and are not yet.
func (q *quarantining) notYet(ctx context.Context, ids []memory.ID, verb string) ([]*store.Item, error) {
	items, err := q.e.Store.Get(ctx, ids...)
	if err != nil {
		return nil, core.Classify(err)
	}
	v, err := q.voice()
	if err != nil {
		return nil, err
	}
	who, err := q.e.Keyring(ctx)
	if err != nil {
		return nil, err
	}
	var todo []*store.Item
	others := 0
	for _, it := range items {
		switch {
		case it == nil || it.Record == nil:
		case !state.MayHide(v, it.Record, who):
			others++
		case verb == memory.Quarantine && it.State.Quarantined, verb == memory.Release && !it.State.Quarantined:
		default:
			todo = append(todo, it)
		}
	}
	if others > 0 {
		q.reply.Hint = core.Plural(others, "record") +
			" of others stay as they are: in a store that several write to, each person decides about their own"
	}
	return todo, nil
}

// marks says a verb of records.
func (q *quarantining) marks(ctx context.Context, verb string, todo []*store.Item) ([]*memory.Record, error) {
	q.reply.Count = len(todo)
	out, err := q.e.Marks(ctx, core.Marking{Verb: verb, Value: q.target, Reason: q.reason}, todo...)
	for _, r := range out {
		q.reply.Claims = append(q.reply.Claims, r.Ref().String())
	}
	return out, err
}

// Release brings back what a quarantine hid, all of it; of a record that was not
// the target of one, that record alone.
func (e *Removal) Release(ctx context.Context, in api.QuarantineRequest) (api.QuarantineReply, error) {
	q := &quarantining{e: e, reason: in.Reason, voice: e.Voice}
	q.reply = api.QuarantineReply{Claims: []string{}, Records: []api.Affected{}}
	if err := e.OwnerOnly("release memories"); err != nil {
		return q.reply, err
	}
	target, roots, err := e.target(ctx, in.Target, mostAffected)
	if err != nil {
		return q.reply, err
	}
	q.target, q.reply.Target = target, target
	ids, err := e.quarantinedFor(ctx, target)
	if err != nil {
		return q.reply, err
	}
	if len(ids) == 0 { // hidden for something else: whatever it was
		ids, q.target = core.IDsOf(roots), ""
	}
	todo, err := q.notYet(ctx, ids, memory.Release)
	if err != nil {
		return q.reply, err
	}
	own, err := q.hiddenAsTheyCame(ctx, roots)
	if err != nil {
		return q.reply, err
	}
	back, authors := slices.Clone(todo), slices.Sorted(maps.Keys(own))
	for _, author := range authors {
		for _, it := range own[author] {
			if !slices.ContainsFunc(back, func(b *store.Item) bool { return b.Ref == it.Ref }) {
				back = append(back, it)
			}
		}
	}
	if len(back) == 0 {
		return q.reply, core.Conflict("%s is not quarantined", shortTarget(target))
	}
	if q.reply.Records, err = e.affected(ctx, nil, nil, core.IDsOf(core.RefsOf(back)), mostShown); err != nil {
		return q.reply, err
	}
	marks, err := q.marks(ctx, memory.Release, todo)
	for _, author := range authors {
		if err != nil {
			break
		}
		var more []*memory.Record
		q.target = author
		more, err = q.marks(ctx, memory.Release, own[author])
		marks = append(marks, more...)
	}
	q.reply.Count = len(back)
	if err != nil || in.DryRun {
		q.reply.Claims = []string{}
		return q.reply, err
	}
	return q.reply, e.Append(ctx, store.Batch{Records: marks})
}

// hiddenAsTheyCame returns those of an author's records that no mark hid: their keys were
// compromised when they came. Each is hidden because of the key that signed it.
func (q *quarantining) hiddenAsTheyCame(ctx context.Context, roots []memory.Ref) (map[string][]*store.Item, error) {
	out := make(map[string][]*store.Item)
	if !strings.HasPrefix(q.reply.Target, "author:") || q.target == "" {
		return out, nil
	}
	hidden, err := q.notYet(ctx, core.IDsOf(roots), memory.Release)
	for _, it := range hidden {
		if key := "author:" + it.Record.Header.Author; key != q.target {
			out[key] = append(out[key], it)
		}
	}
	return out, err
}

// quarantinedFor returns what was ever hidden for a target.
func (e *Removal) quarantinedFor(ctx context.Context, target string) ([]memory.ID, error) {
	var out []memory.ID
	seen := make(map[memory.ID]bool)
	for it, err := range e.Store.List(ctx, store.Query{Kinds: []memory.Kind{memory.KindMark}, Hidden: true}) {
		if err != nil {
			return nil, core.Classify(err)
		}
		if it.Record == nil {
			continue
		}
		m, ok := it.Record.Body.(*memory.Mark)
		if !ok || m.Verb != memory.Quarantine || m.Value != target {
			continue
		}
		for _, ref := range memory.Subjects(m) {
			if !seen[ref.ID] {
				seen[ref.ID] = true
				out = append(out, ref.ID)
			}
		}
	}
	return out, nil
}

// target reads what may be false: its one spelling, and the records it names, so many at most.
func (e *Removal) target(ctx context.Context, s string, most int) (string, []memory.Ref, error) {
	s, err := e.spelled(ctx, s)
	if err != nil {
		return "", nil, err
	}
	roots, err := e.roots(ctx, s, most)
	if err == nil && !strings.HasPrefix(s, "author:") && !strings.HasPrefix(s, "source:") {
		s = roots[0].String()
	}
	return s, roots, err
}

// spelled returns the one spelling of what may be false; of a ref, as it is.
func (e *Removal) spelled(ctx context.Context, s string) (string, error) {
	s = strings.TrimSpace(s)
	if who, ok := strings.CutPrefix(s, "author:"); ok {
		v, err := e.trust.Reading(ctx).TrustContext()
		if err != nil {
			return "", err
		}
		if s, err = e.trust.KeyNamed(v, who); err != nil {
			return "", err
		}
		s = "author:" + s
	}
	return s, nil
}

func shortTarget(s string) string {
	if kind, id, ok := strings.Cut(s, ":"); ok && memory.Kind(kind).Known() && len(id) > 8 {
		return kind + ":" + id[:8]
	}
	return s
}

// affected shows records with the way to them, so many at most.
func (e *Removal) affected(
	ctx context.Context, b *lineage.Blast, roots, ids []memory.ID, most int,
) ([]api.Affected, error) {
	out := []api.Affected{}
	ids = ids[:min(len(ids), most)]
	root := make(map[memory.ID]bool, len(roots))
	for _, id := range roots {
		root[id] = true
	}
	need := slices.Clone(ids)
	paths := make(map[memory.ID][]memory.ID)
	for _, id := range ids {
		if b != nil && !root[id] {
			paths[id] = b.Path(id)
			need = append(need, paths[id]...)
			need = append(need, b.Grounds[id]...)
		}
	}
	names, err := e.titles(ctx, need)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		a := api.Affected{Ref: names[id].ref, Headline: names[id].headline}
		for _, step := range paths[id] {
			a.Path = append(a.Path, names[step].ref)
		}
		if b != nil && b.Survives[id] {
			for _, g := range b.Grounds[id] {
				a.Grounds = append(a.Grounds, names[g].ref)
			}
		}
		out = append(out, a)
	}
	return out, nil
}
