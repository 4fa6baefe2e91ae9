package hub

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/internal/envelope"
	"github.com/stemma-memory/stemma/internal/hub/client"
	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/memory"
)

// replace makes the rotation of a person's key: signed by by, and by the new one.
func (p *person) replace(t testing.TB, by, next *keys.Key, previous string) *memory.Record {
	t.Helper()
	home, was := p.home(), p.key
	p.key = by
	r := p.make(t, home, &memory.Key{Op: memory.OpRotate, Key: next.DID(), Previous: previous})
	p.key = was
	sig, err := next.Sign(envelope.TypeOf(r), r.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	r.Sigs = append(r.Sigs, memory.Signature{Key: next.DID(), Sig: sig})
	return r
}

// asksAs is asks for an account by another key, with what shows that it may.
func (p *place) asksAs(account string, key *keys.Key, code string, shown ...*memory.Record) client.Join {
	p.Helper()
	c, err := p.client("").Challenge(p.Context())
	if err != nil {
		p.Fatal(err)
	}
	j := client.Join{Account: account, Key: key.DID(), Name: "x", Invitation: code, Challenge: c.Challenge}
	claim := peer.NewClaim(account, key.DID(), c.Hub, c.Challenge, code, p.machineKey().DID())
	if j.Sig, err = claim.Sign(key); err != nil {
		p.Fatal(err)
	}
	for _, r := range shown {
		line, err := envelope.Write(r)
		if err != nil {
			p.Fatal(err)
		}
		j.Keys = append(j.Keys, line)
	}
	return j
}

// logs redirects the log of a hub into the buffer that it returns.
func (p *place) logs() *bytes.Buffer {
	var b bytes.Buffer
	p.server.o.Log = slog.New(slog.NewTextHandler(&b, nil))
	return &b
}

// Whoever the account's key handed over to acts for the account; no one else does, and
// the key before it no longer.
func TestSuccession(t *testing.T) {
	everyHub(t, func(p *place) {
		log := p.logs()
		ann := p.joins("ann", "", "")
		account, first, second, eve := ann.key.DID(), ann.key, newKey(p, "ann's second"), newKey(p, "eve")
		joins := func(what string, want string, j client.Join) {
			p.Helper()
			got, err := p.client("").Join(p.Context(), j)
			switch {
			case want == "" && (err != nil || got.Account != account):
				p.Errorf("%s: %+v, %v", what, got, err)
			case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
				p.Errorf("%s: %+v, %v, want an error with %q", what, got, err, want)
			}
		}
		code := func() string { return p.invitation("", "") }
		rotation := ann.replace(p, first, second, account)
		joins("the next key, with nothing to show", "nothing shows", p.asksAs(account, second, code()))
		joins("the next key, with the rotation that its store brings later", "", p.asksAs(account, second, code(), rotation))
		joins("the first key meanwhile", "", p.asksAs(account, first, code()))

		forged := ann.replace(p, eve, eve, account)
		joins("somebody who says that she follows", "nothing shows", p.asksAs(account, eve, code(), forged))
		half := ann.replace(p, first, eve, account)
		half.Sigs = half.Sigs[:1]
		joins("somebody who did not sign to follow", "nothing shows", p.asksAs(account, eve, code(), half))
		broken := ann.replace(p, first, eve, account)
		broken.Sigs[0].Sig[5] ^= 1
		joins("somebody with a broken signature", "nothing shows", p.asksAs(account, eve, code(), broken))

		ann.add(p, rotation)
		home := ann.home()
		ann.mustSync(p)
		joins("the first key, once the hub knows", "replaced", p.asksAs(account, first, code()))
		stolen := ann.replace(p, first, eve, account)
		joins("a thief to whom the first key hands over later", "nothing shows", p.asksAs(account, eve, code(), stolen))
		joins("the second key, with nothing to show", "", p.asksAs(account, second, code()))
		joins("an account of its own that follows another", "nothing shows", p.asksAs(eve.DID(), second, code()))
		many := make([]*memory.Record, mostShown+1)
		for i := range many {
			many[i] = rotation
		}
		joins("with too many records", "the most is", p.asksAs(account, second, code(), many...))

		// What the second key says of keys in its owner's space is the owner's, also
		// where another brings it.
		ann.key = second
		note := ann.make(
			p, home,
			&memory.Key{Op: memory.OpDelegate, Key: newKey(p, "agent").DID(), Origins: []memory.Origin{memory.OriginAgent}},
		)
		ann.key = eve
		not := ann.make(
			p, home,
			&memory.Key{Op: memory.OpDelegate, Key: newKey(p, "agent").DID(), Origins: []memory.Origin{memory.OriginAgent}},
		)
		ann.key = first
		for r, want := range map[*memory.Record]bool{note: true, not: false} {
			if got, err := p.server.owns(p.Context(), r, nil); err != nil || got != want {
				p.Errorf("owns %s: %v, %v, want %v", r.Ref().Short(), got, err, want)
			}
		}
		for _, want := range []string{`msg="key replaced" account=` + account, "to=" + second.DID(), `msg="not let in"`} {
			if !strings.Contains(log.String(), want) {
				p.Errorf("the log has no %s:\n%s", want, log)
			}
		}
	})
}

// A key that was taken back joins no more. If it was stolen the tokens that it was
// given end, and those of other keys stay.
func TestStolenKey(t *testing.T) {
	everyHub(t, func(p *place) {
		log := p.logs()
		ann := p.joins("ann", "", "")
		account, first, recovery, second := ann.key.DID(), ann.key, newKey(p, "ann's recovery"), newKey(p, "ann's second")
		ann.add(
			p,
			ann.make(p, ann.home(), &memory.Key{Op: memory.OpRecovery, Key: account, Next: state.Commitment(recovery.DID())}),
		)
		ann.mustSync(p)
		thief, err := p.client("").Join(p.Context(), p.asksAs(account, first, p.invitation("", "")))
		if err != nil {
			p.Fatal(err)
		}
		rotation := ann.replace(p, recovery, second, account)
		saved, err := p.client("").Join(p.Context(), p.asksAs(account, second, p.invitation("", ""), rotation))
		if err != nil {
			p.Fatal(err)
		}
		// A stranger's word takes nothing back.
		eve := p.joins("eve", ann.home(), "writer")
		eve.add(p, eve.make(p, ann.home(), &memory.Key{Op: memory.OpRevoke, Key: account, Reason: memory.Compromised}))
		if _, err := eve.sync(p.Context()); err != nil {
			p.Fatal(err)
		}
		if !p.opens(thief.Token) || !p.opens(saved.Token) || !strings.Contains(log.String(), "a revocation does not count") {
			p.Errorf("a stranger's revocation counts:\n%s", log)
		}

		ann.Client = p.client(saved.Token)
		ann.add(p, rotation)
		home := ann.home()
		ann.key = second
		ann.add(p, ann.make(p, home, &memory.Key{Op: memory.OpRevoke, Key: account, Reason: memory.Compromised}))
		ann.mustSync(p)
		if p.opens(thief.Token) {
			p.Errorf("the token that was given to a stolen key is good")
		}
		if !p.opens(saved.Token) {
			p.Errorf("the token that was given to the next key is not good")
		}
		if _, err := p.client("").Join(p.Context(), p.asksAs(account, first, p.invitation("", ""))); err == nil {
			p.Errorf("the stolen key joins again")
		}
		for _, want := range []string{
			`msg="key taken back" account=` + account, "reason=" + memory.Compromised,
			`msg="token ended, its key was stolen"`,
		} {
			if !strings.Contains(log.String(), want) {
				p.Errorf("the log has no %s:\n%s", want, log)
			}
		}
	})
}

// opens reports whether a token is good.
func (p *place) opens(token string) bool {
	p.Helper()
	_, err := p.client(token).Hello(p.Context(), peer.Hello{Version: peer.Version, Store: "x"})
	return err == nil
}
