package lifecycle

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// extracting is the body of a job of that task.
type extracting struct {
	Raw         memory.ID `json:"raw"`
	Run         string    `json:"run"`
	NoEvolution bool      `json:"no_evolution,omitempty"`
	Judge       bool      `json:"judge,omitempty"`
	Why         string    `json:"why,omitempty"`    // the reason, in the author's words
	Kind        string    `json:"kind,omitempty"`   // what it is, as the author says
	Again       bool      `json:"again,omitempty"`  // although a person rejected the same
	Rules       bool      `json:"rules,omitempty"`  // rules draft, and a model refines later
	Refine      bool      `json:"refine,omitempty"` // a model drafts again what rules drafted

	From []memory.ID `json:"from,omitempty"` // captures that the words keep what matters of

	beside []*memory.Record // what is written with words that take the place of memories
}

// Remember keeps words, makes memories of them and compares these with older ones, by
// rules, before it returns. Where a model is set, a job has it refine them later; with Wait
// or Judge the model drafts at once. What no rule drafts is a note of the words.
func (e *Lifecycle) Remember(ctx context.Context, in api.RememberRequest) (api.RememberReply, error) {
	var reply api.RememberReply
	if in.Approve {
		return reply, core.Invalid("approve: remember cannot approve; approve the memories made of the words once they exist")
	}
	if err := e.refusesAgain(in.Again); err != nil {
		return reply, err
	}
	if in.Why != "" && in.Trigger != "" {
		return reply, core.Invalid("why: give why or trigger, not both")
	}
	if strings.ContainsRune(in.Text, 0) {
		return reply, core.Invalid("text: has a NUL character, so no memory can be made of it; leave it out, or keep the " +
			"bytes with `capture`")
	}
	kind, _, err := kindSaid(in.Kind)
	if err != nil {
		return reply, err
	}
	kept, err := e.keepingOf(ctx, &in)
	if err != nil {
		return reply, err
	}
	if strings.TrimSpace(in.Text) == "" && len(in.NotKept) > 0 {
		return e.settleOnly(ctx, kept)
	}
	in.Trigger += in.Why
	h, err := core.MetaHeader(in.Meta, memory.Certain)
	if err != nil {
		return reply, err
	}
	if h.Space, err = e.spaceOf(in.About, kind); err != nil {
		return reply, err
	}
	replaces, err := e.replacedBy(ctx, in)
	if err != nil {
		return reply, err
	}
	x := extracting{NoEvolution: in.NoEvolution, Judge: in.Judge, Again: in.Again, Kind: in.Kind}
	x.From = core.IDsOf(core.RefsOf(kept.from))
	if len(replaces) > 0 {
		x.Run, err = e.runOf("remember", replaces[0])
	} else {
		x.Run, err = e.NewRun("remember")
	}
	if err != nil {
		return reply, err
	}
	h.Provenance = memory.Provenance{Via: memory.ViaDirect, Run: x.Run, Context: core.ContextRemember}
	if h.Provenance.Evidence, err = e.trust.Pins(e.trust.Reading(ctx), in.Files); err != nil {
		return reply, err
	}
	if err := e.expose(ctx, &h, in.Text, nil); err != nil {
		return reply, err
	}
	said := &memory.Raw{Source: in.Source, Speaker: in.Speaker}
	keepBytes(said, []byte(in.Text))
	r, redacted, err := e.SignClean(h, said)
	if err != nil {
		return reply, err
	}
	if !in.Again {
		if done, err := e.rememberRejected(ctx, r, redacted, &reply); done || err != nil {
			return reply, errors.Join(err, e.settleBeside(ctx, kept, &reply))
		}
	}
	if in.Why != "" {
		x.Why = r.Header.Trigger // without its secrets
	}
	if len(replaces) > 0 {
		if x.beside, err = e.settled(ctx, contextNotKept, x.Run, r.Header.At, kept.notKept); err != nil {
			return reply, err
		}
		if reply, err = e.rememberInPlace(ctx, x, r, redacted, replaces); err != nil {
			return reply, err
		}
		if reply.Rejected != nil && !reply.Rejected.Alike { // the words alone are kept
			return reply, e.settleBeside(ctx, kept, &reply)
		}
		reply.NotKept = core.RefStrings(core.RefsOf(kept.notKept))
		return reply, nil
	}
	x.Raw = r.ID
	asked := in.Wait || in.Judge
	jobs, err := e.extractJobs(x, r.Header.Space, e.LLM != nil && !asked)
	if err != nil {
		return reply, err
	}
	holder, err := e.NewRun("worker")
	if err != nil {
		return reply, err
	}
	e.hold(&jobs[0], holder)
	records, err := e.withKept(ctx, r, kept)
	if err != nil {
		return reply, err
	}
	reply.NotKept = core.RefStrings(core.RefsOf(kept.notKept))
	if reply.WriteReply, err = e.Write(ctx, store.Batch{Records: records, Jobs: jobs}, redacted); err != nil {
		return reply, err
	}
	reply.Hint = ""
	done, err := e.RunPending(ctx, WorkOrder{
		Keys: []string{jobs[0].Key}, holder: holder, held: jobs[:1:1], Now: true, Follow: true, Tell: asked,
		rules: len(jobs) > 1,
	})
	if err != nil { // the words are safe, and so is the job
		done.Notes = append(done.Notes, laterMemories+core.OneLine(err))
	}
	for _, j := range jobs[1:] {
		done.Left = append(done.Left, j.Key)
	}
	done.near = !in.NoEvolution && !in.Judge
	whole, err := e.remembered(ctx, reply, done)
	if err != nil {
		reply.Notes = append(done.Notes, laterMemories+core.OneLine(err))
		reply.Jobs = done.Left
		return reply, nil
	}
	return whole, nil
}

