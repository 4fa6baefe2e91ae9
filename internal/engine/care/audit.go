package care

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/audit"
	"github.com/stemma-memory/stemma/audit/report"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/internal/proof"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Audit checks records as a stranger would: bytes, signature, canonical form, key
// and standing of each, and each log against its checkpoints. It says up to where
// a rewritten history would show.
func (e *Care) Audit(ctx context.Context, in api.AuditRequest) (api.AuditReply, error) {
	ctx = store.Itself(ctx) // the fallback that repairs reads would hide the damage
	if in.Limit < 0 {
		return api.AuditReply{}, core.Invalid("limit: must not be negative, got %d", in.Limit)
	}
	if in.Lines < -1 {
		return api.AuditReply{}, core.Invalid("lines: must be a number of records, or -1 for all, got %d", in.Lines)
	}
	o := audit.Options{Offenders: in.Limit, Lines: in.Lines, Now: e.C.Now}
	for _, c := range in.Checkpoints {
		o.Checkpoints = append(o.Checkpoints, []byte(c))
	}
	if in.Ref != "" && in.Since {
		return api.AuditReply{}, core.Invalid("since: it is of the whole store, not of one record")
	}
	if in.Ref != "" {
		var b bytes.Buffer
		me, err := e.KnownKeys() // a reader makes none, and without any signs no proof
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return api.AuditReply{}, err
		}
		if _, err := e.intake.Export(ctx, &b, api.ExportRequest{Refs: []string{in.Ref}, Proofs: err == nil &&
			me != nil}); err != nil {
			return api.AuditReply{}, err
		}
		r, err := audit.Bundle(ctx, &b, o)
		for i := range r.Lines {
			r.Lines[i].Line = 0 // of a bundle that no one sees
		}
		if err == nil {
			err = e.auditArrivals(ctx, in.Ref, &r, o.Offenders)
		}
		return api.AuditReply{Report: r, Exit: r.Exit()}, core.Classify(err)
	}
	if in.Since {
		return e.auditSince(ctx, o)
	}
	return e.auditAll(ctx, o, nil)
}

// usualOffenders is how many an audit names where nothing is said.
const usualOffenders = 20

// auditArrivals adds to the audit of a part what only the store knows: what came
// when its key was no longer its owner's alone.
func (e *Care) auditArrivals(ctx context.Context, ref string, r *report.Report, limit int) error {
	ring, err := e.Keyring(ctx)
	if err != nil {
		return err
	}
	items, err := e.intake.Closure(ctx, []string{ref})
	if err != nil {
		return err
	}
	if limit == 0 {
		limit = usualOffenders
	}
	for _, it := range items {
		if it.Record == nil {
			continue
		}
		f := ring.Fault(it.Record)
		named := slices.ContainsFunc(r.Offenders, func(o report.Finding) bool { return o.Ref == it.Ref.String() })
		if f != state.KeyRevoked && f != state.KeyCompromised || named || r.Counts[report.OK] == 0 {
			continue
		}
		r.Counts[report.OK]--
		r.Counts[report.KeyRevoked]++
		if len(r.Offenders) < limit {
			h := it.Record.Header
			r.Offenders = append(
				r.Offenders,
				report.Finding{
					Ref: it.Ref.String(), Status: report.KeyRevoked, Why: core.FaultWords(f), Author: h.Author,
					Agent: h.Agent,
				},
			)
		}
	}
	return nil
}

// auditPage is how many records are verified at a time.
const auditPage = 1000

