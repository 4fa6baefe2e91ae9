// Package memory defines what the system remembers: the Record, its Ref, its
// kinds of Body, and the State that follows from them. Records never change;
// whatever is said of one later is a record too, a claim, and Fold computes
// what follows. The package does no I/O and imports nothing of this project but
// the canonical encoder.
package memory
