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
	"github.com/stemma-memory/stemma/memory"
)

func TestAWholeBundle(t *testing.T) {
	p := newPlay(t)
	r := p.audit(Options{})
	if r.Exit() != report.ExitOK || len(r.Offenders) != 0 || r.Statements != 11 || r.Counts[report.OK] != 10 ||
		r.Counts[report.Erased] != 1 {
		t.Fatalf("%s", show(r))
	}
	if len(r.Logs) != 2 || r.Logs[0].Status != report.LogOK || r.Logs[0].Size != 8 || r.Logs[1].Status != report.LogOK ||
		r.Logs[1].Size != 3 {
		t.Errorf("logs: %s", show(r))
	}
	print, err := keys.Fingerprint(p.ada.key.DID())
	if err != nil {
		t.Fatal(err)
	}
	want := []report.Root{
		{DID: p.ada.key.DID(), Fingerprint: print, Name: "Ada", Statements: 7},
		{DID: p.bob.key.DID(), Name: "Bob", Statements: 3},
	}
	want[1].Fingerprint = r.Roots[1].Fingerprint
	if len(r.Roots) != 2 || r.Roots[0] != want[0] || r.Roots[1] != want[1] {
		t.Errorf("roots %+v, want %+v", r.Roots, want)
	}
	if !strings.Contains(r.Horizon, "nobody else holds one") {
		t.Errorf("horizon %q, want it to say that nobody else holds a checkpoint", r.Horizon)
	}
}

// line returns the line of a record of which something was changed.
func changed(r *memory.Record, change func(*wire)) []byte {
	w := wireOf(r)
	change(&w)
	return must(json.Marshal(w))
}

func resigned(by actor, payload string, payloadType string) []byte {
	sig := must(by.key.Sign(payloadType, []byte(payload)))
	return must(json.Marshal(wire{[]byte(payload), payloadType, []wireSig{{by.key.DID(), sig}}}))
}

const beliefType = "application/vnd.stemma.belief.v1+json"

