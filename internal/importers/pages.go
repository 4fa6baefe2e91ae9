package importers

import "strings"

// Names of formats of notes.
const (
	FormatMarkdown     = "markdown"
	FormatBasic        = "basic-memory"
	FormatInstructions = "instructions"
	FormatObsidian     = "obsidian"
	FormatNotion       = "notion"
	FormatAutoMemory   = "claude-memory"
	FormatMemoryBlock  = "memory-block"
	FormatText         = "text"
)

// pageFormats are those of folders of notes, and of words alone.
func pageFormats() []Format {
	return []Format{
		{FormatJSONL, "Anything else: one object a line", "notes.jsonl", func(s *sight) bool {
			return s.has("text") && !s.listed && strings.HasPrefix(strings.TrimSpace(s.head), "{")
		}, readLines},
		{FormatInstructions, "Instructions for agents: CLAUDE.md, AGENTS.md, .cursor/rules, .clinerules", "CLAUDE.md",
			isInstructions, readInstructions},
		{FormatMemoryBlock, "What an assistant answers when asked to export your memories", "memories.txt", isMemoryBlock,
			readMemoryBlock},
		{FormatAutoMemory, "The folder in which Claude Code keeps what it remembers", "memory/",
			isAutoMemory, readAutoMemory},
		{FormatNotion, "Pages exported by Notion as Markdown", "notion.zip", isNotion, readNotion},
		{FormatObsidian, "A vault of Obsidian", "vault/", isObsidian, readObsidian},
		{FormatBasic, "A folder of Basic Memory: observations and relations", "basic-memory/",
			func(s *sight) bool { return s.page() && s.tree.isBasic }, readPages(FormatBasic)},
		{FormatMarkdown, "A folder of notes with front matter and wikilinks", "notes/",
			func(s *sight) bool { return s.page() }, readPages(FormatMarkdown)},
		{FormatText, "Words alone, kept as they are", "words.txt", isText, readText},
	}
}

// place is the name of a file, with the directories above it where it was named alone.
func (s *sight) place() string {
	if !s.tree.dir && s.tree.root != "" {
		return strings.ReplaceAll(s.tree.root, `\`, "/")
	}
	return s.name
}
