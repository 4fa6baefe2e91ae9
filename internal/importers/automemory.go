package importers

import (
	"path"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/lazy"
	"github.com/stemma-memory/stemma/internal/markdown"
	"github.com/stemma-memory/stemma/memory"
)

// isAutoMemory reports whether a page is of the folder in which Claude Code keeps what it remembers: an
// index, and pages with a name and a type.
func isAutoMemory(s *sight) bool {
	if !s.page() {
		return false
	}
	return s.base() == memoryIndex || s.tree.indexed[path.Dir(s.name)]
}

// indexLine is a line of the index that says only where a page is.
var indexLine = lazy.Regexp(`^\s*[-*]\s+\[[^\]]*\]\([^)]*\.md\)`)

// readAutoMemory reads what Claude Code remembered: a note of each page, and of what the index says itself.
func readAutoMemory(r *reading, files []*file) error {
	return r.eachFile(files, func(f *file) error {
		p, err := r.leaf(f)
		if err != nil {
			return err
		}
		h := newHeap()
		w := pageWriter{heap: h, leaf: p, format: FormatAutoMemory}
		w.prefix = FormatAutoMemory + ":" + r.name(f) + "/" + p.path
		if f.base() != memoryIndex {
			if kind := p.front.Get("type"); kind != nil {
				said := strings.ToLower(kind.Text)
				if known := kindOfNote[said]; known != "" {
					kind.Text = known
				}
				p.front.Members = append(p.front.Members, markdown.List("tags", append(p.front.List("tags"), said)))
			}
			p.front.Members = append(p.front.Members, markdown.Text("title", p.front.Text("name")))
			if err := w.notes(); err != nil {
				return err
			}
			return r.part(h)
		}
		for _, s := range p.statements() {
			if indexLine.Get().MatchString("- " + s.text) {
				h.lost.leaveOut("lines of the index that name a page")
				continue
			}
			it := &item{row: p.path, alias: w.prefix + ":" + digestOf(s.section, s.text), ext: map[string]any{"file": p.path}}
			if it.body, err = noteOf(s.kind(), s.text); err == nil {
				it.meta = api.Meta{Tags: tags("memory")}
				it.ext = with(it.ext, "section", s.section)
				err = h.add(it)
			}
			h.take(p.path, err)
		}
		return r.part(h)
	})
}

// entryLine is a line of the block that assistants give when they are asked for what they remember:
// [2025-03-01] - words, [unknown] - words.
var entryLine = lazy.Regexp(
	`^\s*(?:[-*]\s+|\d+[.)]\s+)?\[(\d{4}-\d{2}(?:-\d{2})?|[Uu]nknown|[Nn]o date|date unknown|[Nn]/?[Aa])\]` +
		`\s*[-–—:]\s*(.+?)\s*$`,
)

// isMemoryBlock reports whether a text is such a block: most of its lines are entries.
func isMemoryBlock(s *sight) bool {
	if s.names != nil && !s.listed || s.binary() || len(s.head) > looked/2 {
		return false
	}
	entries, lines := 0, 0
	for line := range strings.Lines(s.head) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "```") || strings.HasPrefix(line, "#") {
			continue
		}
		lines++
		if entryLine.Get().MatchString(line) {
			entries++
		}
	}
	return entries >= 2 && entries*2 > lines
}

// readMemoryBlock makes a note of each entry, with the heading above it as what it is about.
func readMemoryBlock(r *reading, files []*file) error {
	return r.eachFile(files, func(f *file) error {
		text, err := r.whole(f, maxFile)
		if err != nil {
			return err
		}
		h := newHeap()
		section := ""
		for line := range strings.Lines(text) {
			line = strings.TrimSpace(line)
			m := entryLine.Get().FindStringSubmatch(line)
			if m == nil {
				if head := strings.Trim(line, "#*:` "); head != "" && len(head) < 60 {
					section = head
				}
				continue
			}
			when := m[1]
			if _, ok := stamp(when); !ok {
				when = monthOf(when)
			}
			k := kept{
				row: f.name, alias: "memory-block:" + digestOf(m[1], m[2]), kind: strings.ToLower(section), text: m[2], made: when,
				tags: []string{"memory", section}, about: []string{"user"}, rest: members{},
			}
			if section != "" {
				k.rest["section"] = section
			}
			h.take(f.name, h.keep(k))
		}
		return r.part(h)
	})
}

var onlyMonth = lazy.Regexp(`^\d{4}-\d{2}$`)

// monthOf is the first day of a month; nothing of anything else.
func monthOf(s string) string {
	if onlyMonth.Get().MatchString(s) {
		return s + "-01"
	}
	return ""
}

// isText reports whether a file is of words and nothing else.
func isText(s *sight) bool {
	if s.binary() || s.names != nil && !s.listed && len(s.names) > 0 || strings.TrimSpace(s.head) == "" {
		return false
	}
	switch s.ext() {
	case ".txt", ".text":
		return true
	case "":
		return !s.tree.dir && s.names == nil && !strings.HasPrefix(strings.TrimSpace(s.head), "<")
	}
	return false
}

// readText keeps words as they are: a raw of each file, or of each part of a long one.
func readText(r *reading, files []*file) error {
	return r.eachFile(files, func(f *file) error {
		text, err := r.whole(f, mostText)
		if err != nil {
			return err
		}
		h := newHeap()
		name := FormatText + ":" + r.name(f)
		if r.tree.dir {
			name += "/" + f.name
		}
		for i, part := range parts(strings.TrimSpace(text), memory.MaxRawText) {
			if err := h.say(said{
				row: f.name, alias: name + ":" + digestOf(part), same: []string{FormatText + ":=" + digestOf(part)}, text: part,
				event: "", ext: with(with(nil, "file", f.name), "part", nilIf(i == 0, i+1)),
			}); err != nil {
				return err
			}
		}
		return r.part(h)
	})
}

// mostText bounds a file of words, in bytes.
const mostText = 256 << 20

func nilIf(is bool, v int) any {
	if is {
		return nil
	}
	return float64(v)
}
