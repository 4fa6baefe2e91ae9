package lifecycle

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

const nothingToUndo = "there is nothing to undo: this store has no decision of yours that can still be taken back"

// Undo takes back the last act of this engine's author in this store that was not
// taken back yet: a mark counts no more, what was written is forgotten, a revision
// is followed by one that says again what it replaced, an accepted update is open
// again. With a ref it is an update that applied by itself, by any agent. Nothing
// is removed. What cannot be taken back is named, and stays.
func (e *Lifecycle) Undo(ctx context.Context, in api.UndoRequest) (api.UndoReply, error) {
	u := &undoing{e: e, again: make(map[memory.ID]*store.Item), reason: in.Reason}
	u.reply = api.UndoReply{Undone: []string{}, Claims: []string{}, Of: []string{}, DryRun: in.DryRun}
	var act []*store.Item
	var err error
	if in.Ref != "" {
		if again, err := u.waitsAgain(ctx, in.Ref); again || err != nil {
			return u.done(ctx, in.DryRun, err)
		}
		act, err = u.applied(ctx, in.Ref)
	} else {
		act, err = u.lastAct(ctx)
	}
	if err != nil {
		return u.reply, err
	}
	last := act[0]
	words, err := u.words(ctx, act)
	if err != nil {
		return u.reply, err
	}
	b := last.Record.Body
	mark, isMark := b.(*memory.Mark)
	link, isLink := b.(*memory.Link)
	witness, isWitness := b.(*memory.Witness)
	switch {
	case words != nil:
		act, err = u.withWords(ctx, act, words)
	case isMark:
		err = u.marks(ctx, act, mark)
	case isLink:
		err = u.link(ctx, act, link)
	case isWitness:
		err = u.witness(last, witness)
	case memory.KindOf(b).IsMemory():
		err = u.written(ctx, last)
	default:
		err = core.Conflict(
			"the last act was %s, a %s, which cannot be undone", core.QuotedCut(last.Record.Headline()),
			last.Ref.Kind,
		)
	}
	if err != nil {
		return u.reply, err
	}
	beside, err := u.beside(ctx, act)
	if err != nil {
		return u.reply, err
	}
	for _, it := range append(act, beside...) {
		u.reply.Undone = append(u.reply.Undone, it.Ref.String())
	}
	return u.done(ctx, in.DryRun, nil)
}

// done writes what takes the act back, and answers.
func (u *undoing) done(ctx context.Context, dryRun bool, err error) (api.UndoReply, error) {
	if dryRun || err != nil {
		return u.reply, err
	}
	if err := u.e.Append(ctx, store.Batch{Records: u.write}); err != nil {
		return u.reply, err
	}
	for _, r := range u.write {
		u.reply.Claims = append(u.reply.Claims, r.Ref().String())
	}
	return u.reply, nil
}

// undoing is one act being taken back.
type undoing struct {
	e     *Lifecycle
	reply api.UndoReply
	write []*memory.Record
	again map[memory.ID]*store.Item // by what was replaced, the revision of an undo that says it again
	taken map[memory.ID]bool        // what earlier undos took back

	reason string // "" where none was given
}

// lastAct finds the records of the last act that was not taken back, the newest
// first: one, the marks of one act, or a memory with the mark or the link that was
// stored with it.
func (u *undoing) lastAct(ctx context.Context) ([]*store.Item, error) {
	me, err := u.e.KnownKeys()
	if errors.Is(err, fs.ErrNotExist) || err == nil && me == nil {
		return nil, core.Conflict("%s", nothingToUndo) // without keys nothing was written
	}
	if err != nil {
		return nil, err
	}
	author := me.Agent.DID()
	if u.e.C.Origin == memory.OriginOwner {
		if me.Owner == nil {
			return nil, &core.Failure{Kind: api.ErrForbidden, Text: "the key of a session does not speak for its owner"}
		}
		author = me.Owner.DID()
	}
	reads := func(string) bool { return true }
	if u.e.C.Place != nil && u.e.NoSpace { // what was done in another project is taken back there
		if reads, err = u.e.Reads(ctx); err != nil {
			return nil, err
		}
	}
	kinds := append(memory.Memories(), memory.KindLink, memory.KindMark, memory.KindAnchor, memory.KindWitness,
		memory.KindVerify, memory.KindAssess, memory.KindKey)
	undone := make(map[memory.ID]bool)
	u.taken = undone
	var act []*store.Item
	for it, err := range u.e.Store.List(ctx, store.Query{Kinds: kinds, Author: author, Hidden: true}) {
		if err != nil {
			return nil, core.Classify(err)
		}
		r := it.Record
		switch {
		case r == nil:
			continue // purged: there is nothing to take back
		case !reads(r.Header.Space):
			continue
		case r.Header.Provenance.Context == core.ContextUndo:
			u.takenBack(it, undone)
			continue
		case len(act) == 0 && undone[it.Ref.ID]:
			continue
		case len(act) == 0:
			if part, err := u.partOfWords(ctx, it); err != nil {
				return nil, err
			} else if part {
				continue // with the words, if they are this author's
			}
			act = append(act, it)
			continue
		case together(act[len(act)-1], it):
			act = append(act, it)
			continue
		}
		break
	}
	if len(act) == 0 {
		return nil, core.Conflict("%s", nothingToUndo)
	}
	return act, nil
}

