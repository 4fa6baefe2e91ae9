package importers

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
