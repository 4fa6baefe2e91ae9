package audit

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/audit/report"
	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/memory"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

// actor is somebody who signs.
type actor struct {
	key        *keys.Key
	space      string // on which he writes
	delegation memory.ID
}

// scene writes a bundle, line by line.
type scene struct {
	testing.TB
	lines []entry
	at    time.Time
	n     byte
}

// entry is a line, and what it is of.
type entry struct {
	raw   []byte
	space string
	id    memory.ID
}

func newScene(t testing.TB) *scene { return &scene{TB: t, at: noon} }

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// seeded returns the same bytes for ever.
type seeded byte

func (s seeded) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(s)
	}
	return len(p), nil
}

// someone returns an owner who has said nothing yet.
func someone(seed byte) actor {
	k := must(keys.Generate(seeded(seed)))
	return actor{key: k, space: k.DID() + "/main"}
}

// owner returns an owner whose inception stands in the bundle.
func (s *scene) owner(seed byte, name string) actor {
	o := someone(seed)
	s.add(o, &memory.Key{Op: memory.OpInception, Key: o.key.DID(), Name: name})
	return o
}

// agent returns an agent of an owner, whose delegation stands in the bundle.
func (s *scene) agent(o actor, seed byte, expires time.Time) actor {
	k := must(keys.Generate(seeded(seed)))
	b := &memory.Key{Op: memory.OpDelegate, Key: k.DID(), Origins: []memory.Origin{memory.OriginAgent, memory.OriginTool}}
	if !expires.IsZero() {
		b.Expires = memory.At(expires)
	}
	d := s.add(o, b)
	return actor{key: k, space: o.space, delegation: d.ID}
}

// header returns a header for the next record of somebody.
func (s *scene) header(by actor, from ...memory.Ref) memory.Header {
	s.at = s.at.Add(time.Minute)
	s.n++
	h := memory.Header{
		Space: by.space, Author: by.key.DID(), Delegation: by.delegation, Agent: "Babel", Origin: memory.OriginOwner,
		At:         memory.At(s.at),
		Confidence: 800, Provenance: memory.Provenance{Via: memory.ViaDirect, From: from},
		Nonce: base64.RawURLEncoding.EncodeToString(append(make([]byte, 15), s.n)),
	}
	if !by.delegation.IsZero() {
		h.Origin = memory.OriginAgent
	}
	if len(from) > 0 {
		h.Provenance.Via = memory.ViaPromote
	}
	return h
}

// sign makes a record of canonical bytes.
func (s *scene) sign(raw []byte, by ...actor) *memory.Record {
	s.Helper()
	r, err := memory.Decode(raw)
	if err != nil {
		s.Fatal(err)
	}
	for _, a := range by {
		sig := must(a.key.Sign(keys.PayloadType(string(r.Header.Kind), r.Header.V), raw))
		r.Sigs = append(r.Sigs, memory.Signature{Key: a.key.DID(), Sig: sig})
	}
	return r
}

// add writes the next record of somebody.
func (s *scene) add(by actor, b memory.Body, from ...memory.Ref) *memory.Record {
	s.Helper()
	return s.put(s.sign(must(memory.Write(s.header(by, from...), b)), by))
}

func (s *scene) put(r *memory.Record) *memory.Record {
	s.Helper()
	s.lines = append(s.lines, entry{lineOf(r), r.Header.Space, r.ID})
	return r
}

// wire is a line as an export writes it.
type wire struct {
	Payload     []byte    `json:"payload"`
	PayloadType string    `json:"payloadType"`
	Signatures  []wireSig `json:"signatures"`
}

type wireSig struct {
	KeyID string `json:"keyid"`
	Sig   []byte `json:"sig"`
}

func wireOf(r *memory.Record) wire {
	w := wire{Payload: r.Bytes, PayloadType: keys.PayloadType(string(r.Header.Kind), r.Header.V), Signatures: []wireSig{}}
	for _, s := range r.Sigs {
		w.Signatures = append(w.Signatures, wireSig{s.Key, s.Sig})
	}
	return w
}

func lineOf(r *memory.Record) []byte { return must(json.Marshal(wireOf(r))) }

