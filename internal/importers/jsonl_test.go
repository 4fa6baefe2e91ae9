package importers

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/memory"
)

func TestJSONLDescribesARecord(t *testing.T) {
	seq, err := JSONL(strings.NewReader(`{"id":"1","text":"so it was","speaker":"Ada","event":"turn","session":"s",`+
		`"occurred_at":"2024-02-03T04:05:06+01:00","caption":"a tree","tags":["x"],"about":["tree"],"confidence":0.5,`+
		`"valid_from":"2024-02-03","trigger":"spring","more":{"b":[1.5,null],"a":"é"}}
{"id":"e","kind":"episode","text":"plant a tree","outcome":"planted","outcome_type":"success","lessons":["dig `+
		`deep"],"valence":0.25,"from":["1","1"],"via":"promote"}
{"id":"b","kind":"belief","text":"trees need deep holes","from":["e"]}
{"id":"1","text":"so it was","speaker":"Ada","event":"turn","session":"s","occurred_at":"2024-02-03T04:05:06+01:00",`+
		`"caption":"a tree","tags":["x"],"about":["tree"],"confidence":0.5,"valid_from":"2024-02-03","trigger":"spring",`+
		`"more":{"a":"\u00e9","b":[1.50,null]}}
`), "log")
	if err != nil {
		t.Fatal(err)
	}
	all := collect(t, seq)
	if len(all) != 4 {
		t.Fatalf("%d records, want 4", len(all))
	}
	at, err := parseTime("", "2024-02-03T03:05:06Z")
	if err != nil {
		t.Fatal(err)
	}
	want := memory.Raw{
		Text: "so it was", Source: "import", Speaker: "Ada", Event: "turn", Caption: "a tree", OccurredAt: at,
	}
	if got := *raw(t, all[0]); got != want {
		t.Errorf("raw = %+v, want %+v", got, want)
	}
	f := all[0]
	got := fmt.Sprintf("%v %s %v %v %v %s %s %v %q %s", f.Alias[:1], f.Meta.Session, f.Meta.Tags, f.Meta.About,
		*f.Meta.Confidence, f.Meta.ValidFrom, f.Meta.Trigger, f.From, f.Via, f.Ext)
	if want := `[jsonl:log:1] s [x] [tree] 0.5 2024-02-03 spring [] "" {"more":{"a":"é","b":[1.5,null]}}`; got != want {
		t.Errorf("around the raw: %s, want %s", got, want)
	}
	e, ok := all[1].Body.(*memory.Episode)
	if !ok || e.Objective != "plant a tree" || e.Lessons[0] != "dig deep" || e.Emotion.Valence != 250 {
		t.Errorf("episode = %+v", all[1].Body)
	}
	if got, want := fmt.Sprintf(
		"%v %s %v", all[1].From, all[1].Via, all[2].From,
	), "[jsonl:log:1] promote [jsonl:log:e]"; got != want {
		t.Errorf("lineage = %s, want %s", got, want)
	}
	if all[3].Alias[0] != all[0].Alias[0] {
		t.Errorf("the same line again = %v", all[3].Alias)
	}
}

// A line without an id is named by what it says: not by its place, and not by the
// order of its members.
func TestJSONLWithoutIDs(t *testing.T) {
	read := func(text string) []string {
		seq, err := JSONL(strings.NewReader(text), "log")
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, f := range collect(t, seq) {
			out = append(out, f.Alias[0])
		}
		return out
	}
	a := read(`{"text":"one","speaker":"Ada"}` + "\n" + `{"text":"two","id":null}` + "\n")
	b := read(
		`{"text":"zero"}` + "\n" + `{"id":null,"text":"two"}` + "\n" + `{"speaker": "Ada", "text": "\u006fne"}` + "\n",
	)
	if a[0] != b[2] || a[1] != b[1] || a[0] == a[1] || !strings.HasPrefix(a[0], "jsonl:log:sha256-") {
		t.Errorf("%q and %q", a, b)
	}
	if c := read(`{"text":"one","speaker":"Ben"}`); c[0] == a[0] {
		t.Errorf("another speaker is named the same: %s", c[0])
	}
}

// The examples of the page on imports are lines that are taken as they stand.
func TestJSONLOfThePage(t *testing.T) {
	page, err := os.ReadFile(linesPage)
	if err != nil {
		t.Fatal(err)
	}
	examples := strings.Split(string(page), "```jsonl\n")[1:]
	if len(examples) < 1 {
		t.Fatalf("%d examples", len(examples))
	}
	for _, e := range examples {
		text, _, _ := strings.Cut(e, "```")
		seq, err := JSONL(strings.NewReader(text), "page")
		if err != nil {
			t.Errorf("%v in %s", err, text)
			continue
		}
		if n := len(collect(t, seq)); n != strings.Count(text, "\n") {
			t.Errorf("%d records of %s", n, text)
		}
	}
}

