package outside

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// fetchValues are options of programs that fetch which take a value that is no address.
var fetchValues = map[string]string{
	"curl": "-A -b -c -C -d -D -e -E -F -H -m -o -P -Q -r -t -T -u -U -w -X -y -Y -z --user-agent --cookie --cookie-jar " +
		"--data --data-raw --data-binary --data-urlencode --data-ascii --json --dump-header --referer --cert --key --cacert " +
		"--capath --form --header --max-time --output --output-dir --range --upload-file --user --write-out --request " +
		"--connect-timeout --retry --retry-delay --retry-max-time --limit-rate --interface --ciphers --tls-max --oauth2-bearer " +
		"--unix-socket --abstract-unix-socket --max-redirs --max-filesize --variable --expand-url --aws-sigv4 --form-string " +
		"--trace --trace-ascii --stderr --parallel-max --keepalive-time --speed-limit --speed-time --etag-save --etag-compare",
	"wget": "-O -o -a -P -U -e -t -T -w -Q -l -A -R -D -X -I --output-document --output-file --directory-prefix --header " +
		"--user-agent --post-data --post-file --method --body-data --timeout --tries --wait --level --user --password " +
		"--load-cookies --save-cookies --referer --accept --reject --domains --limit-rate",
	"http": "-a --auth -o --output --timeout --session -A --auth-type --verify --cert", "dig": "-t -p -c -f -q",
	"xh": "-a --auth -o --output --timeout --session", "nc": "-w -p -s -i -X", "ncat": "-w -p -s -i",
	"aria2c": "-o -d -x -s -j --out --dir --header", "lynx": "-width -useragent", "w3m": "-T -cols -o",
}

// through are options of curl whose value is where it really asks.
var through = []string{"-x", "--proxy", "--connect-to", "--resolve", "--socks5", "--socks5-hostname", "--preproxy"}

// byRow judges a program of the table.
func (l *look) byRow(c *command, r *row, rest []string) string {
	from := ""
	switch r.prints {
	case pages:
		from = l.pages(c, r, rest)
	case strangers:
		if !onlyHelp(rest) {
			from = r.words
			if more := rest[optionsBefore(r.words, rest):]; (r.words == "gh" || r.words == "glab") && len(more) > 1 {
				from += " " + more[0] + " " + more[1]
			}
		}
	case client:
		from = l.client(r, rest)
	case notes:
		if hasNotes(l.call.Output) {
			from = r.words
		}
	case revisions:
		from = l.revisions(c, r, rest)
	case modules:
		from = l.ofModule(c, r, rest)
	case installed:
		from = l.installed(c, r, rest)
	}
	if r.brings {
		l.brought(c, r, rest, from)
	}
	return from
}

// onlyHelp reports whether a program is only asked for its own manual or version.
func onlyHelp(rest []string) bool {
	return slices.ContainsFunc(rest, func(a string) bool { return a == "--help" || a == "--version" || a == "-h" })
}

