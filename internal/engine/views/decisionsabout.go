package views

import (
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

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

// Decided lists the last decisions about a record and its other revisions, whose words it does not repeat in full.
func (e *Views) Decided(rd *trust.Reading, it *store.Item) ([]api.Decision, error) {
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
	_, err := d.e.standing.Gather(d.rd, store.Query{Has: standing.AboutName(name), Hidden: true}, mostAbout,
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
