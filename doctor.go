package stemma

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// DoctorRequest asks for nothing in particular.
type DoctorRequest struct{}

// DoctorReply is what is wrong with a store.
type DoctorReply struct {
	Records    int       `json:"records"`    // looked at
	Signatures int       `json:"signatures"` // verified
	Problems   []Problem `json:"problems"`
	Notes      []string  `json:"notes,omitempty"` // worth knowing, and no problem

	Waiting []NotTaken   `json:"waiting,omitempty"` // records that a sync refused and still asks for
	Secrets []KeptSecret `json:"secrets,omitempty"` // records in which something looks like one
}

// A KeptSecret is a record in which something looks like a secret: it came signed
// from elsewhere, or somebody wanted it so.
type KeptSecret struct {
	Ref   string      `json:"ref"`
	Found []Redaction `json:"found"`
	Fix   string      `json:"fix,omitempty"` // the command that removes the record's words
}

// A Problem is one thing that is not as it should be.
type Problem struct {
	What string `json:"what"`
	Ref  string `json:"ref,omitempty"`
	Fix  string `json:"fix,omitempty"`
}

// Doctor reads every record, verifies every signature, and looks for sources
// that are gone, forks and damage. It changes nothing.
func (e *Engine) Doctor(ctx context.Context, _ DoctorRequest) (DoctorReply, error) {
	reply := DoctorReply{Problems: []Problem{}}
	for err := range e.store.Check(ctx) {
		reply.Problems = append(reply.Problems, Problem{What: oneLine(err), Fix: "restore from a backup or an export"})
	}
	if _, err := e.knownKeys(); err != nil && !errors.Is(err, fs.ErrNotExist) {
		reply.Problems = append(reply.Problems, Problem{What: oneLine(err)})
	}
	told, err := e.told(ctx)
	if err != nil {
		return reply, err
	}
	if told != "" {
		reply.Problems = append(reply.Problems, Problem{What: "nothing in it can be verified: " + told, Fix: "restore from a backup, or adopt the store again as it is"})
	}
	spaces, err := e.store.Spaces(ctx)
	if err != nil {
		return reply, sorted(err)
	}
	places, err := e.first().NoteNames(ctx, peer.PlacesOf)
	if err != nil {
		return reply, sorted(err)
	}
	x := examination{e: e, kept: inside(e.first()), told: told != "", reply: &reply, ring: memory.NewKeyring(), synced: len(places) > 0}
	for _, s := range spaces {
		if err := x.space(ctx, s.Name); err != nil {
			return reply, err
		}
	}
	if x.away > 0 {
		reply.Notes = append(reply.Notes, fmt.Sprintf("%s that memories here cite stayed where they were written: they travel only by 'stemma remote add --raw'", plural(x.away, "raw")))
	}
	if err := e.notTaken(ctx, &reply, places); err != nil {
		return reply, err
	}
	if err := e.notSynced(ctx, &reply); err != nil {
		return reply, err
	}
	return reply, e.advise(ctx, &reply)
}

// examination is one run of Doctor.
type examination struct {
	e     *Engine
	reply *DoctorReply
	ring  *memory.Keyring

	kept store.Store // without the door before it
	told bool        // nothing can be verified at all

	synced bool // records come from other stores
	away   int  // citations of raws that did not
}

func (x *examination) space(ctx context.Context, space string) error {
	for after := store.Seq(0); ; {
		page, err := x.e.store.Since(ctx, space, after, exportPage)
		if err != nil || len(page) == 0 {
			return sorted(err)
		}
		ids := make([]memory.ID, len(page))
		for i, c := range page {
			ids[i] = c.ID
		}
		items, err := x.kept.Get(ctx, ids...) // as they lie there, forged ones too
		if err != nil {
			return sorted(err)
		}
		given, err := x.e.store.Get(ctx, ids...)
		if err != nil {
			return sorted(err)
		}
		for i, it := range items {
			if it == nil {
				continue
			}
			x.item(it)
			if given[i] != nil && given[i].Doubt == store.Withheld && !x.told {
				x.problem(it, "%s: something that was said of it is missing: it stands unverified", it.Ref.Short())
			}
		}
		if err := x.sources(ctx, items); err != nil {
			return err
		}
		after = page[len(page)-1].Seq
	}
}

