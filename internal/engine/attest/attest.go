package attest

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/audit"
	"github.com/stemma-memory/stemma/audit/report"
	"github.com/stemma-memory/stemma/internal/blame"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/envelope"
	"github.com/stemma-memory/stemma/memory"
)

// Attest says on what the commits of a range rest, and signs it. A signature speaks for the person: an agent gets the
// statement without one, as it may read all that is in it.
func (e *Attest) Attest(ctx context.Context, in api.AttestRequest) (api.AttestReply, error) {
	rd := e.trust.Reading(ctx)
	var reply api.AttestReply
	if !in.Unsigned {
		if err := e.OwnerOnly("sign an attestation (unsigned, it can be read)"); err != nil {
			return reply, err
		}
	}
	if strings.TrimSpace(in.Range) == "" {
		return reply, core.Invalid("range: name commits, such as main..HEAD or HEAD")
	}
	by, err := e.signer(in.Unsigned)
	if err != nil {
		return reply, err
	}
	if reply.Change, err = e.change(rd, in, by); err != nil {
		return reply, err
	}
	if !in.Unsigned {
		if reply.Envelope, err = sealed(&reply.Change, by.sign); err != nil {
			return reply, err
		}
	}
	if in.Comment {
		reply.Comment = comment(&reply.Change, signature{signed: !in.Unsigned})
	}
	return reply, nil
}

// A signer is the owner's key.
type signer struct {
	did, principal string

	sign func(payloadType string, payload []byte) ([]byte, error)
}

// signer returns the key that signs; where nothing is signed it makes none.
func (e *Attest) signer(unsigned bool) (signer, error) {
	me, err := e.KnownKeys()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return signer{}, err
	}
	switch {
	case me == nil && unsigned:
		return signer{}, nil
	case me == nil:
		return signer{}, core.Invalid("there is no key here to sign with: `init` makes one; unsigned, it can be read")
	case unsigned && me.Owner == nil:
		return signer{did: me.Principal, principal: me.Principal}, nil
	case unsigned:
		return signer{did: me.Owner.DID(), principal: me.Principal}, nil
	}
	if me, err = e.OwnKeys(); err != nil {
		return signer{}, err
	}
	if me.Owner == nil {
		return signer{}, &core.Failure{
			Kind: api.ErrForbidden, Text: "the key of a session does not speak for its owner",
		}
	}
	return signer{me.Owner.DID(), me.Principal, me.Owner.Sign}, nil
}

// sealed is a statement in a DSSE envelope.
func sealed(c *report.AttestedChange, sign func(string, []byte) ([]byte, error)) (string, error) {
	payload, err := audit.ChangeStatement(*c)
	if err != nil {
		return "", err
	}
	sig, err := sign(audit.AttestationPayload, payload)
	if err != nil {
		return "", core.ClassifyKey(err)
	}
	text, err := json.Marshal(envelope.Envelope{
		Payload: payload, PayloadType: audit.AttestationPayload,
		Signatures: []envelope.Signature{{KeyID: c.By, Sig: sig}},
	})
	if err == nil && len(text) > audit.MaxAttestation {
		const mib = 1 << 20
		err = core.Invalid("range: the attestation is larger than %d MiB; give it in parts", audit.MaxAttestation/mib)
	}
	return string(text) + "\n", err
}

// change says on what a range rests.
func (e *Attest) change(rd *trust.Reading, in api.AttestRequest, by signer) (p report.AttestedChange, err error) {
	p = report.AttestedChange{
		At: memory.At(e.C.Now()).String(), By: by.did, Owner: by.principal, Words: in.Words,
		Commits: []report.AttestedCommit{}, Sessions: []report.AttestedSession{}, Memories: []report.AttestedMemory{},
		Code: []report.AttestedCode{}, NotKnown: []string{},
	}
	r, err := e.views.Repository(rd)
	if err != nil {
		return p, err
	}
	change, err := blame.InRange(rd, r, in.Range, edits(e, rd, r))
	if err != nil {
		if _, is := errors.AsType[*blame.Error](err); is {
			err = core.Invalid("range: %s", err)
		}
		return p, err
	}
	if p.Store, err = e.First().StoreName(rd); err != nil {
		return p, core.Classify(err)
	}
	p.Base, p.Head = change.Base, change.Head
	w := &writers{at: make(map[string]int)}
	for _, c := range change.Commits {
		p.Commits = append(p.Commits, w.commit(c))
	}
	for _, c := range p.Commits {
		p.Lines, p.Seen = p.Lines+c.Lines, p.Seen+c.Seen
	}
	p.NotSeen = p.Lines - p.Seen
	if p.NotSeen > 0 {
		p.NotKnown = append(p.NotKnown, "who wrote the lines that stemma did not see: a person, or another program")
	}
	if err := e.sessions(rd, w, &p); err != nil {
		return p, err
	}
	if err := e.memories(rd, &p); err != nil {
		return p, err
	}
	return p, e.code(rd, change, &p)
}