// Every status is made by the least change to a bundle in which all is well; the
// statement that is changed, or added, is the last of a bundle without
// checkpoints, so that nothing else is wrong.
func TestEveryStatus(t *testing.T) {
	type made struct {
		name string
		want report.Status
		why  string
		exit int
		make func(s *scene, ada, agent actor) []byte
	}
	last := func(s *scene, by actor) *memory.Record {
		r := s.add(by, &memory.Belief{Statement: "Releases happen on Fridays"})
		s.lines = s.lines[:len(s.lines)-1]
		return r
	}
	change := func(f func(*wire)) func(*scene, actor, actor) []byte {
		return func(s *scene, _, agent actor) []byte { return changed(last(s, agent), f) }
	}
	text := func(raw string) func(*scene, actor, actor) []byte {
		return func(*scene, actor, actor) []byte { return []byte(raw) }
	}
	payload := func(f func(string) string) func(*scene, actor, actor) []byte {
		return func(s *scene, _, agent actor) []byte {
			return resigned(agent, f(string(last(s, agent).Bytes)), beliefType)
		}
	}
	replaced := func(old, new string) func(string) string {
		return func(s string) string { return strings.Replace(s, old, new, 1) }
	}
	tests := []made{
		{"nothing changed", report.OK, "", report.ExitOK, change(func(*wire) {})},
		{"not json", report.BadEnvelope, "", report.ExitFailed, text("hello")},
		{"an empty line", report.BadEnvelope, "", report.ExitFailed, text("")},
		{"an empty object", report.BadEnvelope, "", report.ExitFailed, text("{}")},
		{"a list", report.BadEnvelope, "", report.ExitFailed, text("[]")},
		{"two lines in one", report.BadEnvelope, "", report.ExitFailed,
			text(`{"purged":{"ref":"raw:` + strings.Repeat("1", 64) + `"}}{}`)},
		{"an unknown member", report.BadEnvelope, "", report.ExitFailed, func(s *scene, _, agent actor) []byte {
			return bytes.Replace(lineOf(last(s, agent)), []byte(`{"payload"`), []byte(`{"extra":1,"payload"`), 1)
		}},
		{"a member twice", report.BadEnvelope, "duplicate", report.ExitFailed, func(s *scene, _, agent actor) []byte {
			return bytes.Replace(lineOf(last(s, agent)), []byte(`{"payload"`), []byte(`{"payload":"","payload"`), 1)
		}},
		{"a name in another case", report.BadEnvelope, "", report.ExitFailed, func(s *scene, _, agent actor) []byte {
			return bytes.Replace(lineOf(last(s, agent)), []byte(`"payloadType"`), []byte(`"payloadtype"`), 1)
		}},
		{
			"a purged line in another case", report.BadEnvelope, "", report.ExitFailed,
			text(`{"Purged":{"ref":"raw:` + strings.Repeat("1", 64) + `"}}`),
		},
		{
			"two sorts of line in one", report.BadEnvelope, "", report.ExitFailed,
			text(`{"checkpoint":{"note":"n","space":"s"},"purged":{"ref":"raw:` + strings.Repeat("1", 64) + `"}}`),
		},
		{
			"a purged line with more", report.BadEnvelope, "", report.ExitFailed,
			text(`{"purged":{"at":"","ref":"raw:` + strings.Repeat("1", 64) + `"}}`),
		},
		{"a null", report.BadEnvelope, "", report.ExitFailed, text(`{"purged":null}`)},
		{"base64 with a line break", report.BadEnvelope, "", report.ExitFailed, func(s *scene, _, agent actor) []byte {
			return bytes.Replace(lineOf(last(s, agent)), []byte(`{"payload":"`), []byte(`{"payload":"`+"\r"), 1)
		}},
		{
			"a proof of another length", report.BadEnvelope, "", report.ExitFailed,
			text(`{"inclusion":{"hashes":["AAAA"],"index":0,"ref":"raw:` + strings.Repeat("1", 64) + `","size":2,"space":"s"}}`),
		},
		{"seventeen signatures", report.BadEnvelope, "signatures", report.ExitFailed, change(func(w *wire) {
			for range 16 {
				w.Signatures = append(w.Signatures, w.Signatures[0])
			}
		})},
		{
			"one key twice", report.BadEnvelope, "twice", report.ExitFailed,
			change(func(w *wire) { w.Signatures = append(w.Signatures, w.Signatures[0]) }),
		},
		{
			"another payload type", report.Unsupported, "", report.ExitUnchecked,
			change(func(w *wire) { w.PayloadType = "application/json" }),
		},
		{"a newer kind", report.Unsupported, "signature holds", report.ExitUnchecked, func(s *scene, _, agent actor) []byte {
			raw := strings.Replace(string(last(s, agent).Bytes), `"kind":"belief"`, `"kind":"dream"`, 1)
			return resigned(agent, raw, "application/vnd.stemma.dream.v1+json")
		}},
		{
			"a newer kind that is forged", report.BadSignature, "", report.ExitFailed,
			change(func(w *wire) { w.PayloadType = "application/vnd.stemma.dream.v1+json" }),
		},
		{"no signature", report.Unsigned, "", report.ExitFailed, change(func(w *wire) { w.Signatures = []wireSig{} })},
		{"no list of signatures", report.Unsigned, "", report.ExitFailed, func(s *scene, _, agent actor) []byte {
			l := lineOf(last(s, agent))
			return append(l[:bytes.Index(l, []byte(`,"signatures"`))], '}')
		}},
		{
			"a key that is none", report.UnknownKey, "usable", report.ExitUnchecked,
			change(func(w *wire) { w.Signatures[0].KeyID = "did:web:example.org" }),
		},
		{"a key of small order", report.UnknownKey, "usable", report.ExitUnchecked, change(func(w *wire) {
			w.Signatures[0].KeyID = "did:key:z6MkeTGzm7f2c2SXNh3hC6eWPDAnRqsBMZvvw8fWCwSTvhAc"
		})},
		{"no key", report.UnknownKey, "usable", report.ExitUnchecked, change(func(w *wire) { w.Signatures[0].KeyID = "" })},
		{
			"a stranger's", report.UnknownKey, "whose", report.ExitUnchecked,
			func(s *scene, _, _ actor) []byte { return lineOf(last(s, someone(9))) },
		},
		{"the signature changed", report.BadSignature, "", report.ExitFailed,
			change(func(w *wire) { w.Signatures[0].Sig[7] ^= 1 })},
		{
			"a signature cut short", report.BadSignature, "", report.ExitFailed,
			change(func(w *wire) { w.Signatures[0].Sig = w.Signatures[0].Sig[:63] }),
		},
		{
			"the payload changed", report.BadSignature, "", report.ExitFailed,
			change(func(w *wire) { w.Payload = bytes.Replace(w.Payload, []byte("Fridays"), []byte("Mondays"), 1) }),
		},
		{
			"another kind of the same version", report.BadSignature, "", report.ExitFailed,
			change(func(w *wire) { w.PayloadType = "application/vnd.stemma.note.v1+json" }),
		},
		{"a second signature that does not hold", report.BadSignature, "", report.ExitFailed,
			func(s *scene, ada, agent actor) []byte {
				return changed(last(s, agent), func(w *wire) {
					w.Signatures = append(w.Signatures, wireSig{ada.key.DID(), w.Signatures[0].Sig})
				})
			}},
		{"white space, signed", report.NotCanonical, "", report.ExitFailed, payload(replaced(`","`, `", "`))},
		{
			"a number in another spelling, signed", report.NotCanonical, "", report.ExitFailed,
			payload(replaced(`"confidence":800`, `"confidence":8e2`)),
		},
		{"a member twice, signed", report.NotCanonical, "", report.ExitFailed, payload(replaced(`"v":1}`, `"v":1,"v":1}`))},
		{"no record at all, signed", report.NotCanonical, "", report.ExitFailed,
			payload(func(string) string { return `"hello"` })},
		{"an empty payload, signed", report.NotCanonical, "", report.ExitFailed, payload(func(string) string { return "" })},
		{"one kind signed as another", report.NotCanonical, "payload type", report.ExitFailed,
			func(s *scene, _, agent actor) []byte {
				return resigned(agent, string(last(s, agent).Bytes), "application/vnd.stemma.note.v1+json")
			}},
		{"signed by another", report.AuthorMismatch, "", report.ExitFailed, func(s *scene, ada, agent actor) []byte {
			return resigned(ada, string(last(s, agent).Bytes), beliefType)
		}},
		{"signed by another first", report.AuthorMismatch, "", report.ExitFailed, func(s *scene, ada, agent actor) []byte {
			r := last(s, agent)
			r = s.sign(r.Bytes, ada, agent)
			return lineOf(r)
		}},
		{"under no delegation that is here", report.DelegationInvalid, "not here", report.ExitFailed, func(
			s *scene, _, agent actor,
		) []byte {
			agent.delegation = memory.ID{1}
			return lineOf(last(s, agent))
		}},
		{"through a channel that is not delegated", report.DelegationInvalid, "cover", report.ExitFailed, func(
			s *scene, _, agent actor,
		) []byte {
			h := s.header(agent)
			h.Origin = memory.OriginImport
			return lineOf(s.sign(must(memory.Write(h, &memory.Belief{Statement: "Releases happen"})), agent))
		}},
		{"under the delegation of another key", report.DelegationInvalid, "cover", report.ExitFailed, func(
			s *scene, _, agent actor,
		) []byte {
			other := someone(8)
			other.space, other.delegation = agent.space, agent.delegation
			return lineOf(last(s, other))
		}},
		{"after the delegation ended", report.KeyExpired, "", report.ExitFailed, func(s *scene, ada, _ actor) []byte {
			return lineOf(last(s, s.agent(ada, 7, s.at.Add(-time.Hour))))
		}},
		{"after its key was taken back", report.KeyRevoked, "", report.ExitFailed, func(s *scene, ada, agent actor) []byte {
			s.add(ada, &memory.Key{Op: memory.OpRevoke, Key: agent.key.DID(), Reason: "superseded"})
			return lineOf(last(s, agent))
		}},
		{"after its key was stolen", report.KeyRevoked, "alone", report.ExitFailed, func(s *scene, ada, agent actor) []byte {
			s.add(ada, &memory.Key{Op: memory.OpRevoke, Key: agent.key.DID(), Reason: "compromised"})
			return lineOf(last(s, agent))
		}},
		{"after its key was replaced", report.KeyRevoked, "", report.ExitFailed, func(s *scene, ada, _ actor) []byte {
			s.rotate(ada, someone(6), ada)
			return lineOf(last(s, ada))
		}},
		{"of a source that is not here", report.MissingParent, "raw:11111111", report.ExitUnchecked,
			func(s *scene, _, agent actor) []byte {
				source := memory.Ref{Kind: memory.KindRaw, ID: memory.ID(bytes.Repeat([]byte{0x11}, 32))}
				r := s.add(agent, &memory.Belief{Statement: "Releases happen"}, source)
				s.lines = s.lines[:len(s.lines)-1]
				return lineOf(r)
			}},
		{"about a record that is not here", report.MissingParent, "cites", report.ExitUnchecked,
			func(s *scene, ada, _ actor) []byte {
				of := memory.Ref{Kind: memory.KindRaw, ID: memory.ID(bytes.Repeat([]byte{0x11}, 32))}
				r := s.add(ada, &memory.Witness{Of: of, Attestation: "confirm"})
				s.lines = s.lines[:len(s.lines)-1]
				return lineOf(r)
			}},
		{"of a source that is of another kind", report.MissingParent, "it is a raw", report.ExitUnchecked, func(
			s *scene, _, agent actor,
		) []byte {
			source := s.add(agent, words("We ship on Fridays.")).Ref()
			source.Kind = memory.KindNote
			r := s.add(agent, &memory.Belief{Statement: "Releases happen"}, source)
			s.lines = s.lines[:len(s.lines)-1]
			return lineOf(r)
		}},
		{"purged without a word", report.MissingParent, "no purge", report.ExitUnchecked,
			func(s *scene, _, agent actor) []byte {
				return []byte(`{"purged":{"ref":"` + last(s, agent).Ref().String() + `"}}`)
			}},
		{"purged, and it stands after that", report.BadEnvelope, "marked as purged in line 4", report.ExitFailed, func(
			s *scene, ada, agent actor,
		) []byte {
			r := last(s, agent)
			s.lines = append(s.lines, entry{raw: purgedBy(s, ada, r)}, entry{raw: lineOf(r)})
			return lineOf(s.sign(must(memory.Write(s.header(agent), words("and more"))), agent))
		}},
		{"purged by an agent", report.MissingParent, "no purge", report.ExitUnchecked, func(s *scene, _, agent actor) []byte {
			return purgedBy(s, agent, last(s, agent))
		}},
		{"purged by a stranger with an inception", report.MissingParent, "no purge", report.ExitUnchecked, func(
			s *scene, _, agent actor,
		) []byte {
			r := last(s, agent)
			eve := s.owner(5, "Eve")
			eve.space = agent.space
			s.add(agent, words("Something after."))
			return purgedBy(s, eve, r)
		}},
		{
			"purged by the owner", report.Erased, "", report.ExitOK,
			func(s *scene, ada, agent actor) []byte { return purgedBy(s, ada, last(s, agent)) },
		},
	}
	produced := map[report.Status]bool{report.DigestMismatch: true} // of a store, not of a bundle
	for _, tt := range tests {
		s := newScene(t)
		ada := s.owner(1, "Ada")
		agent := s.agent(ada, 2, time.Time{})
		s.add(agent, words("Something before."))
		if r := s.audit(Options{}); r.Exit() != report.ExitOK {
			t.Fatalf("%s: before: %s", tt.name, show(r))
		}
		s.lines = append(s.lines, entry{raw: tt.make(s, ada, agent)})
		r := s.audit(Options{})
		produced[tt.want] = true
		if got := r.Exit(); got != tt.exit || r.Counts[tt.want] == 0 ||
			r.Counts[report.OK]+r.Counts[report.Erased]+len(r.Offenders) != r.Statements {
			t.Errorf("%s: exit %d, want %d with %s: %s", tt.name, got, tt.exit, tt.want, show(r))
			continue
		}
		if tt.want.Fine() {
			continue
		}
		if len(r.Offenders) != 1 || r.Offenders[0].Status != tt.want || !strings.Contains(r.Offenders[0].Why, tt.why) ||
			r.Offenders[0].Line == 0 {
			t.Errorf("%s: %+v, want %s because of %q", tt.name, r.Offenders, tt.want, tt.why)
		}
	}
	for _, s := range report.Statuses {
		if !produced[s] {
			t.Errorf("nothing makes %s", s)
		}
	}
}

