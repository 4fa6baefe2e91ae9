package trust

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/big"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/ext"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	score "github.com/stemma-memory/stemma/internal/trust"
	"github.com/stemma-memory/stemma/memory"
)

// noon is now in these tests.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// An actor is one who writes records.
type actor struct {
	did    string
	grant  memory.ID
	origin memory.Origin
}

// didOf spells the n-th key as did:key.
func didOf(n byte) string {
	const digits = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
	seed := make([]byte, ed25519.SeedSize)
	seed[0] = n
	key := ed25519.NewKeyFromSeed(seed).Public().(ed25519.PublicKey)
	rest, base, digit := new(big.Int).SetBytes(append([]byte{0xed, 0x01}, key...)), big.NewInt(58), new(big.Int)
	var out []byte
	for rest.Sign() > 0 {
		rest.DivMod(rest, base, digit)
		out = append([]byte{digits[digit.Int64()]}, out...)
	}
	return "did:key:z" + string(out)
}

// A cast is the reader and their agent, a friend whom they introduced, and a stranger, with what scores are made of.
type cast struct {
	testing.TB
	*scoring
	nonce                               uint64
	owner, agent, tool, friend, unknown actor
}

func newCast(t testing.TB) *cast {
	person := func(n byte) actor { return actor{did: didOf(n), origin: memory.OriginOwner} }
	c := &cast{TB: t, owner: person(1), agent: person(2), friend: person(3), unknown: person(4)}
	ring := new(state.Keyring)
	c.scoring = &scoring{
		Context: &Context{
			Root: c.owner.did, Ring: ring, now: noon, names: map[string]string{c.friend.did: "Ann"},
			graph:  score.NewIntroductions(c.owner.did, []score.Introduction{{By: c.owner.did, Whom: c.friend.did}}),
			shared: map[string]bool{},
		},
		apart: func(*memory.Record, string, string) (string, bool) { return "", false },
		held:  map[memory.ID]*store.Item{}, own: map[memory.ID]score.Result{}, plain: map[plain]score.Result{},
		limits: map[limitKey]*limit{}, gone: map[memory.ID]memory.Ref{}, events: map[memory.ID]*event{},
		by: map[memory.ID]string{}, verified: map[memory.ID]*verified{},
		said: &sayings{Verdicts: map[memory.ID][]Verdict{}, Anchors: map[memory.ID][]anchored{}},
	}
	grant := c.write(c.owner, &memory.Key{
		Op: memory.OpDelegate, Key: c.agent.did,
		Origins: []memory.Origin{memory.OriginAgent, memory.OriginImport, memory.OriginTool},
	})
	ring.Add(grant)
	c.agent.grant, c.agent.origin = grant.ID, memory.OriginAgent
	c.tool = c.agent.as(memory.OriginTool)
	return c
}

// as is an actor who writes for another channel.
func (a actor) as(o memory.Origin) actor { a.origin = o; return a }

// write makes a record; change says what else its header is.
func (c *cast) write(by actor, b memory.Body, change ...func(*memory.Header)) *memory.Record {
	c.Helper()
	c.nonce++
	var nonce [16]byte
	binary.BigEndian.PutUint64(nonce[8:], c.nonce)
	h := memory.Header{
		Space: c.owner.did + "/main", Author: by.did, Delegation: by.grant, Origin: by.origin,
		At: memory.At(noon.Add(time.Duration(c.nonce)*time.Second - time.Hour)), Confidence: 600,
		Provenance: memory.Provenance{Via: memory.ViaDirect},
		Nonce:      base64.RawURLEncoding.EncodeToString(nonce[:]),
	}
	for _, f := range change {
		f(&h)
	}
	r, err := memory.New(h, b)
	if err != nil {
		c.Fatalf("%T: %v", b, err)
	}
	r.Sigs = []memory.Signature{{Key: by.did}}
	return r
}

// hold makes a record one that the reader holds.
func (c *cast) hold(r *memory.Record) *store.Item {
	it := &store.Item{Ref: r.Ref(), Record: r, State: state.Initial(r)}
	c.held[r.ID] = it
	return it
}

// holds writes and holds.
func (c *cast) holds(by actor, b memory.Body, change ...func(*memory.Header)) *store.Item {
	c.Helper()
	return c.hold(c.write(by, b, change...))
}

// approved says that somebody approved a memory.
func approved(it *store.Item, by actor) *store.Item {
	it.State.Review, it.State.ReviewedBy = state.ReviewApproved, by.did
	return it
}

// reviewed is what people decided of a memory.
func reviewed(it *store.Item, as state.Review) *store.Item {
	it.State.Review = as
	return it
}

// from is what a record was made of.
func from(of ...*store.Item) func(*memory.Header) {
	return func(h *memory.Header) {
		for _, it := range of {
			h.Provenance.From = append(h.Provenance.From, it.Ref)
		}
		h.Provenance.Via = memory.ViaInference
	}
}

// shown is what the author of a record had been shown.
func shown(of ...*store.Item) func(*memory.Header) {
	return func(h *memory.Header) {
		for _, it := range of {
			h.Recalled = append(h.Recalled, it.Ref.ID)
		}
	}
}

// after says what the words of a record are to outside words.
func after(what ext.Exposure) func(*memory.Header) {
	return func(h *memory.Header) { h.Ext = json.RawMessage(fmt.Sprintf(`{%q:%q}`, ext.AfterOutside, what)) }
}

// run is the run that wrote a record, and in which act.
func run(run, context string) func(*memory.Header) {
	return func(h *memory.Header) { h.Provenance.Run, h.Provenance.Context = run, context }
}

// witness says what somebody says of a memory.
func (c *cast) witness(of *store.Item, by actor, says string) {
	w := c.write(by, &memory.Witness{Of: of.Ref, Attestation: says})
	v := c.Verdict(w, w.Body.(*memory.Witness), c.Controller(of.Record), nil)
	c.said.Verdicts[of.Ref.ID] = append(c.said.Verdicts[of.Ref.ID], v)
	switch says {
	case score.Confirm:
		of.State.Confirms++
	case score.Dispute:
		of.State.Disputes++
	}
}

func belief(text string) memory.Body { return &memory.Belief{Statement: text} }

func note(typ string) memory.Body { return &memory.Note{Type: typ, Summary: "the port is 9443"} }

func captured(text string) memory.Body { return &memory.Raw{Text: text} }
