package keys

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func TestSetPassphraseSaysWhatToDo(t *testing.T) {
	dir, _ := lockedRing(t)
	for _, tt := range []struct {
		name, file, old, want string
		is                    error
	}{
		{"wrong", "owner", "x", "type it again", ErrPassphrase},
		{"none", "owner", "", "type the old one", ErrLocked},
		{"one too many", "agent", "x", "leave the old one empty", nil},
		{"no such key", "owner.old-1", "", "owner.old-1", os.ErrNotExist},
		{"no key", "identity.jsonl", "", "no key", nil},
		{"no key", "../keys/owner", "", "no key", nil},
		{"no key", "owner.old-0", "", "no key", nil},
		{"no key", "owner.old-01", "", "no key", nil},
		{"no key", "owner.old-x", "", "no key", nil},
		{"no key", "", "", "no key", nil},
	} {
		err := SetPassphrase(dir, tt.file, []byte(tt.old), []byte("new"))
		if err == nil || !strings.Contains(err.Error(), tt.want) || tt.is != nil && !errors.Is(err, tt.is) {
			t.Errorf("%s of %s: %v, want it to say %q", tt.name, tt.file, err, tt.want)
		}
	}
}

func TestPassphrasesAreOpenSSHs(t *testing.T) {
	keygen, err := exec.LookPath("ssh-keygen")
	if err != nil {
		return // the files are read by x/crypto in the tests above
	}
	dir := filepath.Join(t.TempDir(), "keys")
	plain := openRing(t, dir)
	path := filepath.Join(dir, "owner")
	want, err := ExportPublic(plain.Owner.DID(), "")
	if err != nil {
		t.Fatal(err)
	}
	if err := SetPassphrase(dir, "owner", nil, []byte("ours")); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(keygen, "-y", "-P", "ours", "-f", path).CombinedOutput(); err != nil ||
		!strings.HasPrefix(string(out), want) {
		t.Errorf("ssh-keygen reads %q (%v), want %s", out, err, want)
	}
	if out, err := exec.Command(keygen, "-y", "-P", "other", "-f", path).CombinedOutput(); err == nil {
		t.Errorf("ssh-keygen reads it with another passphrase: %s", out)
	}
	if fewer > 1 {
		return
	}
	if out, err := exec.Command(keygen, "-p", "-P", "ours", "-N", "theirs", "-f", path).CombinedOutput(); err != nil {
		t.Fatalf("ssh-keygen: %v: %s", err, out)
	}
	a := &asked{answer: "theirs"}
	ring, err := LoadWith(dir, Options{Unlock: a.unlock})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := signature(t, ring.Owner, "t", nil), signature(t, plain.Owner, "t", nil); !bytes.Equal(got, want) {
		t.Errorf("what ssh-keygen locked signs %x, want %x", got, want)
	}
	if err := SetPassphrase(dir, "owner", []byte("theirs"), nil); err != nil {
		t.Error(err)
	}
}

func TestIdentityOnlyGrows(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "keys")
	first := openRing(t, dir).Identity
	more := append(bytes.Clone(first), "more\n"...)
	for range 2 {
		if err := PutIdentity(dir, more); err != nil {
			t.Fatal(err)
		}
	}
	for name, lines := range map[string][]byte{
		"nothing": nil, "the first": first, "another": []byte("another\n"), "one byte less": more[:len(more)-1],
		"another second": append(bytes.Clone(first), "other and longer\n"...), "too much": append(
			bytes.Clone(more), make([]byte, maxIdentityFile)...,
		),
	} {
		if err := PutIdentity(dir, lines); err == nil {
			t.Errorf("%s in place of it", name)
		}
	}
	ring, err := Load(dir)
	if err != nil || !bytes.Equal(ring.Identity, more) {
		t.Errorf("identity %q (%v), want %q", ring.Identity, err, more)
	}
	if err := PutIdentity(t.TempDir(), more); err == nil {
		t.Error("an identity of no ring")
	}
}

func TestNoLineIsLostWhenManyAddToTheIdentity(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "keys")
	openRing(t, dir)
	var all sync.WaitGroup
	for i := range racers {
		all.Go(func() {
			for {
				ring, err := Load(dir)
				if err != nil {
					t.Error(err)
					return
				}
				if PutIdentity(dir, fmt.Appendf(ring.Identity, "line %d\n", i)) == nil {
					return
				}
			}
		})
	}
	all.Wait()
	ring, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	for i := range racers {
		if got, want := strings.Count(string(ring.Identity), fmt.Sprintf("line %d\n", i)), 1; got != want {
			t.Errorf("line %d is there %d times, want %d", i, got, want)
		}
	}
}
