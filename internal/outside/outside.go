// Package outside judges whether what a tool gave an agent are words of strangers, by where they come from: a page,
// another server, a file that is not this person's, a program that fetches. What is unknown is not outside for that.
package outside

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A Call is one use of a tool.
type Call struct {
	Host, Tool string
	Server     string          // the MCP server that has the tool, where a host says so by itself
	Input      json.RawMessage // what the tool was asked
	Result     json.RawMessage // what it gave, as it came
	Output     string          // and in words
	Dir        string          // where the agent works
	Session    string
}

// A Judge knows what is around a call. The zero Judge knows nothing of files, and judges by names and addresses.
type Judge struct {
	Home  string
	Dir   string   // the project's, where the agent began
	Path  []string // the directories in which programs are looked for
	Seen  Seen     // what was done to files; none keeps nothing
	Known []string // e-mail addresses of people who were introduced
	Ours  func(tool string) bool
	Files bool // files and repositories of this machine may be looked at
}

// From names the source of the words that a tool gave, for a reader: "mcp__github__get_issue", "https://example.org/x",
// "curl example.org", "file /etc/hosts". It is "" where they are not outside words. What the call did to files is
// noted.
func (j Judge) From(c Call) (source string) {
	defer func() {
		if recover() != nil { // what no one can read may say anything
			source = c.Tool
		}
	}()
	l := &look{Judge: j, call: c}
	var input map[string]json.RawMessage
	if json.Unmarshal(c.Input, &input) != nil {
		var words string
		if json.Unmarshal(c.Input, &words) == nil { // a patch or a command by itself
			input = map[string]json.RawMessage{"command": c.Input}
		}
	}
	if l.foreign(input) {
		return c.Tool
	}
	source = l.byTool(input)
	l.keptElsewhere(source)
	return strings.ToValidUTF8(strings.ReplaceAll(source, unknown, "…"), "\uFFFD")
}

// byTool judges by what the host's tool does.
func (l *look) byTool(input map[string]json.RawMessage) string {
	switch does(l.call.Tool) {
	case acts:
		return ""
	case fetches:
		return l.fetched(input)
	case shells:
		return l.shell(input)
	case reads:
		return l.read(input)
	case finds:
		return l.found(input)
	case writes:
		l.wrote(input, wrote)
		return ""
	case edits:
		l.wrote(input, edited)
		return ""
	case waits:
		return l.wentOn(input)
	}
	return l.unnamed(input)
}

// fetched names what a host's own tool fetched.
func (l *look) fetched(input map[string]json.RawMessage) string {
	var far, near []string
	for _, address := range addressesOf(input) {
		if insideAddress(address) {
			near = append(near, address)
		} else {
			far = append(far, address)
		}
	}
	switch {
	case len(far) > 0:
		return shortAddress(far[0])
	case len(near) > 0:
		return ""
	}
	return l.call.Tool
}

// unnamed judges a tool that is in no table: by an address that it was given, and by a file.
func (l *look) unnamed(input map[string]json.RawMessage) string {
	for _, address := range addressesOf(input) {
		if !insideAddress(address) {
			return shortAddress(address)
		}
	}
	if command := text(input, "command", "cmd"); command != "" {
		return l.line(command, l.call.Dir)
	}
	return l.read(input)
}

// addressesOf are the addresses that a tool was given: members that are one as a whole, and those in the words
// of a member that is made for them.
func addressesOf(input map[string]json.RawMessage) []string {
	var out []string
	var gather func(name string, v any, deep int)
	gather = func(name string, v any, deep int) {
		switch v := v.(type) {
		case string:
			lower := strings.ToLower(name)
			named := strings.Contains(lower, "url") || strings.Contains(lower, "uri") || lower == "href" || lower == "address"
			switch {
			case hasScheme(strings.TrimSpace(v)) && !strings.ContainsAny(strings.TrimSpace(v), " \n"):
				out = append(out, strings.TrimSpace(v))
			case named && addressLike(v):
				out = append(out, v)
			case lower == "prompt" || lower == "query" || named:
				out = append(out, addressesIn(v)...)
			}
		case []any:
			for _, one := range v {
				if deep < 5 {
					gather(name, one, deep+1)
				}
			}
		case map[string]any:
			for k, one := range v {
				if deep < 5 {
					gather(k, one, deep+1)
				}
			}
		}
	}
	var names []string
	for name := range input {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		var v any
		if json.Unmarshal(input[name], &v) == nil {
			gather(name, v, 0)
		}
	}
	return out
}

