package importers

// Names of formats of conversations.
const (
	FormatChatGPT  = "chatgpt"
	FormatClaudeAI = "claude-ai"
	FormatGemini   = "gemini"
	FormatMessages = "messages"
	FormatSlack    = "slack"
	FormatMbox     = "mbox"

	FormatTranscript = "transcript"
)

// Names of formats of memory programs.
const (
	FormatGraph      = "mcp-memory"
	FormatMem0       = "mem0"
	FormatKernle     = "kernle"
	FormatAlexandria = "alexandria"
	FormatLoCoMo     = "locomo"
	FormatJSONL      = "jsonl"

	FormatGraphiti    = "graphiti"
	FormatLetta       = "letta"
	FormatOpenMemory  = "openmemory"
	FormatClaudeMem   = "claude-mem"
	FormatEngram      = "engram"
	FormatHindsight   = "hindsight"
	FormatSupermemory = "supermemory"
)

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

// Formats that have readers elsewhere: they are only recognised here.
const (
	FormatRecords   = "records"   // what Export wrote
	FormatFolder    = "folder"    // what ExportMarkdown wrote
	FormatAnamnesis = "anamnesis" // documents of the Memory Provenance Schema
)
