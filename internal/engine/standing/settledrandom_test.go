package standing_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// A shop is two stores of one person, each with an agent, and what is said there.
type shop struct {
	*people
	t   *testing.T
	r   *rand.Rand
	who []*engine.Engine // owner and agent of each store
	log []string
}

func newShop(t *testing.T, seed uint64) *shop {
	p := newPeople(t)
	s := &shop{people: p, t: t, r: rand.New(rand.NewPCG(seed, 4))}
	s.who = []*engine.Engine{p.Owner, p.Agent}
	for _, o := range []memory.Origin{memory.OriginOwner, memory.OriginAgent} {
		c := p.Config
		c.Origin = o
		s.who = append(s.who, open(t, filepath.Join(filepath.Dir(p.Path), "second.db"), c))
	}
	return s
}

func (s *shop) say(format string, args ...any) { s.log = append(s.log, fmt.Sprintf(format, args...)) }

func (s *shop) text() string {
	return fmt.Sprintf("The %s is %d", shopTopics[s.r.IntN(len(shopTopics))], 100*(1+s.r.IntN(3)))
}

// live returns a memory of a store that is no raw, "" where there is none.
func (s *shop) live(e *engine.Engine) string {
	list, err := e.List(s.t.Context(), api.ListRequest{Limit: -1})
	check(s.t, err)
	all := slices.DeleteFunc(list.Memories, func(m api.Memory) bool { return m.Type == "raw" })
	if len(all) == 0 {
		return ""
	}
	return all[s.r.IntN(len(all))].Ref
}

// act does one thing at random. What is refused is no act.
func (s *shop) act() {
	ctx := s.t.Context()
	at := s.r.IntN(len(s.who))
	e := s.who[at]
	owner := s.who[at&^1]
	ref := s.live(e)
	what := s.r.IntN(10)
	if what > 2 && ref == "" {
		what = 0
	}
	switch what {
	case 0, 1, 2:
		in := api.RememberRequest{Text: s.text(), Wait: true, Again: at&1 == 0 && s.r.IntN(4) == 0}
		r, err := e.Remember(ctx, in)
		s.say("%d remembers %q %v as %s: %d %v", at, in.Text, in.Again, short(r.Ref), len(r.Memories), err)
	case 3:
		in := api.ReviseRequest{Ref: ref, Draft: api.Draft{Text: s.text()}}
		r, err := e.Revise(ctx, in)
		s.say("%d revises %s to %q as %s %v", at, short(ref), in.Text, short(r.Ref), err)
	case 4:
		c, err := owner.Conflicts(ctx, api.OpenRequest{})
		check(s.t, err)
		if len(c.Conflicts) > 0 {
			l := c.Conflicts[s.r.IntN(len(c.Conflicts))]
			keep := []string{"old", "new", "both"}[s.r.IntN(3)]
			_, err = owner.Resolve(ctx, api.ResolveRequest{Ref: l.Ref, Keep: keep})
			s.say("%d keeps %s of %s and %s %v", at&^1, keep, l.Old.Ref[:15], l.New.Ref[:15], err)
		}
	case 5:
		_, err := owner.Reject(ctx, api.DecideRequest{Refs: []string{ref}})
		s.say("%d rejects %s %v", at&^1, short(ref), err)
	case 6:
		_, err := owner.Forget(ctx, api.ForgetRequest{Refs: []string{ref}})
		s.say("%d forgets %s %v", at&^1, short(ref), err)
	case 7:
		_, err := owner.Quarantine(ctx, api.QuarantineRequest{Target: ref})
		s.say("%d quarantines %s %v", at&^1, short(ref), err)
	case 8:
		u, err := e.Undo(ctx, api.UndoRequest{})
		s.say("%d undoes %s %v", at, u.Act, err)
	case 9:
		carry(s.t, s.who[0], s.who[2])
		carry(s.t, s.who[2], s.who[0])
		s.say("sync")
	}
}

// agree asks every store about every topic, and holds what it gives to the rules.
func (s *shop) agree() {
	for at, e := range s.who {
		for _, topic := range shopTopics {
			got := search(s.t, e, api.SearchRequest{Query: topic, Limit: 50})
			place := make(map[string]int)
			for i, r := range got.Results {
				place[r.Ref] = i
			}
			lines := make(map[string]string)
			for i, r := range got.Results {
				it := show(s.t, e, r.Ref)
				if it.Hidden != "" {
					s.t.Errorf("store %d gives %s as current, which is %s", at, short(r.Ref), it.Hidden)
				}
				s.wording(e, at, i, &r, place)
				if len(r.Marks) > 0 {
					continue // it is said what became of it
				}
				other := lines[words.Folded(r.Text)]
				// words alone stand as they are
				if raws := r.Type == "raw" && strings.HasPrefix(other, "raw:"); other != "" && !raws {
					s.t.Errorf("store %d gives %q twice: %s and %s", at, r.Text, short(other), short(r.Ref))
				}
				lines[words.Folded(r.Text)] = r.Ref
			}
		}
	}
}

// agreeInPacks holds what packs give to the same rules.
func (s *shop) agreeInPacks() {
	ctx := s.t.Context()
	for at, e := range s.who {
		packs := make(map[string]api.ContextReply)
		for _, topic := range append(shopTopics, "") {
			r, err := e.Context(ctx, api.ContextRequest{Query: topic, Budget: 20_000})
			check(s.t, err)
			packs["context "+topic] = r
		}
		r, err := e.Load(ctx, api.LoadRequest{Budget: 20_000})
		check(s.t, err)
		packs["load"] = r
		for what, r := range packs {
			place := make(map[string]int)
			lines := make(map[string]string)
			n := 0
			for _, sec := range readPage(s.t, r).Sections {
				for _, en := range sec.Entries {
					n++
					place[en.Ref] = n
					if sec.Name == "conflicts" {
						continue
					}
					m := show(s.t, e, en.Ref)
					if m.Hidden != "" {
						s.t.Errorf("store %d: %s gives %s as current, which is %s", at, what, en.Ref, m.Hidden)
					}
					line := m.Author + " " + words.Folded(m.Headline)
					if other := lines[line]; other != "" {
						s.t.Errorf("store %d: %s says %q twice: %s and %s", at, what, m.Headline, other, en.Ref)
					}
					lines[line] = en.Ref
				}
			}
		}
	}
}

// wording holds a raw to what was decided about what was made of it, read from the
// records by other means than search does.
func (s *shop) wording(e *engine.Engine, at, place int, r *api.Result, places map[string]int) {
	if r.Type != "raw" {
		return
	}
	raw := show(s.t, e, r.Ref)
	lost, live := 0, 0
	for _, ref := range raw.DerivedInto {
		m := show(s.t, e, ref)
		for m.SupersededBy != "" {
			m = show(s.t, e, m.SupersededBy)
		}
		switch {
		case m.Hidden == "" && m.Headline == r.Text:
			live++
		case m.Hidden == "":
			if i, there := places[m.Ref]; there && i > place {
				s.t.Errorf("store %d gives %s above %s, which replaced it", at, short(r.Ref), short(m.Ref))
			}
			lost++
		case m.Hidden == "rejected":
			lost++
		}
	}
	if lost > 0 && live == 0 && len(r.Marks) == 0 {
		s.t.Errorf("store %d gives %s as current, and what was made of it was decided against", at, short(r.Ref))
	}
}
