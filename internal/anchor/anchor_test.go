package anchor

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/memory"
)

// What nothing here can check is taken, and says so.
func TestOtherTypes(t *testing.T) {
	of := refOf("a memory")
	for _, typ := range []string{"tlog", "blockchain"} {
		a, err := Make(t.Context(), typ, "entry 7", of, Options{})
		if err != nil {
			t.Errorf("%s: %v", typ, err)
			continue
		}
		f := Check(t.Context(), a, Options{Online: true, Now: atNoon})
		if f.Status != Unverifiable || f.Bound || f.Class != typ+":entry 7" {
			t.Errorf("%s: %+v, want unverifiable", typ, f)
		}
	}
	for _, bad := range []*memory.Anchor{nil, {}, {Of: of, Type: "rumour", Reference: "x"}, {Of: of, Type: typeURL},
		{Type: typeURL, Reference: "https://example.com/"}, {Of: of, Type: typeTime, Reference: "x", Proof: "!"}} {
		if f := Check(t.Context(), bad, Options{Now: atNoon}); f.Status != Unverifiable || f.Why == "" {
			t.Errorf("Check(%+v) = %+v, want unverifiable and why", bad, f)
		}
	}
	if _, err := Make(t.Context(), "rumour", "x", of, Options{}); !errors.Is(err, ErrInvalid) {
		t.Errorf("an unknown type: %v, want %v", err, ErrInvalid)
	}
}

// A check's words are one short line, whatever a stranger wrote into the anchor.
func TestWhyIsPlain(t *testing.T) {
	for _, hostile := range []string{"\x1b[2J", "a\nb\rc", "\u202e\u200b", strings.Repeat("é", maxPlain)} {
		for _, typ := range memory.AnchorTypes {
			f := Check(
				t.Context(), &memory.Anchor{Of: refOf("a memory"), Type: typ, Reference: hostile},
				Options{Dir: t.TempDir()},
			)
			if strings.ContainsAny(f.Why, "\x1b\n\r\u202e\u200b") || len(f.Why) > maxPlain || f.Status != Unverifiable &&
				f.Status != Gone {
				t.Errorf("%s %q: %s (%q)", typ, hostile, f.Status, f.Why)
			}
		}
	}
}

func TestPlain(t *testing.T) {
	tests := []struct{ in, want string }{
		{"héllo 世界", "héllo 世界"}, {"a\x1b[2Jb", "a?[2Jb"}, {"a\nb\x00", "a?b?"}, {"\u202ea\u200b", "?a?"}, {"a\xffb", "a?b"},
		{strings.Repeat("é", maxPlain), strings.Repeat("é", maxPlain/2)},
	}
	for _, tt := range tests {
		if got := plain(tt.in); got != tt.want {
			t.Errorf("plain(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestClassAndReference(t *testing.T) {
	tests := []struct{ typ, reference, final, class, canonical string }{
		{typeURL, "https://www.Example.com:443/a", "", "host:example.com", "https://www.example.com/a"},
		{typeURL, "HTTPS://EXAMPLE.com.", "", "host:example.com", "https://example.com/"},
		{
			typeURL, "https://example.com/a/./b/../c%7e%2f?q=%7eA#x", "", "host:example.com",
			"https://example.com/a/c~%2F?q=~A",
		},
		{typeURL, "https://example.com/a/%2e%2e/b?", "", "host:example.com", "https://example.com/b"},
		{typeURL, "https://example.com//evil.example/x", "", "host:example.com", "https://example.com//evil.example/x"},
		{typeURL, "https://sho.rt/1", "https://www.example.com/x", "host:example.com", "https://sho.rt/1"},
		{typePost, "https://xn--exmple-cua.org/p/1", "", "host:xn--exmple-cua.org", "https://xn--exmple-cua.org/p/1"},
		{typeURL, "https://[2606:4700:0::1111]/", "", "host:2606:4700:0::1111", "https://[2606:4700:0::1111]/"},
		{typeURL, "not a url", "", "url:not a url", "not a url"},
		{typeGit, strings.Repeat("AB", 20), "", "git", strings.Repeat("ab", 20)},
		{typeFile, "a//b/./c", "", "files", "a/b/c"},
		{typeTime, "Clock", "", "rfc3161:Clock", "Clock"},
		{"tlog", "x", "", "tlog:x", "x"},
	}
	for _, tt := range tests {
		a := &memory.Anchor{Of: refOf("a memory"), Type: tt.typ, Reference: tt.reference, Final: tt.final}
		if got := Class(a); got != tt.class {
			t.Errorf("Class(%s %q) = %q, want %q", tt.typ, tt.reference, got, tt.class)
		}
		if got := CanonicalReference(a); got != tt.canonical {
			t.Errorf("CanonicalReference(%s %q) = %q, want %q", tt.typ, tt.reference, got, tt.canonical)
		}
	}
}

func TestDue(t *testing.T) {
	tests := []struct {
		checks int
		last   time.Duration // after it was made
		want   time.Duration
	}{
		{-1, 0, day}, {0, 0, day}, {1, day, 7 * day}, {2, 7 * day, 30 * day}, {3, 30 * day, 60 * day},
		{4, 61 * day, 91 * day},
		{1, 20 * day, 21 * day}, {2, 40 * day, 41 * day},
	}
	for _, tt := range tests {
		if got := Due(noon, noon.Add(tt.last), tt.checks).Sub(noon); got != tt.want {
			t.Errorf("after %d checks, the last after %s: %s, want %s", tt.checks, tt.last, got, tt.want)
		}
	}
}

func TestAged(t *testing.T) {
	tests := []struct {
		typ  string
		s    Status
		age  time.Duration
		want Status
	}{
		{typeURL, Verified, TTL, Verified}, {typeURL, Verified, TTL + 1, Stale}, {typePost, Verified, TTL + 1, Stale},
		{typeFile, Verified, TTL + 1, Stale}, {typeGit, Verified, 10 * TTL, Verified}, {
			typeTime, Verified, 10 * TTL, Verified,
		},
		{"tlog", Verified, 10 * TTL, Verified}, {typeURL, Changed, 10 * TTL, Changed}, {
			typeURL, Unreachable, 10 * TTL, Unreachable,
		},
	}
	for _, tt := range tests {
		if got := Aged(tt.typ, tt.s, noon, noon.Add(tt.age)); got != tt.want {
			t.Errorf("Aged(%s, %s, %s) = %s, want %s", tt.typ, tt.s, tt.age, got, tt.want)
		}
	}
}
