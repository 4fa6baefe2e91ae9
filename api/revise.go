package api

// ReviseRequest says a memory again.
type ReviseRequest struct {
	Ref  string   `json:"ref" jsonschema:"the memory to replace"`
	From []string `json:"from,omitempty" jsonschema:"more sources of the new revision"`
	// Clear names what the new one is to be without, such as "steps" or "valid_until". What is
	// neither named here nor given stays as it is.
	Clear []string `json:"clear,omitempty" jsonschema:"fields to empty; fields that are not given stay as they are"`
	// Merge names other memories of the kind that the new one replaces too.
	Merge []string `json:"merge,omitempty" jsonschema:"other memories that it replaces too"`
	// Again is for a person who says what was rejected.
	Again bool `json:"again,omitempty" jsonschema:"although a person rejected the same; only a person may"`
	Draft
	Meta
}
