// Package memory defines what the system remembers: the Record, its Ref and its
// kinds of Body. Records never change; whatever is said of one later is a record
// too, a claim. The package does no I/O and imports nothing of this project but
// the canonical encoder.
package memory
