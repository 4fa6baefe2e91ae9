package care

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/proof"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Doctor reads every record, verifies every signature, looks at every table, and looks
// for sources that are gone, forks and damage. It ends whatever the bytes are, and
// changes nothing unless it is asked to repair.
func (e *Care) Doctor(ctx context.Context, in api.DoctorRequest) (api.DoctorReply, error) {
	switch {
	case in.Since && in.Repair:
		return api.DoctorReply{}, core.Invalid("since: a repair goes through the whole store")
	case in.Since:
		return e.doctorSince(ctx, in)
	}
	return e.doctor(ctx, in, nil)
}

// doctor looks at everything, or at what came after the last clean run.
func (e *Care) doctor(ctx context.Context, in api.DoctorRequest, last *proof.Clean) (api.DoctorReply, error) {
	reply := api.DoctorReply{Problems: []api.Problem{}}
	if in.Repair {
		if err := e.repair(ctx, &reply, in.Progress); err != nil {
			return reply, err
		}
	}
	begun, err := e.Store.Spaces(ctx) // what comes meanwhile is for the next run to remember
	if err != nil {
		begun = nil // Check says what it is
	}
	checks := e.Store.Check(ctx)
	if last != nil {
		if checks, err = e.checkSince(ctx, last); err != nil {
			return reply, err
		}
	}
	for err := range checks {
		fix := "restore from a backup or an export; `recover_file FILE to=NEW` saves the undamaged records into another store"
		if errors.Is(err, store.ErrDerived) && !in.Repair { // a second repair would leave what the first left
			fix = "`doctor repair=true`"
		}
		reply.Problems = append(reply.Problems, api.Problem{What: core.OneLine(err), Fix: fix})
	}
	if err := ctx.Err(); err != nil {
		return reply, err
	}
	damaged := len(reply.Problems) > 0
	if _, err := e.KnownKeys(); err != nil && !errors.Is(err, fs.ErrNotExist) {
		reply.Problems = append(reply.Problems, api.Problem{What: core.OneLine(err)})
	}
	err = e.examine(ctx, &reply, in.Progress, last, begun)
	if err != nil && damaged && ctx.Err() == nil { // what was found says more than where the look ended
		reply.Problems = append(reply.Problems, api.Problem{What: "the rest cannot be looked at: " + core.OneLine(err)})
		err = nil
	}
	if last == nil && len(reply.Problems) > 0 && ctx.Err() == nil {
		e.dropClean(doctorName)
	}
	return reply, err
}

// examine looks at the records themselves.
func (e *Care) examine(
	ctx context.Context, reply *api.DoctorReply, progress func(int), last *proof.Clean, begun []store.Space,
) error {
	untrusted, err := e.views.WhyUntrusted(e.trust.Reading(ctx))
	if err != nil {
		return err
	}
	if untrusted != "" {
		reply.Problems = append(
			reply.Problems,
			api.Problem{
				What: "nothing in it can be verified: " + untrusted,
				Fix:  "restore from a backup, or adopt the store again as it is",
			},
		)
	}
	spaces, err := e.Store.Spaces(ctx)
	if err != nil {
		return core.Classify(err)
	}
	places, err := e.First().NoteNames(ctx, peer.PlacesOf)
	if err != nil {
		return core.Classify(err)
	}
	ring, err := e.Keyring(ctx) // the one that readings go by: of all spaces, and by when each record came
	if err != nil {
		return err
	}
	x := examination{
		e: e, kept: core.Inside(e.First()), untrusted: untrusted != "", reply: reply, ring: ring, synced: len(places) > 0,
	}
	x.progress = progress
	heads, records, known := make(map[string]proof.CleanHead), int64(0), int64(0)
	x.begun = make(map[string]store.Seq, len(begun))
	for _, s := range begun {
		x.begun[s.Name] = s.Last
	}
	for _, s := range spaces {
		var head proof.CleanHead
		if last != nil {
			head = last.Spaces[s.Name]
		}
		known += head.Tree.Size()
		if err := x.space(ctx, s.Name, &head.Tree); err != nil {
			return err
		}
		heads[s.Name] = head
		records += head.Tree.Size()
	}
	if x.away > 0 {
		reply.Notes = append(
			reply.Notes,
			fmt.Sprintf(
				"%s that memories here cite stayed where they were written: they travel only by `remote_add raw=true`",
				core.Plural(x.away, "raw"),
			),
		)
	}
	if err := e.exchange.NotTaken(ctx, reply, places); err != nil {
		return err
	}
	if err := e.exchange.NotSynced(ctx, reply); err != nil {
		return err
	}
	if err := e.addAdvice(ctx, reply); err != nil {
		return err
	}
	return e.doctorClean(ctx, &x, last, heads, records, known)
}

// examination is one run of Doctor.
type examination struct {
	e     *Care
	reply *api.DoctorReply
	ring  *state.Keyring

	kept      store.Store // without the door before it
	untrusted bool        // nothing can be verified at all

	synced bool // records come from other stores
	away   int  // citations of raws that did not
	keys   bool // records about keys came

	begun map[string]store.Seq // how long the logs were when the run began

	progress func(records int) // nil tells no one
}

