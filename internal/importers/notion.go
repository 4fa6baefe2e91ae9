package importers

import (
	"net/url"
	"path"
	"strings"

	"github.com/stemma-memory/stemma/internal/lazy"
	"github.com/stemma-memory/stemma/internal/markdown"
)

// notionName is how Notion calls the files of pages: the title, and the id of the page.
var notionName = lazy.Regexp(`^(.*?)[ -]?([0-9a-f]{32})$`)

// isNotion reports whether a file is a page of an export of Notion.
func isNotion(s *sight) bool {
	return s.page() && notionName.Get().MatchString(strings.TrimSuffix(s.base(), path.Ext(s.base())))
}

// readNotion reads pages: the properties of an entry of a database stand between its title and its text.
func readNotion(r *reading, files []*file) error {
	return r.eachFile(files, func(f *file) error {
		p, err := r.leaf(f)
		if err != nil {
			return err
		}
		name := strings.TrimSuffix(f.base(), path.Ext(f.base()))
		id := r.name(f) + "/" + f.name // of a page that has no id of its own
		if m := notionName.Get().FindStringSubmatch(name); m != nil {
			name, id = m[1], m[2]
		}
		title, text := notionTitle(p.text)
		if title == "" {
			title = name
		}
		var properties []markdown.Member
		properties, text = notionProperties(text)
		p.front.Members = append(p.front.Members, properties...)
		p.front.Members = append(p.front.Members, markdown.Text("title", title))
		p.text = notionLinks(text)
		h := newHeap()
		w := pageWriter{heap: h, leaf: p, format: FormatNotion, prefix: "notion:" + id}
		if err := w.notes(); err != nil {
			return err
		}
		return r.part(h)
	})
}

func notionTitle(text string) (title, rest string) {
	first, rest, _ := strings.Cut(strings.TrimLeft(text, "\n"), "\n")
	if head, ok := strings.CutPrefix(first, "# "); ok {
		return strings.TrimSpace(head), rest
	}
	return "", text
}

var property = lazy.Regexp(`^([A-Z][^:\n]{0,60}): (.*)$`)

// notionProperties takes the lines "Name: value" with which a page begins.
func notionProperties(text string) ([]markdown.Member, string) {
	var out []markdown.Member
	rest := strings.TrimLeft(text, "\n")
	for {
		line, after, _ := strings.Cut(rest, "\n")
		m := property.Get().FindStringSubmatch(line)
		if m == nil {
			break
		}
		name := m[1]
		switch strings.ToLower(name) {
		case "created", "created time", "date created", "date":
			name = "created"
		case "last edited time", "last edited", "updated":
			name = "updated"
		case "tags", "tag", "multi-select":
			var list []string
			for one := range strings.SplitSeq(m[2], ",") {
				list = append(list, strings.TrimSpace(one))
			}
			out, rest = append(out, markdown.List("tags", list)), after
			continue
		}
		out, rest = append(out, markdown.Text(name, m[2])), after
	}
	if len(out) > 0 && (rest != "" && !strings.HasPrefix(rest, "\n") || rest == "" && len(out) == 1) {
		return nil, text // a text that happens to begin so
	}
	return out, strings.TrimLeft(rest, "\n")
}

// pageLink is a link to another page of the export.
var pageLink = lazy.Regexp(`\[([^\]\n]*)\]\(([^()\s]+?)%20[0-9a-f]{32}\.md\)`)

// notionLinks writes links to pages as links by name.
func notionLinks(text string) string {
	return pageLink.Get().ReplaceAllStringFunc(text, func(s string) string {
		m := pageLink.Get().FindStringSubmatch(s)
		name, err := url.PathUnescape(path.Base(m[2]))
		if err != nil {
			name = m[1]
		}
		if m[1] != "" && m[1] != name {
			return "[[" + name + "|" + m[1] + "]]"
		}
		return "[[" + name + "]]"
	})
}
