package api

// What is done with a text that is about to be signed and holds what looks like a
// password, a key or a token. What was signed can no longer be changed.
const (
	SecretsRedact = "redact" // "[REDACTED:rule]" stands in its place
	SecretsBlock  = "block"  // the write is refused
	SecretsAllow  = "allow"  // it is kept as it is
)

// A Redaction says that something was taken out of a text before it was signed,
// never what.
type Redaction struct {
	Rule  string `json:"rule"`
	Field string `json:"field"`
}
