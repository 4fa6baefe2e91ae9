package git

import (
	"path/filepath"
	"strings"
)

// Remote is the address of a repository's origin, as its own configuration has it; where none is called origin,
// of its first remote; "" where there is none.
func (r Repository) Remote() string {
	first := ""
	for _, v := range r.config() {
		if v.section != "remote" || v.key != "url" || v.value == "" {
			continue
		}
		if v.name == "origin" {
			return v.value
		}
		if first == "" {
			first = v.value
		}
	}
	return first
}

// Main is the directory of the main checkout, or of the repository itself where there is none.
func (r Repository) Main() string {
	dir := r.Common
	if filepath.Base(r.Common) == ".git" {
		dir = filepath.Dir(r.Common)
	}
	for _, v := range r.config() {
		if v.section == "core" && v.key == "worktree" { // a submodule's; what does not lead back here is another's
			if there, ok := at(in(r.Common, v.value)); ok && there.Common == r.Common {
				dir = there.Dir
			}
		}
	}
	return dir
}

// A setting is one line of a configuration: section.name.key = value.
type setting struct{ section, name, key, value string }

// config reads the repository's own configuration, without the files that it includes.
func (r Repository) config() []setting {
	var all []setting
	var here setting
	text := strings.ReplaceAll(Beginning(filepath.Join(r.Common, "config")), "\r\n", "\n")
	text = strings.ReplaceAll(text, "\\\n", "")
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			here, line = section(line)
		}
		key, value, ok := strings.Cut(line, "=")
		key = strings.ToLower(strings.TrimSpace(key))
		if !ok || key == "" || strings.ContainsAny(key[:1], "#;") {
			continue
		}
		all = append(all, setting{here.section, here.name, key, unquoted(strings.TrimSpace(value))})
	}
	return all
}

// section reads the head of a section, and returns what follows it on its line.
func section(line string) (s setting, rest string) {
	quoted, end := false, len(line)
	for i := 1; i < len(line) && end == len(line); i++ {
		switch c := line[i]; {
		case c == '\\' && quoted:
			i++
		case c == '"':
			quoted = !quoted
		case c == ']' && !quoted:
			end = i
		}
	}
	name, below, named := strings.Cut(line[1:end], " ")
	if named {
		s.name = unquoted(strings.TrimSpace(below))
	} else {
		name, s.name, _ = strings.Cut(name, ".") // as it was written once
	}
	s.section = strings.ToLower(name)
	return s, strings.TrimSpace(strings.TrimPrefix(line[end:], "]"))
}

// unquoted is a value without its quotes and the comment behind it.
func unquoted(s string) string {
	var b strings.Builder
	quoted := false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s):
			i++
			switch s[i] {
			case 'n':
				b.WriteByte('\n')
			case 't':
				b.WriteByte('\t')
			default:
				b.WriteByte(s[i])
			}
		case c == '"':
			quoted = !quoted
		case !quoted && (c == '#' || c == ';'):
			return strings.TrimSpace(b.String())
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
