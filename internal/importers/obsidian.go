package importers

import (
	"path"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/lazy"
)

// isObsidian reports whether a page is of a vault of Obsidian.
func isObsidian(s *sight) bool { return s.page() && s.tree.left[""] > 0 }

// hiddenWords are comments: of Obsidian, and of HTML.
var hiddenWords = lazy.Regexp(`(?s)%%.*?%%|<!--.*?-->`)

// readObsidian reads the notes of a vault without its templates and comments.
func readObsidian(r *reading, files []*file) error {
	var notes []*file
	for _, f := range files {
		if template(r.tree, f.name) {
			r.found.Lost.leaveOut("templates")
			continue
		}
		notes = append(notes, f)
	}
	return r.pages(FormatObsidian, notes, func(p *leaf) {
		if text := hiddenWords.Get().ReplaceAllString(p.text, ""); text != p.text {
			p.text = text
			r.found.Lost.leaveOut("notes with comments, which are left out of them")
		}
	})
}

// template reports whether a note lies among the templates.
func template(t *tree, name string) bool {
	dir := "/" + strings.ToLower(path.Dir(name)) + "/"
	names := []string{"templates", "template", "_templates"}
	if t.templates != "" {
		names = append(names, strings.ToLower(strings.Trim(t.templates, "/")))
	}
	return slices.ContainsFunc(names, func(n string) bool { return strings.Contains(dir, "/"+n+"/") })
}