// pages judges a program by its addresses: it is inside where all of them are.
func (l *look) pages(c *command, r *row, rest []string) string {
	name := programName(r.words)
	for i, a := range rest {
		if slices.Contains(through, a) && i+1 < len(rest) {
			parts := strings.Split(rest[i+1], ":")
			if strings.Contains(rest[i+1], "://") {
				parts = []string{hostOf(rest[i+1])}
			}
			for _, part := range parts {
				if strings.Contains(part, ".") && !insideHost(hostOf(part)) {
					return name + " " + hostOf(part)
				}
			}
		}
		if (a == "-K" || a == "--config" || a == "-i" && name == "wget" || a == "--input-file") && i+1 < len(rest) {
			return name + " " + rest[i+1]
		}
	}
	found := false
	args := positional(apart(name, rest), fetchValues[name]+" "+strings.Join(through, " "))
	for i, a := range rest { // --url=…
		if v, ok := strings.CutPrefix(a, "--url="); ok {
			args = append(args, v)
		} else if a == "--url" && i+1 < len(rest) {
			args = append(args, rest[i+1])
		}
	}
	for _, a := range args {
		a = strings.TrimPrefix(a, "-connect")
		switch {
		case name == "http" || name == "https" || name == "xh" || name == "xhs" || name == "httpie":
			if strings.HasPrefix(a, ":") && !strings.Contains(a, "=") { // :3000/path is localhost
				found = true
				continue
			}
			if strings.ContainsAny(a, "=") && !strings.Contains(a, "://") || strings.ToUpper(a) == a && len(a) < 8 {
				continue
			}
		case name == "nc" || name == "ncat" || name == "netcat" || name == "telnet" || name == "finger" || name == "dig" ||
			name == "nslookup" || name == "ftp":
			if strings.Trim(a, "0123456789-") == "" || strings.HasPrefix(a, "+") || strings.ToUpper(a) == a {
				continue // a port, a type of record
			}
			a = strings.TrimPrefix(a, "@")
			if strings.Contains(a, "/") || !addressLike(a) && strings.ContainsAny(a, " =") {
				continue
			}
			if strings.Contains(a, ".") || strings.Contains(a, unknown) {
				if !insideHost(hostOf(a)) {
					return nameWith(name, hostOf(a))
				}
			}
			found = true
			continue
		}
		if !addressLike(a) {
			continue
		}
		found = true
		if !insideAddress(a) {
			return nameWith(name, hostOf(a))
		}
	}
	if !found && l.handedAddress(c) {
		return name
	}
	return ""
}

// handedAddress reports whether a program gets its addresses from a list before it.
func (l *look) handedAddress(c *command) bool { return c.handed }

func nameWith(name, host string) string {
	if strings.Contains(host, unknown) {
		return name
	}
	return name + " " + host
}

// apart are arguments in which letters that are written together are by themselves: -so FILE is -s -o FILE.
func apart(name string, args []string) []string {
	if name != "curl" && name != "wget" {
		return args
	}
	taking := strings.Fields(fetchValues[name])
	var out []string
	for _, a := range args {
		if len(a) < 3 || a[0] != '-' || a[1] == '-' {
			out = append(out, a)
			continue
		}
		for i := 1; i < len(a); i++ {
			out = append(out, "-"+a[i:i+1])
			if slices.Contains(taking, "-"+a[i:i+1]) {
				if i+1 < len(a) {
					out = append(out, a[i+1:])
				}
				break
			}
		}
	}
	return out
}

// client judges a program that asks a server, by the server where it is named.
func (l *look) client(r *row, rest []string) string {
	var named []string
	for i, a := range rest {
		switch {
		case (a == "-h" || a == "--host" || a == "-H" || a == "-b") && i+1 < len(rest):
			named = append(named, rest[i+1])
		case strings.HasPrefix(a, "--host="):
			named = append(named, strings.TrimPrefix(a, "--host="))
		case strings.HasPrefix(a, "-h") && len(a) > 3 && r.words != "ssh":
			named = append(named, a[2:])
		case strings.Contains(a, "://"):
			named = append(named, a)
		}
		for _, word := range strings.Fields(a) {
			if host, ok := strings.CutPrefix(word, "host="); ok {
				named = append(named, host)
			}
		}
	}
	if r.words == "ssh" || r.words == "mosh" || r.words == "sftp" {
		const values = "-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w"
		if args := positional(rest, values); len(args) > 0 {
			named = args[:1]
		}
	}
	for _, a := range named {
		if host := hostOf(a); !strings.Contains(host, unknown) && !insideHost(host) && strings.ContainsAny(host, ".:") {
			return r.words + " " + host
		}
	}
	return ""
}

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

