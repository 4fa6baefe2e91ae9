package atrest

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// made returns a key with its head, and the two secrets that open it.
func made(t *testing.T, pass string) (*Key, *Head, string, string) {
	t.Helper()
	key, err := NewKey()
	if err != nil {
		t.Fatal(err)
	}
	if pass == "" {
		if pass, err = NewPassphrase(); err != nil {
			t.Fatal(err)
		}
	}
	recovery, err := NewRecovery()
	if err != nil {
		t.Fatal(err)
	}
	h, err := NewHead(key, []byte(pass), []byte(recovery))
	if err != nil {
		t.Fatal(err)
	}
	return key, h, pass, recovery
}

func TestEachSecretOpensAHeadAndNoOther(t *testing.T) {
	for name, own := range map[string]string{"made": "", "a person's": "correct horse battery"} {
		t.Run(name, func(t *testing.T) {
			key, h, pass, recovery := made(t, own)
			other, err := NewPassphrase()
			if err != nil {
				t.Fatal(err)
			}
			for _, tt := range []struct {
				by, secret string
				opens      bool
			}{
				{ByPassphrase, pass, true}, {ByRecovery, recovery, true},
				{ByRecovery, strings.ToUpper(strings.ReplaceAll(recovery, "-", " ")), true},
				{ByPassphrase, other, false}, {ByPassphrase, "", false}, {ByPassphrase, recovery, false},
				{ByRecovery, pass, false}, {ByRecovery, recovery[:len(recovery)-1] + "9", false},
			} {
				got, err := h.Unwrap(tt.by, []byte(tt.secret))
				if opens := err == nil && bytes.Equal(got.whole(), key.whole()); opens != tt.opens {
					t.Errorf("%s with a secret of %d bytes opens: %v (%v), want %v", tt.by, len(tt.secret), opens, err, tt.opens)
				}
				if err != nil && !errors.Is(err, ErrSecret) {
					t.Errorf("the error is %v", err)
				}
			}
		})
	}
}

