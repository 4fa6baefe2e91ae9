package hub

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/hub/client"
	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// machine makes somebody a service of a keeper, and lets it join with its key alone.
func (p *place) machine(keeper *person, name string, role store.Role, spaces ...string) *person {
	p.Helper()
	m := newPerson(p, name)
	if _, err := keeper.AddServices(p.Context(), peer.NewServices{
		Services: []peer.NewService{{Account: m.key.DID(), Name: name}}, Spaces: spaces, Role: role,
	}); err != nil {
		p.Fatal(err)
	}
	p.begins(m)
	return m
}

// begins lets a service join, as its file lets it.
func (p *place) begins(m *person) {
	b := client.Binding{
		Key: newKey(p, "device of "+m.name), Hub: "hub.test", Bound: true, Now: func() time.Time { return p.now },
	}
	b.Join = func(ctx context.Context) (client.Joined, error) {
		return p.with(client.Options{Binding: b}).Join(ctx, p.asksFrom(b.Key, m, ""))
	}
	m.Client = p.with(client.Options{Binding: b})
}

// A service joins with its key, writes in the spaces that it was let into and nowhere else, and is gone at once when it
// is revoked: its next request is refused, its key lets it in no more, and what it stored is counted.
func TestAServiceJoinsWritesAndIsRevoked(t *testing.T) {
	everyHub(t, func(p *place) {
		ann, eve := p.joins("ann", "", ""), p.joins("eve", "", "")
		ann.believes(p, ann.home(), "herons fish at dawn")
		secret := ann.believes(p, ann.key.DID()+"/diary", "nobody reads this")
		ann.mustSync(p)
		ci := p.machine(ann, "ci", store.Writer, ann.home())
		built := ci.believes(p, ann.home(), "the build takes 4 minutes")
		here := func(o *peer.Options) { o.Choose = func(space string) bool { return space == ann.home() } }
		if _, err := ci.sync(p.Context(), here); err != nil {
			p.Fatal(err)
		}
		ann.mustSync(p)
		if !ann.holds(p, built) || ci.holds(p, secret) {
			p.Errorf("ann holds what it wrote: %v; it holds her diary: %v", ann.holds(p, built), ci.holds(p, secret))
		}
		own := ci.make(p, ci.home(), &memory.Belief{Statement: "of its own"})
		if _, err := ci.Push(p.Context(), peer.Push{Space: ci.home(), Lines: []peer.Line{line(p, own)}}); !errors.Is(err,
			peer.ErrDenied) {
			p.Errorf("a service that stores in a space of its own: %v, want ErrDenied", err)
		}
		if _, err := ci.Invite(p.Context(), peer.Invite{Space: ann.home(), Role: store.Reader}); !errors.Is(err,
			peer.ErrDenied) {
			p.Errorf("a service that invites: %v, want ErrDenied", err)
		}
		if _, err := eve.EndService(p.Context(), peer.EndService{Service: ci.key.DID()}); !errors.Is(err, peer.ErrAbsent) {
			p.Errorf("a stranger who revokes it: %v, want ErrAbsent", err)
		}
		for i := range 2 {
			got, err := ann.EndService(p.Context(), peer.EndService{Service: "ci"})
			if err != nil || len(got.Services) != 1 || got.Services[0].Account.Ended.IsZero() {
				p.Fatalf("revoking it the %d. time gives %+v, %v", i+1, got, err)
			}
			var records int64
			for _, w := range got.Services[0].Stored {
				records += w.Records
			}
			if records != 2 || len(got.Services[0].Places) != 0 { // its belief, and the record of its key
				p.Errorf("it stored %+v and has places %+v, want 2 records and none", got.Services[0].Stored,
					got.Services[0].Places)
			}
		}
		p.begins(ci) // a second machine with the same file
		if err := greets(p, ci.Client); !errors.Is(err, peer.ErrDenied) || errors.Is(err, client.ErrToken) {
			p.Errorf("a revoked service that joins: %v, want a refusal that says so", err)
		}
	})
}

