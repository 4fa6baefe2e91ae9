package outside

import (
	"encoding/json"
	"path/filepath"
	"strings"
)

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
				l.wroteOne(path, patched)
			}
		}
	}
	for _, path := range list {
		l.wroteOne(path, did)
	}
}

func (l *look) wroteOne(path, did string) {
	full := l.full(l.call.Dir, path)
	if did == wrote || l.noted(full).from == "" { // what is left of brought words is still others'
		l.note(full, note{Did: did})
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
