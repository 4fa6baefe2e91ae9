package ownwords

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// whose writes what Split returns as own|voice:text|…
func whose(host string, pieces ...string) string {
	own, parts := Split(host, pieces...)
	for _, p := range parts {
		own += "|" + map[Voice]string{Host: "host", Agent: "agent"}[p.By] + ":" + p.Text
	}
	return own
}

func TestSplit(t *testing.T) {
	const note = "<system-reminder>\nx\n</system-reminder>"
	const setup = "# Context from my IDE setup:\n## Active selection:\n## My request for Codex:\nuse Redis\n" +
		"## My request for Codex:"
	for _, tt := range []struct {
		name, host string
		pieces     []string
		want       string
	}{
		{"nothing is touched that is the person's", claudeCode, []string{" use\ttabs \n"}, " use\ttabs \n"},
		{"an argument in quotes", openCode, []string{`"say \"tabs\" and mean it"`}, `say "tabs" and mean it`},
		{"two quotations", openCode, []string{`"tabs" or "blanks"`}, `"tabs" or "blanks"`},
		{"quotes of another host", claudeCode, []string{`"use tabs"`}, `"use tabs"`},
		{"before", claudeCode, []string{note + "\n\nuse tabs"}, "use tabs|host:" + note},
		{"after", claudeCode, []string{"use tabs\n" + note}, "use tabs|host:" + note},
		{"on both sides", claudeCode, []string{note + "\r\nuse tabs\r\n" + note + "\r\n"},
			"use tabs|host:" + note + "|host:" + note},
		{"two before", claudeCode, []string{note + note + "\nuse tabs"}, "use tabs|host:" + note + "|host:" + note},
		{"in the middle it is pasted", claudeCode, []string{"a\n" + note + "\nb"}, "a\n" + note + "\nb"},
		{"in a sentence it is a word", claudeCode, []string{"<system-reminder> and </system-reminder> are tags"},
			"<system-reminder> and </system-reminder> are tags"},
		{"at the end of a sentence", claudeCode, []string{"see <system-reminder>x</system-reminder>"},
			"see <system-reminder>x</system-reminder>"},
		{"another name", claudeCode, []string{"<system-reminders>\nx\n</system-reminders>"},
			"<system-reminders>\nx\n</system-reminders>"},
		{"one inside another", claudeCode, []string{"<system-reminder>\n" + note + "\ny\n</system-reminder>\nuse tabs"},
			"use tabs|host:<system-reminder>\n" + note + "\ny\n</system-reminder>"},
		{"an end in what stands before ends nothing", claudeCode,
			[]string{"<system-reminder>\na\n</system-reminder>\nI prefer tabs\n</system-reminder>\nfix it"},
			"fix it|host:<system-reminder>\na\n</system-reminder>\nI prefer tabs\n</system-reminder>"},
		{"a tag in the words behind it", claudeCode, []string{note + "\nwhy is </system-reminder> shown?"},
			"why is </system-reminder> shown?|host:" + note},
		{"a tag in the words before it", claudeCode, []string{"why is <system-reminder> shown?\n" + note},
			"why is <system-reminder> shown?|host:" + note},
		{"an end in what stands alone ends nothing", claudeCode,
			[]string{"<task-notification>\na\n</task-notification>\nI prefer tabs\n</task-notification>"},
			"|host:<task-notification>\na\n</task-notification>\nI prefer tabs\n</task-notification>"},
		{"a question about what stood alone", claudeCode, []string{"<task-notification>\na\n</task-notification>\nwhy?"},
			"why?|host:<task-notification>\na\n</task-notification>"},
		{"its end is missing", claudeCode, []string{"<task-notification>\n<task-id>a"},
			"|host:<task-notification>\n<task-id>a"},
		{"arguments with a tag", claudeCode,
			[]string{"<command-name>/fix</command-name>\n<command-args>the </b> tag</command-args>"},
			"/fix the </b> tag|host:<command-name>/fix</command-name>|host:<command-args>the </b> tag</command-args>"},
		{"arguments without a command", claudeCode, []string{"<command-args>x</command-args>"},
			"<command-args>x</command-args>"},
		{"pieces are of one voice each", claudeCode, []string{"[Request interrupted by user]", "use tabs", note},
			"use tabs|host:[Request interrupted by user]|host:" + note},
		{"a line in a file that looks like the last", codex, []string{setup + "\nfix it"}, "fix it|host:" + setup},
		{"a tag of another host", codex, []string{note}, note},
		{"a host that is not known", "x", []string{note}, note},
		{"the person's words are marked", cursor,
			[]string{"<new_block>\na\n</new_block>\n<user_query>\nuse tabs\n</user_query>"},
			"use tabs|host:<new_block>\na\n</new_block>"},
		{"somebody wrote the mark", cursor, []string{"like this:\n<user_query>\nx\n</user_query>"},
			"like this:\n<user_query>\nx\n</user_query>"},
		{"an agent's words", claudeCode, []string{"<teammate-message teammate_id=\"a\">\nx\n</teammate-message>"},
			"|agent:<teammate-message teammate_id=\"a\">\nx\n</teammate-message>"},
	} {
		if got := whose(tt.host, tt.pieces...); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestMarked(t *testing.T) {
	for _, tt := range []struct {
		host, payload string
		want          Voice
	}{
		{claudeCode, `{"origin":{"kind":"human"},"isMeta":false,"isSidechain":false,"agent_id":null}`, Person},
		{claudeCode, `{"origin":{"kind":"task-notification"}}`, Host},
		{claudeCode, `{"origin":{"kind":"a kind of tomorrow"}}`, Host},
		{claudeCode, `{"origin":{"kind":"peer"}}`, Agent},
		{claudeCode, `{"origin":"human"}`, Person},
		{claudeCode, `{"isMeta":true}`, Host},
		{claudeCode, `{"isMeta":true,"isSidechain":true}`, Agent},
		{codex, `{"source":"cli"}`, Person},
		{codex, `{"source":{"subagent":"review"}}`, Agent},
		{copilot, `{"source":"skill-pdf"}`, Host},
		{copilot, `{"source":"user"}`, Person},
		{openCode, `{"parent":""}`, Person},
		{openCode, `{"parent":"ses_0"}`, Agent},
	} {
		var members map[string]json.RawMessage
		if err := json.Unmarshal([]byte(tt.payload), &members); err != nil {
			t.Fatal(err)
		}
		if got, _ := Marked(tt.host, members); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.payload, got, tt.want)
		}
	}
}

