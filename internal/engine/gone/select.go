package gone

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"unicode"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/probes"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// A fact is what is remembered of each record while a list is made.
type fact struct {
	ref     memory.Ref
	space   string
	stores  []int // the places of those that hold it
	from    []memory.ID
	of      []memory.ID // of a claim: what it is said of
	whole   uint64      // of its words
	words   int
	about   bool     // it says whom it is about
	speaker bool     // somebody else said it
	sure    []string // why it is the person's
	maybe   []string
	others  []string
	bars    string // why it cannot be erased here
}

// A selection is a list being made.
type selection struct {
	e       *Gone
	in      api.Person
	people  *people
	about   *person
	speaker *person
	names   *probes.Names // of both
	of      []string      // which they are
	finds   []int         // how many records each found
	others  *probes.Names
	facts   []*fact
	at      map[memory.ID]*fact
	ring    *state.Keyring
	voice   state.Voice
	shared  map[string]bool
	picked  map[memory.ID]bool
	keep    map[memory.ID]bool
	reads   bool // nothing is to be erased: what is others' is as one's own
}

// selects makes the list of a person.
func (e *Gone) selects(ctx context.Context, in api.Person, reads bool) (*selection, error) {
	if in.About == "" && in.Speaker == "" {
		return nil, core.Invalid("about: name a person here or in speaker")
	}
	if err := wordy(in); err != nil {
		return nil, err
	}
	s := &selection{
		e: e, in: in, reads: reads, at: make(map[memory.ID]*fact), picked: make(map[memory.ID]bool),
		keep: make(map[memory.ID]bool),
	}
	var err error
	if s.people, err = e.known(ctx); err != nil {
		return nil, err
	}
	if s.about, err = e.meant(ctx, s.people, in.About, in.Names); err != nil {
		return nil, err
	}
	more := in.Names
	if s.about != nil { // other names are of the one that is spoken of
		more = nil
	}
	if s.speaker, err = e.meant(ctx, s.people, in.Speaker, more); err != nil {
		return nil, err
	}
	if err := s.prepare(ctx); err != nil {
		return nil, err
	}
	for i, one := range e.stores() {
		if err := each(ctx, one, func(it *store.Item) error { s.look(i, it); return nil }); err != nil {
			return nil, err
		}
	}
	also, err := e.ResolveAll(ctx, in.Also)
	if err != nil {
		return nil, err
	}
	for _, it := range also {
		if f := s.at[it.Ref.ID]; f != nil {
			f.sure = append(f.sure, "named in the request")
		}
	}
	keep, err := e.ResolveAll(ctx, in.Keep)
	if err != nil {
		return nil, err
	}
	for _, it := range keep {
		s.keep[it.Ref.ID] = true
	}
	return s, s.spread(ctx)
}

