package folder_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/engine/enginetest"
	"github.com/stemma-memory/stemma/memory"
)

// derivable are the kinds that are revised: all but raw words.
func derivable() []memory.Kind {
	return slices.DeleteFunc(slices.Clone(memory.Memories()), func(k memory.Kind) bool { return k == memory.KindRaw })
}

// sayable are values of members of which not every text is one.
var sayable = map[string][2]string{
	"episode outcome_type": {"failure", "partial"}, "note type": {"decision", "insight"},
	"belief type":       {"opinion", "principle"},
	"relationship type": {"agent", "person"}, "goal type": {"milestone", "habit"},
	"valid_from": {"2026-01-01", "2026-02-02"}, "valid_until": {"2027-01-01", "2027-02-02"},
	"files": {"a.go#A", "a.go#B"}, "urls": {"https://example.com/old", "https://example.com/new"},
}

// put says a member of a Draft or a Meta: the first of its values, or the second.
func put(of any, kind memory.Kind, name string, second int) {
	v := reflect.ValueOf(of).Elem()
	for i := range v.NumField() {
		member, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		if member != name {
			continue
		}
		text := []string{"the first " + name, "another " + name}[second]
		for _, key := range []string{string(kind) + " " + name, name} {
			if w, ok := sayable[key]; ok {
				text = w[second]
				break
			}
		}
		number, whole := []float64{0.25, 0.75}[second], 30+second
		switch f := v.Field(i); f.Interface().(type) {
		case string:
			f.SetString(text)
		case []string:
			f.Set(reflect.ValueOf([]string{text}))
		case *float64:
			f.Set(reflect.ValueOf(&number))
		case *int:
			f.Set(reflect.ValueOf(&whole))
		}
	}
}

// metaMembers are those of a Meta that a memory keeps.
var metaMembers = []string{"confidence", "tags", "about", "valid_from", "valid_until", "trigger", "files", "urls"}

// full returns a draft and a meta in which every member is said that the kind has.
func full(kind memory.Kind) (api.Draft, api.Meta) {
	d, m := api.Draft{Kind: string(kind)}, api.Meta{}
	for _, name := range enginetest.MembersOf(kind) {
		put(&d, kind, name, 0)
	}
	for _, name := range metaMembers {
		put(&m, kind, name, 0)
	}
	return d, m
}

// leaves are the members of a record's body and header, each with its value as JSON. What
// every record has of its own is left out: nothing else is, so that a member that comes
// later is compared too.
func leaves(t *testing.T, r *memory.Record) map[string]string {
	t.Helper()
	out := make(map[string]string)
	var walk func(at string, v any)
	walk = func(at string, v any) {
		if m, ok := v.(map[string]any); ok {
			for name, v := range m {
				walk(at+"."+name, v)
			}
			return
		}
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		out[at] = string(b)
	}
	for at, part := range map[string]any{"header": r.Header, "body": r.Body} {
		b, err := json.Marshal(part)
		if err != nil {
			t.Fatal(err)
		}
		var v any
		if err := json.Unmarshal(b, &v); err != nil {
			t.Fatal(err)
		}
		walk(at, v)
	}
	for _, own := range []string{
		"at", "nonce", "recalled", "session", "author", "delegation", "origin",
		"provenance.via", "provenance.from", "provenance.supersedes", "provenance.context", "provenance.run",
	} {
		delete(out, "header."+own)
	}
	return out
}

