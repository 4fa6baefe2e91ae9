package outside

import (
	"os"
	"slices"
	"strings"
)

// A language is one whose programs an interpreter is given on its line.
type language struct {
	names   string
	code    string   // options whose value is a program
	values  string   // other options that take a value
	network []string // what a program says that asks another machine
	starts  []string // what it says that starts another program
	bundled bool     // -wne is -w -n -e
}

var languages = []language{
	{
		names: "python python2 python3 pypy pypy3 ipython py", code: "-c", values: "-m -W -X",
		network: []string{
			"urllib.request", "urlopen", "urlretrieve", "urllib2", "urllib3", "requests.", "import requests", "from requests",
			"httpx", "aiohttp", "http.client", "httplib", "socket.", "ftplib", "smtplib", "imaplib", "poplib", "telnetlib",
			"paramiko", "feedparser", "BeautifulSoup(requests", "websocket", "xmlrpc.client", "pycurl", "boto3", "yt_dlp",
			"huggingface_hub", "selenium", "playwright",
		},
		starts: []string{"subprocess", "os.system", "os.popen", "os.exec", "pty.spawn"},
	},
	{
		names: "node nodejs deno bun tsx ts-node", code: "-e -p --eval --print -pe", values: "-r --require --import --loader",
		network: []string{
			"fetch(", "http.get", "https.get", "http.request", "https.request", "axios", "undici", "node-fetch", "got(",
			"superagent", "XMLHttpRequest", "WebSocket(", "net.connect", "net.createConnection", "tls.connect", "http2.connect",
			"require('https')", `require("https")`, "require('http')", `require("http")`, "node:https", "node:http",
			"puppeteer", "playwright",
		},
		starts: []string{"child_process", "execSync", "Bun.spawn", "Deno.Command", "Deno.run"},
	},
	{
		names: "ruby irb", code: "-e", values: "-r -I",
		network: []string{
			"net/http", "Net::HTTP", "open-uri", "URI.open", "URI.parse", "TCPSocket", "HTTParty", "Faraday", "RestClient",
			"open-uri", "Net::FTP", "Net::IMAP",
		},
		starts:  []string{"system(", "system ", "`", "exec(", "IO.popen", "%x"},
		bundled: true,
	},
	{
		names: "perl", code: "-e -E", values: "-I -M",
		network: []string{"LWP", "HTTP::Tiny", "IO::Socket", "Mojo::UserAgent", "WWW::Mechanize", "Net::FTP"},
		starts:  []string{"system(", "system ", "`", "qx", "exec("},
		bundled: true,
	},
	{
		names: "php", code: "-r", values: "-d -c",
		network: []string{
			"curl_", "file_get_contents('http", `file_get_contents("http`, "fsockopen", "fopen('http", `fopen("http`, "Guzzle",
			"readfile('http", `readfile("http`, "copy('http", `copy("http`,
		},
		starts: []string{"shell_exec", "exec(", "passthru", "system(", "`"},
	},
	{
		names: "lua luajit", code: "-e", values: "-l",
		network: []string{"socket.http", "ssl.https", "require'socket", `require("socket`, "require('socket"},
		starts:  []string{"os.execute", "io.popen"},
	},
	{
		names: "rscript r", code: "-e", values: "",
		network: []string{"httr", "curl::", "download.file", "url(", "readLines('http", `readLines("http`, "read.csv('http"},
		starts:  []string{"system("},
	},
	{
		names: "osascript", code: "-e", values: "-l",
		network: []string{"URL of", "application \"Mail\"", "application \"Safari\""},
		starts:  []string{"do shell script"},
	},
}

func languageOf(name string) *language {
	for i := range languages {
		names := strings.Fields(languages[i].names)
		if slices.Contains(names, name) {
			return &languages[i]
		}
		// python3.12
		if at := strings.LastIndexByte(name, '.'); at > 0 && slices.Contains(names, name[:at]) &&
			strings.Trim(name[at+1:], "0123456789") == "" {
			return &languages[i]
		}
	}
	return nil
}

