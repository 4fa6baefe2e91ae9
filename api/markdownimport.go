package api

// FolderReply counts what was read of a folder that ExportMarkdown wrote.
type FolderReply struct {
	Records      ImportReply `json:"records"` // the signed bytes
	Files        int         `json:"files"`
	Unchanged    int         `json:"unchanged"`
	Revised      []string    `json:"revised,omitempty"`  // refs of the revisions of memories whose file was changed
	Proposed     []string    `json:"proposed,omitempty"` // where a person has to decide
	Added        []string    `json:"added,omitempty"`    // refs of memories made of new files
	AlreadyThere int         `json:"already_there"`      // changed and new files that were taken in before
	Warnings     []string    `json:"warnings,omitempty"`
}
