package hosts

import (
	"encoding/json"
	"path"
	"slices"
	"strings"
)

// Files that hold secrets by their nature: what a tool read of them, or wrote to them, is
// not kept, whatever the words look like.
var (
	guardedNames = []string{
		".env", ".envrc", ".netrc", "_netrc", ".pgpass", ".npmrc", ".pypirc", ".git-credentials", ".htpasswd",
		".vault-token", ".my.cnf", "credentials", "credentials.json", "credentials.yaml", "credentials.yml",
		"credentials.toml", "credentials.xml", "credentials.csv", "credentials.ini", "secrets.yaml", "secrets.yml",
		"secrets.json", "secrets.toml", "terraform.tfstate", "shadow", "client_secret.json",
	}
	guardedEnds = []string{
		".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".ppk", ".tfvars",
	}
	guardedPlaces = []string{".aws/credentials", ".docker/config.json", ".kube/config", ".ssh/"}

	// what is made to be shown
	shownEnds = []string{
		".pub", ".example", ".sample", ".template", ".dist", ".md", "/known_hosts", ".ssh/config",
		"/authorized_keys", ".pub.pem", ".schema.json",
	}
	privateKeys = []string{"id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_ecdsa_sk", "id_ed25519_sk", "id_xmss"}
)

// guarded reports whether a path leads to a file that holds secrets by its nature. Sure says
// that it is a path; otherwise it is a word of a command.
func guarded(name string, sure bool) bool {
	name = strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(name, "@"), `\`, "/"))
	if guardedGlob(path.Base(name)) {
		return true
	}
	name = strings.TrimRight(name, "*?")
	for _, end := range shownEnds {
		if strings.HasSuffix(name, end) || strings.Contains(name, end+".") && strings.HasPrefix(path.Base(name), ".env") {
			return false
		}
	}
	base := path.Base(name)
	sure = sure || strings.Contains(name, "/")
	switch {
	case strings.HasPrefix(base, ".env.") || slices.Contains(privateKeys, base):
		return true
	case strings.HasPrefix(base, "id_") && sure && !strings.Contains(base, "."):
		return true
	case slices.Contains(guardedNames, base):
		return sure || strings.ContainsAny(base, ".")
	}
	for _, place := range guardedPlaces {
		if strings.Contains("/"+name, "/"+place) {
			return true
		}
	}
	return slices.ContainsFunc(guardedEnds, func(end string) bool {
		return strings.HasSuffix(base, end) && len(base) > len(end)
	})
}

// guardedGlob reports whether a shell's pattern finds such a file. One that says almost
// nothing of a name ("*", ".*") is for others.
func guardedGlob(pattern string) bool {
	const said = 2 // letters before what stands for any
	if at := strings.IndexAny(pattern, "*?["); at < said {
		return false
	}
	return slices.ContainsFunc(slices.Concat(guardedNames, privateKeys), func(name string) bool {
		ok, err := path.Match(pattern, name)
		return ok && err == nil
	})
}

// members of a tool's input that name files, and those that are commands.
var (
	pathMembers = []string{
		"file_path", "filePath", "absolute_path", "path", "paths", "file", "files", "filename", "notebook_path",
		"target_file", "uri",
	}
	commandMembers = []string{"command", "cmd", "script", "input", "patch", "args", "arguments", "argv"}
)

// guardedIn returns the first file that holds secrets by its nature of those that a tool was
// called for, "" for none.
func guardedIn(input json.RawMessage) string {
	var object fields
	var words string
	if json.Unmarshal(input, &object) != nil {
		if json.Unmarshal(input, &words) != nil {
			return ""
		}
		object = fields{"command": input} // a patch or a command by itself
	}
	for _, name := range pathMembers {
		if found := firstGuarded(object[name], true); found != "" {
			return found
		}
	}
	for _, name := range commandMembers {
		if found := firstGuarded(object[name], false); found != "" {
			return found
		}
	}
	return ""
}

func firstGuarded(raw json.RawMessage, sure bool) string {
	var one string
	var list []string
	if json.Unmarshal(raw, &one) == nil {
		list = []string{one}
	} else if json.Unmarshal(raw, &list) != nil {
		return ""
	}
	for _, s := range list {
		if sure {
			if guarded(strings.TrimPrefix(s, "file://"), true) {
				return s
			}
			continue
		}
		if name := guardedWord(s); name != "" {
			return name
		}
	}
	return ""
}

// guardedWord looks for such a file in a command or a patch.
func guardedWord(command string) string {
	seen := 0
	for line := range strings.Lines(command) {
		if name, ok := patchedFile(line); ok && guarded(name, true) {
			return name
		}
		for _, word := range strings.FieldsFunc(line, splitsWords) {
			if seen++; seen > mostPaths {
				return ""
			}
			if guarded(word, false) {
				return word
			}
		}
	}
	return ""
}

// guardedCall is what is kept of a call for such a file: the first line of a command, and the
// file otherwise, but not what was to be written.
func guardedCall(name, file string, input json.RawMessage) string {
	var object fields
	_ = json.Unmarshal(input, &object)
	command, _, _ := strings.Cut(object.text("command", "cmd"), "\n")
	if command == "" || strings.HasPrefix(command, "***") {
		command = file
	}
	return name + ": " + command
}

// guardedNote replaces what a tool gave.
func guardedNote(file string) string {
	return "[not kept: " + path.Base(strings.ReplaceAll(file, `\`, "/")) + " may hold secrets]"
}

// noNews reports whether a call says nothing of the work: it asks stemma, whose answers are
// memory already, or the host for a list of its tools.
func noNews(name string) bool {
	lower := strings.ToLower(name)
	return ownTool(lower) || lower == "toolsearch" || lower == "tool_search"
}
