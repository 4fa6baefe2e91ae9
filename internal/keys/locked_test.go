package keys

import (
	"bytes"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

const passphrase = "correct horse battery staple"

// lockFile puts the owner's key of openRing in place of one file of a ring, locked in
// a way that is quick to unlock.
func lockFile(t testing.TB, dir, name string) {
	t.Helper()
	b, err := os.ReadFile("testdata/locked_owner")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
		t.Fatal(err)
	}
}

// asked answers with one passphrase and counts.
type asked struct {
	answer string
	times  int
	given  [][]byte
	path   string
}

func (a *asked) unlock(path string) ([]byte, error) {
	a.times, a.path = a.times+1, path
	a.given = append(a.given, []byte(a.answer))
	return a.given[len(a.given)-1], nil
}

func lockedRing(t testing.TB) (dir string, plain *Ring) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "keys")
	plain = openRing(t, dir)
	lockFile(t, dir, "owner")
	return dir, plain
}

func TestALockedOwnerIsAskedForOnceAndOnlyToSign(t *testing.T) {
	dir, plain := lockedRing(t)
	a := &asked{answer: passphrase}
	ring, err := OpenWith(dir, nil, nil, Options{Unlock: a.unlock})
	if err != nil {
		t.Fatal(err)
	}
	checkSame(t, ring, plain)
	signature(t, ring.Agent, "t", nil)
	if got, want := a.times, 0; got != want {
		t.Fatalf("asked %d times before the owner signs, want %d", got, want)
	}
	var all sync.WaitGroup
	for range racers {
		all.Go(func() {
			got, err := ring.Owner.Sign("t", []byte("p"))
			if want := signature(t, plain.Owner, "t", []byte("p")); err != nil || !bytes.Equal(got, want) {
				t.Errorf("the locked key signs %x (%v), want %x", got, err, want)
			}
		})
	}
	all.Wait()
	if got, want := fmt.Sprint(a.times, " ", a.path), "1 "+filepath.Join(dir, "owner"); got != want {
		t.Errorf("asked %s, want %s", got, want)
	}
	if got, want := a.given[0], make([]byte, len(passphrase)); !bytes.Equal(got, want) {
		t.Errorf("the passphrase is kept: %q", got)
	}
}

func TestAWrongPassphraseIsSaidAndAskedForAgain(t *testing.T) {
	dir, plain := lockedRing(t)
	a := &asked{}
	ring, err := LoadWith(dir, Options{Unlock: a.unlock})
	if err != nil {
		t.Fatal(err)
	}
	for _, wrong := range []string{"", "x", passphrase + " ", passphrase[1:], strings.ToUpper(passphrase)} {
		a.answer = wrong
		sig, err := ring.Owner.Sign("t", nil)
		if !errors.Is(err, ErrPassphrase) || sig != nil || !strings.HasSuffix(err.Error(), "type it again") ||
			!strings.Contains(err.Error(), filepath.Join(dir, "owner")) {
			t.Errorf("%q: %v, want %v, of the file, and what to do", wrong, err, ErrPassphrase)
		}
		if wrong != "" && strings.Contains(err.Error(), wrong+" ") {
			t.Errorf("the error shows the passphrase: %v", err)
		}
	}
	if slices.ContainsFunc(a.given, func(b []byte) bool { return !bytes.Equal(b, make([]byte, len(b))) }) {
		t.Errorf("a passphrase is kept: %q", a.given)
	}
	a.answer = passphrase
	if got, want := signature(t, ring.Owner, "t", nil), signature(t, plain.Owner, "t", nil); !bytes.Equal(got, want) {
		t.Errorf("then it signs %x, want %x", got, want)
	}
}

