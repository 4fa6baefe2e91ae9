package intake

import (
	"context"
	"fmt"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/store"
)

// How a log compares with what somebody else holds of it.
const (
	LogOK        = "ok"                // it begins with what the other holds
	LogRewritten = "history_rewritten" // it does not: there are two histories
	LogBehind    = "behind_witness"    // the other has seen more of it
)

// Checkpoint signs what the log of a space is now: how many records, and the root
// of the tree over their ids. A copy kept elsewhere can show later whether
// the history was rewritten.
func (e *Intake) Checkpoint(ctx context.Context, in api.CheckpointRequest) (api.CheckpointReply, error) {
	reply := api.CheckpointReply{Space: in.Space}
	me, err := e.OwnKeys()
	if err != nil {
		return reply, err
	}
	if reply.Space == "" {
		if reply.Space, err = e.WriteSpace(me.Principal); err != nil {
			return reply, err
		}
	}
	if reply, err = e.signedNow(ctx, reply.Space); err != nil || e.C.ReadOnly {
		return reply, err
	}
	own, err := e.OwnLog(ctx, reply.Space)
	if err != nil || !own {
		return reply, err // an auditor believes the owner of a log alone
	}
	root, err := ledger.DecodeHash(reply.Root)
	if err != nil {
		return reply, err
	}
	return reply, core.Classify(e.Store.Hold(ctx, store.Checkpoint{
		Space: reply.Space, Size: reply.Size, Root: root, Note: reply.Note, At: e.C.Now(),
	}))
}

// OwnLog reports whether a space is one of the owner's own.
func (e *Intake) OwnLog(ctx context.Context, space string) (bool, error) {
	me, err := e.OwnKeys()
	if err != nil {
		return false, err
	}
	ring, err := e.Keyring(ctx)
	if err != nil {
		return false, err
	}
	owner, _, _ := strings.Cut(space, "/")
	return ring.Principal(owner) == me.Principal, nil
}

// signedNow signs what a log is now and keeps nothing of it.
func (e *Intake) signedNow(ctx context.Context, space string) (api.CheckpointReply, error) {
	c, raw, err := e.checkpoint(ctx, space)
	return api.CheckpointReply{
		Space: space, Origin: c.Origin, Size: c.Size, Root: ledger.EncodeHash(c.Root), Note: string(raw),
	}, err
}

// checkpoint signs what a log is now, with the agent's key: it is at hand always.
func (e *Intake) checkpoint(ctx context.Context, space string) (ledger.Checkpoint, []byte, error) {
	var c ledger.Checkpoint
	f, err := e.Store.Tree(ctx, space)
	if err != nil {
		return c, nil, core.Classify(err)
	}
	if f.Size() == 0 {
		return c, nil, core.NotFound("no log exists for the space %q", shorten.To(space, 200))
	}
	return e.noteOf(ctx, e.Store, space, f.Size(), f.Root())
}

// noteOf signs what a store's log of a space is.
func (e *Intake) noteOf(
	ctx context.Context, in store.Store, space string, size int64, root ledger.Hash,
) (ledger.Checkpoint, []byte, error) {
	c := ledger.Checkpoint{Size: size, Root: root}
	me, err := e.OwnKeys()
	if err != nil {
		return c, nil, err
	}
	name, err := in.StoreName(ctx)
	if err != nil {
		return c, nil, core.Classify(err)
	}
	c.Origin = "stemma/" + name + "/" + space
	signer, err := me.Agent.NoteSigner(c.Origin)
	if err != nil {
		return c, nil, err
	}
	raw, err := ledger.Sign(c, signer)
	return c, raw, err
}

// Prove proves that a record is in the log of its space as of a checkpoint, or that the log of
// an older checkpoint only grew to it.
func (e *Intake) Prove(ctx context.Context, in api.ProveRequest) (api.ProveReply, error) {
	var reply api.ProveReply
	if (in.Ref == "") == (in.Since == "") {
		return reply, core.Invalid("ref: name a record, or give an older checkpoint as since")
	}
	if in.Since != "" {
		return e.proveGrowth(ctx, in.Since)
	}
	it, err := e.Lookup(ctx, in.Ref)
	if err != nil {
		return reply, err
	}
	space, err := e.spaceOf(ctx, it)
	if err != nil {
		return reply, err
	}
	if reply.CheckpointReply, err = e.signedNow(ctx, space); err != nil {
		return reply, err
	}
	reply.Ref, reply.Index = it.Ref.String(), int64(it.Seq)-1
	t, err := e.hashTree(ctx, space, reply.Size)
	if err != nil {
		return reply, err
	}
	p, err := t.Inclusion(reply.Index, reply.Size)
	reply.Hashes = p.Strings()
	return reply, err
}

// spaceOf returns the space whose log has a record, purged or not.
func (e *Intake) spaceOf(ctx context.Context, it *store.Item) (string, error) {
	if it.Record != nil {
		return it.Record.Header.Space, nil
	}
	spaces, err := e.Store.Spaces(ctx)
	if err != nil {
		return "", core.Classify(err)
	}
	for _, s := range spaces {
		page, err := e.Store.Since(ctx, s.Name, it.Seq-1, 1)
		if err != nil {
			return "", core.Classify(err)
		}
		if len(page) == 1 && page[0].ID == it.Ref.ID {
			return s.Name, nil
		}
	}
	return "", core.NotFound("%s is in no log", it.Ref.Short())
}

