package intake

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// signedHere refuses a checkpoint without a known signer: otherwise any stranger could raise
// an alarm with invented numbers.
func (e *Intake) signedHere(ctx context.Context, raw []byte, space string, sigs []ledger.Signature) error {
	known, err := e.mayAttestLogs(ctx, space)
	if err != nil {
		return err
	}
	for _, did := range known {
		public, err := keys.ParseDID(did)
		if err != nil {
			continue
		}
		for _, s := range sigs {
			if ledger.KeyHash(s.Name, public) != s.Hash {
				continue
			}
			v, err := ledger.Verifier(s.Name, public)
			if err != nil {
				continue
			}
			if _, _, err := ledger.Open(raw, v); err != nil {
				return core.Invalid("checkpoint: its signature does not hold: %s", core.OneLine(err))
			}
			return nil
		}
	}
	return core.Invalid("checkpoint: none of its signatures is by a key that is known here")
}

// mayAttestLogs returns the keys whose word about a log of this store counts: those of the
// reader, of the space's owners, of the store's keeper, and of everyone introduced. A
// compromised key is not among them.
func (e *Intake) mayAttestLogs(ctx context.Context, space string) ([]string, error) {
	v, err := e.trust.Reading(ctx).TrustContext()
	if err != nil {
		return nil, err
	}
	var owners, out []string
	for _, t := range v.Ring.Tenures(space) {
		owners = append(owners, v.Ring.Principal(t.Owner))
	}
	add := func(did, principal string) {
		if did == "" || slices.Contains(out, did) || !slices.Contains(owners, principal) && principal != v.Ring.Keeper() &&
			!v.Knows(principal) {
			return
		}
		if r := v.Ring.Revoked(did, principal); r == nil || r.Body.Reason != memory.Compromised {
			out = append(out, did)
		}
	}
	for it, err := range e.Store.List(ctx, store.Query{Kinds: []memory.Kind{memory.KindKey}, Hidden: true, Oldest: true}) {
		if err != nil {
			return nil, core.Classify(err)
		}
		if it.Record == nil || v.Ring.Fault(it.Record) != state.Sound {
			continue
		}
		k, ok := it.Record.Body.(*memory.Key)
		switch {
		case !ok || k.Op == memory.OpRevoke:
		case k.Op == memory.OpDelegate:
			add(k.Key, v.Ring.Principal(it.Record.Header.Author))
		default:
			add(k.Key, v.Ring.Principal(k.Key))
			add(k.Previous, v.Ring.Principal(k.Key))
		}
	}
	return out, nil
}

// heldExport is an export as it was read: which records it has of each log, in
// its order.
type heldExport struct {
	order  []string
	spaces map[string]*heldSpace
}

type heldSpace struct {
	places []heldPlace
	others bool // not only keys, which an export of another space has too
}

// heldPlace is a record and the line that it is on.
type heldPlace struct {
	ref  memory.Ref
	line int
}

// checkExport compares the logs with an export that was made of them once, record
// by record.
func (e *Intake) checkExport(ctx context.Context, text string) (api.CheckLogReply, error) {
	held, err := e.readExport(ctx, text)
	if err != nil {
		return api.CheckLogReply{}, err
	}
	if err := e.anyHere(ctx, held.order); err != nil {
		return api.CheckLogReply{}, err
	}
	var first api.CheckLogReply
	for _, space := range held.order {
		h := held.spaces[space]
		reply, err := e.compareLog(ctx, space, h, h.others || len(held.order) == 1)
		if err != nil {
			return reply, err
		}
		if reply.Status != LogOK {
			// a claim against a log must itself be signed
			at := min(reply.Size, int64(len(h.places))-1)
			if f := reply.Fork; f != nil {
				at = f.By - 1
			}
			return reply, e.heldLine(ctx, text, h.places[at].line)
		}
		if first.Status == "" || h.others && !held.spaces[first.Space].others {
			first = reply
		}
	}
	if first.Status == "" {
		return first, core.Invalid("the export is empty")
	}
	return first, nil
}

// anyHere refuses an export of whose logs none is here and none is the owner's: it
// is of another store, and says nothing against this one.
func (e *Intake) anyHere(ctx context.Context, spaces []string) error {
	for _, space := range spaces {
		f, err := e.Store.Tree(ctx, space)
		if err != nil {
			return core.Classify(err)
		}
		own, err := e.OwnLog(ctx, space)
		if err != nil || own || f.Size() > 0 {
			return err
		}
	}
	if len(spaces) == 0 {
		return nil
	}
	return core.Invalid(
		"the export is of another store: it has the log of %s, and nothing of that is here",
		shorten.To(spaces[0], 200),
	)
}

