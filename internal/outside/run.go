package outside

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// deepest is how far a shell in a shell in a script is followed.
const deepest = 8

// line judges what a shell line prints.
func (l *look) line(text, dir string) string {
	return l.commands(text, dir, map[string]string{"HOME": l.Home})
}

func (l *look) commands(text, dir string, vars map[string]string) string {
	if l.deep >= deepest || strings.TrimSpace(text) == "" {
		return ""
	}
	l.deep++
	defer func() { l.deep-- }()
	source := ""
	foreign := map[int]bool{} // the groups of which a part is from outside
	for _, c := range commandsIn(text, dir, vars) {
		from := l.command(c)
		if from != "" {
			foreign[c.group] = true
			if source == "" {
				source = from
			}
		}
		for _, to := range c.writes {
			l.goesTo(c, to, from, foreign[c.group])
		}
	}
	return source
}

// goesTo notes that what a command prints goes to a file.
func (l *look) goesTo(c *command, to, from string, foreign bool) {
	if !l.Files || to == "" || strings.Contains(to, unknown) || strings.HasPrefix(to, "/dev/") {
		return
	}
	path := l.full(c.dir, to)
	switch {
	case from != "":
		l.note(path, note{Did: brought, From: from})
	case !foreign:
		l.note(path, note{Did: wrote})
	}
}

// command judges what one command prints.
func (l *look) command(c *command) string {
	if len(c.args) == 0 || c.args[0] == "" || l.deep >= deepest {
		return ""
	}
	if in := c.inner(); in != nil {
		l.deep++
		defer func() { l.deep-- }()
		if from := l.command(in); from != "" {
			return from
		}
		if l.fromImage(c) != "" {
			return l.fromImage(c)
		}
		return ""
	}
	name := c.program()
	switch name {
	case "bash", "sh", "zsh", "dash", "ksh", "fish", "ash":
		return l.ofShell(c)
	case "eval":
		return l.commands(strings.Join(c.args[1:], " "), c.dir, c.vars)
	case "source", ".":
		if len(c.args) > 1 {
			return l.script(c, c.args[1], "sh")
		}
		return ""
	case "su", "script", "nix-shell", "vagrant", "wsl":
		if line := valueOf(c.args, "-c", "--command", "--run"); line != "" {
			return l.commands(line, c.dir, c.vars)
		}
	case "powershell", "pwsh":
		if line := valueOf(c.args, "-c", "-command", "-Command", "-C"); line != "" {
			return l.commands(line, c.dir, c.vars)
		}
	case "cmd":
		if len(c.args) > 2 {
			return l.commands(strings.Join(c.args[2:], " "), c.dir, c.vars)
		}
	case "find", "fd":
		return l.ofFind(c)
	case "tee":
		for _, to := range positional(c.args[1:], "") {
			l.goesTo(c, to, l.fedFrom(c), false)
		}
		return ""
	case "tar", "bsdtar", "unzip", "gunzip", "7z", "cpio":
		return l.unpacks(c)
	case "read", "mapfile", "readarray":
		if l.Files && len(c.reads) > 0 {
			return l.files(c.dir, c.reads...)
		}
		return ""
	case "cp", "mv", "install", "ln":
		l.copies(c)
		return ""
	}
	if slices.Contains(builders, name) {
		dir := c.dir
		if in := valueOf(c.args, "-C", "--directory", "--prefix", "--cwd", "--dir"); in != "" && !strings.Contains(in, unknown) {
			dir = l.full(dir, in)
		}
		if source := l.elsewhere(dir); source != "" {
			return source
		}
	}
	if lang := languageOf(name); lang != nil {
		return l.interpreted(c, lang)
	}
	if r, rest := rowOf(c.args); r != nil {
		return l.byRow(c, r, rest)
	}
	if from := l.byPlace(c); from != "" {
		return from
	}
	l.builds(c)
	if reader := readerOf(name); reader != nil {
		return l.readers(c, reader)
	}
	return ""
}

// builders run what lies in the directory where they are started.
var builders = []string{
	"make", "gmake", "just", "task", "go", "cargo", "npm", "pnpm", "yarn", "bun", "deno", "pytest", "tox", "nox", "mvn",
	"gradle", "sbt", "lein", "mix", "rake", "bundle", "composer", "dotnet", "swift", "zig", "cmake", "ninja", "bazel", "meson",
	"rspec", "phpunit", "jest", "vitest", "poetry", "uv", "hatch", "stack", "cabal", "dune", "flutter", "dart", "ant",
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
	if here := l.repository(filepath.Join(l.full(l.project(), "."), "x")); here != nil && here.common == r.common {
		return ""
	}
	return l.standingOf(r).source()
}

// fedFrom is where what a command is given in its pipe came from.
func (l *look) fedFrom(c *command) string {
	for _, before := range c.fed {
		if from := l.command(before); from != "" {
			return from
		}
	}
	return ""
}