// takenBack notes what a record of an undo took back, and what it says again.
func (u *undoing) takenBack(it *store.Item, undone map[memory.ID]bool) {
	r := it.Record
	if was, ok := restores(r); ok {
		if u.again[was.ID] == nil {
			u.again[was.ID] = it
		}
		if undone[r.ID] { // so is what it stood in the place of
			undone[was.ID] = true
		}
	}
	for _, ref := range r.Header.Provenance.Supersedes {
		undone[ref.ID] = true
	}
	if m, ok := r.Body.(*memory.Mark); ok && (m.Verb == memory.Forget || m.Verb == memory.Reject) {
		for _, ref := range memory.Subjects(m) {
			undone[ref.ID] = true
		}
	}
}

// together reports whether an older record was stored in one act with a newer one:
// the marks of an act on more records than one mark holds, or on records of several
// spaces, and a memory with its approval or with the link that proposes it.
func together(newer, older *store.Item) bool {
	if apart := older.Record.Header.Space != newer.Record.Header.Space; apart && older.Store == newer.Store {
		n, is := newer.Record.Body.(*memory.Mark)
		o, too := older.Record.Body.(*memory.Mark)
		return is && too && sameSaying(n, o) && older.Record.Header.At.Time().Equal(newer.Record.Header.At.Time()) &&
			older.Record.Header.Provenance.Context == newer.Record.Header.Provenance.Context
	}
	if older.Seq != newer.Seq-1 || older.Record.Header.Space != newer.Record.Header.Space || older.Store != newer.Store {
		return false
	}
	switch b := newer.Record.Body.(type) {
	case *memory.Mark:
		if keptWith(newer, older) {
			return true
		}
		alike := newer.Record.Header.Provenance.Context == "revise"
		if o, ok := older.Record.Body.(*memory.Mark); ok {
			if alike && b.Of != nil && o.Of != nil && *b.Of == *o.Of && sameMoment(newer, older) {
				return true
			}
			return sameSaying(o, b) && len(memory.Subjects(o)) == memory.MaxSources &&
				older.Record.Header.Provenance.Context == newer.Record.Header.Provenance.Context
		}
		return (alike || b.Verb == memory.Approve) && len(b.Also) == 0 && b.Of != nil && *b.Of == older.Ref &&
			sameMoment(newer, older)
	case *memory.Link:
		return b.Detector == "author" && b.Target == older.Ref
	}
	return false
}

// sameSaying reports whether two marks say the same, of whatever records.
func sameSaying(a, b *memory.Mark) bool {
	return a.Verb == b.Verb && a.Value == b.Value && a.Reason == b.Reason
}

// aMoment is how long making the records of one act takes at most.
const aMoment = 2 * time.Second

func sameMoment(a, b *store.Item) bool {
	return a.Record.Header.At.Time().Sub(b.Record.Header.At.Time()) <= aMoment
}

// sign makes a record of the undo, later than what it takes back.
func (u *undoing) sign(old *memory.Record, h memory.Header, body memory.Body) error {
	at := u.e.C.Now()
	if past := old.Header.At.Time().Add(time.Millisecond); at.Before(past) {
		at = past
	}
	h.Space, h.At, h.Provenance.Context = old.Header.Space, memory.At(at), core.ContextUndo
	if h.Confidence == 0 {
		h.Confidence = memory.Certain
	}
	r, err := u.e.Sign(h, body)
	u.write = append(u.write, r)
	return err
}