// A revoked service's open connection is refused with its next request, and renews nothing.
func TestARevokedServiceIsDeadAtOnce(t *testing.T) {
	everyHub(t, func(p *place) {
		ann := p.joins("ann", "", "")
		ann.believes(p, ann.home(), "herons")
		ann.mustSync(p)
		ci := p.machine(ann, "ci", store.Reader, ann.home())
		if err := greets(p, ci.Client); err != nil {
			p.Fatal(err)
		}
		if _, err := ann.EndService(p.Context(), peer.EndService{Service: ci.key.DID()}); err != nil {
			p.Fatal(err)
		}
		for _, after := range []time.Duration{0, 2 * time.Hour} {
			p.now = p.now.Add(after)
			if err := greets(p, ci.Client); !errors.Is(err, peer.ErrDenied) {
				p.Errorf("%v after it was revoked: %v, want ErrDenied", after, err)
			}
		}
	})
}

// One file may be used by two machines at once; each has a token of its own, and both are listed.
func TestOneFileOnTwoMachines(t *testing.T) {
	everyHub(t, func(p *place) {
		ann := p.joins("ann", "", "")
		ann.believes(p, ann.home(), "herons")
		ann.mustSync(p)
		ci := p.machine(ann, "ci", store.Reader, ann.home())
		first := ci.Client
		p.begins(ci)
		both := make(chan error, 2)
		for _, c := range []*client.Client{first, ci.Client} {
			go func() { both <- greets(p, c) }()
		}
		if err := errors.Join(<-both, <-both); err != nil {
			p.Fatal(err)
		}
		p.server.Settle()
		got, err := ann.Services(p.Context(), peer.ServicesRequest{})
		if err != nil || len(got.Services) != 1 || len(got.Services[0].Tokens) != 2 {
			p.Fatalf("Services gives %+v, %v, want one with two tokens", got, err)
		}
		if at, from := got.Services[0].Used(); !at.Equal(p.now) || from != "127.0.0.1" {
			p.Errorf("it was used at %v from %q", at, from)
		}
	})
}

// Nobody makes a service that may more than they may, and each wrong request says why.
func TestWhoMayMakeServices(t *testing.T) {
	everyHub(t, func(p *place) {
		ann := p.joins("ann", "", "")
		ann.believes(p, ann.home(), "herons")
		ann.mustSync(p)
		rita, kim := p.joins("rita", ann.home(), store.Reader), p.joins("kim", ann.home(), store.Keeper)
		adds := func(who *person, name string, role store.Role, change ...func(*peer.NewServices)) error {
			in := peer.NewServices{
				Services: []peer.NewService{{Account: newKey(p, who.name+name).DID(), Name: name}},
				Spaces:   []string{ann.home()}, Role: role,
			}
			for _, c := range change {
				c(&in)
			}
			_, err := who.AddServices(p.Context(), in)
			return err
		}
		refused(p, "a reader", adds(rita, "a", store.Reader), peer.ErrDenied, "only its keepers")
		refused(p, "a keeper for an arbiter", adds(kim, "b", store.Arbiter), peer.ErrDenied, "cannot make anybody arbiter")
		refused(p, "no space", adds(ann, "c", store.Reader, func(n *peer.NewServices) { n.Spaces = nil }), peer.ErrRequest,
			"their spaces")
		refused(p, "no key", adds(ann, "d", store.Reader, func(n *peer.NewServices) { n.Services[0].Account = "did:key:z" }),
			peer.ErrRequest, "did:key")
		refused(p, "a key with an account", adds(ann, "e", store.Reader, func(n *peer.NewServices) {
			n.Services[0].Account = rita.key.DID()
		}), peer.ErrRequest, "has an account already")
		refused(p, "a space of another", adds(kim, "f", store.Reader, func(n *peer.NewServices) {
			n.Spaces = append(n.Spaces, rita.home())
		}), peer.ErrDenied, "may not do that")
		if err := adds(kim, "g", store.Keeper); err != nil {
			p.Errorf("a keeper for a keeper: %v", err)
		}
		refused(p, "the same name", adds(kim, "g", store.Reader), peer.ErrRequest, "have a service named g")
		bot := p.machine(ann, "bot", store.Keeper, ann.home())
		refused(p, "a service", adds(bot, "h", store.Reader), peer.ErrDenied, "a service account makes no other")
		if _, err := p.client("").Join(p.Context(), p.asks(rita, "")); !errors.Is(err, peer.ErrDenied) {
			p.Errorf("a person without an invitation: %v, want ErrDenied", err)
		}
		if _, err := p.client("").Join(p.Context(), p.asks(bot, p.invitation("", ""))); !errors.Is(err, peer.ErrDenied) {
			p.Errorf("a service with an invitation: %v, want ErrDenied", err)
		}
	})
}

