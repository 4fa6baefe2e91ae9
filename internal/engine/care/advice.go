package care

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/anchor"
	"github.com/stemma-memory/stemma/internal/atrest"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// addAdvice adds suggestions about keys, anchors and logs. None of them is a problem.
func (e *Care) addAdvice(ctx context.Context, reply *api.DoctorReply) error {
	note := func(format string, args ...any) { reply.Notes = append(reply.Notes, fmt.Sprintf(format, args...)) }
	if d, ok := core.Inside(e.First()).(interface{ Key() *atrest.Key }); ok && d.Key() != nil {
		note("this store is encrypted, and its backups are; exports, shared folders and hubs are not")
	}
	me, err := e.KnownKeys()
	if err != nil || me == nil {
		return nil // unusable keys are reported as a problem already, and missing ones are none
	}
	for _, name := range me.Pending {
		note("a rotation of the %s's key was begun and not finished; `key_rotate` takes it up", name)
	}
	ring, err := e.WithOwn(ctx, me)
	if err != nil {
		return err
	}
	if e.C.Service { // its maker ends it and makes another, and it has no log of its own that grows
		return e.anchorAdvice(ctx, note)
	}
	if me.Owner != nil && !ring.Committed(me.Owner.DID()) {
		note(
			"your key has no recovery key: if it is lost or stolen, nothing puts another in its place; " +
				"`key_recovery` makes one",
		)
	}
	if err := e.anchorAdvice(ctx, note); err != nil {
		return err
	}
	if err := e.spaceAdvice(ctx, ring, me.Principal, note); err != nil {
		return err
	}
	return e.logAdvice(ctx, me.Principal, note)
}

// anchorAdvice notes anchors that are to be looked at.
func (e *Care) anchorAdvice(ctx context.Context, note func(string, ...any)) error {
	all, err := e.views.AnchorsOf(e.trust.Reading(ctx), "")
	if err != nil || len(all) == 0 {
		return err
	}
	v, err := e.trust.Reading(ctx).TrustContext()
	if err != nil {
		return err
	}
	ids := make([]memory.ID, len(all))
	for i, it := range all {
		ids[i] = it.Ref.ID
	}
	further, err := e.trust.Reading(ctx).Speaking(ids, memory.KindVerify)
	if err != nil {
		return err
	}
	checks := make(map[memory.ID]int)
	for _, c := range further {
		if f, ok := c.Record.Body.(*memory.Verify); ok && v.Root != "" && v.Controller(c.Record) == v.Root {
			checks[f.Of.ID]++
		}
	}
	never, due := 0, 0
	for _, it := range all {
		lately := time.Time{}
		if last := v.LatestCheck(it.Ref.ID, further); last != nil {
			lately = last.Header.At.Time()
		}
		switch {
		case lately.IsZero():
			never++
		case !anchor.Due(it.Record.Header.At.Time(), lately, checks[it.Ref.ID]).After(e.C.Now()):
			due++
		}
	}
	if never > 0 {
		note("%s never checked here; `check_anchors all=true` does, online=true fetches pages", core.Plural(never, "anchor"))
	}
	if due > 0 {
		note("%s due to be checked again; `check_anchors` does, online=true fetches pages", core.Plural(due, "anchor"))
	}
	return nil
}

// logAdvice notes the owner's own logs of which no one else is known to hold a
// checkpoint.
func (e *Care) logAdvice(ctx context.Context, principal string, note func(string, ...any)) error {
	spaces, err := e.Store.Spaces(ctx)
	if err != nil {
		return core.Classify(err)
	}
	for _, s := range spaces {
		if owner, _, _ := strings.Cut(s.Name, "/"); owner != principal {
			continue
		}
		held, err := e.Store.Held(ctx, s.Name)
		if err != nil {
			return core.Classify(err)
		}
		if !slices.ContainsFunc(held, func(c store.Checkpoint) bool { return c.By != "" }) {
			note(
				"nobody outside this store holds a checkpoint of %s, so a rewritten history would go unnoticed; `checkpoint` "+
					"makes one to give away",
				s.Name,
			)
		}
	}
	return nil
}
