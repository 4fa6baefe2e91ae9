package api

import (
	"github.com/stemma-memory/stemma/audit/report"
)

// AuditRequest says what to audit.
type AuditRequest struct {
	Ref         string   `json:"ref,omitempty" jsonschema:"one record with all its sources; empty for everything"`
	Checkpoints []string `json:"checkpoints,omitempty" jsonschema:"texts of checkpoints that somebody else kept"`
	Limit       int      `json:"limit,omitempty" jsonschema:"how many offenders are named; 0 is 20"`
}

// AuditReply is what a stranger could check, and what he found.
type AuditReply struct {
	report.Report
	Exit int `json:"exit"` // 0 all is well, 1 something is wrong, 2 something could not be checked
}

// ExportRequest says what to export. The zero one is everything.
type ExportRequest struct {
	Refs   []string `json:"refs,omitempty" jsonschema:"with their sources and all claims about them; empty is everything"`
	Proofs bool     `json:"proofs,omitempty" jsonschema:"include checkpoints, and proofs that each record is in the log"`
}