// ofShell judges a shell that is run: its line, its script, or what it is given.
func (l *look) ofShell(c *command) string {
	for i, a := range c.args[1:] {
		if strings.HasPrefix(a, "-") && !strings.HasPrefix(a, "--") && strings.Contains(a, "c") {
			if i+2 < len(c.args) {
				return l.commands(c.args[i+2], c.dir, c.vars)
			}
			return ""
		}
	}
	if script := positional(c.args[1:], "-o -O --rcfile --init-file"); len(script) > 0 {
		return l.script(c, script[0], "sh")
	}
	if len(c.reads) > 0 {
		return l.script(c, c.reads[0], "sh")
	}
	return l.commands(c.here, c.dir, c.vars)
}

// valueOf is the argument behind one of some options.
func valueOf(args []string, options ...string) string {
	for i, a := range args {
		if slices.Contains(options, a) && i+1 < len(args) {
			return args[i+1]
		}
		for _, o := range options {
			if v, ok := strings.CutPrefix(a, o+"="); ok && strings.HasPrefix(o, "--") {
				return v
			}
		}
	}
	return ""
}

// positional are the arguments that are no option and no value of one.
func positional(args []string, values string) []string {
	taking := strings.Fields(values)
	var out []string
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a == "--":
			return append(out, args[i+1:]...)
		case slices.Contains(taking, a):
			i++
		case strings.HasPrefix(a, "-") && len(a) > 1:
		default:
			out = append(out, a)
		}
	}
	return out
}

// ofFind judges what find runs on the files that it finds.
func (l *look) ofFind(c *command) string {
	at := slices.IndexFunc(c.args, func(a string) bool {
		return slices.Contains([]string{"-exec", "-execdir", "-ok", "-x", "-X", "--exec", "--exec-batch"}, a)
	})
	if at < 0 || at+1 >= len(c.args) {
		return ""
	}
	in := *c
	in.args = nil
	for _, a := range c.args[at+1:] {
		if a == ";" || a == "+" {
			break
		}
		if a != "{}" {
			in.args = append(in.args, a)
		}
	}
	in.args = append(in.args, rootsOf(c)...)
	return l.command(&in)
}

// rootsOf are the directories that find looks through.
func rootsOf(c *command) []string {
	var out []string
	for _, a := range c.args[1:] {
		if strings.HasPrefix(a, "-") || a == "(" || a == "!" {
			break
		}
		out = append(out, a)
	}
	return out
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
	case r == nil && l.apart(full) != "", r != nil && vendored(r.root, full):
		return "program " + l.shown(word)
	case r == nil:
		return l.scriptText(c, full, lang)
	}
	if here := l.repository(filepath.Join(l.full(l.project(), "."), "x")); here == nil || here.common != r.common {
		return l.standingOf(r).source()
	}
	rel := within(r.root, full)
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
	text := beginning(full)
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

// builds notes the programs that a compiler makes of the project's sources: they are the project's.
func (l *look) builds(c *command) {
	if !l.Files || !slices.Contains([]string{"go", "gcc", "cc", "clang", "g++", "clang++", "rustc", "tsc", "ld", "zig"},
		c.program()) {
		return
	}
	if to := valueOf(c.args, "-o"); to != "" && !strings.Contains(to, unknown) {
		l.note(l.full(c.dir, to), note{Did: wrote})
	}
}

// unpacks notes what comes out of an archive that came from elsewhere, and judges what is printed of it.
func (l *look) unpacks(c *command) string {
	from := l.fedFrom(c)
	for _, a := range positional(c.args[1:], "-C -d --directory") {
		if from == "" && l.Files && !strings.Contains(a, unknown) && archive(a) && exists(l.full(c.dir, a)) {
			from = l.files(c.dir, a)
		}
	}
	if from == "" {
		return ""
	}
	into := valueOf(c.args, "-C", "-d", "--directory")
	if into == "" {
		into = "."
	}
	if prints := slices.ContainsFunc(c.args[1:], func(a string) bool {
		return a == "-p" || a == "-c" || a == "--to-stdout" || strings.HasPrefix(a, "-") && !strings.HasPrefix(a, "--") &&
			strings.Contains(a, "O")
	}); prints {
		return from
	}
	if l.Files && !strings.Contains(into, unknown) {
		l.note(l.full(c.dir, into), note{Did: brought, From: from})
	}
	return ""
}

// archive reports whether a name is one of an archive.
func archive(name string) bool {
	return slices.ContainsFunc([]string{".zip", ".tar", ".tgz", ".gz", ".bz2", ".xz", ".zst", ".7z", ".jar", ".whl", ".deb"},
		func(end string) bool { return strings.HasSuffix(strings.ToLower(name), end) })
}

// copies notes that a file which came from elsewhere lies in a second place.
func (l *look) copies(c *command) {
	args := positional(c.args[1:], "-t -m -o -g")
	if !l.Files || len(args) < 2 {
		return
	}
	to := args[len(args)-1]
	for _, a := range args[:len(args)-1] {
		if strings.Contains(a+to, unknown) {
			continue
		}
		was := l.noted(l.full(c.dir, a))
		target := l.full(c.dir, to)
		if isDir(target) {
			target = filepath.Join(target, filepath.Base(a))
		}
		switch {
		case was.own:
			l.note(target, note{Did: wrote})
		case was.from != "":
			l.note(target, note{Did: brought, From: was.from})
		}
	}
}