// purgedBy adds a mark that purges r, and gives the line that stands for r.
func purgedBy(s *scene, by actor, r *memory.Record) []byte {
	ref := r.Ref()
	mark := s.sign(must(memory.Write(s.header(by), &memory.Mark{Of: &ref, Verb: memory.Purge})), by)
	s.lines = append(s.lines, entry{raw: []byte(`{"purged":{"ref":"` + ref.String() + `"}}`)})
	return lineOf(mark)
}

// rotate replaces the key of an owner; by signs first.
func (s *scene) rotate(old, next, by actor) actor {
	h := s.header(by)
	h.Space = old.space
	raw := must(memory.Write(h, &memory.Key{Op: memory.OpRotate, Key: next.key.DID(), Previous: old.key.DID()}))
	s.put(s.sign(raw, by, next))
	next.space = old.space
	return next
}

func TestAStoreThatKeepsWhatIsNotItsOwn(t *testing.T) {
	s := newScene(t)
	ada := s.owner(1, "Ada")
	var all []*memory.Record
	all = append(all, s.inception(ada), s.add(ada, words("one")), s.add(ada, words("two")))
	statements := func() []Statement {
		var out []Statement
		for i, r := range all {
			out = append(
				out,
				Statement{
					Space: ada.space, Seq: int64(i) + 1, Arrived: noon, Ref: r.Ref(),
					Bytes: bytes.Clone(r.Bytes), Sigs: r.Sigs,
				},
			)
		}
		return out
	}
	for name, tt := range map[string]struct {
		change func(s []Statement)
		want   report.Status
		log    report.LogStatus
	}{
		"nothing":    {func([]Statement) {}, report.OK, report.LogUnchecked},
		"another id": {func(s []Statement) { s[1].Ref.ID[0] ^= 1 }, report.DigestMismatch, report.LogUnchecked},
		"another space": {
			func(s []Statement) { s[1].Space = someone(3).space; s[1].Seq = 1; s[2].Seq = 2 }, report.DigestMismatch,
			report.LogUnchecked,
		},
		"a changed byte": {func(s []Statement) { s[1].Bytes[20] ^= 1 }, report.BadSignature, report.LogUnchecked},
		"another kind": {func(s []Statement) { s[1].Ref.Kind = memory.KindNote }, report.BadSignature,
			report.LogUnchecked},
		"purged, unsaid":   {func(s []Statement) { s[1].Bytes = nil }, report.MissingParent, report.LogUnchecked},
		"a place left out": {func(s []Statement) { s[1].Seq, s[2].Seq = 3, 4 }, report.OK, report.LogGap},
	} {
		a := must(New(Options{}))
		in := statements()
		tt.change(in)
		if err := a.Add(context.Background(), in); err != nil {
			t.Fatal(err)
		}
		r := a.Report()
		if r.Counts[tt.want] == 0 || r.Logs[0].Status != tt.log || (r.Exit() == report.ExitOK) != (name == "nothing") {
			t.Errorf("%s: want %s and %s: %s", name, tt.want, tt.log, show(r))
		}
	}
}

