package hub

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/hub/client"
	"github.com/stemma-memory/stemma/internal/hub/signin"
	"github.com/stemma-memory/stemma/internal/hub/signin/signintest"
	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/hubstore"
)

// provides starts an OpenID provider that the hub trusts.
func (p *place) provides(domains ...string) *signintest.Provider {
	p.Helper()
	op := signintest.New()
	p.Cleanup(op.Close)
	op.Now = func() time.Time { return p.now }
	p.server.signIn.verifier.Web, p.server.o.Web = op.Client(), op.Client()
	set := signin.Settings{Offer: signin.Offer{Issuer: op.URL, ClientID: signintest.Client}, Domains: domains}
	if err := SetSignIn(p.Context(), p.store, &set); err != nil {
		p.Fatal(err)
	}
	p.now = p.now.Add(time.Minute) // a running hub knows it by then
	return op
}

// signsIn goes the whole way of somebody's machine, with the real client. change may change what it sends.
func (p *place) signsIn(
	op *signintest.Provider, account string, key *keys.Key, change func(*client.Join),
) (client.Joined, error) {
	p.Helper()
	device := newKey(p, "device of "+account)
	c := p.with(client.Options{Binding: client.Binding{Key: device, Hub: "hub.test", Now: func() time.Time {
		return p.now
	}}})
	ch, err := c.Challenge(p.Context())
	if err != nil || ch.SignIn == nil {
		p.Fatalf("Challenge gives %+v, %v, want how to sign in", ch, err)
	}
	nonce := peer.SignInNonce(ch.Hub, ch.Challenge, account, device.DID())
	token, err := signin.Ask(p.Context(), op.Client(), *ch.SignIn, nonce, func(address string) {
		if code, err := op.Browse(address); err != nil || code != http.StatusOK {
			p.Errorf("the browser gets %d, %v", code, err)
		}
	}, func(ctx context.Context, code signin.Code) (string, error) {
		out, err := c.Exchange(ctx, client.Exchange{Challenge: ch.Challenge, Code: code})
		return out.IDToken, err
	})
	if err != nil {
		p.Fatal(err)
	}
	j := client.Join{Account: account, Key: key.DID(), Name: "x", Challenge: ch.Challenge, IDToken: token}
	if change != nil {
		change(&j)
	}
	if j.Sig == nil {
		j.Sig = must[[]byte](p)(peer.NewClaim(j.Account, j.Key, ch.Hub, j.Challenge, j.IDToken, device.DID()).Sign(key))
	}
	got, err := c.Join(p.Context(), j)
	if err == nil {
		told := client.Binding{Key: device, Hub: got.Hub, Bound: true, Now: func() time.Time { return p.now }}
		if err := greets(p, p.with(client.Options{Token: got.Token, Binding: told})); err != nil {
			p.Errorf("the token that was given: %v", err)
		}
		if err := greets(p, p.client(got.Token)); !errors.Is(err, client.ErrToken) {
			p.Errorf("the token without its key: %v, want ErrToken", err)
		}
	}
	return got, err
}

// One subject has one account, and one account has one subject.
func TestAPersonSignsIn(t *testing.T) {
	everyHub(t, func(p *place) {
		op := p.provides()
		ann, eve := newKey(p, "ann"), newKey(p, "eve")
		denied := func(what string, who *keys.Key, want string) {
			p.Helper()
			if got, err := p.signsIn(op, who.DID(), who, nil); !errors.Is(err, peer.ErrDenied) ||
				!strings.Contains(err.Error(), want) {
				p.Errorf("%s: %+v, %v, want ErrDenied with %q", what, got, err, want)
			}
		}
		for range 2 { // again is another machine
			if _, err := p.signsIn(op, ann.DID(), ann, nil); err != nil {
				p.Fatal(err)
			}
		}
		a := must[store.Account](p)(p.store.Account(p.Context(), ann.DID()))
		if a.Subject != op.URL+"#ann-1" || a.Email != "ann@example.org" || a.Service() {
			p.Errorf("the account is %+v", a)
		}
		denied("the same subject with another key", eve, "has another key")
		op.Subject, op.Verified = "eve-1", false
		denied("another subject with her key", ann, "belongs to another person")
		if _, err := p.signsIn(op, eve.DID(), eve, nil); err != nil {
			p.Fatal(err)
		}
		if a := must[store.Account](p)(p.store.Account(p.Context(), eve.DID())); a.Email != "" {
			p.Errorf("an address that is not verified is kept: %+v", a)
		}

		// ended: her key is refused, another takes the subject over
		if err := p.store.EndAccount(p.Context(), ann.DID(), p.now); err != nil {
			p.Fatal(err)
		}
		op.Subject = "ann-1"
		denied("an account that was ended", ann, "was ended")
		next := newKey(p, "ann's next")
		if _, err := p.signsIn(op, next.DID(), next, nil); err != nil {
			p.Fatal(err)
		}
		if err := p.store.(*hubstore.Hub).RestoreAccount(p.Context(), ann.DID()); err != nil {
			p.Fatal(err)
		}
		denied("the restored account", ann, "has another key")

		// an account by invitation signs in later, and a service never
		bob := p.joins("bob", "", "")
		op.Subject = "bob-1"
		if _, err := p.signsIn(op, bob.key.DID(), bob.key, nil); err != nil {
			p.Error(err)
		}
		bob.believes(p, bob.home(), "herons")
		bob.mustSync(p)
		ci := p.machine(bob, "ci", store.Reader, bob.home())
		op.Subject = "ci-1"
		denied("a service", ci.key, "service account")
	})
}

