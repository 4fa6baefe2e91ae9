package keys

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"strings"
	"testing"
)

// source returns the same bytes for the same number: tests have no other randomness.
func source(n byte) io.Reader { return rand.NewChaCha8([32]byte{n}) }

// racers are how many do the same thing at once where that is tested.
const racers = 8

func newKey(t testing.TB, n byte) *Key {
	t.Helper()
	key, err := Generate(source(n))
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func signature(t testing.TB, key *Key, payloadType string, payload []byte) []byte {
	t.Helper()
	sig, err := key.Sign(payloadType, payload)
	if err != nil {
		t.Fatal(err)
	}
	return sig
}

func TestGenerateReadsTheSeedAndNoMore(t *testing.T) {
	in := bytes.NewReader(bytes.Repeat([]byte{7}, 40))
	key, err := Generate(in)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := in.Len(), 8; got != want {
		t.Errorf("%d bytes left, want %d", got, want)
	}
	same, err := FromSeed(bytes.Repeat([]byte{7}, 32))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := key.DID(), same.DID(); got != want {
		t.Errorf("DID = %s, want %s", got, want)
	}
}

func TestGenerateFailsWithoutRandomness(t *testing.T) {
	if _, err := Generate(bytes.NewReader(make([]byte, 31))); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("of 31 bytes: %v, want %v", err, io.ErrUnexpectedEOF)
	}
	for _, n := range []int{0, 31, 33, 64} {
		if _, err := FromSeed(make([]byte, n)); err == nil {
			t.Errorf("FromSeed took %d bytes", n)
		}
	}
}

func TestKeyKeepsNoPartOfTheSeedItWasGiven(t *testing.T) {
	seed := bytes.Repeat([]byte{7}, 32)
	key, err := FromSeed(seed)
	if err != nil {
		t.Fatal(err)
	}
	before := signature(t, key, "t", nil)
	clear(seed)
	if after := signature(t, key, "t", nil); !bytes.Equal(after, before) {
		t.Error("the signature changed with the caller's seed")
	}
}

// spellings are the ways in which the private half would show, whole or in part.
func spellings(key *Key) map[string]string {
	private := key.private()
	found := make(map[string]string)
	for name, b := range map[string][]byte{"start": private[:12], "middle": private[12:24], "end": private[20:32]} {
		found[name+" hex"] = hex.EncodeToString(b)
		found[name+" hex spaced"] = fmt.Sprintf("% x", b)
		found[name+" go"] = strings.Trim(strings.TrimPrefix(fmt.Sprintf("%#v", b), "[]byte"), "{}")
		found[name+" bytes"] = string(b)
		for _, verb := range []string{"%d", "%o", "%b", "%U", "%c"} {
			found[name+" "+verb] = strings.Trim(fmt.Sprintf(verb, b), "[]")
		}
		// 12 bytes at a multiple of 3 are 16 digits whatever stands around them.
		if name != "end" {
			found[name+" base64"] = base64.StdEncoding.EncodeToString(b)
			found[name+" base64 of a URL"] = base64.URLEncoding.EncodeToString(b)
		}
	}
	return found
}

func TestKeyNeverShowsItsPrivateHalf(t *testing.T) {
	key := newKey(t, 1)
	ring := Ring{Owner: key, Agent: newKey(t, 2)}
	type hidden struct {
		value   Key // fmt calls no methods on what it finds in here
		pointer *Key
		ring    *Ring
		list    []Key
		byName  map[string]Key
		any     any
	}
	values := map[string]any{
		"key": key, "value": *key, "ring": ring, "pointer to ring": &ring, "list": []any{key, *key},
		"map":    map[int]*Key{1: key},
		"hidden": hidden{*key, key, &ring, []Key{*key}, map[string]Key{"k": *key}, *key},
		"error":  fmt.Errorf("it was %v and %+v", key, *key),
	}
	var shown strings.Builder
	for name, value := range values {
		for _, verb := range strings.Fields("%v %+v %#v %s %q %x %X %d %o %b %c %U %t %e %+x %#x %10v %p %T") {
			fmt.Fprintf(&shown, name+" "+verb+": "+verb+"\n", value)
		}
		b, err := json.Marshal(value)
		fmt.Fprintf(&shown, "%s json: %s %v\n", name, b, err)
		slog.New(slog.NewTextHandler(&shown, nil)).Info(name, "value", value)
		slog.New(slog.NewJSONHandler(&shown, nil)).Info(name, "value", value)
	}
	for what, text := range spellings(key) {
		if strings.Contains(shown.String(), text) {
			t.Errorf("the private half is shown: %s", what)
		}
	}
}

// The test above can only fail if spellings are what printing bytes gives.
func TestSpellingsAreWhatWouldShow(t *testing.T) {
	key := newKey(t, 1)
	private := key.private()
	seed := private.Seed()
	shown := fmt.Sprintf("%v %x % x %#v %s %o %b %U %c %s %s", seed, seed, seed, seed, seed, seed, seed, seed, seed,
		base64.StdEncoding.EncodeToString(private), base64.URLEncoding.EncodeToString(seed))
	for what, text := range spellings(key) {
		if !strings.Contains(shown, text) {
			t.Errorf("%s %q would not be found", what, text)
		}
	}
}

func TestKeyIsShownAsItsDID(t *testing.T) {
	key := newKey(t, 1)
	text, err := json.Marshal(map[string]any{"pointer": key, "value": *key})
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf(`{"pointer":%q,"value":%q}`, key.DID(), key.DID())
	if got := string(text); got != want {
		t.Errorf("json = %s, want %s", got, want)
	}
	if got, want := fmt.Sprintf(
		"%v %+v %#v %d %x", key, *key, key, *key, key,
	), strings.Repeat(" "+key.DID(), 5)[1:]; got != want {
		t.Errorf("printed = %s, want %s", got, want)
	}
	if got, want := key.String(), key.DID(); got != want {
		t.Errorf("String = %s, want %s", got, want)
	}
}

func BenchmarkSign(b *testing.B) {
	key, payload := newKey(b, 1), make([]byte, 1024)
	for b.Loop() {
		signature(b, key, "application/vnd.stemma.raw.v1+json", payload)
	}
}

func BenchmarkVerify(b *testing.B) {
	key, payload := newKey(b, 1), make([]byte, 1024)
	sig := signature(b, key, "application/vnd.stemma.raw.v1+json", payload)
	for b.Loop() {
		if err := Verify(key.DID(), "application/vnd.stemma.raw.v1+json", payload, sig); err != nil {
			b.Fatal(err)
		}
	}
}
