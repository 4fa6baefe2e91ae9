package attest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/audit/report"
)

// FuzzCode: whatever a text holds, it is one line, and stays within its span of code.
func FuzzCode(f *testing.F) {
	for _, s := range []string{
		"", "`", "``", "a`b``c", "<script>", "</code>", "| x |", "@team #1", "line\nline\r\n# head", "\u202eevil\u2066",
		"\x1b[2J",
		"![x](http://y)", "-->", "   ", "` ", " `", strings.Repeat("`", 200), "\x00", "\xff", "$`x`$", "\u2028a\u2029",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := code(s)
		if strings.ContainsAny(got, "\n\r\x00\x1b\u2028\u2029\u202e\u2066") {
			t.Errorf("%q is not one harmless line: %q", s, got)
		}
		if got == "(none)" {
			return
		}
		fence := len(got) - len(strings.TrimLeft(got, "`"))
		inner := got[fence : len(got)-fence]
		if !strings.HasSuffix(got, strings.Repeat("`", fence)) || fence == 0 || inner == "" ||
			inner[0] == '`' || inner[len(inner)-1] == '`' {
			t.Fatalf("%q: the span is %q", s, got)
		}
		for run := range strings.FieldsFuncSeq(inner, func(r rune) bool { return r != '`' }) {
			if len(run) == fence { // CommonMark: this would end the span
				t.Errorf("%q: the span ends early: %q", s, got)
			}
		}
	})
}

// A comment has no more than a host takes, and is cut between lines; what is said in it is in spans of code.
func TestCommentOfALargeChange(t *testing.T) {
	p := &report.AttestedChange{By: "x", Words: true}
	for i := range 5000 {
		p.Commits = append(p.Commits, report.AttestedCommit{Commit: strings.Repeat("a", 40), Lines: i})
	}
	evil := "`` | <img src=x> @team [x](http://y) **bold**\n# head\n" + strings.Repeat("w", 500)
	for i := range 100 {
		s := report.AttestedSession{Session: fmt.Sprint(evil, i), Host: evil, Unknown: evil}
		for k := range 100 {
			ref := fmt.Sprintf("belief:%064d", i*100+k)
			s.Given = append(s.Given, report.AttestedGiven{Ref: ref, Tier: evil, Review: evil, Level: evil})
			s.Withheld = append(s.Withheld, report.AttestedHeld{Ref: evil, Reason: evil},
				report.AttestedHeld{Reason: evil, Count: 2})
			p.Memories = append(p.Memories, report.AttestedMemory{
				Ref: ref, Words: evil, Speaker: evil, Origin: evil, Hidden: evil,
				Decisions: []report.AttestedDecision{{Act: evil, Key: evil, At: evil, Why: evil, By: evil, Counts: true}},
			})
		}
		p.Sessions = append(p.Sessions, s)
		p.Code = append(p.Code, report.AttestedCode{Ref: evil, State: evil, Files: []string{evil, evil}, Words: evil})
		p.NotKnown = append(p.NotKnown, evil)
	}
	got := comment(p, signature{signed: true, checked: true, name: evil, why: evil})
	if len(got) > mostComment+100 || !strings.HasSuffix(got, "… the rest is in the attestation.\n") {
		t.Errorf("%d bytes, ending in %q", len(got), got[max(len(got)-60, 0):])
	}
	p.Sessions, p.Commits, p.Code, p.NotKnown = p.Sessions[:1], p.Commits[:1], p.Code[:3], p.NotKnown[:3]
	got = comment(p, signature{signed: true, checked: true, name: evil, why: evil})
	if strings.Contains(got, "the rest is in") {
		t.Fatal("a small one is cut")
	}
	for line := range strings.Lines(got) {
		if left := outside(line); strings.ContainsAny(left, "<>@[") && !strings.HasPrefix(line, CommentMark) {
			t.Errorf("%q is markup in %q", left, line)
		}
	}
}

// outside is a line without its spans of code.
func outside(line string) string {
	var out strings.Builder
	for line != "" {
		at := strings.IndexByte(line, '`')
		if at < 0 {
			break
		}
		out.WriteString(line[:at])
		line = line[at:]
		n := len(line) - len(strings.TrimLeft(line, "`"))
		line = line[n:]
		for {
			end := strings.Index(line, strings.Repeat("`", n))
			if end < 0 {
				return out.String() + line
			}
			run := len(line[end:]) - len(strings.TrimLeft(line[end:], "`"))
			if line = line[end+run:]; run == n {
				break
			}
		}
	}
	return out.String() + line
}

// A ref to code names its file, whatever stands behind it.
func TestPathOf(t *testing.T) {
	for ref, want := range map[string]string{
		"a/b.go": "a/b.go", "a/b.go#Open": "a/b.go", "a/b.go:10-20": "a/b.go", "a/b.go:7": "a/b.go",
		"a:b.go": "a:b.go", "": "",
	} {
		if got := pathOf(ref); got != want {
			t.Errorf("pathOf(%q) = %q, want %q", ref, got, want)
		}
	}
}
