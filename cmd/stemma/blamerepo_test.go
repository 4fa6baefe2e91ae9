package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
)

// A codeLine is a line of a file of a made repository, and the session that wrote it; "" is a person.
type codeLine struct{ text, by string }

// A codeRepo is a repository that sessions of agents and a person write to, by turns. It knows who wrote each line.
type codeRepo struct {
	*testing.T
	dir   string
	env   []string
	files map[string][]codeLine
	crlf  map[string]bool
	rnd   *rand.Rand
	n     int // of what was made so far
	calls int
}

func newCodeRepo(t *testing.T, seed uint64) *codeRepo {
	t.Helper()
	home := t.TempDir()
	r := &codeRepo{
		T: t, dir: filepath.Join(home, "app"), files: make(map[string][]codeLine), crlf: make(map[string]bool),
		rnd: rand.New(rand.NewPCG(seed, seed)),
	}
	r.env = append(os.Environ(), "HOME="+home, "XDG_DATA_HOME="+home+"/data", "XDG_CONFIG_HOME="+home+"/config",
		"XDG_CACHE_HOME="+home+"/cache", "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.org",
		"GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.org", "STEMMA_AGENT=", "TERM=dumb")
	if err := os.MkdirAll(r.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	r.git("init", "-q", "-b", "main")
	r.git("config", "core.autocrlf", "false")
	r.stemma("", "raw", "the project begins") // the store and the keys are there
	return r
}

func (r *codeRepo) command(stdin, name string, args ...string) (string, error) {
	c := exec.Command(name, args...)
	c.Dir, c.Env, c.Stdin = r.dir, r.env, strings.NewReader(stdin)
	out, err := c.CombinedOutput()
	return string(out), err
}

func (r *codeRepo) git(args ...string) string {
	r.Helper()
	out, err := r.command("", "git", args...)
	if err != nil {
		r.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return out
}

func (r *codeRepo) stemma(stdin string, args ...string) string {
	r.Helper()
	out, err := r.command(stdin, "stemma", args...)
	if err != nil {
		r.Fatalf("stemma %q: %v\n%s", args, err, out)
	}
	return out
}

// text is what a file holds, or some lines.
func (r *codeRepo) text(file string, lines []codeLine) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(l.text)
		if r.crlf[file] {
			b.WriteByte('\r')
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func (r *codeRepo) save(file string) {
	r.Helper()
	path := filepath.Join(r.dir, filepath.FromSlash(file))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		r.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(r.text(file, r.files[file])), 0o600); err != nil {
		r.Fatal(err)
	}
}

func (r *codeRepo) commit(words string, more ...string) {
	r.Helper()
	r.git("add", "-A")
	r.git(append([]string{"commit", "-q", "--allow-empty", "-m", words}, more...)...)
}

// function makes a function as people and agents write them, with lines that stand in many.
func (r *codeRepo) function(by string) []codeLine {
	r.n++
	verbs := []string{"load", "store", "find", "merge", "check", "parse", "open", "close", "send", "read"}
	things := []string{"Order", "User", "Index", "Page", "Token", "Invoice", "Branch", "Session", "Batch", "Cache"}
	name := verbs[r.rnd.IntN(len(verbs))] + things[r.rnd.IntN(len(things))] + fmt.Sprint(r.n)
	lines := []string{"func " + name + "(ctx context.Context, id int) error {"}
	for i := range 1 + r.rnd.IntN(4) {
		switch r.rnd.IntN(4) {
		case 0:
			lines = append(lines, fmt.Sprintf("\tvalue%d, err := %s%d(ctx, id, %d)", i, verbs[r.rnd.IntN(len(verbs))], r.n, i),
				"\tif err != nil {", "\t\treturn err", "\t}")
		case 1:
			lines = append(lines, fmt.Sprintf("\tfor i := range %d {", r.rnd.IntN(1000)),
				fmt.Sprintf("\t\tcount%d += i * %d", r.n, r.rnd.IntN(100)), "\t}")
		case 2:
			lines = append(lines, "\tmu.Lock()", "\tdefer mu.Unlock()",
				fmt.Sprintf("\tstate.%s = %d", things[r.rnd.IntN(len(things))], r.n))
		default:
			lines = append(lines, fmt.Sprintf("\tlog.Printf(%q, id)", name+" is at %d"))
		}
	}
	lines = append(lines, "\treturn nil", "}", "")
	out := make([]codeLine, len(lines))
	for i, l := range lines {
		out[i] = codeLine{l, by}
	}
	return out
}

// put replaces lines of a file, from from up to to.
func (r *codeRepo) put(file string, from, to int, lines []codeLine) {
	r.files[file] = slices.Concat(r.files[file][:from], lines, r.files[file][to:])
	r.save(file)
}

// A session is one of a host; its name says which.
func hostOf(session string) string {
	host, _, _ := strings.Cut(session, "/")
	return host
}

func (r *codeRepo) hook(session, event string, payload map[string]any) {
	r.Helper()
	host, id, _ := strings.Cut(session, "/")
	r.calls++
	payload["cwd"], payload["session_id"], payload["tool_use_id"] = r.dir, id, fmt.Sprintf("call_%d", r.calls)
	text, err := json.Marshal(payload)
	if err != nil {
		r.Fatal(err)
	}
	r.stemma(string(text), "hook", "run", host, event)
}

func (r *codeRepo) prompt(session, words string) {
	r.Helper()
	event := map[string]string{"gemini": "BeforeAgent", "cursor": "beforeSubmitPrompt", "opencode": "chat.message"}
	name := event[hostOf(session)]
	if name == "" {
		name = "UserPromptSubmit"
	}
	r.hook(session, name, map[string]any{"prompt": words, "text": words})
}

// edit has a session replace lines of a file, as its host tells of it.
func (r *codeRepo) edit(session, file string, from, to int, lines []codeLine) {
	r.Helper()
	before := slices.Clone(r.files[file])
	_, there := r.files[file]
	// a line of context, as agents give it
	first, last := max(from-1, 0), min(to+1, len(before))
	old := r.text(file, before[first:last])
	r.put(file, from, to, lines)
	now := r.text(file, r.files[file][first:first+(from-first)+len(lines)+(last-to)])
	path := filepath.Join(r.dir, filepath.FromSlash(file))
	whole := map[string]any{"file_path": path, "content": r.text(file, r.files[file])}
	part := map[string]any{"file_path": path, "old_string": old, "new_string": now}
	event, payload := "PostToolUse", map[string]any{}
	switch host := hostOf(session); {
	case host == "codex":
		payload["tool_name"], payload["tool_input"] = "apply_patch", map[string]any{"command": r.patch(file, before, there)}
		payload["tool_response"] = "Success. Updated the following files:\nM " + file + "\n"
	case host == "gemini":
		event = "AfterTool"
		payload["tool_name"], payload["tool_input"] = "replace", part
		if !there {
			payload["tool_name"], payload["tool_input"] = "write_file", whole
		}
		payload["tool_response"] = map[string]any{"llmContent": "Successfully modified file: " + path}
	case host == "opencode":
		event = "tool.execute.after"
		payload["tool"], payload["args"] = "edit", map[string]any{"filePath": path, "oldString": old, "newString": now}
		payload["output"], payload["metadata"] = "", map[string]any{"diff": ""}
		if !there {
			payload["tool"] = "write"
			payload["args"] = map[string]any{"filePath": path, "content": whole["content"]}
		}
	case host == "cursor":
		event = "postToolUse"
		payload["tool_name"], payload["tool_input"], payload["tool_output"] = "Write", whole, "{}"
		if there { // written whole it would say nothing of what stood there uncommitted
			payload["tool_input"] = map[string]any{"file_path": path, "edits": []any{part}}
		}
	case host == "claude-code" && there && r.rnd.IntN(3) == 0:
		payload["tool_name"] = "MultiEdit"
		payload["tool_input"] = map[string]any{"file_path": path, "edits": []any{part}}
		payload["tool_response"] = map[string]any{"filePath": path}
	case there:
		payload["tool_name"], payload["tool_input"] = "Edit", part
		payload["tool_response"] = map[string]any{"filePath": path, "originalFile": r.text(file, before)}
	default:
		payload["tool_name"], payload["tool_input"] = "Write", whole
		payload["tool_response"] = map[string]any{"type": "create", "filePath": path, "structuredPatch": []any{}}
	}
	r.hook(session, event, payload)
}

// patch is the change of a file in the form of Codex.
func (r *codeRepo) patch(file string, before []codeLine, there bool) string {
	after := r.files[file]
	var b strings.Builder
	b.WriteString("*** Begin Patch\n")
	if !there {
		b.WriteString("*** Add File: " + file + "\n")
		for _, l := range after {
			b.WriteString("+" + l.text + "\n")
		}
		return b.String() + "*** End Patch"
	}
	same, tail := 0, 0
	for same < min(len(before), len(after)) && before[same] == after[same] {
		same++
	}
	for tail < min(len(before), len(after))-same && before[len(before)-1-tail] == after[len(after)-1-tail] {
		tail++
	}
	b.WriteString("*** Update File: " + file + "\n@@\n")
	for _, l := range before[max(same-3, 0):same] {
		b.WriteString(" " + l.text + "\n")
	}
	for _, l := range before[same : len(before)-tail] {
		b.WriteString("-" + l.text + "\n")
	}
	for _, l := range after[same : len(after)-tail] {
		b.WriteString("+" + l.text + "\n")
	}
	for _, l := range after[len(after)-tail : min(len(after)-tail+3, len(after))] {
		b.WriteString(" " + l.text + "\n")
	}
	return b.String() + "*** End Patch"
}

// A tally is how blame did.
type tally struct{ agent, right, other, missed, person, unseen, falsely int }

func (t *tally) String() string {
	return fmt.Sprintf("agents' lines %d: %d right (%.4f), %d to another session, %d not seen; a person's lines %d: "+
		"%d not seen, %d given to a session", t.agent, t.right, float64(t.right)/float64(max(t.agent, 1)), t.other, t.missed,
		t.person, t.unseen, t.falsely)
}

// judge asks blame of each line of each file. Blank lines say nothing: they are not counted.
func (r *codeRepo) judge() *tally {
	r.Helper()
	t := &tally{}
	wrong := 0
	for _, file := range slices.Sorted(mapsKeys(r.files)) {
		lines := r.files[file]
		if len(lines) == 0 {
			continue
		}
		var reply api.BlameReply
		out := r.stemma("", "blame", file, "--json")
		if err := json.Unmarshal([]byte(out), &reply); err != nil {
			r.Fatalf("blame %s: %v\n%s", file, err, out)
		}
		by := make(map[int]api.BlamePart)
		for _, p := range reply.Parts {
			for n := p.From; n <= p.To; n++ {
				by[n] = p
			}
		}
		if reply.Lines != len(lines) {
			r.Fatalf("%s: %d lines, want %d", file, reply.Lines, len(lines))
		}
		for i, l := range lines {
			if strings.TrimSpace(l.text) == "" {
				continue
			}
			p, said := by[i+1], ""
			if p.Seen == "yes" {
				said = p.Host + "/" + p.Session
			}
			if said != l.by && wrong < 40 {
				wrong++
				r.Logf("%s:%d %q is by %q, blame says %q (%s)", file, i+1, l.text, l.by, said, p.Summary)
			}
			switch {
			case l.by == "" && said == "":
				t.person, t.unseen = t.person+1, t.unseen+1
			case l.by == "":
				t.person, t.falsely = t.person+1, t.falsely+1
			case said == l.by:
				t.agent, t.right = t.agent+1, t.right+1
			case said == "":
				t.agent, t.missed = t.agent+1, t.missed+1
			default:
				t.agent, t.other = t.agent+1, t.other+1
			}
		}
	}
	return t
}

func mapsKeys(m map[string][]codeLine) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}
