package strict

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"
)

type part struct {
	When string `json:"when"`
}

type common struct {
	Tags []string `json:"tags"`
}

type Shared struct {
	Where string `json:"where"`
}

type request struct {
	Text   string            `json:"text"`
	Steps  []part            `json:"steps"`
	One    *part             `json:"one"`
	Any    json.RawMessage   `json:"any"`
	At     time.Time         `json:"at"`
	Named  map[string]part   `json:"named"`
	Words  map[string]string `json:"words"`
	Hidden string            `json:"-"`
	Plain  string
	common
	*Shared
}

// What encoding/json would take, and lose a part of, is refused with the member's name.
func TestWhatWouldBeLost(t *testing.T) {
	for text, want := range map[string]string{
		`{"text":"a","tags":["b"],"steps":[{"when":"c"}],"any":{"Text":1}}`: "",
		`{"text":"a","text":"b"}`:                   "text: appears twice",
		`{"text":"a","t\u0065xt":"b"}`:              "text: appears twice",
		`{"Text":"a"}`:                              `Text: unknown field; it is written "text"`,
		`{"text":"a","TEXT":"b"}`:                   `TEXT: unknown field; it is written "text"`,
		`{"tagſ":[]}`:                               `tagſ: unknown field; it is written "tags"`,
		`{"Where":"a"}`:                             `Where: unknown field; it is written "where"`,
		`{"plain":"a"}`:                             `plain: unknown field; it is written "Plain"`,
		`{"tags":["a"],"Text":"b"}`:                 `Text: unknown field; it is written "text"`,
		`{"one":{"when":"a"},"Text":"b"}`:           `Text: unknown field; it is written "text"`,
		`{"text":"\\\\","text":"b"}`:                "text: appears twice",
		`{"one":{"WHEN":"a"}}`:                      `one.WHEN: unknown field; it is written "when"`,
		`{"TAGS":[]}`:                               `TAGS: unknown field; it is written "tags"`,
		`{"steps":[{"when":"a"},{"When":"b"}]}`:     `steps[1].When: unknown field; it is written "when"`,
		`{"one":{"when":"a","when":"b"}}`:           "one.when: appears twice",
		`{"named":{"Text":{"when":""}}}`:            "",
		`{"named":{"x":{"WHEN":""}}}`:               `named.x.WHEN: unknown field; it is written "when"`,
		`{"any":{"a":[{"b":1,"b":2}]}}`:             "any.a[0].b: appears twice",
		`{"words":{"a":"1","A":"2"}}`:               "",
		`{"words":{"a":"1","a":"2"}}`:               "words.a: appears twice",
		`{"text":"\ud83d\ude00 \u00e9 \\ud800 \n"}`: "",
		`{"text":"\ud800"}`: `text: \ud800 is half a character; write both halves, or the ` +
			`character itself`,
		`{"text":"a\uDE00"}`:         `text: \ude00 is half a character; write both halves, or the character itself`,
		`{"text":"\ud83d\u0041"}`:    `text: \ud83d is half a character; write both halves, or the character itself`,
		`{"text":"\ud83d\\ude00"}`:   `text: \ud83d is half a character; write both halves, or the character itself`,
		`{"\ud800":1}`:               `\ud800 is half a character; write both halves, or the character itself`,
		`{"words":{"x":["\udfff"]}}`: `words.x[0]: \udfff is half a character; write both halves, or the character itself`,
		"{\"text\":\"\xff\"}":        "the text is not UTF-8",
		`{"other":1,"unknown":2}`:    "",
		`[{"text":1,"text":2}]`:      "[0].text: appears twice",
		" {\n \"text\" :\t\"a\" , \"tags\" : [ \"b\" , \"c\" ] , \"one\" : null }\r\n": "",
		" { \"text\" : \"a\" ,\n\"text\" : \"b\" } ":                                   "text: appears twice",
		` { "steps" : [ { "when" : 1 } , { "When" : 1 } ] } `: "steps[1].When: unknown field; it is written " +
			`"when"`,
		` { "named" : { "x" : { "when" : 1 , "when" : 2 } } } `: "named.x.when: appears twice",
		`"x"`: "", `5`: "", `null`: "", ` { } `: "", `[[],{}]`: "",
		`{"at":"x","one":null}`: "",
		`{`:                     "", `{"text":"a","text"`: "", ``: "", // no JSON: for others to say
	} {
		got := ""
		if err := Check([]byte(text), reflect.TypeFor[*request]()); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// Many members are told apart as few are, and a long name is cut.
func TestManyMembers(t *testing.T) {
	var b strings.Builder
	for i := range 3 * fewNames {
		b.WriteString(`"` + strings.Repeat("n", i+1) + `":1,`)
	}
	if err := Check([]byte("{"+b.String()+`"m":1}`), nil); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"n", strings.Repeat("n", fewNames), strings.Repeat("n", 3*fewNames)} {
		if err := Check([]byte("{"+b.String()+`"`+name+`":1}`), nil); err == nil || err.Error() != name+": appears twice" {
			t.Errorf("%q: %v", name, err)
		}
	}
	long := strings.Repeat("é", 1000)
	if err := Check([]byte(`{"`+long+`":1,"`+long+`":2}`), nil); err == nil || len(err.Error()) > 150 {
		t.Errorf("%v", err)
	}
}

// Only what stands in each other counts as deep, not what stands one after the other.
func TestDepth(t *testing.T) {
	for what, tt := range map[string]struct {
		text string
		deep bool
	}{
		"many in a row":  {"[" + strings.Repeat("[],", 2*maxDepth) + "{}]", false},
		"as deep as can": {strings.Repeat("[", maxDepth) + strings.Repeat("]", maxDepth), false},
		"one too deep":   {strings.Repeat("[", maxDepth+1) + strings.Repeat("]", maxDepth+1), true},
	} {
		if err := Valid([]byte(tt.text), nil); (err != nil) != tt.deep {
			t.Errorf("%s: %v", what, err)
		}
	}
	for _, text := range []string{"", `"`, `"a`, `"\`, `{"a`, `[`, `{`, `{"a":`} { // which encoding/json refuses
		if err := Valid([]byte(text), nil); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	if Check([]byte(strings.Repeat("[", maxDepth)+strings.Repeat("]", maxDepth)), nil) != nil ||
		json.Valid([]byte(strings.Repeat("[", maxDepth+1)+strings.Repeat("]", maxDepth+1))) {
		t.Errorf("encoding/json does not read what is %d deep, or more", maxDepth)
	}
}

func TestHalves(t *testing.T) {
	for text, want := range map[string]bool{
		`{"a":"\ud800"}`: true, `{"a":"\ud83d\ude00"}`: false, `{"a":1,"a":2}`: false,
		`\ud800`: true, `{"a":1,"a":"\udc00"}`: true, `{"a":"\\ud800"}`: false, `{}`: false,
	} {
		if got := Halves([]byte(text)); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

// Two halves are one character if encoding/json reads one.
func TestHalvesAreThoseOfEncodingJSON(t *testing.T) {
	var parts []string
	for _, unit := range []string{"0039", "d7ff", "d800", "d899", "dbff", "DC00", "dfff", "e000", "ffff"} {
		parts = append(parts, `\u`+unit)
	}
	parts = append(parts, `\n`, `\ndc00`, `xudc00`, `udc00`, `\\udc00`, "")
	for _, a := range parts {
		for _, b := range parts {
			text := `"` + a + b + `"`
			var read string
			if err := json.Unmarshal([]byte(text), &read); err != nil {
				t.Fatal(text, err)
			}
			if got, want := Halves([]byte(text)), strings.ContainsRune(read, '\ufffd'); got != want {
				t.Errorf("%s: %v, want %v", text, got, want)
			}
			if got := Check([]byte(text), nil); (got != nil) != strings.ContainsRune(read, '\ufffd') {
				t.Errorf("%s: %v, and it is read as %q", text, got, read)
			}
		}
	}
}

// What passes says the same after it was decoded and written again, whatever it is.
func FuzzCheck(f *testing.F) {
	for _, seed := range []string{
		`{"a":1,"a":2}`, `{"a":"\ud800"}`, `{"text":"\ud83d\ude00","steps":[{"when":""}]}`, `[1,{"b":[]}]`, `"\`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		_ = Check(raw, reflect.TypeFor[request]())
		if Check(raw, nil) != nil || !json.Valid(raw) {
			return
		}
		var v any
		if json.Unmarshal(raw, &v) != nil {
			return // a number that is too large
		}
		again, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(again), "\ufffd") && !strings.Contains(string(raw), "\ufffd") &&
			!strings.Contains(strings.ToLower(string(raw)), `\ufffd`) {
			t.Errorf("%q became %q", raw, again)
		}
	})
}

func BenchmarkCheck(b *testing.B) {
	line := []byte(
		`{"id": "1", "text": "The cache is slow again.", "steps": [{"when": "a"}], "tags": ["b", "c"], "at": ` +
			`"2024-03-04T09:00:00Z"}`,
	)
	of := reflect.TypeFor[request]()
	for b.Loop() {
		if Check(line, of) != nil {
			b.Fatal()
		}
	}
}
