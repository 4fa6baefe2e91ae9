//go:build unix

package anchor

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stemma-memory/stemma/memory"
)

func write(t *testing.T, name string, b []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestFile(t *testing.T) {
	dir := t.TempDir()
	o := Options{Dir: dir, Now: atNoon}
	of := refOf("a memory")
	body := []byte("see " + of.ID.String())
	name := filepath.Join(dir, "notes", "day.txt")
	write(t, name, body)
	want := memory.Anchor{
		Of: of, Type: typeFile, Reference: "notes/day.txt", SHA256: digest(body), Size: int64(len(body)),
		MediaType: "text/plain",
	}
	for _, given := range []string{"notes/day.txt", "./notes//day.txt", name} {
		a, err := Make(t.Context(), typeFile, given, of, o)
		if err != nil || *a != want {
			t.Errorf("File(%q) = %+v, %v, want %+v", given, a, err, want)
		}
	}
	if f := Check(t.Context(), &want, o); f.Status != Verified || !f.Bound || !f.Offline || f.Class != "files" {
		t.Errorf("unchanged: %+v, want verified and bound", f)
	}
	if f := Check(t.Context(), &want, Options{}); f.Status != Unverifiable {
		t.Errorf("without a directory: %s (%s), want unverifiable", f.Status, f.Why)
	}
	unsaid := want
	unsaid.SHA256 = ""
	if f := Check(t.Context(), &unsaid, o); f.Status != Unverifiable {
		t.Errorf("without a digest: %s (%s), want unverifiable", f.Status, f.Why)
	}
	write(t, name, []byte("other"))
	if f := Check(t.Context(), &want, o); f.Status != Changed || f.Bound {
		t.Errorf("other bytes: %+v, want changed", f)
	}
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	if f := Check(t.Context(), &want, o); f.Status != Gone {
		t.Errorf("removed: %s (%s), want gone", f.Status, f.Why)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	write(t, name, body)
	if f := Check(cancelled, &want, o); f.Status != Unreachable {
		t.Errorf("given up: %s (%s), want unreachable", f.Status, f.Why)
	}
}

// The digest is found wherever it stands, also across the pieces a file is read in.
func TestFileIsSearchedWhole(t *testing.T) {
	dir := t.TempDir()
	o := Options{Dir: dir}
	of := refOf("a memory")
	id := []byte(of.ID.String())
	for _, at := range []int{
		0, 1, readSize - 64, readSize - 63, readSize - 1, readSize, 2*readSize - 100, 3*readSize + 7,
	} {
		b := bytes.Repeat([]byte("a"), 4*readSize)
		copy(b[at:], id)
		write(t, filepath.Join(dir, "f"), b)
		read, err := readFile(t.Context(), dir, "f", of.ID)
		if err != nil || !read.bound || read.sha256 != digest(b) || read.size != int64(len(b)) {
			t.Errorf("at %d: %+v, %v, want it bound", at, read, err)
		}
		b[at+5] ^= 1
		write(t, filepath.Join(dir, "f"), b)
		if read, err := readFile(t.Context(), dir, "f", of.ID); err != nil || read.bound {
			t.Errorf("one bit off at %d: %+v, %v, want it not bound", at, read, err)
		}
	}
	f, err := os.Create(filepath.Join(dir, "big"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for size, want := range map[int64]error{maxFile: nil, maxFile + 1: ErrInvalid} {
		if err := f.Truncate(size); err != nil {
			t.Fatal(err)
		}
		if _, err := File(t.Context(), "big", of, o); !errors.Is(err, want) {
			t.Errorf("a file of %d bytes: %v, want %v", size, err, want)
		}
	}
	write(t, filepath.Join(dir, "empty"), nil)
	if _, err := File(t.Context(), "empty", of, o); !errors.Is(err, ErrInvalid) {
		t.Errorf("an empty file: %v, want %v", err, ErrInvalid)
	}
}

// No name leads out of the directory or to what is no file.
func TestHostileNames(t *testing.T) {
	base := t.TempDir()
	dir := filepath.Join(base, "in")
	secret := filepath.Join(base, "secret")
	write(t, secret, []byte("x"))
	write(t, filepath.Join(dir, "sub", "ok"), []byte("x"))
	links := map[string]string{"out": "../secret", "abs": secret, "up": "..", "chain": "chain2", "chain2": "sub/link",
		"loop": "loop", "ring": "ring2", "ring2": "ring", "proc": "/proc/self/environ", "null": "/dev/null", "root": "/"}
	for name, to := range links {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("../../secret", filepath.Join(dir, "sub", "link")); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("pipe", filepath.Join(dir, "piped")); err != nil {
		t.Fatal(err)
	}
	names := []string{"", ".", "./", "..", "/", "//", "../secret", "./../secret", "sub/../../secret", "sub/../ok",
		"a/../../in/sub/ok",
		"..//secret", "../in/sub/ok", "/etc/passwd", "//etc/passwd", "/dev/zero", "/proc/self/mem", secret, dir, base,
		"..\\secret", "sub\\ok", "C:\\secret", "C:/secret", "c:secret", "\\\\host\\share", "sub/ok\x00", "\x00",
		"sub/ok\x00.txt",
		"\xff", "sub/\xc3\x28", strings.Repeat("a", maxURL+1), strings.Repeat("../", 100) + "etc/passwd",
		"out", "abs", "up/secret", "chain", "loop", "ring", "proc", "null", "root/etc/passwd", "root", "pipe", "piped",
		"sub", "sub/", "sub/link"}
	o := Options{Dir: dir}
	of := refOf("a memory")
	for _, name := range names {
		if a, err := File(t.Context(), name, of, o); err == nil {
			t.Errorf("File(%.60q) = %+v, want it refused", name, a)
		}
		a := &memory.Anchor{Of: of, Type: typeFile, Reference: name, SHA256: digest([]byte("x"))}
		if f := Check(t.Context(), a, o); f.Status != Unverifiable {
			t.Errorf("Check(%.60q) = %s (%s), want unverifiable", name, f.Status, f.Why)
		}
		if a.Reference != "" {
			_, _ = Class(a), CanonicalReference(a)
		}
	}
	t.Logf("%d names", len(names))
	if a, err := File(t.Context(), "sub/ok", of, o); err != nil {
		t.Errorf("a good name: %+v, %v", a, err)
	}
}
