package api

// A Redaction says that something was taken out of a text before it was signed,
// never what.
type Redaction struct {
	Rule  string `json:"rule"`
	Field string `json:"field"`
}
