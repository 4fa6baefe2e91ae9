package loop

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/stemma-memory/stemma/api"
)

// A Scenario is a story of one person's work with agents, told in sessions.
type Scenario struct {
	File     string
	Name     string
	Sessions []Session
}

// A Session is one conversation with an agent.
type Session struct {
	At    time.Time // when it begins
	Host  string
	Steps []Step
}

// The steps of a session.
const (
	StepUser     = "user"     // the person writes a prompt
	StepTool     = "tool"     // the agent uses a tool of its host
	StepRemember = "remember" // the agent keeps a statement
	StepCorrect  = "correct"  // the agent replaces what Old says by Text
	StepApprove  = "approve"  // the person approves the memories that say Text
	StepReject   = "reject"   // the person rejects them
	StepForget   = "forget"   // the person forgets them
	StepAsk      = "ask"      // a question, whose answers are looked at
	StepStart    = "start"    // the session must begin with Text
	StepOnce     = "once"     // of Text there must be one memory, however often it was said
)

// A Step is one act or question.
type Step struct {
	Do   string
	Text string
	Line int // in the file, from 1

	Old      string   // of a correction: words of what it replaces
	Replaces []string // of a remember: words of the memories that are no longer so because of it
	New      bool     // of a remember: what it says touches nothing that was said before

	Input, Output string // of a tool
	Fails         bool   // the tool failed

	Now    []string // of a question: one of these must be in the first answer
	Never  []string // of a question: none of these may be given as current
	Silent bool     // of a question: nothing was ever said that answers it
}

// Hosts are the hosts that a scenario can name.
var Hosts = []string{"claude-code", "codex", "gemini"}

// maxScenario bounds a scenario's file, in bytes.
const maxScenario = 1 << 20

// reading is a scenario that is being read.
type reading struct {
	file string
	line int
	out  Scenario
}

// Read reads a scenario. An error names the file, the line and the step.
func Read(file string, r io.Reader) (Scenario, error) {
	in := reading{file: file, out: Scenario{File: file}}
	text, err := io.ReadAll(io.LimitReader(r, maxScenario+1))
	switch {
	case err != nil:
		return Scenario{}, fmt.Errorf("%s: %w", file, err)
	case len(text) > maxScenario:
		return Scenario{}, api.Invalid("%s: a scenario has at most %d MiB", file, maxScenario>>20)
	case !utf8.Valid(text):
		return Scenario{}, api.Invalid("%s: a scenario is UTF-8 text", file)
	}
	for line := range strings.Lines(string(text)) {
		in.line++
		if err := in.take(line); err != nil {
			return Scenario{}, err
		}
	}
	return in.out, in.whole()
}

// whole says what a scenario lacks.
func (in *reading) whole() error {
	in.line = max(in.line, 1)
	switch {
	case in.out.Name == "":
		return in.wrong("the file has no line 'scenario: NAME'")
	case len(in.out.Sessions) == 0:
		return in.wrong("the scenario has no session; a session begins with 'session: TIME HOST'")
	}
	return nil
}

func (in *reading) wrong(format string, args ...any) error {
	at := fmt.Sprintf("%s:%d: ", in.file, in.line)
	if n := len(in.out.Sessions); n > 0 {
		at += fmt.Sprintf("session %d, step %d: ", n, len(in.out.Sessions[n-1].Steps))
	}
	return api.Invalid("%s%s", at, fmt.Sprintf(format, args...))
}

// take reads one line: "WORD: TEXT", or a detail of the step before it, which is indented.
func (in *reading) take(line string) error {
	detail := strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t")
	line = strings.TrimSpace(line)
	if line == "" || strings.HasPrefix(line, "#") {
		return nil
	}
	word, text, ok := strings.Cut(line, ":")
	text = strings.TrimSpace(text)
	if detail {
		return in.detail(word, text, ok)
	}
	if !ok {
		return in.wrong("%q is no step; a step is 'WORD: TEXT'", line)
	}
	if text == "" {
		return in.wrong("'%s:' says nothing", word)
	}
	switch word {
	case "scenario":
		in.out.Name = text
		return nil
	case "session":
		return in.session(text)
	}
	if len(in.out.Sessions) == 0 {
		return in.wrong("'%s:' stands before the first 'session: TIME HOST'", word)
	}
	s := &in.out.Sessions[len(in.out.Sessions)-1]
	s.Steps = append(s.Steps, Step{Do: word, Text: text, Line: in.line})
	return in.step(&s.Steps[len(s.Steps)-1])
}