func TestALockedKeyWithoutATerminal(t *testing.T) {
	dir, plain := lockedRing(t)
	ring, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	checkSame(t, ring, plain)
	if sig, err := ring.Owner.Sign("t", nil); !errors.Is(err, ErrLocked) || sig != nil ||
		!strings.Contains(err.Error(), "terminal") {
		t.Errorf("%x, %v, want %v", sig, err, ErrLocked)
	}
	away := errors.New("hung up")
	ring, err = LoadWith(dir, Options{Unlock: func(string) ([]byte, error) { return []byte(passphrase), away }})
	if err != nil {
		t.Fatal(err)
	}
	if sig, err := ring.Owner.Sign("t", nil); !errors.Is(err, away) || sig != nil {
		t.Errorf("%x, %v, want %v", sig, err, away)
	}
	lockFile(t, dir, "agent")
	if _, err := Load(dir); err == nil || !strings.Contains(err.Error(), "same key") {
		t.Errorf("the same locked key twice: %v", err)
	}
}

// Whoever can write the file can put any public half before the locked private one.
func TestALockedFileThatShowsAnotherKeyNeverSigns(t *testing.T) {
	dir, plain := lockedRing(t)
	path := filepath.Join(dir, "owner")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	block, _ := pem.Decode(b)
	own, other := plain.Owner.private()[32:], newKey(t, 9)
	for name, public := range map[string][]byte{
		"another": other.private()[32:], "small order": append([]byte{1}, make([]byte, 31)...),
	} {
		forged := *block
		forged.Bytes = bytes.Replace(block.Bytes, own, public, 1)
		a := &asked{answer: passphrase}
		if err := os.WriteFile(path, pem.EncodeToMemory(&forged), 0o600); err != nil {
			t.Fatal(err)
		}
		ring, err := LoadWith(dir, Options{Unlock: a.unlock})
		if name == "small order" {
			if !errors.Is(err, ErrBadKey) {
				t.Errorf("%s: %v, want %v", name, err, ErrBadKey)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if sig, err := ring.Owner.Sign("t", nil); err == nil || sig != nil || !strings.Contains(err.Error(), "another key") {
			t.Errorf("%s: signs %x, %v", name, sig, err)
		}
	}
}

func TestLockedKeyNeverShowsWhatItHolds(t *testing.T) {
	dir, plain := lockedRing(t)
	a := &asked{answer: passphrase}
	ring, err := LoadWith(dir, Options{Unlock: a.unlock})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // before it is unlocked and after
		var shown string
		for _, value := range []any{ring, *ring, struct{ k Key }{*ring.Owner}, []*Key{ring.Owner}} {
			for _, verb := range strings.Fields("%v %+v %#v %s %q %x %d %c") {
				shown += fmt.Sprintf(verb, value)
			}
		}
		for what, text := range spellings(plain.Owner) {
			if strings.Contains(shown, text) {
				t.Errorf("the private half is shown: %s", what)
			}
		}
		if strings.Contains(shown, "correct") {
			t.Error("the passphrase is shown")
		}
		signature(t, ring.Owner, "t", nil)
	}
}

// Where the digits of base64 are in testdata/locked_owner that hold the rounds.
const roundsAt, roundsDigits = 121, 6

func TestALockedFileWithAFlippedBitIsNeverAnotherKey(t *testing.T) {
	dir, plain := lockedRing(t)
	path := filepath.Join(dir, "owner")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := signature(t, plain.Owner, "t", nil)
	a := &asked{answer: passphrase}
	for i := 0; i < len(whole); i += fewer {
		if i >= roundsAt && i < roundsAt+roundsDigits {
			continue // more rounds are more work, up to what x/crypto takes, and no other key
		}
		b := bytes.Clone(whole)
		b[i] ^= 1 << (i % 6)
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		ring, err := LoadWith(dir, Options{Unlock: a.unlock})
		if err != nil {
			checkDamage(t, "flipped", err, path, plain.Owner)
			continue
		}
		if sig, err := ring.Owner.Sign("t", nil); err == nil && !bytes.Equal(sig, want) {
			t.Errorf("byte %d flipped: signs as another", i)
		}
	}
}
