package journal

import (
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
)

// asAnyone calls f with a directory of its own as somebody to whom modes mean
// something: root looks at files as another user meanwhile.
func asAnyone(t *testing.T, f func(dir string)) {
	t.Helper()
	dir := t.TempDir()
	if os.Geteuid() != 0 {
		f(dir)
		return
	}
	const other = 12345
	for _, d := range []string{filepath.Dir(dir), dir} {
		if err := os.Chown(d, other, -1); err != nil {
			t.Fatal(err)
		}
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
		syscall.RawSyscall(syscall.SYS_SETFSUID, other, 0, 0)
		f(dir)
	}()
	<-done
}

func TestAPipeIsRefusedAndNotWaitedFor(t *testing.T) {
	for _, suffix := range []string{"", lockSuffix} {
		path := filepath.Join(t.TempDir(), "r")
		if err := syscall.Mkfifo(path+suffix, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := Open(path, 1000).Append("r1", receipt{}); err == nil {
			t.Errorf("r%s is a pipe and is written to", suffix)
		}
		if _, err := Open(path, 1000).Find(""); (err != nil) != (suffix == "") {
			t.Errorf("r%s is a pipe: Find = %v", suffix, err)
		}
	}
}
