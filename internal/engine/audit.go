package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/audit"
	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
	"github.com/stemma-memory/stemma/memory"
)

// Audit checks records as a stranger would: bytes, signature, canonical form, key
// and standing of each, and each log against its checkpoints. It says up to where
// a rewritten history would show.
func (e *Engine) Audit(ctx context.Context, in api.AuditRequest) (api.AuditReply, error) {
	ctx = sqlstore.Itself(ctx) // what is mended for who reads is damage here
	if in.Limit < 0 {
		return api.AuditReply{}, invalid("limit: must not be negative, got %d", in.Limit)
	}
	o := audit.Options{Offenders: in.Limit, Now: e.c.Now}
	for _, c := range in.Checkpoints {
		o.Checkpoints = append(o.Checkpoints, []byte(c))
	}
	if in.Ref != "" {
		var b bytes.Buffer
		me, err := e.knownKeys() // a reader makes none, and without any signs no proof
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return api.AuditReply{}, err
		}
		if _, err := e.ExportPart(ctx, &b, api.ExportRequest{Refs: []string{in.Ref}, Proofs: err == nil && me != nil}); err != nil {
			return api.AuditReply{}, err
		}
		r, err := audit.Bundle(ctx, &b, o)
		if err == nil {
			err = e.auditArrivals(ctx, in.Ref, &r, o.Offenders)
		}
		return api.AuditReply{Report: r, Exit: r.Exit()}, sorted(err)
	}
	return e.auditAll(ctx, o)
}

// usualOffenders is how many an audit names where nothing is said.
const usualOffenders = 20

// auditArrivals adds to the audit of a part what only the store knows: what came
// when its key was no longer its owner's alone.
func (e *Engine) auditArrivals(ctx context.Context, ref string, r *audit.Report, limit int) error {
	ring, err := e.standing(ctx)
	if err != nil {
		return err
	}
	items, err := e.closure(ctx, []string{ref})
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
		named := slices.ContainsFunc(r.Offenders, func(o audit.Finding) bool { return o.Ref == it.Ref.String() })
		if f != memory.KeyRevoked && f != memory.KeyCompromised || named || r.Counts[audit.OK] == 0 {
			continue
		}
		r.Counts[audit.OK]--
		r.Counts[audit.KeyRevoked]++
		if len(r.Offenders) < limit {
			h := it.Record.Header
			r.Offenders = append(r.Offenders, audit.Finding{Ref: it.Ref.String(), Status: audit.KeyRevoked, Why: faultWords(f), Author: h.Author, Agent: h.Agent})
		}
	}
	return nil
}

// auditPage is how many records are verified at a time.
const auditPage = 2000

func (e *Engine) auditAll(ctx context.Context, o audit.Options) (api.AuditReply, error) {
	var reply api.AuditReply
	began := time.Now()
	spaces, err := e.store.Spaces(ctx)
	if err != nil {
		return reply, sorted(err)
	}
	if ring, err := e.standing(ctx); err == nil && len(ring.Keeper()) > 1 {
		o.Keeper = ring.Keeper()
	}
	a, err := audit.New(o)
	if err != nil {
		return reply, sorted(err)
	}
	var wrong []audit.LogFinding
	for _, s := range spaces {
		f, err := e.auditSpace(ctx, a, s.Name)
		if err != nil {
			return reply, err
		}
		if f.Status != "" {
			wrong = append(wrong, f)
		}
	}
	reply.Report = a.Report()
	reply.Logs = append(reply.Logs, wrong...)
	reply.Elapsed = time.Since(began)
	told, err := e.told(ctx)
	if err != nil {
		return reply, err
	}
	if told != "" {
		wrong = append(wrong, audit.LogFinding{Status: audit.RootMismatch, Why: told})
		reply.Logs = append(reply.Logs, wrong[len(wrong)-1])
	}
	derived, err := e.auditDerived(ctx)
	if err != nil {
		return reply, err
	}
	wrong = append(wrong, derived...)
	reply.Logs = append(reply.Logs, derived...)
	if reply.Exit = reply.Report.Exit(); len(wrong) > 0 {
		reply.Exit = audit.ExitFailed
	}
	return reply, nil
}

// auditSpace gives one log to an auditor, and compares the tree kept of it.
func (e *Engine) auditSpace(ctx context.Context, a *audit.Auditor, space string) (audit.LogFinding, error) {
	var f ledger.Frontier
	last := store.Seq(0)
	for {
		page, err := e.store.Kept(ctx, space, last, auditPage)
		if err != nil {
			return audit.LogFinding{}, sorted(err)
		}
		if len(page) == 0 {
			break
		}
		statements := make([]audit.Statement, len(page))
		for i, k := range page {
			statements[i] = audit.Statement{Space: space, Seq: int64(k.Seq), Arrived: k.Came, Ref: k.Ref, Bytes: k.Bytes, Sigs: k.Sigs}
			f.Append(ledger.Hash(k.Ref.ID))
		}
		if err := a.Add(ctx, statements); err != nil {
			return audit.LogFinding{}, err
		}
		last = page[len(page)-1].Seq
	}
	held, err := e.store.Held(ctx, space)
	if err != nil {
		return audit.LogFinding{Space: space, Records: f.Size(), Status: audit.BadCheckpoint, Why: oneLine(err)}, nil
	}
	for _, c := range held {
		a.Checkpoint(space, []byte(c.Note))
		if says, _, err := ledger.Read([]byte(c.Note)); err == nil && (says.Size != c.Size || says.Root != c.Root) {
			return audit.LogFinding{
				Space: space, Records: f.Size(), Size: c.Size, Status: audit.BadCheckpoint, Why: "a checkpoint is kept under another size or root than it has",
			}, nil
		}
	}
	kept, err := e.store.Tree(ctx, space)
	switch {
	case err != nil:
		return audit.LogFinding{Space: space, Records: f.Size(), Status: audit.LogGap, Why: oneLine(err)}, nil
	case kept != f:
		return audit.LogFinding{
			Space: space, Records: f.Size(), Size: kept.Size(), Status: audit.RootMismatch, Why: "the tree that the store keeps of the log is of other records",
		}, nil
	}
	return audit.LogFinding{}, nil
}

