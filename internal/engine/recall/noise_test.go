package recall

import (
	"testing"

	"github.com/stemma-memory/stemma/memory"
)

func TestWhatSaysNothingIsNoise(t *testing.T) {
	for _, tt := range []struct {
		event, text string
		want        bool
	}{
		{"tool_output", "[]", true}, {"tool_output", `{"stdout":"","stderr":""}`, true},
		{"tool_output", "No matches found.", true}, {"tool_output", `{"filenames":[],"numFiles":0}`, true},
		{"tool_output", `{"stdout":"x"}`, false}, {"tool_output", "no matches found in 3 files", false},
		{"tool_output", "[1]", false}, {"tool_output", "{not json", false}, {"error", "[]", false},
		{"user_prompt", "no output", false}, {"tool_call", `ToolSearch: {"query":"x"}`, true},
		{"tool_call", "Bash: ls", false},
	} {
		r := &memory.Record{Body: &memory.Raw{Text: tt.text, Event: tt.event}}
		if got := saysNothing(r); got != tt.want {
			t.Errorf("%s %q: %v, want %v", tt.event, tt.text, got, tt.want)
		}
	}
}
