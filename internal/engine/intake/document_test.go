package intake_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/engine/intake"
)

// doc is a document of one sentence; more are further members.
func doc(id, says, more string) string {
	return fmt.Sprintf(
		`{"id":%q,"content":{"type":"insight","summary":%q},"provenance":{"author":{"agent_id":"Babel"},`+
			`"created_at":"2026-01-01T00:00:00Z"}%s}`+"\n",
		id, says, more,
	)
}

func derived(from ...string) string {
	return `,"lineage":{"derived_from":["` + strings.Join(from, `","`) + `"]}`
}

func importDocuments(t testing.TB, e *engine.Engine, docs ...string) api.IngestReply {
	t.Helper()
	r, err := e.ImportDocuments(t.Context(), strings.NewReader(strings.Join(docs, "")), nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// exported returns the documents of an export by their ids. The schema allows them.
func exported(t testing.TB, e *engine.Engine, refs ...string) map[string]map[string]any {
	t.Helper()
	var b bytes.Buffer
	if _, err := e.ExportDocuments(t.Context(), &b, api.DocumentsRequest{Refs: refs}); err != nil {
		t.Fatal(err)
	}
	schema, err := jsonschema.NewCompiler().Compile("../../../docs/schema/anamnesis-memory-v0.1.json")
	if err != nil {
		t.Fatal(err)
	}
	all := make(map[string]map[string]any)
	for dec := json.NewDecoder(&b); dec.More(); {
		var d map[string]any
		if err := dec.Decode(&d); err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(d); err != nil {
			t.Errorf("%v: %v", d["id"], err)
		}
		all[d["id"].(string)] = d
	}
	return all
}

// became returns the record that a document became.
func became(t testing.TB, e *engine.Engine, id string) string {
	t.Helper()
	held, err := e.Held(t.Context(), id)
	if err != nil || held[id].IsZero() {
		t.Fatalf("no record of document %s: %v", id, err)
	}
	return held[id].String()
}

// The seed's examples come in and leave as they came, but for their trust.
func TestDocumentsComeBack(t *testing.T) {
	files, err := filepath.Glob("../../anamnesis/testdata/examples/*.json")
	if err != nil || len(files) != 3 {
		t.Fatalf("examples: %v, %v", files, err)
	}
	onEach(t, func(t *testing.T, e *engine.Engine) {
		for _, name := range files {
			raw, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			first, again := importDocuments(t, e, string(raw)), importDocuments(t, e, string(raw))
			if first.Added != 1 || again.Added != 0 || again.AlreadyThere != 1 {
				t.Errorf("%s: added %d, then %d with %d present, want 1, 0 and 1",
					name, first.Added, again.Added, again.AlreadyThere)
			}
			var want map[string]any
			if err := json.Unmarshal(raw, &want); err != nil {
				t.Fatal(err)
			}
			got := exported(t, e)[want["id"].(string)]
			if score := got["trust"].(map[string]any)["score"]; score != 0.0 {
				t.Errorf("%s: score %v, want 0: nobody here confirms it", name, score)
			}
			delete(got, "trust")
			delete(want, "trust")
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s gives\n%v\nwant\n%v", name, got, want)
			}
		}
	})
}

// What the importer is called, where he runs and what he is doing is not the
// document's, and what it does not say stays unsaid.
func TestDocumentsSayNothingOfTheImporter(t *testing.T) {
	e := open(t, "mem", engine.Config{Agent: "me", Platform: "here", Session: "now"})
	importDocuments(t, e, doc("a", "says little", `,"x":{"deep":[1]}`))
	got := exported(t, e)["a"]
	delete(got, "trust")
	want := map[string]any{
		"id": "a", "content": map[string]any{
			"type": "insight", "summary": "says little",
		}, "x": map[string]any{"deep": []any{1.0}},
		"provenance": map[string]any{"author": map[string]any{"agent_id": "Babel"}, "created_at": "2026-01-01T00:00:00Z"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// permutations returns every order of four things.
func permutations(of []string) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		for n := range 24 {
			rest, out := append([]string(nil), of...), []string{}
			for k := len(of); k > 0; k-- {
				i := n % k
				n /= k
				out = append(out, rest[i])
				rest = append(rest[:i], rest[i+1:]...)
			}
			if !yield(out) {
				return
			}
		}
	}
}

// One more than behind the deepest source, whatever the order in the file.
func TestChainDepth(t *testing.T) {
	docs := []string{
		doc("a", "the ground", ""), doc("b", "a step", derived("a")), doc("c", "a second step", derived("b")),
		doc("d", "of depths 0 and 2", derived("a", "c")),
	}
	for order := range permutations(docs) {
		e := open(t, "mem", engine.Config{})
		importDocuments(t, e, order...)
		got := exported(t, e)["d"]["lineage"]
		want := map[string]any{"derived_from": []any{"a", "c"}, "chain_depth": 3.0}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("lineage %v, want %v, in the order\n%s", got, want, strings.Join(order, ""))
		}
		tree, err := e.Trace(t.Context(), api.TraceRequest{Ref: became(t, e, "d"), Direction: "backward"})
		if err != nil || len(tree.Backward.Sources) != 2 {
			t.Fatalf("trace of d = %v, %v, want two sources", tree.Backward, err)
		}
	}
	// what a source claims counts, though what it came from is not held
	e := open(t, "mem", engine.Config{})
	importDocuments(
		t, e, doc("a", "zero", `,"lineage":{"chain_depth":0}`),
		doc("c", "two", `,"lineage":{"derived_from":["gone"],"chain_depth":2}`),
	)
	importDocuments(t, e, doc("d", "of depths 0 and 2", derived("a", "c")))
	if got := exported(t, e)["d"]["lineage"].(map[string]any)["chain_depth"]; got != 3.0 {
		t.Errorf("chain_depth %v, want 3", got)
	}
}

// A file with something wrong in it changes nothing, and the error says where.
func TestBadDocumentsAreRefused(t *testing.T) {
	good := doc("good", "nothing wrong", "")
	tests := []struct{ name, file, want string }{
		{"a type of its own", good + strings.Replace(doc("b", "x", ""), "insight", "wish", 1), "document 2: content.type"},
		{"itself", good + doc("b", "x", derived("b")), "document 2 (b): lineage"},
		{"replaces itself", good + doc("b", "x", `,"lineage":{"supersedes":"b"}`), "document 2 (b): lineage"},
		{
			"a cycle",
			good + doc("b", "x", derived("c")) + doc("c", "y", derived("d")) + doc("d", "z", `,"lineage":{"supersedes":"b"}`),
			"b <- c <- d <- b",
		},
		{"a cycle with what is held", good + doc("new", "x", derived("held")), "held <- new <- held"},
		{"one id of two", good + doc("b", "x", "") + doc("b", "y", ""), "document 3 (b): id: document 2 has the same ID"},
		{
			"a witness of another kind",
			good + doc("b", "x", `,"witnesses":[{"agent_id":"w","attestation":"maybe"}]`),
			"document 2: witnesses[0].attestation",
		},
		{
			"too sure", good + strings.Replace(doc("b", "x", ""), `Z"}`, `Z","context":{"confidence":1.1}}`, 1),
			"document 2: provenance.context.confidence",
		},
		{
			"less than nothing",
			good + strings.Replace(doc("b", "x", ""), `Z"}`, `Z","context":{"confidence":-0.1}}`, 1),
			"document 2: provenance.context.confidence",
		},
		{"cut off", good + `{"id":"b"`, "document 2"},
		{"a secret", good + doc("b", "ghp_16C7e42F292c6912E7710c838347Ae178B4a", ""), "document 2 (b): summary"},
	}
	e := open(t, "mem", engine.Config{Secrets: engine.SecretsBlock})
	importDocuments(t, e, doc("held", "points at one to come", derived("new")))
	for _, tt := range tests {
		_, err := e.ImportDocuments(t.Context(), strings.NewReader(tt.file), nil)
		if !isInvalid(err) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want an error with %q", tt.name, err, tt.want)
		}
		if held, err := e.Held(t.Context(), "good"); err != nil || len(held) > 0 {
			t.Errorf("%s: stored %v, %v", tt.name, held, err)
		}
	}
}

