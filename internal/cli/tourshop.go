package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/stemma-memory/stemma/internal/git"
	"github.com/stemma-memory/stemma/internal/ops"
)

// What the story of the shop is told with. It is made up; what is done with it is not.
const (
	shopSession = "s1"
	shopHost    = "claude-code"
	shopSaid    = "Keep orders in SQLite: 4 of 10 writers lost orders"
	shopWords   = "Keep orders in SQLite"
	shopAsks    = "where are orders kept"
	shopPrompt  = "Make orders.py safe for 10 writers"
	shopAfter   = "orders.after.py"
	shopLine    = sampleCode + ":5"
)

// shop is a story of a bundled sample: a line of code, the words behind it, and what falls with them.
func (t *tour) shop(why string) error {
	t.at = t.dir
	if why == "" {
		t.say("A line of code and the words behind it. Of your repository: stemma tour --here")
	} else {
		t.say("A line of code and the words behind it, of a bundled sample: %s.", why)
	}
	if err := t.lay(sampleCode); err != nil {
		return err
	}
	coded := t.git("init", "--quiet", "--initial-branch", "main") == nil && t.committed("Mara", "a JSON file") == nil
	t.exports()

	t.say("1. Capture: what Jon wrote becomes a signed record that never changes.")
	raw, err := t.step("raw", shopSaid, "--speaker", "Jon")
	if err != nil {
		return err
	}
	t.say("2. Decide: a person keeps what matters of it (here the tour, with its own keys).")
	t.person = true
	belief, err := t.step("promote", raw, "--to", "belief", "-m", shopWords, "--approve")
	t.person = false
	if err != nil {
		return err
	}
	t.say("3. Recall: an agent that asks is given it.")
	if err := t.show("recall", shopAsks, "--session", shopSession); err != nil {
		return err
	}
	if coded = coded && t.edited() == nil; coded {
		t.say("4. Blame: the agent edited and committed %s. Why is line 5 there?", sampleCode)
		err = t.show("blame", shopLine)
	} else {
		t.say("4. Blame would say why a line of code is there, but git is not installed.")
	}
	if err != nil {
		return err
	}
	t.say("5. Why: what it rests on, who decided it, and how sure we are.")
	if err := t.show("why", belief); err != nil {
		return err
	}
	if err := t.prove(belief, shopWords); err != nil {
		return err
	}
	t.say("7. Doubt: suppose that Jon is wrong. What falls with his words?")
	return t.asPerson("quarantine", raw, "--reason", "counted twice")
}

// lay puts files of the sample where the steps are taken.
func (t *tour) lay(names ...string) error {
	for _, name := range names {
		text, err := sample.ReadFile("sample/" + name)
		if err == nil {
			err = os.WriteFile(filepath.Join(t.dir, strings.Replace(name, ".after", "", 1)), text, 0o600)
		}
		if err != nil {
			return fmt.Errorf("tour: %w", err)
		}
	}
	return nil
}

// edited has the agent write the file, as its host's hooks say, and commits it.
func (t *tour) edited() error {
	err := t.hook("UserPromptSubmit", map[string]any{"prompt": shopPrompt})
	if err != nil {
		return err
	}
	if err := t.lay(shopAfter); err != nil {
		return err
	}
	text, err := sample.ReadFile("sample/" + shopAfter)
	if err != nil {
		return err
	}
	err = t.hook("PostToolUse", map[string]any{
		"tool_name": "Write", "tool_use_id": "t1", "tool_response": map[string]any{},
		"tool_input": map[string]any{"file_path": sampleCode, "content": string(text)},
	})
	if err != nil {
		return err
	}
	return t.committed("Jon", "SQLite")
}

// hook hands an event to stemma as a host does.
func (t *tour) hook(name string, event map[string]any) error {
	event["session_id"], event["cwd"], event["hook_event_name"] = shopSession, t.dir, name
	text, err := json.Marshal(event)
	if err != nil {
		return err
	}
	t.in = bytes.NewReader(text)
	defer func() { t.in = nil }()
	if code := t.run(io.Discard, "hook", "run", shopHost, name); code != ops.ExitOK {
		return fmt.Errorf("tour: the hook %s ended with %d", name, code)
	}
	return nil
}

// committed commits the sample's file as its author would.
func (t *tour) committed(author, message string) error {
	if err := t.git("add", "--", sampleCode); err != nil {
		return err
	}
	return t.git("-c", "user.name="+author, "-c", "user.email="+strings.ToLower(author)+"@shop.example",
		"-c", "commit.gpgsign=false", "commit", "--quiet", "--message", message)
}

func (t *tour) git(args ...string) error {
	if _, err := exec.LookPath("git"); err != nil {
		return err
	}
	cmd, said := git.Command(t.ctx, t.dir, args...)
	if err := cmd.Run(); err != nil {
		return errors.Join(fmt.Errorf("tour: git %s: %w", args[0], err), errors.New(said.String()))
	}
	return nil
}
