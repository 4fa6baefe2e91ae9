package engine

import (
	"context"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Introduce says that a key is somebody's whom the owner knows: what that person
// says as a witness counts from then on, and so does what others say whom he
// introduces, as one voice.
func (e *Engine) Introduce(ctx context.Context, in api.IntroduceRequest) (api.IntroduceReply, error) {
	if err := e.ownerOnly("introduce a key"); err != nil {
		return api.IntroduceReply{}, err
	}
	did, comment, err := keys.PublicOf([]byte(in.Key))
	if err != nil {
		return api.IntroduceReply{}, invalid("key: %s", oneLine(err))
	}
	reply := api.IntroduceReply{Key: did, Fingerprint: fingerprint(did), Name: or(in.Name, comment)}
	v, err := e.vouching(ctx)
	if err != nil {
		return reply, err
	}
	me, err := e.ownKeys()
	if err != nil {
		return reply, err
	}
	whose := v.ring.Principal(did)
	if whose == me.principal {
		return reply, conflict("%s is your own", reply.Fingerprint)
	}
	for _, i := range v.ring.Introductions() {
		switch {
		case i.By != me.principal:
		case i.Whom == whose && i.Name == reply.Name:
			return reply, conflict("%s is introduced already", reply.Fingerprint)
		case i.Name == reply.Name && i.Name != "" && i.Whom != whose:
			return reply, conflict("%q is the name of %s: another key under a name that is known is a reason to ask that person, not to merge them; choose another --name, or 'stemma trust distrust' the old key first",
				i.Name, fingerprint(i.Key))
		}
	}
	r, err := e.sign(keyHeader("introduce"), &memory.Key{Op: memory.OpIntroduce, Key: did, Name: reply.Name})
	if err != nil {
		return reply, err
	}
	reply.Claim = r.Ref().String()
	return reply, e.append(ctx, store.Batch{Records: []*memory.Record{r}})
}

func keyHeader(context string) memory.Header {
	return memory.Header{Confidence: memory.Certain, Provenance: memory.Provenance{Via: memory.ViaDirect, Context: context}}
}

// Distrust takes back an introduction: what the key says as a witness counts no
// more. With since the key is compromised: what of it came here from then on
// speaks for nobody, whatever date it bears; with quarantine that is hidden too,
// and all that rests on it alone, in one act.
func (e *Engine) Distrust(ctx context.Context, in api.DistrustRequest) (api.DistrustReply, error) {
	reply := api.DistrustReply{Claims: []string{}}
	if err := e.ownerOnly("distrust a key"); err != nil {
		return reply, err
	}
	if in.Quarantine && in.Since == "" {
		return reply, invalid("quarantine: needs since: when did the key become somebody else's? All that it ever wrote is --since 0001-01-01T00:00:00Z, or 'stemma quarantine author:KEY'")
	}
	v, err := e.vouching(ctx)
	if err != nil {
		return reply, err
	}
	if reply.Key, err = e.keyNamed(v, in.Key); err != nil {
		return reply, err
	}
	reply.Fingerprint, reply.Name = fingerprint(reply.Key), v.called(v.ring.Principal(reply.Key))
	me, err := e.ownKeys()
	if err != nil {
		return reply, err
	}
	if reply.Key == me.Owner.DID() {
		return reply, conflict("%s is your own key: 'stemma key rotate' or 'stemma key revoke' is for that", reply.Fingerprint)
	}
	var records []*memory.Record
	add := func(r *memory.Record, err error) error {
		if err == nil {
			records = append(records, r)
			reply.Claims = append(reply.Claims, r.Ref().String())
		}
		return err
	}
	for _, i := range v.ring.Introductions() {
		if i.By == me.principal && i.Whom == v.ring.Principal(reply.Key) {
			of := i.Record.Ref()
			if err := add(e.sign(keyHeader("distrust"), &memory.Key{Op: memory.OpRevoke, Key: i.Key, Of: &of, Reason: memory.Superseded})); err != nil {
				return reply, err
			}
		}
	}
	if in.Since != "" {
		since, err := e.ago("since", in.Since)
		if err != nil {
			return reply, err
		}
		reply.Since = memory.At(since).String()
		stolen, err := e.stolen(ctx, reply.Key, since)
		if err != nil {
			return reply, err
		}
		reply.Wrote = len(stolen.wrote)
		if err := add(e.sign(keyHeader("distrust"), &memory.Key{Op: memory.OpRevoke, Key: reply.Key, Reason: memory.Compromised, From: stolen.from})); err != nil {
			return reply, err
		}
		for _, d := range stolen.acting { // a delegation from before lives on by itself
			of := d.Ref()
			k := &memory.Key{Op: memory.OpRevoke, Key: d.Body.(*memory.Key).Key, Of: &of, Reason: memory.Compromised, From: stolen.from}
			if err := add(e.sign(keyHeader("distrust"), k)); err != nil {
				return reply, err
			}
		}
		if in.Quarantine && len(stolen.wrote) > 0 {
			q := &quarantining{e: e, target: "author:" + reply.Key, reason: or(in.Reason, "signed by a key that was compromised")}
			marks, err := q.of(ctx, stolen.wrote)
			if err != nil {
				return reply, err
			}
			records = append(records, marks...)
			reply.Quarantine = &q.reply
		}
	}
	if len(records) == 0 {
		return reply, conflict("nobody here introduced %s; with --since what it wrote is not believed, and with --quarantine hidden", reply.Fingerprint)
	}
	if in.DryRun {
		reply.Claims = []string{}
		return reply, nil
	}
	return reply, e.append(ctx, store.Batch{Records: records})
}

// keyNamed reads a key, or the name it was introduced by.
func (e *Engine) keyNamed(v *vouching, s string) (string, error) {
	if did, _, err := keys.PublicOf([]byte(s)); err == nil {
		return did, nil
	} else if strings.HasPrefix(s, "did:") || strings.HasPrefix(s, "ssh-") {
		return "", invalid("key: %s", oneLine(err))
	}
	var found []string
	for _, i := range v.ring.Introductions() {
		if did := v.ring.Current(i.Whom); i.By == v.root && i.Name == s && !slices.Contains(found, did) {
			found = append(found, did)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return "", notFound("no key is introduced as %q: 'stemma key list' shows those that are", memory.Cut(s, 80))
	}
	return "", &failure{kind: api.ErrAmbiguous, text: "several keys are introduced as " + s + ": " + strings.Join(found, ", ")}
}

// theft is what of a key came since a time, and where the logs stood before.
type theft struct {
	wrote  []memory.Ref
	acting []*memory.Record // delegations from before
	from   string
}

// mostSpaces bounds how many logs a revocation names.
const mostSpaces = 250

// stolen finds what of a key, and of keys it lets act, came since a time by this
// store's own clock.
func (e *Engine) stolen(ctx context.Context, did string, since time.Time) (theft, error) {
	var out theft
	spaces, err := e.store.Spaces(ctx)
	if err != nil {
		return out, sorted(err)
	}
	first := make(map[string]store.Seq)
	kinds := append(slices.Concat(memory.Memories(), memory.Claims()), memory.KindKey)
	for it, err := range e.wroteFor(ctx, did, kinds) {
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
		root, err := e.rootAt(ctx, sp.Name, size)
		if err != nil {
			return out, err
		}
		if lines = append(lines, memory.FromLine(sp.Name, size, ledger.EncodeHash(root))); len(lines) == mostSpaces {
			break
		}
	}
	out.from = strings.Join(lines, "\n")
	return out, nil
}

// wroteFor gives what a key wrote, and what keys wrote that it let act for it, the
// oldest of each first.
func (e *Engine) wroteFor(ctx context.Context, did string, kinds []memory.Kind) iter.Seq2[*store.Item, error] {
	return func(yield func(*store.Item, error) bool) {
		acting, err := e.letAct(ctx, did)
		if err != nil {
			yield(nil, err)
			return
		}
		granted := make(map[memory.ID]bool)
		keys := []string{did}
		for _, d := range acting {
			granted[d.Ref.ID] = true
			if to := d.Record.Body.(*memory.Key).Key; !slices.Contains(keys, to) {
				keys = append(keys, to)
			}
		}
		for _, k := range keys {
			for it, err := range e.store.List(ctx, store.Query{Kinds: kinds, Author: k, Hidden: true, Oldest: true}) {
				if err != nil {
					yield(nil, sorted(err))
					return
				}
				if it.Record == nil || k != did && !granted[it.Record.Header.Delegation] {
					continue // another let that key act too
				}
				if !yield(it, nil) {
					return
				}
			}
		}
	}
}

// letAct gives the delegations that a key made.
func (e *Engine) letAct(ctx context.Context, did string) ([]*store.Item, error) {
	var out []*store.Item
	for it, err := range e.store.List(ctx, store.Query{Kinds: []memory.Kind{memory.KindKey}, Author: did, Hidden: true, Oldest: true}) {
		if err != nil {
			return nil, sorted(err)
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

// rootAt gives the root of a log when it held size records.
func (e *Engine) rootAt(ctx context.Context, space string, size int64) (ledger.Hash, error) {
	root, err := store.RootAt(size, func(after store.Seq, limit int) ([]store.Change, error) {
		return e.store.Since(ctx, space, after, limit)
	})
	return root, sorted(err)
}

// ownerOnly refuses an agent what only a person may do.
func (e *Engine) ownerOnly(what string) error {
	if e.c.Origin == memory.OriginOwner {
		return nil
	}
	return &failure{kind: api.ErrForbidden, text: "only a person may " + what + ": run it yourself at a terminal"}
}
