package removal

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Unheard is what a quarantine of several targets would hide, and the marks that it would be made of. They are for a
// trial: no key signs them.
type Unheard struct {
	api.Unheard
	IDs   []memory.ID // what would be hidden
	Marks []*memory.Record
}

// mostUnheard is how many records an answer can be without. While it is made, others who write wait: 0.1 ms a record.
const mostUnheard = 20_000

// Unheard says what the person's quarantine of targets would hide. It writes nothing, so anyone may ask.
func (e *Removal) Unheard(ctx context.Context, targets []string) (Unheard, error) {
	var out Unheard
	var roots []memory.Ref
	for _, t := range targets {
		spelled, some, err := e.meant(ctx, t)
		if err != nil {
			return out, err
		}
		if slices.Contains(out.Targets, spelled) {
			continue
		}
		out.Targets = append(out.Targets, spelled)
		roots = append(roots, some...)
	}
	me, err := e.KnownKeys()
	if errors.Is(err, fs.ErrNotExist) || err == nil && me == nil {
		return out, &core.Failure{Kind: api.ErrUnavailable, Text: "there are no keys here, and so no person to ask for"}
	}
	if err != nil {
		return out, err
	}
	v := state.Voice{Principal: me.Principal, Owner: true, Now: true}
	q := &quarantining{e: e, voice: func() (state.Voice, error) { return v, nil }, most: mostUnheard}
	todo, err := q.reached(ctx, roots)
	if err != nil {
		return out, err
	}
	out.Hidden, out.Hint, out.IDs = len(todo), q.reply.Hint, core.IDsOf(core.RefsOf(todo))
	out.Marks, err = e.unsigned(ctx, me, todo)
	return out, err
}

// unsigned makes the marks of a quarantine without signatures.
func (e *Removal) unsigned(ctx context.Context, me *core.Self, todo []*store.Item) ([]*memory.Record, error) {
	author := me.Principal
	if me.Owner != nil {
		author = me.Owner.DID()
	}
	of := make(map[string][]memory.Ref)
	var spaces []string
	for _, it := range todo {
		space := it.Record.Header.Space
		if of[space] == nil {
			spaces = append(spaces, space)
		}
		of[space] = append(of[space], it.Ref)
	}
	var out []*memory.Record
	for _, space := range spaces {
		for refs := range slices.Chunk(of[space], memory.MaxSources) {
			nonce, err := e.Nonce()
			if err != nil {
				return nil, err
			}
			body := &memory.Mark{Of: &refs[0], Verb: memory.Quarantine}
			if len(refs) > 1 {
				body.Also = slices.Clip(refs[1:])
			}
			r, err := memory.New(memory.Header{
				Space: space, Author: author, Origin: memory.OriginOwner, At: memory.At(e.C.Now()),
				Confidence: memory.Certain, Nonce: nonce,
				Provenance: memory.Provenance{Via: memory.ViaDirect, Context: memory.Quarantine},
			}, body)
			if err != nil {
				return nil, err
			}
			r.Sigs = []memory.Signature{{Key: author}}
			out = append(out, r)
		}
	}
	return out, nil
}

// meant reads what a target is: source:NAME, author:NAME, a record, or the name of one source or author.
func (e *Removal) meant(ctx context.Context, target string) (spelled string, roots []memory.Ref, err error) {
	target = strings.TrimSpace(target)
	if target == "" {
		return "", nil, core.Invalid("without: name a record, source:NAME or author:NAME")
	}
	spelled, roots, err = e.target(ctx, target, mostUnheard+1)
	if err == nil || strings.HasPrefix(target, "author:") || strings.HasPrefix(target, "source:") ||
		!errors.Is(err, api.ErrNotFound) && !errors.Is(err, api.ErrInvalid) {
		return spelled, roots, err
	}
	var named []string
	for _, what := range []string{"source:", "author:"} {
		s, some, nameErr := e.target(ctx, what+target, mostUnheard+1)
		switch {
		case nameErr == nil:
			named, spelled, roots = append(named, what+target), s, some
		case !errors.Is(nameErr, api.ErrNotFound) && !errors.Is(nameErr, api.ErrInvalid):
			return "", nil, nameErr
		}
	}
	switch len(named) {
	case 0:
		return "", nil, core.NotFound("without: nothing here is %s, is from it or by it", target)
	case 1:
		return spelled, roots, nil
	}
	return "", nil, &core.Failure{
		Kind: api.ErrAmbiguous, Text: "without: " + target + " is the name of several: say " + strings.Join(named, " or "),
	}
}
