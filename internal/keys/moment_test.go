package keys

import (
	"bytes"
	"errors"
	"path/filepath"
	"slices"
	"testing"
)

// A ring is of one moment: where the identity file names a new key, the key is in
// place or its rotation is pending.
func TestARingIsOfOneMoment(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "keys")
	begun := len(bytes.Fields(openRing(t, dir).Identity))
	done := make(chan struct{})
	go func() {
		defer close(done)
		for n := range byte(40) {
			r, err := Rotate(dir, ownerFile, source(n+10), nil, Options{})
			if err == nil {
				err = r.Record(append(slices.Clone(r.Identity), []byte(r.New.DID()+"\n")...))
			}
			if err == nil {
				err = r.Commit(true)
			}
			if err != nil {
				t.Error(err)
				return
			}
		}
	}()
	defer func() { <-done }()
	for reading := true; reading; {
		select {
		case <-done:
			reading = false
		default:
		}
		ring, err := Load(dir)
		if err != nil {
			t.Fatal(err)
		}
		lines := bytes.Fields(ring.Identity)
		if last := string(lines[len(lines)-1]); len(lines) > begun && ring.Owner.DID() != last && len(ring.Pending) == 0 {
			t.Fatalf("the owner is %s, the identity file says %s, and nothing is pending", ring.Owner.DID(), last)
		}
	}
}

// Who asked that the old key is destroyed gets that, also where another process put
// the new key in place meanwhile.
func TestAnOldKeyIsDestroyedThoughAnotherFinished(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "keys")
	openRing(t, dir)
	r := rotate(t, dir, ownerFile, 2)
	other, err := Pending(dir, ownerFile, Options{})
	if err != nil || other == nil {
		t.Fatalf("%v, %v", other, err)
	}
	if err := other.Commit(false); err != nil {
		t.Fatal(err)
	}
	if err := r.Commit(true); err != nil {
		t.Fatal(err)
	}
	if got := names(t, dir); slices.Contains(got, "owner.old-1") || !slices.Contains(got, "owner.old-1.pub") {
		t.Errorf("kept %v, want only the old public key", got)
	}
}

// A rotation that somebody else finished, and whose new key was rotated since, is named
// so: its record is said, and its old key is destroyed all the same.
func TestARotationThatAnotherFollowed(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "keys")
	openRing(t, dir)
	r := rotate(t, dir, ownerFile, 2)
	other, err := Pending(dir, ownerFile, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Commit(false); err != nil {
		t.Fatal(err)
	}
	if err := rotate(t, dir, ownerFile, 3).Commit(false); err != nil {
		t.Fatal(err)
	}
	if err := r.Commit(true); !errors.Is(err, ErrFollowed) {
		t.Errorf("%v, want %v", err, ErrFollowed)
	}
	if got := names(t, dir); slices.Contains(got, "owner.old-1") || !slices.Contains(got, "owner.old-2") {
		t.Errorf("kept %v, want the second old key and not the first", got)
	}
	stranger := &Rotation{Old: newKey(t, 7), New: newKey(t, 8), dir: dir, name: ownerFile}
	if err := stranger.Commit(false); err == nil || errors.Is(err, ErrFollowed) {
		t.Errorf("a rotation of another ring: %v", err)
	}
}
