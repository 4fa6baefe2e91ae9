package api

// EntitiesRequest asks whom and what memories speak of.
type EntitiesRequest struct {
	Like  string `json:"like,omitempty" jsonschema:"only names that contain this"`
	Limit int    `json:"limit,omitempty" jsonschema:"0 is 50, -1 is all"`
}

// EntitiesReply is the names, those that most memories speak of first.
type EntitiesReply struct {
	Entities []Entity `json:"entities"`
	Total    int      `json:"total"`
	More     bool     `json:"more,omitempty"`
}

// Entity is a name that memories speak of. Spellings that differ in capitals are one.
type Entity struct {
	Name      string         `json:"name"`           // as it is spelled most often
	Kind      string         `json:"kind"`           // person, organisation, place, software, file or other
	Type      string         `json:"type,omitempty"` // as a relationship has it: person, organisation, …
	Count     int            `json:"count"`
	Kinds     map[string]int `json:"kinds"`
	FirstSeen string         `json:"first_seen"`
	LastSeen  string         `json:"last_seen"`
}

// EntityReply is all that is remembered of a name, the oldest first.
type EntityReply struct {
	Entity
	About []Memory   `json:"about"`
	Links []LinkView `json:"links,omitempty"` // between these memories
	More  bool       `json:"more,omitempty"`  // older ones
}
