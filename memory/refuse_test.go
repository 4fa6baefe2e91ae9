package memory

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/internal/canon"
)

// A refusal is what Decode must not take: a change to the bytes of a good
// record, and why the outcome is bad.
type refusal struct {
	Name     string
	Reason   string
	kind     Kind // of the record that is changed
	old, new string
	sort     bool // the change is put in canonical form, so that only its meaning is wrong
}

var zeros = strings.Repeat("0", 64)

var refusals = []refusal{
	{
		"duplicate member", "an object names each member once", KindBelief, `"statement":"tests save time"`,
		`"statement":"tests save time","statement":"tests save time"`, false,
	},
	{
		"statement beside Statement", "names of members are exact, and this one is unknown", KindBelief,
		`"statement":`, `"Statement":"other","statement":`, true,
	},
	{"Statement for statement", "names of members are exact", KindBelief, `"statement":`, `"Statement":`, true},
	{
		"unknown member of the header", "a known version has no unknown members", KindBelief, `"v":1`,
		`"urgency":1,"v":1`, true,
	},
	{
		"unknown member of the body", "a known version has no unknown members", KindBelief, `"statement":`,
		`"mood":"good","statement":`, true,
	},
	{
		"unknown member of the provenance", "a known version has no unknown members", KindBelief, `"via":`,
		`"by":"me","via":`, true,
	},
	{
		"unknown member of the evidence", "a known version has no unknown members", KindBelief, `"symbol":`,
		`"column":1,"symbol":`, true,
	},
	{"fraction", "numbers are integers", KindBelief, `"confidence":600`, `"confidence":0.5004`, false},
	{"exponent", "an integer has no exponent", KindBelief, `"confidence":600`, `"confidence":1e2`, false},
	{"decimal point", "an integer has no point", KindBelief, `"confidence":600`, `"confidence":600.0`, false},
	{"minus zero", "zero has no sign", KindGoal, `"priority":0`, `"priority":-0`, false},
	{"leading zero", "not JSON", KindGoal, `"priority":0`, `"priority":00`, false},
	{"number as text", "confidence is a number", KindBelief, `"confidence":600`, `"confidence":"600"`, true},
	{"negative confidence", "confidence is from 0 to 1000", KindBelief, `"confidence":600`, `"confidence":-1`, true},
	{"confidence above one", "confidence is from 0 to 1000", KindBelief, `"confidence":600`, `"confidence":1001`, true},
	{"confidence that wraps", "confidence is from 0 to 1000", KindBelief, `"confidence":600`, `"confidence":66136`, true},
	{"integer beyond 2^53", "a double does not hold it", KindLink, `"seed":-42`, `"seed":9007199254740993`, false},
	{
		"time without milliseconds", "a time has three digits of a second", KindBelief,
		`"at":"2026-03-01T12:00:00.000Z"`, `"at":"2026-03-01T12:00:00Z"`, true,
	},
	{
		"time with a comma", "a time has a point before the milliseconds", KindBelief,
		`"at":"2026-03-01T12:00:00.000Z"`, `"at":"2026-03-01T12:00:00,000Z"`, true,
	},
	{
		"time with an offset", "a time is in UTC, written Z", KindBelief, `"at":"2026-03-01T12:00:00.000Z"`,
		`"at":"2026-03-01T13:00:00.000+01:00"`, true,
	},
	{
		"time with microseconds", "a time has three digits of a second", KindBelief,
		`"at":"2026-03-01T12:00:00.000Z"`, `"at":"2026-03-01T12:00:00.000100Z"`, true,
	},
	{
		"zero time", "an absent time is left out", KindBelief, `"valid_from":"2026-03-01T12:00:00.000Z"`,
		`"valid_from":"0001-01-01T00:00:00.000Z"`, true,
	},
	{
		"year zero", "years are 1 to 9999", KindBelief, `"valid_from":"2026-03-01T12:00:00.000Z"`,
		`"valid_from":"0000-01-01T00:00:00.000Z"`, true,
	},
	{
		"valid until before valid from", "a span does not end before it begins", KindBelief,
		`"valid_until":"2027`, `"valid_until":"2025`, true,
	},
	{
		"trailing newline", "nothing stands behind the value", KindBelief,
		`"valid_until":"2027-03-01T12:00:00.000Z"}`, "\"valid_until\":\"2027-03-01T12:00:00.000Z\"}\n", false,
	},
	{"space after a colon", "canonical form has no white space", KindBelief, `"v":1`, `"v": 1`, false},
	{
		"members out of order", "members are sorted", KindBelief, `"tags":["a","b"],"trigger":"asked"`,
		`"trigger":"asked","tags":["a","b"]`, false,
	},
	{"escaped letter", "canonical form escapes what it must only", KindBelief, `"tests save`, `"\u0074ests save`, false},
	{"invalid UTF-8", "text is valid UTF-8", KindBelief, `"tests save`, "\"tests\xff save", false},
	{"half a surrogate pair", "text is valid Unicode", KindBelief, `"tests save`, `"tests \ud83d save`, false},
	{"NUL in text", "text holds no NUL", KindBelief, `"tests save`, `"tests\u0000 save`, true},
	{"blank statement", "a statement says something", KindBelief, `"tests save time"`, `" \n"`, true},
	{"blank optional text", "what says nothing is left out", KindBelief, `"trigger":"asked"`, `"trigger":" "`, true},
	{"empty optional text", "what is empty is left out", KindBelief, `"trigger":"asked"`, `"trigger":""`, true},
	{"null member", "what is empty is left out", KindBelief, `"trigger":"asked"`, `"trigger":null`, true},
	{"empty list", "what is empty is left out", KindBelief, `"tags":["a","b"]`, `"tags":[]`, true},
	{"empty ext", "what is empty is left out", KindBelief, `"ext":{"x":[1.5,null,{}]}`, `"ext":{}`, true},
	{"ext is no object", "ext holds members", KindBelief, `"ext":{"x":[1.5,null,{}]}`, `"ext":[1]`, true},
	{
		"zero where absent is meant", "what is zero is left out", KindRelationship, `"sentiment":-1000`,
		`"sentiment":0`, true,
	},
	{"tags out of order", "tags are sorted", KindBelief, `"tags":["a","b"]`, `"tags":["b","a"]`, true},
	{"tag twice", "tags are unique", KindBelief, `"tags":["a","b"]`, `"tags":["a","a"]`, true},
	{"blank around a tag", "tags are trimmed", KindBelief, `"tags":["a","b"]`, `"tags":["a","b "]`, true},
	{
		"shown twice", "recalled is unique", KindBelief, `"recalled":["0001000000`,
		`"recalled":["00010000000000000000000000000000` + strings.Repeat("0", 32) + `","0001000000`, true,
	},
	{
		"ref in upper case", "an id is lower-case hex", KindWitness, `"of":"belief:` + zeros[:62] + `01"`,
		`"of":"belief:` + zeros[:62] + `0A"`, true,
	},
	{
		"zero id", "the zero id is nothing", KindWitness, `"of":"belief:` + zeros[:62] + `01"`,
		`"of":"belief:` + zeros + `"`, true,
	},
	{
		"short ref", "signed bytes hold the whole id", KindWitness, `"of":"belief:` + zeros[:62] + `01"`,
		`"of":"belief:00000001"`, true,
	},
	{
		"ref twice", "a list of refs is unique", KindMark, `"also":["note:` + zeros[:62] + `02"]`,
		`"also":["note:` + zeros[:62] + `01"]`, true,
	},
	{"also without of", "the first record stands in of", KindMark, `"of":"belief:` + zeros[:62] + `01",`, ``, true},
	{"body of another kind", "the body is the kind's", KindBelief, `"kind":"belief"`, `"kind":"note"`, true},
	{"no body", "a record has a body", KindWitness, `"body":`, `"ody":`, true},
	{
		"null body", "a body is an object", KindBelief,
		`"body":{"statement":"tests save time","type":"principle"}`, `"body":null`, true,
	},
	{"version zero", "versions begin with 1", KindBelief, `"v":1`, `"v":0`, true},
	{"no version", "a record has a version", KindBelief, `,"v":1`, ``, true},
	{"unknown origin", "origin is owner, agent, tool or import", KindBelief, `"origin":"agent"`, `"origin":"hub"`, true},
	{
		"owner under a delegation", "an owner's key is not delegated", KindBelief, `"origin":"agent"`,
		`"origin":"owner"`, true,
	},
	{"key record of an agent", "keys are an owner's affair", KindKey, `"origin":"owner"`, `"origin":"agent"`, true},
	{
		"raw with a source", "a raw is derived from nothing", KindRaw, `"provenance":{`,
		`"provenance":{"from":["raw:` + zeros[:62] + `01"],`, true,
	},
	{"text beside base64", "a raw has one of them", KindRaw, `"text":`, `"base64":"/w==","text":`, true},
	{
		"superseded and not a source", "what is replaced is among the sources", KindBelief,
		`"from":["belief:` + zeros[:62] + `09"]`, `"from":["belief:` + zeros[:62] + `08"]`, true,
	},
	{
		"nonce with spare bits", "the last character's spare bits are zero", KindBelief,
		`"nonce":"AAAAAAAAAAAAAAAAAAAAAQ"`, `"nonce":"AAAAAAAAAAAAAAAAAAAAAR"`, true,
	},
	{
		"nonce too short", "a nonce has 16 bytes", KindBelief, `"nonce":"AAAAAAAAAAAAAAAAAAAAAQ"`,
		`"nonce":"AAAAAAAAAAAAAAAAAAAA"`, true,
	},
	{
		"author is no key", "author is a did:key of Ed25519", KindBelief, `"author":"did:key:z6Mk`,
		`"author":"did:key:z6Lk`, true,
	},
	{"space without a name", "a space is owner/name", KindBelief, `/main"`, `/"`, true},
	{
		"path out of the tree", "a path stays in the repository", KindBelief, `"path":"cmd/main.go"`,
		`"path":"../main.go"`, true,
	},
	{"path with a dot", "a path has one spelling", KindBelief, `"path":"cmd/main.go"`, `"path":"cmd/./main.go"`, true},
	{"line without a beginning", "lines have both ends", KindBelief, `"start":1,`, ``, true},
	{"step beside to", "an assessment has one of them", KindAssess, `"to":800`, `"step":1,"to":800`, true},
	{"proof with a line break", "base64 has one spelling", KindAnchor, `"proof":"AAEC"`, `"proof":"AAEC\n"`, true},
	{
		"unknown attestation", "a witness confirms, disputes or says partial", KindWitness,
		`"attestation":"confirm"`, `"attestation":"like"`, true,
	},
	{
		"inception of a delegation", "each operation has its own members", KindKey, `"op":"inception"`,
		`"op":"inception","origins":["agent"]`, true,
	},
}

