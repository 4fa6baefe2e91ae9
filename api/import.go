package api

// ImportReply counts what was read.
type ImportReply struct {
	Lines        int `json:"lines"`
	Added        int `json:"added"`
	AlreadyThere int `json:"already_there"`
	Purged       int `json:"purged"`

	Secrets map[string]int `json:"secrets,omitempty"` // records in which some stand, by rule: they are kept as they came
}
