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
	t.say("11. In an agent's hands: after 'stemma init claude-code' the host calls this for each prompt, with what " +
		"was typed.")
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
	t.say("Nobody asked for it, and it is there; what was private is not.")
	if err := t.show("search", "when do deploys happen", "--limit", "1"); err != nil {
		return err
	}
	t.say("When the agent's next work begins, its host asks for this, and the agent knows what binds, what is open " +
		"and what was decided. What came from outside is not given unasked.")
	if err := t.show("load"); err != nil {
		return err
	}
	t.say("For a person, 'stemma ui' opens the page and 'stemma browse' is the same walk in a terminal. And these are " +
		"the memories as notes to edit.")
	return t.show("export", "--format", "markdown", filepath.Join(t.dir, "notes"))
}
