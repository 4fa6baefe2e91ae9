package hosts

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/stemma-memory/stemma/internal/lazy"
)

// commandDirs are where hosts look for commands that people write as files, in a project and in a home. Those hosts
// put what such a file says in the place of the command before a hook sees the prompt.
var commandDirs = map[string][]string{
	Codex: {".codex/prompts"}, Cursor: {".cursor/commands"}, Gemini: {".gemini/commands"},
	OpenCode: {".opencode/command", ".opencode/commands", ".config/opencode/command", ".config/opencode/commands"},
	Qwen:     {".qwen/commands"}, VSCode: {".github/prompts"},
}

const (
	mostCommands     = 200
	mostCommandBytes = 64 << 10
	leastOfCommand   = 16 // letters of a file, for what a prompt says to be its words and not chance
)

// Places in a file of a command: for what the person adds to it, and for what the host puts there.
var (
	commandArgs  = `\{\{\s*args\s*\}\}|\$ARGUMENTS|\$@|\$\d\b|\$\{input:[^}]*\}`
	commandPlace = lazy.Regexp(commandArgs + "|!\\{[^}]*\\}|@\\{[^}]*\\}|!`[^`]*`")
	ofArgs       = lazy.Regexp("^(?:" + commandArgs + ")$")
)

// asTyped returns a prompt as the person typed it, where it is what a file of a command below some directories says:
// the command and what they added. Is says that it is.
func asTyped(host string, bases []string, prompt string) (typed string, is bool) {
	if len(prompt) > mostCommandBytes || strings.TrimSpace(prompt) == "" {
		return "", false
	}
	left := mostCommands
	for _, base := range bases {
		for _, dir := range commandDirs[host] {
			if !filepath.IsAbs(base) {
				continue
			}
			root := filepath.Join(base, filepath.FromSlash(dir))
			_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
				if left--; err != nil || left < 0 || is {
					return fs.SkipAll
				}
				if !d.Type().IsRegular() {
					return nil
				}
				if args, fits := expansionOf(commandText(path), prompt); fits {
					name, _ := filepath.Rel(root, path)
					name, _, _ = strings.Cut(filepath.ToSlash(name), ".")
					typed, is = strings.TrimSpace("/"+strings.ReplaceAll(name, "/", ":")+" "+args), true
				}
				return nil
			})
		}
	}
	return typed, is
}

// commandText is what a file says in the place of its command.
func commandText(path string) string {
	info, err := os.Stat(path)
	if err != nil || info.Size() > mostCommandBytes {
		return ""
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	if filepath.Ext(path) == ".toml" {
		var of struct{ Prompt string }
		if _, err := toml.Decode(string(text), &of); err != nil {
			return ""
		}
		return of.Prompt
	}
	if rest, is := bytes.CutPrefix(text, []byte("---\n")); is {
		if _, body, ends := bytes.Cut(rest, []byte("\n---\n")); ends {
			text = body
		}
	}
	return string(text)
}

// expansionOf reports whether a prompt is what a file of a command says, and what the person added. Hosts that find
// no place for that put it behind the rest.
func expansionOf(file, prompt string) (args string, is bool) {
	file = strings.TrimSpace(file)
	var pattern strings.Builder
	letters, at, placed := 0, 0, false
	say := func(words string) {
		letters += len(strings.Join(strings.Fields(words), ""))
		pattern.WriteString(regexp.QuoteMeta(words))
	}
	pattern.WriteString(`(?s)^\s*`)
	for _, m := range commandPlace.Get().FindAllStringIndex(file, -1) {
		say(file[at:m[0]])
		if ofArgs.Get().MatchString(file[m[0]:m[1]]) {
			pattern.WriteString(`(.*?)`)
			placed = true
		} else {
			pattern.WriteString(`.*?`)
		}
		at = m[1]
	}
	say(file[at:])
	if !placed {
		pattern.WriteString(`(?:\s+(.*?))?`)
	}
	pattern.WriteString(`\s*$`)
	if letters < leastOfCommand {
		return "", false
	}
	form, err := regexp.Compile(pattern.String())
	if err != nil {
		return "", false
	}
	found := form.FindStringSubmatch(prompt)
	if found == nil {
		return "", false
	}
	for _, part := range found[1:] {
		if part = strings.TrimSpace(part); part != "" && !strings.Contains(args, part) {
			args = strings.TrimSpace(args + " " + part)
		}
	}
	return args, true
}
