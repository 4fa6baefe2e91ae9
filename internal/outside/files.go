package outside

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
)

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
		for _, file := range l.matching(l.call.Dir, path) {
			if !l.Files || exists(l.full(l.call.Dir, file)) { // of no file the host speaks
				out = append(out, file)
			}
		}
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
		line = strings.TrimPrefix(strings.TrimSpace(line), "File: ")
		path, _, ok := strings.Cut(line+":", ":")
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
