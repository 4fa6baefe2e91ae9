package hosts

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Edits as the hosts tell of them, and calls that edit nothing. Where a host does not say what stood in a file, it is
// asked for.
func TestEdited(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.go")
	if err := os.WriteFile(path, []byte("one\nnew\ntwo\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const all = "^| one|+new| two|$"
	for _, row := range []struct{ host, event, rest, want string }{
		{ClaudeCode, "PostToolUse", `"tool_name":"Edit","tool_input":{"file_path":"P","old_string":"one\n",` +
			`"new_string":"one\nnew\n"},"tool_response":{}`, all},
		{ClaudeCode, "PostToolUse", `"tool_name":"MultiEdit","tool_input":{"file_path":"P","edits":[{` +
			`"old_string":"one\n","new_string":"one\nnew\n"}]},"tool_response":{}`, all},
		{ClaudeCode, "PostToolUse", `"tool_name":"Write","tool_input":{"file_path":"P","content":"one\nnew\ntwo\n"},` +
			`"tool_response":{"type":"update","structuredPatch":[{"newStart":1,"lines":[" one","+new"," two"]}]}`,
			"^| one|+new| two"},
		{ClaudeCode, "PostToolUse", `"tool_name":"Write","tool_input":{"file_path":"P","content":"one\nnew\ntwo\n"},` +
			`"tool_response":{"type":"update","originalFile":"one\ntwo\n"}`, all},
		{Codex, "PostToolUse", `"tool_name":"apply_patch","tool_input":{"command":"*** Begin Patch\n` +
			`*** Update File: a.go\n@@\n one\n+new\n two\n*** End Patch"},"tool_response":"ok"`, " one|+new| two"},
		{Gemini, "AfterTool", `"tool_name":"write_file","tool_input":{"file_path":"P","content":"one\nnew\ntwo\n"},` +
			`"tool_response":{"llmContent":"ok","returnDisplay":{"fileDiff":"--- a\n+++ b\n@@ -1,2 +1,3 @@\n one\n+new\n` +
			` two\n"}}`,
			" one|+new| two"},
		{OpenCode, "tool.execute.after", `"tool":"edit","args":{"filePath":"P","oldString":"one\n",` +
			`"newString":"one\nnew\n"},"output":""`, all},
		{Copilot, "PostToolUse", `"tool_name":"Edit","tool_input":{"path":"P","old_str":"one\n",` +
			`"new_str":"one\nnew\n"}`, all},
		{Cursor, "postToolUse", `"tool_name":"Write","tool_input":{"file_path":"P","content":"one\nnew\ntwo\n"}`, all},
		{VSCode, "PostToolUse", `"tool_name":"multi_replace_string_in_file","tool_input":{"replacements":[{"filePath":"P",` +
			`"oldString":"one\n","newString":"one\nnew\n"}]}`, all},
		{ClaudeCode, "PostToolUse", `"tool_name":"Read","tool_input":{"file_path":"P"},` +
			`"tool_response":{"content":"one"}`, ""},
		{ClaudeCode, "PostToolUse", `"tool_name":"Grep","tool_input":{"path":"P","content":"one"}`, ""},
		{ClaudeCode, "PostToolUse", `"tool_name":"Write","tool_input":{"file_path":"P.pem","content":"one"}`, ""},
		{ClaudeCode, "PostToolUseFailure", `"tool_name":"Edit","tool_input":{"file_path":"P","old_string":"one\n",` +
			`"new_string":"one\nnew\n"},"error":"no"`, ""},
		{ClaudeCode, "UserPromptSubmit", `"prompt":"x","tool_input":{"file_path":"P","old_string":"a","new_string":"b"}`, ""},
	} {
		e, err := ReadEvent(row.host, row.event, []byte(`{"session_id":"s","cwd":"`+dir+`",`+
			strings.ReplaceAll(row.rest, `"P`, `"`+path)+`}`))
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, one := range e.Edited(func(string) string { return "one\ntwo\n" }) {
			for _, c := range one.Changes {
				got += strings.Join(c, "|")
			}
			if one.Path != path {
				t.Errorf("%s: the file is %s", row.host, one.Path)
			}
		}
		if got != row.want {
			t.Errorf("%s %s: %q, want %q", row.host, row.rest, got, row.want)
		}
	}
}