// text is the first of some members that is a string and not empty, or a list of words.
func text(input map[string]json.RawMessage, names ...string) string {
	for _, name := range names {
		var s string
		if json.Unmarshal(input[name], &s) == nil && s != "" {
			return s
		}
		var list []string
		if json.Unmarshal(input[name], &list) == nil && len(list) > 0 {
			quoted := make([]string, len(list))
			for i, w := range list {
				quoted[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
			}
			return strings.Join(quoted, " ")
		}
	}
	return ""
}

// shell judges a command.
func (l *look) shell(input map[string]json.RawMessage) string {
	dir := text(input, "workdir", "cwd", "dir_path", "directory", "working_directory")
	if dir == "" || !filepath.IsAbs(dir) {
		dir = filepath.Join(l.call.Dir, dir)
	}
	source := l.line(text(input, "command", "cmd", "script", "code"), dir)
	if source != "" {
		l.goesOn(source)
	}
	return source
}

// pathMembers are members of a tool's input that name files.
var pathMembers = []string{
	"file_path", "filePath", "absolute_path", "path", "paths", "file", "files", "filename", "notebook_path", "target_file",
	"uri", "include", "dir_path", "target_directory", "directory",
}

// paths are the files that a tool was given.
func paths(input map[string]json.RawMessage) []string {
	var out []string
	for _, name := range pathMembers {
		var one string
		var list []json.RawMessage
		if json.Unmarshal(input[name], &one) == nil && one != "" {
			out = append(out, one)
			continue
		}
		_ = json.Unmarshal(input[name], &list)
		for _, raw := range list {
			var object map[string]json.RawMessage
			if json.Unmarshal(raw, &one) == nil {
				out = append(out, one)
			} else if json.Unmarshal(raw, &object) == nil {
				out = append(out, paths(object)...)
			}
		}
	}
	return out
}

// read judges the words of files.
func (l *look) read(input map[string]json.RawMessage) string {
	var out []string
	for _, path := range paths(input) {
		if hasScheme(path) {
			if !insideAddress(path) {
				return shortAddress(path)
			}
			continue
		}
		out = append(out, l.matching(l.call.Dir, path)...)
	}
	if !l.Files {
		return ""
	}
	return l.files(l.call.Dir, out...)
}

// matching are the files that a shell's pattern finds, or the pattern as it is.
func (l *look) matching(dir, pattern string) []string {
	const most = 50
	if !l.Files || !strings.ContainsAny(pattern, "*?[") {
		return []string{pattern}
	}
	full := pattern
	if rest, ok := strings.CutPrefix(pattern, "~/"); ok {
		full = filepath.Join(l.Home, rest)
	} else if !filepath.IsAbs(pattern) {
		full = filepath.Join(dir, pattern)
	}
	if found, err := filepath.Glob(full); err == nil && len(found) > 0 {
		return found[:min(most, len(found))]
	}
	at := strings.IndexAny(pattern, "*?[")
	if slash := strings.LastIndexByte(pattern[:at], '/'); slash > 0 {
		return []string{pattern[:slash]} // "src/**/*.go": its directory
	}
	return []string{"."}
}

// found judges what a search gave: by where it searched, and by the files that its lines begin with.
func (l *look) found(input map[string]json.RawMessage) string {
	if !l.Files || text(input, "output_mode") == "files_with_matches" || text(input, "output_mode") == "count" {
		return ""
	}
	if source := l.read(input); source != "" {
		return source
	}
	dir := l.call.Dir
	if p := paths(input); len(p) > 0 {
		if full := l.full(dir, p[0]); isDir(full) {
			dir = full
		}
	}
	if source := l.files(l.call.Dir, l.linesOf(l.call.Dir)...); source != "" {
		return source
	}
	if dir != l.call.Dir {
		return l.files(dir, l.linesOf(dir)...)
	}
	return ""
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// linesOf are the files with which lines of a search's output begin: "src/a.go:12:words".
func (l *look) linesOf(dir string) []string {
	const most = 200
	var out []string
	named := map[string]bool{}
	for line := range strings.Lines(l.call.Output) {
		path, _, ok := strings.Cut(strings.TrimSpace(line), ":")
		if !ok || path == "" || named[path] || len(path) > 1024 || len(named) >= most {
			continue
		}
		named[path] = true
		if info, err := os.Lstat(l.full(dir, path)); err == nil && info.Mode().IsRegular() {
			out = append(out, path)
		}
	}
	return out
}

// wrote notes what the agent writes.
func (l *look) wrote(input map[string]json.RawMessage, did string) {
	if !l.Files {
		return
	}
	list := paths(input)
	for line := range strings.Lines(text(input, "command", "cmd", "input", "patch", "patchText", "patch_text")) {
		line = strings.TrimSpace(line)
		for begin, patched := range map[string]string{
			"*** Add File: ": wrote, "*** Update File: ": edited, "*** Move to: ": edited,
		} {
			if path, ok := strings.CutPrefix(line, begin); ok {
				l.note(l.full(l.call.Dir, path), note{Did: patched})
			}
		}
	}
	for _, path := range list {
		l.note(l.full(l.call.Dir, path), note{Did: did})
	}
}

// keptElsewhere notes where a host keeps what a tool gave and was too long: it is judged when the agent reads it.
func (l *look) keptElsewhere(source string) {
	var result map[string]json.RawMessage
	if json.Unmarshal(l.call.Result, &result) != nil {
		return
	}
	for _, name := range []string{"persistedOutputPath", "rawOutputPath", "outputFile", "output_file"} {
		if path := text(result, name); filepath.IsAbs(path) {
			if source == "" {
				l.note(l.full("", path), note{Did: wrote})
			} else {
				l.note(l.full("", path), note{Did: brought, From: source})
			}
		}
	}
}

// goesOn notes a command that goes on, and wentOn says what its later words are.
func (l *look) goesOn(source string) {
	var result map[string]json.RawMessage
	if json.Unmarshal(l.call.Result, &result) != nil {
		return
	}
	if id := text(result, "backgroundTaskId", "shellId", "session_id", "task_id"); id != "" {
		l.Seen.note("task "+l.call.Session+" "+id, note{Did: runs, From: source})
	}
}

func (l *look) wentOn(input map[string]json.RawMessage) string {
	id := text(input, "bash_id", "shell_id", "shellId", "task_id", "session_id")
	if id == "" {
		return ""
	}
	if here, _ := l.Seen.of("task " + l.call.Session + " " + id); here != nil {
		return here.From
	}
	return ""
}
