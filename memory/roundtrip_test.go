package memory

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/shorten"
	"pgregory.net/rapid"
)

// TestNewDecode is what makes signed JSON safe: what was made reads back as it
// was made, and writes to the same bytes again.
func TestNewDecode(t *testing.T) {
	all := append(Memories(), Claims()...)
	rapid.Check(t, func(t *rapid.T) {
		b := anyBody(t, rapid.SampledFrom(all).Draw(t, "kind"))
		r, err := New(anyHeader(t, b), b)
		if err != nil {
			t.Fatal(err)
		}
		if r.ID != sha256.Sum256(r.Bytes) {
			t.Fatalf("id %s is not the digest of the bytes", r.ID)
		}
		again, err := New(r.Header, r.Body)
		if err != nil || !bytes.Equal(again.Bytes, r.Bytes) {
			t.Fatalf("New∘Decode: %v\n%s\n%s", err, again.Bytes, r.Bytes)
		}
		if got, err := Load(r.Bytes); err != nil || !reflect.DeepEqual(got, r) {
			t.Fatalf("Load = %+v, %v, want %+v", got, err, r)
		}
	})
}

func anyText(t *rapid.T, name string) string {
	s := strings.ReplaceAll(strings.ToValidUTF8(rapid.String().Draw(t, name), "?"), "\x00", "<&>")
	if strings.TrimSpace(s) == "" {
		return "x" + s
	}
	return s
}

func maybe(t *rapid.T, name string) string {
	if rapid.Bool().Draw(t, "has "+name) {
		return anyText(t, name)
	}
	return ""
}

func short(t *rapid.T, name string) string { return shorten.To(maybe(t, name), 60) }

func texts1(t *rapid.T, name string) []string {
	var out []string
	for range rapid.IntRange(0, 3).Draw(t, "count of "+name) {
		out = append(out, anyText(t, name))
	}
	return out
}

func anyRef(t *rapid.T, k Kind) Ref {
	id := rapid.SliceOfN(rapid.Byte(), 31, 31).Draw(t, "id")
	return Ref{k, ID(append(id, 1))}
}

func anyTime(t *rapid.T) Time {
	return At(
		time.Unix(
			rapid.Int64Range(-62135596799, 253402300799).Draw(t, "time"),
			rapid.Int64Range(0, 999999999).Draw(t, "nanoseconds"),
		),
	)
}

func one(t *rapid.T, list []string) string { return rapid.SampledFrom(list).Draw(t, "choice") }

func anyHeader(t *rapid.T, b Body) Header {
	h := Header{
		Space:  someone(1).did + "/" + rapid.StringMatching(`[a-zA-Z0-9][a-zA-Z0-9._-]{0,60}`).Draw(t, "space"),
		Author: someone(2).did, Agent: short(t, "agent"), Platform: short(t, "platform"),
		Origin: OriginOwner, At: anyTime(t), Confidence: Confidence(rapid.IntRange(0, 1000).Draw(t, "confidence")),
		Provenance: Provenance{
			Via: Via(one(t, vias)), Run: maybe(t, "run"), Context: maybe(t, "context"), Batch: maybe(t, "batch"),
		},
		About: texts1(t, "about"), Session: maybe(t, "session"), Trigger: maybe(t, "trigger"),
		Nonce: base64.RawURLEncoding.EncodeToString(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "nonce")),
	}
	for i, s := range h.About {
		h.About[i] = "a" + shorten.To(s, 60)
	}
	h.Tags, h.Alias = slices.Clone(h.About), texts1(t, "alias")
	for i, s := range h.Tags {
		h.Tags[i] = shorten.To(s, 60)
	}
	if rapid.Bool().Draw(t, "full") {
		full := fullHeader(b)
		h.Origin, h.Delegation, h.Recalled = full.Origin, full.Delegation, full.Recalled
		h.Provenance.From, h.Provenance.Supersedes = full.Provenance.From, full.Provenance.Supersedes
		h.Provenance.Evidence, h.ValidFrom = full.Provenance.Evidence, anyTime(t)
		h.Ext = must(json.Marshal(map[string]any{anyText(t, "name"): rapid.Float64Range(-1, 1).Draw(t, "number")}))
	}
	return h
}

