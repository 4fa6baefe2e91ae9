package keys

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

func rotate(t testing.TB, dir, name string, n byte) *Rotation {
	t.Helper()
	r, err := Rotate(dir, name, source(n), nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// current is the DID of a ring's key of that name, and of its public file.
func current(t testing.TB, dir, name string) (private, public string) {
	t.Helper()
	ring, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	private = ring.Owner.DID()
	if name == "agent" {
		private = ring.Agent.DID()
	}
	b, err := os.ReadFile(filepath.Join(dir, name+".pub"))
	if err != nil {
		t.Fatal(err)
	}
	public, comment, err := PublicOf(b)
	if err != nil || comment != "stemma "+name {
		t.Fatalf("%s.pub says %q, %v", name, comment, err)
	}
	return private, public
}

func TestRotation(t *testing.T) {
	for _, name := range []string{"owner", "agent"} {
		dir := filepath.Join(t.TempDir(), "keys")
		openRing(t, dir)
		before, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		first, _ := current(t, dir, name)
		r := rotate(t, dir, name, 2)
		if got, want := r.Old.DID()+" "+r.New.DID(), first+" "+newKey(t, 2).DID(); got != want {
			t.Errorf("rotation of %s, want %s", got, want)
		}
		signature(t, r.Old, "t", nil)
		want := signature(t, r.New, "t", nil)
		if private, public := current(t, dir, name); private != first || public != first {
			t.Errorf("before Commit the %s is %s and %s, want %s", name, private, public, first)
		}
		for range 2 { // once more changes nothing
			if err := r.Commit(false); err != nil {
				t.Fatal(err)
			}
			if private, public := current(t, dir, name); private != r.New.DID() || public != r.New.DID() {
				t.Errorf("the %s is %s and %s, want %s", name, private, public, r.New.DID())
			}
		}
		ring, err := Load(dir)
		if err != nil || len(ring.Pending) > 0 {
			t.Fatalf("pending %v, %v", ring.Pending, err)
		}
		now := map[string]*Key{"owner": ring.Owner, "agent": ring.Agent}[name]
		if got := signature(t, now, "t", nil); !bytes.Equal(got, want) {
			t.Errorf("the %s signs %x, want %x", name, got, want)
		}
		if kept, err := os.ReadFile(filepath.Join(dir, name+".old-1")); err != nil || !bytes.Equal(kept, before) {
			t.Errorf("the old %s is not kept as it was: %v", name, err)
		}
		if err := rotate(t, dir, name, 3).Commit(true); err != nil {
			t.Fatal(err)
		}
		want2 := []string{name + ".old-1", name + ".old-1.pub", name + ".old-2.pub"}
		got := slices.DeleteFunc(names(t, dir), func(s string) bool { return !strings.Contains(s, ".old") })
		if !slices.Equal(got, want2) {
			t.Errorf("kept %v, want %v", got, want2)
		}
		if err := r.Commit(false); err == nil {
			t.Error("a rotation of long ago is put in place again")
		}
	}
}

// Cut off after any step, the ring loads as the old one or the new one, says that
// something is pending, and can be finished from what is on disk.
func TestARotationCutOffAnywhere(t *testing.T) {
	for _, name := range []string{"owner", "agent"} {
		for _, destroy := range []bool{false, true} {
			all := len((&Rotation{}).steps(nil, destroy))
			for n := range all + 1 {
				dir := filepath.Join(t.TempDir(), "keys")
				openRing(t, dir)
				old, _ := current(t, dir, name)
				r := rotate(t, dir, name, 2)
				err := change(dir, func(d *keyDir) error {
					for _, step := range r.steps(d, destroy)[:n] {
						if err := step(); err != nil {
							return err
						}
					}
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
				// What a replacement of any file leaves when it is killed.
				for _, file := range []string{
					name, name + ".pub", name + ".next", name + ".next.pub", name + ".old-1",
					name + ".old-1.pub",
				} {
					if err := os.WriteFile(filepath.Join(dir, "."+file+".new"), []byte("half"), 0o600); err != nil {
						t.Fatal(err)
					}
				}
				now, _ := current(t, dir, name)
				want := old
				if n >= all-1 {
					want = r.New.DID()
				}
				if now != want {
					t.Errorf("%s after %d steps is %s, want %s", name, n, now, want)
				}
				ring, err := Load(dir)
				if err != nil {
					t.Fatal(err)
				}
				if got, want := slices.Equal(ring.Pending, []string{name}), n < all; got != want {
					t.Errorf("%s after %d steps: pending %v, want %v", name, n, ring.Pending, want)
				}
				p, err := Pending(dir, name, Options{})
				if err != nil {
					t.Fatal(err)
				}
				if got, want := p != nil, now == old; got != want {
					t.Fatalf("%s after %d steps: Pending = %v, want one: %v", name, n, p, want)
				}
				if p != nil {
					if again := rotate(t, dir, name, 5); again.New.DID() != r.New.DID() || p.New.DID() != r.New.DID() ||
						p.Old.DID() != old {
						t.Errorf("%s after %d steps: taken up with %s, want %s", name, n, p.New, r.New)
					}
					signature(t, p.New, "t", nil)
					signature(t, p.Old, "t", nil)
					if err := p.Commit(destroy); err != nil {
						t.Fatal(err)
					}
				}
				if private, public := current(t, dir, name); private != r.New.DID() || public != r.New.DID() {
					t.Errorf("%s finished after %d steps is %s and %s, want %s", name, n, private, public, r.New)
				}
				kept := []string{name + ".old-1", name + ".old-1.pub"}
				if destroy {
					kept = kept[1:]
				}
				got := slices.DeleteFunc(names(t, dir), func(s string) bool { return s[0] == '.' })
				wantFiles := append(kept, "agent", "agent.pub", "identity.jsonl", "owner", "owner.pub")
				slices.Sort(wantFiles)
				if !slices.Equal(got, wantFiles) {
					t.Errorf("%s finished after %d steps: files %v, want %v", name, n, got, wantFiles)
				}
			}
		}
	}
}

func TestARotationThatIsCancelled(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "keys")
	ring := openRing(t, dir)
	before := names(t, dir)
	r := rotate(t, dir, "owner", 2)
	if err := r.Cancel(); err != nil {
		t.Fatal(err)
	}
	if got := names(t, dir); !slices.Equal(got, before) {
		t.Errorf("files %v, want %v", got, before)
	}
	got, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	checkSame(t, got, ring)
	if err := r.Commit(false); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Commit after Cancel: %v, want %v", err, fs.ErrNotExist)
	}
	r = rotate(t, dir, "owner", 3)
	if err := r.Commit(false); err != nil {
		t.Fatal(err)
	}
	if err := r.Cancel(); err == nil {
		t.Error("a rotation is cancelled that is done")
	}
	if now, _ := current(t, dir, "owner"); now != r.New.DID() {
		t.Errorf("owner %s, want %s", now, r.New)
	}
}

func TestRotationsThatAreRefused(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "keys")
	ring := openRing(t, dir)
	for _, name := range []string{"", "identity.jsonl", "owner.pub", "../owner", "sessions/x", "owner.next", "OWNER"} {
		if _, err := Rotate(dir, name, source(2), nil, Options{}); err == nil {
			t.Errorf("a rotation of %q", name)
		}
		if _, err := Pending(dir, name, Options{}); err == nil {
			t.Errorf("a pending rotation of %q", name)
		}
	}
	if _, err := Rotate(dir, "owner", source(1), nil, Options{}); err == nil || !strings.Contains(err.Error(), "twice") {
		t.Errorf("to the same key: %v", err)
	}
	if _, err := Rotate(dir, "agent", source(1), nil, Options{}); err == nil || !strings.Contains(err.Error(), "twice") {
		t.Errorf("of the agent to the owner: %v", err)
	}
	if _, err := Rotate(dir, "owner", bytes.NewReader(nil), nil, Options{}); err == nil {
		t.Error("without randomness")
	}
	if p, err := Pending(dir, "owner", Options{}); p != nil || err != nil {
		t.Errorf("then Pending = %v, %v", p, err)
	}
	r := rotate(t, dir, "owner", 2)
	b, err := encodeKey(newKey(t, 7), "", nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "owner.next"), b, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := r.Commit(false); err == nil {
		t.Error("a key is put in place that was not to follow")
	}
	if now, _ := current(t, dir, "owner"); now != ring.Owner.DID() {
		t.Errorf("owner %s, want %s", now, ring.Owner)
	}
	if err := errors.Join(
		os.Rename(filepath.Join(dir, "owner"), filepath.Join(dir, "was")),
		os.Rename(filepath.Join(dir, "owner.next"), filepath.Join(dir, "owner")),
	); err != nil {
		t.Fatal(err)
	}
	r = rotate(t, dir, "owner", 2) // of the seventh, to the same second
	if err := errors.Join(
		os.Remove(filepath.Join(dir, "owner")),
		os.Rename(filepath.Join(dir, "was"), filepath.Join(dir, "owner")),
	); err != nil {
		t.Fatal(err)
	}
	if err := r.Commit(false); err == nil || !strings.Contains(err.Error(), "to be replaced") {
		t.Errorf("a key is followed that was not to be: %v", err)
	}
	if err := r.Cancel(); err == nil {
		t.Error("and that is cancelled")
	}
}

func TestAKeyInAnAgentIsFollowedByOneInAFile(t *testing.T) {
	dir, plain := movedRing(t)
	o := Options{AgentSocket: serveAgent(t, holding(t, plain.Owner))}
	for n := range 6 {
		r, err := Rotate(dir, "owner", source(2), nil, o)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := signature(t, r.Old, "t", nil), signature(t, plain.Owner, "t", nil); !bytes.Equal(got, want) {
			t.Errorf("the old key signs %x, want %x", got, want)
		}
		err = change(dir, func(d *keyDir) error {
			for _, step := range r.steps(d, false)[:min(n, 3)] {
				if err := step(); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if now, _ := current(t, dir, "owner"); now != plain.Owner.DID() {
			t.Fatalf("cut off after %d steps the owner is %s, want %s", n, now, plain.Owner)
		}
	}
	r, err := Pending(dir, "owner", o)
	if err != nil || r == nil {
		t.Fatal(r, err)
	}
	if err := r.Commit(false); err != nil {
		t.Fatal(err)
	}
	if private, public := current(t, dir, "owner"); private != r.New.DID() || public != r.New.DID() {
		t.Errorf("owner %s and %s, want %s", private, public, r.New)
	}
	if got, want := names(t, dir), []string{
		"agent", "agent.pub", "identity.jsonl", "owner", "owner.old-1.pub", "owner.pub",
	}; !slices.Equal(got, want) {
		t.Errorf("files %v, want %v", got, want)
	}
}

// The public file alone names a key in an agent, so it may not be the old key's.
func TestAMovedKeyAfterARotationThatWasCutOff(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "keys")
	openRing(t, dir)
	r := rotate(t, dir, "owner", 2)
	if err := r.Commit(false); err != nil {
		t.Fatal(err)
	}
	path := func(name string) string { return filepath.Join(dir, name) }
	if err := errors.Join(
		os.Rename(path("owner.pub"), path("owner.next.pub")),
		os.Rename(path("owner.old-1.pub"), path("owner.pub")), os.Remove(path("owner")),
	); err != nil {
		t.Fatal(err)
	}
	if ring, err := Load(dir); err == nil || !strings.Contains(err.Error(), "mv ") {
		t.Errorf("%v, %v, want an error that says which file is in question", ring, err)
	}
}

func TestRotationsAtOnceAreOne(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "keys")
	openRing(t, dir)
	var all sync.WaitGroup
	var rotations [racers]*Rotation
	for i := range racers {
		all.Go(func() {
			r, err := Rotate(dir, "owner", source(byte(10+i)), nil, Options{})
			if err != nil {
				t.Error(err)
			}
			rotations[i] = r
		})
	}
	all.Wait()
	for _, r := range rotations {
		if r == nil || r.New.DID() != rotations[0].New.DID() {
			t.Fatalf("rotation to %v, want %s", r, rotations[0].New)
		}
	}
	for _, r := range rotations {
		all.Go(func() {
			if err := r.Commit(false); err != nil {
				t.Error(err)
			}
		})
		all.Go(func() { // readers meet the old ring or the new one
			if ring, err := Load(dir); err != nil || ring.Owner.DID() != r.Old.DID() && ring.Owner.DID() != r.New.DID() {
				t.Errorf("meanwhile: %v, %v", ring, err)
			}
		})
	}
	all.Wait()
	want := []string{"agent", "agent.pub", "identity.jsonl", "owner", "owner.old-1", "owner.old-1.pub", "owner.pub"}
	if got := names(t, dir); !slices.Equal(got, want) {
		t.Errorf("files %v, want %v", got, want)
	}
}
