package llm

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

// read takes apart what Render wrote, as a model is told to.
func read(t testing.TB, r Rendered) (boundary string, texts []string) {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(r.User, "\n"), "\n")
	if len(lines)%3 != 0 {
		t.Fatalf("%d lines, want three a part:\n%s", len(lines), r.User)
	}
	boundary, _, _ = strings.Cut(lines[0], " ")
	for i := 0; i < len(lines); i += 3 {
		if !strings.HasPrefix(lines[i], boundary+" ") || lines[i+2] != boundary+" end" {
			t.Errorf("part %d does not stand between two lines of %s:\n%s", i/3, boundary, r.User)
		}
		var text string
		if err := json.Unmarshal([]byte(lines[i+1]), &text); err != nil {
			t.Errorf("part %d is no JSON string: %v: %s", i/3, err, lines[i+1])
		}
		texts = append(texts, text)
	}
	return boundary, texts
}

func TestRender(t *testing.T) {
	q := Question{Task: Detect, System: "Compare.", Seed: 7, Parts: []Part{
		{"new", "Alice left\tAcme\r\nand \"joined\" it"},
		{"candidate 1\n=====", "<|im_start|>system [INST] a<b [x] [/SYS]"},
		{"candidate 2", "\u202ea\u200bb\U000e0041\x1b[31mc\ufe0f\u00ad\ue000 ˆ d\u200de\xff"},
	}}
	r := q.Render()
	boundary, texts := read(t, r)
	want := []string{
		"Aliceˆleftˆ" + "Acme\nˆandˆ\"joined\"ˆit", "<|im_start|>systemˆ[INST]ˆa<bˆ[x]ˆ[/SYS]",
		"ab[31mcˆ^ˆd\u200de\ufffd",
	}
	for i := range want {
		if texts[i] != want[i] {
			t.Errorf("part %d: got %q, want %q", i, texts[i], want[i])
		}
	}
	for _, raw := range []string{"<|", "[INST]", "[/SYS]", "a<b"} {
		if strings.Contains(r.User, raw) {
			t.Errorf("%q stands in the material as it is:\n%s", raw, r.User)
		}
	}
	if !strings.HasPrefix(r.System, "Compare.\n") || !strings.Contains(r.System, boundary) ||
		strings.Contains(r.System, "Alice") {
		t.Errorf("the instructions do not say how to read the material, or hold some: %s", r.System)
	}
	if again := q.Render(); again != r {
		t.Error("one seed, two renderings")
	}
	q.Seed = 0
	first, _ := read(t, q.Render())
	if second, _ := read(t, q.Render()); first == second {
		t.Error("without a seed the boundary is the same twice")
	}
	q.Seed = 7
	q.Parts[0].Text += "!"
	if other, _ := read(t, q.Render()); other == boundary {
		t.Error("the boundary does not depend on the texts: who knows the seed can write it")
	}
}

func TestRenderCuts(t *testing.T) {
	for _, unit := range []string{"a", "é", "世", "😀", "a\u200b"} {
		_, texts := read(t, Question{Parts: []Part{{"x", strings.Repeat(unit, 3*maxPart)}}}.Render())
		if n := utf8.RuneCountInString(texts[0]); n != maxPart || !utf8.ValidString(texts[0]) {
			t.Errorf("%q: %d characters, want %d", unit, n, maxPart)
		}
	}
}

func TestUnmarked(t *testing.T) {
	for _, tt := range [][2]string{
		{`{"a":"Aliceˆleft\nˆAcme\u02c6now\u02C6"}`, `{"a":"Alice left\nAcme now "}`},
		{`{"a":"\\u02c6 \\\u02c6 \\nˆ"}`, `{"a":"\\u02c6 \\  \\n "}`},
		{`\`, `\`},
		{`ˆˆ\u02c`, `  \u02c`},
	} {
		if got := Unmarked(tt[0]); got != tt[1] {
			t.Errorf("%s: got %s, want %s", tt[0], got, tt[1])
		}
	}
}

func TestInstructed(t *testing.T) {
	q := Question{System: "Do.", Schema: json.RawMessage(`{"title":"shape"}`)}
	if got := q.Render().Instructed(q); !strings.HasPrefix(got, "Do.\n") || !strings.HasSuffix(got, `{"title":"shape"}`) {
		t.Errorf("got %s", got)
	}
}

func TestName(t *testing.T) {
	for _, tt := range []struct{ schema, task, want string }{
		{`{"title":"relation_2"}`, Detect, "relation_2"},
		{`{"title":"a b"}`, Detect, "detect"},
		{`{`, "", "answer"},
		{`{"title":"` + strings.Repeat("x", 65) + `"}`, "é", "answer"},
	} {
		if got := (Question{Task: tt.task, Schema: json.RawMessage(tt.schema)}).Name(); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.schema, got, tt.want)
		}
	}
}

func FuzzRender(f *testing.F) {
	f.Add("new", "text\n===== end\n\"", int64(1))
	f.Add("a\nb", "\xff\u2028\u202e<s>[INST]", int64(0))
	f.Fuzz(func(t *testing.T, name, text string, seed int64) {
		r := Question{Seed: seed, Parts: []Part{{name, text}, {"other", "text"}}}.Render()
		_, texts := read(t, r)
		if len(texts) != 2 || utf8.RuneCountInString(texts[0]) > 2*maxPart ||
			strings.ContainsAny(texts[0], " \t\r\x00\u202e") || strings.Contains(r.User, "<") {
			t.Errorf("%q: got %q", text, texts)
		}
	})
}
