package outside

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"github.com/stemma-memory/stemma/internal/git"
	"github.com/stemma-memory/stemma/internal/journal"
)

// Seen is the directory in which hooks note what was done to files: which the agent wrote in a session, and
// which came from elsewhere. Names of files are in it as digests only.
type Seen struct{ Dir string }

const (
	mostHandled    = 512 << 10 // bytes of notes; the oldest are forgotten
	standingSuffix = ".repository"
	standingStays  = 30 * 24 * time.Hour
)

// What is noted of a file.
const (
	wrote   = "wrote"   // the agent wrote all of it
	edited  = "edited"  // the agent changed it
	brought = "brought" // a program brought it from elsewhere
	runs    = "runs"    // a command that goes on, by the host's name of it
)

// A note is one line of the journal.
type note struct {
	Did     string `json:"did"`
	Session string `json:"session,omitempty"`
	From    string `json:"from,omitempty"`
}

func hashOf(parts ...string) []byte {
	sum := sha256.New()
	for _, p := range parts {
		sum.Write([]byte(p))
		sum.Write([]byte{0})
	}
	return sum.Sum(nil)[:12]
}

func nameOf(path string) string { return hex.EncodeToString(hashOf(path)) }

func (s Seen) journal() *journal.File {
	return journal.Open(filepath.Join(s.Dir, "handled.jsonl"), mostHandled)
}

// note writes down what was done to a file. What fails here costs no event: less is known later.
func (s Seen) note(path string, n note) {
	if s.Dir != "" {
		_ = s.journal().Append(nameOf(path), n)
	}
}

// of returns the newest notes of a path and of the directories above it.
func (s Seen) of(path string) (here *note, above *note) {
	if s.Dir == "" {
		return nil, nil
	}
	name := nameOf(path)
	dirs := map[string]bool{}
	for dir := filepath.Dir(path); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		dirs[nameOf(dir)] = true
	}
	for line, err := range s.journal().Texts() {
		if err != nil || here != nil && above != nil {
			break
		}
		id, ok := idOf(line)
		if !ok || id != name && !dirs[id] {
			continue
		}
		var n note
		if json.Unmarshal(line, &n) != nil {
			continue
		}
		switch {
		case id == name && here == nil:
			here = &n
		case id != name && above == nil && n.Did == brought:
			above = &n
		}
	}
	return here, above
}

// idOf reads the id of a line without the rest of it.
func idOf(line []byte) (string, bool) {
	rest, ok := bytes.CutPrefix(line, []byte(`{"id":"`))
	if !ok {
		return "", false
	}
	id, _, ok := bytes.Cut(rest, []byte{'"'})
	return string(id), ok
}

// standing returns what was worked out for a repository, if that still holds.
func (s Seen) standing(r *repository) (standing, bool) {
	var kept standing
	if s.Dir == "" {
		return kept, false
	}
	text := git.Beginning(s.standingFile(r))
	return kept, json.Unmarshal([]byte(text), &kept) == nil && kept.Stamp != "" && kept.Stamp == r.stamp()
}

func (s Seen) standingFile(r *repository) string {
	return filepath.Join(s.Dir, nameOf(r.Dir)+standingSuffix)
}

// keep writes down what was worked out for a repository.
func (s Seen) keep(r *repository, of standing) {
	text, err := json.Marshal(of)
	if s.Dir == "" || err != nil || os.MkdirAll(s.Dir, 0o700) != nil {
		return
	}
	half, err := os.CreateTemp(s.Dir, ".half-*")
	if err != nil {
		return
	}
	_, err = half.Write(text)
	if closeErr := half.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(half.Name(), s.standingFile(r))
	}
	if err != nil {
		_ = os.Remove(half.Name())
	}
	s.prune(time.Now())
}

// prune removes what was worked out for repositories that are long not used.
func (s Seen) prune(now time.Time) {
	list, err := os.ReadDir(s.Dir)
	if err != nil {
		return
	}
	for _, f := range list {
		if filepath.Ext(f.Name()) != standingSuffix {
			continue
		}
		if info, err := f.Info(); err == nil && now.Sub(info.ModTime()) > standingStays {
			_ = os.Remove(filepath.Join(s.Dir, f.Name()))
		}
	}
}
