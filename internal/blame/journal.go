package blame

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"

	"github.com/stemma-memory/stemma/internal/git"
	"github.com/stemma-memory/stemma/internal/journal"
)

// mostBytes is how much is noted of one repository.
const mostBytes = 32 << 20

// Notes are the notes of hooks, a file for each repository, in a directory of this machine alone.
type Notes struct{ Dir string }

func (n Notes) file(r git.Repository) *journal.File {
	sum := sha256.Sum256([]byte(r.Common))
	return journal.Open(filepath.Join(n.Dir, hex.EncodeToString(sum[:8])+".jsonl"), mostBytes)
}

// Any reports whether anything was noted of a repository.
func (n Notes) Any(r git.Repository) bool {
	for range n.file(r).Texts() {
		return true
	}
	return false
}

// Add keeps a note.
func (n Notes) Add(r git.Repository, id string, note Note) error {
	note.ID = ""
	return n.file(r).Append(id, note)
}

// Of returns the notes about some paths of a repository, or about all for nil, the oldest first.
func (n Notes) Of(r git.Repository, paths []string) ([]*Note, error) {
	var wanted [][]byte
	for _, p := range paths {
		text, err := json.Marshal(p)
		if err != nil {
			return nil, err
		}
		wanted = append(wanted, append([]byte(`"path":`), text...))
	}
	var out []*Note
	had := make(map[string]bool)
	for line, err := range n.file(r).Texts() {
		if err != nil {
			return nil, err
		}
		if paths != nil && !slices.ContainsFunc(wanted, func(w []byte) bool { return bytes.Contains(line, w) }) {
			continue
		}
		var note Note
		if json.Unmarshal(line, &note) != nil || note.Path == "" || had[note.ID] ||
			paths != nil && !slices.Contains(paths, note.Path) {
			continue
		}
		had[note.ID] = true // two hooks of one host have the same event
		out = append(out, &note)
	}
	slices.Reverse(out)
	return out, nil
}

// Forget drops the notes of uses of tools whose words were purged.
func (n Notes) Forget(calls []string) error {
	if len(calls) == 0 {
		return nil
	}
	files, err := filepath.Glob(filepath.Join(n.Dir, "*.jsonl"))
	if err != nil {
		return err
	}
	for _, f := range files {
		err = errors.Join(err, journal.Open(f, mostBytes).Drop(func(line []byte) bool {
			var note Note
			return json.Unmarshal(line, &note) == nil && note.Call != "" && slices.Contains(calls, note.Call)
		}))
	}
	return err
}