// auditAll audits the store: all of it, or what came after the last clean audit. Where it finds
// nothing wrong, that is remembered.
func (e *Care) auditAll(ctx context.Context, o audit.Options, last *proof.Clean) (api.AuditReply, error) {
	var reply api.AuditReply
	began := time.Now()
	spaces, err := e.Store.Spaces(ctx)
	if err != nil {
		return reply, core.Classify(err)
	}
	if ring, err := e.Keyring(ctx); err == nil && len(ring.Keeper()) > 1 {
		o.Keeper = ring.Keeper()
	}
	a, err := audit.New(o)
	if err != nil {
		return reply, core.Classify(err)
	}
	var wrong []report.LogFinding
	if last != nil && missesLog(last, spaces) {
		return reply, unfit("a log that was checked is missing")
	}
	heads, records, known := make(map[string]proof.CleanHead), int64(0), int64(0)
	for _, s := range spaces {
		f, head, err := e.auditSpace(ctx, a, s.Name, last)
		if err != nil {
			return reply, err
		}
		heads[s.Name] = head
		if records += head.Tree.Size(); last != nil {
			was := last.Spaces[s.Name].Tree
			known += was.Size()
		}
		if f.Status != "" {
			wrong = append(wrong, f)
		}
	}
	reply.Report = a.Report()
	reply.Logs = append(reply.Logs, wrong...)
	reply.Elapsed = time.Since(began)
	untrusted, err := e.views.WhyUntrusted(e.trust.Reading(ctx))
	if err != nil {
		return reply, err
	}
	if untrusted != "" {
		wrong = append(wrong, report.LogFinding{Status: report.RootMismatch, Why: untrusted})
		reply.Logs = append(reply.Logs, wrong[len(wrong)-1])
	}
	derived, err := e.auditDerived(ctx)
	// what was found says more than where the look ended
	if err != nil && (ctx.Err() != nil || last != nil || reply.Report.Exit() != report.ExitFailed) {
		return reply, err
	}
	wrong = append(wrong, derived...)
	reply.Logs = append(reply.Logs, derived...)
	if reply.Exit = reply.Report.Exit(); len(wrong) > 0 {
		reply.Exit = report.ExitFailed
	}
	var whole time.Time
	if last != nil {
		whole = last.Whole
		reply.Since = &api.CheckScope{Records: records, Checked: records - known, At: last.At, Whole: whole}
	}
	switch {
	case reply.Exit == report.ExitOK:
		e.keepClean(ctx, auditName, auditChecks, heads, whole)
	case last == nil:
		e.dropClean(auditName)
	}
	return reply, nil
}

// auditSpace returns one log to an auditor, and compares the tree kept of it.
func (e *Care) auditSpace(
	ctx context.Context, a *audit.Auditor, space string, last *proof.Clean,
) (wrong report.LogFinding, head proof.CleanHead, err error) {
	if last != nil {
		if err := e.auditKnown(ctx, a, space, last.Spaces[space], &head); err != nil {
			return wrong, head, err
		}
	}
	// What is held of the log is read before the log: one that grows meanwhile has all that it speaks of.
	held, heldErr := e.Store.Held(ctx, space)
	kept, keptErr := e.Store.Tree(ctx, space)
	f := &head.Tree
	same := *f == kept
	at := store.Seq(f.Size())
	for {
		page, err := e.Store.Kept(ctx, space, at, auditPage)
		if err != nil {
			return wrong, head, core.Classify(err)
		}
		if len(page) == 0 {
			break
		}
		statements := make([]audit.Statement, len(page))
		for i := range page {
			k := &page[i]
			statements[i] = statement(space, k)
			f.Append(ledger.Hash(k.Ref.ID))
			same = same || *f == kept
			if k.Ref.Kind != memory.KindKey {
				continue
			}
			if last != nil {
				return wrong, head, unfit("a record about keys came since, which may concern older records")
			}
			head.Keys.Append(ledger.Hash(k.Ref.ID))
		}
		if err := a.Add(ctx, statements); err != nil {
			return wrong, head, err
		}
		at = page[len(page)-1].Seq
	}
	if wrong = auditHeld(a, space, f.Size(), held, heldErr); wrong.Status != "" {
		return wrong, head, nil
	}
	if same && *f != kept { // the log grew meanwhile, and its tree with it
		now, err := e.Store.Tree(ctx, space)
		same, keptErr = now != kept, err
	}
	switch wrong = (report.LogFinding{Space: space, Records: f.Size()}); {
	case keptErr != nil:
		wrong.Status, wrong.Why = report.LogGap, core.OneLine(keptErr)
	case !same:
		wrong.Size, wrong.Status = kept.Size(), report.RootMismatch
		wrong.Why = "the tree that the store keeps of the log is of other records"
	default:
		wrong = report.LogFinding{}
	}
	return wrong, head, nil
}

// auditHeld gives an auditor the checkpoints of a log of so many records.
func auditHeld(a *audit.Auditor, space string, records int64, held []store.Checkpoint, err error) report.LogFinding {
	if err != nil {
		return report.LogFinding{Space: space, Records: records, Status: report.BadCheckpoint, Why: core.OneLine(err)}
	}
	for _, c := range held {
		a.Checkpoint(space, []byte(c.Note))
		if says, _, err := ledger.Read([]byte(c.Note)); err == nil && (says.Size != c.Size || says.Root != c.Root) {
			return report.LogFinding{
				Space: space, Records: records, Size: c.Size, Status: report.BadCheckpoint,
				Why: "a checkpoint is stored under a wrong size or root",
			}
		}
	}
	return report.LogFinding{}
}
