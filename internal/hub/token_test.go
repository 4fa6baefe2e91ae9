package hub

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/hub/client"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/store"
)

// device is a machine of somebody: the key that proves its requests, and its token.
type device struct {
	client.Binding
	joined client.Joined
	kept   []client.Renewed
}

// device lets a machine of somebody join, with a key of its own.
func (p *place) device(who *person) *device {
	p.Helper()
	d := &device{Binding: client.Binding{
		Key: newKey(p, "device of "+who.name), Hub: "hub.test", Bound: true, Now: func() time.Time { return p.now },
	}}
	got, err := p.with(client.Options{Binding: d.Binding}).Join(p.Context(), p.asksFrom(d.Key, who, p.invitation("", "")))
	if err != nil || !got.Bound {
		p.Fatalf("Join gives %+v, %v, want a token that is bound", got, err)
	}
	d.joined, d.TokenID, d.Expires = got, got.TokenID, got.Expires
	d.Keep = func(r client.Renewed) error { d.kept = append(d.kept, r); return nil }
	return d
}

// speaks returns a client of the machine.
func (d *device) speaks(p *place) *client.Client {
	return p.with(client.Options{Token: d.joined.Token, Binding: d.Binding})
}

// patient returns a client of the machine that waits where the hub asks it to, as the program's do.
func (d *device) patient(p *place) *client.Client {
	return p.with(client.Options{Token: d.joined.Token, Binding: d.Binding, Patience: time.Minute, Dice: rand.Float64})
}

// with makes a client that asks once, if it is not said for how long it shall ask.
func (p *place) with(o client.Options) *client.Client {
	p.Helper()
	o.Patience, o.Packed = cmp.Or(o.Patience, -1), true
	c, err := client.New(p.http.URL, o)
	if err != nil {
		p.Fatal(err)
	}
	return c
}

func greets(p *place, c *client.Client) error {
	_, err := c.Hello(p.Context(), peer.Hello{Version: peer.Version})
	return err
}

// A token alone opens nothing: each request is proven by the key that the token was given to.
func TestAStolenTokenOpensNothing(t *testing.T) {
	everyHub(t, func(p *place) {
		d := p.device(newPerson(p, "ann"))
		if err := greets(p, d.speaks(p)); err != nil {
			p.Fatal(err)
		}
		other := d.Binding
		other.Key = newKey(p, "a thief's device")
		elsewhere := d.Binding
		elsewhere.Hub = "other.test"
		for what, o := range map[string]client.Options{
			"without a proof":       {Token: d.joined.Token},
			"with another key":      {Token: d.joined.Token, Binding: other},
			"proven to another hub": {Token: d.joined.Token, Binding: elsewhere},
			"another token for its key": {
				Token: "stemma-hub-guess", Binding: client.Binding{Key: d.Key, Hub: d.Hub, Bound: true},
			},
		} {
			if err := greets(p, p.with(o)); !errors.Is(err, client.ErrToken) {
				p.Errorf("a token %s gives %v, want ErrToken", what, err)
			}
		}
	})
}

// A proof fits one request: what somebody changes in it is refused.
func TestAProofFitsOneRequest(t *testing.T) {
	p := serveHub(t, openHub(t, t.TempDir()+"/hub.db"))
	d := p.device(newPerson(p, "ann"))
	body := []byte(`{"version":1}`)
	for _, tt := range []struct {
		what         string
		method, path string
		body         string
		at           time.Duration
		want         int
	}{
		{"as it was proven", "POST", "/hub/v1/hello", string(body), 0, http.StatusOK},
		{"to another path", "POST", "/hub/v1/leave", string(body), 0, http.StatusUnauthorized},
		{"by another method", "GET", "/hub/v1/letters", "", 0, http.StatusUnauthorized},
		{"with another body", "POST", "/hub/v1/hello", `{"version":2}`, 0, http.StatusBadRequest},
		{"with a longer body", "POST", "/hub/v1/hello", string(body) + " ", 0, http.StatusBadRequest},
		{"6 minutes later", "POST", "/hub/v1/hello", string(body), -6 * time.Minute, http.StatusUnauthorized},
		{"6 minutes before", "POST", "/hub/v1/hello", string(body), 6 * time.Minute, http.StatusUnauthorized},
	} {
		proof := peer.NewRequestProof("hub.test", "POST", "/hub/v1/hello", d.joined.Token, body, p.now.Add(tt.at))
		header := must[string](t)(proof.Sign(d.Key))
		req := must[*http.Request](t)(http.NewRequestWithContext(
			t.Context(), tt.method, p.http.URL+tt.path, bytes.NewReader([]byte(tt.body))))
		req.Header.Set("Authorization", "Bearer "+d.joined.Token)
		req.Header.Set(peer.ProofHeader, header)
		resp := must[*http.Response](t)(http.DefaultClient.Do(req))
		text := must[[]byte](t)(io.ReadAll(resp.Body))
		resp.Body.Close()
		if resp.StatusCode != tt.want {
			t.Errorf("a request %s gives %d %s, want %d", tt.what, resp.StatusCode, text, tt.want)
		}
	}
}

