package outside

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/git"
)

// builders run what lies in the directory where they are started.
var builders = []string{
	"make", "gmake", "just", "task", "go", "cargo", "npm", "pnpm", "yarn", "bun", "deno", "pytest", "tox", "nox", "mvn",
	"gradle", "sbt", "lein", "mix", "rake", "bundle", "composer", "dotnet", "swift", "zig", "cmake", "ninja", "bazel",
	"meson", "rspec", "phpunit", "jest", "vitest", "poetry", "uv", "hatch", "stack", "cabal", "dune", "flutter", "dart",
	"ant",
}

// elsewhere names the strangers whose repository a directory is in, if it is not the one that the agent works in.
func (l *look) elsewhere(dir string) string {
	if !l.Files {
		return ""
	}
	r := l.repository(filepath.Join(l.full(dir, "."), "x"))
	if r == nil {
		return ""
	}
	if here := l.repository(filepath.Join(l.full(l.project(), "."), "x")); here != nil && here.Common == r.Common {
		return ""
	}
	return l.standingOf(r).source()
}

// byPlace judges a program by where it lies: in a directory of others' code, out of the repository and of PATH, or
// brought from elsewhere.
func (l *look) byPlace(c *command) string {
	word := c.args[0]
	if !l.Files || !strings.Contains(word, "/") || strings.Contains(word, unknown) {
		return ""
	}
	return l.program(c, word, "")
}

func (l *look) program(c *command, word, lang string) string {
	lies := word // where it lies decides, not where a link leads
	if rest, ok := strings.CutPrefix(lies, "~/"); ok {
		lies = filepath.Join(l.Home, rest)
	} else if !filepath.IsAbs(lies) {
		lies = filepath.Join(c.dir, lies)
	}
	if slices.Contains(l.Path, filepath.Dir(filepath.Clean(lies))) {
		return ""
	}
	full := l.full(c.dir, word)
	was := l.noted(full)
	switch {
	case was.own || was.changed:
		return l.scriptText(c, full, lang)
	case was.from != "":
		return "program " + word + " from " + was.from
	}
	r := l.repository(full)
	switch {
	case r == nil && l.apart(full) != "", r != nil && l.vendoredIn(r, full) != "":
		return "program " + l.shown(word)
	case r == nil:
		return l.scriptText(c, full, lang)
	}
	if here := l.repository(filepath.Join(l.full(l.project(), "."), "x")); here == nil || here.Common != r.Common {
		return l.standingOf(r).source()
	}
	rel := within(r.Dir, full)
	if tracked, known := r.tracked([]string{rel}); known && !tracked[rel] {
		if was.above != "" {
			return "program " + word + " from " + was.above
		}
		return l.scriptText(c, full, lang)
	}
	return ""
}

// script judges a script that an interpreter runs.
func (l *look) script(c *command, path, lang string) string {
	if strings.Contains(path, unknown) || path == "-" || !l.Files {
		return ""
	}
	if hasScheme(path) {
		if insideAddress(path) {
			return ""
		}
		return c.program() + " " + hostOf(path)
	}
	full := l.full(c.dir, path)
	if strings.HasPrefix(filepath.Base(full), "activate") && exists(filepath.Join(full, "../../pyvenv.cfg")) {
		return "" // of an environment of Python: it sets variables and says nothing
	}
	if l.noted(full).own {
		return l.scriptText(c, full, lang)
	}
	return l.program(c, anchored(path), lang)
}

// anchored is a path that no one takes for a name to be looked for in PATH.
func anchored(path string) string {
	if strings.Contains(path, "/") {
		return path
	}
	return "./" + path
}

// scriptText judges a script by what it does: it is no file of the repository.
func (l *look) scriptText(c *command, full, lang string) string {
	info, err := os.Stat(full)
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	text := git.Beginning(full)
	if text == "" || strings.Contains(text[:min(len(text), 512)], "\x00") {
		return ""
	}
	if strings.HasPrefix(text, "#!") {
		first, _, _ := strings.Cut(text, "\n")
		words := strings.Fields(strings.TrimPrefix(first, "#!"))
		if len(words) > 1 && programName(words[0]) == "env" {
			words = words[1:]
		}
		if len(words) > 0 {
			lang = programName(words[0])
		}
	}
	if l.deep >= deepest {
		return ""
	}
	l.deep++
	defer func() { l.deep-- }()
	if spoken := languageOf(lang); spoken != nil {
		return l.code(c, spoken, text)
	}
	if lang == "" || slices.Contains([]string{"sh", "bash", "zsh", "dash", "ksh", "ash"}, lang) {
		return l.commands(text, c.dir, nil)
	}
	return ""
}