// readExport reads which records an export has of which logs.
func (e *Intake) readExport(ctx context.Context, text string) (*heldExport, error) {
	h := &heldExport{spaces: make(map[string]*heldSpace)}
	current := ""
	return h, core.EachLine(ctx, strings.NewReader(text), func(n int, raw []byte) error {
		ref := memory.Ref{}
		r, err := core.ParseLine(raw)
		switch {
		case errors.Is(err, core.ErrProof):
			var l core.Line
			if err := json.Unmarshal(raw, &l); err != nil || l.Inclusion != nil {
				return core.Invalid(
					"line %d: it is an export of a part, of which each record is proven by itself: `audit` checks it",
					n,
				)
			}
			return nil
		case errors.Is(err, core.ErrPurged):
			var l core.Line
			if err := json.Unmarshal(raw, &l); err != nil {
				return core.BadLine(n, err)
			}
			ref = l.Purged.Ref
			if current, err = e.spaceOfPurged(ctx, ref, current); err != nil {
				return err
			}
		case err != nil:
			return core.BadLine(n, err)
		default:
			ref, current = r.Ref(), r.Header.Space
		}
		s := h.spaces[current]
		if s == nil {
			s = &heldSpace{}
			h.spaces[current] = s
			h.order = append(h.order, current)
		}
		s.places = append(s.places, heldPlace{ref, n})
		s.others = s.others || ref.Kind != memory.KindKey
		return nil
	})
}

// spaceOfPurged returns the space whose log has a purged record, or the space of the line
// before if no log has it.
func (e *Intake) spaceOfPurged(ctx context.Context, ref memory.Ref, before string) (string, error) {
	items, err := e.Store.Get(ctx, ref.ID)
	if err != nil || items[0] == nil {
		return before, core.Classify(err)
	}
	space, err := e.spaceOf(ctx, items[0])
	if errors.Is(err, api.ErrNotFound) {
		return before, nil
	}
	return space, err
}

// compareLog compares a log with what an export has of it. Where that is not
// whole, it is only looked whether the log has all of it, in this order.
func (e *Intake) compareLog(ctx context.Context, space string, h *heldSpace, whole bool) (api.CheckLogReply, error) {
	reply := api.CheckLogReply{
		Status: LogOK, Space: space, Seen: int64(len(h.places)),
		Why: "every record of the export is at its place in the log",
	}
	f, err := e.Store.Tree(ctx, space)
	if err != nil {
		return reply, core.Classify(err)
	}
	reply.Size = f.Size()
	next := 0
	for after := store.Seq(0); next < len(h.places); {
		page, err := e.Store.Since(ctx, space, after, core.ExportPage)
		if err != nil {
			return reply, core.Classify(err)
		}
		if len(page) == 0 {
			break
		}
		for _, c := range page {
			switch {
			case next == len(h.places):
			case c.ID == h.places[next].ref.ID:
				next++
			case whole:
				reply.Status = LogRewritten
				reply.Fork = &api.LogFork{
					After: int64(next), By: int64(next) + 1,
					Here: e.refOf(ctx, c.ID), There: h.places[next].ref.String(),
				}
				reply.Why = fmt.Sprintf(
					"place %d of the log has another record than the export, if the export is of the whole log",
					next+1,
				)
				return reply, nil
			}
		}
		after = page[len(page)-1].Seq
	}
	switch {
	case next == len(h.places):
	case whole:
		reply.Status, reply.Why = LogBehind, fmt.Sprintf(
			"the log here ends at place %d, where the export goes on: this is an older copy of the store, or its end was "+
				"cut off",
			next,
		)
		reply.Seen = int64(len(h.places))
	default:
		reply.Status = LogRewritten
		reply.Fork = &api.LogFork{By: int64(next) + 1, There: h.places[next].ref.String()}
		reply.Why = "the export has a record about keys that the log does not have, or not in this order"
	}
	return reply, nil
}

// refOf returns the ref of a record, or its bare id where the store cannot say.
func (e *Intake) refOf(ctx context.Context, id memory.ID) string {
	if items, err := e.Store.Get(ctx, id); err == nil && items[0] != nil {
		return items[0].Ref.String()
	}
	return id.String()
}

// heldLine verifies one line of an export: who says that a log was another must
// show what its author signed.
func (e *Intake) heldLine(ctx context.Context, text string, line int) error {
	ring := state.NewKeyring()
	var held *memory.Record
	err := core.EachLine(ctx, strings.NewReader(text), func(n int, raw []byte) error {
		r, err := core.ParseLine(raw)
		switch {
		case n > line:
			if err == nil && r.Header.Kind == memory.KindKey && core.Verify(r) == nil {
				ring.Add(r) // of who shares the space
			}
			return nil
		case errors.Is(err, core.ErrPurged) && n == line:
			return core.Invalid(
				"line %d: it names a purged record that is not in the log; nothing shows that it ever was",
				n,
			)
		case errors.Is(err, core.ErrPurged) || errors.Is(err, core.ErrProof):
			return nil
		case err != nil:
			return core.BadLine(n, err)
		}
		if r.Header.Kind == memory.KindKey || n == line {
			if err := core.Verify(r); err != nil {
				return core.BadLine(n, err)
			}
			ring.Add(r)
		}
		if n == line {
			held = r
		}
		return nil
	})
	if err != nil || held == nil {
		return err
	}
	return BadLineIf(line, e.CheckDelegation(ctx, ring, held))
}
