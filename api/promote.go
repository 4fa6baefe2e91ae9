package api

// PromoteRequest turns raws into a memory.
type PromoteRequest struct {
	From  []string `json:"from" jsonschema:"refs of the raws"`
	Again bool     `json:"again,omitempty" jsonschema:"even if one was promoted to this kind before"`
	Draft
	Meta
}

// ConsolidateRequest draws a conclusion from memories.
type ConsolidateRequest struct {
	From  []string `json:"from" jsonschema:"refs of the episodes and other memories it rests on"`
	Batch string   `json:"batch,omitempty" jsonschema:"the consolidation it belongs to; default: named after its sources"`
	// Again is for a person who says what was rejected.
	Again bool `json:"again,omitempty" jsonschema:"although a person rejected the same; only a person may"`
	Draft
	Meta
}