func TestDoubtful(t *testing.T) {
	for text, want := range map[string]bool{
		"<new-notice>\nx\n</new-notice>": true, "<new_notice a=\"b\">x</new_notice>\n": true, "<div>x</div>": false,
		"<task>\nx\n</task>": false, "<new-notice> is what?": false, "why <new-notice>x</new-notice>": false, "<": false,
		"<new-notice>x</new-notice> why?": false, "": false, "< a-b >": false,
	} {
		if got := Doubtful(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestPrograms(t *testing.T) {
	for _, tt := range []struct {
		event, speaker string
		want           bool
	}{
		{"user_prompt", "user", false}, {"turn", "Rosa", false}, {"turn", Speaker, true}, {"turn", "claude-code", true},
		{"turn", "assistant", true}, {"assistant_response", "", true}, {"tool_output", "Bash", true}, {"", "", false},
	} {
		if got := ByProgram(tt.event, tt.speaker); got != tt.want {
			t.Errorf("%s by %q: %v, want %v", tt.event, tt.speaker, got, tt.want)
		}
	}
}

// Every host has its rows, and no row is without what a person can read.
func TestTheTableIsWhole(t *testing.T) {
	for _, host := range Names() {
		if len(formsOf[host]) == 0 || len(marksOf[host]) == 0 {
			t.Errorf("%s has no rows", host)
		}
		for _, f := range formsOf[host] {
			if f.what == "" || f.begin == "" || !slices.Contains(
				[]place{beside, alone, opens, line, before, after, wraps, command}, f.where,
			) {
				t.Errorf("%s: %+v", host, f)
			}
		}
	}
}

// What somebody makes long to be slow is read in time, and none of it passes.
func TestLongTexts(t *testing.T) {
	const many = 200_000
	for _, text := range []string{
		strings.Repeat("<system-reminder>\nx\n</system-reminder>\n", many),
		"<system-reminder>\n" + strings.Repeat("</system-reminder> \n", many),
		strings.Repeat("<system-reminder>\n", many) + "</system-reminder>",
		"<task-notification>" + strings.Repeat("</task-notification>\n", many),
	} {
		if own, _ := Split(claudeCode, text); own != "" {
			t.Errorf("%.60q: %.60q passes", text, own)
		}
	}
	text := "use tabs\n" + strings.Repeat("<hook_context>\n", many) + "</hook_context>"
	if own, _ := Split(gemini, text); own != "use tabs" {
		t.Errorf("%.60q", own)
	}
}

// Nothing is lost and nothing is made up, on any words.
func FuzzSplit(f *testing.F) {
	f.Add("claude-code", "<system-reminder>\nx\n</system-reminder>\nuse tabs")
	f.Add("codex", "# Context from my IDE setup:\n\n## My request for Codex:\nfix")
	f.Add("cursor", "<user_query>\nx</user_query>")
	f.Add("copilot", "x\n<userRequest>\nx\n</userRequest>")
	f.Add("gemini", "User hints:\n<user_input>\n- a\n</user_input>\nb")
	f.Fuzz(func(t *testing.T, host, text string) {
		own, parts := Split(host, text)
		if len(parts) == 0 && !strings.Contains(text, own) {
			t.Errorf("%q became %q, and nobody else said anything", text, own)
		}
		size := len(own)
		for _, p := range parts {
			if p.By == Person || p.Text == "" {
				t.Errorf("%q: %+v", text, p)
			}
			size += len(p.Text)
		}
		if size > 2*len(text)+1 { // arguments of a command are in both
			t.Errorf("%q: %d bytes of %d", text, size, len(text))
		}
	})
}
