package enginetest

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

// A Forger has a key, and signs with it what no engine would.
type Forger struct {
	t          testing.TB
	Key        *keys.Key
	Space      string
	Origin     memory.Origin
	Delegation memory.ID
	At         time.Time
}

// NewForger makes one whose key no one has heard of.
func NewForger(t testing.TB, at time.Time) *Forger {
	t.Helper()
	key, err := keys.Generate(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return &Forger{t: t, Key: key, Space: key.DID() + "/main", Origin: memory.OriginOwner, At: at}
}

// Stolen returns one who has stolen a person's keys: the owner's, or the agent's.
func (p *People) Stolen(owner bool) *Forger {
	p.T.Helper()
	ring, err := keys.Load(p.Config.KeyDir)
	if err != nil {
		p.T.Fatal(err)
	}
	f := &Forger{t: p.T, Key: ring.Owner, Space: p.Principal() + "/main", Origin: memory.OriginOwner, At: p.Now()}
	if !owner {
		f.Key, f.Origin, f.Delegation = ring.Agent, memory.OriginAgent, p.Delegation()
	}
	return f
}

// Principal is the did:key that began the owner's history.
func (p *People) Principal() string {
	p.T.Helper()
	return p.KeyOf("owner").Principal
}

// Delegation returns the ID of the delegation to the agent's key.
func (p *People) Delegation() memory.ID {
	p.T.Helper()
	return RefOf(p.T, p.KeyOf("agent").Delegation).ID
}

// KeyOf returns the key of a role: owner or agent.
func (p *People) KeyOf(role string) api.KeyInfo {
	p.T.Helper()
	all, err := p.Owner.KeyShow(p.T.Context(), api.Nothing{})
	if err != nil {
		p.T.Fatal(err)
	}
	for _, k := range all.Keys {
		if k.Role == role {
			return k
		}
	}
	p.T.Fatalf("no key of the %s among %+v", role, all.Keys)
	return api.KeyInfo{}
}

// RefOf reads a ref.
func RefOf(t testing.TB, s string) memory.Ref {
	t.Helper()
	var ref memory.Ref
	if err := ref.UnmarshalText([]byte(s)); err != nil {
		t.Fatal(err)
	}
	return ref
}

// Says signs a body; change says what else the header is.
func (f *Forger) Says(b memory.Body, change ...func(*memory.Header)) *memory.Record {
	f.t.Helper()
	nonce := make([]byte, 16)
	rand.Read(nonce)
	h := memory.Header{
		Space: f.Space, Author: f.Key.DID(), Origin: f.Origin, Delegation: f.Delegation, At: memory.At(f.At),
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
func (f *Forger) seal(r *memory.Record) {
	f.t.Helper()
	sig, err := f.Key.Sign(keys.PayloadType(string(r.Header.Kind), r.Header.V), r.Bytes)
	if err != nil {
		f.t.Fatal(err)
	}
	r.Sigs = append(r.Sigs, memory.Signature{Key: f.Key.DID(), Sig: sig})
}

// Friend is somebody whom the owner introduced.
func (p *People) Friend(name string) *Forger {
	p.T.Helper()
	f := NewForger(p.T, p.Now())
	if _, err := p.Owner.Introduce(p.T.Context(), api.IntroduceRequest{Key: f.Key.DID(), Name: name}); err != nil {
		p.T.Fatal(err)
	}
	return f
}

// Confirms signs a word about a memory.
func (f *Forger) Confirms(ref, verdict string) *memory.Record {
	f.t.Helper()
	return f.Says(&memory.Witness{Of: RefOf(f.t, ref), Attestation: verdict})
}

// Introduces says whom a key belongs to.
func (f *Forger) Introduces(did string) *memory.Record {
	f.t.Helper()
	return f.Says(&memory.Key{Op: memory.OpIntroduce, Key: did, Name: did[len(did)-8:]})
}

// Bundle is records as they travel.
func Bundle(t testing.TB, rs ...*memory.Record) []byte {
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

// Take imports records that somebody handed over.
func Take(t testing.TB, e *engine.Engine, rs ...*memory.Record) {
	t.Helper()
	if _, err := e.Import(t.Context(), bytes.NewReader(Bundle(t, rs...)), nil); err != nil {
		t.Fatal(err)
	}
}

// TrustIn is how far a memory is believed.
func TrustIn(t testing.TB, e *engine.Engine, ref string) api.TrustReply {
	t.Helper()
	r, err := e.Trust(t.Context(), api.RefRequest{Ref: ref})
	if err != nil {
		t.Fatal(err)
	}
	return r
}
