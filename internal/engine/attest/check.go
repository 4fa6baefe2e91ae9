package attest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/audit"
	"github.com/stemma-memory/stemma/audit/report"
	"github.com/stemma-memory/stemma/internal/blame"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Audit checks an attestation by itself, against the repository around the user's directory, where there is one, and
// against the store, where that knows who signed it.
func (e *Attest) Audit(ctx context.Context, in api.AuditRequest) (api.AuditReply, error) {
	reply := api.AuditReply{Report: report.Report{
		Counts: make(map[report.Status]int), Offenders: []report.Finding{}, Logs: []report.LogFinding{},
		Roots: []report.Root{},
	}}
	if in.Ref != "" || in.Since || len(in.Checkpoints) > 0 || in.Certificate != "" || in.List != "" {
		return reply, core.Invalid("attestation: give nothing but signer, of and comment with it")
	}
	out := &api.AttestationCheck{}
	reply.Attestation = out
	var err error
	fails := func(why string) (api.AuditReply, error) {
		reply.Exit, out.Why, out.Checks = report.ExitFailed, why, false
		return reply, nil
	}
	refused := func(why string) (api.AuditReply, error) {
		return fails(fmt.Sprintf("%v: %s", audit.ErrAttestation, why))
	}
	if out.Change, err = audit.Attestation([]byte(in.Attestation), in.Signer); err != nil {
		out.Change = report.AttestedChange{}
		return fails(core.OneLine(err))
	}
	rd := e.trust.Reading(ctx)
	wrong, open, err := e.inRepository(rd, in.Of, out)
	if err != nil {
		return reply, err
	}
	if wrong != "" {
		return refused(wrong)
	}
	who, err := rd.Voices()
	if err != nil {
		return reply, err
	}
	me, err := e.KnownKeys()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return reply, err
	}
	by := who.Ring.Principal(out.Change.By)
	if out.Signer = who.NameOf(by); me != nil && by == me.Principal {
		out.Signer = "you"
		if name, err := e.First().StoreName(ctx); err != nil || name != out.Change.Store {
			out.Why = "it is of another store: what it says of memories was not compared"
		} else if wrong, err = e.inStore(rd, out); err != nil {
			return reply, err
		}
		if wrong != "" {
			return refused(wrong)
		}
	}
	if open == "" && who.Ring.Revoked(out.Change.By, by) != nil {
		open = "its key was revoked: whether it was signed before that cannot be told"
	}
	out.Checks = out.Signer != "" || in.Signer != ""
	switch {
	case !out.Checks:
		reply.Exit, out.Why = report.ExitUnchecked, "its key is not known here: compare it with one you know"
	case open != "":
		reply.Exit, out.Why, out.Checks = report.ExitUnchecked, open, false
	}
	if in.Comment {
		out.Comment = comment(&out.Change, signature{signed: true, checked: out.Checks, name: out.Signer, why: out.Why})
	}
	return reply, nil
}

// inRepository says what is wrong with the commits of an attestation, and what could not be compared.
func (e *Attest) inRepository(rd *trust.Reading, of string, out *api.AttestationCheck) (wrong, open string, err error) {
	p := &out.Change
	r, err := e.views.Repository(rd)
	if err != nil {
		if of != "" {
			return "", "", err
		}
		return "", "", nil // it stands by itself
	}
	asked := of
	if asked == "" {
		if asked = p.Head; p.Base != "" {
			asked = p.Base + ".." + p.Head
		}
	}
	here, err := blame.Commits(rd, r, asked)
	if ctxErr := rd.Err(); ctxErr != nil {
		return "", "", ctxErr
	}
	if err != nil {
		if of != "" {
			return "", "", core.Invalid("of: %s", core.OneLine(err))
		}
		if blame.IsShallow(r) {
			return "", "this clone is shallow: its commits cannot be compared; git fetch --unshallow", nil
		}
		return "its commits are not in this repository", "", nil
	}
	if len(here) != len(p.Commits) {
		return fmt.Sprintf("it is of %s, and %s has %d", core.Plural(len(p.Commits), "commit"), or(of, "its range"),
			len(here)), "", nil
	}
	for _, c := range p.Commits {
		if !slices.Contains(here, c.Commit) {
			return fmt.Sprintf("its commit %s is not one of %s", c.Commit, or(of, "its range")), "", nil
		}
	}
	out.Commits = len(here)
	return "", "", nil
}

func or(asked, otherwise string) string {
	if asked == "" {
		return otherwise
	}
	return core.QuotedCut(asked)
}

// inStore says what of an attestation by this person the store contradicts.
func (e *Attest) inStore(rd *trust.Reading, out *api.AttestationCheck) (wrong string, err error) {
	p := &out.Change
	for page := range slices.Chunk(p.Memories, core.ExportPage) {
		var ids []memory.ID
		at := make(map[memory.ID]*report.AttestedMemory)
		for i := range page {
			m := &page[i]
			ref, err := memory.ParseRef(m.Ref)
			if err != nil || m.Missing != "" {
				continue
			}
			ids, at[ref.ID] = append(ids, ref.ID), m
			for _, d := range m.Decisions {
				if ref, err := memory.ParseRef(d.Ref); err == nil && at[ref.ID] == nil {
					ids, at[ref.ID] = append(ids, ref.ID), nil
				}
			}
		}
		items, err := rd.Get(ids...)
		if err != nil {
			return "", core.Classify(err)
		}
		for i, it := range items {
			m := at[ids[i]]
			switch {
			case it == nil:
				return fmt.Sprintf("this store does not have %s", ids[i]), nil
			case m == nil || it.Record == nil: // a decision that is held, or words that were purged since
			case it.Doubt == store.Forged || !says(m, &it.Record.Header):
				return fmt.Sprintf("%s is not here as it says", m.Ref), nil
			default:
				out.Held++
			}
		}
	}
	return "", nil
}

// says reports whether an attestation says of a record what its header says.
func says(m *report.AttestedMemory, h *memory.Header) bool {
	return m.Author == h.Author && m.Origin == string(h.Origin) && m.At == h.At.String() &&
		slices.Equal(m.From, core.RefStrings(h.Provenance.From))
}