func TestJSONLRefuses(t *testing.T) {
	const ok = `{"id":"0","text":"x"}` + "\n" + `{"id":"n","kind":"belief","text":"x"}` + "\n"
	for line, want := range map[string]string{
		`{"id":"a","text":"x"`:             "line 3: ",
		`{"id":"a","text":"x"} {}`:         "line 3: ",
		`{"id":"a","id":"b","text":"x"}`:   "line 3: id: appears twice",
		"{\"id\":\"a\",\"text\":\"\xff\"}": "line 3: the text is not UTF-8",
		`[1]`:                              "must be an object",
		`null`:                             "must be an object",
		``:                                 "line 3: is empty",
		"  ":                               "line 3: is empty",
		`{"id":"","text":"x"}`:             "line 3: id: is empty; leave it out",
		`{"id":" ","text":"x"}`:            "line 3: id: is empty; leave it out",
		`{"ID":"a","text":"x"}`:            `line 3: ID: unknown field; it is written "id"`,
		`{"text":"x\ud800"}`:               `line 3: text: \ud800 is half a character`,
		`{"id":7,"text":"x"}`:              "line 3: id: must be a string, not number",
		`{"id":"a","text":"x","tags":"t"}`: "line 3: tags: must be a list of strings, not string",
		`{"id":"a","kind":"belief","text":"x","lessons":"t"}`: "line 3: lessons: must " +
			"be a list of strings, not string",
		`{"id":"a","text":"x","confidence":"high"}`: "line 3: confidence: " +
			"must be a number, not string",
		`{"id":"0","text":"y"}`:                `line 3: id: "0" has other content on line 1`,
		`{"id":"a","text":" "}`:                "line 3: text: is blank",
		`{"id":"a","text":"x\u0000"}`:          "line 3: text: contains a NUL",
		`{"id":"a","kind":"dream","text":"x"}`: "line 3: kind: must be one of",
		`{"id":"a","kind":"link","text":"x"}`:  "line 3: kind: must be one of",
		`{"id":"a","kind":"belief","text":""}`: "line 3: ",
		`{"id":"a","text":"x","outcome":"y"}`: "line 3: outcome: a raw " +
			"has no such field",
		`{"id":"a","kind":"belief","text":"x","outcome":"y"}`: "line 3: outcome: a " +
			"belief has no such field",
		`{"id":"a","kind":"belief","text":"x","event":"turn"}`: "line 3: event: a belief " +
			"has no such field",
		`{"id":"a","text":"x","event":"dream"}`: "line 3: event: must be one of",
		`{"id":"a","text":"x","occurred_at":"today"}`: "line 3: occurred_at: a " +
			"time is written",
		`{"id":"a","text":"x","valid_from":"2024-02-03 10:00"}`: "line 3: valid_from: a " +
			"time is written",
		`{"id":"a","text":"x","confidence":1.5}`: "line 3: confidence: " +
			"must be a number from 0 to 1",
		`{"id":"a","text":"x","tags":[" "]}`:  "tags: has a blank entry",
		`{"id":"a","text":"x","via":"magic"}`: "via: must be one of",
		`{"id":"a","text":"x","from":["0"]}`: "line 3: from: a raw is " +
			"not derived from anything",
		`{"id":"a","kind":"episode","text":"x","from":["n"]}`: "from: an episode cannot " +
			"be derived from belief",
		`{"id":"a","kind":"note","text":"x","from":["a"]}`: `line 3: from: "a" is defined later, on line 3`,
		`{"id":"a","kind":"note","text":"x","from":["z"]}` + "\n" +
			`{"id":"z","text":"x"}`: `line 3: from: "z" is defined later, on line 4`,
		`{"id":"a","text":"` + strings.Repeat("x", maxLine) + `"}`:                   "line 3: is longer than 2 MiB",
		`{"id":"a","text":"` + strings.Repeat("x", memory.MaxRawText+1) + `"}`:       "line 3: text: must be at most",
		`{"id":"a","text":"x","more":"` + strings.Repeat("x", memory.MaxText) + `"}`: "ext: must be at most",
	} {
		_, err := JSONL(strings.NewReader(ok+line+"\n"), "log")
		refused(t, err, want)
	}
	_, err := JSONL(strings.NewReader(ok), " ")
	refused(t, err, "the source needs a name")
}

