package removal

import (
	"context"
	"slices"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/views"
	"github.com/stemma-memory/stemma/internal/sorting"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// ForgetList lists the memories that are forgotten and were not brought back.
func (e *Removal) ForgetList(ctx context.Context, in api.LimitRequest) (api.ForgetListReply, error) {
	reply := api.ForgetListReply{Forgotten: []api.Forgotten{}}
	spaces, err := e.NamedSpaces(ctx)
	if err != nil || len(spaces) == 0 {
		return reply, core.Classify(err)
	}
	limit := in.Limit
	if limit == 0 {
		limit = views.DefaultLimit
	}
	items, more, err := e.forgotten(ctx, limit)
	if err != nil {
		return reply, err
	}
	reply.More = more
	memories, err := e.views.Views(e.trust.Reading(ctx), items...)
	if err != nil {
		return reply, err
	}
	marks, err := e.trust.Reading(ctx).Speaking(core.IDsOf(core.RefsOf(items)), memory.KindMark)
	if err != nil {
		return reply, err
	}
	last := lastForgets(marks)
	for i, m := range memories {
		f := api.Forgotten{Memory: m}
		if r := last[items[i].Ref.ID]; r != nil {
			f.Claim, f.ForgottenAt, f.ForgottenBy = r.Ref().String(), r.Header.At.String(), r.Header.Author
			f.Reason = memory.Words(r.Body)
		}
		reply.Forgotten = append(reply.Forgotten, f)
	}
	return reply, nil
}

// forgotten returns the memories of the spaces that are read that are forgotten, the newest first, no more than a
// number where that is above 0.
func (e *Removal) forgotten(ctx context.Context, limit int) (out []*store.Item, more bool, err error) {
	hidden, err := store.HiddenOf(ctx, e.Store)
	if err != nil {
		return nil, false, core.Classify(err)
	}
	hidden = slices.DeleteFunc(hidden, func(h store.Hidden) bool { return !h.Forgotten && !h.Due })
	slices.Reverse(hidden)
	sorting.By(hidden, func(a, b store.Hidden) int { return b.At.Compare(a.At) })
	for part := range slices.Chunk(hidden, core.ExportPage) {
		ids := make([]memory.ID, len(part))
		for i := range part {
			ids[i] = part[i].ID
		}
		items, err := e.Store.Get(ctx, ids...)
		if err != nil {
			return nil, false, core.Classify(err)
		}
		for _, it := range items {
			if it == nil || it.Record == nil || !it.State.Forgotten || !e.InUse(it.Record.Header.Space) {
				continue
			}
			if limit > 0 && len(out) == limit {
				return out, true, nil
			}
			out = append(out, it)
		}
	}
	return out, false, nil
}

// lastForgets returns the last mark that forgot each record.
func lastForgets(marks []*store.Item) map[memory.ID]*memory.Record {
	last := make(map[memory.ID]*memory.Record)
	for _, it := range marks {
		m, ok := it.Record.Body.(*memory.Mark)
		if !ok || m.Verb != memory.Forget {
			continue
		}
		for _, ref := range memory.Subjects(m) {
			if old := last[ref.ID]; old == nil || old.Header.At.Time().Before(it.Record.Header.At.Time()) {
				last[ref.ID] = it.Record
			}
		}
	}
	return last
}

// forgottenBy replaces the refs of marks that forgot by those of what they forgot.
func (e *Removal) forgottenBy(ctx context.Context, refs []string) ([]string, error) {
	items, err := e.ResolveAll(ctx, refs)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, it := range items {
		if it.Record != nil {
			if m, ok := it.Record.Body.(*memory.Mark); ok && m.Verb == memory.Forget {
				out = append(out, core.RefStrings(memory.Subjects(m))...)
				continue
			}
		}
		out = append(out, it.Ref.String())
	}
	return out, nil
}
