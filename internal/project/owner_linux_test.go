package project

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
)

const another = 12345 // the number of another account

// chown gives a directory and all in it to another account.
func chown(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(path, another, -1)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A repository of another account is the project that it was; git does not answer for it.
func TestAnotherOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root gives files away")
	}
	d := newDesk(t)
	d.repository("a")
	d.repository("b")
	d.remote("b", forge)
	a, b := d.space("a"), d.space("b")
	for _, name := range []string{"a", "b"} {
		d.git(name, "config", "x.y", "1")
		chown(t, d.at(name))
	}
	d.stays(a, "a")
	d.stays(b, "b")
	if h := historyOf(t.Context(), mustFind(t, d.at("a"))); h.answered {
		t.Error("git answered: this test proves nothing")
	}
	d.repository("fresh")
	d.git("", "clone", "-q", "--depth=1", "file://"+d.at("fresh"), "c")
	d.git("c", "remote", "set-url", "origin", forge)
	chown(t, d.at("c"))
	d.stays(b, "c")
}

// A repository that cannot be read is the project that it was, and otherwise none.
func TestUnreadable(t *testing.T) {
	d := newDesk(t)
	d.repository("a")
	d.repository("b")
	d.repository("a/inner")
	outer, was := d.space("a"), d.space("a/inner")
	for _, name := range []string{"a/inner", "b"} {
		if err := os.Chmod(d.at(name+"/.git"), 0); err != nil {
			t.Fatal(err)
		}
		defer os.Chmod(d.at(name+"/.git"), 0o700)
	}
	asAnother(t, filepath.Dir(d.dir), func() {
		d.stays(was, "a/inner")
		d.stays(outer, "a")
		if got := d.space("b"); got != "" {
			t.Errorf("an unreadable one that was never seen is %q", got)
		}
	})
}

// asAnother calls f as somebody to whom modes mean something: root looks at files as another account meanwhile.
func asAnother(t *testing.T, dir string, f func()) {
	t.Helper()
	if os.Geteuid() != 0 {
		f()
		return
	}
	chown(t, dir)
	if err := os.Chown(filepath.Dir(dir), another, -1); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
		syscall.RawSyscall(syscall.SYS_SETFSUID, another, 0, 0)
		f()
	}()
	<-done
}
