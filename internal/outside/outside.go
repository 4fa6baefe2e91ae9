// Package outside judges whether what a tool gave an agent are words of strangers, by where they come from: a page,
// another server, a file that is not this person's, a program that fetches. What is unknown is not outside for that.
package outside

import (
	"encoding/json"
	"path/filepath"
	"strings"
)

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
