package brief

import (
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/memory"
)

// links says how a memory relates to others, and how many of the others there is no room for.
func links(all []api.LinkView, self string) (said []string, left string) {
	all = DecidedLinks(all)
	forms := make([]quoting, len(all))
	for i := range all {
		forms[i] = link(&all[i], self)
	}
	said, n := lines(forms, linkRoom)
	return said, leftOut(n, "link", "links")
}

// DecidedLinks returns links as people read them: of those between the same two memories that one by which it was
// decided is enough. What it ended, and what ended before, stays in the whole reply, with its state.
func DecidedLinks(all []api.LinkView) []api.LinkView {
	pair := func(l *api.LinkView) [2]string {
		return [2]string{min(l.Old.Ref, l.New.Ref), max(l.Old.Ref, l.New.Ref)}
	}
	decided := make(map[[2]string]bool)
	for i := range all {
		switch l := &all[i]; l.State {
		case "accepted", "applied":
			decided[pair(l)] = true
		case "standing":
			decided[pair(l)] = decided[pair(l)] || l.Relation == memory.Update || l.Relation == memory.Contradict
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(l api.LinkView) bool {
		over := l.State == "over" || l.State == "let_go" || l.State == "rejected"
		return over && decided[pair(&l)]
	})
}

// link is how one memory relates to another, in a line, with the words of the one that is not
// spoken of.
func link(l *api.LinkView, self string) quoting {
	verb := map[string]string{
		"update": "may replace", "contradict": "contradicts", "extend": "adds to", "derive": "follows from",
		"supports": "supports",
	}[l.Relation]
	if verb == "" {
		verb = l.Relation
	}
	if l.Relation == "update" && (l.State == "accepted" || l.State == "applied") {
		verb = "replaced"
	}
	verb = strings.ReplaceAll(verb, "%", "%%")
	if l.Old.Ref == self {
		return quoting{Ref(l.New.Ref) + " %q " + verb + " this", or(l.New.Text, l.New.Headline)}
	}
	return quoting{Ref(l.New.Ref) + " " + verb + " " + Ref(l.Old.Ref) + " %q", or(l.Old.Text, l.Old.Headline)}
}

// Correct is what came of a correction.
type Correct struct {
	Ref  string `json:"ref,omitempty"`
	Done string `json:"done"`
	Of   string `json:"of"`
	Note string `json:"note,omitempty"`
}