// spoil returns the bytes that r refuses.
func (r *refusal) spoil(t testing.TB) []byte {
	t.Helper()
	for _, b := range samples() {
		if b.kind() != r.kind {
			continue
		}
		good := must(New(fullHeader(b), b)).Bytes
		if n := bytes.Count(good, []byte(r.old)); n < 1 {
			t.Fatalf("%s: nothing to change in\n%s", r.Name, good)
		}
		raw := bytes.Replace(good, []byte(r.old), []byte(r.new), 1)
		if r.sort {
			sorted, err := canon.Transform(raw)
			if err != nil {
				t.Fatalf("%s: %v", r.Name, err)
			}
			raw = sorted
		}
		return raw
	}
	t.Fatalf("%s: no sample of %s", r.Name, r.kind)
	return nil
}

func TestDecodeRefuses(t *testing.T) {
	for _, tt := range refusals {
		raw := tt.spoil(t)
		if tt.sort && canon.Check(raw) != nil {
			t.Errorf("%s: not canonical, so nothing else was tested", tt.Name)
		}
		if r, err := Decode(raw); err == nil {
			t.Errorf("%s: Decode took\n%s\nas %+v", tt.Name, raw, r)
		}
	}
	for _, raw := range []string{"", "null", "[]", "1", "{}", `{"v":1}`, strings.Repeat("[", 10_000)} {
		if _, err := Decode([]byte(raw)); err == nil {
			t.Errorf("Decode took %.20q", raw)
		}
	}
}

