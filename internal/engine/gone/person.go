package gone

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/probes"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// A somebody is what the store knows as one person: a relationship with its revisions, or a principal with the names
// under which they were introduced.
type somebody struct {
	ref       memory.Ref // the newest revision, or the newest introduction
	principal string     // of a principal
	names     []string
	ids       []memory.ID // the revisions
	live      bool
	by        string // whose word the first revision is
}

// people are all whom the store knows.
type people struct {
	all    []*somebody
	byName map[string][]*somebody
	others []string // names of people and things that memories are about
}

// known reads whom the store knows.
func (e *Gone) known(ctx context.Context) (*people, error) {
	ring, err := e.Keyring(ctx)
	if err != nil {
		return nil, err
	}
	me, err := e.self()
	if err != nil {
		return nil, err
	}
	p := &people{byName: make(map[string][]*somebody)}
	by := make(map[memory.ID]*somebody)
	others := make(map[string]string)
	q := store.Query{Kinds: []memory.Kind{memory.KindRelationship}, Hidden: true, Oldest: true}
	for it, err := range e.Store.List(ctx, q) {
		if err != nil {
			return nil, core.Classify(err)
		}
		if it.Record == nil || it.Doubt == store.Forged {
			continue
		}
		b, ok := it.Record.Body.(*memory.Relationship)
		if !ok {
			continue
		}
		var one *somebody
		who := ring.Voice(it.Record).Principal
		// another's revision makes no person of two
		mine := func(s *somebody) bool { return s != nil && (who == s.by || who == me) }
		for _, was := range it.Record.Header.Provenance.Supersedes {
			if at := by[was.ID]; !mine(at) {
				continue
			} else if one == nil {
				one = at
			} else if at != one { // a merge: they are one
				one.names, one.ids, one.live = append(one.names, at.names...), append(one.ids, at.ids...), one.live || at.live
				p.all = slices.DeleteFunc(p.all, func(s *somebody) bool { return s == at })
				for _, id := range at.ids {
					by[id] = one
				}
			}
		}
		if one == nil {
			one = &somebody{by: who}
			p.all = append(p.all, one)
		}
		one.ref, one.live = it.Ref, it.State.Live() || one.live
		one.names, one.ids = append(one.names, b.Name), append(one.ids, it.Ref.ID)
		by[it.Ref.ID] = one
		others[key(b.Name)] = b.Name
	}
	if err := e.introduced(ctx, p, ring, me); err != nil {
		return nil, err
	}
	for _, s := range p.all {
		for _, name := range s.names {
			if k := key(name); !slices.Contains(p.byName[k], s) {
				p.byName[k] = append(p.byName[k], s)
			}
		}
	}
	for it, err := range e.Store.List(ctx, store.Query{Named: true, Hidden: true}) {
		if err != nil {
			return nil, core.Classify(err)
		}
		if it.Record == nil {
			continue
		}
		for _, name := range it.Record.Header.About {
			others[key(name)] = name
		}
	}
	for _, name := range others {
		p.others = append(p.others, name)
	}
	slices.Sort(p.others)
	return p, nil
}

// self is the principal whose keys these are, "" where there are none; a reader makes none.
func (e *Gone) self() (string, error) {
	me, err := e.KnownKeys()
	if me == nil || errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return me.Principal, err
}

// introduced adds the principals whose keys have names.
func (e *Gone) introduced(ctx context.Context, p *people, ring *state.Keyring, me string) error {
	principals := make(map[string]*somebody)
	q := store.Query{Kinds: []memory.Kind{memory.KindKey}, Hidden: true, Oldest: true}
	for it, err := range e.Store.List(ctx, q) {
		if err != nil {
			return core.Classify(err)
		}
		if it.Record == nil {
			continue
		}
		k, ok := it.Record.Body.(*memory.Key)
		if !ok || k.Op == memory.OpDelegate || k.Op == memory.OpRevoke ||
			k.Op == memory.OpIntroduce && ring.Voice(it.Record).Principal != me { // whom others call so is their word
			continue
		}
		at := ring.Principal(k.Key)
		one := principals[at]
		if one == nil {
			one = &somebody{principal: at, live: true, ref: it.Ref}
			principals[at] = one
		}
		one.ids = append(one.ids, it.Ref.ID)
		if k.Name != "" {
			if len(one.names) == 0 {
				p.all = append(p.all, one)
			}
			one.ref, one.names = it.Ref, append(one.names, k.Name)
		}
	}
	return nil
}

// key is a name by which spellings are compared.
func key(name string) string { return probes.Fold(strings.Join(strings.Fields(name), " ")) }

// A person is whom a request means.
type person struct {
	who        []*somebody
	names      []string
	shared     map[string]bool // by key: names that another has too
	principals map[string]bool
}

// meant finds whom a request names. A name of two people is refused with the refs of both.
func (e *Gone) meant(ctx context.Context, p *people, named string, more []string) (*person, error) {
	out := &person{shared: make(map[string]bool), principals: make(map[string]bool)}
	if named = strings.TrimSpace(named); named == "" {
		return nil, nil
	}
	if kind, id, ok := strings.Cut(named, ":"); ok && id != "" && memory.Kind(kind).Known() {
		it, err := e.Lookup(ctx, named)
		if err != nil {
			return nil, err
		}
		for _, s := range p.all {
			if slices.Contains(s.ids, it.Ref.ID) {
				out.who = append(out.who, s)
			}
		}
		if len(out.who) == 0 {
			return nil, core.Invalid("%s is no person: give a name, a relationship or a key", it.Ref.Short())
		}
	} else if who, err := p.one(named); err != nil {
		return nil, err
	} else {
		out.who, out.names = who, []string{named}
	}
	for at := 0; at < len(out.who); at++ { // a name leads to more of the same person
		for _, name := range out.who[at].names {
			out.add(name)
			if also, err := p.one(name); err == nil {
				for _, s := range also {
					if !slices.Contains(out.who, s) {
						out.who = append(out.who, s)
					}
				}
			}
		}
	}
	for _, name := range more {
		out.add(name)
	}
	for _, s := range out.who {
		if s.principal != "" {
			out.principals[s.principal] = true
		}
	}
	for _, name := range out.names {
		for _, s := range p.byName[key(name)] {
			if !slices.Contains(out.who, s) {
				out.shared[key(name)] = true
			}
		}
	}
	return out, nil
}

func (p *person) add(name string) {
	if key(name) != "" && !slices.ContainsFunc(p.names, func(n string) bool { return n == name }) {
		p.names = append(p.names, name)
	}
}

// one returns who has a name: a relationship, a principal, or both, taken as one person.
func (p *people) one(name string) ([]*somebody, error) {
	all := slices.Clone(p.byName[key(name)])
	if slices.ContainsFunc(all, func(s *somebody) bool { return s.live }) {
		all = slices.DeleteFunc(all, func(s *somebody) bool { return !s.live })
	}
	var related, keyed []*somebody
	for _, s := range all {
		if s.principal == "" {
			related = append(related, s)
		} else {
			keyed = append(keyed, s)
		}
	}
	for _, two := range [][]*somebody{related, keyed} {
		if len(two) > 1 {
			var refs []string
			for _, s := range two {
				refs = append(refs, s.ref.Short())
			}
			return nil, core.Conflict("%q is the name of %d people: %s. Name one by its ref", shorten.To(name, 80), len(two),
				strings.Join(refs, " and "))
		}
	}
	return append(related, keyed...), nil
}