// A document that claims full trust and brings its own witnesses and anchors is what
// any words of a stranger are.
func TestClaimedTrustIsNotBelieved(t *testing.T) {
	e := open(t, "mem", engine.Config{})
	witness := `{"agent_id":"w","attestation":"confirm","signature":"AAAA"}`
	importDocuments(t, e, doc("a", "trust me",
		`,"trust":{"score":1.0,"factors":{"author_reputation":1,"witness_count":3}},"witnesses":[`+
			witness+","+witness+","+witness+`],"anchors":[{"type":"url","reference":"https://example.com/","hash":"00"}]`))
	got, err := e.Trust(t.Context(), api.RefRequest{Ref: became(t, e, "a")})
	if err != nil || got.Score != 0 || got.Level != "unverified" || got.Actionable || !got.Tainted {
		t.Errorf(
			"trust = %v %s, actionable %v, tainted %v, %v; want 0 unverified, tainted", got.Score, got.Level,
			got.Actionable, got.Tainted, err,
		)
	}
	back := exported(t, e)["a"]
	if n := len(back["witnesses"].([]any)); n != 3 {
		t.Errorf("gives back %d witnesses, want the 3 it came with", n)
	}
	trust := back["trust"].(map[string]any)
	factors := trust["factors"].(map[string]any)
	if trust["score"] != 0.0 || factors["author_reputation"] != 0.0 || factors["witness_count"] != 0.0 {
		t.Errorf("exports trust %v, want nothing of what it claimed", trust)
	}
}

