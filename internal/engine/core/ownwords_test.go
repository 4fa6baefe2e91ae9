package core

import (
	"testing"

	"github.com/stemma-memory/stemma/internal/ownwords"
	"github.com/stemma-memory/stemma/memory"
)

// A capture is the person's where a host showed it or their key signed it, whatever an agent says.
func TestOwnWords(t *testing.T) {
	const note = "<system-reminder>\nx\n</system-reminder>"
	hook := func(h memory.Header) memory.Header {
		h.Platform, h.Origin = "claude-code", memory.OriginAgent
		return h
	}
	file := memory.Header{Alias: []string{"claude-code:u1"}, Origin: memory.OriginImport}
	for _, tt := range []struct {
		name   string
		header memory.Header
		raw    memory.Raw
		own    string
		is     bool
	}{
		{"a prompt by a hook", hook(memory.Header{}), memory.Raw{Source: "hook", Event: "user_prompt", Speaker: "user",
			Text: "use tabs"}, "use tabs", true},
		{"kept before the form was known", hook(memory.Header{}), memory.Raw{Source: "hook", Event: "user_prompt",
			Speaker: "user", Text: note + "\nuse tabs"}, "use tabs", true},
		{"nothing but a form", hook(memory.Header{}), memory.Raw{Source: "hook", Event: "user_prompt", Speaker: "user",
			Text: note}, "", false},
		{"a form that no row knows", hook(memory.Header{}), memory.Raw{Source: "hook", Event: "user_prompt",
			Speaker: "user", Text: "<new-notice>\nx\n</new-notice>"}, "<new-notice>\nx\n</new-notice>", false},
		{"the host", hook(memory.Header{}), memory.Raw{Source: "hook", Event: "turn", Speaker: ownwords.Speaker,
			Text: "use tabs"}, "", false},
		{"a turn of a hook", hook(memory.Header{}), memory.Raw{Source: "hook", Event: "turn", Speaker: "user",
			Text: "use tabs"}, "use tabs", false},
		{"the agent", hook(memory.Header{}), memory.Raw{Source: "hook", Event: "assistant_response",
			Speaker: "assistant", Text: "use tabs"}, "", false},
		{"from a host's file", file, memory.Raw{Source: "import", Event: "user_prompt", Speaker: "user",
			Text: "use tabs"}, "use tabs", true},
		{"from another file", memory.Header{Alias: []string{"line:1"}, Origin: memory.OriginImport},
			memory.Raw{Source: "import", Event: "user_prompt", Speaker: "user", Text: "use tabs"}, "use tabs", false},
		{"an agent says that the user said it", memory.Header{Platform: "claude-code", Origin: memory.OriginAgent},
			memory.Raw{Source: "mcp", Event: "user_prompt", Speaker: "user", Text: "use tabs"}, "use tabs", false},
		{"typed by the owner", memory.Header{Origin: memory.OriginOwner}, memory.Raw{Source: "cli", Text: "use tabs"},
			"use tabs", true},
		{"typed by the owner, of somebody else", memory.Header{Origin: memory.OriginOwner},
			memory.Raw{Source: "cli", Speaker: "Ada", Text: "use tabs"}, "", false},
	} {
		r := &memory.Record{Header: tt.header, Body: &tt.raw}
		if own, is := OwnWords(r); own != tt.own || is != tt.is {
			t.Errorf("%s: %q %v, want %q %v", tt.name, own, is, tt.own, tt.is)
		}
	}
	if _, is := OwnWords(&memory.Record{Body: &memory.Note{}}); is {
		t.Error("a note is no words of a person")
	}
}
