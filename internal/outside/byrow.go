package outside

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/git"
)

// fetchValues are options of programs that fetch which take a value that is no address.
var fetchValues = map[string]string{
	"curl": `-A -b -c -C -d -D -e -E -F -H -m -o -P -Q -r -t -T -u -U -w -X -y -Y -z --user-agent --cookie
			--cookie-jar --data --data-raw --data-binary --data-urlencode --data-ascii --json --dump-header --referer
			--cert --key --cacert --capath --form --header --max-time --output --output-dir --range --upload-file
			--user --write-out --request --connect-timeout --retry --retry-delay --retry-max-time --limit-rate
			--interface --ciphers --tls-max --oauth2-bearer --unix-socket --abstract-unix-socket --max-redirs
			--max-filesize --variable --expand-url --aws-sigv4 --form-string --trace --trace-ascii --stderr
			--parallel-max --keepalive-time --speed-limit --speed-time --etag-save --etag-compare`,
	"wget": `-O -o -a -P -U -e -t -T -w -Q -l -A -R -D -X -I --output-document --output-file --directory-prefix
			--header --user-agent --post-data --post-file --method --body-data --timeout --tries --wait --level
			--user --password --load-cookies --save-cookies --referer --accept --reject --domains --limit-rate`,
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
		if (r.prints == inside || r.prints == notes) && toOutput(rest) {
			from = r.words
		}
		l.brought(c, r, rest, from)
	}
	return from
}

// toOutput reports whether a program that brings a file puts it into its output: `aws s3 cp s3://bucket/a -`.
func toOutput(rest []string) bool {
	args := positional(rest, optionValues["aws"])
	return len(args) > 1 && (args[len(args)-1] == "-" || args[len(args)-1] == "/dev/stdout")
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
			if strings.Contains(git.Beginning(filepath.Join(dir, manifest)), `"`+packageName(name)) {
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
		for line := range strings.Lines(git.Beginning(filepath.Join(dir, "go.mod"))) {
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
