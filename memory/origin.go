package memory

import "slices"

// An Origin says through which channel a record came. It is set by the channel,
// never by the caller.
type Origin string

// Origins are the channels, sorted.
var Origins = []Origin{OriginAgent, OriginImport, OriginOwner, OriginTool}

func (o Origin) check() error {
	if !slices.Contains(Origins, o) {
		return bad("origin", "must be owner, agent, tool or import, got %q", clip(string(o)))
	}
	return nil
}

const (
	OriginOwner  Origin = "owner"  // a person at a terminal or the page
	OriginAgent  Origin = "agent"  // an agent, or a command line without a person
	OriginTool   Origin = "tool"   // a hook's tool output
	OriginImport Origin = "import" // words that were somewhere else before
)