// spaceOf returns the space of words that are to be a memory of a kind, "" for not known.
func (e *Lifecycle) spaceOf(about []string, kind memory.Kind) (string, error) {
	me, err := e.OwnKeys()
	if err != nil {
		return "", err
	}
	return e.SpaceOfNew(me.Principal, kind, about)
}

// laterMemories begins a note that says why there is no memory yet. To fail would have the
// caller say the same words again.
const laterMemories = "the words are kept, and a job makes memories of them later: "

// replacedBy returns the memories that a text takes the place of, once each.
func (e *Lifecycle) replacedBy(ctx context.Context, in api.RememberRequest) ([]*store.Item, error) {
	if len(in.Replaces) > 0 && (in.Judge || in.Wait || in.Again) {
		return nil, core.Invalid("replaces: judge, wait and again do not go with it: it says itself what it replaces")
	}
	var out []*store.Item
	for _, ref := range in.Replaces {
		it, err := e.correctable(ctx, ref)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(out, func(o *store.Item) bool { return o.Ref == it.Ref }) {
			out = append(out, it)
		}
	}
	return out, nil
}

// rememberInPlace keeps words and puts a memory of them in the place of others.
func (e *Lifecycle) rememberInPlace(
	ctx context.Context, x extracting, words *memory.Record, redacted []api.Redaction, replaces []*store.Item,
) (reply api.RememberReply, err error) {
	twins := make([][]*store.Item, len(replaces))
	for i, old := range replaces {
		if twins[i], err = e.twinsOf(ctx, old, memory.ID{}); err != nil {
			return reply, err
		}
		twins[i] = slices.DeleteFunc(twins[i], func(it *store.Item) bool {
			return slices.ContainsFunc(replaces, func(o *store.Item) bool { return o.Ref == it.Ref })
		})
	}
	made, err := e.replace(ctx, words, replaces, x, "remember")
	if err != nil {
		return reply, err
	}
	for i, old := range replaces {
		if len(made.Superseded) == 0 {
			break // it is a proposal
		}
		if err := e.endTwins(ctx, old, twins[i], doneReplaced, &made); err != nil {
			return reply, err
		}
	}
	reply.WriteReply = wrote([]*memory.Record{words}, redacted)
	reply.Hint, reply.Rejected, reply.Stays = made.Hint, made.Rejected, made.Stays
	ref, err := memory.ParseRef(made.Ref)
	if err != nil || ref.Kind == memory.KindRaw {
		return reply, err
	}
	done := &Worked{memories: []memory.ID{ref.ID}}
	if link, err := memory.ParseRef(made.Link); err == nil {
		done.Links = []memory.ID{link.ID}
	}
	return e.remembered(ctx, reply, done)
}

// remembered fills in what the jobs came to.
func (e *Lifecycle) remembered(ctx context.Context, reply api.RememberReply, done *Worked) (api.RememberReply, error) {
	items, err := e.Store.Get(ctx, done.memories...)
	if err != nil {
		return reply, core.Classify(err)
	}
	made := core.Present(items)
	e.tell(ctx, recordsOf(made))
	rd := e.trust.Reading(ctx)
	if reply.Memories, err = e.views.Written(rd, made...); err != nil {
		return reply, err
	}
	reply.Entities = namedIn(made)
	if done.near && len(done.Links) == 0 { // no rule tells which one it touches: who said it may know
		near, err := e.nearOf(rd, done.like.later(), made)
		if err != nil {
			return reply, err
		}
		if reply.Near, err = e.views.Views(rd, near...); err != nil {
			return reply, err
		}
	}
	links, err := rd.Get(done.Links...)
	if err != nil {
		return reply, core.Classify(err)
	}
	if reply.Links, err = e.standing.LinkViews(rd, core.Present(links)); err != nil {
		return reply, err
	}
	reply.Notes, reply.Jobs, reply.RejectedBefore = done.Notes, done.Left, done.rejected
	for _, s := range done.said {
		it, err := rd.Get(s.memory)
		if err != nil {
			return reply, core.Classify(err)
		}
		one, err := e.views.Views(rd, core.Present(it)...)
		if err != nil || len(one) == 0 {
			return reply, err
		}
		reply.SaidAgain = append(reply.SaidAgain, api.SaidAgain{Memory: one[0], Raw: s.raw.String()})
	}
	reply.Judge, err = e.judgings(rd, done.held)
	return reply, err
}
