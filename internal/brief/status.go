package brief

import (
	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/lazy"
)

// Status is how the memory stands.
type Status struct {
	Memories   map[string]int `json:"memories"` // by kind
	Review     int            `json:"pending_reviews"`
	Conflicts  int            `json:"open_conflicts"`
	Proposals  map[string]int `json:"proposals"`
	Unverified int            `json:"needs_verification"`
	Jobs       int            `json:"open_jobs"`
	Waiting    int            `json:"prompts_waiting,omitempty"`
	NotKept    int            `json:"prompts_not_kept,omitempty"`
	Captured   string         `json:"last_capture,omitempty"`
	Remotes    []string       `json:"remotes,omitempty"`
}

func counted(r *api.StatusReply) Status {
	out := Status{
		Memories: make(map[string]int), Review: r.PendingReviews.Count,
		Conflicts: r.OpenConflicts.Count, Proposals: r.Proposals,
		Unverified: r.NeedsVerification.Count, Jobs: r.OpenJobs, Captured: r.LastCapture,
		Waiting: r.PromptsWaiting.Count, NotKept: r.PromptsNotKept.Count,
	}
	for _, k := range r.Memories {
		if k.Live > 0 {
			out.Memories[k.Kind] = k.Live
		}
	}
	for i := range r.Remotes {
		out.Remotes = append(out.Remotes, r.Remotes[i].Name)
	}
	return out
}

// longRef finds refs in full.
var longRef = lazy.Regexp(`([a-z]+:[0-9a-f]{8})[0-9a-f]{56}`)

// shortRefs writes the refs in a text with eight digits.
func shortRefs(text string) string { return longRef.Get().ReplaceAllString(text, "$1") }
