package hub

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/envelope"
	"github.com/stemma-memory/stemma/internal/hub/client"
	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Two people share a space of one of them through a hub, with the keys of both.
func TestTwoPeopleShareASpace(t *testing.T) {
	everyHub(t, func(p *place) {
		ann := p.joins("ann", "", "")
		hers := ann.believes(p, ann.home(), "herons fish at dawn")
		secret := ann.believes(p, ann.key.DID()+"/diary", "nobody reads this")
		ann.mustSync(p)
		invited, err := ann.Invite(p.Context(), peer.Invite{Space: ann.home(), Role: store.Writer})
		if err != nil {
			p.Fatal(err)
		}
		bob := newPerson(p, "bob")
		got, err := p.client("").Join(p.Context(), p.asks(bob, invited.Code))
		if err != nil || got.Role != store.Writer || got.Space != ann.home() {
			p.Fatalf("Join gives %+v, %v", got, err)
		}
		bob.Client = p.client(got.Token)
		his := bob.believes(p, ann.home(), "herons fish at dusk too")
		own := bob.believes(p, bob.home(), "bob keeps this to himself")
		bob.mustSync(p)
		ann.mustSync(p)
		for _, tt := range []struct {
			who  *person
			what *memory.Record
			want bool
		}{{ann, his, true}, {bob, hers, true}, {ann, own, false}, {bob, secret, false}} {
			if got := tt.who.holds(p, tt.what); got != tt.want {
				p.Errorf("%s holds %q: %v, want %v", tt.who.name, memory.Headline(tt.what.Body), got, tt.want)
			}
		}
		report := ann.mustSync(p)
		for _, sp := range report.Spaces {
			if sp.Pushed+sp.Pulled > 0 {
				p.Errorf("an idle sync moves %+v", sp)
			}
			if sp.Space == ann.home() && sp.Cosigned == 0 {
				p.Errorf("nothing of her log is cosigned: %+v", sp)
			}
		}
	})
}

func TestJoinRefuses(t *testing.T) {
	p := serveHub(t, openHub(t, t.TempDir()+"/hub.db"))
	ann, eve := newPerson(t, "ann"), newPerson(t, "eve")
	code := p.invitation("", "")
	for what, change := range map[string]func(*client.Join){
		"another's account":      func(j *client.Join) { j.Account = ann.key.DID() },
		"no key":                 func(j *client.Join) { j.Account = "did:key:eve" },
		"a challenge of its own": func(j *client.Join) { j.Challenge = strings.Repeat("A", len(j.Challenge)) },
		"another invitation":     func(j *client.Join) { j.Invitation = p.invitation("", "") },
		"a broken signature":     func(j *client.Join) { j.Sig[3] ^= 1 },
		"a signature for another hub": func(j *client.Join) {
			j.Sig, _ = peer.NewClaim(j.Account, j.Account, "other.test", j.Challenge, code, p.machineKey().DID()).Sign(eve.key)
		},
		"a wrong code": func(j *client.Join) {
			j.Invitation = "stemma-invitation-x"
			claim := peer.NewClaim(j.Account, j.Account, "hub.test", j.Challenge, j.Invitation, p.machineKey().DID())
			j.Sig, _ = claim.Sign(eve.key)
		},
	} {
		j := p.asks(eve, code)
		change(&j)
		if got, err := p.client("").Join(t.Context(), j); err == nil {
			t.Errorf("%s is let in: %+v", what, got)
		}
	}
	old := p.asks(eve, code)
	p.now = p.now.Add(challengeLasts)
	if _, err := p.client("").Join(t.Context(), old); !errors.Is(err, peer.ErrDenied) {
		t.Errorf("an old challenge gives %v, want ErrDenied", err)
	}
	p.letInWith(eve, code)
	if _, err := p.client("").Join(t.Context(), p.asks(ann, code)); !errors.Is(err, peer.ErrDenied) ||
		!strings.Contains(err.Error(), "used") {
		t.Errorf("a code that was used gives %v, want ErrDenied that says so", err)
	}
}

