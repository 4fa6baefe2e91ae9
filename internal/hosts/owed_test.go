package hosts

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"
)

// A copilotTalk is a conversation with Copilot CLI: what its file has, and what a hook is told.
type copilotTalk struct {
	t    *testing.T
	owed Owed
	file string
	text string
	now  time.Time
}

func newCopilotTalk(t *testing.T) *copilotTalk {
	return &copilotTalk{
		t: t, owed: Owed{Dir: t.TempDir(), For: "here"}, file: filepath.Join(t.TempDir(), "events.jsonl"),
		now: time.Date(2026, 11, 27, 9, 0, 0, 0, time.UTC),
	}
}

// line is one that Copilot CLI adds to its file sooner or later.
func (c *copilotTalk) line(kind, data string) {
	c.now = c.now.Add(time.Second)
	c.text += fmt.Sprintf(`{"type":%q,"data":%s,"id":"e%d","timestamp":%q}`+"\n", kind, data, len(c.text),
		c.now.Format(time.RFC3339Nano))
}

func (c *copilotTalk) says(words string) {
	c.line("assistant.message", fmt.Sprintf(`{"messageId":"m%d","content":%q,"toolRequests":[]}`, len(c.text), words))
}

// flush writes down all that there is.
func (c *copilotTalk) flush() { write(c.t, c.file, c.text) }

// hook tells of an event, and returns what is kept of it and of those before.
func (c *copilotTalk) hook(name, more string) (kept []string) {
	c.t.Helper()
	c.now = c.now.Add(time.Second)
	e, err := ReadEvent(Copilot, name, fmt.Appendf(nil, `{"session_id":"s1","timestamp":%q%s}`,
		c.now.Format(time.RFC3339Nano), more))
	if err != nil {
		c.t.Fatal(err)
	}
	c.owed.Before(e)
	seen := e.Observed("1")
	late, settle := c.owed.Late(e, "2")
	settle()
	if err := c.owed.After(e); err != nil {
		c.t.Fatal(err)
	}
	for _, o := range append(late, seen...) {
		if o.Event == "assistant_response" {
			kept = append(kept, o.Text)
			if len(o.Alias) != 1 || o.Session != "s1" || o.OccurredAt == "" {
				c.t.Errorf("%q has the names %q, session %q, time %q", o.Text, o.Alias, o.Session, o.OccurredAt)
			}
		}
	}
	return kept
}

func (c *copilotTalk) stop() []string {
	return c.hook("Stop", fmt.Sprintf(`,"transcript_path":%q`, c.file))
}

func (c *copilotTalk) want(what string, got []string, want ...string) {
	c.t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		c.t.Errorf("%s: kept %q, want %q", what, got, want)
	}
}

func (c *copilotTalk) ask(words string) []string {
	kept := c.hook("UserPromptSubmit", fmt.Sprintf(`,"prompt":%q`, words))
	c.line("user.message", fmt.Sprintf(`{"content":%q}`, words))
	return kept
}

// However late Copilot CLI writes an answer down, it is kept once, and no other in its place.
func TestAnswersThatCopilotWritesLater(t *testing.T) {
	c := newCopilotTalk(t)
	c.want("first prompt", c.ask("hello?"))
	c.says("Hello.")
	c.want("there is no file yet", c.stop())
	c.flush()
	c.want("the next prompt", c.ask("and then?"), "Hello.")
	c.line("assistant.message", `{"messageId":"mt","content":"Let me look.","toolRequests":[{"name":"bash"}]}`)
	c.says("Then this.")
	c.want("the file ends with the answer before", c.stop())
	c.flush()
	c.want("the end of the session", c.hook("SessionEnd", `,"reason":"complete"`), "Then this.")
	c.want("it was kept", c.hook("SessionStart", ""))

	c.ask("once more")
	c.says("Then this.")
	c.flush()
	c.want("it is there at once", c.stop(), "Then this.")
	c.ask("one")
	c.says("One.")
	c.want("owed", c.stop())
	c.ask("two")
	c.says("Two.")
	c.want("owed, too", c.stop())
	c.flush()
	c.owed.For = "elsewhere"
	c.want("another project", c.hook("UserPromptSubmit", `,"prompt":"x"`))
	c.owed.For = "here"
	c.want("both", c.hook("SessionEnd", ""), "One.", "Two.")
}

// What a sub-agent says stands in the same file, and is not the agent's answer.
func TestASubAgentsWordsAreNotCopilotsAnswer(t *testing.T) {
	c := newCopilotTalk(t)
	c.ask("hello?")
	c.says("Hello.")
	c.line("assistant.message", `{"messageId":"x","content":"of a sub-agent","parentToolCallId":"call_9"}`)
	c.flush()
	c.want("of its own event", c.hook("Stop", fmt.Sprintf(
		`,"agent_id":"a1","parent_agent_id":"s1","transcript_path":%q`, c.file)))
	c.want("the answer", c.stop(), "Hello.")
}

// An answer that was not told of is not taken: hooks may have been paused then.
func TestAnAnswerOfAPauseIsNotTaken(t *testing.T) {
	c := newCopilotTalk(t)
	c.ask("hello?")
	c.says("Hello.")
	c.stop()
	c.line("user.message", `{"content":"in the pause"}`)
	c.says("Said in the pause.")
	c.flush()
	c.want("after it", c.ask("and now?"), "Hello.")
}