// changed names the leaves in which two records differ.
func changed(a, b map[string]string) []string {
	var names []string
	for name := range maps.Keys(a) {
		if a[name] != b[name] {
			names = append(names, name)
		}
	}
	for name := range maps.Keys(b) {
		if _, ok := a[name]; !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// ownersAt opens a store for a person, in a directory with code to speak of.
func ownersAt(t *testing.T, spec string) *engine.Engine {
	t.Helper()
	dir := t.TempDir()
	code := "package a\n\nfunc A() int { return 1 }\n\nfunc B() int { return 2 }\n"
	if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte(code), 0o600); err != nil {
		t.Fatal(err)
	}
	return open(t, spec, engine.Config{Origin: memory.OriginOwner, Dir: dir, Root: dir})
}

// A way says a memory again, or gives no ref where it has no words for what is asked.
var waysToRevise = map[string]func(*testing.T, *engine.Engine, string, api.ReviseRequest) (string, error){
	"revise": func(t *testing.T, e *engine.Engine, ref string, in api.ReviseRequest) (string, error) {
		in.Ref = ref
		r, err := e.Revise(t.Context(), in)
		return r.Ref, err
	},
	"merge": func(t *testing.T, e *engine.Engine, ref string, in api.ReviseRequest) (string, error) {
		kind, _, _ := strings.Cut(ref, ":")
		in.Ref, in.Merge = ref, []string{add(t, e, kind, "what is merged into it")}
		r, err := e.Revise(t.Context(), in)
		return r.Ref, err
	},
	"edit": func(t *testing.T, e *engine.Engine, ref string, in api.ReviseRequest) (string, error) {
		if len(enginetest.MembersSaid(in.Draft)) != 1 || in.Text == "" || len(enginetest.MembersSaid(in.Meta)) > 0 {
			return "", nil // edits say words alone
		}
		r, err := e.EditSuggestion(t.Context(), api.SuggestionRequest{Ref: ref, Text: in.Text})
		if err != nil {
			return "", err
		}
		return r.Memory.Ref, nil
	},
}

// One member is named and nothing else changes, for every member of every kind.
func TestRevisionsKeepWhatIsNotNamed(t *testing.T) {
	for how, say := range waysToRevise {
		for _, kind := range derivable() {
			t.Run(how+"/"+string(kind), func(t *testing.T) {
				t.Parallel()
				e := ownersAt(t, "mem")
				for _, name := range slices.Concat(enginetest.MembersOf(kind), metaMembers) {
					t.Run(name, func(t *testing.T) {
						d, m := full(kind)
						old, err := e.Add(t.Context(), api.AddRequest{Draft: d, Meta: m})
						if err != nil {
							t.Fatal(err)
						}
						in := api.ReviseRequest{}
						if slices.Contains(metaMembers, name) {
							put(&in.Meta, kind, name, 1)
						} else {
							put(&in.Draft, kind, name, 1)
						}
						ref, err := say(t, e, old.Ref, in)
						if err != nil {
							t.Fatal(err)
						}
						if ref == "" {
							return
						}
						before, after := enginetest.RecordOf(t, e, old.Ref), enginetest.RecordOf(t, e, ref)
						if diff := changed(leaves(t, before), leaves(t, after)); len(diff) != 1 {
							t.Errorf("%s was named, and changed are %q\n%v\n%v", name, diff, leaves(t, before), leaves(t, after))
						}
					})
				}
			})
		}
	}
}

// What is cleared is as if it had never been said, and nothing else changes.
func TestRevisionsClearWhatIsNamed(t *testing.T) {
	e := ownersAt(t, "mem")
	for _, kind := range derivable() {
		for _, name := range slices.Concat(enginetest.MembersOf(kind), metaMembers) {
			d, m := full(kind)
			old, err := e.Add(t.Context(), api.AddRequest{Draft: d, Meta: m})
			if err != nil {
				t.Fatal(err)
			}
			in := api.ReviseRequest{Ref: old.Ref, Clear: []string{name}}
			required := name == "text" || name == "name"
			if name == "valence" || name == "arousal" {
				in.Clear = []string{"valence", "arousal"}
			}
			r, err := e.Revise(t.Context(), in)
			if required || err != nil {
				if !required || err == nil || !strings.Contains(err.Error(), "cannot be without") {
					t.Errorf("%s: clear %s: %v", kind, name, err)
				}
				continue
			}
			diff := changed(leaves(t, enginetest.RecordOf(t, e, old.Ref)), leaves(t, enginetest.RecordOf(t, e, r.Ref)))
			if len(diff) != len(in.Clear) {
				t.Errorf("%s: %s was cleared, and changed are %q", kind, name, diff)
			}
		}
	}
	belief := add(t, e, "belief", "herons nest in May")
	for _, bad := range []struct {
		in   api.ReviseRequest
		want string
	}{
		{api.ReviseRequest{}, "say what changes"},
		{api.ReviseRequest{Meta: api.Meta{Approve: true}}, "say what changes"},
		{
			api.ReviseRequest{Clear: []string{"steps"}},
			"a belief has no member steps; what can be cleared: type, confidence, tags",
		},
		{
			api.ReviseRequest{Clear: []string{"tag"}, Meta: api.Meta{Tags: []string{"x"}}},
			"tags is given and cleared at once",
		},
		{api.ReviseRequest{Draft: api.Draft{Steps: []string{"x"}}}, "steps: a belief has no such field"},
	} {
		bad.in.Ref = belief
		if _, err := e.Revise(t.Context(), bad.in); err == nil || !strings.Contains(err.Error(), bad.want) {
			t.Errorf("%+v: %v, want %q", bad.in, err, bad.want)
		}
	}
}

// A merge has what either had: entries of lists from both, and what the first left empty
// from the second.
func TestAMergeLosesNothing(t *testing.T) {
	e := ownersAt(t, "mem")
	for _, kind := range derivable() {
		d, m := full(kind)
		m.Tags, m.About = []string{"one"}, []string{"One"}
		a, err := e.Add(t.Context(), api.AddRequest{Draft: d, Meta: m})
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range enginetest.MembersOf(kind) {
			put(&d, kind, name, 1)
		}
		m.Tags, m.About = []string{"two"}, []string{"Two"}
		b, err := e.Add(t.Context(), api.AddRequest{Draft: d, Meta: m})
		if err != nil {
			t.Fatal(err)
		}
		both := api.ReviseRequest{Ref: a.Ref, Merge: []string{b.Ref}, Draft: api.Draft{Text: "both"}}
		r, err := e.Revise(t.Context(), both)
		if err != nil {
			t.Fatal(err)
		}
		first, second := leaves(t, enginetest.RecordOf(t, e, a.Ref)), leaves(t, enginetest.RecordOf(t, e, b.Ref))
		merged := leaves(t, enginetest.RecordOf(t, e, r.Ref))
		for name, value := range merged {
			var from [2][]any
			var has []any
			if json.Unmarshal([]byte(first[name]), &from[0]) != nil || json.Unmarshal([]byte(second[name]), &from[1]) != nil {
				continue // no list
			}
			if err := json.Unmarshal([]byte(value), &has); err != nil {
				t.Fatal(err)
			}
			for _, entry := range slices.Concat(from[0], from[1]) {
				if !slices.ContainsFunc(has, func(v any) bool { return reflect.DeepEqual(v, entry) }) {
					t.Errorf("%s: %s of the merge is %s: %v is lost", kind, name, value, entry)
				}
			}
		}
		sparse := add(t, e, string(kind), "says little")
		all := api.ReviseRequest{Ref: sparse, Merge: []string{r.Ref}, Draft: api.Draft{Text: "all"}}
		r, err = e.Revise(t.Context(), all)
		if err != nil {
			t.Fatal(err)
		}
		for name, value := range leaves(t, enginetest.RecordOf(t, e, r.Ref)) {
			if value == `""` || value == "null" {
				t.Errorf("%s: %s was said in one of the two and is empty", kind, name)
			}
		}
	}
}

// What marks said of a memory is said of its revision.
func TestRevisionsKeepWhatMarksSaid(t *testing.T) {
	e := ownersAt(t, "mem")
	ctx := t.Context()
	goal := add(t, e, "goal", "ship the importer")
	drive := add(t, e, "drive", "curiosity")
	belief := add(t, e, "belief", "herons nest in May")
	playbook := add(t, e, "playbook", "roll back")
	for _, do := range []func() error{
		func() error {
			_, err := e.GoalStatus(ctx, api.GoalStatusRequest{Ref: goal, Status: "achieved"})
			return err
		},
		func() error {
			_, err := e.GoalProgress(ctx, api.GoalProgressRequest{Ref: goal, Progress: "100%"})
			return err
		},
		func() error { _, err := e.DriveSatisfy(ctx, api.DriveSatisfyRequest{Ref: drive}); return err },
		func() error { return enginetest.SignMark(ctx, e, "protect", "", belief) },
		func() error {
			_, err := e.PlaybookOutcome(ctx, api.PlaybookOutcomeRequest{Ref: playbook, Outcome: "success"})
			return err
		},
	} {
		if err := do(); err != nil {
			t.Fatal(err)
		}
	}
	show := func(ref string) api.Memory {
		t.Helper()
		r, err := e.Show(ctx, api.RefRequest{Ref: ref})
		if err != nil {
			t.Fatal(err)
		}
		return r.Memory
	}
	for _, ref := range []string{goal, drive, belief, playbook} {
		before := marked(show(ref))
		for i := range 2 { // and of what revises that
			ref = revise(t, e, ref, fmt.Sprintf("said anew, %d", i))
		}
		if after := marked(show(ref)); after != before {
			t.Errorf("%s: before %s, after %s", ref, before, after)
		}
	}
}

// marked says what marks said of a memory.
func marked(m api.Memory) string {
	b, err := json.Marshal([]any{m.Status, m.Progress, m.Protected, m.Uses, m.Successes, m.Intensity, m.SuccessRate})
	if err != nil {
		panic(err)
	}
	return string(b)
}

// A doubtful belief stays doubtful when a typo in it is mended.
func TestAMendedTypoRaisesNothing(t *testing.T) {
	e := ownersAt(t, "mem")
	doubt := 0.2
	r, err := e.Add(t.Context(), api.AddRequest{
		Draft: api.Draft{Kind: "belief", Text: "herons nset in May"}, Meta: api.Meta{Confidence: &doubt},
	})
	if err != nil {
		t.Fatal(err)
	}
	ref := revise(t, e, r.Ref, "herons nest in May")
	if got := enginetest.RecordOf(t, e, ref).Header.Confidence; got != 200 {
		t.Errorf("the confidence is %d thousandths, want 200", got)
	}
}

// What is in quarantine comes out of it by a release, and not by being said again.
func TestNoRevisionOutOfQuarantine(t *testing.T) {
	e := ownersAt(t, "mem")
	belief := add(t, e, "belief", "herons nest in May")
	if _, err := e.Quarantine(t.Context(), api.QuarantineRequest{Target: belief}); err != nil {
		t.Fatal(err)
	}
	in := api.ReviseRequest{Ref: belief, Meta: api.Meta{Tags: []string{"birds"}}}
	if _, err := e.Revise(t.Context(), in); !errors.Is(err, api.ErrConflict) {
		t.Errorf("revised in quarantine: %v", err)
	}
	other := add(t, e, "belief", "herons nest in spring")
	in = api.ReviseRequest{Ref: other, Merge: []string{belief}, Draft: api.Draft{Text: "herons nest early"}}
	if _, err := e.Revise(t.Context(), in); !errors.Is(err, api.ErrConflict) {
		t.Errorf("merged out of quarantine: %v", err)
	}
}

// What an agent proposes for its owner's memory has all fields of it but the named one.
func TestProposalsKeepWhatIsNotNamed(t *testing.T) {
	spec, keys := filepath.Join(t.TempDir(), "memory.db"), filepath.Join(t.TempDir(), "keys")
	owner := open(t, spec, engine.Config{KeyDir: keys, Origin: memory.OriginOwner})
	agent := open(t, spec, engine.Config{KeyDir: keys})
	for _, kind := range derivable() {
		d, m := full(kind)
		m.Files = nil
		old, err := owner.Add(t.Context(), api.AddRequest{Draft: d, Meta: m})
		if err != nil {
			t.Fatal(err)
		}
		r, err := agent.Revise(t.Context(), api.ReviseRequest{Ref: old.Ref, Draft: api.Draft{Text: "in other words"}})
		if err != nil {
			t.Fatal(err)
		}
		diff := changed(leaves(t, enginetest.RecordOf(t, agent, old.Ref)), leaves(t, enginetest.RecordOf(t, agent, r.Ref)))
		if r.Link == "" || len(diff) != 1 {
			t.Errorf("%s: the words were named, and changed are %q (link %q)", kind, diff, r.Link)
		}
	}
}

// A word is changed in a file, or a section taken out, and nothing else of the memory changes.
func TestEditedFilesKeepTheRest(t *testing.T) {
	e := ownersAt(t, filepath.Join(t.TempDir(), "memory.db"))
	dir := filepath.Join(t.TempDir(), "folder")
	for _, kind := range derivable() {
		d, m := full(kind)
		old, err := e.Add(t.Context(), api.AddRequest{Draft: d, Meta: m})
		if err != nil {
			t.Fatal(err)
		}
		exportTo(t, e, dir)
		path := file(t, dir, old.Ref)
		change(t, path, "\nthe first text", "\nother words")
		r := importFrom(t, e, dir)
		if len(r.Revised) != 1 {
			t.Fatalf("%s: %+v", kind, r)
		}
		before, after := leaves(t, enginetest.RecordOf(t, e, old.Ref)), leaves(t, enginetest.RecordOf(t, e, r.Revised[0]))
		if diff := changed(before, after); len(diff) != 1 {
			t.Errorf("%s: a word was changed in its file, and changed are %q\n%v\n%v", kind, diff, before, after)
		}
	}
	reason := add(t, e, "note", "kept")
	in := api.ReviseRequest{Ref: reason, Draft: api.Draft{Reason: "to be taken out", Speaker: "Ann"}}
	r, err := e.Revise(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	exportTo(t, e, dir)
	change(t, file(t, dir, r.Ref), "## Reason\n\nto be taken out\n", "")
	again := importFrom(t, e, dir)
	if len(again.Revised) != 1 {
		t.Fatalf("%+v", again)
	}
	diff := changed(leaves(t, enginetest.RecordOf(t, e, r.Ref)), leaves(t, enginetest.RecordOf(t, e, again.Revised[0])))
	if !slices.Equal(diff, []string{"body.reason"}) {
		t.Errorf("a section was taken out, and changed are %q", diff)
	}
}

// How sure we were is told from the first wording on, the same by every operation that
// tells it.
func TestConfidenceHistorySpansRevisions(t *testing.T) {
	e := ownersAt(t, "mem")
	ctx := t.Context()
	doubt := 0.4
	first, err := e.Add(ctx, api.AddRequest{
		Draft: api.Draft{Kind: "belief", Text: "herons nset in May"}, Meta: api.Meta{Confidence: &doubt},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Verify(ctx, api.VerifyRequest{Ref: first.Ref}); err != nil {
		t.Fatal(err)
	}
	other := add(t, e, "belief", "herons breed in May")
	in := api.ReviseRequest{Ref: first.Ref, Merge: []string{other}, Draft: api.Draft{Text: "herons nest in May"}}
	second, err := e.Revise(ctx, in)
	if err != nil {
		t.Fatal(err)
	}
	third := revise(t, e, second.Ref, "herons nest in spring")
	told, err := e.ConfidenceHistory(ctx, api.RefRequest{Ref: third})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range told.ConfidenceHistory {
		got = append(got, fmt.Sprintf("%s of %s: %v to %v", s.Kind, s.Of[:12], value(s.Before), s.After))
	}
	want := []string{
		fmt.Sprintf("created of %s: -1 to 0.4", first.Ref[:12]), fmt.Sprintf("verify of %s: 0.4 to 0.55", first.Ref[:12]),
		fmt.Sprintf("revised of %s: 0.55 to 0.55", second.Ref[:12]), fmt.Sprintf("revised of %s: 0.55 to 0.55", third[:12]),
	}
	if !slices.Equal(got, want) {
		t.Errorf("the history is %q, want %q", got, want)
	}
	p, err := e.Provenance(ctx, api.RefRequest{Ref: third})
	if err != nil || !reflect.DeepEqual(p.ConfidenceHistory, told.ConfidenceHistory) {
		t.Errorf("provenance tells %+v, %v, want the same", p.ConfidenceHistory, err)
	}
	x, err := e.Why(ctx, api.WhyRequest{Ref: third})
	if err != nil || !reflect.DeepEqual(x.ConfidenceHistory, told.ConfidenceHistory) {
		t.Errorf("explain tells %+v, %v, want the same", x.ConfidenceHistory, err)
	}
}

func value(f *float64) float64 {
	if f == nil {
		return -1
	}
	return *f
}