// hashTree returns the tree over a log of so many records.
func (e *Intake) hashTree(ctx context.Context, space string, size int64) (*ledger.Tree, error) {
	t, _, err := e.LogTree(ctx, e.Store, space)
	if err == nil && t.Size() < size {
		err = fmt.Errorf("%w: the log of %s has %d records, not %d", store.ErrDamaged, space, t.Size(), size)
	}
	return t, core.Classify(err)
}

func (e *Intake) proveGrowth(ctx context.Context, note string) (api.ProveReply, error) {
	var reply api.ProveReply
	seen, err := e.presented(ctx, note)
	if err != nil {
		return reply, err
	}
	if seen.status != LogOK {
		return reply, core.Conflict("%s: %s", seen.status, seen.why)
	}
	if reply.CheckpointReply, err = e.signedNow(ctx, seen.space); err != nil {
		return reply, err
	}
	reply.OldSize = seen.Size
	t, err := e.hashTree(ctx, seen.space, reply.Size)
	if err != nil {
		return reply, err
	}
	p, err := t.Consistency(seen.Size, reply.Size)
	reply.Hashes = p.Strings()
	return reply, err
}

// seen is a checkpoint somebody presents.
type seen struct {
	ledger.Checkpoint
	space  string
	status string
	why    string
	size   int64 // of the log here
	after  int64 // where two histories part: places up to this one agree
	by     int64 // at this place, or before, they differ; 0 is nowhere
}

// CheckLog compares a log with a checkpoint or an export that was held elsewhere.
// One that agrees is remembered, with who held it: up to there the history is
// certain.
func (e *Intake) CheckLog(ctx context.Context, in api.CheckLogRequest) (api.CheckLogReply, error) {
	text := strings.TrimSpace(in.Held)
	if strings.HasPrefix(text, "{") {
		return e.checkExport(ctx, text)
	}
	s, err := e.presented(ctx, in.Held)
	if err != nil {
		return api.CheckLogReply{}, err
	}
	reply := api.CheckLogReply{Status: s.status, Space: s.space, Size: s.size, Seen: s.Size, Why: s.why}
	if s.by > 0 {
		reply.Fork = &api.LogFork{After: s.after, By: s.by}
	}
	if s.status != LogOK || e.C.ReadOnly {
		return reply, nil
	}
	return reply, core.Classify(e.Store.Hold(ctx, store.Checkpoint{
		Space: s.space, Size: s.Size, Root: s.Root, Note: in.Held, By: core.Or(
			shorten.To(in.By, 200), "its presenter",
		), At: e.C.Now(),
	}))
}

// presented reads a checkpoint of one of this store's logs and compares. One of
// another store, or with a signature that does not hold, is refused.
func (e *Intake) presented(ctx context.Context, text string) (*seen, error) {
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	c, sigs, err := ledger.Read([]byte(text))
	if err != nil {
		return nil, core.Invalid("checkpoint: %s", core.OneLine(err))
	}
	if c.Size == 0 {
		return nil, core.Invalid("checkpoint: it is of an empty log")
	}
	s := &seen{Checkpoint: c}
	name, err := e.Store.StoreName(ctx)
	if err != nil {
		return nil, core.Classify(err)
	}
	var ours bool
	if s.space, ours = strings.CutPrefix(c.Origin, "stemma/"+name+"/"); !ours {
		return nil, core.Invalid(
			"checkpoint: it is of another store's log, %s; this store is %s", shorten.To(c.Origin, 200), name,
		)
	}
	if err := e.signedHere(ctx, []byte(text), s.space, sigs); err != nil {
		return nil, err
	}
	f, err := e.Store.Tree(ctx, s.space)
	if err != nil {
		return nil, core.Classify(err)
	}
	if s.size = f.Size(); s.size < c.Size {
		s.status, s.why = LogBehind, fmt.Sprintf(
			"it had %d records when the checkpoint was made and has %d now: this is an older copy of the store, or its "+
				"end was cut off",
			c.Size, s.size,
		)
		return s, nil
	}
	root, err := e.RootAt(ctx, s.space, c.Size)
	if err != nil {
		return nil, err
	}
	if root == c.Root {
		s.status, s.why = LogOK, fmt.Sprintf("the first %d of %d records are unchanged", c.Size, s.size)
		return s, nil
	}
	s.by = c.Size
	held, err := e.Store.Held(ctx, s.space)
	if err != nil {
		return nil, core.Classify(err)
	}
	for _, h := range held {
		if h.Size > s.after && h.Size < c.Size {
			if was, err := e.RootAt(ctx, s.space, h.Size); err == nil && was == h.Root {
				s.after = h.Size
			}
		}
	}
	s.status = LogRewritten
	s.why = fmt.Sprintf(
		"its first %d records are not those of the checkpoint: the histories part after place %d and by place %d",
		c.Size, s.after, c.Size,
	)
	return s, nil
}
