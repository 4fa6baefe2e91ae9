package brief

import "github.com/stemma-memory/stemma/api"

// Waiting is prompts that are not memories yet, in groups.
type Waiting struct {
	Waiting []Group `json:"waiting"`
	Left    int     `json:"left_out,omitempty"`
	Hint    string  `json:"hint,omitempty"`
	Zone    string  `json:"zone"` // of the days
}

// A Group is prompts of one session.
type Group struct {
	Session string `json:"session,omitempty"`
	Prompts []One  `json:"prompts"`
}

// waiting is prompts in groups. These are as long as was asked for.
func (z zone) waiting(r *api.ListReply) Waiting {
	out := Waiting{Waiting: []Group{}, Left: r.LeftOut, Hint: r.Hint, Zone: z.String()}
	for _, g := range r.Waiting {
		group := Group{Session: g.Session}
		for _, p := range g.Prompts {
			one := One{Ref: Ref(p.Ref), Text: p.Text, At: z.day(p.At)}
			if p.Cut {
				one.Cut = "of " + thousands(p.Words) + " words" + whyHasAll
			}
			group.Prompts = append(group.Prompts, one)
		}
		out.Waiting = append(out.Waiting, group)
	}
	return out
}
