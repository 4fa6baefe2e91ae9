package hosts

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/blame"
)

// An Edited is a file that a tool changed, with what changed in it.
type Edited struct {
	Path    string // in full
	Changes []blame.Change
}

// words in the names of tools that write a whole file.
var writing = []string{"write", "create", "edit", "insert", "update", "save", "replace"}

// Edited returns what a use of a tool changed in files, as far as its event says so. Before gives what a file held
// before it was written whole, where the event does not say it.
func (e *Event) Edited(before func(path string) string) []Edited {
	if e.moment != used || e.Torn || e.failed() {
		return nil
	}
	var in fields
	raw := e.fields["tool_input"]
	if raw == nil {
		raw = e.fields["args"]
	}
	if guardedIn(raw) != "" {
		return nil
	}
	if json.Unmarshal(raw, &in) != nil {
		var patch string
		if json.Unmarshal(raw, &patch) != nil {
			return nil
		}
		in = fields{"patch": raw}
	}
	name := strings.ToLower(e.fields.text("tool_name", "tool"))
	path := e.full(in.text("file_path", "filePath", "absolute_path", "path", "target_file", "filename"))
	switch patch := in.text("patch", "input", "patchText", "command", "diff"); {
	case strings.Contains(patch, beginPatch):
		return e.patched(patch)
	case path == "":
		return e.several(in)
	}
	if changes := replaced(path, in); changes != nil { // what the agent said itself
		return []Edited{{path, changes}}
	}
	if changes := e.told(); changes != nil {
		return []Edited{{path, changes}}
	}
	text, whole := content(in)
	if !whole || !slices.ContainsFunc(writing, func(w string) bool { return strings.Contains(name, w) }) {
		return nil
	}
	var gave struct {
		Type            string
		OriginalFile    *string
		OriginalContent *string
	}
	_ = json.Unmarshal(e.result(), &gave)
	switch {
	case gave.OriginalFile != nil:
		return []Edited{{path, blame.Changed(*gave.OriginalFile, text)}}
	case gave.Type == "create":
		return []Edited{{path, blame.Changed("", text)}}
	}
	return []Edited{{path, blame.Changed(before(path), text)}}
}

// full is a path in full.
func (e *Event) full(path string) string {
	path = strings.TrimPrefix(path, "file://")
	if path == "" || filepath.IsAbs(path) || e.Dir == "" {
		return path
	}
	return filepath.Join(e.Dir, path)
}

