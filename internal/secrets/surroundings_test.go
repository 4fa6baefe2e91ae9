package secrets

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// What of testdata/surroundings.txt must be found, and how much of it there is.
const (
	surroundedSecrets, surroundedAtLeast = 203, 201
	surroundedHarmless                   = 239
)

var writtenSign = regexp.MustCompile(`\\(u[0-9a-f]{4}|[ent\\])|·`)

// signs puts the signs in the place of what a line of test data writes for them.
func signs(s string) string {
	return writtenSign.ReplaceAllStringFunc(s, func(m string) string {
		if m == "·" {
			return ""
		}
		if n := strings.IndexByte(`ent\`, m[1]); n >= 0 {
			return "\x1b\n\t\\"[n : n+1]
		}
		n, _ := strconv.ParseInt(m[2:], 16, 32)
		return string(rune(n))
	})
}

func linesOf(t *testing.T, name string, want int) []string {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSuffix(line, "\n"); line != "" && !strings.HasPrefix(line, "# ") {
			out = append(out, line)
		}
	}
	if len(out) != want {
		t.Errorf("%s: %d texts, want %d", name, len(out), want)
	}
	return out
}

func TestSecretsInTheirSurroundings(t *testing.T) {
	gone := 0
	for _, line := range linesOf(t, "surroundings.txt", surroundedSecrets) {
		before, rest, _ := strings.Cut(line, secretOpens)
		secret, after, _ := strings.Cut(rest, secretCloses)
		before, secret, after = signs(before), signs(secret), signs(after)
		text := before + secret + after
		got, _ := Redact(Private(text))
		if strings.Contains(got, secret) || partStays(got, before, secret, after) {
			t.Logf("stays: %q: %q", before+secretOpens+secret+secretCloses+after, got)
			continue
		}
		gone++
		if again, found := Redact(Private(got)); again != got || len(found) > 0 {
			t.Errorf("%q is taken apart again: %q", got, again)
		}
		if Private(text) == text && strings.Count(got, markOpen) == 1 &&
			(!strings.HasPrefix(got, before[:max(0, len(before)-slack)]) ||
				!strings.HasSuffix(got, after[min(len(after), slack):])) {
			t.Errorf("bytes outside of the secret changed: %q: %q", text, got)
		}
	}
	if gone < surroundedAtLeast {
		t.Errorf("%d of %d are taken out, want %d", gone, surroundedSecrets, surroundedAtLeast)
	}
	t.Logf("%d of %d are taken out", gone, surroundedSecrets)
}

func TestHarmlessTextsInTheirSurroundings(t *testing.T) {
	for _, line := range linesOf(t, "surroundings-harmless.txt", surroundedHarmless) {
		text := signs(line)
		if got, found := Redact(Private(text)); got != text || len(found) > 0 {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}

// The colours of a terminal stay as they are, and what is left is the text without the secret.
func TestWhatIsLeftOfColouredText(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"\x1b[32mDB_PASSWORD\x1b[0m=\x1b[1mcobalt-Fig5\x1b[0m\nPORT=80",
			"\x1b[32mDB_PASSWORD\x1b[0m=\x1b[1m[REDACTED:password-assignment]\x1b[0m\nPORT=80"},
		{"API_KEY：\u200bplum\u200btree-9 x", "API_KEY：\u200b[REDACTED:named-secret] x"},
		{"db.example:5432:shop:ada:Otter451\nx", "db.example:5432:shop:ada:[REDACTED:pgpass-password]\nx"},
		{"db:\n  password: >-\n    violet-Tram6\n  port: 1",
			"db:\n  password: >-\n    [REDACTED:password-assignment]\n  port: 1"},
	} {
		if got, _ := Redact(tt.text); got != tt.want {
			t.Errorf("Redact(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
}