// A signed claim binds a token to the machine that it names: neither a relay that has the claim signed and posts it
// with a key of its own, nor who replays a captured request without its proof, gets a token.
func TestAClaimFitsOneMachine(t *testing.T) {
	everyHub(t, func(p *place) {
		ann, relay := p.joins("ann", "", ""), newKey(p, "the relay")
		ann.believes(p, ann.home(), "herons")
		ann.mustSync(p)
		ci := p.machine(ann, "ci", store.Reader, ann.home())
		with := func(key *keys.Key) client.Options {
			return client.Options{Binding: client.Binding{Key: key, Hub: "hub.test", Bound: true,
				Now: func() time.Time { return p.now }}}
		}
		for what, asked := range map[string]client.Join{
			"a person": p.asks(newPerson(p, "bob"), p.invitation("", "")), "a service": p.asks(ci, ""),
		} {
			for by, tt := range map[string]struct {
				o    client.Options
				want string
			}{
				"without a proof":       {client.Options{}, "not signed by the key of a machine"},
				"with a relay's key":    {with(relay), "did not sign"},
				"with the account's":    {with(ci.key), "did not sign"},
				"proven to another hub": {client.Options{Binding: client.Binding{Key: p.machineKey(), Hub: "x"}}, "not signed"},
			} {
				got, err := p.with(tt.o).Join(p.Context(), asked)
				if !errors.Is(err, peer.ErrDenied) || !strings.Contains(err.Error(), tt.want) {
					p.Errorf("%s %s: %+v, %v, want ErrDenied with %q", what, by, got, err, tt.want)
				}
			}
			if got, err := p.with(with(p.machineKey())).Join(p.Context(), asked); err != nil || !got.Bound {
				p.Errorf("%s with the key that was claimed: %+v, %v, want a bound token", what, got, err)
			}
		}
	})
}

func (p *place) letInWith(who *person, code string) {
	p.Helper()
	got, err := p.client("").Join(p.Context(), p.asks(who, code))
	if err != nil {
		p.Fatal(err)
	}
	who.Client = p.client(got.Token)
}

// What is no token of this hub has one answer, whatever it is.
func TestTokensThatOpenNothing(t *testing.T) {
	everyHub(t, func(p *place) {
		ann := p.joins("ann", "", "")
		now := p.now
		add := func(change func(*store.Token)) string {
			text, kept := NewToken()
			tk := store.Token{
				ID: NewID(), Secret: kept, Account: ann.key.DID(), Audience: "hub.test", Made: now,
				Expires: now.Add(time.Hour),
			}
			change(&tk)
			if err := p.store.AddToken(p.Context(), tk); err != nil {
				p.Fatal(err)
			}
			return text
		}
		if _, err := p.client(add(func(*store.Token) {})).Hello(p.Context(), peer.Hello{Version: peer.Version}); err != nil {
			p.Fatal(err)
		}
		for what, token := range map[string]string{
			"none": "", "a guess": "stemma-hub-guess", "expired": add(func(t *store.Token) { t.Expires = now }),
			"revoked": add(func(t *store.Token) { t.Revoked = now }), "of another hub": add(
				func(t *store.Token) { t.Audience = "other" },
			),
			"of nobody": add(func(t *store.Token) { t.Account = "did:key:nobody" }), "an invitation": p.invitation("", ""),
		} {
			_, err := p.client(token).Hello(p.Context(), peer.Hello{Version: peer.Version})
			if !errors.Is(err, client.ErrToken) || !errors.Is(err, peer.ErrDenied) {
				p.Errorf("a token that is %s gives %v, want ErrToken", what, err)
			}
		}
		_, err := ann.Hello(p.Context(), peer.Hello{Version: 99})
		if !errors.Is(err, peer.ErrVersion) || !strings.Contains(err.Error(), "99") {
			p.Errorf("another version gives %v, want ErrVersion", err)
		}
		if err := ann.Leave(p.Context()); err != nil {
			p.Fatal(err)
		}
		if _, err := ann.sync(p.Context()); !errors.Is(err, client.ErrToken) {
			p.Errorf("sync with a token that was given up is %v, want ErrToken", err)
		}
	})
}

