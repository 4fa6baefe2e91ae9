package loop

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/stemma-memory/stemma/internal/cli"
)

// A home is where one scenario's person and agents work: nothing of it is shared with
// another scenario, or with the person who measures.
type home struct {
	program string
	dir     string // the agent's working directory
	data    string // where stemma keeps what it keeps
	env     []string
}

// newHome makes an empty home in a directory. Of the environment a program gets only what
// it needs to run.
func newHome(o Options, dir string) (*home, error) {
	h := &home{program: o.Program, dir: filepath.Join(dir, "work"), data: filepath.Join(dir, "data", "stemma")}
	for _, d := range []string{h.dir, filepath.Join(dir, "home"), h.data} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			return nil, err
		}
	}
	h.env = Environment(dir, o.Getenv)
	return h, os.WriteFile(filepath.Join(h.data, cli.ClockFile), nil, 0o600)
}

// Environment is what a program gets that keeps all it has in a directory: of the environment no
// more than it needs to run.
func Environment(dir string, getenv func(string) string) []string {
	return []string{
		"HOME=" + filepath.Join(dir, "home"), "USERPROFILE=" + filepath.Join(dir, "home"), "PATH=" + getenv("PATH"),
		"XDG_DATA_HOME=" + filepath.Join(dir, "data"), "XDG_CONFIG_HOME=" + filepath.Join(dir, "config"),
		"XDG_CACHE_HOME=" + filepath.Join(dir, "cache"), "XDG_STATE_HOME=" + filepath.Join(dir, "state"),
		"TMPDIR=" + os.TempDir(), "SYSTEMROOT=" + getenv("SYSTEMROOT"),
	}
}

// command returns the program as it is called at a time.
func (h *home) command(ctx context.Context, at time.Time, env []string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, h.program, args...)
	cmd.Dir = h.dir
	cmd.Env = append(append(h.env[:len(h.env):len(h.env)], cli.ClockVariable+"="+at.UTC().Format(time.RFC3339)), env...)
	return cmd
}

// events are the hooks of each host, by what happens.
var events = map[string]map[string]string{
	"claude-code": {
		"begin": "SessionStart", StepUser: "UserPromptSubmit", StepTool: "PostToolUse", "end": "SessionEnd",
	},
	"codex":  {"begin": "SessionStart", StepUser: "UserPromptSubmit", StepTool: "PostToolUse", "end": "Stop"},
	"gemini": {"begin": "SessionStart", StepUser: "BeforeAgent", StepTool: "AfterTool", "end": "SessionEnd"},
}

// A conversation is a session that is under way.
type conversation struct {
	home  *home
	host  string
	id    string
	at    time.Time // by the scenario's clock
	agent *mcp.ClientSession
	aside *conversation // asks what the agent did not, and leaves no trace in what it was shown
}

// begin starts a session as a host does: the hook first, then the MCP server. It returns
// what the hook tells the agent.
func (h *home) begin(ctx context.Context, s *Session, number int) (*conversation, string, error) {
	c := &conversation{home: h, host: s.Host, id: fmt.Sprintf("%s-%d", s.Host, number), at: s.At}
	start, err := c.hook(ctx, "begin", map[string]any{"source": "startup"})
	if err != nil {
		return nil, "", err
	}
	return c, start, c.connect(ctx)
}

// connect starts the MCP server of a session.
func (c *conversation) connect(ctx context.Context) (err error) {
	var env []string
	if c.host == "claude-code" {
		env = append(env, "CLAUDE_CODE_SESSION_ID="+c.id)
	}
	client := mcp.NewClient(&mcp.Implementation{Name: c.host, Version: "1"}, nil)
	transport := &mcp.CommandTransport{Command: c.home.command(ctx, c.at, env, "mcp")}
	c.agent, err = client.Connect(ctx, transport, nil)
	return err
}

// rest lets the vectors be made, as a server does where nobody asks for anything for a second: the questions of a
// scenario come at once, and figures must not depend on how fast a machine is.
func (c *conversation) rest(ctx context.Context) error {
	return c.home.command(ctx, c.at, nil, "embed").Run()
}

// look calls a tool that the agent of the session did not call: in a session of its own, since
// what an agent was shown stands behind what it writes.
func (c *conversation) look(ctx context.Context, tool string, args map[string]any) (string, error) {
	if c.aside == nil {
		aside := &conversation{home: c.home, host: c.host, id: c.id + "-aside", at: c.at}
		if err := aside.connect(ctx); err != nil {
			return "", err
		}
		c.aside = aside
	}
	return c.aside.call(ctx, tool, args)
}

// hook hands an event to the program and returns what the agent is told.
func (c *conversation) hook(ctx context.Context, what string, fields map[string]any) (string, error) {
	name := events[c.host][what]
	event := map[string]any{"session_id": c.id, "cwd": c.home.dir, "hook_event_name": name}
	for k, v := range fields {
		event[k] = v
	}
	text, err := json.Marshal(event)
	if err != nil {
		return "", err
	}
	cmd := c.home.command(ctx, c.at, nil, "hook", "run", c.host, name)
	cmd.Stdin = bytes.NewReader(text)
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("hook run %s %s: %w", c.host, name, err)
	}
	var told struct {
		Context  string `json:"additionalContext"`
		Specific struct {
			Context string `json:"additionalContext"`
		} `json:"hookSpecificOutput"`
	}
	if json.Unmarshal(out, &told) != nil {
		return string(out), nil
	}
	return told.Context + told.Specific.Context, nil
}

// call calls a tool and returns the text that the model reads.
func (c *conversation) call(ctx context.Context, tool string, args map[string]any) (string, error) {
	p := &mcp.CallToolParams{Name: tool, Arguments: args}
	if c.host == "codex" {
		p.Meta = mcp.Meta{"x-codex-turn-metadata": map[string]any{"session_id": c.id}}
	}
	r, err := c.agent.CallTool(ctx, p)
	if err != nil {
		return "", fmt.Errorf("%s: %w", tool, err)
	}
	var text string
	for _, part := range r.Content {
		if t, ok := part.(*mcp.TextContent); ok {
			text += t.Text
		}
	}
	if r.IsError {
		return "", fmt.Errorf("%s: %s", tool, text)
	}
	return text, nil
}

// end ends a session as its host does.
func (c *conversation) end(ctx context.Context) error {
	err := c.agent.Close()
	if c.aside != nil {
		if asideErr := c.aside.agent.Close(); err == nil {
			err = asideErr
		}
	}
	if _, hookErr := c.hook(ctx, "end", map[string]any{"reason": "exit"}); err == nil {
		err = hookErr
	}
	return err
}
