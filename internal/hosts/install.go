package hosts

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/stemma-memory/stemma/api"
)

// A Change is what is to become of one file. Old is nil where there is none, New where
// it goes.
type Change struct {
	Path    string // as a person knows it
	What    string // is in it: MCP server, instructions, hooks
	Old     []byte
	New     []byte
	Restore bool     // New is byte for byte what was there before us
	backup  string   // the file that Old is kept in, or that New comes from
	before  []byte   // what was there before us, for the backup
	drop    []string // backups that are needed no more
	real    string   // where links lead
	mode    fs.FileMode
}

// Same reports whether nothing is to be done.
func (c *Change) Same() bool { return bytes.Equal(c.Old, c.New) && (c.Old == nil) == (c.New == nil) }

// Plan says what to write so that a host has what is ours, or with remove does not have
// it any more. It changes nothing. A file that cannot be read as what it should be is
// an error that names the place.
func (p Place) Plan(host string, remove bool) (changes []Change, notes []string, err error) {
	list, notes, err := p.targets(host)
	if err != nil {
		return nil, nil, err
	}
	for _, t := range list {
		c, err := p.plan(t, remove)
		if err != nil {
			return nil, nil, api.Invalid("%s: %v; nothing was changed", t.path, err)
		}
		changes = append(changes, *c)
	}
	if !remove && hasPackage(host, p.Home, p.Getenv) {
		notes = append(notes, besidePackage(host))
	}
	return changes, notes, nil
}

// backupMark is part of the names of backups. Those of an earlier version lie beside the file.
const backupMark = ".stemma-backup-"

// digest names a text in the name of the backup of what was before it.
func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:6])
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// backupsOf is how the names of a file's backups begin. They lie in a directory of our own:
// beside the file, git would see them.
func (p Place) backupsOf(real string) string {
	if p.Backups == "" {
		return real + backupMark
	}
	return filepath.Join(p.Backups, filepath.Base(real)+"-"+digest([]byte(real))+backupMark)
}

// read makes the change that leaves a file as it is.
func read(t target) (*Change, error) {
	c := &Change{Path: t.path, What: t.what, real: t.path, mode: 0o644}
	if !exists(t.path) {
		return c, nil
	}
	return c, c.read()
}

func (p Place) plan(t target, remove bool) (*Change, error) {
	c, err := read(t)
	if err != nil {
		return nil, err
	}
	prefix := p.backupsOf(c.real)
	backup, kept := prefix+digest(c.Old), backups(prefix)
	if beside := c.real + backupMark; beside != prefix { // where an earlier version kept it
		if kept = append(kept, backups(beside)...); !exists(backup) && exists(beside+digest(c.Old)) {
			backup = beside + digest(c.Old)
		}
	}
	mine := c.Old != nil && exists(backup) // nobody wrote to it since
	if !remove {
		text, err := t.put(string(c.Old))
		if err != nil {
			return nil, err
		}
		if c.New = []byte(text); c.Same() {
			return c, nil
		}
		if c.drop = kept; c.Old == nil {
			return c, nil
		}
		if c.before, err = c.beforeUs(t, mine, backup); err == nil && c.before != nil {
			c.backup = prefix + digest(c.New)
		}
		return c, err
	}
	if c.Old == nil {
		c.drop = kept
		return c, nil
	}
	text, err := t.take(string(c.Old))
	if err != nil {
		return nil, err
	}
	c.New = []byte(text)
	switch {
	case t.shared(text):
		if mine && !c.Same() { // what was there before still waits for the other host
			c.backup, c.drop = prefix+digest(c.New), kept
			c.before, err = os.ReadFile(backup)
		}
		return c, err
	case c.Same():
	case mine:
		before, err := os.ReadFile(backup)
		if err != nil {
			return nil, err
		}
		switch {
		case !t.shared(string(before)):
			c.New, c.Restore = before, true
		case t.empty(text): // there was no file before the first host of those that share it
			c.New = nil
		}
	case t.empty(text) && len(kept) == 0:
		c.New = nil
	}
	c.drop = kept
	return c, nil
}

// beforeUs is what was there before us: what an earlier time kept, of a text that was not
// changed since, or else what is there without what is ours. It is nil where that is nothing.
func (c *Change) beforeUs(t target, mine bool, backup string) ([]byte, error) {
	if mine {
		return os.ReadFile(backup)
	}
	text, err := t.take(string(c.Old))
	if err == nil && text != string(c.Old) && t.empty(text) {
		return nil, nil
	}
	return []byte(text), err
}

