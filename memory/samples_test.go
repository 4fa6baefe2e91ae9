package memory

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// samples returns bodies with every member set, together at least one of every
// kind. A member that no sample sets fails TestSamples.
func samples() []Body {
	all := builtIn()
	for _, a := range added {
		all = append(all, a.sample())
	}
	return all
}

// An addition is what the tests know of a kind that a test build adds.
type addition struct {
	sample func() Body          // with every member set
	draw   func(*rapid.T, Body) // changes its texts and numbers
}

var added = map[Kind]addition{}

func builtIn() []Body {
	to, of := Confidence(800), refTo(KindKey, 7)
	at := At(noon)
	digest := strings.Repeat("0123456789abcdef", 4)
	return []Body{
		&Raw{
			Text: "We ship on Fridays.\n<b>&\u2028 é 🙂", Source: "cli", Event: "turn", Speaker: "Ana",
			Caption: "a board", OccurredAt: at,
		},
		&Raw{Base64: base64.StdEncoding.EncodeToString([]byte{0xff, 0x00, 0x01}), Source: "api"},
		&Episode{
			Objective: "ship 1.0", Outcome: "shipped", OutcomeType: "success", Lessons: []string{"test first"},
			Repeat: []string{"small steps"}, Avoid: []string{"Fridays"},
			Emotion: &Emotion{Valence: -250, Arousal: 1000, Labels: []string{"relief"}},
		},
		&Note{
			Type: "decision", Summary: "use SQLite", Body: "one file", Speaker: "Ana", Reason: "simple",
			Alternatives: []string{"files"},
		},
		&Belief{Statement: "tests save time", Type: "principle"},
		&Value{Name: "honesty", Statement: "say what is known", Priority: 100},
		&Goal{Title: "release", Description: "the first one", Type: "project", Priority: 0},
		&Drive{Type: "curiosity", Intensity: 700, Focus: []string{"databases"}},
		&Relationship{Name: "Ana", Type: "person", Description: "maintains the parser", Sentiment: -1000},
		&Playbook{
			Name: "release", When: "a version is due", Steps: []string{"tag"}, FailureModes: []string{"red"},
			Recovery: []string{"revert"},
		},
		&Link{
			Source: refTo(KindBelief, 1), Target: refTo(KindBelief, 2), Relation: "update", Reason: "newer",
			Detector: "rule", Model: "none", Prompt: "p1", Seed: -42,
		},
		&Witness{Of: refTo(KindBelief, 1), Attestation: "confirm", Notes: "seen", Request: "r1"},
		&Anchor{
			Of: refTo(KindBelief, 1), Type: "url", Reference: "https://example.org/a", SHA256: digest,
			MediaType: "text/html", Size: 512, Final: "https://example.org/b", Proof: "AAEC",
		},
		&Verify{
			Of: refTo(KindBelief, 1), Method: "test", Result: "changed", Notes: "moved",
			Evidence: []Evidence{fullEvidence(digest)},
		},
		&Assess{Of: refTo(KindBelief, 1), To: &to, Reason: "seen again", Because: []Ref{refTo(KindEpisode, 3)}},
		&Assess{Of: refTo(KindBelief, 1), Step: -1000},
		&Mark{
			Of: ptr(refTo(KindBelief, 1)), Also: []Ref{refTo(KindNote, 2)}, Target: "source:wiki", Verb: Quarantine,
			Value: "v", Reason: "wrong",
		},
		&Key{Op: OpInception, Key: someone(1).did, Next: digest, Name: "Ana"},
		&Key{Op: OpDelegate, Key: someone(2).did, Origins: []Origin{OriginAgent, OriginTool}, Scope: "remember", Expires: at},
		&Key{Op: OpRotate, Key: someone(3).did, Previous: someone(1).did, Next: digest},
		&Key{Op: OpRevoke, Key: someone(2).did, Of: &of, Reason: "lost", From: "12 abc"},
		&Key{Op: OpIntroduce, Key: someone(4).did, Name: "Bo"},
		&Key{Op: OpRecovery, Key: someone(1).did, Next: digest},
	}
}

func fullEvidence(digest string) Evidence {
	return Evidence{
		Type: "code", Path: "cmd/main.go", Symbol: "main", Start: 1, End: 9, SHA256: digest, Commit: "0a1b2c3",
		Dirty: true, Repo: "example.org/r", Reference: "https://example.org", Note: "the entry",
	}
}

// fullHeader sets every member that body b leaves free.
func fullHeader(b Body) Header {
	h := Header{
		Space: someone(1).did + "/main", Author: someone(1).did, Agent: "helper", Platform: "cli",
		Origin: OriginOwner, At: At(noon), Confidence: 600,
		Provenance: Provenance{
			Via: ViaRevision, Evidence: []Evidence{fullEvidence(strings.Repeat("ab", 32))},
			Run: "run-1", Context: "remember", Batch: "batch-1",
		},
		About: []string{"Ana", "parser"}, Tags: []string{"a", "b"}, ValidFrom: At(noon),
		ValidUntil: At(noon.AddDate(1, 0, 0)),
		Alias:      []string{"mem_1"}, Session: "s1", Trigger: "asked", Recalled: []ID{{1: 1}, {2: 2}},
		Ext: json.RawMessage(`{"x":[1.5,null,{}]}`), Nonce: nonceOf(1),
	}
	if k := b.kind(); k != KindRaw {
		old := refTo(k, 9)
		h.Provenance.Supersedes = []Ref{old}
		if k.IsMemory() {
			h.Provenance.From = []Ref{old}
		}
	}
	if b.kind() != KindKey {
		h.Origin, h.Delegation = OriginAgent, ID{5: 5}
	}
	return h
}

func ptr[T any](v T) *T { return &v }

// members returns the JSON names of every member of the struct t.
func members(t reflect.Type) []string {
	var out []string
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		out = append(out, name)
	}
	return out
}

// TestSamples finds members that the tests have not heard of.
func TestSamples(t *testing.T) {
	set := make(map[Kind]map[string]bool)
	for _, b := range samples() {
		r := must(New(fullHeader(b), b))
		var e envelope[map[string]any]
		if err := json.Unmarshal(r.Bytes, &e); err != nil {
			t.Fatal(err)
		}
		if set[b.kind()] == nil {
			set[b.kind()] = make(map[string]bool)
		}
		for name := range e.Body {
			set[b.kind()][name] = true
		}
	}
	for k, line := range kinds {
		want := members(reflect.TypeOf(line.New()).Elem())
		slices.Sort(want)
		if got := slices.Sorted(maps.Keys(set[k])); !slices.Equal(got, want) {
			t.Errorf("samples of %s set %v, its members are %v", k, got, want)
		}
	}
}
