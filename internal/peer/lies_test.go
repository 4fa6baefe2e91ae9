package peer

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"golang.org/x/mod/sumdb/note"

	"github.com/stemma-memory/stemma/internal/envelope"
	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// liar is a hub that changes what it says. It has its own key, and so signs whatever
// it likes about its own log.
type liar struct {
	Remote
	log   func(in LogRequest, p LogPage) LogPage
	fetch func(in Fetch, l Lines) Lines
	hello func(w Welcome) Welcome
	acks  func(a Acks) Acks
}

func (l *liar) Hello(ctx context.Context, in Hello) (Welcome, error) {
	w, err := l.Remote.Hello(ctx, in)
	if l.hello != nil {
		w = l.hello(w)
	}
	return w, err
}

func (l *liar) Log(ctx context.Context, in LogRequest) (LogPage, error) {
	p, err := l.Remote.Log(ctx, in)
	if l.log != nil {
		p = l.log(in, p)
	}
	return p, err
}

func (l *liar) Fetch(ctx context.Context, in Fetch) (Lines, error) {
	out, err := l.Remote.Fetch(ctx, in)
	if l.fetch != nil {
		out = l.fetch(in, out)
	}
	return out, err
}

func (l *liar) Push(ctx context.Context, in Push) (Acks, error) {
	if l.acks != nil { // it stores nothing
		var a Acks
		for _, line := range in.Lines {
			var e struct{ Payload []byte }
			if err := json.Unmarshal(line, &e); err != nil {
				return a, err
			}
			r, err := memory.Decode(e.Payload)
			if err != nil {
				return a, err
			}
			a.Stored = append(a.Stored, r.ID)
		}
		return l.acks(a), nil
	}
	return l.Remote.Push(ctx, in)
}

// con is one lie, told to a store that was honest with the hub before.
type con struct {
	*testing.T
	dice     *rand.Rand
	hub, a   *site
	ann, bob *person
	agent    *person
	space    string
	remote   *liar
	before   []memory.ID // what the store held before the lie
}

func newCon(t *testing.T, seed uint64) *con {
	c := &con{T: t, dice: rand.New(rand.NewPCG(seed, 11)), ann: newPerson(t, "ann"), bob: newPerson(t, "bob")}
	c.agent = c.ann.agent(t, "ann's agent")
	c.space = c.ann.key.DID() + "/team"
	c.hub, c.a = newSite(t, "hub"), newSite(t, "a")
	c.a.add(t, c.agent.identity...)
	for i := range 3 + c.dice.IntN(5) {
		c.a.add(t, c.agent.belief(t, c.space, fmt.Sprint("a knows ", i)))
	}
	c.remote = &liar{Remote: c.hub.hub().For(Caller{Account: "all", Any: true})}
	c.a.mustSync(t, c.remote)
	c.more(2 + c.dice.IntN(6))
	c.before = c.a.ids(t, c.space)
	return c
}

// more lets others write through the hub.
func (c *con) more(n int) (rs []*memory.Record) {
	for i := range n {
		rs = append(rs, c.agent.belief(c, c.space, fmt.Sprintf("%d from elsewhere %d", i, c.dice.Uint64())))
	}
	c.hub.add(c, rs...)
	return rs
}

// fork returns a hub with the same name and key and another history, which has the
// first n records of this one and others after them.
func (c *con) fork(n int, others ...*memory.Record) Remote {
	f := &site{key: c.hub.key, now: c.hub.now}
	f.named = named{newSite(c, "hub").Store, "hub"}
	for _, sp := range []string{c.ann.home(), c.space} {
		ids := c.hub.ids(c, sp)
		if sp == c.space {
			ids = ids[:n]
		}
		items, err := c.hub.Get(context.Background(), ids...)
		if err != nil {
			c.Fatal(err)
		}
		for _, it := range items {
			f.add(c, it.Record)
		}
	}
	f.add(c, others...)
	return f.hub().For(Caller{Account: "all", Any: true})
}

// tell syncs and gives what was noticed: the codes of problems, and refusals.
func (c *con) tell() (noticed []string) {
	report, err := c.a.sync(c.T, c.remote)
	if err != nil {
		noticed = append(noticed, err.Error())
	}
	for _, s := range report.Spaces {
		if s.Code != "" {
			noticed = append(noticed, s.Code+" "+s.Problem)
		}
		for _, r := range s.Refused {
			noticed = append(noticed, "refused "+r.Why)
		}
		if len(s.Gone) > 0 {
			noticed = append(noticed, "said to be purged")
		}
	}
	return noticed
}

