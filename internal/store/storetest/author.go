package storetest

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/memory"
)

// Start is when the first record of every Author is dated; each later one is a
// second younger. A store under test has the clock at Start plus a day.
var Start = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// An Author makes records, the same at every run. Its signatures are no good:
// a store does not look at them.
type Author struct {
	Key        string // a did:key without an owner
	Space      string // where it writes
	Origin     memory.Origin
	Delegation memory.ID
	made       *int // counts what the key made, on all its spaces
}

// NewOwner returns an owner of that name, writing to its own space main.
func NewOwner(name string) *Author {
	key := didOf(name)
	return &Author{Key: key, Space: key + "/main", Origin: memory.OriginOwner, made: new(int)}
}

// NewAgent returns an agent the owner has delegated to, and the record that says
// so. Until that is appended the agent is a stranger.
func (a *Author) NewAgent(t testing.TB, name string) (*Author, *memory.Record) {
	t.Helper()
	key := didOf(name)
	d := a.Make(t, &memory.Key{
		Op: memory.OpDelegate, Key: key,
		Origins: []memory.Origin{memory.OriginAgent, memory.OriginImport, memory.OriginTool},
	})
	return &Author{Key: key, Space: a.Space, Origin: memory.OriginAgent, Delegation: d.ID, made: new(int)}, d
}

// alone returns the same key speaking for itself.
func (a *Author) alone() *Author {
	b := *a
	b.Delegation, b.Origin = memory.ID{}, memory.OriginOwner
	return &b
}

// Rotate says that a key follows another, signed by both.
func (a *Author) Rotate(t testing.TB, old, next *Author) *memory.Record {
	t.Helper()
	r := a.Make(t, &memory.Key{Op: memory.OpRotate, Key: next.Key, Previous: old.Key})
	r.Sigs = append(r.Sigs, memory.Signature{Key: next.Key, Sig: r.Sigs[0].Sig})
	return r
}

// Revoke takes a key back, from places in logs on if any are named.
func (a *Author) Revoke(t testing.TB, of *Author, reason string, from ...string) *memory.Record {
	t.Helper()
	return a.Make(t, &memory.Key{Op: memory.OpRevoke, Key: of.Key, Reason: reason, From: strings.Join(from, "\n")})
}

// On returns the same key writing to another space of the same owner.
func (a *Author) On(name string) *Author {
	b := *a
	owner, _, _ := strings.Cut(a.Space, "/")
	b.Space = owner + "/" + name
	return &b
}

// Make makes a record of a body; change alters the header first.
func (a *Author) Make(t testing.TB, b memory.Body, change ...func(*memory.Header)) *memory.Record {
	t.Helper()
	*a.made++
	seed := sha256.Sum256(fmt.Appendf(nil, "%s %d", a.Key, *a.made))
	h := memory.Header{
		Space: a.Space, Author: a.Key, Delegation: a.Delegation, Origin: a.Origin,
		At:         memory.At(Start.Add(time.Duration(*a.made) * time.Second)),
		Confidence: memory.Certain / 2,
		Provenance: memory.Provenance{Via: memory.ViaDirect},
		Nonce:      base64.RawURLEncoding.EncodeToString(seed[:16]),
	}
	for _, c := range change {
		c(&h)
	}
	r, err := memory.New(h, b)
	if err != nil {
		t.Fatalf("make a %s: %v", memory.KindOf(b), err)
	}
	const sigBytes = 64
	r.Sigs = []memory.Signature{{Key: a.Key, Sig: slices.Repeat(seed[:1], sigBytes)}}
	return r
}

// Raw makes a raw of a text.
func (a *Author) Raw(t testing.TB, text string, change ...func(*memory.Header)) *memory.Record {
	t.Helper()
	return a.Make(t, &memory.Raw{Text: text}, change...)
}

// Belief makes a belief resting on sources.
func (a *Author) Belief(t testing.TB, statement string, from ...*memory.Record) *memory.Record {
	t.Helper()
	return a.Make(t, &memory.Belief{Statement: statement}, From(from...))
}

// Revise makes a belief that replaces others.
func (a *Author) Revise(t testing.TB, statement string, old ...*memory.Record) *memory.Record {
	t.Helper()
	return a.Make(t, &memory.Belief{Statement: statement}, Replacing(old...))
}

// Mark says a verb of records.
func (a *Author) Mark(t testing.TB, verb string, of ...*memory.Record) *memory.Record {
	t.Helper()
	return a.Make(t, markOf(verb, of...))
}

func markOf(verb string, of ...*memory.Record) *memory.Mark {
	refs := refsOf(of)
	return &memory.Mark{Verb: verb, Of: &refs[0], Also: refs[1:]}
}

// From says what a record is derived from.
func From(sources ...*memory.Record) func(*memory.Header) {
	return func(h *memory.Header) {
		if len(sources) > 0 {
			h.Provenance.Via, h.Provenance.From = memory.ViaInference, refsOf(sources)
		}
	}
}

// Replacing says what a record supersedes, and so is derived from.
func Replacing(old ...*memory.Record) func(*memory.Header) {
	return func(h *memory.Header) {
		h.Provenance.Via, h.Provenance.Supersedes = memory.ViaRevision, refsOf(old)
		if old[0].Header.Kind.IsMemory() {
			h.Provenance.From = refsOf(old)
		}
	}
}

// Dated sets when a record says it was made.
func Dated(at time.Time) func(*memory.Header) {
	return func(h *memory.Header) { h.At = memory.At(at) }
}

// InRun names the run a record was made in.
func InRun(run string) func(*memory.Header) {
	return func(h *memory.Header) { h.Provenance.Run = run }
}

// Known returns a record ids it had elsewhere.
func Known(alias ...string) func(*memory.Header) {
	return func(h *memory.Header) { h.Alias = alias }
}

func refsOf(rs []*memory.Record) []memory.Ref {
	var out []memory.Ref
	for _, r := range rs {
		out = append(out, r.Ref())
	}
	return out
}

func idsOf(rs []*memory.Record) []memory.ID {
	var out []memory.ID
	for _, r := range rs {
		out = append(out, r.ID)
	}
	return out
}

// didOf returns something of the shape of an Ed25519 key's did:key.
func didOf(name string) string {
	const (
		digits = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
		length = 44
	)
	out := []byte("did:key:z6Mk")
	for i := range length {
		sum := sha256.Sum256(fmt.Appendf(nil, "%s %d", name, i))
		out = append(out, digits[int(sum[0])%len(digits)])
	}
	return string(out)
}
