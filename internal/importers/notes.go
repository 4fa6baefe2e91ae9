package importers

import (
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/lazy"
	"github.com/stemma-memory/stemma/internal/markdown"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/memory"
)

// A leaf is one file of a folder.
type leaf struct {
	path  string // in the folder, with slashes
	front markdown.Front
	text  string
	above int // lines of the file before its text
}

// title is what a page is called: as it says, by its first heading, by its name.
func (p *leaf) title() string {
	if t := strings.TrimSpace(p.front.Text("title")); t != "" {
		return clean(t)
	}
	for line := range strings.Lines(p.text) {
		if t, ok := strings.CutPrefix(strings.TrimSpace(line), "# "); ok && strings.TrimSpace(t) != "" {
			return strings.TrimSpace(t)
		}
	}
	return strings.TrimSuffix(path.Base(p.path), path.Ext(p.path))
}

// leaf reads one page.
func (r *reading) leaf(f *file) (*leaf, error) {
	text, err := r.whole(f, maxFile)
	if err != nil {
		return nil, err
	}
	p := &leaf{path: f.name}
	p.front, p.text = markdown.Split(text)
	p.above = strings.Count(text, "\n") - strings.Count(p.text, "\n")
	return p, nil
}

// readPages makes notes of files: one of each, with what it links to as what it is about.
func readPages(format string) func(*reading, []*file) error {
	return func(r *reading, files []*file) error { return r.pages(format, files, func(*leaf) {}) }
}

// pages makes notes of files, of each after something was done to it.
func (r *reading) pages(format string, files []*file, change func(*leaf)) error {
	times := make(map[string]int)
	for _, f := range files {
		times[f.seen.content]++
	}
	return r.eachFile(files, func(f *file) error {
		p, err := r.leaf(f)
		if err != nil {
			return err
		}
		change(p)
		h := newHeap()
		w := pageWriter{heap: h, leaf: p, format: format, prefix: format + ":" + r.name(f) + "/" + p.path}
		if content := f.seen.content; content != "" && times[content] == 1 {
			w.content = content // a file of the same content as another is not that one, renamed
		}
		if was := r.was(); was != "" {
			w.was = format + ":" + r.wasIn() + "/" + p.path
		}
		if format == FormatObsidian { // as which versions before this one read a vault
			w.was = FormatMarkdown + ":" + r.wasIn() + "/" + p.path
		}
		if format == FormatBasic {
			if id := strings.TrimSpace(p.front.Text("permalink")); id != "" {
				w.prefix, w.was = format+":"+clean(id), format+":"+clean(id)
			}
		}
		if err := w.notes(); err != nil {
			return err
		}
		return r.part(h)
	})
}

// A pageWriter makes records of a page.
type pageWriter struct {
	*heap
	*leaf
	format, prefix, was string
	content             string // tells what the file says from what others say
}

// notes puts what a page says on the heap.
func (w pageWriter) notes() error {
	p, text := w.leaf, w.text
	links := markdown.Links(text)
	if w.format == FormatBasic {
		var err error
		if text, err = w.semantic(); err != nil {
			return err
		}
	}
	title := p.title()
	if worded(text, title) == "" && w.format == FormatBasic {
		return nil // all of it was observations and relations
	}
	body := strings.TrimSpace(text)
	if body == "" {
		body = title
	}
	if len(body) >= memory.MaxText-len(title) {
		return w.long(body)
	}
	kind := strings.ToLower(p.front.Text("type"))
	if !slices.Contains(memory.NoteTypes, kind) {
		kind = "observation"
	}
	b := &memory.Note{Type: kind, Summary: shorten.To(shorten.FirstLine(title), 200)}
	if body != b.Summary {
		b.Body = body
	}
	it := w.item(w.prefix, b)
	w.ids(it, digestOf(body))
	var names []string
	for _, l := range links {
		names = append(names, markdown.Base(l))
	}
	it.meta.About = about(append(names, p.front.List("aliases")...)...)
	it.meta.Tags = tags(append(p.tags(), markdown.Tags(text)...)...)
	return w.add(it)
}

// ids adds the ids under which the same words are the same record: in a file that was renamed, and as
// versions before this one named it.
func (w pageWriter) ids(it *item, before string) {
	if w.content != "" {
		it.same = []string{w.format + ":=" + w.content}
	}
	if w.was != "" {
		it.was = []string{w.was + ":" + before}
	}
}

// long keeps a file that no note can hold as words.
func (w pageWriter) long(text string) error {
	if len(text) > memory.MaxRawText {
		return api.Invalid("has more than %d bytes of words", memory.MaxRawText)
	}
	b := &memory.Raw{Text: text, Source: imported, Caption: shorten.To(w.title(), memory.MaxNameBytes)}
	it := w.item(w.prefix, b)
	w.ids(it, digestOf(text))
	if at, ok := stamp(w.made()); ok {
		b.OccurredAt = at
	}
	it.meta.Tags = tags(w.tags()...)
	return w.add(it)
}

