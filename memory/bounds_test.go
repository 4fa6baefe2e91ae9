package memory

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// A bound is a member and how much of it is allowed.
type bound struct {
	field string
	most  int
	make  func(n int) (Header, Body)
}

// inBody and inHeader make records that are at their bound in one place.
func inBody(set func(n int) Body) func(int) (Header, Body) {
	return func(n int) (Header, Body) {
		b := set(n)
		h := fullHeader(b)
		h.Provenance.Via = ViaDirect
		return h, b
	}
}

func inHeader(set func(h *Header, n int)) func(int) (Header, Body) {
	return func(n int) (Header, Body) {
		b := &Belief{Statement: "x"}
		h := fullHeader(b)
		set(&h, n)
		return h, b
	}
}

func long(n int) string { return strings.Repeat("x", n) }

func listOf(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("%04d", i)
	}
	return out
}

func refsOf(kind Kind, n int) []Ref {
	out := make([]Ref, n)
	for i := range out {
		out[i] = Ref{kind, ID{0: 1, 1: byte(i >> 8), 2: byte(i)}}
	}
	return out
}

var bounds = []bound{
	{"text", 1 << 20, inBody(func(n int) Body { return &Raw{Text: long(n)} })},
	{"base64", 1 << 20, inBody(func(n int) Body {
		return &Raw{Base64: base64.StdEncoding.EncodeToString([]byte("\xff" + long(n-1)))}
	})},
	{"caption", 64 << 10, inBody(func(n int) Body { return &Raw{Text: "x", Caption: long(n)} })},
	{"speaker", 256, inBody(func(n int) Body { return &Raw{Text: "x", Speaker: long(n)} })},
	{"statement", 64 << 10, inBody(func(n int) Body { return &Belief{Statement: long(n)} })},
	{"type", 32, inBody(func(n int) Body { return &Belief{Statement: "x", Type: long(n)} })},
	{"lessons", 256, inBody(func(n int) Body { return &Episode{Objective: "x", Lessons: listOf(n)} })},
	{"lessons", 64 << 10, inBody(func(n int) Body { return &Episode{Objective: "x", Lessons: []string{long(n)}} })},
	{"emotion.valence", 1000, inBody(func(n int) Body { return &Episode{Objective: "x", Emotion: &Emotion{Valence: n}} })},
	{
		"emotion.valence", 1000,
		inBody(func(n int) Body { return &Episode{Objective: "x", Emotion: &Emotion{Valence: -n}} }),
	},
	{"emotion.arousal", 1000, inBody(func(n int) Body { return &Episode{Objective: "x", Emotion: &Emotion{Arousal: n}} })},
	{"priority", 100, inBody(func(n int) Body { return &Value{Name: "x", Priority: n} })},
	{"priority", 100, inBody(func(n int) Body { return &Goal{Title: "x", Priority: n} })},
	{"intensity", 1000, inBody(func(n int) Body { return &Drive{Type: "x", Intensity: n} })},
	{"sentiment", 1000, inBody(func(n int) Body { return &Relationship{Name: "x", Sentiment: -n} })},
	{"name", 256, inBody(func(n int) Body { return &Relationship{Name: long(n)} })},
	{"steps", 256, inBody(func(n int) Body { return &Playbook{Name: "x", Steps: listOf(n)} })},
	{"reason", 4 * 280, inBody(func(n int) Body {
		return &Link{Source: refTo(KindNote, 1), Target: refTo(KindNote, 2), Relation: "extend", Reason: long(n)}
	})},
	{"step", 1000, inBody(func(n int) Body { return &Assess{Of: refTo(KindNote, 1), Step: n} })},
	{"step", 1000, inBody(func(n int) Body { return &Assess{Of: refTo(KindNote, 1), Step: -n} })},
	{"to", 1000, inBody(func(n int) Body { return &Assess{Of: refTo(KindNote, 1), To: ptr(Confidence(n))} })},
	{
		"because", 1024,
		inBody(func(n int) Body { return &Assess{Of: refTo(KindNote, 1), Step: 1, Because: refsOf(KindEpisode, n)} }),
	},
	{
		"of", 1023,
		inBody(func(n int) Body { return &Mark{Of: ptr(refTo(KindNote, 1)), Also: refsOf(KindNote, n), Verb: Forget} }),
	},
	{"target", 256, inBody(func(n int) Body { return &Mark{Target: long(n), Verb: Forget} })},
	{"verb", 32, inBody(func(n int) Body { return &Mark{Target: "source:x", Verb: long(n)} })},
	{"value", 64 << 10, inBody(func(n int) Body { return &Mark{Target: "source:x", Verb: Status, Value: long(n)} })},
	{"evidence", 1024, inBody(func(n int) Body { return &Verify{Of: refTo(KindNote, 1), Evidence: evidenceOf(n)} })},
	{"confidence", 1000, inHeader(func(h *Header, n int) { h.Confidence = Confidence(n) })},
	{
		"from", 1024,
		inHeader(func(h *Header, n int) { h.Provenance.Supersedes, h.Provenance.From = nil, refsOf(KindNote, n) }),
	},
	{"supersedes", 1024, inHeader(func(h *Header, n int) {
		h.Provenance.From, h.Provenance.Supersedes = refsOf(KindBelief, min(n, 1024)), refsOf(KindBelief, n)
	})},
	{"evidence", 1024, inHeader(func(h *Header, n int) { h.Provenance.Evidence = evidenceOf(n) })},
	{"evidence.start", 1<<31 - 1, inHeader(func(h *Header, n int) { h.Provenance.Evidence[0].End = n })},
	{"run", 64 << 10, inHeader(func(h *Header, n int) { h.Provenance.Run = long(n) })},
	{"tags", 64, inHeader(func(h *Header, n int) { h.Tags = listOf(n) })},
	{"tags", 64, inHeader(func(h *Header, n int) { h.Tags = []string{long(n)} })},
	{"about", 64, inHeader(func(h *Header, n int) { h.About = listOf(n) })},
	{"about", 256, inHeader(func(h *Header, n int) { h.About = []string{long(n)} })},
	{"alias", 64, inHeader(func(h *Header, n int) { h.Alias = listOf(n) })},
	{"agent", 256, inHeader(func(h *Header, n int) { h.Agent = long(n) })},
	{"platform", 256, inHeader(func(h *Header, n int) { h.Platform = long(n) })},
	{"session", 64 << 10, inHeader(func(h *Header, n int) { h.Session = long(n) })},
	{"recalled", 1024, inHeader(func(h *Header, n int) { h.Recalled = ids(refsOf(KindNote, n)) })},
	{"ext", 64 << 10, inHeader(func(h *Header, n int) { h.Ext = json.RawMessage(`{"x":"` + long(n-8) + `"}`) })},
	{"space", 64, inHeader(func(h *Header, n int) { h.Space = someone(1).did + "/" + long(n) })},
	{"nonce", 16, inHeader(func(h *Header, n int) { h.Nonce = base64.RawURLEncoding.EncodeToString(make([]byte, n)) })},
}

func evidenceOf(n int) []Evidence {
	out := make([]Evidence, n)
	for i := range out {
		out[i] = Evidence{Type: "text", Note: fmt.Sprint(i)}
	}
	return out
}

func TestBounds(t *testing.T) {
	for i, tt := range bounds {
		if _, err := New(tt.make(tt.most)); err != nil {
			t.Errorf("%d: %s at its bound of %d: %v", i, tt.field, tt.most, err)
		}
		_, err := New(tt.make(tt.most + 1))
		if !names(err, tt.field) || !errors.Is(err, ErrInvalid) {
			t.Errorf("%d: %s one over its bound of %d: %.200v", i, tt.field, tt.most, err)
		}
	}
	b := &Episode{Objective: "x"}
	for range 200 {
		b.Lessons = append(b.Lessons, long(60<<10))
	}
	if _, err := New(fullHeader(b), b); !names(err, "record") || !errors.Is(err, ErrInvalid) {
		t.Errorf("a record of 12 MB: %.200v", err)
	}
}
