package report

import "time"

// A Report is what an audit found. Its JSON is a promise: members are added and
// never change their meaning.
type Report struct {
	Statements int            `json:"statements"` // records, and words of purged ones
	Counts     map[Status]int `json:"counts"`
	Offenders  []Finding      `json:"offenders"` // the first of those that are not fine
	Logs       []LogFinding   `json:"logs"`
	Roots      []Root         `json:"roots"`   // the owners' keys behind it all, for a person to compare
	Horizon    string         `json:"horizon"` // up to where a rewritten history would show
	// Lines are what a bundle says, line by line, as far as it was asked for.
	Lines     []Line        `json:"lines,omitempty"`
	LinesMore int           `json:"lines_more,omitempty"` // statements that Lines leaves out
	NoBundle  string        `json:"no_bundle,omitempty"`  // what is wrong with a file of which no line is a bundle's
	Elapsed   time.Duration `json:"elapsed_ns"`
}

// A Finding is a statement with a problem, or one that is worth mentioning.
type Finding struct {
	Line   int    `json:"line,omitempty"` // of the bundle, from 1
	Ref    string `json:"ref,omitempty"`
	Status Status `json:"status"`
	Why    string `json:"why"`
	Author string `json:"author,omitempty"` // the key that it claims
	Agent  string `json:"agent,omitempty"`  // the name that it claims
}

// A LogFinding says how one log compares with one checkpoint of it, or that it
// has none.
type LogFinding struct {
	Space   string    `json:"space,omitempty"`
	Origin  string    `json:"origin,omitempty"` // the name that the checkpoint gives the log
	Records int64     `json:"records"`          // of the log that are here
	Size    int64     `json:"size"`             // of the log, by the checkpoint
	Status  LogStatus `json:"status"`
	Why     string    `json:"why,omitempty"`
	Signed  []Holder  `json:"signed,omitempty"` // whose signatures of the checkpoint hold
}

// Noted reports whether there is a checkpoint that l compares with.
func (l LogFinding) Noted() bool { return l.Origin != "" || l.Status != LogUnchecked }

// A Holder signed a checkpoint.
type Holder struct {
	Name    string    `json:"name"`
	Key     string    `json:"key,omitempty"` // did:key, where it is the log's own
	Outside bool      `json:"outside"`       // it does not sign for the owner of the log
	At      time.Time `json:"at,omitzero"`   // when it saw the log, if it says so
}

// A Root is the key at the beginning of an owner's history.
type Root struct {
	DID         string `json:"did"`
	Fingerprint string `json:"fingerprint"`
	Name        string `json:"name,omitempty"` // that it gives itself
	Statements  int    `json:"statements"`     // that speak for it
}

// The exit codes of an audit.
const (
	ExitOK        = 0 // all is well
	ExitFailed    = 1 // something is wrong
	ExitUnchecked = 2 // something could not be checked, and nothing is wrong
)

// Exit returns the code with which a program that shows r should end.
func (r Report) Exit() int {
	unsure := r.Statements == 0
	for s, n := range r.Counts {
		switch {
		case n == 0 || s.Fine():
		case s.Unsure():
			unsure = true
		default:
			return ExitFailed
		}
	}
	for _, l := range r.Logs {
		switch {
		case l.Status == LogOK:
		case l.Status == LogUnchecked:
			unsure = unsure || l.Noted()
		default:
			return ExitFailed
		}
	}
	if unsure {
		return ExitUnchecked
	}
	return ExitOK
}
