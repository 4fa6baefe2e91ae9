package anamnesis

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/memory"
)

// The key of TEST 1 in RFC 8032, §7.1, and the other members of a header that an
// engine adds.
const author = "did:key:z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw"

var nonce = base64.RawURLEncoding.EncodeToString(make([]byte, 16))

// record makes what an engine would store.
func record(t testing.TB, h memory.Header, b memory.Body) *memory.Record {
	t.Helper()
	h.Space, h.Author, h.Nonce = author+"/main", author, nonce
	if h.At.IsZero() {
		h.At = memory.At(time.UnixMilli(1_770_000_000_000))
	}
	if h.Origin == "" {
		h.Origin = memory.OriginOwner
	}
	if h.Provenance.Via == "" {
		h.Provenance.Via = memory.ViaDirect
	}
	r, err := memory.New(h, b)
	if err != nil {
		t.Fatal(err)
	}
	r.Sigs = []memory.Signature{{Key: author, Sig: bytes.Repeat([]byte{7}, 64)}}
	return r
}

// thereAndBack reads a document, stores it, and renders what was stored.
func thereAndBack(t testing.TB, raw []byte) []byte {
	t.Helper()
	d, err := Parse(raw)
	if err != nil {
		t.Fatalf("Parse: %v\n%s", err, raw)
	}
	h, n, err := d.Note(800)
	if err != nil {
		t.Fatalf("Note: %v\n%s", err, raw)
	}
	stored := record(t, h, n)
	read, err := memory.Decode(stored.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	out, err := Write(Render(RenderInput{Record: read}))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestWhatWasImportedComesBack(t *testing.T) {
	for name, raw := range examples(t) {
		if got := thereAndBack(t, raw); !same(t, got, raw) {
			t.Errorf("%s came back as\n%s\nwant\n%s", name, got, raw)
		}
	}
	const documents = 500
	for seed := range uint64(documents) {
		raw := encoded(t, newMaker(seed).document())
		if got := thereAndBack(t, raw); !same(t, got, raw) {
			t.Fatalf("document %d came back as\n%s\nwant\n%s", seed, got, raw)
		}
	}
}

func TestWriteGivesBackWhatParseRead(t *testing.T) {
	for seed := range uint64(200) {
		raw := encoded(t, newMaker(seed).document())
		d, err := Parse(raw)
		if err != nil {
			t.Fatalf("Parse: %v\n%s", err, raw)
		}
		out, err := Write(d)
		if err != nil {
			t.Fatal(err)
		}
		var got, want any
		if json.Unmarshal(out, &got) != nil || json.Unmarshal(raw, &want) != nil {
			t.Fatalf("not JSON: %s", out)
		}
		if g, w := encoded(t, got), encoded(t, want); !bytes.Equal(g, w) {
			t.Fatalf("Write(Parse(x)) = %s, want %s", g, w)
		}
		again, err := Parse(out)
		if err != nil {
			t.Fatal(err)
		}
		if twice, _ := Write(again); !bytes.Equal(twice, out) {
			t.Fatalf("written again = %s, want %s", twice, out)
		}
	}
}

// TestTrustIsNeverReadBack: whatever a document says of its own score, the note
// and what is rendered of it are without it.
func TestTrustIsNeverReadBack(t *testing.T) {
	raw := []byte(`{"id":"m","content":{"type":"insight","summary":"s"},"provenance":{"author":{"agent_id":"a"},` +
		`"created_at":"2026-02-05T16:00:00Z"},
		"trust":{"score":0.99,"factors":{"witness_count":9,"x":"in"},"x_stemma":{"level":"consensus"}},` +
		`"witnesses":[{"agent_id":"w","attestation":"confirm"}]}`)
	d, err := Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	h, n, err := d.Note(0)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(h.Ext, []byte(`"score":0.99`)) {
		t.Errorf("ext = %s, want the claim kept in it", h.Ext)
	}
	r := record(t, h, n)
	if got := Render(RenderInput{Record: r}); got.Trust != nil {
		t.Errorf("rendered trust = %+v, want none", got.Trust)
	}
	got := Render(RenderInput{Record: r, Trust: &Computed{Score: 2000, Reputation: 5000}}).Trust
	if got.Score != "0.2" || *got.Factors.WitnessCount != 0 || got.Unknown != nil {
		t.Errorf("rendered trust = %+v, want the one that was computed", got)
	}
}

// TestTheRecordOutweighsItsExt: ext can spell what the record says in its own way,
// and say nothing else.
func TestTheRecordOutweighsItsExt(t *testing.T) {
	lies := `{"anamnesis":{"id":"m","content":{"type":"decision","summary":"lie","body":"lie","tags":["lie"]},
		"provenance":{"author":{"agent_id":"a"},"created_at":"2026-02-05T16:00:00Z","context":{"confidence":1,` +
		`"trigger":"","session_id":""}}}}`
	var compact bytes.Buffer
	if err := json.Compact(&compact, []byte(lies)); err != nil {
		t.Fatal(err)
	}
	h := memory.Header{
		Origin: memory.OriginImport, Alias: []string{"m"}, Tags: []string{"t"}, Confidence: 100, Ext: compact.Bytes(),
		Trigger: "why", Session: "s",
	}
	n := &memory.Note{Type: "insight", Summary: "truth", Body: "all of it"}
	d := Render(RenderInput{Record: record(t, h, n)})
	c := d.Provenance.Context
	if d.ID != "m" || d.Content.Type != "insight" || d.Content.Summary != "truth" || *d.Content.Body != "all of it" ||
		d.Content.Tags[0] != "t" || *c.Confidence != 100 || *c.Trigger != "why" || *c.SessionID != "s" {
		out, _ := Write(d)
		t.Errorf("rendered %s, want what the record says", out)
	}
	for name, spoil := range map[string]func(*memory.Header){
		"another alias":   func(h *memory.Header) { h.Alias = []string{"n"} },
		"another channel": func(h *memory.Header) { h.Origin = memory.OriginAgent },
		"no document":     func(h *memory.Header) { h.Ext = json.RawMessage(`{"anamnesis":{"id":1}}`) },
		"another format":  func(h *memory.Header) { h.Ext = json.RawMessage(`{"x":1}`) },
	} {
		h := h
		spoil(&h)
		r := record(t, h, n)
		if got := Render(RenderInput{Record: r}).ID; got != MemID(r.ID) {
			t.Errorf("%s: rendered with the id %s, want %s", name, got, MemID(r.ID))
		}
	}
}