func (s *scene) inception(by actor) *memory.Record {
	l := s.lines[0]
	var w wire
	if err := json.Unmarshal(l.raw, &w); err != nil {
		s.Fatal(err)
	}
	r := must(memory.Decode(w.Payload))
	r.Sigs = []memory.Signature{{Key: w.Signatures[0].KeyID, Sig: w.Signatures[0].Sig}}
	return r
}

func TestBothAlphabetsOfBase64AndAnyOrder(t *testing.T) {
	s := newScene(t)
	ada := s.owner(1, "Ada")
	for _, enc := range []*base64.Encoding{
		base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding, base64.RawURLEncoding,
	} {
		r := s.add(ada, words("ÿÿÿ~~~???>>> and more"))
		s.lines = s.lines[:len(s.lines)-1]
		s.lines = append(s.lines, entry{raw: []byte(`{ "signatures": [ {"sig": "` + enc.EncodeToString(r.Sigs[0].Sig) +
			`", "keyid": "` + r.Sigs[0].Key +
			`"} ], "payloadType" :"application/vnd.stemma.raw.v1+json", "payload": "` + enc.EncodeToString(r.Bytes) + `"}` +
			"\r")})
	}
	r := s.audit(Options{})
	if r.Exit() != report.ExitOK || r.Counts[report.OK] != 5 {
		t.Errorf("%s", show(r))
	}
	for _, bad := range []string{"AA==A", "A", "AB==", "AB", "+_aa", "AA=", "A===", "====", "AAAA AAAA", "AA\nAA"} {
		if b, err := decode64([]byte(bad)); err == nil {
			t.Errorf("%q: read as %x", bad, b)
		}
	}
}
