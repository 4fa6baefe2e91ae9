package hosts

import (
	"encoding/json"
	"path"
	"path/filepath"
	"strings"
)

const (
	longestPath = 1024
	mostPaths   = 1000
	deepest     = 32 // of JSON in which paths are looked for
)

// pathsIn returns the strings of a value that may name files: whole if they are short
// and of one line, and word by word where they are commands or patches. It rather
// gives too many: what is ignored by mistake was only not kept.
func pathsIn(raw json.RawMessage) []string {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return nil
	}
	var out []string
	gather(v, 0, &out)
	return out
}

func gather(v any, deep int, out *[]string) {
	if deep > deepest || len(*out) >= mostPaths {
		return
	}
	switch v := v.(type) {
	case string:
		if len(v) <= longestPath && !strings.Contains(v, "\n") {
			*out = append(*out, v)
		}
		for line := range strings.Lines(v) {
			if len(*out) >= mostPaths {
				return
			}
			if patched, ok := patchedFile(line); ok {
				*out = append(*out, patched)
			} else if len(v) <= longestPath {
				*out = append(*out, strings.FieldsFunc(line, splitsWords)...)
			}
		}
	case []any:
		for _, one := range v {
			gather(one, deep+1, out)
		}
	case map[string]any:
		for _, one := range v {
			gather(one, deep+1, out)
		}
	}
}

// patchedFile reads the lines of patches that name files.
func patchedFile(line string) (string, bool) {
	for _, begin := range []string{
		"*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: ", "--- a/", "+++ b/",
	} {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), begin); ok {
			return name, true
		}
	}
	return "", false
}

// splitsWords says what stands between the words of a command.
func splitsWords(r rune) bool { return strings.ContainsRune(" \t\r\n\"'`;|&<>()=,:$", r) }

// Ignored reports whether one of the globs, separated by commas or blanks, matches a
// file that the event names or the directory it happened in. Root is the project's,
// home the user's.
func (e *Event) Ignored(globs, root, home string) bool {
	list := strings.FieldsFunc(globs, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' || r == '\n' })
	if len(list) == 0 {
		return false
	}
	names := append([]string{"."}, e.Paths...)
	for _, name := range names {
		for _, form := range forms(name, e.Dir, root, home) {
			for _, g := range list {
				if Matches(g, form, home) {
					return true
				}
			}
		}
	}
	return false
}

// forms returns a path as globs may mean it: as it stands there, in full, and from the
// root of the project.
func forms(name, dir, root, home string) []string {
	name = strings.TrimPrefix(name, "@")
	if rest, ok := strings.CutPrefix(name, "~/"); ok {
		name = filepath.Join(home, rest)
	}
	full := name
	if !filepath.IsAbs(full) {
		full = filepath.Join(dir, full)
	}
	out := []string{filepath.ToSlash(filepath.Clean(name)), filepath.ToSlash(filepath.Clean(full))}
	if real, err := filepath.EvalSymlinks(full); err == nil && real != full {
		out = append(out, filepath.ToSlash(real)) // a link does not lead around a glob
	}
	if root != "" {
		for _, f := range out[1:] {
			if rel, err := filepath.Rel(root, filepath.FromSlash(f)); err == nil && !strings.HasPrefix(rel, "..") {
				out = append(out, filepath.ToSlash(rel))
			}
		}
	}
	return out
}

// Matches reports whether a glob matches a path or a directory above it. "*" stands
// for anything but a slash, "**" for any directories, "?" and "[…]" for one
// character. A glob without a slash matches a name at any depth. Case does not
// matter.
func Matches(glob, name, home string) bool {
	if rest, ok := strings.CutPrefix(glob, "~/"); ok {
		glob = path.Join(filepath.ToSlash(home), rest)
	}
	glob, name = strings.ToLower(glob), strings.ToLower(name)
	glob = strings.TrimSuffix(glob, "/")
	if !strings.Contains(glob, "/") {
		glob = "**/" + glob
	}
	parts := strings.Split(strings.TrimPrefix(name, "/"), "/")
	want := strings.Split(strings.TrimPrefix(glob, "/"), "/")
	if strings.HasPrefix(glob, "/") && !strings.HasPrefix(name, "/") {
		return false
	}
	for n := len(parts); n > 0; n-- {
		if segments(want, parts[:n]) {
			return true
		}
	}
	return false
}

// segments matches a glob's parts against a path's.
func segments(want, parts []string) bool {
	// where the last "**" stood, to which one goes back: no backtracking beyond it
	back, from := -1, 0
	i, j := 0, 0
	for j < len(parts) {
		if i < len(want) && want[i] == "**" {
			back, from = i, j
			i++
			continue
		}
		if i < len(want) {
			if ok, err := path.Match(want[i], parts[j]); ok || err != nil && want[i] == parts[j] {
				i, j = i+1, j+1
				continue
			}
		}
		if back < 0 {
			return false
		}
		from++
		i, j = back+1, from
	}
	for i < len(want) && want[i] == "**" {
		i++
	}
	return i == len(want)
}
