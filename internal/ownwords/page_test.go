package ownwords

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the tables of docs/lab/design/own-words.md")

const page = "../../docs/lab/design/own-words.md"

// titles are the hosts as the page has them, in its order.
var titles = []struct{ host, title string }{
	{claudeCode, "Claude Code"}, {codex, "Codex"}, {gemini, "Gemini CLI"}, {qwen, "Qwen Code"}, {cursor, "Cursor"},
	{openCode, "OpenCode"}, {copilot, "Copilot CLI"}, {vsCode, "VS Code"},
}

// TestThePageHasTheTable holds the page to the table, row by row.
func TestThePageHasTheTable(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "<!-- generated: words -->\n", "<!-- end of words -->\n"
	head, rest, begun := strings.Cut(string(text), begin)
	have, tail, ended := strings.Cut(rest, end)
	if !begun || !ended {
		t.Fatalf("%s has no part between %q and %q", page, begin, end)
	}
	want := "\n" + tables() + "\n"
	if *update {
		if err := os.WriteFile(page, []byte(head+begin+want+end+tail), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if have != want {
		t.Errorf("%s has other forms than the table; run go test ./internal/ownwords -update\nhave%swant%s", page, have, want)
	}
	if len(titles) != len(Names()) {
		t.Errorf("the page has %d hosts, the table %d", len(titles), len(Names()))
	}
}

func tables() string {
	var b strings.Builder
	for i, h := range titles {
		if i > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "### %s\n\n| in a payload | whose words |\n|---|---|\n", h.title)
		for _, m := range marksOf[h.host] {
			fmt.Fprintf(&b, "| %s | %s |\n", m.cell(), by(m.by))
		}
		b.WriteString("\n| in words | where | what it is | whose words |\n|---|---|---|---|\n")
		for _, f := range formsOf[h.host] {
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", f.cell(), f.where.cell(), f.what, f.whose())
		}
	}
	return b.String()
}

func (m mark) cell() string {
	switch {
	case m.not != nil:
		return fmt.Sprintf("`%s` is not `%s`", m.member, strings.Join(m.not, "`, `"))
	case m.is != nil:
		return fmt.Sprintf("`%s` is `%s`", m.member, strings.Join(m.is, "`, `"))
	}
	return fmt.Sprintf("`%s` is there", m.member)
}

func (f form) cell() string {
	begin := strings.ReplaceAll(f.begin, "\n", " ")
	switch f.where {
	case beside, alone, wraps, command:
		begin = "<" + begin + ">"
		if strings.HasSuffix(f.begin, "=") {
			begin = "<" + f.begin + "…>"
		}
		if f.says != "" {
			begin += " " + f.says + " …"
		}
	case opens, before, after:
		begin += " …"
	}
	return begin
}

func (p place) cell() string {
	return map[place]string{
		beside: "before or after the person's words", alone: "alone", opens: "from the beginning to the end",
		line: "on a line of its own", before: "before the person's words", after: "after the person's words",
		wraps: "around the person's words", command: "alone",
	}[p]
}

func by(v Voice) string {
	return map[Voice]string{Person: "the person's", Host: "the host's", Agent: "an agent's"}[v]
}

func (f form) whose() string {
	switch {
	case f.where == wraps:
		return "the person's"
	case f.where == command:
		return "the host's; arguments are the person's"
	case f.drop:
		return by(max(f.by, Host)) + ", not kept"
	}
	return by(max(f.by, Host))
}
