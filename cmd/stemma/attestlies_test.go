package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/audit"
	"github.com/stemma-memory/stemma/audit/report"
	"github.com/stemma-memory/stemma/internal/envelope"
	"github.com/stemma-memory/stemma/internal/keys"
)

// signedBy signs a change with the owner's key of the repository's person, whatever it says, and writes it to a file.
func (r *codeRepo) signedBy(c report.AttestedChange) string {
	r.Helper()
	ring, err := keys.Load(filepath.Join(filepath.Dir(r.dir), "data", "stemma", "keys"))
	if err != nil {
		r.Fatal(err)
	}
	c.By, c.Owner = ring.Owner.DID(), ring.Owner.DID()
	payload, err := audit.ChangeStatement(c)
	if err != nil {
		r.Fatal(err)
	}
	sig, err := ring.Owner.Sign(audit.AttestationPayload, payload)
	if err != nil {
		r.Fatal(err)
	}
	text, err := json.Marshal(envelope.Envelope{
		Payload: payload, PayloadType: audit.AttestationPayload, Signatures: []envelope.Signature{{KeyID: c.By, Sig: sig}},
	})
	if err != nil {
		r.Fatal(err)
	}
	file := filepath.Join(filepath.Dir(r.dir), "change.att")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		r.Fatal(err)
	}
	return file
}

// recall has a session ask for memories.
func (r *codeRepo) recall(session, question string) {
	r.Helper()
	c := exec.Command("stemma", "search", question)
	c.Dir, c.Env = r.dir, append(r.env, "STEMMA_SESSION="+session, "STEMMA_AGENT=claude")
	if out, err := c.CombinedOutput(); err != nil {
		r.Fatalf("%v: %s", err, out)
	}
}

// What the store holds otherwise than an attestation says is found, although the right key signed it; so is one of
// other commits than it is asked to be of.
func TestALieThatWasSignedIsFound(t *testing.T) {
	r := newCodeRepo(t, 21)
	r.stemma("", "hook", "install", "git")
	for _, words := range []string{"Merge the branches before the index is stored", "Kettles whistle at noon"} {
		r.stemma("", "belief", "add", words)
	}
	r.prompt("claude-code/session-00", "please load the index")
	r.recall("session-00", "merge the branches before the index is stored")
	r.turn("claude-code/session-00", "a.go")
	r.commit("one")
	r.recall("session-00", "kettles whistle at noon")
	r.turn("", "b.go")
	r.commit("two")
	r.commit("three")
	good := r.attested("HEAD~1")
	if len(good.Commits) != 1 {
		t.Fatal("one commit is not one")
	}
	good = r.attested("HEAD~2")
	if len(good.Sessions) != 1 || good.Seen == 0 {
		t.Fatalf("%+v", good)
	}
	found := false
	for _, g := range good.Sessions[0].Given {
		found = found || strings.HasPrefix(g.Ref, "belief:")
		var m api.Memory
		if err := json.Unmarshal([]byte(r.stemma("", "show", g.Ref, "--json")), &m); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(m.Headline, "Kettles") {
			t.Error("what was given after the last edit is said to have been given")
		}
	}
	if !found {
		t.Errorf("no memory was given: %+v", good.Sessions[0])
	}
	check := func(c report.AttestedChange, args ...string) string {
		out, _ := r.command("", "stemma", append([]string{"audit", r.signedBy(c)}, args...)...)
		return out
	}
	if out := check(good, "--of", "HEAD~2"); !strings.Contains(out, "the attestation checks") {
		t.Fatal(out)
	}
	if out := check(good, "--of", "HEAD~1"); !strings.Contains(out, "is not one of") {
		t.Errorf("as many other commits: %s", out)
	}
	for name, lie := range map[string]func(*report.AttestedMemory){
		"origin":  func(m *report.AttestedMemory) { m.Origin = "owner" },
		"author":  func(m *report.AttestedMemory) { m.Author = good.By },
		"time":    func(m *report.AttestedMemory) { m.At = "2020-01-01T00:00:00.000Z" },
		"sources": func(m *report.AttestedMemory) { m.From = append(m.From, m.Ref) },
		"ref":     func(m *report.AttestedMemory) { m.Ref = "belief:" + strings.Repeat("ab", 32) },
		"decision": func(m *report.AttestedMemory) {
			m.Decisions = []report.AttestedDecision{{Ref: "mark:" + strings.Repeat("ab", 32)}}
		},
	} {
		c := good
		c.Memories = append([]report.AttestedMemory(nil), good.Memories...)
		lie(&c.Memories[0])
		if out := check(c); !strings.Contains(out, "the attestation does not check: ") || strings.Count(out, "\n") != 1 {
			t.Errorf("%s: %s", name, out)
		}
	}
}

// A merge counts the lines that its conflict brought in; a file that was edited under its old name and renamed in the
// same commit is its session's.
func TestMergesAndRenamesInARange(t *testing.T) {
	r := newCodeRepo(t, 22)
	r.stemma("", "hook", "install", "git")
	r.turn("claude-code/session-00", "a.go")
	r.commit("begin")
	r.git("checkout", "-q", "-b", "side")
	base := r.files["a.go"]
	r.edit("claude-code/session-01", "a.go", len(base), len(base), []codeLine{
		{"func onTheSide() { callSomething(1) }", ""},
	})
	r.commit("side")
	r.git("checkout", "-q", "main")
	r.files["a.go"] = base
	r.put("a.go", len(base), len(base), []codeLine{{"func onMain() { callAnotherThing(2) }", ""}})
	r.commit("main")
	if out, err := r.command("", "git", "merge", "-q", "side"); err == nil {
		t.Fatalf("no conflict: %s", out)
	}
	r.put("a.go", len(base)+1, len(base)+1, []codeLine{
		{"func onTheSide() { callSomething(1) }", ""}, {"func resolvedByHand() { callBoth(1, 2) }", ""},
	})
	r.commit("merged")
	c := r.attested("HEAD~2..HEAD")
	if len(c.Commits) != 3 || !c.Commits[0].Merge || c.Commits[0].Lines != 1 || c.Commits[0].Seen != 0 || c.Lines != 3 ||
		c.Seen != 1 {
		t.Errorf("a merge: %+v", c)
	}
	r = newCodeRepo(t, 23) // without the git hook, which would sign the new name
	r.turn("", "a.go")
	r.commit("begin")
	r.turn("claude-code/session-02", "a.go")
	r.git("mv", "a.go", "moved.go")
	r.commit("moved")
	if c := r.attested("HEAD"); c.Seen == 0 || c.Seen != c.Lines || c.Sessions[0].Session != "session-02" {
		t.Errorf("a rename: %+v", c)
	}
}