// opaques are records that this version cannot understand and keeps.
func opaques(t testing.TB) map[string][]byte {
	b := &Belief{Statement: "tests save time"}
	good := must(New(fullHeader(b), b)).Bytes
	change := func(pairs ...string) []byte {
		return must(canon.Transform([]byte(strings.NewReplacer(pairs...).Replace(string(good)))))
	}
	return map[string][]byte{
		"unknown kind":          change(`"kind":"belief"`, `"kind":"dream"`, `"statement"`, `"vision"`, "belief:", "dream:"),
		"newer version":         change(`"v":1`, `"v":2`, `"statement"`, `"claim"`),
		"newer header":          change(`"v":1`, `"v":2,"urgency":[{"a_b":1}]`),
		"members of new types":  change(`"v":1`, `"v":3`, `"confidence":600`, `"confidence":{"low":1,"high":2}`),
		"newer of unknown kind": change(`"v":1`, `"v":2`, `"kind":"belief"`, `"kind":"dream"`),
	}
}

func TestOpaque(t *testing.T) {
	for name, raw := range opaques(t) {
		r, err := Decode(raw)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		o, ok := r.Body.(*Opaque)
		if !ok || !bytes.Equal(r.Bytes, raw) || o.kind() != r.Header.Kind || o.headline() == "" || o.words() != "" {
			t.Errorf("%s: read as %+v", name, r)
		}
		if again := must(Load(r.Bytes)); again.ID != r.ID || again.Header.Author != someone(1).did {
			t.Errorf("%s: loads as %+v", name, again)
		}
		if kept := must(json.Marshal(o)); !bytes.Contains(raw, kept) {
			t.Errorf("%s: body became %s", name, kept)
		}
		if _, err := New(r.Header, r.Body); !names(err, "kind") {
			t.Errorf("%s: New made what it does not understand: %v", name, err)
		}
	}
}