// What is changed in a sign-in, or shown by another, is refused.
func TestASignInFitsOneAccountAndMachine(t *testing.T) {
	p := serveHub(t, openHub(t, t.TempDir()+"/hub.db"))
	op := p.provides()
	ann, eve := newKey(t, "ann"), newKey(t, "eve")
	var stolen client.Join
	if _, err := p.signsIn(op, ann.DID(), ann, func(j *client.Join) { stolen = *j }); err != nil {
		t.Fatal(err)
	}
	other := must[client.Challenge](t)(p.client("").Challenge(t.Context())).Challenge
	for what, change := range map[string]func(*client.Join){
		"another account's ID token": func(j *client.Join) {
			j.IDToken, j.Challenge = stolen.IDToken, stolen.Challenge
		},
		"another challenge":                func(j *client.Join) { j.Challenge = other },
		"an ID token that was not signed":  func(j *client.Join) { j.Sig = []byte("no signature of the account") },
		"an ID token and an invitation":    func(j *client.Join) { j.Invitation = p.invitation("", "") },
		"an ID token of another nonce":     func(j *client.Join) { j.IDToken = op.Sign("n", nil) },
		"no ID token":                      func(j *client.Join) { j.IDToken = "" },
		"what is no token":                 func(j *client.Join) { j.IDToken = "a.b.c" },
		"a challenge that was made by eve": func(j *client.Join) { j.Challenge = strings.Repeat("A", len(j.Challenge)) },
	} {
		if got, err := p.signsIn(op, eve.DID(), eve, change); err == nil {
			t.Errorf("%s lets in: %+v", what, got)
		}
	}
	// her own, on another machine and without a key
	stolen.Sig = must[[]byte](t)(peer.NewClaim(stolen.Account, stolen.Key, "hub.test", stolen.Challenge,
		stolen.IDToken, newKey(t, "device of "+stolen.Account).DID()).Sign(ann))
	for what, o := range map[string]client.Options{
		"by another machine": {Binding: client.Binding{Key: newKey(t, "thief"), Hub: "hub.test", Now: func() time.Time {
			return p.now
		}}},
		"without a proof": {},
	} {
		if got, err := p.with(o).Join(t.Context(), stolen); !errors.Is(err, peer.ErrDenied) {
			t.Errorf("replayed %s: %+v, %v, want ErrDenied", what, got, err)
		}
	}
	if _, err := p.store.Account(t.Context(), eve.DID()); !errors.Is(err, store.ErrAbsent) {
		t.Errorf("eve has an account: %v", err)
	}
}

// A sign-in may take as long as the client waits, and not longer than the challenge lasts then.
func TestASignInTakesItsTime(t *testing.T) {
	p := serveHub(t, openHub(t, t.TempDir()+"/hub.db"))
	op := p.provides()
	ann := newKey(t, "ann")
	for _, tt := range []struct {
		wait time.Duration
		good bool
	}{{signin.Waits + time.Minute, true}, {signin.Waits + challengeLasts, false}} {
		later := func(*client.Join) { p.now = p.now.Add(tt.wait) }
		if _, err := p.signsIn(op, ann.DID(), ann, later); (err == nil) != tt.good {
			t.Errorf("after %v: %v", tt.wait, err)
		}
	}
}

