package secrets

import (
	"os"
	"strings"
	"testing"
)

const (
	realisticSecrets, realisticAtLeast = 118, 113
	harmlessTexts                      = 128
	secretOpens, secretCloses          = "⟦", "⟧"
)

// textsOf are the lines of a file of test data, as they are meant.
func textsOf(t *testing.T, name string) []string {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || strings.HasPrefix(line, "# ") {
			continue
		}
		out = append(out, strings.NewReplacer(`\n`, "\n", `\t`, "\t", "·", "").Replace(line))
	}
	return out
}

func TestRealisticSecretsAreRedacted(t *testing.T) {
	texts, redacted := textsOf(t, "realistic.txt"), 0
	if len(texts) != realisticSecrets {
		t.Fatalf("%d texts, want %d", len(texts), realisticSecrets)
	}
	for _, text := range texts {
		before, rest, _ := strings.Cut(text, secretOpens)
		secret, after, _ := strings.Cut(rest, secretCloses)
		got, found := Redact(before + secret + after)
		if strings.Contains(got, secret) || len(found) == 0 || partStays(got, before, secret, after) {
			t.Logf("stays: %q: %q", before+secretOpens+secret+secretCloses+after, got)
			continue
		}
		redacted++
		if !strings.HasPrefix(got, before[:max(0, len(before)-slack)]) ||
			!strings.HasSuffix(got, after[min(len(after), slack):]) {
			t.Errorf("bytes outside of the secret changed: %q: %q", before+secret+after, got)
		}
	}
	if redacted < realisticAtLeast {
		t.Errorf("%d of %d are redacted, want %d", redacted, realisticSecrets, realisticAtLeast)
	}
	t.Logf("%d of %d are redacted", redacted, realisticSecrets)
}

// partStays reports whether a half of a secret is still there.
func partStays(got, before, secret, after string) bool {
	for _, half := range []string{secret[:len(secret)/2], secret[len(secret)/2:]} {
		if len(half) > 3 && !strings.Contains(before+after, half) && strings.Contains(got, half) {
			return true
		}
	}
	return false
}

func TestHarmlessTextsStayAsTheyAre(t *testing.T) {
	texts := textsOf(t, "harmless.txt")
	if len(texts) != harmlessTexts {
		t.Errorf("%d texts, want %d", len(texts), harmlessTexts)
	}
	for _, text := range texts {
		if got, found := Redact(text); got != text || len(found) > 0 {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}
