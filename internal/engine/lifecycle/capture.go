package lifecycle

import (
	"bytes"
	"context"
	"encoding/base64"
	"slices"
	"unicode/utf8"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// keepBytes puts bytes into a raw: as text if they are UTF-8, and else as they are.
func keepBytes(raw *memory.Raw, blob []byte) {
	if utf8.Valid(blob) && !bytes.ContainsRune(blob, 0) {
		raw.Text = string(blob)
	} else {
		raw.Base64 = base64.StdEncoding.EncodeToString(blob)
	}
}

// derived is a record made of a draft, and what was taken out of its words.
type derived struct {
	*memory.Record
	redacted []api.Redaction
}

// Write stores a batch and answers with its first record, and what was taken out of
// its words.
func (e *Lifecycle) Write(ctx context.Context, b store.Batch, redacted []api.Redaction) (api.WriteReply, error) {
	if err := e.Append(ctx, b); err != nil {
		return api.WriteReply{}, err
	}
	e.touchSources(ctx, b.Records[0])
	e.tell(ctx, b.Records)
	return wrote(b.Records, redacted), nil
}

// touchSources notes that the sources of a record were cited.
func (e *Lifecycle) touchSources(ctx context.Context, r *memory.Record) {
	for _, src := range r.Header.Provenance.From {
		e.Touch(ctx, src.ID)
	}
}

// wrote answers with the first of records that were stored.
func wrote(all []*memory.Record, redacted []api.Redaction) api.WriteReply {
	first := all[0]
	p := first.Header.Provenance
	return api.WriteReply{
		Ref: first.Ref().String(), Type: string(first.Header.Kind), ID: first.ID.String(),
		Headline: first.Headline(), CreatedAt: first.Header.At.String(),
		DerivedFrom: core.RefStrings(p.From), Superseded: core.RefStrings(p.Supersedes), CodeRefs: core.CodeRefs(first),
		ConsolidationID: p.Batch, Hint: approvalHint(first, approves(all)), Redacted: redacted,
	}
}

// approves reports whether a batch approves what it stores.
func approves(rs []*memory.Record) bool {
	return slices.ContainsFunc(rs, func(r *memory.Record) bool {
		m, is := r.Body.(*memory.Mark)
		return is && m.Verb == memory.Approve
	})
}

// approvalHint says what an approval would do.
func approvalHint(r *memory.Record, approved bool) string {
	if _, note := r.Body.(*memory.Note); note && !approved && r.Header.Origin == memory.OriginOwner {
		return "`approve=true`, or `approve " + r.Ref().Short() + "`, would let packs rely on it"
	}
	return ""
}

// NewRun names one run of something that makes several records.
func (e *Lifecycle) NewRun(what string) (string, error) {
	n, err := e.Nonce()
	return what + "/" + n, err
}

// runOf names the run of words that replace a memory: its own, so that what was only said does
// not become evidence by being said otherwise.
func (e *Lifecycle) runOf(operation string, old *store.Item) (string, error) {
	if run := old.Record.Header.Provenance.Run; run != "" && !old.State.ReachesRaw {
		return run, nil
	}
	return e.NewRun(operation)
}
