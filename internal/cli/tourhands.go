package cli

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
)

// saidToAgent is what a person types to their agent in the tour.
const saidToAgent = "Deploys happen on Tuesdays <private>and the account is 4711</private>"

// hands shows what an agent's host does by itself, and the memory as a folder of
// notes.
func (t *tour) hands() error {
	t.say("11. In an agent's host: after 'stemma init claude-code', the host runs this command for each prompt.")
	event, err := json.Marshal(map[string]string{
		"session_id": "tour", "hook_event_name": "UserPromptSubmit", "prompt": saidToAgent, "cwd": t.dir,
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(t.a.env.Stdout, "\nprompt: %s\n", saidToAgent)
	env := t.a.env
	t.a.env.Stdin = strings.NewReader(string(event))
	err = t.show("hook", "run", "claude-code", "UserPromptSubmit")
	t.a.env = env
	if err != nil {
		return err
	}
	t.say("stemma captured the prompt, without its private part.")
	if err := t.show("search", "when do deploys happen", "--limit", "1"); err != nil {
		return err
	}
	t.say("At the start of the next session, the host asks for this context: rules, open conflicts and decisions. " +
		"External memories are left out.")
	if err := t.show("context"); err != nil {
		return err
	}
	t.say("To look around, use 'stemma ui' in a browser or 'stemma browse' in a terminal. You can also edit memories " +
		"as Markdown files.")
	return t.show("export", "--format", "markdown", filepath.Join(t.dir, "notes"))
}