func TestOneWholeHeadIsEnough(t *testing.T) {
	_, h, pass, _ := made(t, "")
	raw, err := h.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	for at := range len(raw) { // any one byte
		bad := bytes.Clone(raw)
		bad[at] ^= 0x40
		got, err := ParseHead(bad)
		if err != nil || got == nil || got.Name != h.Name {
			t.Fatalf("byte %d: %v, %v", at, got, err)
		}
	}
	bad := bytes.Clone(raw)
	bad[200] ^= 1
	bad[copySize+200] ^= 1
	if _, err := ParseHead(bad); !errors.Is(err, ErrHead) {
		t.Errorf("two damaged heads are %v", err)
	}
	for _, n := range []int{0, 1, 100, copySize - 1, copySize, HeadSize - 1} {
		got, err := ParseHead(raw[:n])
		if n < copySize && got != nil || n >= copySize && (got == nil || err != nil) {
			t.Errorf("of %d bytes: %v, %v", n, got, err)
		}
	}
	path := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(path, bad, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadHead(path); !errors.Is(err, ErrHead) {
		t.Errorf("a file with two damaged heads is %v", err)
	}
	if got, err := ParseHead(append([]byte("SQLite format 3\x00"), make([]byte, HeadSize)...)); got != nil || err != nil {
		t.Errorf("a plain store is %v, %v", got, err)
	}
	_ = pass
}

func TestAChangedHeadOpensWithTheNewSecretAlone(t *testing.T) {
	key, h, pass, recovery := made(t, "")
	raw, err := h.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(path, append(raw, "pages"...), 0o600); err != nil {
		t.Fatal(err)
	}
	next, err := NewPassphrase()
	if err != nil {
		t.Fatal(err)
	}
	changed, err := h.With(key, ByPassphrase, []byte(next))
	if err != nil {
		t.Fatal(err)
	}
	if err := Rewrite(path, changed); err != nil {
		t.Fatal(err)
	}
	got, err := ReadHead(path)
	if err != nil {
		t.Fatal(err)
	}
	for secret, want := range map[string]bool{next: true, pass: false} {
		if _, err := got.Unwrap(ByPassphrase, []byte(secret)); (err == nil) != want {
			t.Errorf("opens: %v, want %v", err, want)
		}
	}
	if _, err := got.Unwrap(ByRecovery, []byte(recovery)); err != nil {
		t.Errorf("the recovery key no longer opens it: %v", err)
	}
	if text, err := os.ReadFile(path); err != nil || !bytes.HasSuffix(text, []byte("pages")) {
		t.Errorf("what is behind the head changed: %v", err)
	}
}

func TestAHeadOfOthersAsksForNoMoreThanWeBear(t *testing.T) {
	_, h, pass, _ := made(t, "correct horse battery")
	for _, n := range []int{0, -1, 3, 1 << 30} {
		h.Slots[0].N = n
		if _, err := h.Unwrap(ByPassphrase, []byte(pass)); err == nil {
			t.Errorf("scrypt with N %d is done", n)
		}
	}
	h.Slots[0].Nonce = nil
	h.Slots[0].N = scryptN
	if _, err := h.Unwrap(ByPassphrase, []byte(pass)); err == nil {
		t.Error("a slot without a nonce opens")
	}
}

func TestSealedThingsAreBoundToWhatTheyAre(t *testing.T) {
	key, _, _, _ := made(t, "")
	line := []byte(`{"id":"a","query":"zanzibar"}`)
	out, err := key.SealLine("a", line)
	if err != nil || bytes.Contains(out, []byte("zanzibar")) || !bytes.HasPrefix(out, []byte(`{"id":"a"`)) {
		t.Fatalf("%s, %v", out, err)
	}
	if _, err := UnsealLine(out); !errors.Is(err, ErrSealed) {
		t.Errorf("a key that is not held opens it: %v", err)
	}
	Hold(key)
	if got, err := UnsealLine(out); err != nil || !bytes.Equal(got, line) {
		t.Errorf("%s, %v", got, err)
	}
	if _, err := UnsealLine(bytes.Replace(out, []byte(`"id":"a"`), []byte(`"id":"b"`), 1)); !errors.Is(err, ErrSealed) {
		t.Errorf("it opens under another id: %v", err)
	}
	if got, err := UnsealLine(line); err != nil || !bytes.Equal(got, line) {
		t.Errorf("a plain line is %s, %v", got, err)
	}
	file, err := key.Seal(Spool, line)
	if err != nil || !IsSealed(file) || bytes.Contains(file, []byte("zanzibar")) {
		t.Fatalf("%q, %v", file, err)
	}
	if got, err := Unseal(Spool, file); err != nil || !bytes.Equal(got, line) {
		t.Errorf("%s, %v", got, err)
	}
	if _, err := Unseal("other", file); !errors.Is(err, ErrSealed) {
		t.Errorf("it opens as something else: %v", err)
	}
	if _, err := Unseal(Spool, file[:60]); !errors.Is(err, ErrSealed) {
		t.Errorf("half of it opens: %v", err)
	}
}

func TestAKeyPrintsItsNameAlone(t *testing.T) {
	key, _, _, _ := made(t, "")
	hex, raw := fmt.Sprintf("%x", key.whole()), string(key.whole())
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%x", "%d"} {
		if got := fmt.Sprintf(verb, key); strings.Contains(got, hex) || strings.Contains(got, raw) {
			t.Errorf("%s prints the key: %s", verb, got)
		}
	}
}

func FuzzParseHead(f *testing.F) {
	key, err := NewKey()
	if err != nil {
		f.Fatal(err)
	}
	h, err := NewHead(key, []byte("correct horse battery"), []byte("another horse"))
	if err != nil {
		f.Fatal(err)
	}
	raw, err := h.Bytes()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(raw)
	f.Add(raw[:copySize])
	f.Add([]byte(Magic))
	f.Fuzz(func(t *testing.T, b []byte) {
		if got, err := ParseHead(b); err != nil && got != nil {
			t.Error("a head and an error")
		}
	})
}