// marks takes marks back: each by one that replaces it and says nothing itself, so
// that the state of the records is what it would have been without it.
func (u *undoing) marks(ctx context.Context, act []*store.Item, last *memory.Mark) error {
	if last.Verb == memory.Purge {
		return core.Conflict("the last act was a purge, which cannot be undone: the words are gone")
	}
	if last.Of == nil {
		return core.Conflict("the last act was %s, which cannot be undone", core.QuotedCut(memory.Headline(last)))
	}
	if err := u.backOut(ctx, last); err != nil {
		return err
	}
	n, approved := 0, false
	for _, it := range act {
		if m, ok := it.Record.Body.(*memory.Mark); ok {
			n += len(memory.Subjects(m))
			approved = approved || m.Verb == memory.Approve
			continue
		}
		if err := u.written(ctx, it); err != nil { // a memory with its approval, or with marks that it took over
			return err
		}
		if approved {
			u.reply.Act += " and approved it"
		}
		for _, it := range act {
			if m, ok := it.Record.Body.(*memory.Mark); ok {
				if err := u.dismiss(it.Record, m); err != nil {
					return err
				}
			}
		}
		return nil
	}
	u.reply.Act = last.Verb + " of " + core.Plural(n, "record")
	if n == 1 {
		u.reply.Act = last.Verb + " of " + last.Of.Short()
	}
	u.reply.Did = "it counts no more"
	if isNotKept(act[0].Record) {
		u.reply.Act, u.reply.Did = "not kept: "+core.Plural(n, "prompt"), "it waits again"
		if n > 1 {
			u.reply.Did = "they wait again"
		}
	}
	if isLetGo(act[0].Record) {
		u.reply.Act, u.reply.Did = "the end of the proposal "+last.Of.Short(), "it waits again, and is not let go again"
	}
	for _, it := range slices.Backward(act) {
		m := it.Record.Body.(*memory.Mark)
		u.reply.Of = append(u.reply.Of, core.RefStrings(memory.Subjects(m))...)
		if err := u.dismiss(it.Record, m); err != nil {
			return err
		}
		if err := u.dismissAgain(ctx, it.Record, m); err != nil {
			return err
		}
	}
	return nil
}

// backOut refuses an agent who would take out again what its mark brought back, after a person decided about
// it: to undo a recovery is to forget, and to undo a goal's status is to say another.
func (u *undoing) backOut(ctx context.Context, m *memory.Mark) error {
	what := map[string]string{memory.Recover: "forget it", memory.Status: "say what became of it"}[m.Verb]
	if what == "" || u.e.isPerson() {
		return nil
	}
	items, err := u.e.Store.Get(ctx, core.IDsOf(memory.Subjects(m))...)
	if err != nil {
		return core.Classify(err)
	}
	for _, it := range core.Present(items) {
		if err := u.e.standing.TakesOut(u.e.trust.Reading(ctx), it, what); err != nil {
			return err
		}
	}
	return nil
}

// dismiss makes the mark that replaces one and says nothing itself.
func (u *undoing) dismiss(old *memory.Record, m *memory.Mark) error {
	return u.sign(old, memory.Header{
		Provenance: memory.Provenance{Via: memory.ViaDirect, Supersedes: []memory.Ref{old.Ref()}},
	}, &memory.Mark{Of: m.Of, Also: m.Also, Verb: memory.Dismiss, Value: m.Verb, Reason: u.reason})
}

// why is the reason that is kept with what takes something out.
func (u *undoing) why() string { return core.Or(u.reason, "taken back by its author") }

// witness takes back what was said about a memory: it does not count here any more.
func (u *undoing) witness(it *store.Item, b *memory.Witness) error {
	if !it.State.Live() || it.State.Review != "" {
		return core.Conflict("the last act was the witness %s, which was decided on by now", it.Ref.Short())
	}
	u.reply.Act = memory.Headline(b)
	u.reply.Did, u.reply.Of = "it counts no more", []string{b.Of.String()}
	return u.sign(it.Record, memory.Header{Provenance: memory.Provenance{Via: memory.ViaDirect}},
		&memory.Mark{Of: &it.Ref, Verb: memory.Reject, Reason: u.why()})
}

// link takes a link back: an update that the owner accepted is an open question
// again, a proposed one is rejected.
func (u *undoing) link(ctx context.Context, act []*store.Item, b *memory.Link) error {
	it := act[0]
	u.reply.Of = []string{b.Source.String(), b.Target.String()}
	u.reply.Act = "linked " + memory.Headline(b)
	if !it.State.Live() {
		return core.Conflict("the last act was the link %s, which is %s by now", it.Ref.Short(), core.Hidden(&it.State))
	}
	if !u.e.isPerson() && it.State.Review == state.ReviewApproved {
		return core.Conflict("the last act was the link %s, which a person decided on by now", it.Ref.Short())
	}
	if len(act) > 1 {
		if err := u.forget(ctx, act[1], "proposed "+act[1].Ref.Short()+" in the place of "+b.Source.Short()); err != nil {
			return err
		}
	}
	if standing.Applied(it) {
		return u.unapplied(it, b)
	}
	if b.Relation == memory.Update && u.e.C.Origin == memory.OriginOwner {
		u.reply.Did = "both are current until somebody decides"
		return u.sign(it.Record, memory.Header{
			Provenance: memory.Provenance{Via: memory.ViaDirect, Supersedes: []memory.Ref{it.Ref}},
		}, &memory.Link{
			Source: b.Source, Target: b.Target, Relation: memory.Contradict, Detector: "author",
			Reason: "an update that was taken back",
		})
	}
	if len(act) == 1 {
		u.reply.Did = "the link is rejected"
	}
	return u.sign(it.Record, memory.Header{Provenance: memory.Provenance{Via: memory.ViaDirect}},
		&memory.Mark{Of: &it.Ref, Verb: memory.Reject, Reason: u.why()})
}