// A service goes with the say of who made it, as that person may have its key: out of a space, or for good.
func TestAServiceGoesWithItsMaker(t *testing.T) {
	everyHub(t, func(p *place) {
		ann := p.joins("ann", "", "")
		ann.believes(p, ann.home(), "herons")
		ann.mustSync(p)
		kim := p.joins("kim", ann.home(), store.Keeper)
		ci := p.machine(kim, "ci", store.Writer, ann.home())
		sees := func() bool {
			w, err := ci.Hello(p.Context(), peer.Hello{Version: peer.Version})
			for _, s := range w.Spaces {
				if s.Space == ann.home() {
					return err == nil
				}
			}
			return false
		}
		if !sees() {
			p.Fatal("it does not see the space")
		}
		all, err := ann.Services(p.Context(), peer.ServicesRequest{Space: ann.home()})
		if err != nil || len(all.Services) != 1 || all.Services[0].Account.Maker != kim.key.DID() {
			p.Errorf("the owner of the space sees %+v, %v", all, err)
		}
		if _, err := ann.SetMember(p.Context(), peer.Placing{Space: ann.home(), Account: kim.key.DID(),
			Role: store.Writer}); err != nil {
			p.Fatal(err)
		}
		if sees() {
			p.Error("it still sees the space in which its maker lets in nobody any more")
		}
		if err := p.store.EndAccount(p.Context(), kim.key.DID(), p.now); err != nil {
			p.Fatal(err)
		}
		if err := greets(p, ci.Client); !errors.Is(err, peer.ErrDenied) {
			p.Errorf("after its maker's end: %v, want ErrDenied", err)
		}
	})
}

// A service ends when its time is over, and its tokens are short until then.
func TestAServiceExpires(t *testing.T) {
	everyHub(t, func(p *place) {
		ann := p.joins("ann", "", "")
		ann.believes(p, ann.home(), "herons")
		ann.mustSync(p)
		m := newPerson(p, "ci")
		if _, err := ann.AddServices(p.Context(), peer.NewServices{
			Services: []peer.NewService{{Account: m.key.DID(), Name: "ci"}}, Spaces: []string{ann.home()},
			Role: store.Reader, Hours: 3,
		}); err != nil {
			p.Fatal(err)
		}
		p.begins(m)
		for i := range 3 {
			if err := greets(p, m.Client); err != nil {
				p.Fatalf("after %d hours: %v", i, err)
			}
			all := must[[]store.Token](p)(p.store.Tokens(p.Context(), m.key.DID()))
			if got := all[0].Expires.Sub(p.now); got > time.Hour {
				p.Errorf("its token lasts %v, want an hour", got)
			}
			p.now = p.now.Add(time.Hour)
		}
		if err := greets(p, m.Client); !errors.Is(err, peer.ErrDenied) {
			p.Errorf("after its end: %v, want ErrDenied", err)
		}
	})
}

