//go:build unix

package carrier

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/memory"
)

// Whoever shares a folder, or a repository, may put links into it. What they lead to is
// read by no one and copied nowhere.
func TestLinksOutOfAFolder(t *testing.T) {
	dir, g := t.TempDir(), newGiver(t, "aa11")
	secret := filepath.Join(t.TempDir(), "id_ed25519")
	if err := os.WriteFile(secret, []byte("SECRET\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := g.push(g.opens(dir), g.line(&memory.Belief{Statement: "one"})); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{keysFile, storeFile} {
		link := filepath.Join(dir, "aa11", name)
		_ = os.Remove(link)
		if err := os.Symlink(secret, link); err != nil {
			t.Fatal(err)
		}
	}
	_ = g.push(g.opens(dir), g.line(&memory.Key{Op: memory.OpInception, Key: g.key.DID()})) // refused, or put in its place
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		raw, err := os.ReadFile(path)
		if bytes.Contains(raw, []byte("SECRET")) {
			t.Errorf("%s has what was not in the folder", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	away := t.TempDir()
	if err := os.Symlink(away, filepath.Join(dir, "bb22")); err != nil {
		t.Fatal(err)
	}
	b := newGiver(t, "bb22")
	if err := b.push(b.opens(dir), b.line(&memory.Belief{Statement: "one"})); err == nil {
		t.Error("what is given goes through a link out of the folder")
	}
	if left, _ := os.ReadDir(away); len(left) > 0 {
		t.Errorf("%v was written outside of the folder", left)
	}
}

// A pipe in a folder keeps no one waiting, and what is spoilt of one store keeps none
// of the others away.
func TestOneSpoiltNeighbour(t *testing.T) {
	dir, g := t.TempDir(), newGiver(t, "aa11")
	if err := g.push(g.opens(dir), g.line(&memory.Belief{Statement: "one"})); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(path string) error{
		"0a": func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"0b": func(path string) error { return os.WriteFile(path, []byte(`{"name":"0b`), 0o600) },
		"0c": func(path string) error { return os.Symlink("/dev/zero", path) },
	} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := spoil(filepath.Join(dir, name, storeFile)); err != nil {
			t.Fatal(err)
		}
	}
	ends, err := Folder(t.Context(), dir, newGiver(t, "ff").self)
	if err != nil || len(ends) != 5 {
		t.Fatalf("beside spoilt ones there are %d peers, %v, want 5", len(ends), err)
	}
	for _, e := range ends {
		_, err := e.Hello(t.Context(), peer.Hello{Version: peer.Version})
		if spoilt := strings.HasPrefix(e.Name, "0"); (err != nil) != spoilt || spoilt &&
			!strings.Contains(err.Error(), e.Name) {
			t.Errorf("%q says %v", e.Name, err)
		}
	}
}

// Sticks and shared drives are used by other programs, which leave files beside ours.
func TestFilesOfOthersInALog(t *testing.T) {
	dir, g := t.TempDir(), newGiver(t, "aa11")
	if err := g.push(g.opens(dir), g.line(&memory.Belief{Statement: "one"})); err != nil {
		t.Fatal(err)
	}
	logs, err := filepath.Glob(filepath.Join(dir, "aa11", "*", "*.jsonl"))
	if err != nil || len(logs) != 1 {
		t.Fatal(logs, err)
	}
	for _, name := range []string{
		"._000000000000.jsonl", "000000000000 (Ada's conflicted copy).jsonl", "notes.jsonl", "0.jsonl",
		"+00000000001.jsonl",
	} {
		if err := os.WriteFile(filepath.Join(filepath.Dir(logs[0]), name), []byte("x\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := g.size(dir); n != 1 || err != nil {
		t.Errorf("the log has %d records, %v, want 1", n, err)
	}
}

// Two syncs of one store at once, of a server and of a person, write into the same
// directory. What either was told is there is there.
func TestTwoSyncsIntoOneFolder(t *testing.T) {
	dir, g := t.TempDir(), newGiver(t, "aa11")
	one, two := g.opens(dir), g.opens(dir)
	told := 0
	give := func(r peer.Remote) {
		line := g.line(&memory.Belief{Statement: fmt.Sprint(told)})
		for _, r := range []peer.Remote{one, two} { // both know what the log was
			if _, err := r.Log(t.Context(), peer.LogRequest{Space: g.space(), Limit: 1}); err != nil {
				t.Fatal(err)
			}
		}
		err := g.push(r, line)
		if errors.Is(err, errTaken) {
			err = g.push(r, line) // as an exchange does
		}
		if err != nil {
			t.Errorf("push: %v", err)
			return
		}
		told++
	}
	for range 3 {
		give(one)
		give(two)
	}
	if n, err := g.size(dir); n != told || err != nil {
		t.Errorf("the log has %d records, %v; %d were told to be there", n, err, told)
	}
}

// A link in the place of the directory in which memory lies in a clone is not followed.
func TestLinkedClone(t *testing.T) {
	dir, away := t.TempDir(), t.TempDir()
	if err := errors.Join(
		exec.Command("git", "init", "--quiet", dir).Run(), os.Symlink(away, filepath.Join(dir, inGit)),
	); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Git(t.Context(), GitScheme+dir, newGiver(t, "aa11").self); err == nil ||
		!strings.Contains(err.Error(), "is no folder") {
		t.Errorf("a clone in which it is a link gives %v", err)
	}
}