// Whatever is changed in the header of a proof, the hub refuses it.
func TestAChangedProofIsRefused(t *testing.T) {
	key := newKey(t, "device")
	good := must[string](t)(peer.NewRequestProof("hub.test", "POST", "/x", "token", []byte("body"), start).Sign(key))
	if _, err := peer.ReadRequestProof(good, "hub.test", "POST", "/x", "token"); err != nil {
		t.Fatal(err)
	}
	for i := range good {
		for _, c := range []byte{'0', 'A', ' ', good[i] ^ 1} {
			changed := []byte(good)
			if changed[i] = c; string(changed) == good {
				continue
			}
			if p, err := peer.ReadRequestProof(string(changed), "hub.test", "POST", "/x", "token"); err == nil {
				t.Fatalf("byte %d as %q is taken: %+v", i, c, p)
			}
		}
	}
}

// A client whose clock is wrong is told the hub's, and goes on.
func TestAClientWithAnotherClock(t *testing.T) {
	everyHub(t, func(p *place) {
		d := p.device(newPerson(p, "ann"))
		for _, away := range []time.Duration{-time.Hour, 6 * time.Minute, 400 * 24 * time.Hour} {
			d.Now = func() time.Time { return p.now.Add(away) }
			c := d.speaks(p)
			for range 2 {
				if err := greets(p, c); err != nil {
					p.Errorf("a client whose clock is %v ahead: %v", away, err)
				}
			}
		}
	})
}

// A token is short, and renewed without anybody: when it ends soon, when it expired while the machine was off, and when
// another process renewed it. One that was revoked is not, nor one after its end.
func TestTokensAreRenewed(t *testing.T) {
	everyHub(t, func(p *place) {
		ann := newPerson(p, "ann")
		d := p.device(ann)
		if got := d.joined.Expires.Sub(p.now); got != 24*time.Hour {
			p.Errorf("a person's token lasts %v, want a day", got)
		}
		first, second := d.speaks(p), d.speaks(p)
		for day := range 6 {
			p.now = p.now.Add(30 * time.Hour)
			for i, c := range []*client.Client{first, second, d.speaks(p)} {
				if err := greets(p, c); err != nil {
					p.Fatalf("day %d, client %d: %v", day, i, err)
				}
			}
		}
		if len(d.kept) != 18 {
			p.Errorf("%d tokens were kept, want one for each expiry of each client", len(d.kept))
		}
		all := must[[]store.Token](p)(p.store.Tokens(p.Context(), ann.key.DID()))
		if len(all) != 1 || all[0].ID != d.joined.TokenID {
			p.Errorf("the hub lists %+v, want one token", all)
		}
		p.now = p.now.Add(366 * 24 * time.Hour)
		if err := greets(p, first); !errors.Is(err, client.ErrToken) {
			p.Errorf("after its end: %v, want ErrToken", err)
		}
		bob := newPerson(p, "bob")
		e := p.device(bob)
		c := e.speaks(p)
		if err := p.store.RevokeToken(p.Context(), e.joined.TokenID, "", p.now); err != nil {
			p.Fatal(err)
		}
		if err := greets(p, c); !errors.Is(err, client.ErrToken) {
			p.Errorf("a revoked token that is renewed: %v, want ErrToken", err)
		}
	})
}