// Two hundred services join from one address at the same time, while the hub still bounds strangers there.
func TestACrowdOfServicesJoins(t *testing.T) {
	everyHub(t, func(p *place) {
		p.server.doors = newDoors(nil) // by the clock, as it is
		ann := p.joins("ann", "", "")
		ann.believes(p, ann.home(), "herons")
		ann.mustSync(p)
		const crowd = 200
		in := peer.NewServices{Spaces: []string{ann.home()}, Role: store.Reader}
		all := make([]*person, crowd)
		for i := range all {
			all[i] = newPerson(p, fmt.Sprint("machine ", i))
			in.Services = append(in.Services, peer.NewService{Account: all[i].key.DID(), Name: all[i].name})
		}
		if _, err := ann.AddServices(p.Context(), in); err != nil {
			p.Fatal(err)
		}
		began := time.Now()
		failed := make(chan error, crowd)
		for i, m := range all {
			go func() { failed <- p.joinsPatiently(m, i) }()
		}
		for range all {
			if err := <-failed; err != nil {
				p.Fatal(err)
			}
		}
		took := time.Since(began)
		p.Logf("%d services joined in %v", crowd, took)
		if took > time.Minute {
			p.Errorf("%d services joined in %v, want under a minute", crowd, took)
		}
		strangers, asks := 0, time.Now()
		for range 400 {
			if _, err := p.client("").Challenge(p.Context()); err == nil {
				strangers++
			}
		}
		const burst, perSecond, give = 100, 20, 10
		if most := burst + int(perSecond*time.Since(asks).Seconds()) + give; strangers > most {
			p.Errorf("%d of 400 strangers were let to ask in %v, want at most %d", strangers, time.Since(asks), most)
		}
	})
}

// joinsPatiently joins as a program does: where the hub asks to wait, it waits.
func (p *place) joinsPatiently(m *person, n int) error {
	o := client.Options{Patience: time.Minute, Binding: client.Binding{Key: deviceKey(p, n), Hub: "hub.test", Bound: true,
		Now: func() time.Time { return p.now }}}
	c, err := client.New(p.http.URL, o)
	if err != nil {
		return err
	}
	defer c.Close()
	ch, err := c.Challenge(p.Context())
	if err != nil {
		return err
	}
	sig, err := peer.NewClaim(m.key.DID(), m.key.DID(), ch.Hub, ch.Challenge, "", deviceKey(p, n).DID()).Sign(m.key)
	if err == nil {
		_, err = c.Join(p.Context(), client.Join{Account: m.key.DID(), Name: m.name, Challenge: ch.Challenge, Sig: sig})
	}
	return err
}

func deviceKey(t testing.TB, n int) *keys.Key { return newKey(t, fmt.Sprint("device ", n)) }

// Whoever joins again and again with one key is bounded, and what ended long ago is forgotten.
func TestOneServiceJoinsAgainAndAgain(t *testing.T) {
	p := serveHub(t, openHub(t, t.TempDir()+"/hub.db"))
	ann := p.joins("ann", "", "")
	ann.believes(p, ann.home(), "herons")
	ann.mustSync(p)
	ci := p.machine(ann, "ci", store.Reader, ann.home())
	again := func() error { p.begins(ci); return greets(p, ci.Client) }
	for i := range mostMachines {
		if err := again(); err != nil {
			t.Fatalf("machine %d: %v", i, err)
		}
	}
	if err := again(); err == nil {
		t.Error("one more joins")
	}
	p.now = p.now.Add(26 * time.Hour)
	if err := again(); err != nil {
		t.Fatal(err)
	}
	if all := must[[]store.Token](t)(p.store.Tokens(t.Context(), ci.key.DID())); len(all) != 1 {
		t.Errorf("%d tokens are kept, want the one that is good", len(all))
	}
}
