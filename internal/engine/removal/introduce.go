package removal

import (
	"context"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Introduce records whose key this is: from then on that person's word as a witness counts,
// and so does, as one voice, that of the people they introduce.
func (e *Removal) Introduce(ctx context.Context, in api.IntroduceRequest) (api.IntroduceReply, error) {
	if err := e.OwnerOnly("introduce a key"); err != nil {
		return api.IntroduceReply{}, err
	}
	did, comment, err := keys.PublicOf([]byte(in.Key))
	if err != nil {
		return api.IntroduceReply{}, core.Invalid("key: %s", core.OneLine(err))
	}
	if state.ReservedName(core.Or(in.Name, comment)) {
		return api.IntroduceReply{}, core.Invalid("name: %q names a keeper or an owner of a space; choose a person's name",
			shorten.To(core.Or(in.Name, comment), 80))
	}
	reply := api.IntroduceReply{Key: did, Fingerprint: core.Fingerprint(did), Name: core.Or(in.Name, comment)}
	v, err := e.trust.Reading(ctx).TrustContext()
	if err != nil {
		return reply, err
	}
	me, err := e.OwnKeys()
	if err != nil {
		return reply, err
	}
	whose := v.Ring.Principal(did)
	if whose == me.Principal {
		return reply, core.Conflict("%s is your own", reply.Fingerprint)
	}
	for _, i := range v.Ring.Introductions() {
		switch {
		case i.By != me.Principal:
		case i.Whom == whose && i.Name == reply.Name:
			return reply, core.Conflict("%s is introduced already", reply.Fingerprint)
		case i.Name == reply.Name && i.Name != "" && i.Whom != whose:
			return reply, core.Conflict("%q is the name of %s: another key under a name that is known is a reason to ask "+
				"that person, not to merge them; choose another name, or `distrust` the old key first",
				i.Name, core.Fingerprint(i.Key))
		}
	}
	r, err := e.Sign(core.KeyHeader("introduce"), &memory.Key{Op: memory.OpIntroduce, Key: did, Name: reply.Name})
	if err != nil {
		return reply, err
	}
	reply.Claim = r.Ref().String()
	return reply, e.Append(ctx, store.Batch{Records: []*memory.Record{r}})
}

// Distrust takes back an introduction: what the key says as a witness counts no
// more. With since the key is compromised: what of it came here from then on
// speaks for no one, whatever date it bears; with quarantine that is hidden too,
// and all that rests on it alone, in one act.
func (e *Removal) Distrust(ctx context.Context, in api.DistrustRequest) (api.DistrustReply, error) {
	reply := api.DistrustReply{Claims: []string{}}
	if err := e.OwnerOnly("distrust a key"); err != nil {
		return reply, err
	}
	if in.Quarantine && in.Since == "" {
		return reply, core.Invalid(
			"quarantine: needs since, the time from which the key was somebody else's. To hide all that it wrote, use " +
				"`since=0001-01-01T00:00:00Z`, or `quarantine author:KEY`",
		)
	}
	v, err := e.trust.Reading(ctx).TrustContext()
	if err != nil {
		return reply, err
	}
	if reply.Key, err = e.trust.KeyNamed(v, in.Key); err != nil {
		return reply, err
	}
	reply.Fingerprint, reply.Name = core.Fingerprint(reply.Key), v.NameOf(v.Ring.Principal(reply.Key))
	me, err := e.OwnKeys()
	if err != nil {
		return reply, err
	}
	if reply.Key == me.Owner.DID() {
		return reply, core.Conflict(
			"%s is your own key: `key_rotate` or `key_revoke` is for that", reply.Fingerprint,
		)
	}
	var records []*memory.Record
	add := func(r *memory.Record, err error) error {
		if err == nil {
			records = append(records, r)
			reply.Claims = append(reply.Claims, r.Ref().String())
		}
		return err
	}
	for _, i := range v.Ring.Introductions() {
		if i.By == me.Principal && i.Whom == v.Ring.Principal(reply.Key) {
			of := i.Record.Ref()
			if err := add(
				e.Sign(
					core.KeyHeader("distrust"),
					&memory.Key{Op: memory.OpRevoke, Key: i.Key, Of: &of, Reason: memory.Superseded},
				),
			); err != nil {
				return reply, err
			}
		}
	}
	if in.Since != "" {
		since, err := e.Ago("since", in.Since)
		if err != nil {
			return reply, err
		}
		reply.Since = memory.At(since).String()
		stolen, err := e.stolen(ctx, reply.Key, since)
		if err != nil {
			return reply, err
		}
		reply.WroteSince = len(stolen.wrote)
		if err := add(
			e.Sign(
				core.KeyHeader("distrust"),
				&memory.Key{Op: memory.OpRevoke, Key: reply.Key, Reason: memory.Compromised, From: stolen.from},
			),
		); err != nil {
			return reply, err
		}
		for _, d := range stolen.acting { // a delegation from before lives on by itself
			of := d.Ref()
			k := &memory.Key{
				Op: memory.OpRevoke, Key: d.Body.(*memory.Key).Key, Of: &of, Reason: memory.Compromised,
				From: stolen.from,
			}
			if err := add(e.Sign(core.KeyHeader("distrust"), k)); err != nil {
				return reply, err
			}
		}
		if in.Quarantine && len(stolen.wrote) > 0 {
			q := &quarantining{
				e: e, voice: e.Voice, target: "author:" + reply.Key,
				reason: core.Or(in.Reason, "signed by a key that was compromised"),
			}
			marks, err := q.of(ctx, stolen.wrote)
			if err != nil {
				return reply, err
			}
			records = append(records, marks...)
			reply.Quarantine = &q.reply
		}
	}
	if len(records) == 0 {
		return reply, core.Conflict(
			"%s was not introduced here; `since=TIME` distrusts what it wrote from then on, and `quarantine=true` hides "+
				"that too",
			reply.Fingerprint,
		)
	}
	if in.DryRun {
		reply.Claims = []string{}
		return reply, nil
	}
	return reply, e.Append(ctx, store.Batch{Records: records})
}

// theft is the records of a key since a time, and the length of the logs before.
type theft struct {
	wrote  []memory.Ref
	acting []*memory.Record // delegations from before
	from   string
}

// mostSpaces bounds how many logs a revocation names.
const mostSpaces = 250

// stolen finds what of a key, and of keys it lets act, came since a time by this
// store's own clock.
func (e *Removal) stolen(ctx context.Context, did string, since time.Time) (theft, error) {
	var out theft
	spaces, err := e.Store.Spaces(ctx)
	if err != nil {
		return out, core.Classify(err)
	}
	first := make(map[string]store.Seq)
	kinds := append(slices.Concat(memory.Memories(), memory.Claims()), memory.KindKey)
	for it, err := range e.wroteFor(ctx, did, store.Query{Kinds: kinds}) {
		if err != nil {
			return out, err
		}
		if it.Came.Before(since) {
			continue
		}
		space := it.Record.Header.Space
		if at, seen := first[space]; !seen || it.Seq < at {
			first[space] = it.Seq
		}
		if it.Ref.Kind.IsMemory() {
			out.wrote = append(out.wrote, it.Ref)
		}
	}
	acting, err := e.letAct(ctx, did)
	if err != nil {
		return out, err
	}
	for _, d := range acting {
		if d.Came.Before(since) {
			out.acting = append(out.acting, d.Record)
		}
	}
	var lines []string
	for _, sp := range spaces {
		size := int64(sp.Last)
		if at, wrote := first[sp.Name]; wrote {
			size = int64(at) - 1
		}
		root, err := e.RootAt(ctx, sp.Name, size)
		if err != nil {
			return out, err
		}
		if lines = append(lines, state.FromLine(sp.Name, size, ledger.EncodeHash(root))); len(lines) == mostSpaces {
			break
		}
	}
	out.from = strings.Join(lines, "\n")
	return out, nil
}

// wroteFor returns what a key wrote, and what keys wrote that it let act for it, the
// oldest of each first.
func (e *Removal) wroteFor(ctx context.Context, did string, q store.Query) iter.Seq2[*store.Item, error] {
	return func(yield func(*store.Item, error) bool) {
		acting, err := e.letAct(ctx, did)
		if err != nil {
			yield(nil, err)
			return
		}
		delegations := make(map[memory.ID]bool)
		keys := []string{did}
		for _, d := range acting {
			delegations[d.Ref.ID] = true
			if to := d.Record.Body.(*memory.Key).Key; !slices.Contains(keys, to) {
				keys = append(keys, to)
			}
		}
		for _, k := range keys {
			q.Author, q.Hidden, q.Oldest = k, true, true
			for it, err := range e.Store.List(ctx, q) {
				if err != nil {
					yield(nil, core.Classify(err))
					return
				}
				if it.Record == nil || k != did && !delegations[it.Record.Header.Delegation] {
					continue // another let that key act too
				}
				if !yield(it, nil) {
					return
				}
			}
		}
	}
}

// letAct returns the delegations that a key made.
func (e *Removal) letAct(ctx context.Context, did string) ([]*store.Item, error) {
	var out []*store.Item
	for it, err := range e.Store.List(
		ctx, store.Query{Kinds: []memory.Kind{memory.KindKey}, Author: did, Hidden: true, Oldest: true},
	) {
		if err != nil {
			return nil, core.Classify(err)
		}
		if it.Record == nil {
			continue
		}
		if k, ok := it.Record.Body.(*memory.Key); ok && k.Op == memory.OpDelegate {
			out = append(out, it)
		}
	}
	return out, nil
}
