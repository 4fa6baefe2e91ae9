package lifecycle

import (
	"context"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/extract"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// What a correction says where it has no new words.
const (
	isWrong = "wrong" // it was never so
	isOver  = "over"  // it was so until now
)

// What came of a correction.
const (
	doneReplaced  = "replaced"
	doneInPart    = "replaced in part" // it says other things too, which stay
	doneEnded     = "ended"
	doneForgotten = "forgotten"
	doneRejected  = "rejected"
	doneProposed  = "proposed" // a person decides
	doneDisputed  = "disputed" // the same, of what is said to be wrong
)

// Correct says that a memory is otherwise: in new words, which replace it, or that it is wrong
// or over. Who may not decide about it proposes, and a person decides: nothing that a person
// said or approved goes away because an agent says so. Captured words are never changed: what
// was made of them is corrected.
func (e *Lifecycle) Correct(ctx context.Context, in api.CorrectRequest) (api.CorrectReply, error) {
	reply := api.CorrectReply{}
	given := 0
	for _, one := range []string{in.Text, in.Is, in.By} {
		if one != "" {
			given++
		}
	}
	switch {
	case given > 1:
		return reply, core.Invalid("text: give one of text, for what is so instead, by, for the memory that says it, and is")
	case given == 0:
		return reply, core.Invalid("text: say what is so instead, name the memory that says it in by, or " +
			"`is=wrong` or `is=over`")
	case in.Is != "" && in.Is != isWrong && in.Is != isOver:
		return reply, core.Invalid("is: must be %s or %s, got %q", isWrong, isOver, shorten.To(in.Is, 40))
	}
	old, err := e.correctable(ctx, in.Ref)
	if earlier := e.earlier(ctx, in); err != nil && earlier != nil {
		old, err = earlier, nil
	}
	if err != nil {
		return reply, err
	}
	reply.Of = old.Ref.String()
	var by memory.ID
	if in.By != "" {
		if ref, err := e.ResolveMemory(ctx, in.By); err == nil {
			by = ref.Ref.ID
		}
	}
	return e.withTwins(ctx, old, by, func() (api.CorrectReply, error) { return e.correct(ctx, in, old, reply) })
}

// correct makes a correction of one memory.
func (e *Lifecycle) correct(
	ctx context.Context, in api.CorrectRequest, old *store.Item, reply api.CorrectReply,
) (api.CorrectReply, error) {
	switch {
	case in.Is == isWrong:
		return e.correctWrong(ctx, in, old, reply)
	case in.By != "":
		return e.correctBy(ctx, in, old, reply)
	}
	may, err := e.mayReplace(ctx, old, true)
	if err != nil {
		return reply, err
	}
	if reply.Done = doneProposed; may {
		reply.Done = doneReplaced
		if in.Is == isOver {
			reply.Done = doneEnded
		}
	}
	if in.Is == isOver {
		end := api.ReviseRequest{Ref: reply.Of}
		end.ValidUntil, end.Trigger = memory.At(e.C.Now()).String(), in.Why
		reply.WriteReply, err = e.revise(ctx, end, revising{operation: "correct", asks: true, corrects: true})
	} else {
		var words *memory.Record
		var redacted []api.Redaction
		if words, redacted, err = e.correctionWords(ctx, in, old); err != nil {
			return reply, err
		}
		reply.WriteReply, err = e.replace(ctx, words, []*store.Item{old}, extracting{Why: words.Header.Trigger}, "correct")
		reply.Redacted = redacted
	}
	if len(reply.Stays) > 0 {
		reply.Done = doneInPart
	}
	switch {
	case err == nil && reply.Rejected != nil && !reply.Rejected.Alike:
		reply.Done = doneRejected
	case reply.Link != "": // a person decides
		reply.Done = doneProposed
	}
	return reply, err
}

// earlier returns the superseded memory that a person says was wrong: they may reject it by name. Nil is
// any other correction.
func (e *Lifecycle) earlier(ctx context.Context, in api.CorrectRequest) *store.Item {
	if in.Is != isWrong || !e.isPerson() {
		return nil
	}
	it, err := e.ResolveMemory(ctx, in.Ref)
	if err != nil || it.Record == nil || it.Ref.Kind == memory.KindRaw || it.State.SupersededBy.IsZero() {
		return nil
	}
	return it
}

// correctionWords signs what is so instead as it was said.
func (e *Lifecycle) correctionWords(
	ctx context.Context, in api.CorrectRequest, old *store.Item,
) (*memory.Record, []api.Redaction, error) {
	h, err := core.MetaHeader(api.Meta{Trigger: in.Why}, memory.Certain)
	if err != nil {
		return nil, nil, err
	}
	h.Provenance = memory.Provenance{Via: memory.ViaDirect, Context: "correct"}
	if h.Provenance.Run, err = e.runOf("correct", old); err != nil {
		return nil, nil, err
	}
	if err := e.expose(ctx, &h, in.Text, nil); err != nil {
		return nil, nil, err
	}
	return e.SignClean(h, &memory.Raw{Text: in.Text, Source: in.Source})
}

// replace writes words and puts them in the place of memories: one revision of the first, which
// replaces the others too. Where that is not possible, nothing is written.
func (e *Lifecycle) replace(
	ctx context.Context, words *memory.Record, old []*store.Item, x extracting, operation string,
) (api.WriteReply, error) {
	why := x.Why
	raw, ok := words.Body.(*memory.Raw)
	if !ok {
		return api.WriteReply{}, core.Invalid("text: must be words")
	}
	in := api.ReviseRequest{Ref: old[0].Ref.String()}
	for _, it := range old[1:] {
		in.Merge = append(in.Merge, it.Ref.String())
	}
	for _, id := range x.From {
		in.From = append(in.From, memory.Ref{Kind: memory.KindRaw, ID: id}.String())
	}
	in.Text, in.Trigger = raw.Said(), why
	in.Clear = []string{"trigger"} // the reason of the old words is none of the new ones
	if old[0].Ref.Kind == memory.KindNote {
		if in.Reason, in.Trigger = why, ""; why == "" {
			in.Clear = append(in.Clear, "reason")
		}
	} else if why != "" {
		in.Clear = nil
	}
	h := &words.Header
	in.Tags, in.About, in.Session = h.Tags, h.About, h.Session
	for _, d := range extract.Kept(raw.Speaker, raw.Said(), h.At.Time()) { // the new words may be about another
		for _, name := range d.About {
			if !slices.Contains(in.About, name) {
				in.About = append(in.About, name)
			}
		}
	}
	if len(in.About) == 0 {
		in.Clear = append(in.Clear, "about")
	}
	if !h.ValidFrom.IsZero() {
		in.ValidFrom = h.ValidFrom.String()
	}
	if !h.ValidUntil.IsZero() {
		in.ValidUntil = h.ValidUntil.String()
	}
	reply, err := e.revise(ctx, in, revising{
		operation: operation, asks: true, words: words, beside: x.beside, corrects: true,
	})
	if reply.Hint != "" && reply.Link == "" && e.isPerson() {
		reply.Hint = strings.Replace(reply.Hint, "`approve=true`, or ", "", 1) // neither operation takes it
	}
	return reply, err
}

// correctable resolves the memory that a correction is about. Of captured words it is the one
// memory that was made of them.
func (e *Lifecycle) correctable(ctx context.Context, ref string) (*store.Item, error) {
	it, err := e.ResolveMemory(ctx, ref)
	if err != nil {
		return nil, err
	}
	if it.Ref.Kind != memory.KindRaw {
		return e.revisable(ctx, ref)
	}
	made, err := e.DerivedFrom(ctx, it.Ref.ID)
	if err != nil {
		return nil, err
	}
	var current []*store.Item
	for _, m := range made {
		if m.Record != nil && m.Ref.Kind.IsMemory() && m.State.Live() {
			current = append(current, m)
		}
	}
	switch len(current) {
	case 0:
		return nil, core.Conflict("%s is captured words, which never change, and no current memory was made of them; "+
			"`remember` what is so", it.Ref.Short())
	case 1:
		return e.revisable(ctx, current[0].Ref.String())
	}
	short := make([]string, len(current))
	for i, m := range current {
		short[i] = m.Ref.Short()
	}
	return nil, core.Conflict("%s is captured words; name the memory made of them that is meant: %s",
		it.Ref.Short(), strings.Join(short, ", "))
}

// correctWrong takes a memory back that was never so. An agent takes back its own; of another's
// it says so, and a person decides.
func (e *Lifecycle) correctWrong(
	ctx context.Context, in api.CorrectRequest, old *store.Item, reply api.CorrectReply,
) (api.CorrectReply, error) {
	v, err := e.Voice()
	if err != nil {
		return reply, err
	}
	who, err := e.Keyring(ctx)
	if err != nil {
		return reply, err
	}
	persons, err := e.personsDecision(ctx, old)
	if err != nil {
		return reply, err
	}
	after := ""
	if !e.isPerson() && !persons {
		if after, err = e.standing.AfterOutside(e.trust.Reading(ctx), old); err != nil {
			return reply, err
		}
	}
	const wrong = "it is wrong"
	reason := wrong
	if in.Why != "" {
		reason += ": " + in.Why
	}
	var said memory.Body = &memory.Mark{Of: &old.Ref, Verb: memory.Forget, Reason: reason}
	switch reply.Done = doneForgotten; {
	case e.C.Origin == memory.OriginOwner && state.MayHide(v, old.Record, who):
		said, reply.Done = &memory.Mark{Of: &old.Ref, Verb: memory.Reject, Reason: reason}, doneRejected
	case !state.MayHide(v, old.Record, who) || persons || after != "":
		said, reply.Done = &memory.Witness{Of: old.Ref, Attestation: "dispute", Notes: in.Why}, doneDisputed
		why, err := e.whyProposed(ctx, old)
		if err != nil {
			return reply, err
		}
		if why != "" {
			why += ":"
		}
		reply.Hint = core.Or(why, old.Ref.Short()+" is") + " a person's to decide about; your word is kept beside it"
	}
	if err := memory.Check(said); err != nil {
		return reply, core.Classify(err)
	}
	r, redacted, err := e.SignClean(memory.Header{
		Space: old.Record.Header.Space, Confidence: memory.Certain,
		Provenance: memory.Provenance{Via: memory.ViaDirect, Context: "correct"},
	}, said)
	if err != nil {
		return reply, err
	}
	hint, done := reply.Hint, reply.Done
	reply.WriteReply, err = e.Write(ctx, store.Batch{Records: []*memory.Record{r}}, redacted)
	reply.Hint, reply.Done = hint, done
	return reply, err
}
