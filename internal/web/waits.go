package web

import (
	"cmp"
	"context"
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
	Conflict  *waitOne    `json:"conflict,omitempty"` // the oldest
}

// A waitGroup is what waits of one source.
type waitGroup struct {
	From  engine.QueueFrom `json:"from"`
	Count int              `json:"count"`
	First []waitOne        `json:"first"`
}

// A waitOne is one thing that waits, by its words.
type waitOne struct {
	Ref  string `json:"ref"`
	Type string `json:"type"`
	Text string `json:"text"`
	At   string `json:"at"`
}

// readWaits puts what waits into groups.
func readWaits(ctx context.Context, e *engine.Engine) (waits, error) {
	out := waits{Groups: []waitGroup{}}
	q, err := e.Queue(ctx, engine.QueueRequest{Limit: waitsRead})
	if err != nil {
		return out, err
	}
	at := make(map[string]int)
	for i := range q.Items {
		it := &q.Items[i]
		n, known := at[it.From.Key]
		if !known {
			n, at[it.From.Key] = len(out.Groups), len(out.Groups)
			out.Groups = append(out.Groups, waitGroup{From: it.From})
		}
		g := &out.Groups[n]
		if g.Count++; len(g.First) < wordsOfEach {
			one := waitOne{Ref: it.Ref, Type: it.Type, Text: it.Headline, At: cmp.Or(it.At, it.CreatedAt)}
			g.First = append(g.First, one)
		}
	}
	out.Count, out.More = len(q.Items), q.More
	if n := len(out.Groups) - groupsShown; n > 0 {
		out.Groups, out.Others = out.Groups[:groupsShown], n
	}
	c, err := e.Conflicts(ctx, api.OpenRequest{Limit: waitsRead})
	if out.Conflicts = len(c.Conflicts); err == nil && out.Conflicts > 0 {
		l := &c.Conflicts[0]
		text := cmp.Or(l.New.Text, l.New.Headline)
		out.Conflict = &waitOne{Ref: l.Ref, Type: "link", Text: text, At: cmp.Or(l.New.At, l.New.CreatedAt)}
	}
	return out, err
}

// fromWords are the words before the name of where memories came from. groups.tsx has the same.
var fromWords = map[string]string{
	"outside": "after reading ", "session": "session ", "import": "imported from ", "source": "from ", "none": "no source",
}

// needs writes what waits.
func (b *markup) needs(w *waits, ago func(string)) {
	b.put(`<section aria-labelledby="needs"><div class="row"><h2 id="needs">Needs you</h2>`)
	if w.Count > 0 {
		b.say(`<p class="note">%s</p><span class="push"></span><a class="go" href="/review">Review all</a>`, memories(w.Count, w.More))
	}
	b.put(`</div>`)
	if w.Count+w.Conflicts == 0 {
		b.put(`<p class="note">Nothing waits for you.</p>`)
	}
	b.put(`<ol class="plain needs">`)
	for _, g := range w.Groups {
		b.say(`<li><p><a class="headline" href="/review?from=%s">%s`, g.From.Key, fromWords[g.From.How])
		if g.From.Name != "" {
			b.words(cutTo(g.From.Name, nameShown))
		}
		b.put(`</a> <span class="note">`)
		if g.From.Agent != "" {
			b.words(cutTo(g.From.Agent, nameShown))
			b.put(` · `)
		}
		b.say(`%s · `, memories(g.Count, false))
		ago(g.First[0].At)
		b.put(`</span></p><ul class="plain">`)
		for _, one := range g.First {
			b.put(`<li>`)
			b.siglum(one.Type)
			b.put(` `)
			b.words(one.Text)
			b.put(`</li>`)
		}
		if n := g.Count - len(g.First); n > 0 {
			b.say(`<li class="note">and %s more</li>`, figure(n))
		}
		b.put(`</ul></li>`)
	}
	if w.Conflict != nil {
		b.say(`<li><p><a class="headline" href="/conflicts">Conflicts</a> <span class="note">%s · `, figure(w.Conflicts))
		ago(w.Conflict.At)
		b.put(`</span></p><ul class="plain"><li>`)
		b.words(w.Conflict.Text)
		b.put(`</li></ul></li>`)
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
