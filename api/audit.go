package api

import (
	"time"

	"github.com/stemma-memory/stemma/audit/report"
)

// AuditRequest says what to audit.
type AuditRequest struct {
	Ref         string   `json:"ref,omitempty" jsonschema:"one record with all its sources; empty for everything"`
	Checkpoints []string `json:"checkpoints,omitempty" jsonschema:"texts of checkpoints that somebody else kept"`
	Limit       int      `json:"limit,omitempty" jsonschema:"how many offenders are named; 0 is 20"`
	Since       bool     `json:"since,omitempty" jsonschema:"verify only what came after the last clean audit"`
}

// AuditReply is what a stranger could check, and what he found.
type AuditReply struct {
	report.Report
	Exit int `json:"exit"` // 0 all is well, 1 something is wrong, 2 something could not be checked
	// Since says what was read where only what came since the last clean audit was asked for. What was
	// changed on the disk in older records since then is not seen.
	Since *CheckScope `json:"since,omitempty"`
}

// CheckScope is what an audit or a doctor read that was asked only for what came since its last clean run.
type CheckScope struct {
	Records int64     `json:"records"`        // in the store
	Checked int64     `json:"checked"`        // of them, now
	At      time.Time `json:"at,omitzero"`    // when the others were found clean
	Whole   time.Time `json:"whole,omitzero"` // when all were last read
	Why     string    `json:"why,omitempty"`  // why everything was read
}

// ExportRequest says what to export. The zero one is everything.
type ExportRequest struct {
	Refs   []string `json:"refs,omitempty" jsonschema:"with their sources and all claims about them; empty is everything"`
	Proofs bool     `json:"proofs,omitempty" jsonschema:"include checkpoints, and proofs that each record is in the log"`
}
