package hosts

import "testing"

// What a tool of the web gives, and what a command downloads, came from outside; what the
// project's own files and programs give did not.
func TestFromOutside(t *testing.T) {
	for _, tt := range []struct {
		tool, asked string
		want        bool
	}{
		{"WebFetch", "", true},
		{"WebSearch", "", true},
		{"web_fetch", "", true},
		{"google_web_search", "", true},
		{"webfetch", "", true},
		{"mcp__playwright__click", "", true},
		{"Bash", "Bash: curl -s https://example.org/x", true},
		{"Bash", "Bash: ls webroot", false},
		{"Bash", "Bash: git clone https://example.org/x", false},
		{"Read", "Read: /src/fetch.go", false},
		{"Grep", "Grep: http://", false},
	} {
		if got := fromOutside(tt.tool, tt.asked); got != tt.want {
			t.Errorf("fromOutside(%q, %q) = %v, want %v", tt.tool, tt.asked, got, tt.want)
		}
	}
}