// oldToken lets somebody in with a token as a hub of an earlier release gave: it is bound to no key.
func (p *place) oldToken(who *person) client.Joined {
	p.Helper()
	text, kept := NewToken()
	t := store.Token{ID: NewID(), Secret: kept, Account: who.key.DID(), Audience: "hub.test", Made: p.now,
		Expires: p.now.Add(365 * 24 * time.Hour)}
	code, a := sha256.Sum256([]byte(p.invitation("", ""))), store.Account{DID: t.Account, Name: who.name, Made: p.now}
	if _, err := p.store.Join(p.Context(), code, a, t); err != nil {
		p.Fatal(err)
	}
	who.Client = p.with(client.Options{Token: text})
	return client.Joined{Token: text, TokenID: t.ID, Expires: t.Expires}
}

// A token of an earlier release goes on, and is bound to a key when a newer client uses it: then it alone opens
// nothing.
func TestAnOldTokenIsBound(t *testing.T) {
	everyHub(t, func(p *place) {
		ann := newPerson(p, "ann")
		got := p.oldToken(ann)
		if err := greets(p, ann.Client); err != nil {
			p.Fatal(err)
		}
		for name, want := range map[string]error{"ann's device": nil, "ann's device, started again": nil} {
			c := p.with(client.Options{Token: got.Token, Binding: client.Binding{
				Key: newKey(p, "ann's device"), Hub: "hub.test", TokenID: got.TokenID, Expires: got.Expires,
				Now: func() time.Time { return p.now },
			}})
			if err := greets(p, c); !errors.Is(err, want) {
				p.Errorf("%s: %v", name, err)
			}
		}
		if err := greets(p, ann.Client); !errors.Is(err, client.ErrToken) {
			p.Errorf("the token without its key: %v, want ErrToken", err)
		}
		thief := p.with(client.Options{Token: got.Token, Binding: client.Binding{
			Key: newKey(p, "a thief's device"), Hub: "hub.test", TokenID: got.TokenID,
		}})
		if err := greets(p, thief); !errors.Is(err, client.ErrToken) {
			p.Errorf("another key binds it again: %v, want ErrToken", err)
		}
		all := must[[]store.Token](p)(p.store.Tokens(p.Context(), ann.key.DID()))
		if len(all) != 1 || !all[0].Ends.Equal(got.Expires) {
			p.Errorf("the hub lists %+v, want one token that ends when it would have", all)
		}
	})
}

// A hub of an earlier release knows no renewing: a client goes on with the token that it has.
func TestAHubOfAnEarlierRelease(t *testing.T) {
	p := serveHub(t, openHub(t, t.TempDir()+"/hub.db"))
	got := p.oldToken(newPerson(p, "ann"))
	now := p.server.Handler()
	p.http.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == client.Base+"renew" {
			r.URL.Path = "/nothing"
		}
		now.ServeHTTP(w, r)
	})
	c := p.with(client.Options{Token: got.Token, Binding: client.Binding{
		Key: newKey(t, "device"), Hub: "hub.test", TokenID: got.TokenID, Expires: got.Expires,
	}})
	for range 2 {
		if err := greets(p, c); err != nil {
			t.Fatal(err)
		}
	}
}

// When and from where a token was used last is kept to the minute, and not written with each request.
func TestTheLastUseIsKept(t *testing.T) {
	everyHub(t, func(p *place) {
		ann := newPerson(p, "ann")
		d := p.device(ann)
		c := d.speaks(p)
		var want time.Time
		for i, after := range []time.Duration{0, 20 * time.Second, 20 * time.Second, 30 * time.Second, time.Hour} {
			p.now = p.now.Add(after)
			if i == 0 || i >= 3 {
				want = p.now
			}
			if err := greets(p, c); err != nil {
				p.Fatal(err)
			}
			p.server.Settle()
			all := must[[]store.Token](p)(p.store.Tokens(p.Context(), ann.key.DID()))
			if !all[0].Used.Equal(want) || all[0].Address != "127.0.0.1" {
				p.Errorf("use %d: it is said to be used at %v from %q, want %v", i, all[0].Used, all[0].Address, want)
			}
		}
	})
}

