package api

// ExportReply counts what was written.
type ExportReply struct {
	Records int `json:"records"`
	Purged  int `json:"purged"`

	Secrets map[string]int `json:"secrets,omitempty"` // records in which some stand, by rule: they leave with them

	Person *PersonList `json:"person,omitempty"` // of a person: what was written, and what was not
}