// backups are those whose names begin so.
func backups(prefix string) []string {
	list, err := os.ReadDir(filepath.Dir(prefix))
	if err != nil {
		return nil
	}
	var out []string
	for _, f := range list {
		if strings.HasPrefix(f.Name(), filepath.Base(prefix)) {
			out = append(out, filepath.Join(filepath.Dir(prefix), f.Name()))
		}
	}
	return out
}

// read reads a file that is there, following links.
func (c *Change) read() error {
	real, err := filepath.EvalSymlinks(c.Path)
	if err != nil {
		return err
	}
	info, err := os.Stat(real)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return errors.New("it is not a regular file")
	}
	if info.Size() > mostConfig {
		return fmt.Errorf("it is longer than %d MiB", mostConfig>>20)
	}
	c.real, c.mode = real, info.Mode().Perm()
	if c.Old, err = os.ReadFile(real); err != nil {
		return err
	}
	if c.Old == nil {
		c.Old = []byte{}
	}
	return nil
}

// Write does what was planned, all or as much as can be done: each file is replaced
// whole or not at all, and kept as it was beside it.
func Write(changes []Change) error {
	for i := range changes {
		if c := &changes[i]; !c.Same() && c.Old != nil && c.mode&0o200 == 0 {
			return fmt.Errorf("%s is read-only; nothing was changed: %w", c.Path, api.ErrForbidden)
		}
	}
	for i := range changes {
		c := &changes[i]
		if !c.Same() {
			if err := c.write(); err != nil {
				return fmt.Errorf("%s: %w", c.Path, err)
			}
		}
		if err := c.dropBackups(); err != nil {
			return fmt.Errorf("%s: %w", c.Path, err)
		}
	}
	return nil
}

func (c *Change) write() error {
	now, err := os.ReadFile(c.real)
	if errors.Is(err, fs.ErrNotExist) {
		now, err = nil, nil
	} else if err == nil && now == nil {
		now = []byte{}
	}
	if err != nil {
		return err
	}
	if !bytes.Equal(now, c.Old) {
		return fmt.Errorf("another process changed it just now; run this again: %w", api.ErrConflict)
	}
	if c.New == nil {
		return c.remove()
	}
	if err := os.MkdirAll(filepath.Dir(c.real), 0o755); err != nil {
		return err
	}
	if c.backup != "" {
		if err := c.keep(); err != nil {
			return err
		}
	}
	return replace(c.real, c.New, c.mode)
}

// keep writes what was there before us into a file.
func (c *Change) keep() error {
	if err := os.MkdirAll(filepath.Dir(c.backup), 0o700); err != nil {
		return err
	}
	return replace(c.backup, c.before, c.mode)
}

// dropBackups removes the backups that are needed no more, and their directory with the last.
func (c *Change) dropBackups() error {
	for _, old := range c.drop {
		if old == c.backup {
			continue
		}
		if err := os.Remove(old); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if dir := filepath.Dir(old); dir != filepath.Dir(c.real) {
			_ = os.Remove(dir) // where it is empty
		}
	}
	return nil
}

// replace puts a text in the place of a file's, in one step.
func replace(path string, text []byte, mode fs.FileMode) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".stemma-*")
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err == nil {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return syncDir(filepath.Dir(path))
}

// ourDirs are directories that hosts' files stand in: one that is left empty goes.
var ourDirs = []string{
	".claude", ".codex", ".gemini", ".qwen", ".cursor", "rules", ".opencode", "plugins", ".vscode", ".github", "hooks",
	"prompts", ".copilot",
}

// remove takes a file away that we made, and the directories that it leaves empty.
func (c *Change) remove() error {
	if err := os.Remove(c.real); err != nil {
		return err
	}
	for dir := filepath.Dir(c.real); ; dir = filepath.Dir(dir) {
		ours := false
		for _, name := range ourDirs {
			ours = ours || filepath.Base(dir) == name
		}
		if !ours || os.Remove(dir) != nil {
			return nil
		}
	}
}

// Backup returns the file that what was there before is kept in, "" for none.
func (c *Change) Backup() string {
	if c.Restore || c.New == nil {
		return ""
	}
	return c.backup
}
