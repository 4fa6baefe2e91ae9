package audit

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/audit/report"
	"github.com/stemma-memory/stemma/internal/canon"
	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/memory"
)

// AttestationPayload is the payload type of an attestation's envelope: an in-toto statement.
const AttestationPayload = "application/vnd.in-toto+json"

// The types of a statement. A change of what members mean needs another predicate.
const (
	inTotoStatement = "https://in-toto.io/Statement/v1"
	changes         = "https://stemma-memory.github.io/predicates/change/"
	changePredicate = changes + "v1"
)

// statement is an in-toto Statement, version 1.
type statement struct {
	Type          string                `json:"_type"`
	Subject       []subject             `json:"subject"`
	PredicateType string                `json:"predicateType"`
	Predicate     report.AttestedChange `json:"predicate"`
}

// subject is one commit of a change.
type subject struct {
	Name   string       `json:"name"`
	Digest commitDigest `json:"digest"`
}

// commitDigest is the hash of a commit, as git has it.
type commitDigest struct {
	GitCommit string `json:"gitCommit"`
}

// ChangeStatement returns the bytes that the owner of a store signs of a change, as AttestationPayload.
func ChangeStatement(c report.AttestedChange) ([]byte, error) {
	s := statement{Type: inTotoStatement, Subject: []subject{}, PredicateType: changePredicate, Predicate: c}
	for _, one := range c.Commits {
		s.Subject = append(s.Subject, subject{"commit", commitDigest{one.Commit}})
	}
	return canon.Marshal(s)
}

// MaxAttestation bounds an attestation, in bytes.
const MaxAttestation = 64 << 20

// ErrAttestation says why an attestation does not check.
var ErrAttestation = errors.New("the attestation does not check")

func unattested(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrAttestation, fmt.Sprintf(format, args...))
}

// IsAttestation reports whether a file is an in-toto statement, signed or not.
func IsAttestation(raw []byte) bool {
	var e struct {
		PayloadType string `json:"payloadType"`
		Type        string `json:"_type"`
	}
	return len(raw) <= MaxAttestation && json.Unmarshal(raw, &e) == nil &&
		(e.PayloadType == AttestationPayload || strings.HasPrefix(e.Type, "https://in-toto.io/"))
}

// Attestation checks an attestation of a change by itself: no store, repository or network is used. The key that signed
// it is in the statement, as By: a person compares it with one that they know, or names it as signer, by its did:key or
// fingerprint. Members that this version does not know are left out, as in-toto asks.
func Attestation(raw []byte, signer string) (report.AttestedChange, error) {
	c, err := attested(raw, signer)
	if err != nil {
		return report.AttestedChange{}, err
	}
	return c.Predicate, nil
}

func attested(raw []byte, signer string) (s statement, err error) {
	if len(raw) > MaxAttestation {
		return s, unattested("it is larger than %d bytes", MaxAttestation)
	}
	text, err := canon.Transform(raw)
	if err != nil {
		return s, unattested("it is no JSON in one way: %v", err)
	}
	e, err := cutEnvelope(text)
	switch {
	case err != nil && strings.HasPrefix(string(text), `{"_type":`):
		return s, unattested("it is not signed")
	case err != nil:
		return s, unattested("it is no DSSE envelope")
	case e.payloadType != AttestationPayload:
		return s, unattested("it holds no in-toto statement but %s", e.payloadType)
	case canon.Check(e.payload) != nil:
		return s, unattested("what was signed is no JSON in canonical form")
	}
	var head struct {
		Type          string `json:"_type"`
		PredicateType string `json:"predicateType"`
		Predicate     struct {
			By string `json:"by"`
		} `json:"predicate"`
	}
	_ = json.Unmarshal(e.payload, &head) // what is not there is empty
	const enough = 100
	other := shorten.To(head.PredicateType, enough)
	switch {
	case head.Type != inTotoStatement:
		return s, unattested("it is no in-toto statement of version 1")
	case head.PredicateType != changePredicate && strings.HasPrefix(head.PredicateType, changes):
		return s, unattested("its predicate is %q, and this program reads %s: use a newer one", other, changePredicate)
	case head.PredicateType != changePredicate:
		return s, unattested("it is an in-toto statement of something else: %q", other)
	}
	by := slices.IndexFunc(e.sigs, func(g memory.Signature) bool { return g.Key == head.Predicate.By })
	if by < 0 {
		return s, unattested("it is not signed by the key that it names")
	}
	if err := keys.Verify(e.sigs[by].Key, e.payloadType, e.payload, e.sigs[by].Sig); err != nil {
		return s, unattested("it was altered, or forged: the signature does not hold")
	}
	if err := json.Unmarshal(e.payload, &s); err != nil {
		return s, unattested("its members are not those of %s", changePredicate)
	}
	if print, _ := keys.Fingerprint(s.Predicate.By); signer != "" && signer != s.Predicate.By && signer != print {
		return s, unattested("it is signed by another key: %s", s.Predicate.By)
	}
	return s, whole(&s)
}

// whole asks whether the parts of a statement fit together.
func whole(s *statement) error {
	p := &s.Predicate
	if len(p.Commits) == 0 || len(p.Commits) != len(s.Subject) || p.Head != p.Commits[0].Commit {
		return unattested("its subjects are not the commits that it speaks of")
	}
	if !isCommit(p.Head) || p.Base != "" && !isCommit(p.Base) {
		return unattested("its commits are not named by their hashes")
	}
	lines, seen := 0, 0
	for i, c := range p.Commits {
		if s.Subject[i].Digest.GitCommit != c.Commit {
			return unattested("its subjects are not the commits that it speaks of")
		}
		if !isCommit(c.Commit) {
			return unattested("its commits are not named by their hashes")
		}
		lines, seen = lines+c.Lines, seen+c.Seen
		for _, f := range c.Files {
			for _, by := range f.By {
				if by.Session < 0 || by.Session >= len(p.Sessions) {
					return unattested("it names a session that it does not have")
				}
			}
		}
	}
	if lines != p.Lines || seen != p.Seen || p.Seen+p.NotSeen != p.Lines || p.Seen > p.Lines || p.Seen < 0 {
		return unattested("its counts do not add up")
	}
	return nil
}

// isCommit reports whether a text is the hash of a commit in full.
func isCommit(s string) bool {
	const sha1, sha256 = 40, 64
	return (len(s) == sha1 || len(s) == sha256) && strings.Trim(s, "0123456789abcdef") == ""
}
