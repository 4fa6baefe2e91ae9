package care

import (
	"context"
	"errors"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/audit"
	"github.com/stemma-memory/stemma/audit/report"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/internal/proof"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/door"
	"github.com/stemma-memory/stemma/memory"
)

// auditChecks is the version of what an audit verifies. Raise it when it verifies more: then
// everything is read again.
const auditChecks = 1

// auditName is under what the book has the last clean audit.
const auditName = "audit"

// unfit says why what is remembered of the last clean check is of no use.
type unfit string

func (u unfit) Error() string { return string(u) }

// book returns what is remembered of the store beside it, nil where nothing is.
func (e *Care) book() *proof.Book {
	if d, ok := store.Plain(e.Store).(*door.Store); ok {
		return d.Book()
	}
	return nil
}

// lastClean returns the last clean check, or why there is none to go on from.
func (e *Care) lastClean(ctx context.Context, check string, checks int) (*proof.Clean, error) {
	b := e.book()
	if b == nil {
		return nil, unfit("nothing is remembered of this store")
	}
	c, err := b.Clean(check)
	if err != nil {
		return nil, unfit(core.OneLine(err))
	}
	if c == nil {
		return nil, unfit("no clean check is remembered")
	}
	name, err := e.First().StoreName(ctx)
	switch {
	case err != nil:
		return nil, core.Classify(err)
	case c.Store != name:
		return nil, unfit("the last clean check was of another store")
	case c.Checks != checks:
		return nil, unfit("the last clean check was by another version of the checks")
	}
	return c, nil
}

// keepClean remembers a clean check. Where that fails, the next one reads everything.
func (e *Care) keepClean(
	ctx context.Context, check string, checks int, spaces map[string]proof.CleanHead, whole time.Time,
) {
	b, now := e.book(), e.C.Now().UTC()
	if b == nil || e.C.ReadOnly {
		return
	}
	if whole.IsZero() {
		whole = now
	}
	if name, err := e.First().StoreName(ctx); err == nil {
		_ = b.SetClean(check, &proof.Clean{Store: name, Checks: checks, At: now, Whole: whole, Spaces: spaces})
	}
}

// dropClean forgets the last clean check: one that read everything found something, and what comes
// after that must not be told that all was clean.
func (e *Care) dropClean(check string) {
	if b := e.book(); b != nil && !e.C.ReadOnly {
		_ = b.DropClean(check) // then the next one goes on from it, and says from when it is
	}
}

// auditSince audits what came after the last clean audit, and everything where that does not fit
// or something is found.
func (e *Care) auditSince(ctx context.Context, o audit.Options) (api.AuditReply, error) {
	why := "a problem was found"
	last, err := e.lastClean(ctx, auditName, auditChecks)
	if err == nil {
		var reply api.AuditReply
		if reply, err = e.auditAll(ctx, o, last); err == nil && reply.Exit == report.ExitOK {
			return reply, nil
		}
	}
	if err := ctx.Err(); err != nil {
		return api.AuditReply{}, err
	}
	var u unfit
	if errors.As(err, &u) {
		why = string(u)
	}
	reply, err := e.auditAll(ctx, o, nil)
	n := int64(reply.Statements)
	reply.Since = &api.CheckScope{Records: n, Checked: n, Why: why}
	return reply, err
}

// missesLog reports whether a log that was checked is not there any more.
func missesLog(last *proof.Clean, spaces []store.Space) bool {
	there := make(map[string]bool, len(spaces))
	for _, s := range spaces {
		there[s.Name] = true
	}
	for name := range last.Spaces {
		if !there[name] {
			return true
		}
	}
	return false
}

// auditKnown gives an auditor the part of a log that was verified before, by its ids alone, and its
// records about keys as they are.
func (e *Care) auditKnown(
	ctx context.Context, a *audit.Auditor, space string, was proof.CleanHead, head *proof.CleanHead,
) error {
	for head.Tree.Size() < was.Tree.Size() {
		at := head.Tree.Size()
		page, err := e.Store.Listed(ctx, space, store.Seq(at), int(min(auditPage, was.Tree.Size()-at)))
		if err != nil {
			return core.Classify(err)
		}
		if len(page) == 0 {
			return unfit("the log of " + space + " has fewer records than it had")
		}
		statements := make([]audit.Statement, len(page))
		for i, l := range page {
			head.Tree.Append(ledger.Hash(l.Ref.ID))
			statements[i] = audit.Statement{Space: space, Seq: int64(l.Seq), Ref: l.Ref, Known: true}
			if l.Ref.Kind != memory.KindKey {
				continue
			}
			head.Keys.Append(ledger.Hash(l.Ref.ID))
			kept, err := e.Store.Kept(ctx, space, l.Seq-1, 1)
			if err != nil {
				return core.Classify(err)
			}
			if len(kept) == 1 {
				statements[i] = statement(space, &kept[0])
			}
		}
		if err := a.Add(ctx, statements); err != nil {
			return err
		}
	}
	if head.Tree != was.Tree || head.Keys != was.Keys {
		return unfit("the log of " + space + " is not the one that was checked")
	}
	return nil
}

func statement(space string, k *store.Kept) audit.Statement {
	return audit.Statement{
		Space: space, Seq: int64(k.Seq), Arrived: k.Came, Ref: k.Ref, Bytes: k.Bytes, Sigs: k.Sigs,
	}
}