// told is the difference that the tool itself gave: Claude Code's, Gemini CLI's and Qwen Code's, OpenCode's.
func (e *Event) told() (out []blame.Change) {
	var gave struct {
		StructuredPatch []struct {
			NewStart int
			Lines    []string
		}
		ReturnDisplay json.RawMessage
	}
	if raw := e.result(); json.Unmarshal(raw, &gave) == nil {
		for _, h := range gave.StructuredPatch {
			c := blame.Change{}
			if h.NewStart <= 1 {
				c = append(c, "^")
			}
			for _, line := range h.Lines {
				if !strings.HasPrefix(line, `\`) {
					c = append(c, line)
				}
			}
			out = append(out, c)
		}
		var shown struct{ FileDiff string }
		if out == nil && json.Unmarshal(gave.ReturnDisplay, &shown) == nil && shown.FileDiff != "" {
			out = unified(shown.FileDiff)
		}
	}
	var meta struct {
		Diff     string
		FileDiff struct{ Before, After *string } `json:"filediff"`
	}
	if out == nil && json.Unmarshal(e.fields["metadata"], &meta) == nil {
		if meta.FileDiff.Before != nil && meta.FileDiff.After != nil {
			out = blame.Changed(*meta.FileDiff.Before, *meta.FileDiff.After)
		} else if meta.Diff != "" {
			out = unified(meta.Diff)
		}
	}
	return out
}

// unified reads a difference in the form of diff -u.
func unified(text string) (out []blame.Change) {
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case strings.HasPrefix(line, "@@"):
			out = append(out, blame.Change{})
		case len(out) == 0 || strings.HasPrefix(line, `\`):
		case line == "" || strings.ContainsAny(line[:1], " +-"):
			out[len(out)-1] = append(out[len(out)-1], line)
		}
	}
	return out
}

// replaced is what changed where a tool was told old and new words.
func replaced(path string, in fields) (out []blame.Change) {
	var list []struct {
		Old  *string `json:"old_string"`
		OldC *string `json:"oldString"`
		OldS *string `json:"old_str"`
		New  *string `json:"new_string"`
		NewC *string `json:"newString"`
		NewS *string `json:"new_str"`
		All  bool    `json:"replace_all"`
		AllC bool    `json:"replaceAll"`
	}
	edits := in["edits"]
	if edits == nil {
		whole, err := json.Marshal(in)
		if err != nil {
			return nil
		}
		edits = slices.Concat([]byte("["), whole, []byte("]"))
	}
	if json.Unmarshal(edits, &list) != nil {
		return nil
	}
	text := onDisk(path)
	for i := len(list) - 1; i >= 0; i-- {
		old, now := first(list[i].Old, list[i].OldC, list[i].OldS), first(list[i].New, list[i].NewC, list[i].NewS)
		if old == nil || now == nil {
			if at := in.text("insert_text", "new_str"); at != "" && in["insert_line"] != nil {
				return blame.Replaced(text, "", at, false)
			}
			return nil
		}
		out = append(out, blame.Replaced(text, *old, *now, list[i].All || list[i].AllC)...)
		if strings.Count(text, *now) == 1 && *now != "" { // as it was before this one, for those that came before
			text = strings.Replace(text, *now, *old, 1)
		}
	}
	slices.Reverse(out)
	return out
}

func first(list ...*string) *string {
	for _, s := range list {
		if s != nil {
			return s
		}
	}
	return nil
}

// content is what a tool was told to write as a whole file.
func content(in fields) (text string, is bool) {
	for _, name := range []string{"content", "contents", "file_text", "code", "text"} {
		if json.Unmarshal(in[name], &text) == nil && in[name] != nil {
			return text, true
		}
	}
	return "", false
}

// several is what a tool changed that takes a list of files.
func (e *Event) several(in fields) (out []Edited) {
	var list []fields
	for _, name := range []string{"replacements", "edits", "files"} {
		if json.Unmarshal(in[name], &list) != nil {
			continue
		}
		for _, one := range list {
			if path := e.full(one.text("filePath", "file_path", "path")); path != "" {
				if changes := replaced(path, one); changes != nil {
					out = append(out, Edited{path, changes})
				}
			}
		}
	}
	return out
}

const beginPatch = "*** Begin Patch"

// patched reads a patch in the form of Codex.
func (e *Event) patched(patch string) (out []Edited) {
	var at *Edited
	change := func() *blame.Change {
		if len(at.Changes) == 0 {
			at.Changes = append(at.Changes, nil)
		}
		return &at.Changes[len(at.Changes)-1]
	}
	_, patch, _ = strings.Cut(patch, beginPatch)
	for line := range strings.Lines(patch) {
		line = strings.TrimRight(line, "\r\n")
		if name, ok := patchedFile(line); ok && strings.HasPrefix(line, "*** ") {
			if strings.HasPrefix(line, "*** Move to") && at != nil {
				at.Path = e.full(name)
				continue
			}
			if strings.HasPrefix(line, "*** Delete") {
				at = nil
				continue
			}
			out = append(out, Edited{Path: e.full(name)})
			at = &out[len(out)-1]
			if strings.HasPrefix(line, "*** Add") {
				at.Changes = []blame.Change{{"^"}}
			}
			continue
		}
		switch {
		case strings.HasPrefix(line, "*** End Patch"):
			return out
		case at == nil:
		case strings.HasPrefix(line, "@@"):
			at.Changes = append(at.Changes, nil)
		case strings.HasPrefix(line, "*** End of File"):
			*change() = append(*change(), "$")
		case line == "" || strings.ContainsAny(line[:1], " +-"):
			*change() = append(*change(), line)
		}
	}
	return out
}

// onDisk is what a file holds now; "" where it is not to be read.
func onDisk(path string) string {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > blame.MaxFile {
		return ""
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return string(text)
}

// CallName is what the raws of the use of a tool have as a name besides, "" where the host gives it none.
func (e *Event) CallName() string {
	if call := e.fields.text("tool_use_id", "callID", "call_id"); call != "" {
		return callAlias(e.Host, e.Session, call, "call")
	}
	return ""
}
