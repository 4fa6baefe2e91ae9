package anamnesis

import (
	"flag"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/memory"
)

var update = flag.Bool("update", false, "write the golden files and the table of docs/reference/documents.md")

func TestRenderOfAMemoryMadeHere(t *testing.T) {
	older := memory.Ref{Kind: memory.KindBelief, ID: memory.ID{1}}
	other := memory.Ref{Kind: memory.KindBelief, ID: memory.ID{3}}
	raw := memory.Ref{Kind: memory.KindRaw, ID: memory.ID{2}}
	r := record(t, memory.Header{
		Agent: "planner", Platform: "terminal", Session: "s1", Trigger: "a question", Tags: []string{"cache"},
		Confidence: 285,
		Provenance: memory.Provenance{
			Via: memory.ViaRevision, From: []memory.Ref{older, raw, other},
			Supersedes: []memory.Ref{older, other},
		},
	}, &memory.Belief{Statement: "The cache is <small> & fast", Type: "fact"})
	witness := record(
		t, memory.Header{Agent: "reviewer"},
		&memory.Witness{Of: r.Ref(), Attestation: "dispute", Notes: "It grew."},
	)
	early := record(
		t,
		memory.Header{At: memory.At(time.UnixMilli(1))},
		&memory.Witness{Of: r.Ref(), Attestation: "confirm"},
	)
	elsewhere := record(t, memory.Header{}, &memory.Witness{Of: older, Attestation: "confirm"})
	anchor := record(
		t, memory.Header{},
		&memory.Anchor{Of: r.Ref(), Type: "url", Reference: "https://example.org/", SHA256: strings.Repeat("0b", 32)},
	)
	in := RenderInput{
		Record: r, Witnesses: []*memory.Record{
			witness, elsewhere, anchor, early, witness,
		}, Anchors: []*memory.Record{anchor, witness},
		SupersededBy: memory.Ref{Kind: memory.KindBelief, ID: memory.ID{4}}, Depth: 2,
		Trust: &Computed{
			Score: 3500, Reputation: 5000, Witnesses: 2, Anchors: 1, AgeDays: 3, Disputes: 1,
			Level: "attested", Flags: []string{"contested"}, At: memory.At(time.UnixMilli(1_770_000_100_000)),
		},
		Name: func(ref memory.Ref) string {
			if ref == raw {
				return "mem_abc123"
			}
			return MemID(ref.ID)
		},
	}
	got, err := Write(Render(in))
	if err != nil {
		t.Fatal(err)
	}
	const golden = "testdata/belief.golden.json"
	if *update {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("Render gives\n%s\nwant\n%s", got, want)
	}
	if id, ok := ParseMemID(Render(in).ID); !ok || id != r.ID {
		t.Errorf("ParseMemID = %s, %v, want %s", id, ok, r.ID)
	}
}

// bodies are one of every kind of memory, and of every type of note that is none
// of the schema's.
func bodies() map[string]memory.Body {
	all := map[string]memory.Body{
		"raw":          &memory.Raw{Text: "\n first line\rof two \nsecond"},
		"long raw":     &memory.Raw{Text: strings.Repeat("é", 500)},
		"bytes":        &memory.Raw{Base64: "/w=="},
		"episode":      &memory.Episode{Objective: "o", Lessons: []string{"l"}},
		"belief":       &memory.Belief{Statement: "b"},
		"value":        &memory.Value{Name: "v", Statement: "s"},
		"goal":         &memory.Goal{Title: "g"},
		"drive":        &memory.Drive{Type: "d"},
		"relationship": &memory.Relationship{Name: "r"},
		"playbook":     &memory.Playbook{Name: "p", Steps: []string{"one", "two"}},
	}
	for _, kind := range memory.NoteTypes {
		all["note "+kind] = &memory.Note{
			Type: kind, Summary: "s", Speaker: "Ada", Reason: "r", Alternatives: []string{"x", "y"},
		}
	}
	return all
}