// isLetter reports whether a letter or a digit can be part of a word.
func isLetter(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// wordy refuses a name that no text can hold.
func wordy(in api.Person) error {
	for _, name := range append([]string{in.About, in.Speaker}, in.Names...) {
		switch {
		case len(name) > memory.MaxNameBytes:
			return core.Invalid("about: a name has at most %d bytes, got %d", memory.MaxNameBytes, len(name))
		case name != "" && !strings.ContainsFunc(name, isLetter):
			return core.Invalid("about: %q has no letters", name)
		}
	}
	return nil
}

func (s *selection) prepare(ctx context.Context) error {
	if s.about != nil {
		s.of = append(s.of, s.about.names...)
	}
	s.names, s.finds = probes.NewNames(s.of), make([]int, len(s.of))
	own := make(map[string]bool)
	for _, p := range []*person{s.about, s.speaker} {
		if p != nil {
			for _, name := range p.names {
				own[key(name)] = true
			}
		}
	}
	others := slices.DeleteFunc(slices.Clone(s.people.others), func(name string) bool { return own[key(name)] })
	s.people.others, s.others = others, probes.NewNames(others)
	var err error
	if s.ring, err = s.e.Keyring(ctx); err != nil {
		return err
	}
	s.voice = state.Voice{Owner: s.e.C.Origin == memory.OriginOwner, Now: true}
	if s.voice.Principal, err = s.e.self(); err != nil {
		return err
	}
	s.shared, err = s.e.Shared(ctx)
	return err
}

// mostOthers is how many others are named with a record.
const mostOthers = 5

// look takes in one record.
func (s *selection) look(in int, it *store.Item) {
	r := it.Record
	if f := s.at[r.ID]; f != nil {
		f.stores = append(f.stores, in)
		return
	}
	h := &r.Header
	about := len(h.About) > 0 || h.Kind == memory.KindRelationship
	f := &fact{ref: it.Ref, space: h.Space, stores: []int{in}, about: about}
	for _, ref := range slices.Concat(h.Provenance.From, h.Provenance.Supersedes) {
		f.from = append(f.from, ref.ID)
	}
	for _, ref := range memory.Subjects(r.Body) {
		f.of = append(f.of, ref.ID)
	}
	words := saidBy(r)
	text := words.words()
	f.whole, f.words = probes.Whole(words.longest())
	s.facts = append(s.facts, f)
	s.at[r.ID] = f
	s.byAbout(f, r, text, words.by)
	s.bySpeaker(f, r, words.speaker)
	s.bars(f, r)
	for _, name := range h.About {
		f.mention(name, s.own)
	}
}

// own reports whether a name is the person's.
func (s *selection) own(name string) bool {
	for _, p := range []*person{s.about, s.speaker} {
		if p != nil && slices.ContainsFunc(p.names, func(n string) bool { return key(n) == key(name) }) {
			return true
		}
	}
	return false
}

func (f *fact) mention(name string, own func(string) bool) {
	if len(f.others) < mostOthers && !own(name) && !slices.Contains(f.others, name) {
		f.others = append(f.others, name)
	}
}

func (s *selection) byAbout(f *fact, r *memory.Record, text, by string) {
	if s.about == nil {
		return
	}
	for _, one := range s.about.who {
		if slices.Contains(one.ids, r.ID) {
			f.sure = append(f.sure, "is who they are")
		}
	}
	met := make(map[int]bool)
	found := func(i int, sure bool, why string) {
		if !met[i] {
			met[i] = true
			s.finds[i]++
		}
		switch {
		case sure && !s.about.shared[key(s.of[i])]:
			f.sure = addOnce(f.sure, why)
		default:
			f.maybe = addOnce(f.maybe, why)
		}
	}
	for i, name := range s.of {
		if slices.ContainsFunc(r.Header.About, func(n string) bool { return key(n) == key(name) }) {
			found(i, true, "about "+name)
		}
	}
	for _, hit := range s.names.In(text) {
		if met[hit.Name] {
			continue
		}
		why := "names " + s.of[hit.Name]
		if s.about.shared[key(s.of[hit.Name])] {
			why += ", which another is called too"
		}
		found(hit.Name, hit.Sure, why)
	}
	for _, hit := range s.names.In(by) {
		if f.maybe = addOnce(f.maybe, "written by an agent called so"); hit.Sure {
			s.finds[hit.Name]++
		}
	}
}

func addOnce(list []string, text string) []string {
	if slices.Contains(list, text) {
		return list
	}
	return append(list, text)
}

// userPrompt is the event of what a person told an agent.
const userPrompt = "user_prompt"

func (s *selection) bySpeaker(f *fact, r *memory.Record, speakers []string) {
	p := s.speaker
	for _, said := range speakers {
		f.speaker = f.speaker || said != ""
	}
	if p == nil {
		return
	}
	for _, said := range speakers {
		for _, name := range p.names {
			switch {
			case key(said) != key(name):
			case p.shared[key(name)]:
				f.maybe = addOnce(f.maybe, "said by "+name+", which another is called too")
			default:
				f.sure = addOnce(f.sure, "said by "+name)
			}
		}
	}
	if len(p.principals) == 0 || len(speakers) > 0 || r.Header.Kind == memory.KindKey {
		return
	}
	v, fault := s.ring.Judge(r)
	raw, prompt := r.Body.(*memory.Raw)
	prompt = prompt && raw.Event == userPrompt
	if fault == state.Sound && p.principals[v.Principal] && (v.Owner || prompt) {
		f.sure = addOnce(f.sure, "signed by their key")
	}
}

// bars notes why a record cannot be erased here.
func (s *selection) bars(f *fact, r *memory.Record) {
	switch {
	case r.Header.Kind == memory.KindKey:
		f.bars = "a key: who may speak follows from it"
	case r.Header.Kind == memory.KindMark:
		f.bars = "a decision: what was decided follows from it"
	case s.reads:
	case !state.MayHide(s.voice, r, s.ring):
		f.bars = "somebody else's, who writes to this store: only they can erase it"
	case s.shared[r.Header.Space] && !state.MayErase(s.voice, r, s.ring):
		f.bars = "somebody else's in a shared space: they or the owner of the space can erase it"
	}
}

// digest is of what goes, and says nothing of whom it is about.
func digest(refs []memory.Ref) string {
	all := make([]string, 0, len(refs))
	for _, r := range refs {
		all = append(all, r.String())
	}
	slices.Sort(all)
	sum := sha256.Sum256([]byte("list v1\n" + strings.Join(all, "\n")))
	const enough = 12
	return hex.EncodeToString(sum[:enough])
}

// refs are those of what goes, in the order of the logs.
func (s *selection) refs() (out []memory.Ref) {
	for _, f := range s.facts {
		if s.picked[f.ref.ID] {
			out = append(out, f.ref)
		}
	}
	return out
}