func (x *examination) problem(it *store.Item, format string, args ...any) {
	x.reply.Problems = append(x.reply.Problems, Problem{What: fmt.Sprintf(format, args...), Ref: it.Ref.String()})
}

func (x *examination) item(it *store.Item) {
	x.reply.Records++
	r := it.Record
	if r == nil {
		x.gone(it)
		return
	}
	x.ring.Add(r)
	x.reply.Signatures += len(r.Sigs)
	x.secrets(it)
	if err := verify(r); err != nil {
		x.problem(it, "%v", err)
	}
	if _, opaque := r.Body.(*memory.Opaque); opaque {
		x.reply.Notes = append(x.reply.Notes, fmt.Sprintf("%s is of a newer version of stemma; it is kept as it is", it.Ref.Short()))
	} else if x.ring.Voice(r).Principal == "" {
		x.problem(it, "%s is signed under a delegation that is not held or does not cover it", it.Ref.Short())
	}
	if it.State.Outranked && it.State.SupersededBy.IsZero() {
		x.reply.Notes = append(x.reply.Notes, fmt.Sprintf("%s stands beside another revision of the same memory", it.Ref.Short()))
	}
}

// gone tells of a record whose bytes are not there: as somebody wanted it, or not.
func (x *examination) gone(it *store.Item) {
	if it.State.Purged {
		x.reply.Notes = append(x.reply.Notes, fmt.Sprintf("%s was purged: its bytes are gone, what cites it still stands", it.Ref.Short()))
		return
	}
	x.problem(it, "%s has lost its bytes, and no purge says why: restore the store from a copy", it.Ref.Short())
}

// notHeld tells of a record that is cited and was never here: purged elsewhere,
// as an owner's mark says that came with what cites it, or missing.
func (x *examination) notHeld(ctx context.Context, by *store.Item, ref memory.Ref) error {
	marks, err := speaking(ctx, x.e.store, []memory.ID{ref.ID}, memory.KindMark)
	if err != nil {
		return err
	}
	for _, m := range marks {
		mark, ok := m.Record.Body.(*memory.Mark)
		v := x.ring.Voice(m.Record)
		if ok && mark.Verb == memory.Purge && v.Owner && v.Principal == x.ring.Voice(by.Record).Principal {
			x.reply.Notes = append(x.reply.Notes, fmt.Sprintf("%s cites %s, which was purged before it came here", by.Ref.Short(), ref.Short()))
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

// secrets lists a record in which some stand. Who may speak, and what was purged,
// follows from keys and marks, so that those cannot be purged.
func (x *examination) secrets(it *store.Item) {
	found := secretsIn(it.Record)
	if len(found) == 0 {
		return
	}
	kept := KeptSecret{Ref: it.Ref.String(), Found: found}
	if it.Ref.Kind != memory.KindKey && it.Ref.Kind != memory.KindMark {
		kept.Fix = "stemma purge " + it.Ref.Short()
	}
	x.reply.Secrets = append(x.reply.Secrets, kept)
}

// sources looks for records that a page cites and the store does not hold, or
// holds as another kind.
func (x *examination) sources(ctx context.Context, items []*store.Item) error {
	var ids []memory.ID
	var cited []memory.Ref
	var by []*store.Item
	for _, it := range items {
		if it == nil || it.Record == nil {
			continue
		}
		for _, ref := range it.Record.Cites() {
			ids, cited, by = append(ids, ref.ID), append(cited, ref), append(by, it)
		}
	}
	found, err := x.e.store.Get(ctx, ids...)
	if err != nil {
		return sorted(err)
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