func TestRenderHasATypeForEveryKind(t *testing.T) {
	want := map[string]string{
		"raw": "observation", "long raw": "observation", "bytes": "observation", "episode": "observation",
		"belief": "insight",
		"value":  "insight", "goal": "decision", "drive": "observation", "relationship": "encounter", "playbook": "insight",
		"note decision": "decision", "note insight": "insight", "note encounter": "encounter",
		"note correction":  "correction",
		"note observation": "observation", "note quote": "observation", "note preference": "insight",
		"note convention": "decision",
		"note known_fix":  "insight", "note constraint": "decision", "note failed_attempt": "correction",
		"note environment": "observation",
	}
	all := bodies()
	kinds := make(map[memory.Kind]bool)
	for name, b := range all {
		kinds[memory.KindOf(b)] = true
		d := Render(RenderInput{Record: record(t, memory.Header{}, b)})
		if d.Content.Type != want[name] {
			t.Errorf("%s is rendered as %q, want %q", name, d.Content.Type, want[name])
		}
		out, err := Write(d)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Parse(out)
		if err != nil {
			t.Errorf("%s: Parse of what was rendered: %v\n%s", name, err, out)
			continue
		}
		if _, _, err := again.Note(0); err != nil {
			t.Errorf("%s: Note of what was rendered: %v", name, err)
		}
	}
	for _, kind := range memory.Memories() {
		if !kinds[kind] {
			t.Errorf("no %s is rendered here", kind)
		}
	}
	raw := Render(RenderInput{Record: record(t, memory.Header{}, all["raw"])}).Content
	if raw.Summary != "first line of two" || *raw.Body != "\n first line\rof two \nsecond" {
		t.Errorf("a raw is rendered as %q, %q", raw.Summary, *raw.Body)
	}
	long := Render(RenderInput{Record: record(t, memory.Header{}, all["long raw"])}).Content
	if want := strings.Repeat("é", maxSummary/2) + "…"; long.Summary != want || len(*long.Body) != 1000 {
		t.Errorf("a long raw is rendered as %q and a body of %d bytes", long.Summary, len(*long.Body))
	}
	note := Render(RenderInput{Record: record(t, memory.Header{}, all["note decision"])})
	if got, want := *note.Content.Body, "Speaker: Ada\n\nReason: r\n\nAlternative: x\n\nAlternative: y"; got != want {
		t.Errorf("a decision's body = %q, want %q", got, want)
	}
	if note.Provenance.Author.AgentID != author {
		t.Errorf("agent_id = %q, want the key where there is no name", note.Provenance.Author.AgentID)
	}
}

// TestRenderOfAnImportAddsWhatIsKnownHere: the original's witnesses stay before
// ours, and its signature is not replaced by the importer's.
func TestRenderOfAnImportAddsWhatIsKnownHere(t *testing.T) {
	d, err := Parse(
		[]byte(
			with(
				`"witnesses":[{"agent_id":"w","attestation":"partial"}],"lineage":{"derived_from":["mem_0"],"superseded_by":null}`,
			),
		),
	)
	if err != nil {
		t.Fatal(err)
	}
	h, n, err := d.Note(0)
	if err != nil {
		t.Fatal(err)
	}
	h.Provenance.From = []memory.Ref{{Kind: memory.KindRaw, ID: memory.ID{9}}}
	r := record(t, h, n)
	w := record(t, memory.Header{}, &memory.Witness{Of: r.Ref(), Attestation: "confirm"})
	newer := memory.Ref{Kind: memory.KindNote, ID: memory.ID{8}}
	got := Render(RenderInput{Record: r, Witnesses: []*memory.Record{w}, SupersededBy: newer})
	if len(got.Witnesses) != 2 || got.Witnesses[0].Attestation != "partial" || got.Witnesses[1].Unknown == nil {
		t.Errorf("witnesses = %+v, want the original's, then ours", got.Witnesses)
	}
	if l := got.Lineage; len(l.DerivedFrom) != 2 || l.DerivedFrom[0] != "mem_0" || *l.SupersededBy != MemID(newer.ID) {
		t.Errorf("lineage = %+v", got.Lineage)
	}
	if got.Provenance.Author.Signature != nil || got.Unknown != nil {
		t.Errorf("rendered %+v, want nothing of the importer's in the original's place", got)
	}
}
