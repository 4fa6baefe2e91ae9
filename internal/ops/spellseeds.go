package ops

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/memory"
)

// What the requests of the seeds, and of who uses their names, say in other members.

// created reads a memory of the provenance schema: a note unless it says otherwise, its
// words in a line that sums up and a body. They stay apart where the kind has both.
func (s *spelling) created() error {
	if s.op.Name != "add" || s.op.usedName != "create_memory" {
		return nil
	}
	if _, given := s.in["kind"]; !given {
		if err := s.put("type", "kind", memory.KindNote); err != nil {
			return err
		}
	}
	summary, given, err := s.text("summary")
	if err != nil {
		return err
	}
	var kind memory.Kind
	if raw, given := s.in["kind"]; given {
		_ = json.Unmarshal(raw, &kind) // what is no text is refused where it is read
	} else {
		kind = memory.KindNote
	}
	const details = "description" // what a draft says beyond its line
	apart := slices.ContainsFunc(kind.Form().Fields, func(f memory.Field) bool { return f.Name == details })
	body, more, err := s.text("body")
	if err != nil || !given && !more {
		return err
	}
	if summary = strings.TrimSpace(summary); strings.ContainsAny(summary, "\r\n") {
		return fmt.Errorf("summary: must be one line; the rest belongs into body")
	}
	if apart && summary != "" && strings.TrimSpace(body) != "" {
		if err := s.put("body", details, body); err != nil {
			return err
		}
		body = ""
	}
	return s.put("summary", "text", strings.TrimSpace(summary+"\n"+body))
}

// holds reads since and until as when a memory holds, where the request has no member of that name.
func (s *spelling) holds() error {
	for name, as := range map[string]string{"since": "valid_from", "until": "valid_until"} {
		if s.has(name) || !s.has(as) {
			continue
		}
		text, given, err := s.text(name)
		if err != nil {
			return err
		}
		if given {
			if s.out[as], err = json.Marshal(text); err != nil {
				return err
			}
		}
	}
	return nil
}

// tracked reads whether what is remembered is compared with what there is.
func (s *spelling) tracked() error {
	raw, given := s.in["track_evolution"]
	if !given || !s.has("no_evolution") {
		return nil
	}
	var is bool
	if json.Unmarshal(raw, &is) != nil {
		return fmt.Errorf("track_evolution: must be true or false")
	}
	delete(s.in, "track_evolution")
	return s.put("track_evolution", "no_evolution", !is)
}

// detected reads what is compared: the new one, and the older ones that are there. It waits for the answer.
func (s *spelling) detected() error {
	if s.op.Name != "compare" {
		return nil
	}
	var one wholeRef
	if raw, given := s.in["new_entity"]; given {
		if json.Unmarshal(raw, &one) != nil {
			return fmt.Errorf("new_entity: must be a ref, or a memory with its ref")
		}
		delete(s.in, "new_entity")
		if err := s.put("new_entity", "ref", one.Ref); err != nil {
			return err
		}
	}
	if raw, given := s.in["existing_entities"]; given {
		var all []wholeRef
		if json.Unmarshal(raw, &all) != nil {
			return fmt.Errorf("existing_entities: must be a list of refs, or of memories with their refs")
		}
		delete(s.in, "existing_entities")
		refs := make([]string, len(all))
		for i := range all {
			refs[i] = all[i].Ref
		}
		if err := s.put("existing_entities", "with", refs); err != nil {
			return err
		}
	}
	if _, given := s.in["wait"]; s.op.usedName == "detect" && !given {
		return s.put("wait", "wait", true)
	}
	return nil
}

// reputed reads whose record is asked for.
func (s *spelling) reputed() error {
	if s.op.Name != "reputation" {
		return nil
	}
	who, given, err := s.text("agent_id")
	if err != nil || !given {
		return err
	}
	return s.put("agent_id", "name", who)
}

// A wholeRef is a ref, or a memory that has one.
type wholeRef struct{ Ref string }

func (w *wholeRef) UnmarshalJSON(raw []byte) error {
	if json.Unmarshal(raw, &w.Ref) == nil {
		return nil
	}
	var whole struct{ Ref, Type, ID string }
	if err := json.Unmarshal(raw, &whole); err != nil {
		return err
	}
	if w.Ref = whole.Ref; w.Ref == "" && whole.ID != "" {
		w.Ref = typed(whole.Type, whole.ID)
	}
	return nil
}
