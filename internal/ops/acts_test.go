package ops_test

import (
	"encoding/json"
	"errors"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/ops"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
	"github.com/stemma-memory/stemma/memory"
)

// What the memory of an act says, and what other words say of the same.
const (
	said      = "We decided to use Kafka for events"
	otherwise = "Redis Streams carries the events now"
)

// The ways in which the memory of an act came to be what it is.
const (
	byAgent    = "an agent wrote it, and nobody decided"
	approved   = "an agent wrote it, and a person approved it"
	protected  = "an agent wrote it, and a person protected it"
	byPerson   = "a person wrote it"
	drafted    = "it was drafted of a person's words"
	rejected   = "a person rejected it"
	superseded = "a person replaced it"
	forgotten  = "a person forgot it"
)

var courses = []string{byAgent, approved, protected, byPerson, drafted, rejected, superseded, forgotten}

// A scene is a store with one memory, and those who act on it.
type scene struct {
	*testing.T
	person, agent *engine.Engine
	sources       []string // what the memory was concluded from
	raw           string   // a capture that says the same
	of            string   // the memory
}

type object = map[string]any

func (s *scene) do(e *engine.Engine, name string, in object) (object, error) {
	s.Helper()
	op, ok := ops.Find(name)
	if !ok {
		s.Fatalf("there is no operation %s", name)
	}
	request, err := json.Marshal(in)
	if err != nil {
		s.Fatal(err)
	}
	out, err := op.Do(s.Context(), e, request)
	if err != nil {
		return nil, err
	}
	return s.asObject(out), nil
}

func (s *scene) asObject(v any) (out object) {
	s.Helper()
	b, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(b, &out)
	}
	if err != nil {
		s.Fatal(err)
	}
	return out
}

func (s *scene) must(e *engine.Engine, name string, in object) object {
	s.Helper()
	out, err := s.do(e, name, in)
	if err != nil {
		s.Fatalf("%s %v: %v", name, in, err)
	}
	return out
}

// add writes another memory, by an agent.
func (s *scene) add(kind, text string) string {
	return s.must(s.agent, "add", object{"kind": kind, "text": text})["ref"].(string)
}

// isCurrent reports whether lists show a memory, a goal as active.
func (s *scene) isCurrent(ref string) bool {
	s.Helper()
	out, err := s.do(s.person, "show", object{"ref": ref})
	if err != nil {
		return false // purged
	}
	status, _ := out["status"].(string)
	return out["hidden"] == nil && (status == "" || status == "active")
}

// saying counts the current memories that say a text; those that ended do not count.
func (s *scene) saying(text string) (n int) {
	s.Helper()
	for _, kind := range []string{"belief", "note", "goal"} {
		list, _ := s.must(s.person, "list", object{"kind": kind, "limit": -1})["memories"].([]any)
		for _, it := range list {
			m := it.(object)
			if m["headline"] == text && m["valid_until"] == nil {
				n++
			}
		}
	}
	return n
}

