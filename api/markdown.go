package api

// MarkdownReply counts what an export to Markdown wrote.
type MarkdownReply struct {
	ExportReply
	Files     int      `json:"files"`   // one a memory
	Written   int      `json:"written"` // of them, new or changed
	Removed   int      `json:"removed"` // of memories that are purged or hidden since
	LeftOut   int      `json:"left_out"`
	Untouched []string `json:"untouched,omitempty"` // files that somebody else wrote or changed
}