// ExportPart writes what a stranger needs to audit some records: the key records,
// all that the records rest on, what is said of any of it, and with proofs where
// it stands in the logs.
func (e *Engine) ExportPart(ctx context.Context, w io.Writer, in api.ExportRequest) (api.ExportReply, error) {
	var reply api.ExportReply
	var err error
	var items []*store.Item
	if len(in.Refs) == 0 {
		return e.export(ctx, w, in.Proofs)
	}
	if items, err = e.closure(ctx, in.Refs); err != nil {
		return reply, err
	}
	o := e.outside(ctx)
	for _, it := range items {
		if err := exportItem(it, w, &reply); err != nil {
			return reply, err
		}
		o.take(it)
	}
	o.note(ctx, "export")
	if !in.Proofs {
		return reply, nil
	}
	return reply, e.exportProofs(ctx, w, items)
}

// closure gives records, what they rest on, what is said of any of it and all keys,
// in the order of their logs.
func (e *Engine) closure(ctx context.Context, refs []string) ([]*store.Item, error) {
	roots, err := e.resolveAll(ctx, refs)
	if err != nil {
		return nil, err
	}
	found := make(map[memory.ID]*store.Item)
	var out []*store.Item
	add := func(it *store.Item) bool {
		if it == nil || found[it.Ref.ID] != nil {
			return false
		}
		found[it.Ref.ID] = it
		out = append(out, it)
		return true
	}
	for it, err := range e.store.List(ctx, store.Query{Kinds: []memory.Kind{memory.KindKey}, Hidden: true, Oldest: true}) {
		if err != nil {
			return nil, sorted(err)
		}
		add(it)
	}
	level := roots
	for len(level) > 0 {
		var ids, next []memory.ID
		for _, it := range level {
			if !add(it) {
				continue
			}
			ids = append(ids, it.Ref.ID)
			if it.Record != nil {
				for _, ref := range it.Record.Cites() {
					next = append(next, ref.ID)
				}
			}
		}
		if len(ids) == 0 {
			break
		}
		edges, err := e.store.Edges(ctx, memory.Forward, ids...)
		if err != nil {
			return nil, sorted(err)
		}
		for _, edge := range edges {
			if edge.Rel == memory.Speaks {
				next = append(next, edge.From)
			}
		}
		if level, err = e.store.Get(ctx, next...); err != nil {
			return nil, sorted(err)
		}
	}
	spaces, err := e.store.Spaces(ctx)
	if err != nil {
		return nil, sorted(err)
	}
	place := make(map[string]int)
	for i, s := range spaces {
		place[s.Name] = i + 1
	}
	at := make(map[memory.ID]int)
	for _, it := range out {
		space, err := e.spaceOf(ctx, it)
		if err != nil {
			return nil, err
		}
		at[it.Ref.ID] = place[space]
	}
	slices.SortStableFunc(out, func(a, b *store.Item) int {
		if d := at[a.Ref.ID] - at[b.Ref.ID]; d != 0 {
			return d
		}
		return int(a.Seq - b.Seq)
	})
	return out, nil
}

// exportProofs writes where records stand in their logs, and what these are.
func (e *Engine) exportProofs(ctx context.Context, w io.Writer, items []*store.Item) error {
	trees := make(map[string]*ledger.Tree)
	order := []string{}
	for _, it := range items {
		space, err := e.spaceOf(ctx, it)
		if err != nil {
			return err
		}
		if own, err := e.ownLog(ctx, space); err != nil {
			return err
		} else if !own {
			continue // of what others wrote their own checkpoints say where it stands
		}
		t := trees[space]
		if t == nil {
			f, err := e.store.Tree(ctx, space)
			if err != nil {
				return sorted(err)
			}
			if t, err = e.hashTree(ctx, space, f.Size()); err != nil {
				return err
			}
			trees[space] = t
			order = append(order, space)
		}
		p, err := t.Inclusion(int64(it.Seq)-1, t.Size())
		if err != nil {
			return fmt.Errorf("prove %s: %w", it.Ref.Short(), err)
		}
		raw, err := marshalLine(line{Inclusion: &inclusionLine{
			Ref: it.Ref, Space: space, Index: int64(it.Seq) - 1, Size: t.Size(), Hashes: p.Strings(),
		}})
		if err != nil {
			return err
		}
		if _, err := w.Write(raw); err != nil {
			return err
		}
	}
	return e.exportCheckpoints(ctx, w, order)
}

// exportCheckpoints writes what the logs of some spaces are.
func (e *Engine) exportCheckpoints(ctx context.Context, w io.Writer, spaces []string) error {
	for _, space := range spaces {
		if own, err := e.ownLog(ctx, space); err != nil {
			return err
		} else if !own {
			continue
		}
		_, note, err := e.checkpoint(ctx, space)
		if err != nil {
			return err
		}
		raw, err := marshalLine(line{Checkpoint: &checkpointLine{Note: string(note), Space: space}})
		if err != nil {
			return err
		}
		if _, err := w.Write(raw); err != nil {
			return err
		}
	}
	return nil
}