// play opens a store and brings its memory on a course. by makes the memory; where it is nil, a conclusion.
func play(t *testing.T, course string, by func(*scene, *engine.Engine) string) *scene {
	t.Helper()
	dir, ticks := t.TempDir(), new(atomic.Int64)
	start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	e, err := engine.Open(t.Context(), "mem", engine.Config{
		Databases: sqlstore.Databases{},
		Origin:    memory.OriginOwner, KeyDir: filepath.Join(dir, "keys"),
		Now: func() time.Time { return start.Add(time.Duration(ticks.Add(1)) * time.Second) },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	s := &scene{T: t, person: e}
	if s.agent, err = e.As(core.Caller{Origin: memory.OriginAgent}); err != nil {
		t.Fatal(err)
	}
	s.sources = []string{s.add("note", "the design names Kafka"), s.add("note", "the broker is paid for")}
	s.raw = s.must(s.agent, "capture", object{"text": said})["ref"].(string)
	if by == nil {
		by = func(s *scene, e *engine.Engine) string {
			return s.must(e, "consolidate", object{"from": s.sources, "text": said})["ref"].(string)
		}
	}
	switch course {
	case byPerson:
		s.of = by(s, s.person)
	case drafted:
		made := s.must(s.person, "remember", object{"text": said})["memories"].([]any)
		s.of = made[0].(object)["ref"].(string)
	default:
		s.of = by(s, s.agent)
	}
	refs := object{"refs": []string{s.of}}
	switch course {
	case approved:
		s.must(s.person, "approve", refs)
	case protected:
		s.must(s.person, "protect", refs)
	case rejected:
		s.must(s.person, "reject", refs)
	case superseded:
		s.must(s.person, "revise", object{"ref": s.of, "text": "We decided against a broker"})
	case forgotten:
		s.must(s.person, "forget", refs)
	}
	return s
}

// A way is one operation with an effect on the memory of a scene.
type way struct {
	name    string // of the operation
	what    string // which of its ways
	made    func(*scene, *engine.Engine) string
	request func(*scene) object
	only    []string // the courses that there are for it; none is all
	not     []string // the courses for which it does something else
	persons bool     // no agent may use it at all
	byAgent bool     // only an agent can: to undo is to undo one's own
	asks    []string // the courses in which it asks a person to do something else first
	refuses []string // the courses in which it names the memory that is current instead
}

func refsOf(s *scene) object { return object{"refs": []string{s.of}} }

func refOf(more object) func(*scene) object {
	return func(s *scene) object {
		in := object{"ref": s.of}
		for name, v := range more {
			in[name] = v
		}
		return in
	}
}

func nothing(*scene) object { return object{} }

// aGoal makes the memory a goal.
func aGoal(s *scene, e *engine.Engine) string {
	return s.must(e, "add", object{"kind": "goal", "text": said})["ref"].(string)
}

// asRevision makes the memory the revision of another.
func asRevision(s *scene, e *engine.Engine) string {
	old := s.add("belief", "We use no broker")
	return s.must(e, "revise", object{"ref": old, "text": said})["ref"].(string)
}

// recovered makes the memory one that an agent forgot and brought back.
func recovered(s *scene, e *engine.Engine) string {
	ref := s.add("belief", said)
	s.must(e, "forget", object{"refs": []string{ref}})
	s.must(e, "recover", object{"refs": []string{ref}})
	return ref
}

// The ways of each effect. Undo takes back the last act of its author, and is there where that wrote the memory.
var ways = map[ops.Effect][]way{
	ops.TakesOut: {
		{name: "forget", request: refsOf, asks: []string{protected}},
		{name: "reject", request: refsOf},
		{name: "correct", what: "wrong", request: refOf(object{"is": "wrong"})},
		{name: "correct", what: "over", request: refOf(object{"is": "over"}),
			not: []string{rejected, superseded, forgotten}}, // what is no more is not over
		{name: "revise", what: "until now", request: refOf(object{"valid_until": "2026-01-02T03:04:05Z"}),
			not: []string{rejected, superseded, forgotten}},
		{name: "undo", what: "words", request: nothing, not: []string{byPerson, drafted}, byAgent: true},
		{name: "undo", what: "recovery", made: recovered, request: nothing, byAgent: true,
			only: []string{byAgent, approved, protected}},
		{name: "forget_run", request: func(*scene) object {
			return object{"threshold": 1000, "min_age": "0d", "include_approved": true}
		}, not: []string{protected, superseded, rejected, forgotten}}, // a run passes over them
		{name: "goal_status", made: aGoal, request: refOf(object{"status": "abandoned"}),
			not: []string{drafted, protected, superseded}},
		{name: "undo", what: "goal", made: aGoal, request: nothing, byAgent: true, only: []string{byAgent, approved}},
		{name: "quarantine", request: func(s *scene) object { return object{"target": s.of} }, persons: true},
		{name: "purge", request: refsOf, persons: true},
		{name: "reject_suggestion", request: refOf(nil), persons: true},
		{name: "distrust", request: func(*scene) object { return object{"key": "anyone"} }, persons: true, byAgent: true},
		{name: "key_revoke", request: func(*scene) object { return object{"key": "anyone"} }, persons: true, byAgent: true},
		{name: "resolve", request: refOf(object{"keep": "old"}), persons: true, byAgent: true},
	},
	ops.Replaces: {
		{name: "revise", request: refOf(object{"text": otherwise})},
		{name: "revise", what: "merge", request: func(s *scene) object {
			return object{"ref": s.add("belief", "Queues are queues"), "merge": []string{s.of}, "text": otherwise}
		}, not: []string{drafted}}, // of another kind
		{name: "correct", request: refOf(object{"text": otherwise})},
		{name: "remember", request: func(s *scene) object {
			return object{"text": otherwise, "replaces": []string{s.of}}
		}},
		{name: "undo", made: asRevision, request: nothing, only: []string{byAgent, approved, protected}, byAgent: true},
		{name: "edit_suggestion", request: refOf(object{"text": otherwise}), persons: true},
		{name: "resolve", request: refOf(object{"merge": otherwise}), persons: true, byAgent: true},
	},
	ops.Says: {
		{name: "remember", request: func(*scene) object { return object{"text": said} }},
		{name: "add", request: func(*scene) object { return object{"kind": "belief", "text": said} }},
		{name: "consolidate", request: func(s *scene) object { return object{"from": s.sources, "text": said} }},
		{name: "consolidate", what: "one", request: func(s *scene) object {
			return object{"from": s.sources[:1], "text": said}
		}},
		{name: "promote", request: func(s *scene) object {
			return object{"from": []string{s.raw}, "kind": "belief", "text": said}
		}},
		{name: "promote", what: "twice", made: func(s *scene, e *engine.Engine) string {
			return s.must(e, "promote", object{"from": []string{s.raw}, "kind": "belief", "text": said})["ref"].(string)
		}, request: func(s *scene) object {
			return object{"from": []string{s.raw}, "kind": "belief", "text": said}
		}, only: []string{rejected, superseded, forgotten}, refuses: []string{superseded}}, // the words are the old ones
		{name: "revise", request: func(s *scene) object {
			return object{"ref": s.add("belief", "Queues are queues"), "text": said}
		}},
		{name: "correct", request: func(s *scene) object {
			return object{"ref": s.add("belief", "Queues are queues"), "text": said}
		}},
		{name: "remember", what: "in place", request: func(s *scene) object {
			return object{"text": said, "replaces": []string{s.add("belief", "Queues are queues")}}
		}},
		{name: "process", request: func(s *scene) object {
			s.must(s.agent, "capture", object{"text": said + ".", "event": "user_prompt", "session": "one"})
			return object{}
		}},
		{name: "run_jobs", request: func(s *scene) object {
			s.must(s.agent, "capture", object{"text": said + ".", "event": "user_prompt", "session": "one"})
			s.must(s.agent, "process", object{"later": true})
			return object{}
		}},
		{name: "synthesize", only: []string{}}, // it says what a model says, as process does
	},
}

// What comes of an act.
const (
	done    = "done"
	left    = "left to a person, or proposed to one"
	refused = "refused, since another is meant"
	told    = "told that a person rejected it"
)

// What comes of each effect by an agent and by a person, and the words that say why not.
type outcome struct{ is, words string }

const persons = "a person's word, or approved by one"

var outcomes = map[ops.Effect]map[string][2]outcome{ // an agent's, a person's
	ops.TakesOut: {
		byAgent: {{done, ""}, {done, ""}}, approved: {{left, persons}, {done, ""}},
		protected: {{left, " is protected"}, {done, ""}}, byPerson: {{left, persons}, {done, ""}},
		drafted: {{left, persons}, {done, ""}}, rejected: {{done, ""}, {done, ""}},
		superseded: {{refused, " was superseded by "}, {done, ""}}, forgotten: {{done, ""}, {done, ""}},
	},
	ops.Replaces: {
		byAgent: {{done, ""}, {done, ""}}, approved: {{left, persons}, {done, ""}},
		protected: {{left, " is protected"}, {done, ""}}, byPerson: {{left, persons}, {done, ""}},
		drafted: {{left, persons}, {done, ""}}, rejected: {{done, ""}, {done, ""}},
		superseded: {{refused, " was superseded by "}, {refused, " was superseded by "}},
		forgotten:  {{done, ""}, {done, ""}},
	},
	ops.Says: {
		byAgent: {{done, ""}, {done, ""}}, approved: {{done, ""}, {done, ""}}, protected: {{done, ""}, {done, ""}},
		byPerson: {{done, ""}, {done, ""}}, drafted: {{done, ""}, {done, ""}}, superseded: {{done, ""}, {done, ""}},
		forgotten: {{done, ""}, {done, ""}}, rejected: {{told, ""}, {told, ""}},
	},
}

// came says what came of an act.
func (s *scene) came(effect ops.Effect, reply object, err error) outcome {
	text := ""
	if err != nil {
		text = err.Error()
	} else if b, err := json.Marshal(reply); err == nil {
		text = string(b)
	}
	words := func(of ...string) string {
		for _, w := range of {
			if strings.Contains(text, w) {
				return w
			}
		}
		return "not said why: " + text
	}
	now := s.isCurrent(s.of)
	switch {
	case strings.Contains(text, "was rejected by you on 2026-01-02") || strings.Contains(text, `"rejected_by":"you"`):
		if n := s.saying(said); n > 0 {
			return outcome{told, "and made all the same"}
		}
		return outcome{told, ""}
	case err != nil && errors.Is(err, api.ErrConflict) && !now && strings.Contains(text, " was superseded by "):
		return outcome{refused, " was superseded by "}
	case effect != ops.Says && now:
		if err != nil && !errors.Is(err, api.ErrForbidden) && !errors.Is(err, api.ErrConflict) {
			return outcome{"failed", text}
		}
		return outcome{left, words(persons, " is protected")}
	case err != nil:
		return outcome{"failed", text}
	case effect == ops.Says && s.saying(said) == 0:
		return outcome{"lost", text}
	}
	return outcome{done, ""}
}

// What a person forgot an agent brings back by no verb, and a person by each.
func TestForgottenStaysForgotten(t *testing.T) {
	for _, w := range []way{
		{name: "recover", request: refsOf},
		{name: "revise", request: refOf(object{"tags": []string{"events"}})},
		{name: "correct", request: refOf(object{"is": "over"})},
	} {
		s := play(t, forgotten, nil)
		_, err := s.do(s.agent, w.name, w.request(s))
		if !errors.Is(err, api.ErrForbidden) || !strings.Contains(err.Error(), "the owner decided about ") {
			t.Errorf("%s by an agent: %v, want that the owner decided", w.name, err)
		}
		if _, err := s.do(s.person, w.name, w.request(s)); err != nil {
			t.Errorf("%s by a person: %v", w.name, err)
		}
	}
}

// A person's decision is kept although an agent had said the same before.
func TestPersonSaysWhatAnAgentSaid(t *testing.T) {
	for _, verb := range []string{"forget", "reject"} {
		s := play(t, byAgent, nil)
		s.must(s.agent, verb, refsOf(s))
		if s.must(s.person, verb, refsOf(s))["claim"] == nil {
			t.Errorf("a person's %s is not kept", verb)
		}
		if _, err := s.do(s.agent, "undo", object{}); err != nil || s.isCurrent(s.of) {
			t.Errorf("an agent's undo of its %s brings back what a person decided: %v", verb, err)
		}
		if s.must(s.person, verb, refsOf(s))["claim"] != nil {
			t.Errorf("a person's %s is kept twice", verb)
		}
	}
	s := play(t, byAgent, nil)
	s.must(s.agent, "reject", refsOf(s))
	s.must(s.person, "reject", refsOf(s))
	reply, err := s.do(s.agent, "remember", object{"text": said})
	if got := s.came(ops.Says, reply, err); got != (outcome{told, ""}) {
		t.Errorf("said again: %q %q", got.is, got.words)
	}
}

// What a person rejected makes no memory by an import either, and what they forgot or replaced does.
func TestImportSaysAgain(t *testing.T) {
	for course, want := range map[string]int{rejected: 0, superseded: 1, forgotten: 1} {
		for _, agents := range []bool{true, false} {
			s := play(t, course, nil)
			e := s.person
			if agents {
				e = s.agent
			}
			var one iter.Seq2[api.Foreign, error] = func(yield func(api.Foreign, error) bool) {
				yield(api.Foreign{Alias: []string{"there:1"}, Body: &memory.Belief{Statement: said}}, nil)
			}
			r, err := e.Ingest(t.Context(), one, nil)
			if err != nil || len(r.Rejected) != 1-want || s.saying(said) != want {
				t.Errorf("import, %s: %+v, %v, %d memories, want %d", course, r, err, s.saying(said), want)
			}

			s = play(t, course, nil)
			if e = s.person; agents {
				e = s.agent
			}
			dir := t.TempDir()
			file := "---\nkind: belief\n---\n" + said + "\n"
			if err := os.WriteFile(filepath.Join(dir, "one.md"), []byte(file), 0o600); err != nil {
				t.Fatal(err)
			}
			f, err := e.ImportMarkdown(t.Context(), dir, nil)
			if err != nil || len(f.Added) != want || s.saying(said) != want ||
				want == 0 && !strings.Contains(strings.Join(f.Warnings, " "), "was rejected by you on 2026-01-02") {
				t.Errorf("Markdown, %s: %+v, %v, %d memories, want %d", course, f, err, s.saying(said), want)
			}
			if again, err := e.ImportMarkdown(t.Context(), dir, nil); err != nil || len(again.Added) > 0 ||
				strings.Contains(strings.Join(again.Warnings, " "), "rejected") {
				t.Errorf("Markdown, %s, once more: %+v, %v", course, again, err)
			}
		}
	}
}