func line(t testing.TB, r *memory.Record) peer.Line {
	t.Helper()
	return must[[]byte](t)(envelope.Write(r))
}

// Of one push the good records are kept, and each bad one is named.
func TestABadRecordAmongGoodOnes(t *testing.T) {
	everyHub(t, func(p *place) {
		ann, eve := p.joins("ann", "", ""), newPerson(p, "eve")
		var inception *memory.Record
		for it := range ann.List(p.Context(), store.Query{Kinds: []memory.Kind{memory.KindKey}, Hidden: true}) {
			inception = it.Record
		}
		good, more := ann.make(p, ann.home(), &memory.Belief{Statement: "good"}), ann.make(
			p, ann.home(), &memory.Belief{Statement: "good too"},
		)
		forged := ann.make(p, ann.home(), &memory.Belief{Statement: "forged"})
		forged.Sigs[0].Sig[5] ^= 1
		elsewhere := ann.make(p, ann.key.DID()+"/work", &memory.Belief{Statement: "of another space"})
		into := eve.make(
			p, ann.home(),
			&memory.Key{Op: memory.OpDelegate, Key: newKey(p, "x").DID(), Origins: []memory.Origin{memory.OriginAgent}},
		)
		stolen := eve.make(
			p, newKey(p, "third").DID()+"/main",
			&memory.Key{Op: memory.OpDelegate, Key: newKey(p, "x").DID(), Origins: []memory.Origin{memory.OriginAgent}},
		)
		acks, err := ann.Push(p.Context(), peer.Push{Space: ann.home(), Lines: []peer.Line{
			line(p, inception), line(p, good), line(p, forged), line(p, elsewhere), json.RawMessage(`{"payload":"no"}`),
			line(p, stolen), line(p, more),
		}})
		_ = into
		if err != nil || len(acks.Stored) != 3 || len(acks.Refused) != 4 {
			p.Fatalf("Push gives %+v, %v, want 3 stored and 4 refused", acks, err)
		}
		named := map[int]string{}
		for _, r := range acks.Refused {
			named[r.Line] = r.Why
		}
		for i, want := range map[int]string{2: "signature", 3: "another space", 4: "", 5: "does not belong to its signer"} {
			if why, ok := named[i]; !ok || !strings.Contains(why, want) {
				p.Errorf("line %d is refused: %v, because %q, want %q", i, ok, why, want)
			}
		}
		again, err := ann.Push(p.Context(), peer.Push{Space: ann.home(), Lines: []peer.Line{line(p, good), line(p, more)}})
		if err != nil || len(again.Held) != 2 || len(again.Stored) != 0 {
			p.Errorf("the same again gives %+v, %v, want 2 held", again, err)
		}
		if spaces, err := p.store.Totals(p.Context()); err != nil || len(spaces) != 1 {
			p.Errorf("the hub has spaces %v, %v, want hers alone", spaces, err)
		}
	})
}

func TestRevokedInTheMiddleOfAPush(t *testing.T) {
	everyHub(t, func(p *place) {
		ann := newPerson(p, "ann")
		got := p.letIn(ann, "", "")
		for range 3 {
			ann.believes(p, ann.home(), "before")
		}
		ann.mustSync(p)
		ann.believes(p, ann.home(), "after")
		if err := p.store.RevokeToken(p.Context(), got.TokenID, "", p.now); err != nil {
			p.Fatal(err)
		}
		if _, err := ann.sync(p.Context()); !errors.Is(err, client.ErrToken) {
			p.Errorf("sync is %v, want ErrToken", err)
		}
		if all, err := p.store.Totals(p.Context()); err != nil || all[0].Last != 4 {
			p.Errorf("the hub has %v, %v, want the 4 that came before", all, err)
		}
		p.letIn(ann, "", "")
		ann.mustSync(p)
		if all, err := p.store.Totals(p.Context()); err != nil || all[0].Last != 5 {
			p.Errorf("the hub has %v, %v, want all 5", all, err)
		}
	})
}

