package memory

import (
	"errors"
	"testing"
)

// TestBodiesRefused: what is wrong with a body is said by the name of the
// member.
func TestBodiesRefused(t *testing.T) {
	one, two, did := refTo(KindNote, 1), refTo(KindNote, 2), someone(1).did
	agents := []Origin{OriginAgent}
	for _, tt := range []struct {
		field string
		body  Body
	}{
		{"text", &Raw{}},
		{"text", &Raw{Text: "\n"}},
		{"base64", &Raw{Base64: "YWJj"}}, // abc: words have one spelling
		{"base64", &Raw{Base64: "/w="}},
		{"base64", &Raw{Base64: "/x=="}}, // spare bits
		{"source", &Raw{Text: "x", Source: "phone"}},
		{"event", &Raw{Text: "x", Event: "sneeze"}},
		{"objective", &Episode{}},
		{"outcome_type", &Episode{Objective: "x", OutcomeType: "good"}},
		{"lessons", &Episode{Objective: "x", Lessons: []string{" "}}},
		{"emotion.arousal", &Episode{Objective: "x", Emotion: &Emotion{Arousal: -1}}},
		{"type", &Note{Summary: "x"}},
		{"type", &Note{Type: "poem", Summary: "x"}},
		{"summary", &Note{Type: "insight"}},
		{"summary", &Note{Type: "insight", Summary: "a\nb"}},
		{"summary", &Note{Type: "insight", Summary: "a\rb"}},
		{"type", &Belief{Statement: "x", Type: "A Fact"}},
		{"name", &Value{}},
		{"priority", &Value{Name: "x", Priority: -1}},
		{"title", &Goal{}},
		{"type", &Drive{}},
		{"intensity", &Drive{Type: "x", Intensity: -1}},
		{"name", &Relationship{}},
		{"type", &Relationship{Name: "x", Type: "pet"}},
		{"name", &Playbook{}},
		{"source", &Link{Target: one, Relation: "extend"}},
		{"target", &Link{Source: one, Target: one, Relation: "extend"}},
		{"relation", &Link{Source: one, Target: two}},
		{"relation", &Link{Source: one, Target: two, Relation: "likes"}},
		{"seed", &Link{Source: one, Target: two, Relation: "extend", Seed: maxInteger + 1}},
		{"of", &Witness{Attestation: "confirm"}},
		{"attestation", &Witness{Of: one}},
		{"type", &Anchor{Of: one, Reference: "x"}},
		{"type", &Anchor{Of: one, Reference: "x", Type: "rumour"}},
		{"reference", &Anchor{Of: one, Type: "url"}},
		{"sha256", &Anchor{Of: one, Type: "url", Reference: "x", SHA256: "ABCD"}},
		{"size", &Anchor{Of: one, Type: "url", Reference: "x", Size: -1}},
		{"size", &Anchor{Of: one, Type: "url", Reference: "x", Size: maxSize + 1}},
		{"of", &Verify{}},
		{"evidence", &Verify{Of: one, Evidence: []Evidence{{Type: "url"}, {Type: "url"}}}},
		{"evidence.type", &Verify{Of: one, Evidence: []Evidence{{}}}},
		{"evidence.path", &Verify{Of: one, Evidence: []Evidence{{Type: "file", Path: "/etc/passwd"}}}},
		{"evidence.path", &Verify{Of: one, Evidence: []Evidence{{Type: "file", Path: `C:x`}}}},
		{"evidence.path", &Verify{Of: one, Evidence: []Evidence{{Type: "file", Path: "a//b"}}}},
		{"evidence.start", &Verify{Of: one, Evidence: []Evidence{{Type: "code", Start: 2, End: 1}}}},
		{"to", &Assess{Of: one}},
		{"because", &Assess{Of: one, Step: 1, Because: []Ref{two, two}}},
		{"of", &Mark{Verb: Forget}},
		{"also", &Mark{Target: "source:x", Also: []Ref{one}, Verb: Forget}},
		{"verb", &Mark{Of: &one}},
		{"verb", &Mark{Of: &one, Verb: "For Get"}},
		{"op", &Key{Key: did}},
		{"op", &Key{Op: "lend", Key: did}},
		{"key", &Key{Op: OpIntroduce}},
		{"origins", &Key{Op: OpDelegate, Key: did}},
		{"origins", &Key{Op: OpIntroduce, Key: did, Origins: agents}},
		{"origins", &Key{Op: OpDelegate, Key: did, Origins: []Origin{OriginAgent, OriginOwner}}},
		{"origins", &Key{Op: OpDelegate, Key: did, Origins: []Origin{OriginTool, OriginAgent}}},
		{"origins", &Key{Op: OpDelegate, Key: did, Origins: []Origin{OriginTool, OriginTool}}},
		{"origin", &Key{Op: OpDelegate, Key: did, Origins: []Origin{"hub"}}},
		{"scope", &Key{Op: OpInception, Key: did, Scope: "x"}},
		{"scope", &Key{Op: OpInception, Key: did, Expires: At(noon)}},
		{"previous", &Key{Op: OpRotate, Key: did}},
		{"previous", &Key{Op: OpRotate, Key: did, Previous: "did:key:z"}},
		{"previous", &Key{Op: OpInception, Key: did, Previous: did}},
		{"reason", &Key{Op: OpRevoke, Key: did}},
		{"reason", &Key{Op: OpRevoke, Key: did, Reason: "bored"}},
		{"reason", &Key{Op: OpInception, Key: did, Reason: "lost"}},
		{"of", &Key{Op: OpInception, Key: did, From: "x"}},
		{"of", &Key{Op: OpInception, Key: did, Of: &one}},
		{"next", &Key{Op: OpRecovery, Key: did}},
		{"next", &Key{Op: OpIntroduce, Key: did, Next: zeros}},
	} {
		h := newScene(t, someone(1)).header(someone(1), noon)
		if _, err := New(h, tt.body); !names(err, tt.field) || !errors.Is(err, ErrInvalid) {
			t.Errorf("%s %+v: %v, want an error of %s", tt.body.kind(), tt.body, err, tt.field)
		}
	}
}