// session reads "TIME HOST".
func (in *reading) session(text string) error {
	when, host, _ := strings.Cut(text, " ")
	at, err := time.Parse("2006-01-02T15:04", when)
	if err != nil {
		return in.wrong("the time of a session is YYYY-MM-DDTHH:MM, got %q", when)
	}
	host = strings.TrimSpace(host)
	if !slices.Contains(Hosts, host) {
		return in.wrong("the host of a session is one of %s, got %q", strings.Join(Hosts, ", "), host)
	}
	if n := len(in.out.Sessions); n > 0 && !in.out.Sessions[n-1].At.Before(at) {
		return in.wrong("sessions stand in the order of their times; this one is not after the one before")
	}
	in.out.Sessions = append(in.out.Sessions, Session{At: at, Host: host})
	return nil
}

// step completes a step whose word is more than its name.
func (in *reading) step(s *Step) error {
	switch s.Do {
	case StepUser, StepTool, StepAsk, StepStart, StepOnce:
		return nil
	case "agent", "person":
		who := s.Do
		s.Do, s.Text, _ = strings.Cut(s.Text, " ")
		s.Text = strings.TrimSpace(s.Text)
		can := map[string][]string{
			"agent": {StepRemember, StepCorrect}, "person": {StepApprove, StepReject, StepForget},
		}[who]
		if !slices.Contains(can, s.Do) {
			return in.wrong("the %s can %s, got %q", who, strings.Join(can, ", "), s.Do)
		}
		if s.Do == StepCorrect {
			old, text, ok := strings.Cut(s.Text, " => ")
			if s.Old, s.Text = strings.TrimSpace(old), strings.TrimSpace(text); !ok || s.Old == "" {
				return in.wrong("a correction is 'agent: correct OLD => NEW'")
			}
		}
		if s.Text == "" {
			return in.wrong("'%s: %s' says nothing", who, s.Do)
		}
		return nil
	}
	return in.wrong("%q is no step; the steps are user, tool, agent, person, ask, start, once", s.Do)
}

// detail reads an indented line, which belongs to the step before it.
func (in *reading) detail(word, text string, ok bool) error {
	n := len(in.out.Sessions)
	if n == 0 || len(in.out.Sessions[n-1].Steps) == 0 {
		return in.wrong("this line is indented, and no step stands before it")
	}
	steps := in.out.Sessions[n-1].Steps
	s := &steps[len(steps)-1]
	all := func() []string {
		parts := strings.Split(text, " | ")
		for i, p := range parts {
			parts[i] = strings.TrimSpace(p)
		}
		return parts
	}
	switch {
	case s.Do == StepTool && word == "input" && ok:
		s.Input = text
	case s.Do == StepTool && word == "output" && ok:
		s.Output = text
	case s.Do == StepTool && word == "fails" && !ok:
		s.Fails = true
	case s.Do == StepAsk && word == "silent" && !ok:
		s.Silent = true
	case s.Do == StepRemember && word == "new" && !ok && len(s.Replaces) == 0:
		s.New = true
	case s.Do == StepRemember && word == "replaces" && text != "" && !s.New:
		s.Replaces = append(s.Replaces, all()...)
	case s.Do == StepAsk && word == "now" && text != "":
		s.Now = append(s.Now, all()...)
	case s.Do == StepAsk && word == "never" && text != "":
		s.Never = append(s.Never, all()...)
	case s.Do == StepRemember:
		return in.wrong("details of a remember are new, or replaces:, got %q", word)
	case s.Do == StepTool:
		return in.wrong("details of a tool are input:, output: and fails, got %q", word)
	case s.Do == StepAsk:
		return in.wrong("details of a question are now:, never: and silent, got %q", word)
	default:
		return in.wrong("'%s' takes no details, got %q", s.Do, word)
	}
	return nil
}
