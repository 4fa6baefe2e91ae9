package keys

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

func delegation(session *Key) ([]byte, error) { return []byte("for " + session.DID() + "\n"), nil }

func TestASessionIsAddedAndLoaded(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "keys")
	ring := openRing(t, dir)
	if got, err := Sessions(dir); err != nil || len(got) > 0 {
		t.Errorf("sessions %v, %v, want none", got, err)
	}
	for i, name := range []string{"night-build", "0", "a_b", strings.Repeat("x", 64)} {
		made, err := AddSession(dir, name, source(byte(10+i)), delegation)
		if err != nil {
			t.Fatal(err)
		}
		got, err := LoadSession(dir, name, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got.Name != name || got.Key.DID() != newKey(t, byte(10+i)).DID() ||
			string(got.Delegation) != "for "+made.Key.DID()+"\n" {
			t.Errorf("session %s %s %q, want that of %s", got.Name, got.Key, got.Delegation, made.Key)
		}
		if got, want := signature(t, got.Key, "t", nil), signature(t, made.Key, "t", nil); !bytes.Equal(got, want) {
			t.Errorf("it signs %x, want %x", got, want)
		}
		if _, err := AddSession(dir, name, source(9), delegation); !errors.Is(err, fs.ErrExist) {
			t.Errorf("a second one: %v, want %v", err, fs.ErrExist)
		}
	}
	if got, err := Sessions(dir); err != nil ||
		!slices.Equal(got, []string{"0", "a_b", "night-build", strings.Repeat("x", 64)}) {
		t.Errorf("sessions %v, %v", got, err)
	}
	for range 2 {
		if err := RemoveSession(dir, "0"); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := LoadSession(dir, "0", Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a removed one: %v, want %v", err, fs.ErrNotExist)
	}
	if got := names(t, filepath.Join(dir, "sessions")); len(got) != 9 {
		t.Errorf("files %v, want those of three sessions", got)
	}
	again, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	checkSame(t, again, ring)
}

func TestASessionWithoutTheRing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "keys")
	openRing(t, dir)
	want, err := AddSession(dir, "remote", source(2), delegation)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"owner", "agent", "identity.jsonl", "owner.pub", "agent.pub"} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := LoadSession(dir, "remote", Options{}); err != nil || got.Key.DID() != want.Key.DID() {
		t.Errorf("LoadSession = %v, %v, want %s", got, err, want.Key)
	}
}

func TestSessionsThatAreRefused(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "keys")
	openRing(t, dir)
	for _, name := range []string{
		"", ".", "..", "../owner", "a/b", "a.pub", "a.jsonl", "A", "-a", "_a", "a b", "a\x00", "é",
		strings.Repeat("x", 65), `a\b`, "a:b",
	} {
		if _, err := AddSession(dir, name, source(2), delegation); err == nil {
			t.Errorf("a session called %q", name)
		}
		if _, err := LoadSession(dir, name, Options{}); err == nil || errors.Is(err, fs.ErrNotExist) {
			t.Errorf("LoadSession(%q): %v", name, err)
		}
		if err := RemoveSession(dir, name); name != "" && err == nil {
			t.Errorf("a session called %q is removed", name)
		}
	}
	refuse := errors.New("no")
	for name, tt := range map[string]struct {
		rand     io.Reader
		delegate func(*Key) ([]byte, error)
	}{
		"no randomness":   {bytes.NewReader(nil), delegation},
		"the owner's key": {source(1), delegation},
		"no delegation":   {source(2), func(*Key) ([]byte, error) { return nil, refuse }},
		"a huge one":      {source(2), func(*Key) ([]byte, error) { return make([]byte, maxIdentityFile+1), nil }},
	} {
		if s, err := AddSession(dir, "s", tt.rand, tt.delegate); err == nil || s != nil {
			t.Errorf("%s: %v, %v", name, s, err)
		}
	}
	if got, err := Sessions(dir); err != nil || len(got) > 0 {
		t.Errorf("then there are %v, %v", got, err)
	}
	if _, err := AddSession(t.TempDir(), "s", source(2), delegation); err == nil {
		t.Error("a session of no ring")
	}
}

// What is left of one that was killed half way is no session and in no one's way.
func TestASessionCutOffBeforeItsKey(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "keys")
	openRing(t, dir)
	if _, err := AddSession(dir, "s", source(2), delegation); err != nil {
		t.Fatal(err)
	}
	sub := filepath.Join(dir, "sessions")
	if err := errors.Join(
		os.Remove(filepath.Join(sub, "s")), os.WriteFile(filepath.Join(sub, ".s.new"), []byte("half"), 0o600),
	); err != nil {
		t.Fatal(err)
	}
	if got, err := Sessions(dir); err != nil || len(got) > 0 {
		t.Errorf("sessions %v, %v, want none", got, err)
	}
	s, err := AddSession(dir, "s", source(3), delegation)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := LoadSession(dir, "s", Options{}); err != nil || string(got.Delegation) != string(s.Delegation) {
		t.Errorf("LoadSession = %v, %v, want %s", got, err, s.Key)
	}
	if err := os.Remove(filepath.Join(sub, "s.jsonl")); err != nil {
		t.Fatal(err)
	}
	if _, err := LoadSession(dir, "s", Options{}); err == nil || errors.Is(err, fs.ErrNotExist) ||
		!strings.Contains(err.Error(), "s.jsonl") {
		t.Errorf("without its delegation: %v", err)
	}
}

func TestSessionsAtOnceUnderOneNameAreOne(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "keys")
	openRing(t, dir)
	var ready, all sync.WaitGroup
	ready.Add(racers)
	var made [racers]*Session
	for i := range racers {
		all.Go(func() {
			s, err := AddSession(dir, "s", source(byte(10+i)), func(session *Key) ([]byte, error) {
				ready.Done()
				ready.Wait() // all have found the name free
				return delegation(session)
			})
			if err == nil {
				made[i] = s
			} else if !errors.Is(err, fs.ErrExist) {
				t.Error(err)
			}
		})
	}
	all.Wait()
	made2 := slices.DeleteFunc(made[:], func(s *Session) bool { return s == nil })
	if len(made2) != 1 {
		t.Fatalf("%d were made, want 1", len(made2))
	}
	if got, err := LoadSession(dir, "s", Options{}); err != nil || got.Key.DID() != made2[0].Key.DID() ||
		string(got.Delegation) != string(made2[0].Delegation) {
		t.Errorf("LoadSession = %v, %v, want %s", got, err, made2[0].Key)
	}
}
