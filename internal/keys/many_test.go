//go:build !race

package keys

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAPassphraseIsSetChangedAndTakenOff(t *testing.T) {
	cases := map[string][]string{"owner": {"one", "zwei \u00e4\x00\xff", ""}, "agent": {""}}
	if fewer > 1 {
		cases["owner"] = []string{"one"}
	}
	for name, list := range cases {
		dir := filepath.Join(t.TempDir(), "keys")
		plain := openRing(t, dir)
		path := filepath.Join(dir, name)
		before := names(t, dir)
		was := ""
		for _, now := range list {
			for _, wrong := range []string{"", was + "x"} {
				if wrong == was {
					continue
				}
				err := SetPassphrase(dir, name, []byte(wrong), []byte(now))
				if err == nil || !strings.Contains(err.Error(), path) {
					t.Errorf("%s: with %q for %q: %v", name, wrong, was, err)
				}
			}
			if err := SetPassphrase(dir, name, []byte(was), []byte(now)); err != nil {
				t.Fatal(err)
			}
			a := &asked{answer: now}
			ring, err := LoadWith(dir, Options{Unlock: a.unlock})
			if err != nil {
				t.Fatal(err)
			}
			checkSame(t, ring, plain)
			key, want := ring.Owner, plain.Owner
			if name == "agent" {
				key, want = ring.Agent, plain.Agent
			}
			if got, want := signature(t, key, "t", nil), signature(t, want, "t", nil); !bytes.Equal(got, want) {
				t.Errorf("%s under %q signs %x, want %x", name, now, got, want)
			}
			wantPlace := Locked
			if now == "" {
				wantPlace = AtHand
			}
			if got := key.Place(); got != wantPlace {
				t.Errorf("%s under %q is %s, want %s", name, now, got, wantPlace)
			}
			was = now
		}
		if got := names(t, dir); strings.Join(got, " ") != strings.Join(before, " ") {
			t.Errorf("files %v, want %v", got, before)
		}
	}
}

func TestALockedKeyIsFollowedByALockedOne(t *testing.T) {
	dir, plain := lockedRing(t)
	if _, err := Rotate(dir, "owner", source(2), nil, Options{}); !errors.Is(err, ErrLocked) {
		t.Errorf("by a plain one: %v, want %v", err, ErrLocked)
	}
	a := &asked{answer: passphrase}
	o := Options{Unlock: a.unlock}
	r, err := Rotate(dir, "owner", source(2), []byte("new"), o)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := a.times, 0; got != want {
		t.Errorf("asked %d times to begin, want %d: a forgotten passphrase is why one rotates", got, want)
	}
	if got, want := signature(t, r.Old, "t", nil), signature(t, plain.Owner, "t", nil); !bytes.Equal(got, want) {
		t.Errorf("the old key signs %x, want %x", got, want)
	}
	if err := r.Commit(false); err != nil {
		t.Fatal(err)
	}
	a.answer = "new"
	ring, err := LoadWith(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := signature(t, ring.Owner, "t", nil), signature(
		t, newKey(t, 2), "t", nil,
	); ring.Owner.Place() != Locked || !bytes.Equal(got, want) {
		t.Errorf("%s, signs %x, want it locked, signing %x", ring.Owner.Place(), got, want)
	}
	b, err := os.ReadFile(filepath.Join(dir, "owner.old-1"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parseKey(b, nil); !errors.Is(err, ErrLocked) {
		t.Errorf("the old key is kept, and read: %v, want %v", err, ErrLocked)
	}
	if err := SetPassphrase(dir, "owner.old-1", []byte(passphrase), []byte("third")); err != nil {
		t.Errorf("another passphrase for it: %v", err)
	}
}
