package extract

import (
	"path"
	"slices"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/internal/lazy"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/memory"
)

// fixWithin is how long after a failure a success of the same command counts as its fix.
const fixWithin = 5 * time.Minute

// choices is how often the same must be chosen to be a convention.
const choices = 3

// Process drafts what the events of one session tell, in their order. Each draft cites the events it rests on
// and no others.
func Process(events []Event) []Draft {
	var drafts []Draft
	drafts = append(drafts, fixes(events)...)
	voices, people := speakers(events), peopleTalk(events)
	for i, e := range events {
		who := roleOf(e, people)
		if who != ofUser && who != ofPerson {
			continue
		}
		t := teller{now: e.At, known: voices}
		if who == ofPerson {
			t.name, t.talk = name(e.Speaker), true
		}
		for _, s := range sentences(e.Text) {
			for _, d := range t.read(s) {
				if who == ofUser && !slices.Contains(
					[]string{"constraint", "decision", "correction", "preference", "favourite"}, d.Rule,
				) {
					continue
				}
				d.From = []int{i}
				drafts = append(drafts, d)
			}
		}
	}
	drafts = append(drafts, conventions(events)...)
	if !people {
		drafts = append(drafts, episode(events)...)
	}
	return kept(drafts)
}

// A run is a command with how it ended.
type run struct {
	command string // normalised
	at      int    // the event that says how it ended
	failed  bool
	known   bool // whether it ended well or not was said
}

// fixes finds a command that failed and then passed within five minutes, with words of a fix between or after.
func fixes(events []Event) []Draft {
	var out []Draft
	runs := commandRuns(events)
	for i, r := range runs {
		if !r.known || r.failed {
			continue
		}
		for k := i - 1; k >= 0; k-- {
			f := runs[k]
			if f.command != r.command || !f.known {
				continue
			}
			if !f.failed {
				break
			}
			at, before := events[r.at].At, events[f.at].At
			if at.IsZero() || before.IsZero() || at.Before(before) || at.Sub(before) > fixWithin {
				break
			}
			if said := fixSaid(events, f.at, r.at); said != "" {
				out = append(out, Draft{
					Kind: memory.KindNote, Type: "known_fix", Text: line(r.command) + ": " + said, Confidence: fair,
					From: []int{f.at, r.at}, Rule: "known_fix", Body: fixBody(events[f.at].Text, said),
				})
			}
			break
		}
	}
	return out
}

// fixBody says what failed, by the line of the output that says so, and what was said of the fix.
func fixBody(output, said string) string {
	for l := range strings.Lines(shorten.To(output, maxScan)) {
		if low := strings.ToLower(l); strings.Contains(low, "error") || strings.Contains(low, "fail") ||
			strings.Contains(low, "panic") {
			return "failed with: " + line(shorten.To(l, maxSentence)) + "\nfixed by: " + said
		}
	}
	return ""
}

var fixWords = lazy.Regexp(
	`(?i)\b(fixed|fixing|the fix|fix was|fix is|fixes|solved|resolved|turned out|the problem was|the issue was|the ` +
		`cause was|root cause|caused by|because|was missing|needed to|had to|the trick)\b`,
)

// afterFix is how many events behind the success may still say what fixed it.
const afterFix = 3

// fixSaid returns the sentence in which somebody says what the fix was.
func fixSaid(events []Event, failed, passed int) string {
	for i := failed + 1; i < min(len(events), passed+1+afterFix); i++ {
		if i > passed && events[i].Type == "tool_call" {
			break
		}
		if r := roleOf(events[i], false); r != ofUser && r != ofAssistant {
			continue
		}
		for _, s := range sentences(events[i].Text) {
			if fixWords.Get().MatchString(s.open) && !s.asks && !s.hedged() && !notFixed.Get().MatchString(s.open) &&
				len(s.words) > 2 {
				return line(s.text)
			}
		}
	}
	return ""
}

var notFixed = lazy.Regexp(
	`(?i)\b(not fixed|isn't fixed|still fail\w*|didn't fix|did not fix|doesn't fix|not resolved|not solved|will fix|` +
		`let me fix|let's fix|i'll fix|try fixing|if i fix)\b`,
)

// commandRuns returns the commands whose end an event tells.
func commandRuns(events []Event) []run {
	var out []run
	pending := ""
	for i, e := range events {
		switch e.Type {
		case "tool_call":
			pending = Command(e.Text)
		case "tool_output", "test_summary", "error":
			c := pending
			if first := shorten.FirstLine(shorten.To(e.Text, maxScan)); strings.HasPrefix(first, "$ ") {
				c = Command(first)
			}
			if c == "" {
				continue
			}
			r := run{command: c, at: i}
			switch {
			case e.Exit != nil:
				r.failed, r.known = *e.Exit != 0, true
			case e.Type == "error":
				r.failed, r.known = true, true
			default:
				r.failed, r.known = outcomeSaid(e.Text)
			}
			out = append(out, r)
			pending = ""
		}
	}
	return out
}

var commandMember = lazy.Regexp(`"(?:command|cmd)"\s*:\s*"((?:[^"\\]|\\.)*)"`)

// Command returns a command as it is compared with others: the program with its main arguments, without the
// directory changed to, variables, options, pipes and redirections. "" is none.
func Command(text string) string {
	text = strings.TrimSpace(shorten.To(text, maxScan))
	if m := commandMember.Get().FindStringSubmatch(text); m != nil {
		text = strings.NewReplacer(`\"`, `"`, `\n`, "\n", `\\`, `\`).Replace(m[1])
	} else if strings.HasPrefix(text, "{") {
		return ""
	}
	text = strings.TrimPrefix(shorten.FirstLine(text), "$ ")
	if cd, rest, ok := strings.Cut(text, "&&"); ok && strings.HasPrefix(strings.TrimSpace(cd), "cd ") {
		text = rest
	}
	for _, stop := range []string{"|", ">", "2>", ";", "&&", "<"} {
		text, _, _ = strings.Cut(text, stop)
	}
	var words []string
	for w := range strings.FieldsSeq(text) {
		w = strings.Trim(w, `"'`)
		switch {
		case w == "" || w == "sudo" || w == "time" || w == "env" || w == "npx" || w == "2":
		case len(words) == 0 && strings.Contains(w, "=") && !strings.Contains(w, "/"):
		case len(words) == 0:
			words = append(words, path.Base(w))
		case strings.HasPrefix(w, "-"):
		default:
			if w != "./..." {
				w = strings.TrimPrefix(w, "./")
			}
			words = append(words, w)
		}
		if len(words) == maxCommandWords {
			break
		}
	}
	return strings.Join(words, " ")
}

const maxCommandWords = 5
