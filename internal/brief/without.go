package brief

import (
	"fmt"
	"strings"

	"github.com/stemma-memory/stemma/api"
)

// Without is an answer as it would be, and what differs.
type Without struct {
	Targets []string `json:"targets"`
	Hidden  int      `json:"hidden"` // records that would not count
	Hint    string   `json:"hint,omitempty"`
	Falls   bool     `json:"falls,omitempty"`
	Differs []string `json:"differs"`
	Answer  any      `json:"answer"`
}

// DifferLines words what differs between today's answer and the one as it would be.
func DifferLines(all []api.Difference) []string {
	out := make([]string, len(all))
	for i, d := range all {
		out[i] = strings.TrimSpace(d.What + " " + Ref(d.Ref))
		if d.Ref == "" {
			out[i] = d.What
		}
		out[i] += ": " + d.Text
		if d.What == api.DifferChanged {
			out[i] += fmt.Sprintf(" (today: %s; then: %s)", d.Was, d.Is)
		}
	}
	return out
}

// Unheard words in a line what an answer leaves out.
func Unheard(u *api.Unheard) string {
	records, targets := "records", make([]string, len(u.Targets))
	for i, t := range u.Targets {
		targets[i] = Ref(t)
	}
	if u.Hidden == 1 {
		records = "record"
	}
	return fmt.Sprintf("Without %s (%d %s would not count)", strings.Join(targets, ", "), u.Hidden, records)
}

func (z zone) without(r *api.RecallWithout) *Without {
	if r == nil {
		return nil
	}
	return &Without{r.Targets, r.Hidden, r.Hint, false, DifferLines(r.Differs), z.recalled(&r.Answer)}
}

func (z zone) whyWithout(r *api.WhyWithout) *Without {
	if r == nil {
		return nil
	}
	return &Without{r.Targets, r.Hidden, r.Hint, r.Falls, DifferLines(r.Differs), z.reasons(&r.Answer)}
}
