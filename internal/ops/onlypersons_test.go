package ops_test

import (
	"errors"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/ops"
)

// An agent approves nothing, by no operation: it is told that only a person may, and nothing is written. Each face
// answers with what the operation does.
func TestAnAgentApprovesNothing(t *testing.T) {
	for name, in := range map[string]func(s *scene) object{
		"approve": refsOf,
		"add":     func(*scene) object { return object{"kind": "note", "text": otherwise, "approve": true} },
		"promote": func(s *scene) object { return object{"from": []string{s.raw}, "text": otherwise, "approve": true} },
		"consolidate": func(s *scene) object {
			return object{"from": s.sources, "text": otherwise, "approve": true}
		},
		"revise":  refOf(object{"text": otherwise, "approve": true}),
		"correct": refOf(object{"text": otherwise, "approve": true}),
	} {
		s := play(t, byAgent, nil)
		before := s.must(s.person, "stats", object{})["records"]
		if reply, err := s.do(s.agent, name, in(s)); name == "correct" {
			if err == nil { // it has no such member
				t.Errorf("%s: %v, want it refused", name, reply)
			}
		} else if !errors.Is(err, api.ErrForbidden) {
			t.Errorf("%s: %v, %v, want that only a person may", name, reply, err)
		}
		if after := s.must(s.person, "stats", object{})["records"]; after != before {
			t.Errorf("%s: %v records, had %v", name, after, before)
		}
		if name == "correct" {
			continue
		}
		if _, err := s.do(s.person, name, in(s)); err != nil {
			t.Errorf("%s: a person gets %v", name, err)
		}
	}
	op, _ := ops.Find("approve")
	if len(op.Effects()) == 0 {
		t.Error("to approve has no effect")
	}
}