func TestQuota(t *testing.T) {
	everyHub(t, func(p *place) {
		ann := p.joins("ann", "", "")
		if err := p.store.SetQuota(p.Context(), store.Quota{Of: ann.home(), Records: 3}); err != nil {
			p.Fatal(err)
		}
		ann.believes(p, ann.home(), "one")
		ann.mustSync(p)
		ann.believes(p, ann.home(), "two")
		ann.believes(p, ann.home(), "three")
		report, err := ann.sync(p.Context())
		if err != nil || len(report.Spaces) != 1 || report.Spaces[0].Code != "quota" ||
			!strings.Contains(report.Spaces[0].Problem, "of 3") {
			p.Errorf("sync beyond the quota gives %+v, %v", report, err)
		}
		if err := p.store.SetQuota(p.Context(), store.Quota{Of: ann.home()}); err != nil {
			p.Fatal(err)
		}
		ann.mustSync(p)
	})
}

func TestMessagesTravel(t *testing.T) {
	everyHub(t, func(p *place) {
		ann := p.joins("ann", "", "")
		bob, eve := p.joins("bob", ann.home(), store.Reader), p.joins("eve", "", "")
		l := store.Message{ID: "request-1", To: bob.key.DID(), From: "somebody else", Body: []byte("please")}
		for range 2 {
			if err := ann.Send(p.Context(), l); err != nil {
				p.Fatal(err)
			}
		}
		known, unknown := eve.Send(p.Context(), l), eve.Send(
			p.Context(), store.Message{ID: "x", To: newKey(p, "nobody").DID(), Body: []byte("x")},
		)
		if known == nil || unknown == nil || known.Error() != unknown.Error() {
			p.Errorf("a letter to a stranger gives %v, to nobody %v, want the same error", known, unknown)
		}
		all, err := bob.Inbox(p.Context())
		if err != nil || len(all.Messages) != 1 || all.Messages[0].From != ann.key.DID() || len(all.Messages[0].Body) > 0 {
			p.Fatalf("Letters gives %+v, %v, want one, from ann, without its body", all, err)
		}
		if _, err := eve.Message(p.Context(), "request-1"); err == nil {
			p.Error("eve reads bob's letter")
		}
		got, err := bob.Message(p.Context(), "request-1")
		if err != nil || string(got.Body) != "please" {
			p.Errorf("Letter gives %+v, %v", got, err)
		}
		if err := bob.Send(
			p.Context(),
			store.Message{ID: "answer-1", Re: "request-1", To: ann.key.DID(), Body: []byte("confirmed")},
		); err != nil {
			p.Error(err)
		}
		if err := bob.Drop(p.Context(), "request-1"); err != nil {
			p.Error(err)
		}
		if all, err := bob.Inbox(p.Context()); err != nil || len(all.Messages) != 0 {
			p.Errorf("after it was dropped bob has %+v, %v", all, err)
		}
		if got, err := ann.Message(p.Context(), "answer-1"); err != nil || got.Re != "request-1" {
			p.Errorf("the answer is %+v, %v", got, err)
		}
	})
}

func TestSearchAcross(t *testing.T) {
	everyHub(t, func(p *place) {
		ann, eve := p.joins("ann", "", ""), p.joins("eve", "", "")
		ann.believes(p, ann.home(), "herons fish at dawn")
		ann.believes(p, ann.key.DID()+"/work", "herons nest in trees")
		eve.believes(p, eve.home(), "herons are mine")
		ann.mustSync(p)
		eve.mustSync(p)
		bob := p.joins("bob", ann.home(), store.Reader)
		for _, tt := range []struct {
			who  *person
			want int
		}{{ann, 2}, {bob, 1}, {eve, 1}, {p.joins("new", "", ""), 0}} {
			var out api.SearchReply
			if err := tt.who.Search(p.Context(), api.SearchRequest{Query: "herons"}, &out); err != nil ||
				len(out.Results) != tt.want {
				p.Errorf("%s finds %d, %v, want %d", tt.who.name, len(out.Results), err, tt.want)
			}
		}
		var out api.SearchReply
		if err := ann.Search(
			p.Context(), api.SearchRequest{Query: "x", Limit: 9999}, &out,
		); !errors.Is(err, peer.ErrRequest) {
			p.Errorf("a search for too much gives %v, want ErrRequest", err)
		}
	})
}