func (x *examination) problem(it *store.Item, format string, args ...any) {
	x.reply.Problems = append(x.reply.Problems, api.Problem{What: fmt.Sprintf(format, args...), Ref: it.Ref.String()})
}

func (x *examination) item(it *store.Item, wrong error) {
	x.reply.Records++
	x.keys = x.keys || it.Ref.Kind == memory.KindKey
	r := it.Record
	if r == nil {
		x.gone(it)
		return
	}
	x.reply.Signatures += len(r.Sigs)
	x.secrets(it)
	if wrong != nil {
		x.problem(it, "%v", wrong)
	}
	if _, opaque := r.Body.(*memory.Opaque); opaque {
		x.reply.Notes = append(
			x.reply.Notes,
			fmt.Sprintf("%s is of a newer version of stemma; it is stored but not read", it.Ref.Short()),
		)
	} else if f := x.ring.Fault(r); f == state.DelegationInvalid {
		x.problem(it, "%s has no effect: %s", it.Ref.Short(), core.FaultWords(f))
	} else if f != state.Sound { // as its owner wanted it when the key was taken back
		x.reply.Notes = append(x.reply.Notes, fmt.Sprintf("%s has no effect: %s", it.Ref.Short(), core.FaultWords(f)))
	}
	if it.State.Outranked && it.State.SupersededBy.IsZero() {
		x.reply.Notes = append(
			x.reply.Notes, fmt.Sprintf("%s has a rival revision of the same memory", it.Ref.Short()),
		)
	}
}

// gone reports a record whose bytes are missing, whether purged or lost.
func (x *examination) gone(it *store.Item) {
	if it.State.Purged {
		x.reply.Notes = append(
			x.reply.Notes,
			fmt.Sprintf("%s was purged: its bytes are gone; the records that cite it remain", it.Ref.Short()),
		)
		return
	}
	x.problem(it, "%s has lost its bytes without a purge: restore the store from a copy", it.Ref.Short())
}

// notHeld reports a record that is cited and was never here: purged elsewhere, if an owner's
// mark came with the record that cites it, or missing.
func (x *examination) notHeld(ctx context.Context, by *store.Item, ref memory.Ref) error {
	marks, err := x.e.trust.Reading(ctx).Speaking([]memory.ID{ref.ID}, memory.KindMark)
	if err != nil {
		return err
	}
	for _, m := range marks {
		mark, ok := m.Record.Body.(*memory.Mark)
		v := x.ring.Voice(m.Record)
		owns := state.OwnsSpace(v, by.Record.Header.Space, x.ring) // the author of what was purged is unknown now
		if ok && mark.Verb == memory.Purge && v.Owner && (owns ||
			v.Principal == x.ring.Voice(by.Record).Principal) {
			x.reply.Notes = append(
				x.reply.Notes,
				fmt.Sprintf("%s cites %s, which was purged before it came here", by.Ref.Short(), ref.Short()),
			)
			return nil
		}
	}
	if ref.Kind == memory.KindRaw && x.synced {
		x.away++
		return nil
	}
	x.problem(by, "%s cites %s, which is not held here", by.Ref.Short(), ref.Short())
	return nil
}

// secrets lists a record that contains secrets. Key records and marks decide who may speak and
// what was purged, so they cannot be purged.
func (x *examination) secrets(it *store.Item) {
	found := core.SecretsIn(it.Record)
	if len(found) == 0 {
		return
	}
	kept := api.KeptSecret{Ref: it.Ref.String(), Found: found}
	if it.Ref.Kind != memory.KindKey && it.Ref.Kind != memory.KindMark {
		kept.Fix = "`purge " + it.Ref.Short() + "`"
		if x.e.C.Service {
			kept.Fix = "on the machine of the person whose space it is: " + kept.Fix
		}
	}
	x.reply.Secrets = append(x.reply.Secrets, kept)
}

// sources looks for records that a page cites and the store does not hold, or
// holds as another kind.
func (x *examination) sources(ctx context.Context, all []examined) error {
	var ids []memory.ID
	var cited []memory.Ref
	var by []*store.Item
	for _, one := range all {
		it := one.it
		if it == nil || it.Record == nil {
			continue
		}
		for _, ref := range it.Record.Cites() {
			ids, cited, by = append(ids, ref.ID), append(cited, ref), append(by, it)
		}
	}
	found, err := x.e.Store.Get(store.Itself(ctx), ids...) // nothing of it is worth remembering
	if err != nil {
		if found, err = x.e.Store.Get(ctx, ids...); err != nil {
			return core.Classify(err)
		}
	}
	for i, f := range found {
		switch {
		case f == nil:
			if err := x.notHeld(ctx, by[i], cited[i]); err != nil {
				return err
			}
		case f.Ref.Kind != cited[i].Kind:
			x.problem(by[i], "%s cites %s as a %s", by[i].Ref.Short(), f.Ref.Short(), cited[i].Kind)
		}
	}
	return nil
}
