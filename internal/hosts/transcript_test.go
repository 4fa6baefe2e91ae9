package hosts

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// said is a line of a conversation.
func said(n int) string {
	return fmt.Sprintf(`{"type":"user","uuid":"u%d","sessionId":"s","message":{"role":"user","content":"words %d"}}`, n, n)
}

// A line that cannot be read costs that line: it is named, and the others are taken. Where most are such the file
// is refused.
func TestABrokenLineCostsOneLine(t *testing.T) {
	const torn = `{"type":"user","uu`
	for _, tt := range []struct {
		name   string
		lines  []string
		taken  int
		broken []int
		torn   bool
		wrong  string
	}{
		{"the first", []string{"not json", said(1), said(2)}, 2, []int{1}, false, ""},
		{"in the middle", []string{said(1), torn, "", said(2), "\x00\x00\x00", said(3), ""}, 3, []int{2, 5}, false, ""},
		{"the last, whole", []string{said(1), torn, ""}, 1, []int{2}, false, ""},
		{"the last, being written", []string{said(1), torn}, 1, nil, true, ""},
		{"both", []string{said(1), torn, said(2), torn}, 2, []int{2}, true, ""},
		{"two in one line", []string{said(1), said(2) + said(3), said(4)}, 2, []int{2}, false, ""},
		{"longer than any", []string{said(1), `"` + strings.Repeat("x", longestLine), said(2)}, 2, []int{2}, false, ""},
		{"half of them", []string{torn, said(1), ""}, 1, []int{1}, false, ""},
		{
			"most", []string{said(1), torn, torn, ""}, 0, nil, false,
			"line 2: it is not a JSON object; so are 2 of its 3 lines",
		},
		{"all", []string{torn, ""}, 0, nil, false, "line 1: "},
		{"of no kind that is known", []string{"[1]", `"words"`, "7", said(1)}, 1, nil, false, ""},
		{"empty", []string{""}, 0, nil, false, ""},
		{"Codex without a beginning", []string{`{"type":"session_me`,
			`{"type":"response_item","payload":{"type":"message","role":"user","content":"hello"}}`, ""}, 0, nil, false,
			"so are 2 of its 2 lines"},
	} {
		path := filepath.Join(t.TempDir(), "a.jsonl")
		if err := os.WriteFile(path, []byte(strings.Join(tt.lines, "\n")), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := ReadTranscript(path)
		if tt.wrong != "" {
			if err == nil || !strings.Contains(err.Error(), tt.wrong) {
				t.Errorf("%s: %v, want %q", tt.name, err, tt.wrong)
			}
			continue
		}
		if err != nil || len(got.Messages) != tt.taken || !slices.Equal(got.Broken, tt.broken) || got.Torn != tt.torn {
			t.Errorf("%s: %v; %d taken, broken %v, torn %v", tt.name, err, len(got.Messages), got.Broken, got.Torn)
		}
	}
}