// A stranger's document can say that it came of words captured here, and that it
// replaces what is known here: neither makes it more than it is.
func TestDocumentsClaimNothingOfOurs(t *testing.T) {
	p := newPeople(t)
	e := p.Agent
	raw := capture(t, e, "the deploy failed at nine")
	belief := consolidate(t, e, "deploys fail at nine", raw)
	note := add(t, e, "note", "nothing is behind this")
	mem := func(ref string) string { return "mem_" + ref[strings.IndexByte(ref, ':')+1:] }
	importDocuments(t, e, doc("kept", "a person stands up for this", ""), doc("old", "an older document", ""))
	approve(t, p.Owner, became(t, e, "kept"))
	importDocuments(t, e,
		doc("a", "of a raw and a belief", derived(mem(raw), mem(belief))),
		doc("b", "instead of ours", `,"lineage":{"supersedes":"`+mem(note)+`"}`),
		doc("c", "instead of an approved one", `,"lineage":{"supersedes":"kept"}`),
		doc("d", "instead of a document", `,"lineage":{"supersedes":"old"}`),
		doc("e", "of a note", derived(mem(note))),
		doc(mem(belief), "another belief under the same id", ""))
	if got := show(t, e, became(t, e, "a")); got.Tier != "inferred" && got.Tier != "hypothesis" {
		t.Errorf("a document that claims to come from words captured here is %s", got.Tier)
	}
	for ref, want := range map[string]string{
		note: "", belief: "", became(t, e, "kept"): "", became(t, e, "old"): became(t, e, "d"),
	} {
		if got := show(t, e, ref).SupersededBy; got != want && !strings.HasSuffix(want, ":"+got) {
			t.Errorf("%s is superseded by %q, want %q", ref[:12], got, want)
		}
	}
	tree, err := e.Trace(t.Context(), api.TraceRequest{Ref: became(t, e, "e")})
	if err != nil || len(tree.Backward.Sources) != 1 || "note:"+tree.Backward.Sources[0].ID != note {
		t.Errorf("sources of e = %v, %v, want the note", tree.Backward, err)
	}
	// what they said is what they say
	for id, member := range map[string]string{"a": "derived_from", "b": "supersedes", "c": "supersedes"} {
		if lineage := exported(t, e)[id]["lineage"].(map[string]any); lineage[member] == nil {
			t.Errorf("%s gives back the lineage %v", id, lineage)
		}
	}
	if got := exported(t, e)["d"]["lineage"]; !reflect.DeepEqual(got, map[string]any{"supersedes": "old"}) {
		t.Errorf("d gives back the lineage %v, want what it came with", got)
	}
}

