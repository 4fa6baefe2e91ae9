package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/stemma-memory/stemma/internal/durable"
)

const (
	dirMode  = 0o700
	fileMode = 0o600 // CreateTemp's
)

// Set writes one value into a file, made with its directory if there is none.
// Every other byte of the file stays as it is: the value is changed where it
// stands, or a line is added to its table. The file is replaced in one step, with
// mode 0600; of two who do so at once one may undo the other's change. On an
// error nothing is changed.
//
// It does not know whose file it is: what a project may not set is set and then
// ignored, see Known.ProjectMay.
func Set(path, key, text string) error {
	if err := Check(key, text); err != nil {
		return err
	}
	k, err := find(key)
	if err != nil {
		return err
	}
	var want any = text
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && k.whole {
		want = n
	}
	return edit(path, k, want)
}

// Check reports whether a file may have a value.
func Check(key, text string) error {
	k, err := find(key)
	if err == nil && k.secret {
		err = errors.New(insteadOf(k))
	}
	if err == nil {
		err = k.check(text)
	}
	if err != nil {
		return fmt.Errorf("set %s: %w", printable(key), err)
	}
	return nil
}

// Unset takes one value out of a file, with its line and the comment on it. It
// promises of the rest what Set does. A value that is not there is no error.
func Unset(path, key string) error {
	k, err := find(key)
	if err != nil {
		return fmt.Errorf("unset: %w", err)
	}
	return edit(path, k, nil)
}

// edit makes the file say want for a key, nil for nothing.
func edit(path string, k Known, want any) error {
	info, err := os.Lstat(path)
	if err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a regular file: change its target", path)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	before, err := read(path)
	if err != nil {
		return err
	}
	tree, err := parse(path, before)
	if err != nil {
		return err
	}
	section, name, _ := strings.Cut(k.Key, ".")
	inner, _ := tree[section].(map[string]any)
	if _, there := inner[name]; want == nil && !there {
		return nil
	}
	after := changed(before, section, name, want)
	if !says(after, tree, section, name, want) {
		return fmt.Errorf("%s: %s is written in a form that only an editor can change; nothing was changed", path, k.Key)
	}
	return replace(path, after)
}

// changed returns a text that should say want for a key.
func changed(text, section, name string, want any) string {
	all := scan(text)
	for _, s := range all {
		if s.header || !slices.Equal(s.path, []string{section, name}) {
			continue
		}
		if want == nil {
			return text[:s.line.from] + text[s.line.to:]
		}
		return text[:s.value.from] + written(want) + text[s.value.to:]
	}
	if want == nil {
		return text // it is there, and not in a line of its own
	}
	return added(text, all, section, name+" = "+written(want))
}

// added returns a text with one more line in a table: behind the last line that the
// table has, and with a header at the end if there is no such table.
func added(text string, all []statement, section, line string) string {
	end := "\n"
	if strings.Contains(text, "\r\n") {
		end = "\r\n"
	}
	last, top, below, dotted := -1, true, false, false
	for i, s := range all {
		switch {
		case s.header:
			top, below = false, slices.Equal(s.path, []string{section})
			if below {
				last = i
			}
		case below:
			last = i
		case top && s.path[0] == section && len(s.path) > 1: // section.name = value
			last, dotted = i, true
		}
	}
	if last < 0 {
		header := "[" + section + "]" + end
		switch {
		case text != "" && !strings.HasSuffix(text, "\n"):
			header = end + end + header
		case text != "":
			header = end + header
		}
		return text + header + line + end
	}
	beside := all[last]
	if dotted {
		line = section + "." + line
	}
	line = text[beside.line.from:beside.name] + line // as far to the right
	if strings.HasSuffix(text[:beside.line.to], "\n") {
		line += end
	} else {
		line = end + line
	}
	return text[:beside.line.to] + line + text[beside.line.to:]
}

// written returns a value in the form of a file.
func written(v any) string {
	if s, ok := v.(string); ok {
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
	}
	return fmt.Sprint(v)
}

// says reports that a text says what a tree does, and want for the key.
func says(text string, tree map[string]any, section, name string, want any) bool {
	got, err := parse("", text)
	if err != nil {
		return false
	}
	inner, ok := tree[section].(map[string]any)
	if !ok && tree[section] != nil {
		return false
	}
	if inner == nil {
		inner = map[string]any{}
		tree[section] = inner
	}
	if inner[name] = want; want == nil {
		delete(inner, name)
	}
	// Printed with types and sorted keys, as a number that is none equals itself.
	return fmt.Sprintf("%#v", pruned(got)) == fmt.Sprintf("%#v", pruned(tree))
}

// pruned takes out empty tables, which say nothing.
func pruned(tree map[string]any) map[string]any {
	for key, v := range tree {
		if below, ok := v.(map[string]any); ok && len(pruned(below)) == 0 {
			delete(tree, key)
		}
	}
	return tree
}

// replace puts a text in the place of a file in one step.
func replace(path, text string) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), dirMode); err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(path), ".config-*.tmp")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			file.Close()
			os.Remove(file.Name())
		}
	}()
	if _, err := file.WriteString(text); err != nil {
		return err
	}
	if err := file.Sync(); err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	return durable.Rename(file.Name(), path)
}
