package care

import (
	"context"
	"fmt"
	"slices"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/blame"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/git"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

const (
	mostRecorded = 40 << 10 // bytes of one record
	mostSaid     = 16       // prompts that a record names
)

// RecordCommit signs which sessions wrote which lines of a commit: one record a session, more where it is long. It
// signs nothing of a commit that it has signed, nor of one in which no session wrote anything.
func (e *Care) RecordCommit(ctx context.Context, r git.Repository, rev string) ([]string, error) {
	rd := e.trust.Reading(ctx)
	files, commit, _, err := blame.Brought(ctx, r, rev, e.views.Edits(rd, r), false)
	if err != nil {
		return nil, &core.Failure{Kind: api.ErrInvalid, Text: core.OneLine(err)}
	}
	records := blame.Records(commit, files)
	if len(records) == 0 {
		return nil, nil
	}
	me, err := e.OwnKeys()
	if err != nil {
		return nil, err
	}
	space, err := e.WriteSpace(me.Principal)
	if err != nil {
		return nil, err
	}
	alias := func(n int) string { return fmt.Sprintf("commit:%s:%d", commit, n) }
	if held, err := e.Store.Aliased(ctx, space, alias(1)); err != nil || len(held) > 0 {
		return nil, core.Classify(err)
	}
	until := make(map[string]string)
	for _, one := range records {
		until[one.Session] = one.At
	}
	given := e.receipts.GivenIn(until)
	var marks []*memory.Record
	for _, one := range records {
		said, err := e.saidIn(rd, space, one)
		if err != nil {
			return nil, err
		}
		var ids []memory.ID
		for _, g := range given[one.Session] {
			if ref, err := memory.ParseRef(g.Ref); err == nil && len(ids) < memory.MaxSources && !slices.Contains(ids, ref.ID) {
				ids = append(ids, ref.ID)
			}
		}
		for _, part := range parts(one) {
			value, err := part.Encode()
			if err != nil {
				return nil, err
			}
			body := &memory.Mark{Verb: core.Committed, Value: value}
			if len(said) > 0 {
				body.Of, body.Also = &said[0], slices.Clip(said[1:])
			} else {
				body.Target = "source:" + one.Session
			}
			h := memory.Header{
				Space: space, At: memory.At(e.C.Now()), Confidence: memory.Certain, Session: one.Session, Recalled: ids,
				Alias: []string{alias(len(marks) + 1)}, Platform: one.Host,
				Provenance: memory.Provenance{Via: memory.ViaDirect, Context: core.Committed},
			}
			m, err := e.Sign(h, body)
			if err != nil {
				return nil, err
			}
			marks = append(marks, m)
		}
	}
	if err := e.Append(ctx, store.Batch{Records: marks, NewAliases: true}); err != nil {
		return nil, err
	}
	out := make([]string, len(marks))
	for i, m := range marks {
		out[i] = m.Ref().String()
	}
	return out, nil
}

// saidIn returns the last prompts of a session before it edited, the newest first.
func (e *Care) saidIn(rd *trust.Reading, space string, of *blame.Record) (out []memory.Ref, err error) {
	for it, err := range e.Store.List(rd, store.Query{
		Kinds: []memory.Kind{memory.KindRaw}, Spaces: []string{space}, Session: of.Session, Says: "user_prompt",
	}) {
		if err != nil {
			return nil, core.Classify(err)
		}
		if it.Record == nil || it.Record.Header.Platform != of.Host {
			continue
		}
		if raw, is := it.Record.Body.(*memory.Raw); is && raw.Event == "user_prompt" && len(out) < mostSaid {
			out = append(out, it.Ref)
		}
	}
	return out, nil
}

// parts are records that are short enough each.
func parts(r *blame.Record) (out []*blame.Record) {
	part, size := *r, 0
	part.Files = nil
	flush := func() {
		if len(part.Files) > 0 {
			one := part
			out = append(out, &one)
		}
		part.Files, size = nil, 0
	}
	for _, f := range r.Files {
		hunks := f.Hunks
		f.Hunks = nil
		size += len(f.Path) + len(f.Lines)
		for len(hunks) > 0 {
			n := 0
			for n < len(hunks) && (n == 0 || size < mostRecorded) {
				size += hunkSize * len(hunks[n])
				n++
			}
			one := f
			one.Hunks = hunks[:n]
			part.Files = append(part.Files, one)
			if hunks = hunks[n:]; size >= mostRecorded {
				flush()
			}
		}
	}
	flush()
	return out
}

const hunkSize = 22 // bytes of a line in a record
