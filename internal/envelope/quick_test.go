package envelope

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// lines are as Write makes them, nearly so, and not at all.
func lines() []string {
	good := `{"payload":"eyJhIjoxfQ==","payloadType":"application/x+json","signatures":[{"keyid":"did:key:a",` +
		`"sig":"c2ln"},{"keyid":"b","sig":""}]}`
	out := []string{
		good, "", "{}", "[]", `{"payload":"`, " " + good, good + "\n", good + good, good[:len(good)-1],
		`{"payload":"","payloadType":"","signatures":[{"keyid":"","sig":""}]}`,
	}
	for _, change := range []string{
		"eyJhIjoxfQ==|eyJhIjoxfQ=", "eyJhIjoxfQ==|eyJhIjoxfR==", "eyJh|eyJh\n", "eyJh|eyJh\r\n", "eyJh|eyJh\\n",
		"eyJh|\\u0065yJh", "eyJh|eyJh!",
		"x+json|x\\u002bjson", "x+json|x&json", "x+json|x\xffjson", "x+json|x\x01json", "x+json|xéjson", "x+json|x\x7fjson",
		"c2ln|c2l", "c2ln|", `"c2ln"|null`, "c2ln|c2\nln", "payloadType|PayloadType", `"keyid":"b",|`,
		`,{"keyid"|,{"more":1,"keyid"`,
		`]}|],"more":1}`, `]}|,]}`, `[{|[{"keyid":"x","sig":"eA=="},{`, "did:key:a|did:\\\"", "did:key:a|",
		`"payloadType"| "payloadType"`,
	} {
		old, now, _ := strings.Cut(change, "|")
		out = append(out, strings.Replace(good, old, now, 1))
	}
	return out
}

// agrees asks that what is read quickly is what encoding/json reads, and that what is
// written quickly is what it writes.
func agrees(t *testing.T, raw []byte) (read bool) {
	t.Helper()
	var want Envelope
	err := Decode(raw, &want)
	got, ok := quickly(raw)
	if ok && (err != nil || !reflect.DeepEqual(got, want)) {
		t.Fatalf("%q is read as %+v, encoding/json reads %+v, %v", raw, got, want, err)
	}
	if err != nil {
		return ok
	}
	text, err := json.Marshal(want)
	if line, ok := want.quick(); err != nil || ok && string(line) != string(text) {
		t.Fatalf("%+v is written %s, encoding/json writes %s, %v", want, line, text, err)
	}
	return ok
}

func TestQuickly(t *testing.T) {
	for i, line := range lines() {
		if read := agrees(t, []byte(line)); i == 0 && !read {
			t.Errorf("%s is not read quickly", line)
		}
	}
	e := Envelope{[]byte("{}"), "application/x+json", []Signature{{"a", []byte("s")}, {"b", []byte("t")}}}
	line, ok := e.quick()
	if !ok || !agrees(t, line) {
		t.Errorf("%+v is not written quickly, or not read so: %s", e, line)
	}
}

func FuzzQuickly(f *testing.F) {
	for _, line := range lines() {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, raw []byte) { agrees(t, raw) })
}
