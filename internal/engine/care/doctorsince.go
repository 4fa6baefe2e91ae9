package care

import (
	"context"
	"errors"
	"iter"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/internal/proof"
	"github.com/stemma-memory/stemma/internal/store"
)

// doctorChecks is the version of what a doctor looks at, as auditChecks is of an audit.
const doctorChecks = 1

// doctorName is under what the book has the last clean doctor.
const doctorName = "doctor"

// doctorSince looks at what came after the last clean run, and at everything where that does not
// fit or something is found.
func (e *Care) doctorSince(ctx context.Context, in api.DoctorRequest) (api.DoctorReply, error) {
	why := "a problem was found"
	last, err := e.lastClean(ctx, doctorName, doctorChecks)
	if err == nil {
		var reply api.DoctorReply
		if reply, err = e.doctor(ctx, in, last); err == nil && len(reply.Problems) == 0 {
			return reply, nil
		}
	}
	if err := ctx.Err(); err != nil {
		return api.DoctorReply{}, err
	}
	var u unfit
	if errors.As(err, &u) {
		why = string(u)
	}
	reply, err := e.doctor(ctx, in, nil)
	n := int64(reply.Records)
	reply.Since = &api.CheckScope{Records: n, Checked: n, Why: why}
	return reply, err
}

// checkSince proves that the logs begin as they did in the last clean run, and checks the tables
// of what came after it.
func (e *Care) checkSince(ctx context.Context, last *proof.Clean) (iter.Seq[error], error) {
	s, can := core.Inside(e.First()).(interface {
		CheckSince(ctx context.Context, after map[string]store.Seq) iter.Seq[error]
	})
	if !can {
		return nil, unfit("this kind of store is always looked at whole")
	}
	spaces, err := e.Store.Spaces(ctx)
	if err != nil {
		return nil, core.Classify(err)
	}
	if missesLog(last, spaces) {
		return nil, unfit("a log that was checked is missing")
	}
	after := make(map[string]store.Seq)
	for name, was := range last.Spaces {
		var tree ledger.Frontier
		for tree.Size() < was.Tree.Size() {
			limit := min(10*auditPage, was.Tree.Size()-tree.Size())
			page, err := e.Store.Since(ctx, name, store.Seq(tree.Size()), int(limit))
			if err != nil {
				return nil, core.Classify(err)
			}
			if len(page) == 0 {
				return nil, unfit("the log of " + name + " has fewer records than it had")
			}
			for _, c := range page {
				tree.Append(ledger.Hash(c.ID))
			}
		}
		if tree != was.Tree {
			return nil, unfit("the log of " + name + " is not the one that was checked")
		}
		after[name] = store.Seq(tree.Size())
	}
	return s.CheckSince(ctx, after), nil
}

// doctorClean says what was covered, and remembers a run that found nothing.
func (e *Care) doctorClean(
	ctx context.Context, x *examination, last *proof.Clean, heads map[string]proof.CleanHead, records, known int64,
) error {
	var whole time.Time
	if last != nil {
		if x.keys {
			return unfit("a record about keys came since, which may concern older records")
		}
		whole = last.Whole
		x.reply.Since = &api.CheckScope{Records: records, Checked: records - known, At: last.At, Whole: whole}
	}
	if len(x.reply.Problems) == 0 {
		e.keepClean(ctx, doctorName, doctorChecks, heads, whole)
	}
	return nil
}
