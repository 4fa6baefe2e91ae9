// Package audit checks memories as a stranger would: from their bytes alone,
// with no store, no network and no trust in who hands them over. It takes a
// bundle, the file that an export writes, or the records of a store one page
// after the other.
//
// Of each statement it says whether it is what its author signed, and whether
// the author might speak; of each log whether it is whole as far as a
// checkpoint says how it was. What it cannot say stands in the report too:
// without a checkpoint that somebody else holds, whoever has the keys can write
// a whole history again.
package audit

import "github.com/stemma-memory/stemma/audit/report"

// What an audit says; see package report.
type (
	Report     = report.Report
	Finding    = report.Finding
	LogFinding = report.LogFinding
	Holder     = report.Holder
	Root       = report.Root
	Status     = report.Status
	LogStatus  = report.LogStatus
)

// The statuses; see package report.
const (
	OK                = report.OK
	BadEnvelope       = report.BadEnvelope
	Unsupported       = report.Unsupported
	Unsigned          = report.Unsigned
	UnknownKey        = report.UnknownKey
	BadSignature      = report.BadSignature
	DigestMismatch    = report.DigestMismatch
	NotCanonical      = report.NotCanonical
	AuthorMismatch    = report.AuthorMismatch
	DelegationInvalid = report.DelegationInvalid
	KeyExpired        = report.KeyExpired
	KeyRevoked        = report.KeyRevoked
	MissingParent     = report.MissingParent
	Erased            = report.Erased
	LogOK             = report.LogOK
	LogUnchecked      = report.LogUnchecked
	LogGap            = report.LogGap
	RootMismatch      = report.RootMismatch
	TablesDiffer      = report.TablesDiffer
	Fork              = report.Fork
	BehindWitness     = report.BehindWitness
	BadCheckpoint     = report.BadCheckpoint
	ExitOK            = report.ExitOK
	ExitFailed        = report.ExitFailed
	ExitUnchecked     = report.ExitUnchecked
)

// Statuses are all of them, in the order in which they are looked for.
var Statuses = report.Statuses
