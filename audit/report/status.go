// Package report has what an audit says, as plain data.
package report

// A Status is the verdict about one statement. All but OK, Erased and those that Unsure names
// are failures.
type Status string

// The statuses, in the order in which they are looked for.
const (
	OK                Status = "ok"
	BadEnvelope       Status = "bad_envelope"       // the line is no line of a bundle
	Unsupported       Status = "unsupported"        // of a kind or version that is not known here
	Unsigned          Status = "unsigned"           // it has no signature
	UnknownKey        Status = "unknown_key"        // no usable key, or nothing says whose it is
	BadSignature      Status = "bad_signature"      // not what the key signed
	DigestMismatch    Status = "digest_mismatch"    // kept under an id, or in a place, that is not its own
	NotCanonical      Status = "not_canonical"      // signed, and not written in the one way
	AuthorMismatch    Status = "author_mismatch"    // signed by another than its author
	DelegationInvalid Status = "delegation_invalid" // under a delegation that is missing or does not cover it
	KeyExpired        Status = "key_expired"        // written after its delegation ended
	KeyRevoked        Status = "key_revoked"        // came after its key was taken back or replaced
	MissingParent     Status = "missing_parent"     // what it rests on is not here
	Erased            Status = "erased"             // purged, by one who may
)

// Statuses are all of them, in the order in which they are looked for.
var Statuses = []Status{
	OK, BadEnvelope, Unsupported, Unsigned, UnknownKey, BadSignature, DigestMismatch, NotCanonical,
	AuthorMismatch, DelegationInvalid, KeyExpired, KeyRevoked, MissingParent, Erased,
}

// Unsure reports whether s says that something could not be checked, rather than
// that it is wrong.
func (s Status) Unsure() bool { return s == UnknownKey || s == MissingParent || s == Unsupported }

// Fine reports whether there is nothing to say against the statement.
func (s Status) Fine() bool { return s == OK || s == Erased }

// A LogStatus is the verdict about one log.
type LogStatus string

// The statuses of a log.
const (
	LogOK         LogStatus = "ok"             // it has the root that its checkpoints give
	LogUnchecked  LogStatus = "unchecked"      // there is no checkpoint, or it cannot be judged
	LogGap        LogStatus = "gap"            // there are fewer records than a checkpoint counts
	RootMismatch  LogStatus = "root_mismatch"  // it is not what the checkpoint was of
	TablesDiffer  LogStatus = "tables_differ"  // what a store derived of it hides something
	Fork          LogStatus = "fork"           // there are two histories of it
	BehindWitness LogStatus = "behind_witness" // somebody has seen more of it
	BadCheckpoint LogStatus = "bad_checkpoint" // the note is damaged or forged
)