// More clients of one account renew and ask at once than the hub serves at once for an account: each gets through by
// itself, by waiting as the hub asks it to.
func TestManyRenewAtOnce(t *testing.T) {
	everyHub(t, func(p *place) {
		d := p.device(newPerson(p, "ann"))
		d.Keep = nil
		clients := make([]*client.Client, 24)
		for i := range clients {
			clients[i] = d.patient(p)
		}
		p.now = p.now.Add(25 * time.Hour)
		failed := make(chan error, len(clients))
		for _, c := range clients {
			go func() { failed <- greets(p, c) }()
		}
		for range clients {
			if err := <-failed; err != nil {
				p.Error(err)
			}
		}
	})
}

// An account that has as many requests under way as it may can still renew its token; what it asks with the token waits
// until there is room, and is then answered.
func TestRenewingNeedsNoRoom(t *testing.T) {
	p := serveHub(t, openHub(t, t.TempDir()+"/hub.db"))
	ann := newPerson(t, "ann")
	d := p.device(ann)
	refused := make(chan struct{}, 1)
	now := p.server.Handler()
	p.http.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		out := &recorder{ResponseWriter: w}
		now.ServeHTTP(out, r)
		if out.status == http.StatusTooManyRequests {
			select {
			case refused <- struct{}{}:
			default:
			}
		}
	})
	taken := 0
	for p.server.enters(ann.key.DID()) {
		taken++
	}
	p.now = p.now.Add(25 * time.Hour)
	if err := greets(p, d.speaks(p)); !errors.Is(err, client.ErrDown) || len(d.kept) != 1 {
		t.Errorf("a client that does not wait: %v with %d renewed tokens, want ErrDown with 1", err, len(d.kept))
	}
	<-refused
	ends := make(chan error, 1)
	go func() { ends <- greets(p, d.patient(p)) }()
	<-refused
	for range taken {
		p.server.leaves(ann.key.DID())
	}
	if err := <-ends; err != nil || len(d.kept) != 2 {
		t.Errorf("a client that waits: %v with %d renewed tokens, want an answer and 2", err, len(d.kept))
	}
}

// Processes of one machine share a token: one renews it, and the others take what it kept.
func TestOneProcessRenewsForAll(t *testing.T) {
	p := serveHub(t, openHub(t, t.TempDir()+"/hub.db"))
	d := p.device(newPerson(p, "ann"))
	var kept client.Renewed
	renewed := 0
	d.Keep = func(r client.Renewed) error { kept = r; renewed++; return nil }
	d.Kept = func() (client.Renewed, error) { return kept, nil }
	clients := []*client.Client{d.speaks(p), d.speaks(p), d.speaks(p)}
	for day := range 3 {
		p.now = p.now.Add(25 * time.Hour)
		for _, c := range clients {
			if err := greets(p, c); err != nil {
				t.Fatal(err)
			}
		}
		if renewed != day+1 {
			t.Errorf("day %d: %d tokens were renewed, want one a day", day, renewed)
		}
	}
	d.Kept = func() (client.Renewed, error) {
		return client.Renewed{Token: "stemma-hub-damaged", TokenID: d.TokenID, Expires: p.now.Add(48 * time.Hour)}, nil
	}
	p.now = p.now.Add(25 * time.Hour)
	if err := greets(p, d.patient(p)); err != nil {
		t.Errorf("where what is kept is not known to the hub: %v", err)
	}
}

// So many renew a token between its renewal and its use that the hub keeps it no more: the client renews once more.
func TestARenewedTokenIsPushedOut(t *testing.T) {
	p := serveHub(t, openHub(t, t.TempDir()+"/hub.db"))
	d := p.device(newPerson(p, "ann"))
	now := p.server.Handler()
	var once sync.Once
	p.http.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(d.kept) == 1 {
			once.Do(func() {
				for range 64 {
					other := store.Token{ID: d.TokenID, Key: d.Key.DID(), Expires: p.now.Add(25 * time.Hour)}
					_, other.Secret = NewToken()
					if err := p.store.RenewToken(r.Context(), other); err != nil {
						t.Error(err)
					}
				}
			})
		}
		now.ServeHTTP(w, r)
	})
	p.now = p.now.Add(25 * time.Hour)
	if err := greets(p, d.patient(p)); err != nil || len(d.kept) < 2 {
		t.Errorf("%v after %d renewals, want an answer", err, len(d.kept))
	}
}
