package engine_test

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/memory"
)

// A forger has a key, and signs with it what no engine would.
type forger struct {
	t          testing.TB
	key        *keys.Key
	space      string
	origin     memory.Origin
	delegation memory.ID
	at         time.Time
}

// newForger makes one whose key no one has heard of.
func newForger(t testing.TB, at time.Time) *forger {
	t.Helper()
	key, err := keys.Generate(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return &forger{t: t, key: key, space: key.DID() + "/main", origin: memory.OriginOwner, at: at}
}

// stolen returns one who has stolen a person's keys: the owner's, or the agent's.
func (p *people) stolen(owner bool) *forger {
	p.t.Helper()
	ring, err := keys.Load(p.config.KeyDir)
	if err != nil {
		p.t.Fatal(err)
	}
	f := &forger{t: p.t, key: ring.Owner, space: p.principal() + "/main", origin: memory.OriginOwner, at: p.Now()}
	if !owner {
		f.key, f.origin, f.delegation = ring.Agent, memory.OriginAgent, p.delegation()
	}
	return f
}

// principal is the did:key that began the owner's history.
func (p *people) principal() string {
	p.t.Helper()
	return p.keyOf("owner").Principal
}

// delegation returns the ID of the delegation to the agent's key.
func (p *people) delegation() memory.ID {
	p.t.Helper()
	return refOf(p.t, p.keyOf("agent").Delegation).ID
}

func (p *people) keyOf(role string) api.KeyInfo {
	p.t.Helper()
	all, err := p.owner.KeyShow(p.t.Context(), api.Nothing{})
	if err != nil {
		p.t.Fatal(err)
	}
	for _, k := range all.Keys {
		if k.Role == role {
			return k
		}
	}
	p.t.Fatalf("no key of the %s among %+v", role, all.Keys)
	return api.KeyInfo{}
}

func refOf(t testing.TB, s string) memory.Ref {
	t.Helper()
	var ref memory.Ref
	if err := ref.UnmarshalText([]byte(s)); err != nil {
		t.Fatal(err)
	}
	return ref
}

// says signs a body; change says what else the header is.
func (f *forger) says(b memory.Body, change ...func(*memory.Header)) *memory.Record {
	f.t.Helper()
	nonce := make([]byte, 16)
	rand.Read(nonce)
	h := memory.Header{
		Space: f.space, Author: f.key.DID(), Origin: f.origin, Delegation: f.delegation, At: memory.At(f.at),
		Confidence: memory.Certain,
		Provenance: memory.Provenance{Via: memory.ViaDirect}, Nonce: base64.RawURLEncoding.EncodeToString(nonce),
	}
	for _, c := range change {
		c(&h)
	}
	r, err := memory.New(h, b)
	if err != nil {
		f.t.Fatal(err)
	}
	f.seal(r)
	return r
}

// seal signs a record once more.
func (f *forger) seal(r *memory.Record) {
	f.t.Helper()
	sig, err := f.key.Sign(keys.PayloadType(string(r.Header.Kind), r.Header.V), r.Bytes)
	if err != nil {
		f.t.Fatal(err)
	}
	r.Sigs = append(r.Sigs, memory.Signature{Key: f.key.DID(), Sig: sig})
}

// friend is somebody whom the owner introduced.
func (p *people) friend(name string) *forger {
	p.t.Helper()
	f := newForger(p.t, p.Now())
	if _, err := p.owner.Introduce(p.t.Context(), api.IntroduceRequest{Key: f.key.DID(), Name: name}); err != nil {
		p.t.Fatal(err)
	}
	return f
}

// confirms signs a word about a memory.
func (f *forger) confirms(ref, verdict string) *memory.Record {
	f.t.Helper()
	return f.says(&memory.Witness{Of: refOf(f.t, ref), Attestation: verdict})
}

// introduces says whom a key belongs to.
func (f *forger) introduces(did string) *memory.Record {
	f.t.Helper()
	return f.says(&memory.Key{Op: memory.OpIntroduce, Key: did, Name: did[len(did)-8:]})
}

// bundle is records as they travel.
func bundle(t testing.TB, rs ...*memory.Record) []byte {
	t.Helper()
	var b bytes.Buffer
	for _, r := range rs {
		l := map[string]any{"payload": r.Bytes, "payloadType": keys.PayloadType(string(r.Header.Kind), r.Header.V)}
		var sigs []map[string]any
		for _, s := range r.Sigs {
			sigs = append(sigs, map[string]any{"keyid": s.Key, "sig": s.Sig})
		}
		l["signatures"] = sigs
		raw, err := json.Marshal(l)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(raw, '\n'))
	}
	return b.Bytes()
}

// take imports records that somebody handed over.
func take(t testing.TB, e *engine.Engine, rs ...*memory.Record) {
	t.Helper()
	if _, err := e.Import(t.Context(), bytes.NewReader(bundle(t, rs...)), nil); err != nil {
		t.Fatal(err)
	}
}

// trustIn is how far a memory is believed.
func trustIn(t testing.TB, e *engine.Engine, ref string) api.TrustReply {
	t.Helper()
	r, err := e.Trust(t.Context(), api.RefRequest{Ref: ref})
	if err != nil {
		t.Fatal(err)
	}
	return r
}
