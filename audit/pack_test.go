package audit

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/audit/report"
	"github.com/stemma-memory/stemma/memory"
)

const noteWords = "Orders are kept in PostgreSQL"

// packOf is a pack of one note, decided by a record, with the lines of a scene as its proofs.
func packOf(s *scene, note memory.Ref, decided memory.ID) string {
	var lines, zipped bytes.Buffer
	for _, l := range s.lines {
		lines.Write(append(bytes.TrimSuffix(l.raw, []byte("\n")), '\n'))
	}
	w := gzip.NewWriter(&zipped)
	must(w.Write(lines.Bytes()))
	if err := w.Close(); err != nil {
		s.Fatal(err)
	}
	proof := map[string]any{"span": "0-29"}
	review := ""
	if !decided.IsZero() {
		proof["decided"], review = memory.Ref{Kind: memory.KindMark, ID: decided}.String(), "approved"
	}
	return string(must(json.Marshal(map[string]any{
		"results": []any{map[string]any{
			"ref": note.String(), "id": note.ID.String(), "text": noteWords, "review": review, "proof": proof,
		}},
		"proofs": base64.StdEncoding.EncodeToString(zipped.Bytes()),
	})))
}

// An approval lifts a memory only if it is by a person who may decide about it.
func TestApprovalOfAPack(t *testing.T) {
	approve := func(note memory.Ref) *memory.Mark {
		return &memory.Mark{Of: &note, Verb: memory.Approve, Reason: "agreed"}
	}
	for name, tt := range map[string]struct {
		by   func(s *scene, owner, agent actor, note *memory.Record) memory.ID
		want string
		why  string
	}{
		"by the owner": {func(s *scene, owner, _ actor, note *memory.Record) memory.ID {
			return s.add(owner, approve(note.Ref())).ID
		}, hasNoPlace, "nothing shows"},
		"by the agent": {func(s *scene, _, agent actor, note *memory.Record) memory.ID {
			return s.add(agent, approve(note.Ref())).ID
		}, isChanged, "may not decide"},
		"by a stranger": {func(s *scene, _, _ actor, note *memory.Record) memory.ID {
			return s.add(s.owner(9, "Ada"), approve(note.Ref())).ID
		}, isChanged, "may not decide"},
		"by a stranger who writes into the space": {func(s *scene, owner, _ actor, note *memory.Record) memory.ID {
			thief := s.owner(9, "Ada")
			thief.space = owner.space
			return s.add(thief, approve(note.Ref())).ID
		}, isChanged, "may not decide"},
		"by nobody known": {func(s *scene, _, _ actor, note *memory.Record) memory.ID {
			return s.add(someone(9), approve(note.Ref())).ID
		}, isChanged, "unknown_key"},
		"of another": {func(s *scene, owner, agent actor, _ *memory.Record) memory.ID {
			other := s.add(agent, &memory.Note{Type: "decision", Summary: "Something else"})
			return s.add(owner, approve(other.Ref())).ID
		}, isChanged, "about another"},
		"a rejection": {func(s *scene, owner, _ actor, note *memory.Record) memory.ID {
			of := note.Ref()
			return s.add(owner, &memory.Mark{Of: &of, Verb: memory.Reject}).ID
		}, isChanged, "says reject"},
		"none": {func(*scene, actor, actor, *memory.Record) memory.ID {
			return memory.ID{1}
		}, isChanged, "not among the proofs"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t)
			owner := s.owner(1, "Ada")
			agent := s.agent(owner, 2, noon.AddDate(1, 0, 0))
			note := s.add(agent, &memory.Note{Type: "decision", Summary: noteWords})
			pack := packOf(s, note.Ref(), tt.by(s, owner, agent, note))
			got, err := Pack(context.Background(), strings.NewReader(pack), nil, Options{})
			if err != nil {
				t.Fatal(err)
			}
			e := got.Entries[0]
			if e.Status != tt.want || !strings.Contains(e.Why, tt.why) {
				t.Errorf("%s: %s", e.Status, e.Why)
			}
			if tt.want == isChanged && (e.Words != "" || got.Exit() != report.ExitFailed) {
				t.Errorf("exit %d, words %q", got.Exit(), e.Words)
			}
			of, err := Pack(context.Background(), strings.NewReader(pack), strings.NewReader(noteWords+"."), Options{})
			if err != nil || of.Sentences[0].Rests != (tt.want != isChanged) {
				t.Errorf("%+v: %v", of.Sentences, err)
			}
		})
	}
}

// What a model got says that a memory is approved in its mark.
func TestApprovalInAMark(t *testing.T) {
	s := newScene(t)
	owner := s.owner(1, "Ada")
	note := s.add(owner, &memory.Note{Type: "decision", Summary: noteWords})
	pack := packOf(s, note.Ref(), memory.ID{})
	for mark, want := range map[string]string{"weak": hasNoPlace, "weak; approved": isChanged} {
		short := strings.Replace(pack, `"id":"`+note.ID.String()+`"`, `"mark":"`+mark+`"`, 1)
		short = strings.ReplaceAll(short, note.Ref().String(), note.Ref().Short())
		got, err := Pack(context.Background(), strings.NewReader(short), nil, Options{})
		if err != nil || got.Entries[0].Status != want {
			t.Errorf("%s: %+v: %v", mark, got.Entries, err)
		}
	}
}

func TestNoPack(t *testing.T) {
	s := newScene(t)
	note := s.add(s.owner(1, "Ada"), &memory.Note{Type: "decision", Summary: noteWords})
	good := packOf(s, note.Ref(), memory.ID{})
	for name, tt := range map[string]struct{ pack, why string }{
		"words":            {"Dear Ada,\n", "not a pack: no JSON"},
		"nothing":          {"", "not a pack: no JSON"},
		"another JSON":     {`{"a":1}`, "it has no results"},
		"a list":           {`[]`, "it has no results"},
		"a bundle":         {string(s.lines[0].raw), "a bundle, not a pack"},
		"no proofs":        {`{"results":[]}`, "has no proofs"},
		"a member twice":   {strings.Replace(good, `"text"`, `"text":"other","text"`, 1), `twice: "text"`},
		"in another case":  {strings.Replace(good, `"text"`, `"TEXT":"other","text"`, 1), `twice: "text"`},
		"more behind":      {good + "{}", "text after the JSON"},
		"deep":             {strings.Repeat("[", 100), "too deep"},
		"cut":              {good[:len(good)/2], "no JSON"},
		"no base64":        {`{"results":[],"proofs":"*"}`, "no base64"},
		"not gzipped":      {`{"results":[],"proofs":"AAAA"}`, "not gzipped"},
		"gzipped in part":  {`{"results":[],"proofs":"H4sIAAAAAAAA/w=="}`, "they end early"},
		"proofs of no one": {`{"results":[],"proofs":""}`, "has no proofs"},
	} {
		if _, err := Pack(context.Background(), strings.NewReader(tt.pack), nil, Options{}); err == nil ||
			!strings.Contains(err.Error(), tt.why) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Pack(context.Background(), strings.NewReader(good), strings.NewReader(strings.Repeat("a", 4<<20+1)),
		Options{}); err == nil || !strings.Contains(err.Error(), "more than 4 MiB") {
		t.Error(err)
	}
}
