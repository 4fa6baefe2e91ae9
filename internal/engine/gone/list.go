package gone

import (
	"context"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/probes"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// mostRepeats is how many records are shown that stay and repeat what goes.
const mostRepeats = 100

// list is a selection as it is shown. Repeats are looked for in every record that stays.
func (s *selection) list(ctx context.Context) (*api.PersonList, error) {
	refs := s.refs()
	out := &api.PersonList{
		Digest: digest(refs), Entities: s.entities(), Records: []api.PersonRecord{}, ByKind: make(map[string]int),
		Unsure: []api.PersonRecord{}, Stays: []api.PersonRecord{}, Repeats: []api.PersonRecord{},
	}
	m := probes.NewMaker(make([]byte, 8), mostSpans)
	ids := make([]memory.ID, len(refs))
	for i, r := range refs {
		ids[i] = r.ID
	}
	err := s.e.read(ctx, ids, func(it *store.Item) {
		addBody(m, it.Record)
		f := s.at[it.Ref.ID]
		words := saidBy(it.Record)
		for _, hit := range s.others.In(words.words()) {
			if hit.Sure {
				f.mention(s.people.others[hit.Name], s.own)
			}
		}
		if len(f.others) > 0 {
			out.Others++
		}
		out.ByKind[string(it.Ref.Kind)]++
		out.Records = append(out.Records, f.shown(it.Record, strings.Join(f.sure, ", ")))
	})
	if err != nil {
		return nil, err
	}
	search := probes.NewSearch(m.Set(2 * mostSpans))
	for i, one := range s.e.stores() {
		err := each(ctx, one, func(it *store.Item) error {
			if f := s.at[it.Ref.ID]; f != nil && f.stores[0] == i && !s.picked[f.ref.ID] {
				s.beside(f, it, search, out)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		if err := s.spaces(ctx, one, out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// spaces names the spaces that are called by a name of the person: that stays in every record.
func (s *selection) spaces(ctx context.Context, one store.Store, out *api.PersonList) error {
	all, err := one.Spaces(ctx)
	if err != nil {
		return core.Classify(err)
	}
	for _, space := range all {
		_, name, _ := strings.Cut(space.Name, "/")
		if len(s.names.In(name)) > 0 {
			out.Stays = append(out.Stays, api.PersonRecord{
				Headline: "the space " + name, Why: "the name of a space: every record in it has that", Space: space.Name,
			})
		}
	}
	return nil
}

// beside puts a record that does not go where it is shown.
func (s *selection) beside(f *fact, it *store.Item, search *probes.Search, out *api.PersonList) {
	kept := s.keep[it.Ref.ID]
	switch {
	case f.bars != "" && (len(f.sure) > 0 || len(f.maybe) > 0 && s.in.Unsure):
		out.Stays = append(out.Stays, f.shown(it.Record, f.bars))
	case f.bars != "" && s.decides(f, it.Record):
		out.Stays = append(out.Stays, f.shown(it.Record, "a decision about what goes; its reason stays"))
	case kept:
		out.Stays = append(out.Stays, f.shown(it.Record, "left out by the request"))
	case len(f.maybe) > 0:
		out.Unsure = append(out.Unsure, f.shown(it.Record, strings.Join(f.maybe, ", ")))
	default:
		words := saidBy(it.Record)
		switch {
		case !words.repeats(search):
		case len(out.Repeats) == mostRepeats:
			out.RepeatsMore++
		default:
			out.Repeats = append(out.Repeats, f.shown(it.Record, "repeats six words of what goes"))
		}
	}
}

// decides reports whether a mark gives a reason for a decision about what goes.
func (s *selection) decides(f *fact, r *memory.Record) bool {
	m, ok := r.Body.(*memory.Mark)
	if !ok || m.Reason == "" {
		return false
	}
	for _, id := range f.of {
		if s.picked[id] {
			return true
		}
	}
	return false
}

func (f *fact) shown(r *memory.Record, why string) api.PersonRecord {
	return api.PersonRecord{
		Ref: f.ref.String(), Headline: r.Headline(), Why: why, Others: f.others, Space: f.space,
	}
}

// entities are the names of the person.
func (s *selection) entities() []api.PersonName {
	out := []api.PersonName{}
	seen := make(map[string]int)
	for _, p := range []*person{s.about, s.speaker} {
		if p == nil {
			continue
		}
		for _, name := range p.names {
			one := api.PersonName{Name: name, Shared: p.shared[key(name)]}
			for i, of := range s.of {
				if of == name {
					one.Count = s.finds[i]
				}
			}
			for _, who := range p.who {
				for _, n := range who.names {
					if n == name {
						one.Ref = who.ref.String()
					}
				}
			}
			if at, is := seen[name]; is {
				out[at].Count = max(out[at].Count, one.Count)
				continue
			}
			seen[name] = len(out)
			out = append(out, one)
		}
	}
	return out
}
