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
	Lines       int      `json:"lines,omitempty" jsonschema:"how many records to give with their words; -1 is all"`
	Since       bool     `json:"since,omitempty" jsonschema:"verify only what came after the last clean audit"`
	// Certificate is one that a purge gave. It is checked instead of records.
	Certificate string `json:"certificate,omitempty" jsonschema:"the text of a certificate of a purge, to check that"`
	List        string `json:"list,omitempty" jsonschema:"the digest that the certificate is of; empty is the last act"`
	// Attestation is one of a change. It is checked instead of records.
	Attestation string `json:"attestation,omitempty" jsonschema:"the text of an attestation of a change, to check that"`
	Signer      string `json:"signer,omitempty" jsonschema:"did:key or fingerprint that must have signed the attestation"`
	Of          string `json:"of,omitempty" jsonschema:"the git range that the attestation must be of"`
	Comment     bool   `json:"comment,omitempty" jsonschema:"the attestation also as Markdown for a pull request"`
}

// AuditReply is what a stranger could check, and what he found.
type AuditReply struct {
	report.Report
	Exit int `json:"exit"` // 0 all is well, 1 something is wrong, 2 something could not be checked
	// Since says what was read where only what came since the last clean audit was asked for. What was
	// changed on the disk in older records since then is not seen.
	Since *CheckScope `json:"since,omitempty"`

	Certificate *CertificateCheck `json:"certificate,omitempty"`
	Attestation *AttestationCheck `json:"attestation,omitempty"`
}

// CertificateCheck is what a certificate says, and whether it checks.
type CertificateCheck struct {
	report.Certificate
	Checks bool   `json:"checks"`
	Why    string `json:"why,omitempty"`    // why not, or what could not be checked
	Signer string `json:"signer,omitempty"` // you, or the name of who signed it
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

	Person
}
