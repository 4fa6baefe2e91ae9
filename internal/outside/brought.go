package outside

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// hasNotes reports whether progress holds words that others wrote: what a server of git says, why a package is
// deprecated.
func hasNotes(output string) bool {
	for line := range strings.Lines(output) {
		line = strings.TrimSpace(line)
		if said, ok := strings.CutPrefix(line, "remote: "); ok {
			first, _, _ := strings.Cut(strings.TrimSpace(said), " ")
			if !slices.Contains([]string{"", "Enumerating", "Counting", "Compressing", "Total", "Resolving"}, first) {
				return true
			}
		}
		lower := strings.ToLower(line)
		if strings.HasPrefix(lower, "npm warn deprecated") || strings.HasPrefix(lower, "warn deprecated") ||
			strings.Contains(lower, "yanked") && strings.Contains(lower, "reason") {
			return true
		}
	}
	return false
}

// fromImage judges a container that runs a program which fetches: curlimages/curl.
func (l *look) fromImage(c *command) string {
	if name := c.program(); name != "docker" && name != "podman" || !slices.Contains(c.args, "run") {
		return ""
	}
	for i, a := range c.args {
		base, _, _ := strings.Cut(path.Base(a), ":")
		if r, _ := rowOf([]string{base}); i > 1 && r != nil && r.prints == pages && (strings.Contains(a, "/") || a == base) {
			return l.pages(c, r, c.args[i+1:])
		}
	}
	return ""
}

// brought notes the files that a program brings from elsewhere.
func (l *look) brought(c *command, r *row, rest []string, from string) {
	if !l.Files {
		return
	}
	name, _, _ := strings.Cut(r.words, " ")
	source := from
	const values = " -b --branch --depth -o --origin -P -i -F -e --exclude --include"
	args := positional(apart(name, rest), fetchValues[name]+values)
	note := func(path string) {
		if path == "" || path == "-" || strings.Contains(path, unknown) || ofMachine(path) {
			return
		}
		said := source
		if said == "" {
			said = r.words
		}
		l.note(l.full(c.dir, path), note{Did: brought, From: said})
	}
	switch r.words {
	case "curl":
		if l.pages(c, r, rest) == "" {
			return // of this machine
		}
		note(joined(valueOf(rest, "--output-dir"), glued(rest, "-o", "--output")))
		for _, a := range rest {
			if a == "--remote-name" || strings.HasPrefix(a, "-") && !strings.HasPrefix(a, "--") && strings.Contains(a, "O") {
				for _, address := range args {
					note(path.Base(shortAddress(address)))
				}
			}
		}
	case "wget", "wget2", "aria2c", "iwr", "invoke-webrequest":
		if l.pages(c, r, rest) == "" {
			return
		}
		into := valueOf(rest, "-P", "--directory-prefix", "-d", "--dir")
		if to := glued(rest, "-O", "--output-document", "-o", "--out", "-OutFile"); to != "" {
			note(joined(into, to))
			return
		}
		for _, address := range args {
			note(joined(into, path.Base(shortAddress(address))))
		}
	case "scp", "rsync":
		if len(args) < 2 {
			return
		}
		for _, a := range args[:len(args)-1] {
			if host, _, ok := strings.Cut(a, ":"); ok && !strings.Contains(host, "/") {
				source = r.words + " " + hostOf(host)
				note(args[len(args)-1])
			}
		}
	default: // clone ADDRESS [DIR], download …
		if len(args) == 0 {
			return
		}
		source = "clone of " + remoteName(args[0])
		if r.words != "git clone" && r.words != "gh repo clone" {
			source = r.words + " " + args[0]
		}
		to := strings.TrimSuffix(path.Base(strings.TrimSuffix(args[0], "/")), ".git")
		if len(args) > 1 {
			to = args[len(args)-1]
		}
		if into := valueOf(rest, "-d", "-D", "--dest", "--dir", "--local-dir"); into != "" {
			to = into
		}
		if local := l.full(c.dir, args[0]); strings.HasSuffix(r.words, "clone") && exists(local) {
			return // a repository of this machine
		}
		note(to)
	}
}

// glued is the value of an option, behind it or in the same word: -o FILE, -oFILE, -qO-.
func glued(args []string, short string, long ...string) string {
	if v := valueOf(args, append(long, short)...); v != "" {
		return v
	}
	letter := strings.TrimPrefix(short, "-")
	for i, a := range args {
		if !strings.HasPrefix(a, "-") || strings.HasPrefix(a, "--") {
			continue
		}
		if at := strings.Index(a, letter); at > 0 && len(letter) == 1 {
			if rest := a[at+1:]; rest != "" {
				return rest
			}
			if i+1 < len(args) {
				return args[i+1]
			}
		}
	}
	return ""
}

func joined(dir, file string) string {
	if dir == "" || file == "" || filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(dir, file)
}