// A memory that was made here leaves with who stands behind it, and is known again.
func TestOwnMemoriesAsDocuments(t *testing.T) {
	p := newPeople(t)
	raw := capture(t, p.Agent, "we measured it twice")
	belief := consolidate(t, p.Agent, "it is fast", raw)
	revised := revise(t, p.Agent, belief, "it is fast enough")
	all := exported(t, p.Agent)
	d := all["mem_"+revised[len("belief:"):]]
	if len(all) != 2 || d == nil {
		t.Fatalf("exports %d documents, want both revisions", len(all))
	}
	lineage := d["lineage"].(map[string]any)
	if lineage["supersedes"] != "mem_"+belief[len("belief:"):] || lineage["chain_depth"] != 2.0 {
		t.Errorf("lineage %v, want that it supersedes the other, at depth 2", lineage)
	}
	if trust := d["trust"].(map[string]any); trust["score"] != 0.3 {
		t.Errorf("trust %v, want the score 0.3", trust)
	}
	var b bytes.Buffer
	if _, err := p.Agent.ExportDocuments(t.Context(), &b, api.DocumentsRequest{}); err != nil {
		t.Fatal(err)
	}
	if r := importDocuments(t, p.Agent, b.String()); r.Added != 0 || r.AlreadyThere != 2 {
		t.Errorf("where they were made %d are added, %d were there, want 0 and 2", r.Added, r.AlreadyThere)
	}
	other := open(t, "mem", engine.Config{})
	if r := importDocuments(t, other, b.String()); r.Added != 2 {
		t.Errorf("elsewhere %d are added, want 2", r.Added)
	}
	back := exported(t, other)["mem_"+revised[len("belief:"):]]
	for _, member := range []string{"content", "provenance", "lineage", "x_stemma"} {
		if !reflect.DeepEqual(back[member], d[member]) {
			t.Errorf("from elsewhere %s is %v, want %v", member, back[member], d[member])
		}
	}
	reject(t, p.Owner, "", revised)
	var reply api.DocumentsReply
	var err error
	if reply, err = p.Agent.ExportDocuments(t.Context(), &bytes.Buffer{}, api.DocumentsRequest{}); err != nil ||
		reply.Documents != 1 || reply.LeftOut != 1 {
		t.Errorf("after a rejection %d documents, %d left out, %v, want 1 and 1", reply.Documents, reply.LeftOut, err)
	}
}

// A trace for other tools tells of the whole lineage: no level is left out, nothing
// that is held is called missing, and no words are in it unless asked for.
func TestTraceDocuments(t *testing.T) {
	p := newPeople(t)
	raw := capture(t, p.Agent, "words of the beginning")
	last := promote(t, p.Agent, "level 1", raw)
	for n := range 6 {
		last = consolidate(t, p.Agent, fmt.Sprint("level ", n+2), last)
	}
	older := last
	last = revise(t, p.Agent, last, "stated again by a revision")
	for _, format := range []string{intake.TraceProv, intake.TraceInToto} {
		for _, words := range []bool{false, true} {
			for _, direction := range []string{"both", "backward", "forward"} {
				in := api.TraceDocumentRequest{Ref: last, Format: format, Direction: direction, Words: words}
				got, err := p.Agent.TraceDocument(t.Context(), in)
				if err != nil {
					t.Fatal(err)
				}
				text := string(got.Document)
				if has := strings.Contains(text, "stated again by a revision"); has != words {
					t.Errorf("%s with words %v: has them %v", format, words, has)
				}
				if strings.Contains(text, `issing": true`) {
					t.Errorf("%s %s calls something missing that is held:\n%s", format, direction, text)
				}
				if has := strings.Contains(text, raw[len("raw:"):]); has != (direction != "forward") {
					t.Errorf("%s %s: has the raw %v", format, direction, has)
				}
				if want := map[bool]int{true: 1, false: 9}[direction == "forward"]; got.Records != want || got.More {
					t.Errorf("%s %s tells of %d records, more %v, want %d and no more", format, direction, got.Records, got.More, want)
				}
				if !strings.Contains(text, older[len("belief:"):]) {
					t.Errorf("%s %s does not name what was replaced", format, direction)
				}
			}
		}
	}
	one, err := p.Agent.TraceDocument(t.Context(), api.TraceDocumentRequest{Ref: last, Format: intake.TraceProv, Depth: 1})
	if err != nil || !one.More || one.Records != 2 {
		t.Errorf("one level tells of %d records, more %v, %v, want 2 and more", one.Records, one.More, err)
	}
	if _, err := p.Agent.TraceDocument(t.Context(), api.TraceDocumentRequest{Ref: last, Format: "xml"}); !isInvalid(err) {
		t.Errorf("as xml: %v, want it refused", err)
	}
}
