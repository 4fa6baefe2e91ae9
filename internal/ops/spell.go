package ops

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// Other systems' prompts and programs name the members of requests in their own way: a
// ref in one or in two members, several tags in a list. What they say is put in our words
// before it is read, and nothing else is guessed: what stays unknown is refused.

// A spelling is a request on its way into our words.
type spelling struct {
	op      Op
	members []string                   // that the request has here
	in      map[string]json.RawMessage // as it came; what is understood is taken out
	out     map[string]json.RawMessage
}

// Spelled returns a request in our words. One that already is comes back as it is.
func (o Op) Spelled(raw []byte) ([]byte, error) {
	var in map[string]json.RawMessage
	if json.Unmarshal(raw, &in) != nil {
		if o.usedName == "" || len(bytes.TrimSpace(raw)) > 0 {
			return raw, nil // reading it says what is wrong
		}
	}
	if in == nil {
		in = make(map[string]json.RawMessage)
	}
	changed, err := o.Spell(in)
	switch {
	case err != nil:
		return nil, err
	case !changed:
		return raw, nil
	}
	return json.Marshal(in)
}

// Spell puts the members of a request in our words. changed is false where they were.
func (o Op) Spell(in map[string]json.RawMessage) (changed bool, err error) {
	s := spelling{op: o, members: membersOf(o.In), in: in, out: make(map[string]json.RawMessage)}
	for _, say := range []func(*spelling) error{(*spelling).refs, (*spelling).tags, (*spelling).asked,
		(*spelling).created, (*spelling).tracked, (*spelling).holds, (*spelling).detected, (*spelling).reputed,
		(*spelling).reasoned} {
		if err := say(&s); err != nil {
			return false, err
		}
	}
	maps.Copy(in, s.out)
	return len(s.out) > 0, nil
}