// revisions judges what git prints of revisions: of a clone, of the branch that is checked out, or of those named.
func (l *look) revisions(c *command, r *row, rest []string) string {
	if !l.Files {
		return ""
	}
	dir := c.dir
	if in := valueOf(c.args[:len(c.args)-len(rest)], "-C"); in != "" && !strings.Contains(in, unknown) {
		dir = l.full(dir, in)
	}
	repo := l.repository(filepath.Join(l.full(dir, "."), "x"))
	if slices.Contains(rest, "--no-index") {
		return l.files(dir, positional(rest, "")...)
	}
	if repo == nil {
		return ""
	}
	s := l.standingOf(repo)
	if s.Clone != "" {
		return s.source()
	}
	var named []string
	for _, a := range rest {
		if a == "--" {
			break
		}
		if a == "--all" || a == "--remotes" || a == "--branches" {
			named = append(named, a)
		}
		if strings.HasPrefix(a, "-") || strings.Contains(a, unknown) || strings.ContainsAny(a, " *") {
			continue
		}
		for _, one := range strings.Split(strings.ReplaceAll(a, "...", ".."), "..") {
			one, _, _ = strings.Cut(strings.TrimLeft(one, "^"), ":")
			if base := strings.TrimRight(strings.SplitN(one, "~", 2)[0], "^"); base == "" || base == "HEAD" || base == "@" {
				continue
			}
			if !exists(filepath.Join(dir, one)) || refExists(repo, one) {
				named = append(named, one)
			}
		}
	}
	if len(named) == 0 {
		if s.Of != "" {
			return s.source()
		}
		return ""
	}
	mine, ok := repo.addresses(l.Known)
	if !ok || len(mine) == 0 {
		return ""
	}
	for _, one := range named[:min(len(named), 3)] {
		if repo.ofOthers(mine, one) {
			return "branch " + strings.TrimLeft(one, "-") + " of others"
		}
	}
	return ""
}

func refExists(r *repository, name string) bool {
	for _, under := range []string{"refs/heads", "refs/remotes", "refs/tags", "."} {
		if exists(filepath.Join(r.common, filepath.FromSlash(under), filepath.FromSlash(name))) {
			return true
		}
	}
	return false
}

// installed judges a program of a package: a tool of the project itself is inside.
func (l *look) installed(c *command, r *row, rest []string) string {
	args := positional(rest, "-p --package -c --call --from --with --python -w")
	if len(args) == 0 {
		return ""
	}
	if r.words == "go run" && !strings.Contains(args[0], "@") {
		return "" // of this module, or of one that it names
	}
	if !l.Files || r.words == "go run" {
		return r.words + " " + args[0]
	}
	name := args[0]
	for dir := l.full(c.dir, "."); ; dir = filepath.Dir(dir) {
		if exists(filepath.Join(dir, "node_modules", ".bin", name)) {
			return ""
		}
		for _, manifest := range []string{"package.json", "pyproject.toml"} {
			if strings.Contains(beginning(filepath.Join(dir, manifest)), `"`+packageName(name)) {
				return ""
			}
		}
		if exists(filepath.Join(dir, ".git")) || dir == filepath.Dir(dir) {
			return r.words + " " + args[0]
		}
	}
}

// ofModule judges what is said of a module of Go: this one, or another's.
func (l *look) ofModule(c *command, r *row, rest []string) string {
	args := positional(rest, "")
	if len(args) == 0 {
		return ""
	}
	first, _, below := strings.Cut(args[0], "/")
	if !below || !strings.Contains(first, ".") || strings.HasPrefix(first, ".") {
		return "" // of the standard library, or from here
	}
	for dir := l.full(c.dir, "."); l.Files; dir = filepath.Dir(dir) {
		for line := range strings.Lines(beginning(filepath.Join(dir, "go.mod"))) {
			if own, ok := strings.CutPrefix(strings.TrimSpace(line), "module "); ok && strings.HasPrefix(args[0], own) {
				return ""
			}
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	return r.words + " " + args[0]
}

// packageName is a package without its version: "@a/b" of "@a/b@1.2".
func packageName(word string) string {
	if at := strings.LastIndexByte(word, '@'); at > 0 {
		return word[:at]
	}
	return word
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
	args := positional(apart(name, rest), fetchValues[name]+" -b --branch --depth -o --origin -P -i -F -e --exclude --include")
	note := func(path string) {
		if path == "" || path == "-" || strings.Contains(path, unknown) || strings.HasPrefix(path, "/dev/") {
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