// other writes a line that is no envelope.
func (s *scene) other(name string, v any) {
	s.lines = append(s.lines, entry{raw: must(json.Marshal(map[string]any{name: v}))})
}

// erase puts word of a purge in the place of a record.
func (s *scene) erase(r *memory.Record) {
	for i := range s.lines {
		if s.lines[i].id == r.ID {
			s.lines[i].raw = must(json.Marshal(map[string]any{"purged": map[string]any{"ref": r.Ref()}}))
		}
	}
}

// ids returns the ids of a space, in the order of its log.
func (s *scene) ids(space string) (ids []ledger.Hash) {
	for _, e := range s.lines {
		if e.space == space {
			ids = append(ids, ledger.Hash(e.id))
		}
	}
	return ids
}

// note signs a checkpoint of the first size ids, or of all if size is negative.
func (s *scene) note(space string, size int, by ...actor) []byte {
	s.Helper()
	ids := s.ids(space)
	if size >= 0 {
		ids = ids[:size]
	}
	var f ledger.Frontier
	f.Append(ids...)
	c := ledger.Checkpoint{Origin: "example.org/" + space, Size: f.Size(), Root: f.Root()}
	raw := must(c.Format())
	out := raw + "\n"
	for _, a := range by {
		signer := must(a.key.NoteSigner("example.org/log"))
		h := signer.KeyHash()
		sig := must(signer.Sign([]byte(raw)))
		out += "\u2014 example.org/log " + base64.StdEncoding.EncodeToString(
			append([]byte{byte(h >> 24), byte(h >> 16), byte(h >> 8), byte(h)}, sig...),
		) + "\n"
	}
	return []byte(out)
}

// checkpoint writes the checkpoint of a space.
func (s *scene) checkpoint(space string, by ...actor) {
	s.Helper()
	s.other("checkpoint", map[string]any{"space": space, "note": string(s.note(space, -1, by...))})
}

func (s *scene) bundle() []byte {
	var out []byte
	for _, e := range s.lines {
		out = append(append(out, e.raw...), '\n')
	}
	return out
}

func (s *scene) audit(o Options) report.Report {
	s.Helper()
	return audit(s, s.bundle(), o)
}

func audit(t testing.TB, raw []byte, o Options) report.Report {
	t.Helper()
	r, err := Bundle(context.Background(), bytes.NewReader(raw), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// show returns a report for a message of a test.
func show(r report.Report) string {
	r.Elapsed = 0
	return string(must(json.MarshalIndent(r, "", " ")))
}

func words(text string) memory.Body { return &memory.Raw{Text: text, Source: "cli"} }

// play is a bundle with a bit of everything, in which all is well.
type play struct {
	*scene
	ada, bob, agent                       actor
	turn, belief, gone, decision, dispute *memory.Record
}

func newPlay(t testing.TB) *play {
	s := newScene(t)
	p := &play{scene: s}
	p.ada = s.owner(1, "Ada")
	p.agent = s.agent(p.ada, 2, time.Time{})
	p.turn = s.add(p.agent, words("We ship on Fridays."))
	p.gone = s.add(p.agent, words("The password is hunter2."))
	p.belief = s.add(p.agent, &memory.Belief{Statement: "Releases happen on Fridays", Type: "fact"}, p.turn.Ref())
	p.decision = s.add(p.agent, &memory.Note{Type: "decision", Summary: "Freeze on Thursdays"}, p.belief.Ref())
	gone := p.gone.Ref()
	s.add(p.ada, &memory.Mark{Of: &gone, Verb: memory.Purge, Reason: "a secret"})
	s.erase(p.gone)
	belief := p.belief.Ref()
	s.add(p.ada, &memory.Witness{Of: belief, Attestation: "confirm"})
	s.checkpoint(p.ada.space, p.agent)

	p.bob = s.owner(3, "Bob")
	p.dispute = s.add(p.bob, words(strings.Repeat("Bob was there too. ", 20)))
	s.add(p.bob, &memory.Witness{Of: belief, Attestation: "dispute", Notes: "not last week"})
	s.checkpoint(p.bob.space, p.bob)
	return p
}
