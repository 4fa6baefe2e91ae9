package web

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	harmless "github.com/stemma-memory/stemma/internal/plain"
	"github.com/stemma-memory/stemma/memory"
)

// The first view as the server writes it. It is what front.tsx, found.tsx, standing.tsx and words.tsx draw: a test in
// web/test compares both. What needs the script is disabled until the script has drawn over it.

// chrome is what the first view has around it, up to the list.
//
//go:embed first.html
var chrome string

// emptyStore is what an empty store has in place of a list, before it is known what can be done.
//
//go:embed empty.html
var emptyStore string

// beforeFront returns what stands before the first view. The choice of what is read stands alone: the script adds the
// others.
func beforeFront(theme string, reads choice) string {
	if theme == "" {
		theme = "auto"
	}
	var b markup
	if reads.Value != "" {
		b.say(`<label class="reads"><span class="sr">What is read</span><select id="reads" autocomplete="off" `+
			`aria-keyshortcuts="p" disabled><option value="%s" selected>%s</option></select></label>`, reads.Value, reads.Name)
	}
	return strings.NewReplacer("{{Theme}}", theme, "{{Reads}}", b.String()).Replace(strings.TrimSpace(chrome))
}

// firstData is the first view as the script takes it.
type firstData struct {
	Front front   `json:"front"`
	Me    speaker `json:"me"`
}

// html is the first view, what closes around it, and the same as data for the script. The JSON has no character that
// could end the element: the encoder writes <, > and & as escapes.
func (d firstData) html(now time.Time) ([]byte, error) {
	data, err := json.Marshal(d)
	if err != nil {
		return nil, err
	}
	var b markup
	b.front(d, now)
	b.put(`</div></main></div><script type="application/json" id="first">`)
	b.Write(data)
	b.put(`</script>`)
	return []byte(b.String()), nil
}

// markup is HTML that is being written.
type markup struct{ strings.Builder }

// put writes markup of this program.
func (b *markup) put(s string) { b.WriteString(s) }

// say writes formatted markup with texts of others in it, each escaped, and harmless as the page shows it.
func (b *markup) say(format string, texts ...any) {
	for i, t := range texts {
		if s, ok := t.(string); ok {
			texts[i] = html.EscapeString(harmless.Text(s))
		}
	}
	fmt.Fprintf(b, format, texts...)
}

// part writes a text as a part of an address.
func part(s string) string {
	return asInPage.Replace(url.QueryEscape(s))
}

// asInPage leaves what encodeURIComponent leaves.
var asInPage = strings.NewReplacer("+", "%20", "%21", "!", "%27", "'", "%28", "(", "%29", ")", "%2A", "*")

func (b *markup) front(d firstData, now time.Time) {
	list, s := d.Front.Newest, d.Front.Status
	empty, class := len(list) == 0 && s.UnprocessedRaws == 0 && len(s.Memories) == 0, ""
	if empty {
		class = ` class="sr"`
	}
	b.put(`<div class="front"><div>`)
	if !empty {
		b.needs(&d.Front.Waits, func(at string) { b.time(at, now) })
	}
	b.put(`<section aria-labelledby="newest"><div class="row"><h2 id="newest"` + class +
		`>New</h2><span class="news" role="status"></span></div>`)
	if empty {
		b.put(strings.TrimSpace(emptyStore))
	}
	if len(list) > 0 && list[0].Type == string(memory.KindRaw) {
		b.put(`<p class="note">Only captures so far. <code>stemma process</code> makes memories of them.</p>`)
	}
	b.put(`<ol class="results">`)
	for i := range list {
		b.item(&list[i], d.Me.Acts, now)
	}
	b.put(`</ol></section></div><section aria-labelledby="waits"><h2 id="waits">In numbers</h2>`)
	b.tallies(&s, empty)
	b.put(`</section></div>`)
}

// What the counts of proposals are called in a status.
const (
	proposedToPerson = "for_person"
	proposedToAgent  = "for_agent"
)

// tallies writes what waits, and what the store has.
func (b *markup) tallies(s *api.StatusReply, empty bool) {
	b.say(`<dl class="tally"><dt><a href="/review">to review</a></dt><dd>%s</dd>`+
		`<dt><a href="/review">after outside words</a></dt><dd>%s</dd>`+
		`<dt><a href="/conflicts">conflicts</a></dt><dd>%s</dd>`+
		`<dt><a href="/conflicts">proposals for you</a></dt><dd>%s</dd><dt>proposals for agents</dt><dd>%s</dd>`+
		`<dt>about code, to verify</dt><dd>%s</dd>`+
		`<dt>confidence below 0.50</dt><dd>%s</dd><dt>unprocessed captures</dt><dd>%s</dd>`+
		`<dt><a href="/health">open jobs</a></dt><dd>%s</dd></dl><h2>In this store</h2><dl class="tally">`,
		counted(s.PendingReviews), counted(s.HeldBack), counted(s.OpenConflicts), figure(s.Proposals[proposedToPerson]),
		figure(s.Proposals[proposedToAgent]), counted(s.NeedsVerification), counted(s.Uncertain), figure(s.UnprocessedRaws),
		figure(s.OpenJobs))
	if len(s.Memories) == 0 {
		b.put(`<dt class="note">nothing yet</dt><dd></dd>`)
	}
	for _, k := range s.Memories {
		b.put(`<dt>`)
		b.siglum(k.Kind)
		b.say(` <a href="/search?kind=%[1]s&amp;space=*">%[1]s</a></dt><dd>%s</dd>`, k.Kind, figure(k.Live))
	}
	b.put(`</dl>`)
	if !empty {
		b.put(`<p class="note"><a href="/begin">Connect an agent or import</a></p>`)
	}
}