// worded returns what a text says beside headings and a title.
func worded(text, title string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if l := strings.TrimSpace(line); !strings.HasPrefix(l, "#") && l != title {
			b.WriteString(l)
		}
	}
	return b.String()
}

// read are the members of a front matter that have a place in a record.
var read = []string{"tags", "tag", "created", "created_at", "date", "title", "type"}

// dated are the members that say when a page was made.
var dated = []string{"created", "created_at", "date", "date created", "creation date"}

// item is what every record of a page has in common.
func (p *leaf) item(alias string, body memory.Body) *item {
	it := &item{row: p.path, alias: alias, body: body, ext: map[string]any{"file": p.path}}
	for _, m := range p.front.Members {
		name := strings.ToLower(m.Name)
		if _, ok := stamp(m.Text); slices.Contains(read, name) && name != "title" && name != "type" && (ok ||
			!slices.Contains(dated, name)) {
			continue // a date that nobody can read is kept as it is written
		}
		if m.Is == markdown.Listed {
			it.ext[clean(m.Name)] = plain(anyList(m.List))
		} else if m.Text != "" {
			it.ext[clean(m.Name)] = clean(m.Text)
		}
	}
	maps.DeleteFunc(it.ext, func(_ string, v any) bool { return v == nil })
	if memory.KindOf(body) != memory.KindRaw {
		it.meta.ValidFrom = since(p.made())
	}
	return it
}

// made is when a page was made: as it says, or by its name, as daily notes are called.
func (p *leaf) made() string {
	for _, name := range dated {
		s := p.front.Text(name)
		if _, ok := stamp(s); ok {
			return s
		}
	}
	name := strings.TrimSuffix(path.Base(p.path), path.Ext(p.path))
	if len(name) >= len(time.DateOnly) {
		if _, err := time.Parse(time.DateOnly, name[:len(time.DateOnly)]); err == nil {
			return name[:len(time.DateOnly)]
		}
	}
	return ""
}

func (p *leaf) tags() []string {
	var out []string
	for _, t := range append(p.front.List("tags"), p.front.List("tag")...) {
		out = append(out, strings.TrimPrefix(strings.TrimSpace(t), "#"))
	}
	return out
}

// How Basic Memory writes what was observed and what relates:
//
//   - [category] words #tag (context)
//   - relates_to [[Another page]] (context)
var (
	observed = lazy.Regexp(`^\s*[-*] \[([^\[\]()\n]{2,64}|[^\[\]()\s xX/-])\] (.+)$`)
	related  = lazy.Regexp(
		`^\s*[-*] (?:([^\[\]\n]{1,80}?)\s+)?\[\[([^\[\]\n|]{1,256})(?:\|[^\[\]\n]*)?\]\]\s*(\([^()\n]*\))?\s*$`,
	)
	inContext = lazy.Regexp(`\s*\(([^()]*)\)\s*$`)
)

// semantic takes the observations and relations of a page, and gives the rest of
// its text.
func (w pageWriter) semantic() (string, error) {
	p := w.leaf
	var rest strings.Builder
	title, fence := p.title(), false
	for line := range strings.Lines(p.text) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fence = !fence
		}
		l := strings.TrimRight(line, "\r\n")
		var it *item
		if m := observed.Get().FindStringSubmatch(l); m != nil && !fence {
			text, where := m[2], ""
			if c := inContext.Get().FindStringSubmatch(text); c != nil {
				where, text = c[1], strings.TrimSpace(inContext.Get().ReplaceAllString(text, ""))
			}
			body, err := noteOf(m[1], text)
			if err != nil {
				return "", err
			}
			it = w.item(w.prefix+":observation:"+digestOf(m[1], m[2]), body)
			if w.was != "" && w.was != w.prefix {
				it.was = []string{w.was + ":observation:" + digestOf(m[1], m[2])}
			}
			it.meta.About = about(title)
			it.meta.Tags = tags(append(append(p.tags(), m[1]), markdown.Tags(text)...)...)
			if where != "" {
				it.ext["context"] = where
			}
		} else if m := related.Get().FindStringSubmatch(l); m != nil && !fence {
			how, target := strings.TrimSpace(m[1]), markdown.Base(m[2])
			if how == "" {
				how = "relates_to"
			}
			body, err := noteOf("observation", title+" "+strings.ReplaceAll(how, "_", " ")+" "+target)
			if err != nil {
				return "", err
			}
			it = w.item(w.prefix+":relation:"+digestOf(how, m[2]), body)
			if w.was != "" && w.was != w.prefix {
				it.was = []string{w.was + ":relation:" + digestOf(how, m[2])}
			}
			it.meta.About, it.meta.Tags = about(title, target), tags("relation", how)
			it.ext["relation"], it.ext["target"] = how, m[2]
			if m[3] != "" {
				it.ext["context"] = strings.Trim(m[3], "()")
			}
		}
		if it == nil {
			rest.WriteString(line)
			continue
		}
		if err := w.add(it); err != nil {
			return "", err
		}
	}
	return rest.String(), nil
}
