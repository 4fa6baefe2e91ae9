package outside

import (
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
	if !l.Files || to == "" || strings.Contains(to, unknown) || ofMachine(to) {
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

// mostJudged is how many commands of one call are judged: a line may be made to have very many.
const mostJudged = 2000

// command judges what one command prints.
func (l *look) command(c *command) string {
	if from, ok := l.judged[c]; ok {
		return from
	}
	if len(c.args) == 0 || c.args[0] == "" || l.deep >= deepest || len(l.judged) >= mostJudged {
		return ""
	}
	if l.judged == nil {
		l.judged = map[*command]string{}
	}
	l.judged[c] = "" // until it is known
	from := l.prints(c)
	l.judged[c] = from
	return from
}

func (l *look) prints(c *command) string {
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
		in := valueOf(c.args, "-C", "--directory", "--prefix", "--cwd", "--dir")
		if in != "" && !strings.Contains(in, unknown) {
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
