package api

// LoadRequest asks for what an agent should know when its work begins.
type LoadRequest struct {
	Level   string `json:"level,omitempty" jsonschema:"minimal, task or deep: 500, 2000 or 4000 tokens"`
	Budget  int    `json:"budget,omitempty" jsonschema:"tokens, 100 to 50000; 0 is the level's"`
	Verbose bool   `json:"verbose,omitempty" jsonschema:"show each one's source"`

	Format string `json:"-"` // in which it will be printed first: text, markdown or json; "" is json
}
