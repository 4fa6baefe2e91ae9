package importers

import (
	"slices"
	"strings"
)

// Names of formats of notes.
const (
	FormatMarkdown     = "markdown"
	FormatBasic        = "basic-memory"
	FormatInstructions = "instructions"
)

// pageFormats are those of folders of notes, and of words alone.
func pageFormats() []Format {
	return []Format{
		{FormatInstructions, "Instructions for agents: CLAUDE.md, AGENTS.md, .cursor/rules, .clinerules", "CLAUDE.md",
			func(s *sight) bool { return looksInstructing(s.place()) }, readInstructions},
		{FormatBasic, "A folder of Basic Memory: observations and relations", "basic-memory/",
			func(s *sight) bool { return s.page() && s.tree.basic() }, readPages(FormatBasic)},
		{FormatMarkdown, "A folder of notes with front matter and wikilinks", "notes/",
			func(s *sight) bool { return s.page() }, readPages(FormatMarkdown)},
	}
}

// place is the name of a file, with the directories above it where it was named alone.
func (s *sight) place() string {
	if !s.tree.dir && s.tree.root != "" {
		return strings.ReplaceAll(s.tree.root, `\`, "/")
	}
	return s.name
}

// basic reports whether a page of the folder is one of Basic Memory.
func (t *tree) basic() bool {
	if t.isBasic == nil {
		found := slices.ContainsFunc(t.files, func(f *file) bool {
			return f.seen != nil && f.seen.page() && looksBasic(f.seen)
		})
		t.isBasic = &found
	}
	return *t.isBasic
}
