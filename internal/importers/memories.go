package importers

import "strings"

// Names of formats of memory programs.
const (
	FormatGraph      = "mcp-memory"
	FormatMem0       = "mem0"
	FormatKernle     = "kernle"
	FormatAlexandria = "alexandria"
	FormatLoCoMo     = "locomo"
	FormatJSONL      = "jsonl"
)

// memoryFormats are those of programs that keep memories.
func memoryFormats() []Format {
	return []Format{
		{FormatGraph, "The graph of the MCP reference memory server: its file, or what read_graph returns", "memory.jsonl",
			isGraph, readGraph},
		{FormatKernle, "Kernle's database, or its dump as JSON", "~/.kernle/memories.db", isKernle, readKernle},
		{FormatAlexandria, "Alexandria's database, or its export", "alexandria.json", isAlexandria, readAlexandria},
		{FormatMem0, "Memories of mem0: get_all, or its history", "mem0.json", isMem0, readMem0},
		{FormatJSONL, "Anything else: one object a line", "notes.jsonl", func(s *sight) bool {
			return s.has("text") && !s.listed && strings.HasPrefix(strings.TrimSpace(s.head), "{")
		}, readLines},
	}
}

func isLoCoMo(s *sight) bool {
	return s.any("session_1") || s.has("conversation", "sample_id") || s.has("conversation", "qa")
}

func readLoCoMo(r *reading, files []*file) error {
	return r.eachFile(files, func(f *file) error {
		where, err := f.onPath()
		if err != nil {
			return err
		}
		seq, _, err := LoCoMo(where)
		if err != nil {
			return err
		}
		for one, err := range seq {
			if err != nil {
				return err
			}
			if err := r.give(one); err != nil {
				return err
			}
		}
		return nil
	})
}
