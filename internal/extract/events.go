package extract

import (
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/lazy"
	"github.com/stemma-memory/stemma/internal/ownwords"
	"github.com/stemma-memory/stemma/internal/shorten"
)

// A role is who speaks in an event.
type role int

const (
	ofTool role = iota
	ofUser
	ofAssistant
	ofPerson
)

// roleOf returns who speaks in an event of a session of people, or of one with a program.
func roleOf(e Event, people bool) role {
	speaker := strings.ToLower(strings.TrimSpace(e.Speaker))
	switch e.Type {
	case "user_prompt":
		if ownwords.ByProgram(e.Type, speaker) {
			return ofTool
		}
		return ofUser
	case "assistant_response":
		return ofAssistant
	case "", "turn":
		switch speaker {
		case "assistant", "agent", "ai", "model", "bot", "claude", "gpt", "chatgpt", "copilot", "gemini", "codex",
			"sub-agent":
			return ofAssistant
		}
		if ownwords.ByProgram(e.Type, speaker) {
			return ofTool
		}
		if people && !isUser(speaker) {
			return ofPerson
		}
		if isUser(speaker) {
			return ofUser
		}
	}
	return ofTool
}

// peopleTalk tells a conversation between people: somebody speaks who is neither the user nor a program.
func peopleTalk(events []Event) bool {
	return slices.ContainsFunc(events, func(e Event) bool {
		return (e.Type == "turn" || e.Type == "") && roleOf(e, true) == ofPerson
	})
}

// speakers returns the names of who speaks, in small letters.
func speakers(events []Event) map[string]bool {
	known := map[string]bool{}
	for _, e := range events {
		if n := strings.ToLower(name(e.Speaker)); n != "" && !isUser(n) && n != ownwords.Speaker {
			known[n] = true
		}
	}
	return known
}

func isUser(speaker string) bool { return ownwords.OfUser(speaker) }

var (
	exitSaid  = lazy.Regexp(`(?im)\b(?:exit(?:ed)?(?: with)?(?: code| status)?|exit_code"?)[ :=]+(\d{1,3})\b`)
	countFail = lazy.Regexp(`(?i)\b(\d+) (?:tests? )?(?:failed|failures?|errors?)\b|(?:failed|failures|errors)[:=] *(\d+)`)
	failSaid  = lazy.Regexp(
		`(?m)^(?:FAIL\b|--- FAIL|FAILED\b|Error:|error:|ERROR\b|panic:|Traceback|fatal:)|\bBUILD FAILED\b|\btest result: ` +
			`FAILED`,
	)
	passSaid = lazy.Regexp(
		`(?im)^(?:ok\s|PASS\b|OK\b|BUILD SUCCESS|all (?:\d+ )?tests? passed|\d+ (?:tests? )?passed)|test result: ok|` +
			`\b\d+ (?:tests? )?pass(?:ed|ing)\b|\ball tests pass`,
	)
)

// outcomeSaid reads from an output whether its command failed; known is false where it does not say.
func outcomeSaid(text string) (failed, known bool) {
	text = shorten.To(text, maxScan)
	if m := exitSaid.Get().FindAllStringSubmatch(text, -1); len(m) > 0 {
		return number(m[len(m)-1][1]) != 0, true
	}
	for _, m := range countFail.Get().FindAllStringSubmatch(text, -1) {
		if number(m[1]) > 0 || number(m[2]) > 0 {
			return true, true
		}
	}
	if failSaid.Get().MatchString(text) {
		return true, true
	}
	return false, passSaid.Get().MatchString(text)
}
