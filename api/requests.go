package api

// Requests that several operations take.

// Nothing is the request of an operation that needs none, such as stats.
type Nothing struct{}

// RefRequest names one record.
type RefRequest struct {
	Ref string `json:"ref" jsonschema:"kind:id, or the first digits of the id"`
}

// LimitRequest bounds what is listed.
type LimitRequest struct {
	Limit int `json:"limit,omitempty" jsonschema:"0 is 50, -1 is all"`
}

// KindRequest asks for what waits, of one kind.
type KindRequest struct {
	Kind  string `json:"kind,omitempty"` // "" is every kind
	All   bool   `json:"all,omitempty" jsonschema:"also what needs no decision"`
	Limit int    `json:"limit,omitempty" jsonschema:"0 is 50, -1 is all"`
}

// NameRequest names somebody or something that memories speak of.
type NameRequest struct {
	Name  string `json:"name"`
	Limit int    `json:"limit,omitempty" jsonschema:"0 is 50, -1 is all"` // the newest so many
}

// OpenRequest asks for what is not settled yet.
type OpenRequest struct {
	All   bool `json:"all,omitempty"` // what is settled too
	Limit int  `json:"limit,omitempty" jsonschema:"0 is 50, -1 is all"`
}