func TestSignInWithoutItsProvider(t *testing.T) {
	p := serveHub(t, openHub(t, t.TempDir()+"/hub.db"))
	op := p.provides("example.org")
	ann := newKey(t, "ann")
	away := func(*client.Join) { op.Mu.Lock(); op.Away = true; op.Mu.Unlock() }
	if _, err := p.signsIn(op, ann.DID(), ann, away); !errors.Is(err, client.ErrDown) {
		t.Errorf("a provider that is away: %v, want ErrDown", err)
	}
	op.Away, op.Verified = false, false
	p.now = p.now.Add(time.Minute)
	if _, err := p.signsIn(op, ann.DID(), ann, nil); !errors.Is(err, peer.ErrDenied) ||
		!strings.Contains(err.Error(), "verified email address of example.org") {
		t.Errorf("an address that is not verified: %v, want ErrDenied", err)
	}
	op.Verified = true
	off := func(*client.Join) {
		if err := SetSignIn(t.Context(), p.store, nil); err != nil {
			t.Fatal(err)
		}
		p.now = p.now.Add(time.Minute)
	}
	if _, err := p.signsIn(op, ann.DID(), ann, off); !errors.Is(err, peer.ErrDenied) ||
		!strings.Contains(err.Error(), "use an invitation") {
		t.Errorf("sign-in that was ended: %v, want ErrDenied", err)
	}
	if ch := must[client.Challenge](t)(p.client("").Challenge(t.Context())); ch.SignIn != nil {
		t.Errorf("a hub without a provider tells %+v", ch.SignIn)
	}
}

// Where the provider wants a secret, people sign in without it: the hub exchanges the code, and tells the secret to
// nobody. Only who has a challenge of this hub and a code of the person's own machine gets an ID token.
func TestTheSecretStaysInTheHub(t *testing.T) {
	p := serveHub(t, openHub(t, t.TempDir()+"/hub.db"))
	op := p.provides()
	op.Secret = "hush-hush"
	set := must[signin.Settings](t)(SignInOf(t.Context(), p.store))
	set.ClientSecret = op.Secret
	if err := SetSignIn(t.Context(), p.store, &set); err != nil {
		t.Fatal(err)
	}
	p.now = p.now.Add(time.Minute)
	said := 0
	inner := p.server.Handler()
	p.http.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		out := httptest.NewRecorder()
		inner.ServeHTTP(out, r)
		if said++; strings.Contains(out.Body.String(), op.Secret) {
			t.Errorf("%s tells the secret: %s", r.URL.Path, out.Body)
		}
		for name, value := range out.Header() {
			w.Header()[name] = value
		}
		w.WriteHeader(out.Code)
		_, _ = w.Write(out.Body.Bytes())
	})
	ann := newKey(t, "ann")
	if _, err := p.signsIn(op, ann.DID(), ann, nil); err != nil || said < 4 {
		t.Fatalf("%v after %d answers", err, said)
	}
	c := p.with(client.Options{})
	ch := must[client.Challenge](t)(c.Challenge(t.Context()))
	good := signin.Code{Code: "x", Verifier: "y", Redirect: "http://127.0.0.1:1/callback"}
	for what, in := range map[string]client.Exchange{
		"without a challenge":      {Code: good},
		"with another's challenge": {Challenge: "AAAA", Code: good},
		"with a guessed code":      {Challenge: ch.Challenge, Code: good},
		"with no code":             {Challenge: ch.Challenge},
		"that goes elsewhere": {Challenge: ch.Challenge,
			Code: signin.Code{Code: "x", Verifier: "y", Redirect: "https://evil.example/callback"}},
	} {
		if out, err := c.Exchange(t.Context(), in); !errors.Is(err, peer.ErrDenied) || out.IDToken != "" {
			t.Errorf("a code %s: %+v, %v, want ErrDenied", what, out, err)
		}
	}
	op.Away = true
	if _, err := c.Exchange(t.Context(), client.Exchange{Challenge: ch.Challenge, Code: good}); !errors.Is(err,
		client.ErrDown) {
		t.Errorf("while the provider is away: %v, want ErrDown", err)
	}
	op.Away, set.ClientSecret = false, ""
	if err := SetSignIn(t.Context(), p.store, &set); err != nil {
		t.Fatal(err)
	}
	p.now = p.now.Add(time.Minute)
	ch = must[client.Challenge](t)(c.Challenge(t.Context()))
	if _, err := c.Exchange(t.Context(), client.Exchange{Challenge: ch.Challenge, Code: good}); !errors.Is(err,
		peer.ErrDenied) || ch.SignIn.Exchange {
		t.Errorf("a hub without a secret: %v, %+v", err, ch.SignIn)
	}
}
