package importers

import (
	"slices"
	"strings"
)

// Formats are all that are known, in the order in which a file is tried as one of them.
func Formats() []Format {
	return slices.Concat(ownFormats(), memoryFormats(), chatFormats(), pageFormats())
}

// ownFormats are those of this program.
func ownFormats() []Format {
	return []Format{
		{Name: FormatRecords, Doc: "What an export of stemma wrote", Example: "backup.jsonl", is: func(s *sight) bool {
			return !s.listed && s.names["payload"] != "{" && s.any("payload", "purged", "checkpoint", "inclusion")
		}},
		{Name: FormatAnamnesis, Doc: "Documents of the Memory Provenance Schema", Example: "documents.json",
			is: func(s *sight) bool { return s.has("content", "provenance") }},
		{Name: FormatLoCoMo, Doc: "Conversations of the LoCoMo data set", Example: "locomo.json", is: isLoCoMo,
			read: readLoCoMo},
	}
}

// chatFormats are those of conversations. What is said in one is captured, and believed by no one
// before a person says so: each turn is a raw, with who said it and when.
func chatFormats() []Format {
	return []Format{
		{FormatChatGPT, "Conversations of ChatGPT: the zip, its folder or conversations.json", "chatgpt.zip",
			isChatGPT, readChatGPT},
		{FormatClaudeAI, "Conversations, projects and memories of Claude.ai", "claude.zip", isClaudeAI, readClaudeAI},
		{FormatGemini, "Gemini: activity of Takeout, and sessions of Gemini CLI", "takeout.zip", isGemini, readGemini},
		{FormatSlack, "An export of Slack: the zip or its folder", "slack.zip", isSlack, readSlack},
		{FormatMbox, "Mail in an mbox file", "mail.mbox", isMbox, readMbox},
		{FormatTranscript, "A conversation that Claude Code or Codex kept", "session.jsonl", isTranscript, readTranscripts},
		{FormatMessages, "Messages with a role and words, as OpenAI, LangChain and fine-tuning write them",
			"messages.jsonl", isMessages, readMessages},
	}
}

// memoryFormats are those of programs that keep memories.
func memoryFormats() []Format {
	return []Format{
		{FormatGraph, "The graph of the MCP reference memory server: its file, or what read_graph returns", "memory.jsonl",
			isGraph, readGraph},
		{FormatGraphiti, "graphiti: episodes, nodes and edges with when they hold", "graphiti.json",
			isGraphiti, readGraphiti},
		{FormatLetta, "An agent file of Letta: its memory and what was said", "agent.af", isLetta, readLetta},
		{FormatOpenMemory, "OpenMemory: its backup, or what its API lists", "openmemory.zip", isOpenMemory, readOpenMemory},
		{FormatClaudeMem, "claude-mem: its database or its export", "claude-mem.db", isClaudeMem, readClaudeMem},
		{FormatEngram, "engram: its database or its export", "engram.json", isEngram, readEngram},
		{FormatHindsight, "Facts of Hindsight", "hindsight.json", isHindsight, readHindsight},
		{FormatSupermemory, "Documents and memories of supermemory", "supermemory.json", isSupermemory, readSupermemory},
		{FormatKernle, "Kernle's database, or its dump as JSON", "~/.kernle/memories.db", isKernle, readKernle},
		{FormatAlexandria, "Alexandria's database, or its export", "alexandria.json", isAlexandria, readAlexandria},
		{FormatMem0, "Memories of mem0: get_all, or its history", "mem0.json", isMem0, readMem0},
	}
}

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