// item writes one memory of the list.
func (b *markup) item(r *engine.FoundResult, acts bool, now time.Time) {
	b.put(`<li class="result"><p>`)
	b.siglum(r.Type)
	was := ""
	if r.Hidden != "" {
		was = "was-" + r.Hidden
	}
	b.say(` <a href="/memory/%s" class="headline %s">`, part(r.Ref), was)
	b.words(r.Text, r.Pieces...)
	b.put(`</a> `)
	if acts {
		b.say(`<button type="button" class="quiet more-acts" aria-label="Acts on “%s”" aria-haspopup="dialog" `+
			`title="Acts" disabled>⋯</button>`, beginning(r.Text))
	}
	word, tone := chip(&r.Result)
	b.say(`</p><div class="under"><details class="standing"><summary class="chip t-%s" `+
		`aria-label="%[2]s: show tier, trust and confidence">%[2]s</summary></details><span class="note">`, tone, word)
	b.note(r, now)
	b.put(`</span></div>`)
	for _, m := range r.Marks {
		if !brief(m) && !stateMarks[m] && !slices.Contains(r.Undecided, m) {
			b.put(`<p class="note">`)
			b.words(m)
			b.put(`</p>`)
		}
	}
	for _, u := range r.Undecided {
		b.put(`<p class="note">Undecided: `)
		b.words(u)
		b.say(` <a href="/conflicts?of=%s">decide</a></p>`, part(r.Ref))
	}
	b.put(`</li>`)
}

// note writes who said it, when, and what else is said of it in one word.
func (b *markup) note(r *engine.FoundResult, now time.Time) {
	if r.Speaker != "" {
		b.words(r.Speaker)
		b.put(` · `)
	}
	b.time(cmp.Or(r.At, r.CreatedAt), now)
	if r.From != "" {
		b.say(` · from %s`, r.From)
	}
	for _, m := range r.Marks {
		if brief(m) && !stateMarks[m] {
			b.put(` · `)
			b.words(m)
		}
	}
	for _, t := range r.Tags {
		exactly := "" // a comma would part it
		if strings.Contains(t, ",") {
			exactly = "_is"
		}
		b.say(` · <a href="/search?tag%s=%s">#`, exactly, part(t))
		b.words(t)
		b.put(`</a>`)
	}
}

// time writes how long ago something was.
func (b *markup) time(at string, now time.Time) {
	if t, err := time.Parse(time.RFC3339Nano, at); err != nil {
		b.say(`%s`, at)
	} else {
		b.say(`<time datetime="%s">%s</time>`, at, ago(t, now))
	}
}

// words writes what a memory says. Every second piece matches what is searched for.
func (b *markup) words(text string, pieces ...string) {
	b.put(`<bdi class="words " dir="auto">`)
	if pieces == nil {
		pieces = []string{text}
	}
	for i, p := range pieces {
		if i%2 == 1 {
			b.say(`<mark>%s</mark>`, p)
		} else {
			b.say(`%s`, p)
		}
	}
	b.put(`</bdi>`)
}

// siglum writes the letter of a kind.
func (b *markup) siglum(kind string) {
	letter, class := "?", "other"
	if k := memory.Kind(kind); slices.Contains(memory.Memories(), k) {
		if letter = k.Form().Letter; letter != "" {
			class = kind
		}
	}
	b.say(`<span class="siglum k-%s" title="%[2]s" role="img" aria-label="%[2]s">%s</span>`, class, kind, letter)
}

// brief reports whether a mark is one word, which stands beside what else is said of a memory.
func brief(mark string) bool { return !strings.Contains(mark, " ") }

// beginning is what a label has of a text: 80 characters as JavaScript counts them.
func beginning(s string) string {
	const most = 80
	n := 0
	for i, r := range s {
		if n += utf16.RuneLen(r); n > most {
			return s[:i]
		}
	}
	return s
}

func figure(n int) string {
	s := strconv.Itoa(n)
	for at := len(s) - 3; at > 0; at -= 3 {
		s = s[:at] + "," + s[at:]
	}
	return s
}

func counted(c api.Counted) string {
	if c.More {
		return figure(c.Count) + "+"
	}
	return figure(c.Count)
}
