package secrets

import "bytes"

const (
	commandBytes = 256 // of a command line before a flag
	netrcBytes   = 256
)

// logins are commands with a flag -u NAME:PASSWORD, passers those with a flag for the password, and gluers those
// whose flag and password are one word: with a blank between them the word is something else.
var (
	logins  = []string{"curl", "http", "wget"}
	gluers  = []string{"mysql", "mysqldump", "mysqladmin", "mariadb", "mariadb-dump", "7z"}
	passers = map[string][]string{
		" -p": {
			"sshpass", "docker login", "podman login", "helm registry login", "az login", "mongo", "mongosh", "mongodump",
		},
		" -a": {"redis-cli"},
		" -w": {"ldapsearch", "ldapadd", "ldapmodify", "ldapwhoami", "ldapdelete"},
		" -P": {"sqlcmd", "bcp", "mosquitto_pub", "mosquitto_sub", "zip", "unzip", "ipmitool"},
	}
)

// lookUser finds the password in curl -u NAME:PASSWORD.
func lookUser(s *scanner, at, length int) (start, end int, ok bool) {
	if !onLineOf(s.text, at, logins) {
		return 0, 0, false
	}
	start, end = argument(s.text, at+length)
	colon := bytes.IndexByte(s.text[start:end], ':')
	if colon < 0 {
		return 0, 0, false
	}
	start += colon + 1
	return start, end, end-start >= urlPassword && !placeholder(s.text[start:end])
}

// lookPass finds the password in sshpass -p PASSWORD and mysql -pPASSWORD.
func lookPass(s *scanner, at, length int) (start, end int, ok bool) {
	flag := string(s.text[at : at+length])
	glued := flag == " -p" && at+length < len(s.text) && s.text[at+length] != ' '
	if !(glued && onLineOf(s.text, at, gluers)) && !onLineOf(s.text, at, passers[flag]) {
		return 0, 0, false
	}
	start, end = argument(s.text, at+length)
	return start, end, end-start >= urlPassword && !placeholder(s.text[start:end])
}

// onLineOf says that one of the commands stands before at on the same line.
func onLineOf(text []byte, at int, commands []string) bool {
	line := text[max(0, at-commandBytes):at]
	if i := bytes.LastIndexAny(line, "\n;|\x00"); i >= 0 {
		line = line[i+1:]
	}
	for _, c := range commands {
		for rest := line; ; {
			i := bytes.Index(rest, []byte(c))
			if i < 0 {
				break
			}
			from := len(line) - len(rest) + i
			end := from + len(c)
			if (from == 0 || !named(line[from-1])) && (end == len(line) || line[end] == ' ') {
				return true
			}
			rest = line[end:]
		}
	}
	return false
}

// argument is the span of a flag's value, without its quotes.
func argument(text []byte, at int) (start, end int) {
	start = run(text[:min(len(text), at+2)], at, func(c byte) bool { return c == ' ' || c == '=' })
	if start < len(text) && (text[start] == '\'' || text[start] == '"') {
		quote := text[start]
		start++
		return start, run(text, start, func(c byte) bool { return c != quote && c != '\n' && c != gone })
	}
	return start, run(text, start, func(c byte) bool {
		return !blank(c) && bytes.IndexByte([]byte("'\"`;|\\"), c) < 0
	})
}

// lookNetrc finds the password of a .netrc entry, on one line or several.
func lookNetrc(s *scanner, at, length int) (start, end int, ok bool) {
	start = run(s.text, at+length, func(c byte) bool { return blank(c) && c != gone })
	if start == at+length {
		return 0, 0, false
	}
	low := max(0, at-netrcBytes)
	before := s.text[low:at]
	if i := bytes.LastIndexByte(before, gone); i >= 0 {
		before = before[i+1:]
	}
	words := bytes.Fields(bytes.ReplaceAll(before, []byte(`\n`), []byte(" ")))
	n := len(words)
	login := n >= 3 && string(words[n-2]) == "login" && (lastWord(words[n-3], "default") || n >= 4 &&
		lastWord(words[n-4], "machine"))
	if !login && !(n >= 2 && lastWord(words[n-2], "machine") && bytes.IndexByte(words[n-1], '.') > 0) {
		return 0, 0, false
	}
	end = run(s.text, start, func(c byte) bool { return !blank(c) && c != '"' && c != '\\' })
	return start, end, end-start >= urlPassword && !placeholder(s.text[start:end])
}

// lastWord says that b ends with a word, after nothing or what is no letter.
func lastWord(b []byte, word string) bool {
	rest, ok := bytes.CutSuffix(b, []byte(word))
	return ok && (len(rest) == 0 || !wordly(rest[len(rest)-1]))
}
