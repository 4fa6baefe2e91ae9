package outside

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// A work is what a host's own tool does.
type work int

const (
	unnamed work = iota // it is in no table
	acts                // its words are the agent's, the host's, the person's or the machine's
	fetches             // it returns what lies on another machine
	shells              // it runs a command
	reads               // it returns the words of files
	finds               // it searches in files
	writes              // it writes files
	edits               // it changes files
	waits               // it returns more of what a command that goes on prints
)

// hostTools are the tools that hosts have by themselves, by their names in small letters. A name that two hosts use
// differently has the host in front.
var hostTools = map[work]string{
	// Claude Code, Codex, Gemini CLI, Qwen Code, OpenCode, Cursor, Copilot CLI and VS Code, by turns
	fetches: `webfetch websearch web_fetch web_search google_web_search websearch_cited codesearch fetch_webpage
		fetchwebpage fetch github_repo githubrepo open_simple_browser opensimplebrowser read_web_page search_web
		browser_action browser x_search image_search`,
	shells: `bash shell powershell run_shell_command runshellcommand exec_command execcommand local_shell container.exec
		run_in_terminal runinterminal run_terminal_cmd terminal runcommand run_command monitor js_repl unified_exec
		shell_command execute`,
	reads: `read read_file readfile view read_many_files readmanyfiles notebookread view_image view_file readnotebook
		copilot_getnotebooksummary read_project_structure open_file viewimage readfiles lsp read_lints`,
	finds: `grep search_file_content searchfilecontent grep_search grepsearch grep_files findtextinfiles
		find_text_in_files semantic_search semanticsearch codebase codebase_search search ripgrep rg usages list_code_usages`,
	writes: `write write_file writefile create create_file createfile write_to_file create_new_jupyter_notebook`,
	edits: `edit multiedit notebookedit apply_patch applypatch patch replace str_replace_editor str_replace
		replace_string_in_file replacestringinfile insert_edit_into_file inserteditintofile edit_file editfiles
		multi_replace_string_in_file edit_notebook_file editnotebook delete delete_file insert search_replace smart_edit`,
	waits: `bashoutput taskoutput killshell killbash kill_shell write_stdin get_terminal_output getterminaloutput
		read_bash write_bash stop_bash taskstop read_powershell terminal_last_command`,
	acts: `task agent todowrite todoread todo_write todo_read glob ls list list_directory listdirectory list_dir listdir
		file_search filesearch find_files skill slashcommand exitplanmode enterplanmode exit_plan_mode enter_plan_mode
		exit_plan_mode_tool askuserquestion ask_user ask_user_question question clarify update_plan updateplan
		write_todos save_memory savememory store_memory memory activate_skill get_internal_docs cli_help complete_task
		codebase_investigator generalist delegate_to_agent subagent runsubagent spawn_agent send_input wait wait_agent
		close_agent resume_agent toolsearch tool_search listmcpresourcestool list_mcp_resources readmcpresourcetool
		read_mcp_resource
		list_mcp_resource_templates enterworktree exitworktree sendmessage croncreate crondelete cronlist
		schedulewakeup taskcreate taskget tasklist taskupdate teamcreate teamdelete report_intent think invalid batch
		get_errors geterrors problems manage_todo_list managetodolist run_task runtask runtests run_tests test_failure
		testfailure get_changed_files changes create_directory create_new_workspace new_workspace get_project_setup_info
		install_extension vscodeapi get_vscode_api run_vscode_command switch_mode confirm structuredoutput
		structured_output sql plan_enter plan_exit fetch_copilot_cli_documentation list_agents read_agent write_agent skills
		request_user_input pushnotification remotetrigger config brief switchbashmode await resume`,
}

// named is hostTools by name.
var named = sync.OnceValue(func() map[string]work {
	all := map[string]work{}
	for w, names := range hostTools {
		for _, name := range strings.Fields(names) {
			all[name] = w
		}
	}
	return all
})

// does says what a host's own tool does.
func does(tool string) work { return named()[strings.ToLower(tool)] }

// openCodeTools are OpenCode's own tools with a name that could be one of a server.
var openCodeTools = []string{"apply_patch", "plan_enter", "plan_exit", "todo_write", "todo_read"}

// foreign reports whether the tool is one of another MCP server, by each host's way of naming them.
func (l *look) foreign(input map[string]json.RawMessage) bool {
	tool := strings.ToLower(l.call.Tool)
	switch {
	case l.Ours != nil && l.Ours(l.call.Tool):
		return false
	case l.call.Server != "":
		return true
	case strings.HasPrefix(tool, "mcp__"), strings.HasPrefix(tool, "mcp_"), strings.HasPrefix(tool, "mcp:"),
		strings.HasPrefix(tool, "mcp."), strings.HasPrefix(tool, "mcp-"):
		return true
	case tool == "readmcpresourcetool" || tool == "read_mcp_resource":
		return text(input, "server") != "stemma"
	case l.call.Host == "opencode": // server_tool; a tool of the project's own is a file of it
		return strings.Contains(tool, "_") && !slices.Contains(openCodeTools, tool) && !l.projectTool(l.call.Tool)
	case does(tool) != unnamed:
		return false
	}
	switch l.call.Host {
	case "copilot": // server-tool
		return strings.Contains(tool, "-")
	case "gemini", "qwen": // server__tool, as they named those whose names two servers have
		return strings.Contains(tool, "__")
	}
	return strings.Contains(tool, "__")
}

// projectTool reports whether a tool of OpenCode is a file of the project: .opencode/tool/NAME.ts, or NAME_EXPORT.
func (l *look) projectTool(tool string) bool {
	if !l.Files {
		return false
	}
	names := []string{tool}
	for i, r := range tool {
		if r == '_' {
			names = append(names, tool[:i])
		}
	}
	for _, dir := range []string{"tool", "tools"} {
		for _, name := range names {
			for _, end := range []string{".ts", ".js", ".mjs"} {
				path := filepath.Join(l.call.Dir, ".opencode", dir, name+end)
				if _, err := os.Stat(path); err == nil && l.files(l.call.Dir, path) == "" {
					return true
				}
			}
		}
	}
	return false
}
