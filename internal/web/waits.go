package web

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

// What the first view shows of what waits.
const (
	waitsRead   = 200 // memories that are put into groups
	groupsShown = 8
	wordsOfEach = 3 // memories of a group that stand there by their words
)

// waits is what waits for a person, in groups by where it came from, the one with the oldest first.
type waits struct {
	Groups    []waitGroup `json:"groups"`
	Others    int         `json:"others,omitempty"` // groups that are not shown
	Count     int         `json:"count"`
	More      bool        `json:"more,omitempty"`
	Conflicts int         `json:"conflicts,omitempty"`
}

// A waitGroup is what waits of one source.
type waitGroup struct {
	From  engine.QueueFrom `json:"from"`
	Count int              `json:"count"`
	First []waitOne        `json:"first"`
}

// A waitOne is one thing that waits, by its words.
type waitOne struct {
	Ref    string `json:"ref"`
	Type   string `json:"type"`
	Text   string `json:"text"`
	Beside string `json:"beside,omitempty"` // the words that it does not go together with
	At     string `json:"at"`
	made   string // when it was recorded, by which groups are in order
}

// readWaits puts what waits into groups.
func readWaits(ctx context.Context, e *engine.Engine) (waits, error) {
	out := waits{Groups: []waitGroup{}}
	q, err := e.QueueGroups(ctx, waitsRead, groupsShown, wordsOfEach)
	if err != nil {
		return out, err
	}
	out.Count, out.More, out.Others = q.Count, q.More, q.Others
	for _, of := range q.Groups {
		g := waitGroup{From: of.From, Count: of.Count}
		for i := range of.First {
			m := &of.First[i]
			g.First = append(g.First, waitOne{
				Ref: m.Ref, Type: m.Type, Text: m.Headline, At: cmp.Or(m.At, m.CreatedAt), made: m.CreatedAt,
			})
		}
		out.Groups = append(out.Groups, g)
	}
	c, err := e.Conflicts(ctx, api.OpenRequest{Limit: waitsRead})
	if out.Conflicts = len(c.Conflicts) + len(c.Forks); err != nil || out.Conflicts == 0 {
		return out, err
	}
	conflicts := waitGroup{From: engine.QueueFrom{How: howConflicts}, Count: out.Conflicts}
	for _, l := range c.Conflicts {
		conflicts.First = append(conflicts.First, ofPair(&l.New, &l.Old, l.CreatedAt))
	}
	for _, f := range c.Forks {
		conflicts.First = append(conflicts.First, ofPair(&f.Shown, &f.Siblings[0], f.Shown.CreatedAt))
	}
	slices.SortStableFunc(conflicts.First, func(a, b waitOne) int { return strings.Compare(a.made, b.made) })
	oldest := conflicts.First[0].made
	conflicts.First = conflicts.First[:min(len(conflicts.First), wordsOfEach)]
	at := slices.IndexFunc(out.Groups, func(g waitGroup) bool { return g.First[0].made > oldest })
	if at < 0 {
		at = len(out.Groups)
	}
	out.Groups = slices.Insert(out.Groups, at, conflicts)
	return out, nil
}

// ofPair is two memories that do not go together.
func ofPair(one, other *api.LinkEnd, made string) waitOne {
	return waitOne{
		Ref: one.Ref, Type: cutKind(one.Ref), Text: one.Headline, Beside: other.Headline,
		At: cmp.Or(one.At, one.CreatedAt), made: made,
	}
}

// howConflicts is the group of all conflicts.
const howConflicts = "conflicts"

// cutKind is the kind that a ref names.
func cutKind(ref string) string {
	kind, _, _ := strings.Cut(ref, ":")
	return kind
}

// fromWords are the words before the name of where memories came from. groups.tsx has the same.
var fromWords = map[string]string{
	"outside": "after reading ", "session": "session ", "import": "imported from ", "source": "from ",
	"none":      "without a conversation",
	"conflicts": "Conflicts",
}

// href is where a group is decided.
func (g *waitGroup) href() string {
	if g.From.How == howConflicts {
		return "/conflicts"
	}
	return "/review?from=" + g.From.Key
}

// needs writes what waits.
func (b *markup) needs(w *waits, ago func(string)) {
	b.put(`<section aria-labelledby="needs"><div class="row"><h2 id="needs">Needs you</h2>`)
	if w.Count > 0 {
		b.say(`<p class="note">%s</p><span class="push"></span><a class="go" href="/review">Review all</a>`,
			memories(w.Count, w.More))
	}
	b.put(`</div>`)
	if w.Count+w.Conflicts == 0 {
		b.put(`<p class="note">Nothing waits for you.</p>`)
	}
	b.put(`<ol class="plain needs">`)
	for _, g := range w.Groups {
		b.say(`<li><p><a class="headline" href="%s">%s`, g.href(), fromWords[g.From.How])
		if g.From.Name != "" {
			b.words(cutTo(g.From.Name, nameShown))
		}
		b.put(`</a> <span class="note">`)
		if g.From.Agent != "" {
			b.words(cutTo(g.From.Agent, nameShown))
			b.put(` · `)
		}
		if g.From.How == howConflicts {
			b.say(`%s · `, figure(g.Count))
		} else {
			b.say(`%s · `, memories(g.Count, false))
		}
		ago(g.First[0].At)
		b.put(`</span></p><ul class="plain">`)
		for _, one := range g.First {
			b.put(`<li>`)
			b.siglum(one.Type)
			b.put(` `)
			b.words(one.Text)
			if one.Beside != "" {
				b.put(` <span class="note">or</span> `)
				b.words(one.Beside)
			}
			b.put(`</li>`)
		}
		if n := g.Count - len(g.First); n > 0 {
			b.say(`<li class="note">and %s more</li>`, figure(n))
		}
		b.put(`</ul></li>`)
	}
	b.put(`</ol>`)
	if w.Others > 0 {
		b.say(`<p class="note"><a href="/review">and %s more groups</a></p>`, figure(w.Others))
	}
	b.put(`</section>`)
}

// nameShown is how many characters of a name stand in a list.
const nameShown = 80

// cutTo is a text of at most so many characters as JavaScript counts them.
func cutTo(s string, most int) string {
	n := 0
	for i, r := range s {
		if n += utf16.RuneLen(r); n > most {
			return s[:i] + "…"
		}
	}
	return s
}

// memories says how many.
func memories(n int, more bool) string {
	s := figure(n)
	if more {
		s += "+"
	}
	if n == 1 && !more {
		return s + " memory"
	}
	return s + " memories"
}
