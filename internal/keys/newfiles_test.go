//go:build unix

package keys

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// grownRing has every file a ring can have.
func grownRing(t testing.TB) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "keys")
	ring := openRing(t, dir)
	if err := rotate(t, dir, "owner", 2).Commit(false); err != nil {
		t.Fatal(err)
	}
	rotate(t, dir, "owner", 3)
	rotate(t, dir, "agent", 4)
	if _, err := AddSession(dir, "s", source(5), delegation); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(
		SetPassphrase(dir, "agent", nil, nil), PutIdentity(dir, append(ring.Identity, "more\n"...)),
	); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestNewFilesAreThePersonsOwn(t *testing.T) {
	old := syscall.Umask(0)
	defer syscall.Umask(old)
	for _, mask := range []int{0, 0o022, 0o277} {
		syscall.Umask(mask)
		dir := grownRing(t)
		syscall.Umask(0)
		files := 0
		err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := entry.Info()
			if err != nil {
				return err
			}
			want := fileMode
			if entry.IsDir() {
				want = fs.ModeDir | dirMode
			}
			files++
			if got := info.Mode(); got != want {
				t.Errorf("umask %o: %s is %s, want %s", mask, path, got, want)
			}
			return nil
		})
		if got, want := files, 2+5+2+2+3; err != nil || got != want {
			t.Errorf("%d files (%v), want %d", got, err, want)
		}
	}
}

// uses are the files that something other than Load reads, with what reads them.
func uses() map[string]func(dir string) error {
	pending := func(name string) func(string) error {
		return func(dir string) error {
			_, err := Pending(dir, name, Options{})
			return err
		}
	}
	session := func(dir string) error {
		_, err := LoadSession(dir, "s", Options{})
		return err
	}
	return map[string]func(dir string) error{
		"owner.next": pending("owner"), "agent.next": pending("agent"),
		"sessions": session, "sessions/s": session, "sessions/s.jsonl": session,
		"owner.old-1":    func(dir string) error { return SetPassphrase(dir, "owner.old-1", nil, nil) },
		"identity.jsonl": func(dir string) error { return PutIdentity(dir, nil) },
	}
}

func TestNewFilesOfAnotherModeTypeOrUserAreRefused(t *testing.T) {
	dir := grownRing(t)
	for name, use := range uses() {
		path, aside := filepath.Join(dir, name), filepath.Join(dir, "aside")
		info, err := os.Lstat(path)
		if err != nil {
			t.Fatal(err)
		}
		refused := func(what, word string) {
			t.Helper()
			if err := use(dir); err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), word) {
				t.Errorf("%s, %s: %v, want an error that names %s and says %q", name, what, err, path, word)
			}
		}
		for _, more := range []fs.FileMode{0o040, 0o004, 0o022, 0o001} {
			if err := os.Chmod(path, info.Mode().Perm()|more); err != nil {
				t.Fatal(err)
			}
			refused(more.String(), "chmod")
		}
		if err := os.Chmod(path, info.Mode().Perm()); err != nil {
			t.Fatal(err)
		}
		if os.Geteuid() == 0 {
			if err := os.Lchown(path, 12345, -1); err != nil {
				t.Fatal(err)
			}
			refused("another user's", "user 12345")
			if err := os.Lchown(path, 0, -1); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Rename(path, aside); err != nil {
			t.Fatal(err)
		}
		for what, make := range map[string]func() error{
			"link":            func() error { return os.Symlink(aside, path) },
			"link to nothing": func() error { return os.Symlink("nothing", path) },
			"pipe":            func() error { return syscall.Mkfifo(path, 0o600) },
		} {
			if err := make(); err != nil {
				t.Fatal(err)
			}
			refused(what, "mv ")
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Rename(aside, path); err != nil {
			t.Fatal(err)
		}
		if err := use(dir); err != nil && name != "identity.jsonl" {
			t.Errorf("%s as it was: %v", name, err)
		}
	}
}

// What is written goes into the ring, not where a link that lies there points.
func TestNothingIsWrittenThroughALink(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "keys")
	ring := openRing(t, dir)
	outside := filepath.Join(t.TempDir(), "outside")
	if err := os.WriteFile(outside, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{
		".owner.next.new", ".owner.next.pub.new", ".owner.old-1.new", ".owner.old-1.pub.new",
		".identity.jsonl.new", ".agent.new",
	} {
		if err := os.Symlink(outside, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(
		rotate(t, dir, "owner", 2).Commit(false), SetPassphrase(dir, "agent", nil, nil),
		PutIdentity(dir, append(ring.Identity, "more\n"...)),
	); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(outside); err != nil || string(got) != "mine" {
		t.Errorf("outside there is %q, %v", got, err)
	}
	away := t.TempDir()
	if err := os.Symlink(away, filepath.Join(dir, "sessions")); err != nil {
		t.Fatal(err)
	}
	if s, err := AddSession(dir, "s", source(3), delegation); err == nil {
		t.Errorf("session %v through a link", s)
	}
	if got := names(t, away); len(got) > 0 {
		t.Errorf("outside there are %v", got)
	}
}
