package lifecycle

import (
	"context"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// QueueGroups is what waits for a person, put together by where it came from: the group with the oldest first.
type QueueGroups struct {
	Groups []QueueGroup
	Others int // groups beyond these
	Count  int // memories of all groups
	More   bool
}

// A QueueGroup is what waits of one source, with the oldest of it.
type QueueGroup struct {
	From  QueueFrom
	Count int
	First []api.Memory
}

// QueueGroups groups at most so many memories that wait, and shows the first few groups with a few memories of each. It
// is Queue for a view that shows no more: what is not shown is not rated, and its words are not looked for.
func (e *Lifecycle) QueueGroups(ctx context.Context, limit, groups, each int) (QueueGroups, error) {
	rd := e.trust.Reading(store.AtOnce(ctx))
	var out QueueGroups
	q, err := e.queued(rd, false, limit)
	if err != nil || len(q.items) == 0 {
		return out, err
	}
	voices, err := e.voices(ctx)
	if err != nil {
		return out, err
	}
	known := make(map[string]int)
	var first []*store.Item
	var in []int // the group of each
	for _, it := range q.items {
		from, err := e.groupFrom(rd, it, q.after[it.Ref.ID], voices)
		if err != nil {
			return out, err
		}
		n, is := known[from.Key]
		if !is {
			n, known[from.Key] = len(out.Groups), len(out.Groups)
			out.Groups = append(out.Groups, QueueGroup{From: from})
		}
		if out.Groups[n].Count++; n < groups && out.Groups[n].Count <= each {
			first, in = append(first, it), append(in, n)
		}
	}
	out.Count, out.More = len(q.items), q.more
	if n := len(out.Groups) - groups; n > 0 {
		out.Groups, out.Others = out.Groups[:groups], n
	}
	shown, err := e.views.Views(rd, first...)
	for i := range shown {
		g := &out.Groups[in[i]]
		g.First = append(g.First, shown[i])
	}
	return out, err
}

// groupFrom says where a memory came from. The words behind it are read where they tell: they name the session and the
// agent of a record that does not.
func (e *Lifecycle) groupFrom(
	rd *trust.Reading, it *store.Item, after string, voices func(*memory.Record) voice,
) (QueueFrom, error) {
	h := &it.Record.Header
	told := h.Session != "" || after != "" || h.Origin == memory.OriginImport && len(h.Alias) > 0
	if told && h.Agent != "" {
		return e.queuedFrom(it, nil, false, after, voices), nil
	}
	words, own, err := e.queuedBehind(rd, it)
	return e.queuedFrom(it, words, own, after, voices), err
}