func (c *con) changed(l Line, change func(e map[string]any)) Line {
	var e map[string]any
	if err := json.Unmarshal(l, &e); err != nil {
		c.Fatal(err)
	}
	change(e)
	out, err := json.Marshal(e)
	if err != nil {
		c.Fatal(err)
	}
	return out
}

func (c *con) line(r *memory.Record) Line {
	f := newSite(c, "x")
	f.add(c, r)
	l, err := f.hub().For(Caller{Any: true}).Fetch(context.Background(), Fetch{r.Header.Space, []memory.ID{r.ID}})
	if err != nil {
		c.Fatal(err)
	}
	return l.Lines[0]
}

func (c *con) page(after int64) LogPage {
	p, err := c.remote.Remote.Log(context.Background(), LogRequest{Space: c.space, After: after, Limit: 100})
	if err != nil {
		c.Fatal(err)
	}
	return p
}

func (c *con) sign(name, space string, h Head) Head {
	root, _ := ledger.DecodeHash(h.Root)
	signer, err := c.hub.key.NoteSigner(Origin(name, space))
	if err != nil {
		c.Fatal(err)
	}
	raw, err := ledger.Sign(ledger.Checkpoint{Origin: Origin(name, space), Size: h.Size, Root: root}, note.Signer(signer))
	if err != nil {
		c.Fatal(err)
	}
	h.Note = string(raw)
	return h
}

// unharmed asks that nothing was lost and nothing came that its author did not sign.
func (c *con) unharmed() {
	c.Helper()
	ctx := context.Background()
	for _, id := range c.before {
		if items, err := c.a.Get(ctx, id); err != nil || items[0] == nil {
			c.Fatalf("%s is lost: %v", id.Short(), err)
		}
	}
	spaces, err := c.a.Spaces(ctx)
	if err != nil {
		c.Fatal(err)
	}
	ring, err := c.a.Keyring(ctx)
	if err != nil {
		c.Fatal(err)
	}
	for _, sp := range spaces {
		items, err := c.a.Get(ctx, c.a.ids(c, sp.Name)...)
		if err != nil {
			c.Fatal(err)
		}
		for _, it := range items {
			if v := readBack(it.Record); v != nil || ring.Fault(it.Record) != state.Sound {
				c.Fatalf("%s was stored: %v, %s", it.Ref.Short(), v, ring.Fault(it.Record))
			}
		}
	}
	if _, err := c.a.Append(ctx, store.Batch{}); err != nil {
		c.Fatal(err)
	}
}

// readBack verifies a record as it is stored.
func readBack(r *memory.Record) error { return envelope.Verify(r) }

// TestWithheld shows what cannot be noticed by one store alone, and how two do: a hub
// that tells each another history gives itself away with its own signature.
func TestWithheld(t *testing.T) {
	c := newCon(t, 1)
	n := len(c.hub.ids(t, c.space))
	b := newSite(t, "b")
	honest := c.remote.Remote
	c.remote.Remote = c.fork(n - 1) // it never shows the last record to this one
	if noticed := c.tell(); len(noticed) != 0 {
		t.Fatalf("a record that was never shown was noticed by one store alone: %v", noticed)
	}
	b.mustSync(t, honest)
	theirs, err := b.Note(t.Context(), placeName("hub", c.space))
	if err != nil {
		t.Fatal(err)
	}
	place, err := PlaceOf(theirs)
	if err != nil {
		t.Fatal(err)
	}
	// what b holds is shown to a, who asks the hub to prove that both are one log
	w := witness{"hub", c.hub.key.DID()}
	if err := Compare(t.Context(), c.remote, w.name, w.key, c.space, c.held(), place.Held); err == nil {
		t.Error("a hub that withholds a record proved that it does not")
	}
	if err := Compare(t.Context(), honest, w.name, w.key, c.space, place.Held, place.Held); err != nil {
		t.Errorf("an honest hub: %v", err)
	}
}

// held returns what the store holds of the hub's log.
func (c *con) held() Head {
	raw, err := c.a.Note(context.Background(), placeName("hub", c.space))
	if err != nil {
		c.Fatal(err)
	}
	p, err := PlaceOf(raw)
	if err != nil {
		c.Fatal(err)
	}
	return p.Held
}
