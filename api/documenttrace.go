package api

// TraceDocumentRequest asks for a trace for other tools.
type TraceDocumentRequest struct {
	Ref       string `json:"ref" jsonschema:"a memory"`
	Format    string `json:"format" jsonschema:"prov or in-toto"`
	Direction string `json:"direction,omitempty" jsonschema:"both, backward or forward; empty is both"`
	Depth     int    `json:"depth,omitempty" jsonschema:"levels; 0 is all"`
	Words     bool   `json:"words,omitempty" jsonschema:"include the records' words and the names of runs"`
}

// TraceDocumentReply is a trace for other tools.
type TraceDocumentReply struct {
	Document []byte `json:"document"`
	Records  int    `json:"records"` // that are told of: the memory, its lineage and the claims about them
	// the lineage goes on beyond the depth, or has more records than one trace holds
	More bool `json:"more,omitempty"`
}
