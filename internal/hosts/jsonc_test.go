package hosts

import (
	"strings"
	"testing"
)

// A file of somebody else's cannot make us follow it without end.
func TestDeepJSON(t *testing.T) {
	deep := strings.Repeat("[", 1<<20)
	for what, text := range map[string]string{
		"lists":                          deep,
		"objects":                        strings.Repeat(`{"a":`, 1<<20),
		"after a comment with a quote":   "// it's \" here\n" + deep,
		"after a block with a quote":     "/* \" */" + deep,
		"after a name with a comment":    `{"//": 1, "b": ` + deep,
		"after an escaped quote":         `["\"", ` + deep,
		"after a comment without an end": "[" + deep + "/*",
	} {
		if _, err := parseJSONC(text); err == nil || !strings.HasSuffix(err.Error(), "it is too deep") {
			t.Errorf("%s: %v", what, err)
		}
	}
	for what, text := range map[string]string{
		"in a string":             `{"a": "` + deep + `"}`,
		"in a comment":            "{} // " + deep,
		"in a block":              "/* " + deep + " */ {}",
		"as deep as it may":       strings.Repeat("[", deepestJSON) + strings.Repeat("]", deepestJSON),
		"one after the other":     "[" + strings.Repeat("[],", 1000) + "]",
		"an empty list, no value": "",
	} {
		if _, err := parseJSONC(text); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func TestWhatIsNoJSONIsNotRepeated(t *testing.T) {
	_, err := parseJSONC(`{"a": "` + strings.Repeat("x\n", 1000))
	if err == nil || len(err.Error()) > mostSaid || strings.Contains(err.Error(), "\n") {
		t.Errorf("%v", err)
	}
}

func TestDiff(t *testing.T) {
	const want = "--- f\n+++ f\n@@ -1,4 +1,4 @@\n a\n b\n-c\n+C\n d\n"
	for what, tt := range map[string]struct{ before, after, want string }{
		"nothing":   {"a\n", "a\n", ""},
		"a line":    {"a\nb\nc\nd\n", "a\nb\nC\nd\n", want},
		"CRLF":      {"a\r\nb\r\nc\r\nd\r\n", "a\r\nb\r\nC\r\nd\r\n", want},
		"a new one": {"", "a\n", "--- f\n+++ f\n@@ -0,0 +1 @@\n+a\n"},
		"no end": {"a", "b", "--- f\n+++ f\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end " +
			"of file\n"},
	} {
		if got := Diff("f", tt.before, tt.after); got != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", what, got, tt.want)
		}
	}
}
