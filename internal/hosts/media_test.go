package hosts

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/memory"
)

// picture is one of 34 kB.
var picture = base64.StdEncoding.EncodeToString(append([]byte("\x89PNG\r\n\x1a\n"), make([]byte, 33_992)...))

// A picture that a tool gave is named with its kind and size, in its place among the words, in each host's form.
func TestPicturesOfToolsAreNamed(t *testing.T) {
	const name = "[image/png, 34 kB]"
	for _, tt := range []struct{ host, event, gave, want string }{
		{ClaudeCode, "PostToolUse", `[{"type":"text","text":"before"},{"type":"image","source":{"type":"base64",` +
			`"media_type":"image/png","data":"PNG"}},{"type":"text","text":"after"}]`, "before\n" + name + "\nafter"},
		{ClaudeCode, "PostToolUse", `{"type":"image","file":{"base64":"PNG","type":"image/png","originalSize":34000}}`, name},
		{ClaudeCode, "PostToolUse", `{"stdout":"data:image/png;base64,PNG","stderr":"","isImage":true}`, name},
		{ClaudeCode, "PostToolUse", `{"content":[{"type":"image","data":"PNG","mimeType":"image/png"}]}`, name},
		{ClaudeCode, "PostToolUse", `"![a](data:image/png;base64,PNG) b"`, "![a](" + name + ") b"},
		{ClaudeCode, "PostToolUse", `[{"type":"resource","resource":{"uri":"file:///a.png","mimeType":"image/png",` +
			`"blob":"PNG"}}]`, name + " file:///a.png"},
		{Codex, "PostToolUse", `"[{\"type\":\"input_image\",\"image_url\":\"data:image/png;base64,PNG\"}]"`, name},
		{Codex, "PostToolUse", `{"content":[{"type":"text","text":"x"},{"type":"image","data":"PNG",` +
			`"mimeType":"image/png"}],"isError":false}`, "x\n" + name},
		{Gemini, "AfterTool", `{"llmContent":[{"text":"x"},{"inlineData":{"mimeType":"image/png","data":"PNG"}}]}`,
			"x\n" + name},
		{Gemini, "AfterTool", `{"llmContent":{"inlineData":{"mimeType":"image/png","data":"PNG"}}}`, name},
	} {
		text := `{"session_id":"s","tool_name":"Read","tool_input":{"a":"b"},"tool_use_id":"c","tool_response":` +
			strings.ReplaceAll(tt.gave, "PNG", picture) + `}`
		e, err := ReadEvent(tt.host, tt.event, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		seen := e.Observed("id")
		if len(seen) != 2 || seen[1].Text != tt.want {
			t.Errorf("%s, %s: %.300v, want %q", tt.host, tt.gave, seen, tt.want)
		}
	}
}

func TestPicturesInTranscriptsAreNamed(t *testing.T) {
	lines := []string{
		`{"type":"assistant","sessionId":"s","uuid":"u1","message":{"role":"assistant","content":[{"type":"tool_use",` +
			`"id":"t1","name":"Read","input":{"file_path":"a.png"}}]}}`,
		`{"type":"user","sessionId":"s","uuid":"u2","message":{"role":"user","content":[{"type":"tool_result",` +
			`"tool_use_id":"t1","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"` +
			picture + `"}}]}]}}`,
		`{"type":"user","sessionId":"s","uuid":"u3","message":{"role":"user","content":[{"type":"image","source":{` +
			`"type":"base64","media_type":"image/png","data":"` + picture + `"}},{"type":"text","text":"what is it?"}]}}`,
		`{"type":"assistant","sessionId":"s","uuid":"u4","message":{"role":"assistant","content":[{"type":"text",` +
			`"text":"it is data:image/png;base64,` + picture + `"}]}}`,
	}
	where := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(where, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	tr, err := ReadTranscript(where)
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, m := range tr.Messages {
		said = append(said, m.Body.(*memory.Raw).Text)
	}
	want := []string{
		`Read: {"file_path":"a.png"}`, "[image/png, 34 kB]", "what is it?", "it is [image/png, 34 kB]",
	}
	if strings.Join(said, "|") != strings.Join(want, "|") {
		t.Errorf("%.400q, want %q", said, want)
	}
}