// reasoned reads why and reason as one where a request has one of them, and both where it has notes. Why a memory is
// revised is what prompted the revision: its reason is one of its fields.
func (s *spelling) reasoned() error {
	ours := "reason"
	switch {
	case s.op.Name == "revise":
		ours = "trigger"
	case s.has("why"):
		ours = "why"
	case !s.has("reason"):
		ours = "notes"
	}
	for _, name := range []string{"why", "reason"} {
		if s.has(name) || !s.has(ours) {
			continue
		}
		text, given, err := s.text(name)
		if err == nil && given {
			err = s.put(name, ours, text)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// has reports whether the request has a member here.
func (s *spelling) has(name string) bool { return slices.Contains(s.members, name) }

// text takes a member that is a text.
func (s *spelling) text(name string) (text string, given bool, err error) {
	raw, given := s.in[name]
	if !given || string(raw) == "null" {
		return "", false, nil
	}
	if json.Unmarshal(raw, &text) != nil {
		return "", true, fmt.Errorf("%s: must be text", name)
	}
	delete(s.in, name)
	return text, true, nil
}

// list takes a member that is a list of texts, or one.
func (s *spelling) list(name string) (list []string, given bool, err error) {
	raw, given := s.in[name]
	var one string
	switch {
	case !given || string(raw) == "null":
		return nil, false, nil
	case json.Unmarshal(raw, &one) == nil:
		list = []string{one}
	case json.Unmarshal(raw, &list) != nil:
		return nil, true, fmt.Errorf("%s: must be a list of texts", name)
	}
	delete(s.in, name)
	return list, true, nil
}

// put says what a member of theirs is in ours.
func (s *spelling) put(theirs, ours string, v any) error {
	_, given := s.in[ours]
	if _, twice := s.out[ours]; given || twice {
		return fmt.Errorf("%s: means the same as %s; give one of them", theirs, ours)
	}
	raw, err := json.Marshal(v)
	s.out[ours] = raw
	return err
}

// refs reads the names that a ref has elsewhere: memory_ref, memory_type with memory_id,
// belief_id and its like, or the memory itself.
func (s *spelling) refs() error {
	put := func(theirs, ref string) error {
		switch {
		case s.has("ref"):
			return s.put(theirs, "ref", ref)
		case s.has("refs"):
			return s.put(theirs, "refs", []string{ref})
		case s.op.Name == "promote":
			return s.put(theirs, "from", []string{ref})
		}
		return s.put(theirs, "episode", ref)
	}
	if !s.has("ref") && !s.has("refs") && !s.has("episode") && s.op.Name != "promote" {
		return nil
	}
	for _, name := range []string{"memory_ref", "anchor"} {
		if s.has(name) || name == "anchor" && s.op.Name != "check_anchors" {
			continue
		}
		ref, given, err := s.text(name)
		if err == nil && given {
			err = put(name, ref)
		}
		if err != nil {
			return err
		}
	}
	if raw, given := s.in["memory"]; given && !s.has("memory") {
		var whole wholeRef
		if json.Unmarshal(raw, &whole) != nil {
			return fmt.Errorf("memory: must be a ref, or a memory with its ref")
		}
		delete(s.in, "memory")
		if err := put("memory", whole.Ref); err != nil {
			return err
		}
	}
	kind, typeGiven, err := s.text("memory_type")
	if err != nil {
		return err
	}
	id, given, err := s.text("memory_id")
	switch {
	case err != nil:
		return err
	case given:
		if err := put("memory_id", typed(kind, id)); err != nil {
			return err
		}
	case typeGiven:
		return fmt.Errorf("memory_type: needs memory_id beside it")
	}
	for _, kind := range memory.Memories() {
		name := string(kind) + "_id"
		if s.has(name) {
			continue
		}
		id, given, err := s.text(name)
		if err == nil && given {
			err = put(name, typed(string(kind), id))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// typed puts the type before an id that does not have one.
func typed(kind, id string) string {
	if kind == "" || id == "" || strings.Contains(id, ":") {
		return id
	}
	return kind + ":" + id
}

// tags reads a list where one text holds several.
func (s *spelling) tags() error {
	if !s.has("tag") || s.has("tags") {
		return nil
	}
	list, given, err := s.list("tags")
	if err != nil || !given {
		return err
	}
	for _, tag := range list {
		if strings.Contains(tag, ",") {
			return fmt.Errorf("tags: a tag to look for has no comma, got %q", shorten.To(tag, 80))
		}
	}
	return s.put("tags", "tag", strings.Join(list, ","))
}

// asked reads who is asked for a word.
func (s *spelling) asked() error {
	if s.op.Name != "ask_witness" {
		return nil
	}
	for _, name := range []string{"to", "agent_ids"} {
		if raw := bytes.TrimSpace(s.in[name]); name == "to" && !bytes.HasPrefix(raw, []byte("[")) {
			continue
		}
		list, given, err := s.list(name)
		switch {
		case err != nil:
			return err
		case given && len(list) == 0:
			return fmt.Errorf("%s: names nobody", name)
		case !given:
			continue
		}
		if err := s.put(name, "to", list[0]); err != nil {
			return err
		}
		if len(list) > 1 {
			if err := s.put(name, "also", list[1:]); err != nil {
				return err
			}
		}
	}
	return nil
}

// as is the operation as it is asked for by one of its names.
func (o Op) as(name string) Op {
	o.usedName = name
	spelled, do := o, o.Do
	o.Do = func(ctx context.Context, e *engine.Engine, request []byte) (any, error) {
		request, err := spelled.Spelled(request)
		if err != nil {
			return nil, api.Invalid("%s: %v", name, err)
		}
		return do(ctx, e, request)
	}
	return o
}

// membersOf returns the names of the members of a request.
func membersOf(t reflect.Type) []string {
	var out []string
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && f.Type.Kind() == reflect.Struct && name == "":
			out = append(out, membersOf(f.Type)...)
		case name != "" && name != "-":
			out = append(out, name)
		}
	}
	return out
}

// meant says of a member that a request does not have which one it may be, or which
// there are.
func meant(err error, t reflect.Type) string {
	_, quoted, unknown := strings.Cut(err.Error(), "there is no member ")
	var name string
	if !unknown || json.Unmarshal([]byte(quoted), &name) != nil {
		return ""
	}
	members := membersOf(t)
	best, least := "", 0
	for _, m := range members {
		if edits, is := words.Slip(strings.ToLower(name), m); is && (best == "" || edits < least) {
			best, least = m, edits
		}
	}
	switch {
	case best != "":
		return "; did you mean " + best + "?"
	case len(members) == 0:
		return "; it has none"
	}
	slices.Sort(members)
	return "; it has " + strings.Join(slices.Compact(members), ", ")
}
