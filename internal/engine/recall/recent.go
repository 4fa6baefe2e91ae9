package recall

import (
	"context"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/views"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Recent lists what was recorded in a session or since a time, raws too, the
// newest first; or with Waiting prompts that are not memories yet.
func (e *Finder) Recent(ctx context.Context, in api.RecentRequest) (api.ListReply, error) {
	rd := e.trust.Reading(store.AtOnce(ctx))
	if in.Waiting {
		return e.waiting(rd, in)
	}
	reply := api.ListReply{Memories: []api.Memory{}}
	if in.NotKept || in.Budget != 0 {
		return reply, core.Invalid("not_kept and budget go with waiting")
	}
	session := core.Or(in.Session, e.C.Session)
	var since time.Time
	switch {
	case in.Since != "":
		var err error
		if since, err = e.Ago("since", in.Since); err != nil {
			return reply, err
		}
	case session == "":
		since = e.C.Now().AddDate(0, 0, -1)
	}
	if in.Since != "" {
		session = in.Session // a time asks for everything, unless a session is named too
	}
	spaces, err := e.ReadSpaces(rd)
	if err != nil || len(spaces) == 0 {
		return reply, core.Classify(err)
	}
	limit := in.Limit
	if limit == 0 {
		limit = views.DefaultLimit
	}
	q := store.Query{Kinds: memory.Memories(), Spaces: spaces, Session: session}
	if limit > 0 {
		q.Few = limit + 1 // and whether there are more
	}
	var items []*store.Item
	for it, err := range e.Store.List(rd, q) {
		if err != nil {
			return reply, core.Classify(err)
		}
		if it.Record == nil {
			continue
		}
		if it.Record.Header.At.Time().Before(since) {
			if session == "" && !e.bothStores() {
				break // the log is in the order of time, as near as clocks are
			}
			continue
		}
		if limit > 0 && len(items) == limit {
			reply.More = true
			break
		}
		items = append(items, it)
	}
	reply.Memories, err = e.views.Views(rd, items...)
	return reply, err
}

// bothStores reports whether two stores are read together.
func (e *Finder) bothStores() bool { return e.C.SecondStore != "" }
