package peer

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/note"

	"github.com/stemma-memory/stemma/internal/envelope"
	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/memstore"
	"github.com/stemma-memory/stemma/memory"
)

// start is when tests begin.
var start = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// person makes records that are really signed.
type person struct {
	key      *keys.Key
	first    string    // the key that it began with
	of       memory.ID // the delegation, of an agent
	identity []*memory.Record
	made     int
}

func newKey(t testing.TB, name string) *keys.Key {
	t.Helper()
	seed := sha256.Sum256([]byte(name))
	k, err := keys.FromSeed(seed[:])
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func newPerson(t testing.TB, name string) *person {
	t.Helper()
	p := &person{key: newKey(t, name)}
	p.first = p.key.DID()
	p.identity = []*memory.Record{p.make(t, p.home(), &memory.Key{Op: memory.OpInception, Key: p.key.DID()})}
	return p
}

func (p *person) home() string { return p.key.DID() + "/main" }

// agent returns somebody who acts for p.
func (p *person) agent(t testing.TB, name string) *person {
	t.Helper()
	a := &person{key: newKey(t, name)}
	a.first = a.key.DID()
	d := p.make(
		t, p.home(),
		&memory.Key{Op: memory.OpDelegate, Key: a.key.DID(), Origins: []memory.Origin{memory.OriginAgent}},
	)
	a.of, a.identity = d.ID, append(p.identity[:len(p.identity):len(p.identity)], d)
	return a
}

func (p *person) make(t testing.TB, space string, b memory.Body, change ...func(*memory.Header)) *memory.Record {
	t.Helper()
	p.made++
	seed := sha256.Sum256(fmt.Appendf(nil, "%s %d", p.key.DID(), p.made))
	h := memory.Header{
		Space: space, Author: p.key.DID(), Delegation: p.of, Origin: memory.OriginOwner,
		At: memory.At(start.Add(time.Duration(p.made) * time.Second)), Confidence: memory.Certain / 2,
		Provenance: memory.Provenance{Via: memory.ViaDirect}, Nonce: base64.RawURLEncoding.EncodeToString(seed[:16]),
	}
	if !p.of.IsZero() {
		h.Origin = memory.OriginAgent
	}
	for _, c := range change {
		c(&h)
	}
	r, err := memory.New(h, b)
	if err != nil {
		t.Fatal(err)
	}
	sig, err := p.key.Sign(envelope.TypeOf(r), r.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	r.Sigs = []memory.Signature{{Key: p.key.DID(), Sig: sig}}
	return r
}

func (p *person) belief(t testing.TB, space, words string, change ...func(*memory.Header)) *memory.Record {
	t.Helper()
	return p.make(t, space, &memory.Belief{Statement: words}, change...)
}

// revises says what a record replaces.
func revises(old ...*memory.Record) func(*memory.Header) {
	return func(h *memory.Header) {
		h.Provenance.Via = memory.ViaRevision
		for _, o := range old {
			h.Provenance.From = append(h.Provenance.From, o.Ref())
			h.Provenance.Supersedes = append(h.Provenance.Supersedes, o.Ref())
		}
	}
}

// named is a store in memory with a name of its own.
type named struct {
	store.Store
	name string
}

func (n named) StoreName(context.Context) (string, error) { return n.name, nil }

// site is a store that exchanges with others.
type site struct {
	named
	key *keys.Key
	now time.Time
}

func newSite(t testing.TB, name string) *site {
	s := &site{key: newKey(t, "agent of "+name), now: start.Add(24 * time.Hour)}
	s.named = named{memstore.Open(func() time.Time { return s.now }), name}
	return s
}

func (s *site) add(t testing.TB, rs ...*memory.Record) {
	t.Helper()
	if _, err := s.Append(t.Context(), store.Batch{Records: rs}); err != nil {
		t.Fatal(err)
	}
}

func (s *site) local() *Local {
	return &Local{Store: s.named, Now: func() time.Time { return s.now },
		Sign: func(origin string) (note.Signer, string, error) {
			n, err := s.key.NoteSigner(origin)
			return n, s.key.DID(), err
		}}
}

// hub returns the site as a hub.
func (s *site) hub() *Hub { return NewHub(s.named, s.key, func() time.Time { return s.now }) }

// sync exchanges everything with a remote.
func (s *site) sync(t testing.TB, r Remote, change ...func(*Options)) (Report, error) {
	t.Helper()
	o := Options{Peer: "hub", Store: s.name, Push: true, Pull: true}
	for _, c := range change {
		c(&o)
	}
	return Run(t.Context(), New(o), s.local(), r)
}

func (s *site) mustSync(t testing.TB, r Remote, change ...func(*Options)) Report {
	t.Helper()
	report, err := s.sync(t, r, change...)
	if err != nil {
		t.Fatalf("%s: %v", s.name, err)
	}
	for _, sp := range report.Spaces {
		if sp.Problem != "" || len(sp.Refused) > 0 || len(sp.Back) > 0 {
			t.Fatalf("%s: %+v", s.name, sp)
		}
	}
	return report
}

// ids returns what a store holds of a space, in its order.
func (s *site) ids(t testing.TB, space string) []memory.ID {
	t.Helper()
	page, err := s.Since(t.Context(), space, 0, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]memory.ID, len(page))
	for i, c := range page {
		out[i] = c.ID
	}
	return out
}

func TestTwoStoresAndAHub(t *testing.T) {
	ann, bob := newPerson(t, "ann"), newPerson(t, "bob")
	agent := ann.agent(t, "ann's agent")
	team := ann.key.DID() + "/team"
	hub, a, b := newSite(t, "hub"), newSite(t, "a"), newSite(t, "b")
	remote := hub.hub().For(Caller{Account: "all", Any: true})

	first := agent.belief(t, team, "tests run in parallel")
	a.add(t, append(agent.identity, first)...)
	r := a.mustSync(t, remote)
	if got := r.Spaces[0]; got.Space != team || got.Pushed != 1 || got.Cosigned != 1 {
		t.Errorf("first push of the team = %+v, want one record pushed and cosigned", got)
	}
	b.mustSync(t, remote)
	one, two := agent.belief(t, team, "not on the server", revises(first)), ann.belief(
		t, team, "only the fast ones", revises(first),
	)
	third := bob.belief(t, team, "bob agrees")
	a.add(t, one)
	b.add(t, append(bob.identity, two, third)...)
	a.mustSync(t, remote)
	b.mustSync(t, remote)
	a.mustSync(t, remote)
	for _, s := range []*site{hub, a, b} {
		items, err := s.Get(t.Context(), first.ID, one.ID, two.ID, third.ID, bob.identity[0].ID)
		if err != nil {
			t.Fatal(err)
		}
		for i, it := range items {
			if it == nil {
				t.Fatalf("%s: record %d is not held", s.name, i)
			}
		}
		if !items[1].State.Outranked == !items[2].State.Outranked {
			t.Errorf(
				"%s: of two siblings one is to be shown, outranked are %v and %v", s.name,
				items[1].State.Outranked, items[2].State.Outranked,
			)
		}
	}
	for _, s := range []*site{a, b} {
		if r := s.mustSync(t, remote); r.Spaces[0].Pushed+r.Spaces[0].Pulled != 0 {
			t.Errorf("%s: an idle sync = %+v", s.name, r.Spaces[0])
		}
	}
}

// TestClockAhead lets a store whose clock is ten years ahead forget and replace: what
// it says does nothing anywhere until then, and is lost nowhere.
func TestClockAhead(t *testing.T) {
	ann := newPerson(t, "ann")
	team := ann.key.DID() + "/team"
	hub, a, b := newSite(t, "hub"), newSite(t, "a"), newSite(t, "b")
	remote := hub.hub().For(Caller{Account: "all", Any: true})
	first := ann.belief(t, team, "the clock is right")
	a.add(t, append(ann.identity, first)...)
	a.mustSync(t, remote)
	ahead := func(h *memory.Header) { h.At = memory.At(start.AddDate(10, 0, 0)) }
	ref := first.Ref()
	forget := ann.make(t, team, &memory.Mark{Verb: memory.Forget, Of: &ref}, ahead)
	other := ann.belief(t, team, "the clock is wrong", revises(first), ahead)
	b.mustSync(t, remote)
	b.now = start.AddDate(10, 0, 1)
	b.add(t, forget, other)
	b.mustSync(t, remote)
	a.mustSync(t, remote)
	shown := func() (forgotten, replaced bool) {
		items, err := a.Get(t.Context(), first.ID, forget.ID, other.ID)
		if err != nil || items[1] == nil || items[2] == nil {
			t.Fatalf("what was dated ahead is not held: %v, %v", items, err)
		}
		return items[0].State.Forgotten, !items[0].State.SupersededBy.IsZero()
	}
	if forgotten, replaced := shown(); forgotten || replaced {
		t.Errorf("dated ten years ahead it forgets %v and replaces %v", forgotten, replaced)
	}
	a.now = start.AddDate(10, 0, 1)
	if forgotten, replaced := shown(); !forgotten || !replaced {
		t.Errorf("ten years later it forgets %v and replaces %v", forgotten, replaced)
	}
}

func TestBackoff(t *testing.T) {
	for attempt, dice := range map[int]float64{1: 0, 2: 0.5, 8: 1, 9: 0.3, 1000: 1} {
		if w := Backoff(attempt, dice); w < 100*time.Millisecond || w > time.Minute {
			t.Errorf("Backoff(%d, %v) = %v", attempt, dice, w)
		}
	}
	if a, b := Backoff(3, 0), Backoff(3, 0.9); a >= b {
		t.Errorf("with other dice the wait is the same: %v, %v", a, b)
	}
}
