package outside

import "encoding/json"

// A Call is one use of a tool.
type Call struct {
	Host, Tool string
	Server     string          // the MCP server that has the tool, where a host says so by itself
	Input      json.RawMessage // what the tool was asked
	Result     json.RawMessage // what it gave, as it came
	Output     string          // and in words
	Dir        string          // where the agent works
	Session    string
}

// A Judge knows what is around a call. The zero Judge knows nothing of files, and judges by names and addresses.
type Judge struct {
	Home  string
	Dir   string   // the project's, where the agent began
	Path  []string // the directories in which programs are looked for
	Seen  Seen     // what was done to files; none keeps nothing
	Known []string // e-mail addresses of people who were introduced
	Ours  func(tool string) bool
	Files bool // files and repositories of this machine may be looked at
}

// A look is one call that is judged, with what was looked up for it.
type look struct {
	Judge
	call     Call
	repos    map[string]*repository // by directory
	standing map[string]standing    // by root
	notes    map[string]note        // made in this call
	judged   map[*command]string
	asked    int // questions to git
	deep     int
}
