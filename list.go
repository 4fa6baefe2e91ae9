package stemma

import (
	"context"
	"slices"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// defaultLimit is how many records a list shows unless told otherwise.
const defaultLimit = 50

// ListRequest says which memories to list. Its zero value is the newest 50 that
// are live.
type ListRequest struct {
	Kind        string `json:"kind,omitempty" jsonschema:"one kind; empty is all but raw"`
	Limit       int    `json:"limit,omitempty" jsonschema:"0 is 50, -1 is all"`
	All         bool   `json:"all,omitempty" jsonschema:"superseded, rejected and forgotten ones too"`
	Oldest      bool   `json:"oldest,omitempty" jsonschema:"the oldest first"`
	Session     string `json:"session,omitempty"`
	Tag         string `json:"tag,omitempty"`
	Type        string `json:"type,omitempty" jsonschema:"the type within a kind, such as decision"`
	Unprocessed bool   `json:"unprocessed,omitempty" jsonschema:"raws nothing was made of"`

	// Brief leaves out how each stands, for which all that stands behind
	// it is read: of a belief that rests on thousands of records, thousands.
	Brief bool `json:"-"`
}

// ListReply is memories in log order.
type ListReply struct {
	Memories []Memory `json:"memories"`
	More     bool     `json:"more,omitempty"` // there are more than the limit
}

// List gives memories, the newest first.
func (e *Engine) List(ctx context.Context, in ListRequest) (ListReply, error) {
	reply := ListReply{Memories: []Memory{}}
	kinds, err := listKinds(in.Kind)
	if err != nil {
		return reply, err
	}
	if in.Unprocessed {
		kinds = []memory.Kind{memory.KindRaw}
	}
	spaces, err := e.shelves(ctx)
	if err != nil || len(spaces) == 0 {
		return reply, sorted(err)
	}
	limit := in.Limit
	if limit == 0 {
		limit = defaultLimit
	}
	q := store.Query{
		Kinds: kinds, Spaces: spaces, Session: in.Session, Hidden: in.All, Unused: in.Unprocessed, Oldest: in.Oldest,
	}
	var items []*store.Item
	for it, err := range e.store.List(ctx, q) {
		if err != nil {
			return reply, sorted(err)
		}
		if !in.wants(it) {
			continue
		}
		if limit > 0 && len(items) == limit {
			reply.More = true
			break
		}
		items = append(items, it)
	}
	if in.Brief {
		e.noteOutside(ctx, "list", items[:min(len(items), mostNoted)])
		for _, it := range items {
			m := view(it)
			m.Tier, m.Review, m.Source = "", "", ""
			reply.Memories = append(reply.Memories, m)
		}
		return reply, nil
	}
	reply.Memories, err = e.views(ctx, items...)
	return reply, err
}

// wants applies the filters that look inside a record.
func (in *ListRequest) wants(it *store.Item) bool {
	if in.Tag == "" && in.Type == "" {
		return true
	}
	r := it.Record
	return r != nil && (in.Tag == "" || slices.Contains(r.Header.Tags, in.Tag)) &&
		(in.Type == "" || content(r.Body)["type"] == in.Type)
}

func listKinds(kind string) ([]memory.Kind, error) {
	if kind == "" {
		all := memory.Memories()
		return slices.DeleteFunc(all, func(k memory.Kind) bool { return k == memory.KindRaw }), nil
	}
	if k := memory.Kind(kind); k.Known() {
		return []memory.Kind{k}, nil
	}
	return nil, invalid("kind: %q is not one of raw, %s", memory.Cut(kind, 40), kindList())
}