// anyBody draws the texts and numbers of one of the samples of kind k.
func anyBody(t *rapid.T, k Kind) Body {
	var choice []Body
	for _, b := range samples() {
		if b.kind() == k {
			choice = append(choice, b)
		}
	}
	b := choice[rapid.IntRange(0, len(choice)-1).Draw(t, "sample")]
	switch b := b.(type) {
	case *Raw:
		if b.Base64 == "" {
			b.Text, b.Caption, b.OccurredAt = anyText(t, "text"), maybe(t, "caption"), anyTime(t)
		} else {
			blob := append([]byte{0xff}, rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")...)
			b.Base64 = base64.StdEncoding.EncodeToString(blob)
		}
	case *Episode:
		b.Objective, b.Outcome, b.Lessons = anyText(t, "objective"), maybe(t, "outcome"), texts1(t, "lessons")
		b.Emotion.Valence = rapid.IntRange(-1000, 1000).Draw(t, "valence")
		if rapid.Bool().Draw(t, "no emotion") {
			b.Emotion = nil
		}
	case *Note:
		b.Body, b.Reason, b.Alternatives = maybe(t, "body"), maybe(t, "reason"), texts1(t, "alternatives")
	case *Belief:
		b.Statement = anyText(t, "statement")
	case *Value:
		b.Statement, b.Priority = maybe(t, "statement"), rapid.IntRange(0, 100).Draw(t, "priority")
	case *Goal:
		b.Title, b.Description = anyText(t, "title"), maybe(t, "description")
	case *Drive:
		b.Type, b.Focus, b.Intensity = anyText(t, "type"), texts1(t, "focus"), rapid.IntRange(0, 1000).Draw(t, "intensity")
	case *Relationship:
		b.Description, b.Sentiment = maybe(t, "description"), rapid.IntRange(-1000, 1000).Draw(t, "sentiment")
	case *Playbook:
		b.When, b.Steps = maybe(t, "when"), texts1(t, "steps")
	case *Link:
		b.Source, b.Target = anyRef(t, KindNote), refTo(KindRaw, 2)
		b.Seed = rapid.Int64Range(-maxInteger, maxInteger).Draw(t, "seed")
	case *Witness:
		b.Of, b.Notes = anyRef(t, KindGoal), maybe(t, "notes")
	case *Anchor:
		b.Of, b.Reference, b.Size = anyRef(t, KindGoal), anyText(t, "reference"), rapid.Int64Range(0, maxSize).Draw(t, "size")
	case *Verify:
		b.Of, b.Notes = anyRef(t, KindDrive), maybe(t, "notes")
	case *Assess:
		b.Of, b.Reason = anyRef(t, KindBelief), maybe(t, "reason")
	case *Mark:
		b.Value, b.Reason = maybe(t, "value"), maybe(t, "reason")
	case *Key:
		b.Name = short(t, "name")
	default:
		if added[k].draw == nil {
			t.Fatalf("no generator for %s", k)
		}
		added[k].draw(t, b)
	}
	return b
}

// TestConfidences: all 1001 values survive being written and read.
func TestConfidences(t *testing.T) {
	s := newScene(t, someone(1))
	for n := range thousand + 1 {
		c, err := ParseConfidence(float64(n) / thousand)
		if err != nil || c != Confidence(n) || c.Float() != float64(n)/thousand {
			t.Fatalf("ParseConfidence(%v) = %d, %v", float64(n)/thousand, c, err)
		}
		h := s.header(someone(1), noon)
		h.Confidence = c
		if got := must(Decode(s.make(h, &Assess{Of: refTo(KindBelief, 1), To: &c}).Bytes)); got.Header.Confidence != c ||
			*got.Body.(*Assess).To != c {
			t.Fatalf("confidence %d came back as %d", c, got.Header.Confidence)
		}
	}
}
