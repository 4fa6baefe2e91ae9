// Package outside judges whether what a tool gave an agent are words of strangers, by where they come from: a page,
// another server, a file that is not this person's, a program that fetches. What is unknown is not outside for that.
package outside

import (
	"encoding/json"
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
	if c.Dir == "" {
		c.Dir = j.Dir
	}
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
		var number json.Number
		if json.Unmarshal(input[name], &number) == nil && number != "" {
			return number.String()
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
