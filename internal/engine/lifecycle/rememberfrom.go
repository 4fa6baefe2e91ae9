package lifecycle

import (
	"context"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/views"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// What the provenance of a mark names that settles prompts: none of them was worth keeping, or a memory said already
// what was to be kept of them.
const (
	contextNotKept = "not kept"
	contextKnown   = "known already"
)

// A keeping is what a request to remember says of captures: those whose words it keeps, and prompts that it does not.
type keeping struct {
	from    []*store.Item
	notKept []*store.Item // those that wait until now
}

// keepingOf resolves the captures that a request names. One that it cannot mean changes nothing at all.
func (e *Lifecycle) keepingOf(ctx context.Context, in *api.RememberRequest) (k keeping, err error) {
	if len(in.From)+len(in.NotKept) == 0 {
		return k, nil
	}
	if k.from, err = e.captures(ctx, "from", in.From); err != nil {
		return k, err
	}
	named, err := e.captures(ctx, "not_kept", in.NotKept)
	if err != nil {
		return k, err
	}
	for _, it := range named {
		if slices.ContainsFunc(k.from, func(f *store.Item) bool { return f.Ref == it.Ref }) {
			return k, core.Invalid("%s is named in from and in not_kept; name it once", it.Ref.Short())
		}
		if _, is := views.IsPrompt(it.Record); !is {
			return k, core.Invalid("not_kept: %s is no prompt of the user, so it does not wait", it.Ref.Short())
		}
		may, err := e.May(ctx, it.Record)
		if err != nil {
			return k, err
		}
		if !may {
			return k, &core.Failure{Kind: api.ErrForbidden, Text: "not_kept: a person's own key signed " +
				it.Ref.Short() + "; only that person settles it"}
		}
		made, err := e.made(ctx, it)
		if err != nil {
			return k, err
		}
		if !made && !it.State.Done {
			k.notKept = append(k.notKept, it)
		}
	}
	if strings.TrimSpace(in.Text) == "" && len(k.from) > 0 {
		return k, core.Invalid("from: needs text, which says what is worth keeping of the captures")
	}
	return k, nil
}

// captures resolves refs that a member of a request names, each once: captures of this person that are shown.
func (e *Lifecycle) captures(ctx context.Context, member string, refs []string) ([]*store.Item, error) {
	if len(refs) == 0 {
		return nil, nil
	}
	items, err := e.ResolveAll(ctx, refs)
	if err != nil {
		return nil, err
	}
	voice, err := e.voices(ctx)
	if err != nil {
		return nil, err
	}
	for _, it := range items {
		short := it.Ref.Short()
		switch {
		case it.Ref.Kind != memory.KindRaw:
			return nil, core.Invalid("%s: %s is a %s; name captures, as `recent` with waiting lists them",
				member, short, it.Ref.Kind)
		case !it.State.Live() || it.Record == nil:
			return nil, core.Conflict("%s: %s is %s; leave it out", member, short, core.Or(core.Hidden(&it.State), "purged"))
		case !voice(it.Record).Mine:
			return nil, &core.Failure{Kind: api.ErrForbidden, Text: member + ": " + short +
				" is another person's; leave it out"}
		}
	}
	return items, nil
}

// made reports whether a current memory was made of a capture.
func (e *Lifecycle) made(ctx context.Context, raw *store.Item) (bool, error) {
	all, err := e.DerivedFrom(ctx, raw.Ref.ID)
	if err != nil {
		return false, err
	}
	for _, it := range all {
		if it.Record == nil {
			continue
		}
		chains, err := e.Chains(ctx, memory.Time{}, []*store.Item{it})
		if err != nil {
			return true, err
		}
		if c := chains[0]; len(c) > 0 && c.Last().State.Live() && !c.TakenBack() {
			return true, nil
		}
	}
	return false, nil
}

// settled are the marks that settle some prompts, at one time and in the run of the command that does it.
func (e *Lifecycle) settled(
	ctx context.Context, act, run string, at memory.Time, items []*store.Item,
) ([]*memory.Record, error) {
	if len(items) == 0 {
		return nil, nil
	}
	return e.Marks(ctx, core.Marking{
		Verb: memory.Done, Value: "true", Reason: act, Context: act, Run: run, At: at.Time(), With: true,
	}, items...)
}

// settleOnly settles prompts of which nothing is worth keeping, where there is nothing else to remember.
func (e *Lifecycle) settleOnly(ctx context.Context, k keeping) (reply api.RememberReply, err error) {
	if len(k.notKept) == 0 {
		reply.Hint = "none of these waits: each is a memory, or settled already"
		return reply, nil
	}
	marks, err := e.settled(ctx, contextNotKept, "", memory.At(e.C.Now()), k.notKept)
	if err != nil {
		return reply, err
	}
	if err := e.Append(ctx, store.Batch{Records: marks}); err != nil {
		return reply, err
	}
	reply.WriteReply = wrote(marks, nil)
	reply.NotKept = core.RefStrings(core.RefsOf(k.notKept))
	reply.Hint = "they wait no more; `undo` brings them back"
	return reply, nil
}

// settleBeside settles prompts beside words that were written in a batch of their own.
func (e *Lifecycle) settleBeside(ctx context.Context, k keeping, reply *api.RememberReply) error {
	if len(k.notKept) == 0 {
		return nil
	}
	alone, err := e.settleOnly(ctx, k)
	reply.NotKept = alone.NotKept
	return err
}

// isNotKept reports whether a record is a mark that settled prompts.
func isNotKept(r *memory.Record) bool {
	m, ok := r.Body.(*memory.Mark)
	return ok && m.Verb == memory.Done && r.Header.Provenance.Context == contextNotKept
}

// keptWith reports whether a mark settled prompts in the command that kept some words: both are of one moment.
func keptWith(mark, words *store.Item) bool {
	m, w := &mark.Record.Header, &words.Record.Header
	return isNotKept(mark.Record) && words.Ref.Kind == memory.KindRaw && m.At.Time().Equal(w.At.Time()) &&
		(m.Provenance.Run == "" || m.Provenance.Run == w.Provenance.Run)
}

// waitsAgain takes back that a prompt was not kept. is reports whether the ref names a prompt that is settled.
func (u *undoing) waitsAgain(ctx context.Context, ref string) (is bool, err error) {
	it, err := u.e.Lookup(ctx, ref)
	if err != nil || it.Record == nil || it.Ref.Kind != memory.KindRaw || !it.State.Done {
		return false, err
	}
	marks, err := u.marksOf(ctx, it.Ref, memory.Done)
	if err != nil || len(marks) == 0 {
		return false, err
	}
	may, err := u.e.May(ctx, it.Record)
	if err != nil {
		return false, err
	}
	who, err := u.e.Keyring(ctx)
	if err != nil {
		return false, err
	}
	last := slices.MaxFunc(marks, func(a, b *store.Item) int {
		return a.Record.Header.At.Time().Compare(b.Record.Header.At.Time())
	})
	if !may || !u.e.isPerson() && who.Voice(last.Record).Owner {
		return false, &core.Failure{Kind: api.ErrForbidden, Text: "a person settled " + it.Ref.Short() +
			"; only a person lets it wait again"}
	}
	u.reply.Undone = core.RefStrings(core.RefsOf([]*store.Item{last}))
	u.reply.Act, u.reply.Did = "not kept: "+it.Ref.Short(), "it waits again"
	u.reply.Of = []string{it.Ref.String()}
	return true, u.sign(last.Record, memory.Header{Provenance: memory.Provenance{Via: memory.ViaDirect}},
		&memory.Mark{Of: &it.Ref, Verb: memory.Done, Value: "false", Reason: "it waits again"})
}

// withKept returns words to be remembered with what is written beside them: what settles prompts that are not kept, and
// the turns that the words come from where no captures are named.
func (e *Lifecycle) withKept(ctx context.Context, r *memory.Record, k keeping) ([]*memory.Record, error) {
	records := []*memory.Record{r}
	if len(k.from) == 0 {
		var err error
		if records, err = e.withTurns(ctx, r); err != nil {
			return nil, err
		}
	}
	marks, err := e.settled(ctx, contextNotKept, r.Header.Provenance.Run, r.Header.At, k.notKept)
	return slices.Insert(records, 1, marks...), err
}

// withCaptures returns what drafts cite: the words, and captures that these keep what matters of, as far as they are
// still shown.
func (w *Working) withCaptures(
	ctx context.Context, words *store.Item, from []memory.ID,
) (sources []*store.Item, cited []int, err error) {
	items, err := w.E.Store.Get(ctx, from...)
	if err != nil {
		return nil, nil, core.Classify(err)
	}
	sources = []*store.Item{words}
	for _, it := range core.Present(items) {
		if it.State.Live() {
			sources = append(sources, it)
		}
	}
	for i := range sources {
		cited = append(cited, i)
	}
	return sources, cited, nil
}

// settleKnown settles captures of which nothing new was to be kept: a memory said already what was.
func (w *Working) settleKnown(ctx context.Context, out *Outcome, run string, from []*store.Item) error {
	made := slices.ContainsFunc(out.Records, func(r *memory.Record) bool { return r.Header.Kind.IsMemory() })
	if made || len(out.said) == 0 || len(from) == 0 {
		return nil
	}
	marks, err := w.E.settled(ctx, contextKnown, run, memory.At(w.E.C.Now()), from)
	out.Records = append(out.Records, marks...)
	return err
}