// interpreted judges what an interpreter runs: a program on its line or on its input, a module, or a script.
func (l *look) interpreted(c *command, lang *language) string {
	codes := strings.Fields(lang.code)
	args := c.args[1:]
	name := c.program()
	if len(args) > 0 && (name == "deno" || name == "bun") {
		switch args[0] {
		case "run", "test", "eval", "exec":
			if args[0] == "eval" && len(args) > 1 {
				return l.code(c, lang, args[1])
			}
			args = args[1:]
		case "x", "info", "pm", "install", "add":
			if r, rest := rowOf(c.args); r != nil {
				return l.byRow(c, r, rest)
			}
			return ""
		}
	}
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case slices.Contains(codes, a) || lang.bundled && bundledCode(a):
			if i+1 < len(args) {
				return l.code(c, lang, strings.Join(args[:i+2], " ")) // -MLWP::Simple is a word of the program too
			}
			return ""
		case a == "-m" && i+1 < len(args): // a module of Python runs as the program of its name
			in := *c
			in.args = args[i+1:]
			if r, rest := rowOf(in.args); r != nil {
				return l.byRow(&in, r, rest)
			}
			return ""
		case a == "-" || a == "/dev/stdin":
			return l.code(c, lang, c.here)
		case strings.HasPrefix(a, "--") && slices.Contains(codes, strings.SplitN(a, "=", 2)[0]):
			return l.code(c, lang, strings.SplitN(a, "=", 2)[1])
		case slices.Contains(strings.Fields(lang.values), a):
			i++
		case strings.HasPrefix(a, "-"):
		default:
			return l.script(c, a, name)
		}
	}
	return l.code(c, lang, c.here)
}

// bundledCode reports whether options written as one end in the one whose value is a program.
func bundledCode(a string) bool {
	return len(a) > 2 && a[0] == '-' && (a[len(a)-1] == 'e' || a[len(a)-1] == 'E') &&
		strings.Trim(a[1:], "0123456789acilnpswEe") == ""
}

// code judges a program by its words: it asks another machine, or starts a program that does.
func (l *look) code(c *command, lang *language, code string) string {
	if code == "" {
		return ""
	}
	has := func(list []string) bool {
		return slices.ContainsFunc(list, func(s string) bool { return strings.Contains(code, s) })
	}
	if has(lang.network) {
		addresses := addressesIn(code)
		for _, a := range addresses {
			if !insideAddress(a) {
				return c.program() + " " + hostOf(a)
			}
		}
		if len(addresses) == 0 && !namesInside(code) {
			return c.program() + " with a program that fetches"
		}
	}
	words := literals(code)
	if from := l.opens(c, words); from != "" {
		return from
	}
	if !has(lang.starts) {
		return ""
	}
	for _, w := range words {
		if from := l.commands(w, c.dir, nil); from != "" {
			return from
		}
	}
	// ["curl", "-s", "https://example.org"]
	for i, w := range words {
		if r, _ := rowOf([]string{w}); r != nil && r.prints != inside && !strings.ContainsAny(w, " \n") {
			if from := l.command(&command{args: words[i:], dir: c.dir}); from != "" {
				return from
			}
		}
	}
	return ""
}

// opens judges the files that a program names: those that are there and that it does not write.
func (l *look) opens(c *command, words []string) string {
	if !l.Files {
		return ""
	}
	var out []string
	for i, w := range words {
		if len(w) > 1024 || strings.ContainsAny(w, "\n\x00") || !strings.ContainsAny(w, "./") {
			continue
		}
		writes := i+1 < len(words) && slices.Contains([]string{"w", "a", "x", "wb", "ab", "w+", "wt", "r+"}, words[i+1])
		if full := l.full(c.dir, w); writes {
			l.note(full, note{Did: wrote})
		} else if info, err := os.Stat(full); err == nil && info.Mode().IsRegular() {
			out = append(out, w)
		}
	}
	return l.files(c.dir, out...)
}

// namesInside reports whether a program that names no address names this machine.
func namesInside(code string) bool {
	return slices.ContainsFunc(literals(code), func(w string) bool {
		host := hostOf(w)
		return host == "localhost" || strings.HasPrefix(host, "127.") || host == "::1" || host == "0.0.0.0"
	})
}

// literals are the strings in quotes in a program.
func literals(code string) []string {
	const most = 100
	var out []string
	for i := 0; i < len(code) && len(out) < most; i++ {
		quote := code[i]
		if quote != '\'' && quote != '"' && quote != '`' {
			continue
		}
		end := i + 1
		for end < len(code) && code[end] != quote && code[end] != '\n' {
			if code[end] == '\\' {
				end++
			}
			end++
		}
		if end < len(code) && code[end] == quote {
			if end > i+1 {
				out = append(out, code[i+1:end])
			}
			i = end
		}
	}
	return out
}
