package hosts

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/internal/sorting"
)

// A Conversation is one that a hook told of: which host, where the agent works, and
// what the host calls it. MCP servers and commands of the same host are part of it,
// though most hosts do not tell them its name.
type Conversation struct {
	Host    string    `json:"host"`
	Dir     string    `json:"dir"`
	Session string    `json:"session"`
	Ended   bool      `json:"ended,omitempty"`
	For     string    `json:"for,omitempty"` // a sub-agent's: the conversation that it works for
	Last    time.Time `json:"-"`             // the last hook, as the file's time
}

// How long a conversation is found by where it is, how long others beside it count
// too, and how many are noted.
const (
	conversationLasts = 12 * time.Hour
	concurrentFor     = time.Hour
	mostConversations = 256
	mostNote          = 16 << 10
)

// Conversations is the directory in which hooks note them: each in a file of its own,
// so that hooks which run at once never undo each other's notes.
type Conversations struct{ Dir string }

// Note writes down that a hook of a conversation runs now, and says whether it is the first.
func (c Conversations) Note(n Conversation) (first bool, err error) {
	if n.Session == "" || n.Dir == "" {
		return false, nil
	}
	n.Dir = plainPath(n.Dir)
	text, err := json.Marshal(n)
	if err != nil || len(text) > mostNote {
		return false, err
	}
	sum := sha256.Sum256([]byte(n.Host + "\x00" + n.Session + "\x00" + n.Dir))
	path := filepath.Join(c.Dir, hex.EncodeToString(sum[:12])+".json")
	info, statErr := os.Lstat(path)
	if now := time.Now(); statErr == nil && info.Size() == int64(len(text)) && os.Chtimes(path, now, now) == nil {
		return false, nil // the same is noted: the end of a conversation makes it longer
	}
	if err := os.MkdirAll(c.Dir, 0o700); err != nil {
		return false, err
	}
	tmp, err := os.CreateTemp(c.Dir, ".note-*") // with mode 0600
	if err != nil {
		return false, err
	}
	_, err = tmp.Write(text)
	if closeErr := tmp.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		os.Remove(tmp.Name())
		return false, err
	}
	if statErr != nil {
		c.prune(time.Now())
	}
	return statErr != nil, nil
}

// Join makes an event of a sub-agent one of the conversation that it works for: what the sub-agent reads stands
// behind what the agent writes after it had the answer. A sub-agent of a sub-agent works for the same.
func (c Conversations) Join(e *Event, dir string) error {
	if e.Parent == "" || e.Session == "" {
		return nil
	}
	root := e.Parent
	for _, n := range c.notes() {
		if n.Host == e.Host && n.Session == e.Parent && n.For != "" {
			root = n.For
		}
	}
	_, err := c.Note(Conversation{Host: e.Host, Dir: dir, Session: e.Session, For: root})
	e.Session = root
	return err
}

// prune removes the notes that are too old to be found, and the oldest of too many.
func (c Conversations) prune(now time.Time) {
	entries, err := os.ReadDir(c.Dir)
	if err != nil {
		return
	}
	times := make(map[string]time.Time, len(entries))
	var names []string
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			names, times[e.Name()] = append(names, e.Name()), info.ModTime()
		}
	}
	sorting.By(names, func(a, b string) int { return times[b].Compare(times[a]) })
	for i, name := range names {
		if i >= mostConversations || now.Sub(times[name]) > conversationLasts {
			os.Remove(filepath.Join(c.Dir, name))
		}
	}
}

// In returns the names of the conversations that go on in a directory: the one of the
// last hook within twelve hours, and those that had a hook within the last hour and
// did not end, as nothing says which of these it is. An empty host is any.
func (c Conversations) In(host, dir string, now time.Time) []string {
	dir = plainPath(dir)
	var all []Conversation
	for _, n := range c.notes() {
		if n.For == "" && (host == "" || n.Host == host) && near(n.Dir, dir) && now.Sub(n.Last) <= conversationLasts {
			all = append(all, n)
		}
	}
	sorting.By(all, func(a, b Conversation) int { return b.Last.Compare(a.Last) })
	var names []string
	exact := false // the last one of the very directory counts, even beside a later one around it
	for i, n := range all {
		last := i == 0 || !exact && n.Dir == dir
		exact = exact || n.Dir == dir
		if (last || !n.Ended && now.Sub(n.Last) <= concurrentFor) && !slices.Contains(names, n.Session) {
			names = append(names, n.Session)
		}
	}
	return names
}

// Ended reports whether a host said that a conversation is over. A server that it started
// may live on in the next one, under the old name.
func (c Conversations) Ended(host, session string) bool {
	ended := false
	for _, n := range c.notes() {
		if n.Host == host && n.Session == session {
			if !n.Ended {
				return false
			}
			ended = true
		}
	}
	return ended
}

// notes returns all that can be read.
func (c Conversations) notes() []Conversation {
	entries, err := os.ReadDir(c.Dir)
	if err != nil {
		return nil
	}
	var all []Conversation
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() || info.Size() > mostNote || !strings.HasSuffix(e.Name(), ".json") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(c.Dir, e.Name()))
		n := Conversation{Last: info.ModTime()}
		if err == nil && json.Unmarshal(text, &n) == nil && n.Session != "" {
			all = append(all, n)
		}
	}
	return all
}

// near reports whether one of two directories is the other, or lies in it: an agent may
// work below the directory that its host started in.
func near(a, b string) bool {
	within := func(in, out string) bool {
		return in == out || strings.HasPrefix(
			in, strings.TrimSuffix(out, string(filepath.Separator))+string(filepath.Separator),
		)
	}
	return within(a, b) || within(b, a)
}

// plainPath is a directory without links, as far as that can be told.
func plainPath(dir string) string {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	return filepath.Clean(dir)
}

// clients are words in what hosts call themselves as clients of MCP.
var clients = []struct{ word, host string }{
	{"claude-code", ClaudeCode}, {"claude code", ClaudeCode}, {"codex", Codex}, {"gemini", Gemini}, {"cursor", Cursor},
	{"qwen", Qwen}, {"copilot-cli", Copilot},
	// runs the hooks of VS Code
	{"opencode", OpenCode}, {"visual studio code", VSCode}, {"vscode", VSCode}, {"copilot", VSCode},
}

// OfClient returns the host that calls itself so over MCP, "" for one that is not known.
func OfClient(name string) string {
	name = strings.ToLower(name)
	for _, c := range clients {
		if strings.Contains(name, c.word) {
			return c.host
		}
	}
	return ""
}
