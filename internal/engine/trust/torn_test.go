package trust

import (
	"context"
	"errors"
	"iter"
	"testing"

	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	score "github.com/stemma-memory/stemma/internal/trust"
	"github.com/stemma-memory/stemma/memory"
)

// torn is a store that fails after so many questions.
type torn struct {
	store.Store
	left int
}

var errTorn = errors.New("torn")

func (t *torn) ask() error {
	if t.left--; t.left < 0 {
		return errTorn
	}
	return nil
}

func (t *torn) Get(ctx context.Context, ids ...memory.ID) ([]*store.Item, error) {
	if err := t.ask(); err != nil {
		return nil, err
	}
	return t.Store.Get(ctx, ids...)
}

func (t *torn) List(ctx context.Context, q store.Query) iter.Seq2[*store.Item, error] {
	if err := t.ask(); err != nil {
		return func(yield func(*store.Item, error) bool) { yield(nil, err) }
	}
	return t.Store.List(ctx, q)
}

func (t *torn) Edges(ctx context.Context, dir graph.Direction, ids ...memory.ID) ([]graph.Edge, error) {
	if err := t.ask(); err != nil {
		return nil, err
	}
	return t.Store.Edges(ctx, dir, ids...)
}

func (t *torn) Spaces(ctx context.Context) ([]store.Space, error) {
	if err := t.ask(); err != nil {
		return nil, err
	}
	return t.Store.Spaces(ctx)
}

func (t *torn) Keyring(ctx context.Context) (*state.Keyring, error) {
	if err := t.ask(); err != nil {
		return nil, err
	}
	return t.Store.Keyring(ctx)
}

func (t *torn) NoteNames(ctx context.Context, begin string) ([]string, error) {
	if err := t.ask(); err != nil {
		return nil, err
	}
	return t.Store.NoteNames(ctx, begin)
}

// Whatever question a store fails at, who asked is told: no rating is made of half an answer.
func TestAStoreThatFailsIsSaid(t *testing.T) {
	s := newStage(t)
	team := s.owner.did + "/team"
	in := func(h *memory.Header) { h.Space = team }
	s.says(s.owner, introduces(s.friend, state.AppointmentName(team)), in)
	s.says(s.owner, introduces(s.friend, state.AcceptanceName(team)))
	s.says(s.friend, &memory.Mark{Verb: VouchVerb, Target: "author:" + s.unknown.did, Value: "Bob"}, in)
	code := []memory.Evidence{{Type: "code", Path: "a.go"}}
	up := s.says(s.friend, belief(broker), in)
	r := s.says(s.agent, belief(port), in, from(s.get(up)...), func(h *memory.Header) { h.Provenance.Evidence = code })
	s.says(s.owner, &memory.Verify{Of: r.Ref(), Evidence: code}, in)
	s.says(s.agent, &memory.Verify{Of: r.Ref(), Evidence: code}, in)
	said := s.says(s.friend, witnesses(r, score.Confirm), in)
	s.says(s.owner, marks(said, memory.Reject), in)
	s.says(s.friend, marks(r, memory.Reject), in)
	items := func() []*store.Item { return s.get(r) } // a rating puts what counts into them
	for what, do := range map[string]func(rd *Reading) error{
		"a rating":       func(rd *Reading) error { _, err := s.Rate(rd, items(), false); return err },
		"a rating as of": func(rd *Reading) error { _, err := s.RateAt(rd, items(), noon, false); return err },
		"a rating of what counts": func(rd *Reading) error {
			_, err := s.RateVouched(rd, items())
			return err
		},
		"what became of words": func(rd *Reading) error {
			_, err := rd.TrustContext()
			return err
		},
		"voices":        func(rd *Reading) error { _, err := rd.Voices(); return err },
		"pinned code":   func(rd *Reading) error { _, err := s.Pinned(rd, items()); return err },
		"what speaks":   func(rd *Reading) error { _, err := rd.Speaking([]memory.ID{r.ID}, memory.KindWitness); return err },
		"outside words": func(rd *Reading) error { _, err := s.OutsideBefore(rd, items()[0]); return err },
		"sources":       func(rd *Reading) error { _, err := s.SourcesOf(rd, items()); return err },
		"who is vouched for": func(rd *Reading) error {
			_, err := s.Vouched(rd, s.cast.Ring, s.friend.did, team)
			return err
		},
		"what was said of others": func(rd *Reading) error {
			_, err := s.SaidOfOthers(rd, s.cast.Ring, s.friend.did, team)
			return err
		},
	} {
		n := 0
		for ; n < 100; n++ {
			s.Store, s.Trusted.Last, s.Trusted.spaces = &torn{s.store, n}, nil, nil
			err := do(s.look())
			if err == nil {
				break
			}
			if !errors.Is(err, errTorn) {
				t.Fatalf("%s, torn at question %d: %v", what, n, err)
			}
		}
		whole := &torn{s.store, 1000}
		s.Store, s.Trusted.Last, s.Trusted.spaces = whole, nil, nil
		if err := do(s.look()); err != nil || 1000-whole.left != n {
			t.Errorf("%s asks %d questions, %v, and is content with %d answers", what, 1000-whole.left, err, n)
		}
		s.Store, s.Trusted.Last = &torn{s.store, n - 1}, nil
		if n == 0 || n == 100 {
			t.Errorf("%s asks %d questions", what, n)
		} else if do(s.look()) == nil {
			t.Errorf("%s needs no %dth answer", what, n)
		}
	}
}