// TestOpaqueRefuses: what is not understood must still say in one way whose it
// is.
func TestOpaqueRefuses(t *testing.T) {
	all := opaques(t)
	for _, tt := range []struct{ of, old, new string }{
		{"newer version", `"author":`, `"Author":`},
		{"newer version", `"space":"`, `"\u017fpace":"` + someone(2).did + `/main","space":"`},
		{"newer version", `"kind":"belief"`, `"kind":"Belief"`},
		{"newer version", `"author":"did:key`, `"author":"did:web`},
		{"newer version", `"v":2`, `"v":-2`},
		{"newer version", `"via":`, `"Via":"told","via":`},
		{"newer version", `"body":{"claim":"tests save time"}`, `"body":"tests"`},
		{"unknown kind", `"v":1`, `"urgency":1,"v":1`},
		{"unknown kind", `"body":{"vision":"tests save time"}`, `"body":null`},
		{"unknown kind", `"confidence":600`, `"confidence":1001`},
		{"unknown kind", `"origin":"agent"`, `"origin":"owner"`},
	} {
		raw := must(canon.Transform(bytes.Replace(all[tt.of], []byte(tt.old), []byte(tt.new), 1)))
		if bytes.Equal(raw, all[tt.of]) {
			t.Errorf("%s: nothing to change", tt.old)
		}
		if r, err := Decode(raw); err == nil {
			t.Errorf("%s: Decode took %s as %+v", tt.of, raw, r.Header)
		}
	}
}