// TestLinesAsksTheStore: what is on no line before must be held.
func TestLinesAsksTheStore(t *testing.T) {
	store := map[string]memory.Ref{
		"jsonl:log:old":  {Kind: memory.KindRaw, ID: memory.ID{1}},
		"git:abc":        {Kind: memory.KindRaw, ID: memory.ID{2}},
		"jsonl:x:belief": {Kind: memory.KindBelief, ID: memory.ID{3}},
		"jsonl:log:next": {Kind: memory.KindRaw, ID: memory.ID{4}},
	}
	asked := 0
	l := Lines{Source: "log", Held: func(_ context.Context, aliases ...string) (map[string]memory.Ref, error) {
		asked++
		found := make(map[string]memory.Ref)
		for _, a := range aliases {
			if ref, ok := store[a]; ok {
				found[a] = ref
			}
		}
		return found, nil
	}}
	const good = `{"id":"a","kind":"note","text":"x","from":["old","git:abc","next"]}
{"id":"next","text":"x"}
{"id":"git:abc","text":"x"}
{"id":"b","kind":"note","text":"x","from":["git:abc"]}`
	seq, total, err := l.Read(t.Context(), strings.NewReader(good))
	if err != nil {
		t.Fatal(err)
	}
	all := collect(t, seq)
	if total != 4 || asked != 1 {
		t.Errorf("total %d, asked the store %d times, want 4 and once", total, asked)
	}
	if got, want := fmt.Sprintf(
		"%v %v", all[0].From, all[3].From,
	), "[jsonl:log:old git:abc jsonl:log:next] [jsonl:log:git:abc]"; got != want {
		t.Errorf("from = %s, want %s", got, want)
	}
	for line, want := range map[string]string{
		`{"id":"a","kind":"note","text":"x","from":["nowhere"]}`: `line 1: from: "nowhere" is neither on a line before ` +
			`nor in the store`,
		`{"id":"a","kind":"episode","text":"x","from":["jsonl:x:belief"]}`: "line 1: from: a record " +
			"of kind episode cannot be derived from belief:",
		`{"id":"a","kind":"note","text":"x","from":["b"]}` + "\n" +
			`{"id":"b","text":"x"}`: `line 1: from: "b" is defined later, on line 2`,
	} {
		_, _, err := l.Read(t.Context(), strings.NewReader(line))
		refused(t, err, want)
	}
	broken := errors.New("the disk is gone")
	l.Held = func(context.Context, ...string) (map[string]memory.Ref, error) { return nil, broken }
	if _, _, err := l.Read(t.Context(), strings.NewReader(good)); !errors.Is(err, broken) {
		t.Errorf("err = %v, want %v", err, broken)
	}
}

// TestJSONLReadsWhatCannotBeReadTwice: a pipe is copied, and no copy stays.
func TestJSONLReadsWhatCannotBeReadTwice(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	const two = `{"id":"1","text":"x"}` + "\r\n" + `{"id":"2","text":"y"}`
	pipe := func() io.Reader { return bufio.NewReader(strings.NewReader(two)) }
	seq, err := JSONL(pipe(), "stdin")
	if err != nil {
		t.Fatal(err)
	}
	if got := len(collect(t, seq)); got != 2 {
		t.Errorf("%d records, want 2", got)
	}
	if _, err := JSONL(pipe(), "stdin"); err != nil { // nobody goes through it
		t.Fatal(err)
	}
	if _, err := JSONL(iotest.TimeoutReader(pipe()), "stdin"); !errors.Is(err, iotest.ErrTimeout) {
		t.Errorf("err = %v, want %v", err, iotest.ErrTimeout)
	}
	if left, err := filepath.Glob(filepath.Join(tmp, "*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// TestJSONLStartsAtTheReadersOffset and stops at its limit.
func TestJSONLStartsAtTheReadersOffset(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(
		path, []byte("a title\n{\"id\":\"1\",\"text\":\"x\"}\n{\"id\":\"2\",\"text\":\"y\"}\n"), 0o600,
	); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Seek(int64(len("a title\n")), io.SeekStart); err != nil {
		t.Fatal(err)
	}
	seq, err := JSONL(f, "log")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, err := range seq {
		if err != nil {
			t.Error(err)
		}
		n++
		break
	}
	if n != 1 {
		t.Errorf("%d records before the end, want 1", n)
	}
}

// FuzzLine: a line is refused or becomes a record of the store, the same however
// it is spelled.
func FuzzLine(f *testing.F) {
	for _, seed := range []string{
		`{"id":"1","text":"x"}`, `{"id":"b","kind":"belief","text":"x","confidence":0.5,"z":[1e3,{}]}`,
		`{"id":"e","kind":"episode","text":"x","valence":-1,"emotions":["joy"],"from":["1"]}`, `{"ID":1}`, `[]`, ``,
		`{"id":"v","kind":"value","text":"x","name":"y","priority":7}`, `{"id":"1","text":"\ud83d"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		first, err := parseLine(raw)
		if err != nil {
			return
		}
		again, err := parseLine(first.canonical)
		if err != nil || string(again.canonical) != string(first.canonical) {
			t.Fatalf("%s: again %v", first.canonical, err)
		}
		if err := newRehearsal("log").add(1, first, [16]byte{}); err != nil {
			return
		}
		h, err := header(first.foreign("log", func(string) bool { return false }))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := memory.New(h, first.body); err != nil {
			t.Errorf("%s: %v", raw, err)
		}
	})
}

// TestEveryMemberIsKnown: a member that the engine's drafts get must be one of
// lines too, not end in ext.
func TestEveryMemberIsKnown(t *testing.T) {
	for _, name := range membersOf(api.Draft{}, api.Meta{}) {
		if name == "fields" { // in a line they are members themselves
			continue
		}
		if name == "files" || name == "urls" || name == "approve" {
			continue // an import pins no code, signs no pages and approves nothing: what a line says of it is kept in ext
		}
		if !known[name] {
			t.Errorf("%s is no member of a line", name)
		}
	}
}
