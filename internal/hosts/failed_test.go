package hosts

import (
	"testing"
)

// Failed calls as the hosts tell of them, those of Cursor and VS Code by their published schemas, and calls that did
// what they were asked whatever stands in their words.
func TestFailedCalls(t *testing.T) {
	for _, row := range []struct {
		host, event, rest string
		failed            bool
	}{
		{ClaudeCode, "PostToolUseFailure", `"tool_name":"Bash","tool_input":{"command":"x"},"error":"Exit code 3"`, true},
		{ClaudeCode, "PostToolUse", `"tool_name":"Bash","tool_input":{"command":"cat log"},` +
			`"tool_response":{"stdout":"Exit Code: 3","stderr":"","interrupted":false}`, false},
		{ClaudeCode, "PostToolUse", `"tool_name":"mcp__x__y","tool_input":{},"tool_response":{"isError":true,` +
			`"content":[{"type":"text","text":"no"}]}`, true},
		{ClaudeCode, "PostToolUse", `"tool_name":"Read","tool_input":{"file_path":"a"},"tool_response":{"error":""}`, false},
		{Codex, "PostToolUse", `"tool_name":"mcp__x__y","tool_input":{},"tool_response":{"isError":true,"content":[]}`, true},
		{Codex, "PostToolUse", `"tool_name":"Bash","tool_input":{"command":"true"},"tool_response":"Exit Code: 3"`, false},
		{Copilot, "PostToolUse", `"tool_name":"Bash","tool_input":{"command":"x"},"tool_result":{"result_type":"failure",` +
			`"text_result_for_llm":"no"}`, true},
		{Copilot, "PostToolUse", `"tool_name":"Bash","tool_input":{"command":"x"},"tool_result":{"result_type":"success",` +
			`"text_result_for_llm":"fine\n<shellId: 4 completed with exit code 0>"}`, false},
		{Copilot, "PostToolUse", `"tool_name":"Read","tool_input":{"path":"log"},"tool_result":{"result_type":"success",` +
			`"text_result_for_llm":"<shellId: 0 completed with exit code 3>"}`, false},
		{Gemini, "AfterTool", `"tool_name":"run_shell_command","tool_input":{"command":"x"},"tool_response":{` +
			`"llmContent":"<untrusted_context>\nOutput: a\nExit Code: 137\nProcess Group PGID: 1\n</untrusted_context>"}`, true},
		{Gemini, "AfterTool", `"tool_name":"run_shell_command","tool_input":{"command":"cat log"},"tool_response":{` +
			`"llmContent":"Output: Exit Code: 1\na\nb\nc\nd\ne\nExit Code: 0\nProcess Group PGID: 1"}`, false},
		{Gemini, "AfterTool", `"tool_name":"run_shell_command","tool_input":{"command":"cat log"},"tool_response":{` +
			`"llmContent":"Output: Exit Code: 1\nExit Code: 1\na\nb\nc\nd\ne\nf"}`, false},
		{Gemini, "AfterTool", `"tool_name":"replace","tool_input":{"file_path":"a"},"tool_response":{"llmContent":"no",` +
			`"error":{"message":"no","type":"edit_no_occurrence_found"}}`, true},
		{Qwen, "PostToolUse", `"tool_name":"run_shell_command","tool_input":{"command":"x"},"tool_response":{"llmContent":` +
			`"Command: x\nOutput: a\nError: (none)\nExit Code: 2\nSignal: 0\nProcess Group PGID: 7"}`, true},
		{Cursor, "postToolUseFailure", `"tool_name":"Shell","tool_input":{"command":"x"},"error_message":"timed out",` +
			`"failure_type":"timeout"`, true},
		{Cursor, "postToolUse", `"tool_name":"Shell","tool_input":{"command":"x"},"tool_output":` +
			`"{\"exitCode\":2,\"output\":\"a\"}"`, true},
		{Cursor, "postToolUse", `"tool_name":"Shell","tool_input":{"command":"x"},"tool_output":` +
			`"{\"exitCode\":0,\"output\":\"Command exited with code 2\"}"`, false},
		{VSCode, "PostToolUse", `"tool_name":"run_in_terminal","tool_input":{"command":"x"},"tool_response":` +
			`"a\nCommand exited with code 2"`, true},
		{VSCode, "PostToolUse", `"tool_name":"read_file","tool_input":{"filePath":"x"},"tool_response":"no errors"`, false},
		{OpenCode, "tool.execute.after", `"tool":"bash","args":{"command":"x"},"output":"a","metadata":{"exit":2}`, true},
		{OpenCode, "tool.execute.after", `"tool":"bash","args":{"command":"x"},"output":"a","metadata":{"exit":0}`, false},
		{OpenCode, "tool.execute.after", `"tool":"edit","args":{"filePath":"x"},"error":"no such file"`, true},
		{OpenCode, "tool.execute.after", `"tool":"read","args":{"filePath":"x"},"output":"error: 3","metadata":{}`, false},
	} {
		e, err := ReadEvent(row.host, row.event, []byte(`{"session_id":"s",`+row.rest+`}`))
		if err != nil {
			t.Fatal(err)
		}
		failed, words := false, ""
		for _, o := range e.Observed("1") {
			failed = failed || o.Event == "error"
			words += o.Text
		}
		if failed != row.failed {
			t.Errorf("%s %s %s: failed %v, want %v", row.host, row.event, row.rest, failed, row.failed)
		}
	}
}

// Why a call failed is kept under whatever name a host has for it.
func TestWhyACallFailedIsKept(t *testing.T) {
	e, err := ReadEvent(Cursor, "postToolUseFailure",
		[]byte(`{"conversation_id":"s","tool_name":"Shell","tool_input":{"command":"x"},"error_message":"timed out"}`))
	if err != nil {
		t.Fatal(err)
	}
	if kept := e.Observed("1"); len(kept) != 2 || kept[1].Text != "timed out" {
		t.Errorf("kept %+v", kept)
	}
}
