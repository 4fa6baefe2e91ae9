package audit_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/stemma-memory/stemma/audit"
	"github.com/stemma-memory/stemma/audit/report"
	"github.com/stemma-memory/stemma/internal/keys"
)

const changeSchema = "../docs/schema/change-v1.json"

// aKey is a key of its own for each number.
func aKey(t *testing.T, n byte) *keys.Key {
	t.Helper()
	k, err := keys.FromSeed(bytes.Repeat([]byte{n}, 32))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// aChange has one of everything.
func aChange(by *keys.Key) report.AttestedChange {
	hash, ref := strings.Repeat("ab", 20), "belief:"+strings.Repeat("cd", 32)
	at := "2026-03-01T10:00:00.000Z"
	return report.AttestedChange{
		At: at, By: by.DID(), Owner: by.DID(), Store: "s", Base: strings.Repeat("01", 20), Head: hash, Words: true,
		Lines: 7, Seen: 3, NotSeen: 4,
		Commits: []report.AttestedCommit{{
			Commit: hash, Merge: true, Lines: 7, Seen: 3, MoreFiles: 1, Files: []report.AttestedFile{{
				Path: "a.go", Lines: 7, Seen: 3, Binary: true, Submodule: true,
				By: []report.AttestedLines{{Session: 0, Agent: "sub", Lines: "3-4,9", Noted: "mark:" + ref[7:], NotedBy: by.DID()}},
			}},
		}},
		Sessions: []report.AttestedSession{{
			Session: "s1", Host: "claude-code", Lines: 3, Last: at, More: 1, Unknown: "why",
			Prompts: []report.AttestedPrompt{{Ref: ref, At: at, Words: "w"}},
			Given: []report.AttestedGiven{{
				Ref: ref, At: at, Receipt: "r", Tier: "t", Review: "r", Level: "l", Outside: true,
			}},
			Withheld: []report.AttestedHeld{{Ref: ref, Reason: "quarantined", Count: 1}},
		}},
		Memories: []report.AttestedMemory{{
			Ref: ref, Missing: "purged", Hidden: "rejected", Author: by.DID(), Owner: by.DID(), Agent: "a", Origin: "owner",
			Via: "direct", At: at, From: []string{ref}, Tier: "t", Review: "r", Level: "l", Actionable: true, Outside: true,
			Disputed: true, Speaker: "Jo", Source: "raw", Words: "w",
			Decisions: []report.AttestedDecision{{
				Ref: ref, At: at, Act: "approve", Key: by.DID(), Agent: "a", Counts: true, TakenBack: true, By: "Jo", Why: "w",
			}},
		}},
		Code:     []report.AttestedCode{{Ref: ref, State: "stale", Files: []string{"a.go"}, Words: "w"}},
		NotKnown: []string{"something"},
	}
}

func encoded(raw []byte) string { return base64.StdEncoding.EncodeToString(raw) }

// enveloped signs bytes as an attestation.
func enveloped(t *testing.T, by *keys.Key, payload []byte) []byte {
	t.Helper()
	sig, err := by.Sign(audit.AttestationPayload, payload)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Appendf(nil, `{"payloadType":%q,"payload":%q,"signatures":[{"keyid":%q,"sig":%q}]}`,
		audit.AttestationPayload, encoded(payload), by.DID(), encoded(sig))
}

func changed(t *testing.T, c report.AttestedChange) []byte {
	t.Helper()
	payload, err := audit.ChangeStatement(c)
	if err != nil {
		t.Fatal(err)
	}
	return payload
}

// The statement is what the schema says, and the schema has every member and no other.
func TestAttestationHasItsSchema(t *testing.T) {
	raw, err := os.ReadFile(changeSchema)
	if err != nil {
		t.Fatal(err)
	}
	var of map[string]any
	if err := json.Unmarshal(raw, &of); err != nil {
		t.Fatal(err)
	}
	predicate := of["properties"].(map[string]any)["predicate"].(map[string]any)
	sameMembers(t, "predicate", reflect.TypeFor[report.AttestedChange](), predicate)
	schema, err := jsonschema.NewCompiler().Compile(changeSchema)
	if err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal(changed(t, aChange(aKey(t, 1))), &v); err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(v); err != nil {
		t.Error(err)
	}
	v.(map[string]any)["predicate"].(map[string]any)["head"] = "main"
	if schema.Validate(v) == nil {
		t.Error("a head that is no commit passes the schema")
	}
}

// sameMembers compares the members of a type with those of its schema.
func sameMembers(t *testing.T, name string, of reflect.Type, schema map[string]any) {
	t.Helper()
	for of.Kind() == reflect.Slice {
		of, schema = of.Elem(), schema["items"].(map[string]any)
	}
	if of.Kind() != reflect.Struct {
		return
	}
	props := schema["properties"].(map[string]any)
	for i := range of.NumField() {
		f := of.Field(i)
		member, rest, _ := strings.Cut(f.Tag.Get("json"), ",")
		sub, is := props[member].(map[string]any)
		if !is {
			t.Errorf("the schema of %s has no %q", name, member)
			continue
		}
		required := slices.Contains(schema["required"].([]any), any(member))
		if required == (rest == "omitempty") {
			t.Errorf("%s of %s: required is %v, and it is written with %q", member, name, required, rest)
		}
		sameMembers(t, name+"."+member, f.Type, sub)
		delete(props, member)
	}
	for member := range props {
		t.Errorf("%s has no member %q, and the schema has it", name, member)
	}
}

// What is not as its owner signed it is refused, in one line that says why.
func TestAttestationsThatAreRefused(t *testing.T) {
	me, other := aKey(t, 1), aKey(t, 2)
	good := enveloped(t, me, changed(t, aChange(me)))
	got, err := audit.Attestation(good, "")
	if err != nil || !reflect.DeepEqual(got, aChange(me)) {
		t.Fatalf("%v: %+v", err, got)
	}
	print, err := keys.Fingerprint(me.DID())
	if err != nil {
		t.Fatal(err)
	}
	for _, signer := range []string{me.DID(), print} {
		if _, err := audit.Attestation(good, signer); err != nil {
			t.Errorf("of %s: %v", signer, err)
		}
	}
	spoiled := func(spoil func(*report.AttestedChange)) []byte {
		c := aChange(me)
		spoil(&c)
		return enveloped(t, me, changed(t, c))
	}
	says := func(old, now string) []byte {
		return enveloped(t, me, bytes.Replace(changed(t, aChange(me)), []byte(old), []byte(now), 1))
	}
	for _, tt := range []struct {
		name, signer, want string
		file               []byte
	}{
		{"no JSON", "", "no JSON", []byte("x")},
		{"nothing", "", "no DSSE envelope", []byte("{}")},
		{"a list", "", "no DSSE envelope", []byte("[]")},
		{"two members of a name", "", "no JSON in one way",
			bytes.Replace(good, []byte("{"), []byte(`{"payload":"e30=",`), 1)},
		{"no signature", "", "it is not signed", changed(t, aChange(me))},
		{"another key", other.DID(), "signed by another key", good},
		{"another's fingerprint", "SHA256:x", "signed by another key", good},
		{"by another than it names", "", "not signed by the key", enveloped(t, other, changed(t, aChange(me)))},
		{"the key's name, another's signature", "", "signature does not hold",
			bytes.Replace(enveloped(t, other, changed(t, aChange(me))), []byte(other.DID()), []byte(me.DID()), 1)},
		{"altered", "", "signature does not hold",
			bytes.Replace(good, []byte(encoded(changed(t, aChange(me)))),
				[]byte(encoded(bytes.Replace(changed(t, aChange(me)), []byte("rejected"), []byte("approved"), 1))), 1)},
		{"another type", "", "holds no in-toto statement", bytes.Replace(good, []byte("vnd.in-toto"), []byte("vnd.else"), 1)},
		{"another version", "", "use a newer one", says("change/v1", "change/v2")},
		{"a version before", "", "use a newer one", says("change/v1", "change/v0.1")},
		{"another predicate", "", "of something else",
			says("https://stemma-memory.github.io/predicates/change/v1", "https://slsa.dev/v1")},
		{"another statement", "", "no in-toto statement of version 1", says("Statement/v1", "Statement/v0.1")},
		{"not canonical", "", "canonical", says(`"at":`, `"at": `)},
		{"other subjects", "", "subjects are not", says(`"gitCommit":"ab`, `"gitCommit":"ac`)},
		{"a name for a commit", "", "named by their hashes", spoiled(func(c *report.AttestedChange) { c.Base = "--all" })},
		{"no commits", "", "subjects are not", spoiled(func(c *report.AttestedChange) { c.Commits = nil })},
		{"wrong counts", "", "do not add up", spoiled(func(c *report.AttestedChange) { c.Seen, c.NotSeen = 4, 3 })},
		{"a count below nothing", "", "do not add up", spoiled(func(c *report.AttestedChange) {
			c.NotSeen, c.Lines = -4, -1
		})},
		{"no such session", "", "a session that it does not have", spoiled(func(c *report.AttestedChange) {
			c.Commits[0].Files[0].By[0].Session = 1
		})},
	} {
		c, err := audit.Attestation(tt.file, tt.signer)
		if err == nil || !errors.Is(err, audit.ErrAttestation) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		} else if strings.Contains(err.Error(), "\n") || c.Head != "" {
			t.Errorf("%s: %q, %+v", tt.name, err, c)
		}
	}
	// as in-toto asks: what a later minor version adds is left out, and another signature beside it does no harm
	if _, err := audit.Attestation(says(`"at":`, `"added":1,"at":`), ""); err != nil {
		t.Errorf("a member that is not known: %v", err)
	}
	two := bytes.Replace(good, []byte(`"signatures":[`), []byte(`"signatures":[{"keyid":"ci","sig":"AAAA"},`), 1)
	if _, err := audit.Attestation(two, ""); err != nil {
		t.Errorf("a second signature: %v", err)
	}
	if !audit.IsAttestation(good) || audit.IsAttestation([]byte(`{"payloadType":"application/json"}`)) {
		t.Error("what an attestation is")
	}
}

// Whatever a file holds, it is refused or read, and nothing is said of it that was not signed.
func FuzzAttestation(f *testing.F) {
	k, err := keys.FromSeed(bytes.Repeat([]byte{1}, 32))
	if err != nil {
		f.Fatal(err)
	}
	payload, err := audit.ChangeStatement(aChange(k))
	if err != nil {
		f.Fatal(err)
	}
	sig, err := k.Sign(audit.AttestationPayload, payload)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(payload, sig)
	f.Add([]byte(`{"_type":"https://in-toto.io/Statement/v1"}`), []byte("x"))
	f.Fuzz(func(t *testing.T, payload, sig []byte) {
		file := fmt.Appendf(nil, `{"payloadType":%q,"payload":%q,"signatures":[{"keyid":%q,"sig":%q}]}`,
			audit.AttestationPayload, encoded(payload), k.DID(), encoded(sig))
		if _, err := audit.Attestation(file, ""); err == nil &&
			keys.Verify(k.DID(), audit.AttestationPayload, payload, sig) != nil {
			t.Error("what was not signed is read")
		}
	})
}
