package importers

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/lazy"
	"github.com/stemma-memory/stemma/internal/markdown"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/memory"
)

// maxFile bounds one file of a folder, in bytes.
const maxFile = 2 << 20

// A Folder is a directory of Markdown files, or one such file.
type Folder struct {
	Path  string
	Basic bool // of Basic Memory: observations and relations are told apart
	Held  held
}

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

// pages reads the files of a folder that can be read as text.
func (f Folder) pages(ctx context.Context) (name string, pages []*leaf, err error) {
	whole, err := filepath.Abs(f.Path)
	if err != nil {
		return "", nil, err
	}
	info, err := os.Stat(whole)
	if err != nil {
		return "", nil, api.Invalid("%v", err)
	}
	dir, names := whole, []string(nil)
	if !info.IsDir() {
		dir, names = filepath.Dir(whole), []string{filepath.Base(whole)}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", nil, api.Invalid("%v", err)
	}
	defer root.Close()
	if names == nil {
		if names, err = engine.NoteFiles(ctx, root); err != nil {
			return "", nil, err
		}
	}
	for _, name := range names {
		info, err := root.Stat(name)
		if err != nil {
			return "", nil, api.Invalid("%v", err)
		}
		if !info.Mode().IsRegular() || info.Size() > maxFile {
			return "", nil, api.Invalid("%s: is longer than %d MiB, or not a regular file", name, maxFile>>20)
		}
		raw, err := root.ReadFile(name)
		if err != nil {
			return "", nil, fmt.Errorf("%s: %w", name, err)
		}
		if !utf8.Valid(raw) || bytes.IndexByte(raw, 0) >= 0 {
			return "", nil, api.Invalid("%s: is not UTF-8 text", name)
		}
		p := &leaf{path: filepath.ToSlash(name)}
		p.front, p.text = markdown.Split(strings.ReplaceAll(string(raw), "\r\n", "\n"))
		p.above = bytes.Count(raw, []byte("\n")) - strings.Count(p.text, "\n")
		pages = append(pages, p)
	}
	return filepath.Base(dir), pages, nil
}

// Read makes notes of the files: one of each, with what it links to as what it is
// about. A folder of Basic Memory gives one for each observation and relation too.
func (f Folder) Read(ctx context.Context) (*Found, error) {
	name, pages, err := f.pages(ctx)
	if err != nil {
		return nil, err
	}
	h := newHeap()
	for _, p := range pages {
		prefix := "markdown:" + name + "/" + p.path
		if f.Basic {
			prefix = "basic-memory:" + name + "/" + p.path
			if id := strings.TrimSpace(p.front.Text("permalink")); id != "" {
				prefix = "basic-memory:" + clean(id)
			}
		}
		if err := p.notes(h, prefix, f.Basic); err != nil {
			return nil, rowed(p.path, err)
		}
	}
	return h.found(ctx, f.Held)
}

// notes puts what a page says on the heap.
func (p *leaf) notes(h *heap, prefix string, basic bool) error {
	text := p.text
	links := markdown.Links(text)
	if basic {
		var err error
		if text, err = p.semantic(h, prefix); err != nil {
			return err
		}
	}
	title := p.title()
	if worded(text, title) == "" && basic {
		return nil // all of it was observations and relations
	}
	body := strings.TrimSpace(text)
	if body == "" {
		body = title
	}
	if len(body) >= memory.MaxText-len(title) {
		return p.long(h, prefix, body)
	}
	kind := strings.ToLower(p.front.Text("type"))
	if !slices.Contains(memory.NoteTypes, kind) {
		kind = "observation"
	}
	b := &memory.Note{Type: kind, Summary: shorten.To(shorten.FirstLine(title), 200)}
	if body != b.Summary {
		b.Body = body
	}
	it := p.item(prefix+":"+digestOf(body), b)
	var names []string
	for _, l := range links {
		names = append(names, markdown.Base(l))
	}
	it.meta.About = about(names...)
	it.meta.Tags = tags(append(p.tags(), markdown.Tags(text)...)...)
	return h.add(it)
}

// long keeps a file that no note can hold as words.
func (p *leaf) long(h *heap, prefix, text string) error {
	if len(text) > memory.MaxRawText {
		return api.Invalid("%s: has more than %d bytes of words", p.path, memory.MaxRawText)
	}
	b := &memory.Raw{Text: text, Source: imported, Caption: shorten.To(p.title(), memory.MaxNameBytes)}
	it := p.item(prefix+":"+digestOf(text), b)
	if at, ok := stamp(p.made()); ok {
		b.OccurredAt = at
	}
	it.meta.Tags = tags(p.tags()...)
	return h.add(it)
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
var dated = []string{"created", "created_at", "date"}

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

func (p *leaf) made() string {
	for _, name := range dated {
		s := p.front.Text(name)
		if _, ok := stamp(s); ok {
			return s
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
func (p *leaf) semantic(h *heap, prefix string) (string, error) {
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
			it = p.item(prefix+":observation:"+digestOf(m[1], m[2]), body)
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
			it = p.item(prefix+":relation:"+digestOf(how, m[2]), body)
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
		if err := h.add(it); err != nil {
			return "", err
		}
	}
	return rest.String(), nil
}
