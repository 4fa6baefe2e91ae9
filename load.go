package stemma

import (
	"context"
	"slices"

	"github.com/stemma-memory/stemma/internal/code"
	"github.com/stemma-memory/stemma/internal/pack"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// LoadRequest asks for what an agent should know when its work begins.
type LoadRequest struct {
	Level   string `json:"level,omitempty" jsonschema:"minimal, task or deep: 500, 2000 or 4000 tokens"`
	Budget  int    `json:"budget,omitempty" jsonschema:"tokens, 100 to 50000; 0 is the level's"`
	Verbose bool   `json:"verbose,omitempty" jsonschema:"say of each where it came from"`
}

// What is read of each kind for a load.
const (
	loadEach     = 100
	loadEpisodes = 30
	loadLinks    = 100
)

// Load gives values, goals, drives, constraints, recent episodes, relationships,
// open conflicts and what needs a look, each with a share of the budget.
func (e *Engine) Load(ctx context.Context, in LoadRequest) (ContextReply, error) {
	level, err := checkPack(in.Level, in.Budget)
	if err != nil {
		return ContextReply{}, err
	}
	l := loading{e: e, in: in}
	for _, part := range []func(context.Context) error{l.kinds, l.constraints, l.conflicts, l.needs} {
		if err := part(ctx); err != nil {
			return ContextReply{}, err
		}
	}
	if err := l.vouch(ctx); err != nil {
		return ContextReply{}, err
	}
	reply, err := packed(pack.Request{Layout: pack.Load, Level: level, Budget: in.Budget, Entries: l.entries, Omitted: l.omitted})
	if err == nil {
		reply.from = l.from
		e.receiptOfPack("load", "", in, reply)
	}
	return reply, err
}

// loading is one load being put together.
type loading struct {
	e       *Engine
	in      LoadRequest
	from    []*found
	entries []pack.Entry
	omitted []pack.Omission
}

// vouch says of every entry who stands behind it.
func (l *loading) vouch(ctx context.Context) error {
	items := make([]*store.Item, len(l.from))
	for i, f := range l.from {
		items[i] = f.Item
	}
	trusted, err := l.e.vouch(ctx, items, false)
	if err != nil {
		return err
	}
	for _, f := range l.from {
		for i := range l.entries {
			if v := trusted[f.Ref.ID]; v != nil && l.entries[i].Ref == f.Ref.Short() && f.Ref.Kind.IsMemory() {
				v.show(&l.entries[i])
			}
		}
	}
	return nil
}

func (l *loading) add(section string, it *store.Item, score float64) *pack.Entry {
	en := packEntry(it, nil)
	en.Section, en.Score = section, score
	if l.in.Verbose {
		en.Why = sourceWords(it.Record)
		en.At = it.Record.Header.At.Format("2006-01-02")
	}
	l.from, l.entries = append(l.from, beside(it)), append(l.entries, *en)
	return &l.entries[len(l.entries)-1]
}

// kinds adds what is listed by kind: the most important first, then the newest.
func (l *loading) kinds(ctx context.Context) error {
	spaces, err := l.e.shelves(ctx)
	if err != nil || len(spaces) == 0 {
		return sorted(err)
	}
	for _, part := range []struct {
		kind    memory.Kind
		section string
		most    int
	}{
		{memory.KindValue, "values", loadEach}, {memory.KindGoal, "goals", loadEach}, {memory.KindDrive, "drives", loadEach},
		{memory.KindEpisode, "episodes", loadEpisodes}, {memory.KindRelationship, "relationships", loadEach},
	} {
		n := 0
		for it, err := range l.e.store.List(ctx, store.Query{Kinds: []memory.Kind{part.kind}, Spaces: spaces, Limit: part.most}) {
			if err != nil {
				return sorted(err)
			}
			if n++; it.Record != nil && !it.State.Done {
				l.add(part.section, it, importance(it)-float64(n)/(1<<20))
			}
		}
	}
	return nil
}

// importance is what the author said of priority, intensity or feeling, 0 to 1.
func importance(it *store.Item) float64 {
	const hundred, thousand = 100, 1000
	switch b := it.Record.Body.(type) {
	case *memory.Value:
		return float64(b.Priority) / hundred
	case *memory.Goal:
		return float64(b.Priority) / hundred
	case *memory.Drive:
		return float64(b.Intensity) / thousand
	case *memory.Relationship:
		return float64(max(b.Sentiment, -b.Sentiment)) / thousand
	}
	return 0
}

// constraints adds those that a person approved who is known here; the others are
// counted.
func (l *loading) constraints(ctx context.Context) error {
	all, err := l.e.ofType(ctx, constraintType)
	if err != nil {
		return err
	}
	trusted, err := l.e.vouch(ctx, all, false)
	if err != nil {
		return err
	}
	waiting := make(map[bool]int) // by whether they are approved
	for i, it := range all {
		if trusted[it.Ref.ID].binds {
			l.add("constraints", it, -float64(i)).Tier = ""
		} else {
			waiting[it.State.Review == memory.ReviewApproved]++
		}
	}
	for _, approved := range []bool{false, true} {
		if n := waiting[approved]; n > 0 {
			l.omitted = append(l.omitted, pack.Omission{Section: "constraints", Reason: unbound(approved), Count: n})
		}
	}
	return nil
}

// conflicts adds links that say that two live memories contradict each other or
// that one brings the other up to date, and that nobody has decided on.
func (l *loading) conflicts(ctx context.Context) error {
	spaces, err := l.e.shelves(ctx)
	if err != nil || len(spaces) == 0 {
		return sorted(err)
	}
	q := store.Query{Kinds: []memory.Kind{memory.KindLink}, Spaces: spaces, Limit: loadLinks}
	for it, err := range l.e.store.List(ctx, q) {
		if err != nil {
			return sorted(err)
		}
		if it.Record == nil {
			continue
		}
		link, ok := it.Record.Body.(*memory.Link)
		if !ok || link.Relation != "contradict" && link.Relation != "update" {
			continue
		}
		ends, err := l.e.store.Get(ctx, link.Source.ID, link.Target.ID)
		if err != nil {
			return sorted(err)
		}
		if slices.ContainsFunc(ends, func(end *store.Item) bool { return end == nil || end.Record == nil || !end.State.Live() }) {
			continue // decided, or not ours to see
		}
		verb := "contradicts"
		if link.Relation == "update" {
			verb = "is proposed in place of"
		}
		l.from = append(l.from, beside(it))
		l.entries = append(l.entries, pack.Entry{
			Ref: it.Ref.Short(), Section: "conflicts", Kind: string(it.Ref.Kind), Type: link.Relation, Shelf: it.Shelf,
			Text: link.Target.Short() + " “" + memory.Cut(ends[1].Record.Headline(), 80) + "” " + verb + " " +
				link.Source.Short() + " “" + memory.Cut(ends[0].Record.Headline(), 80) + "”",
			Why: link.Reason,
		})
	}
	return nil
}

// needs adds what names code that is not what it was.
func (l *loading) needs(ctx context.Context) error {
	coded, err := l.e.coded(ctx)
	if err != nil {
		return err
	}
	stands, err := l.e.stand(ctx, coded, false)
	if err != nil {
		return err
	}
	for _, s := range stands {
		ref := s.Ref.Short()
		if s.state != code.Stale && s.state != code.NeedsReview {
			if i := slices.IndexFunc(l.entries, func(en pack.Entry) bool { return en.Ref == ref }); i >= 0 {
				l.entries[i].Path = s.paths()
			}
			continue
		}
		l.entries = slices.DeleteFunc(l.entries, func(en pack.Entry) bool { return en.Ref == ref })
		en := l.add("needs", s.Item, 0)
		en.State, en.Priority, en.Path = string(s.state), s.urgency(), s.paths()
		if reasons := code.Reasons(s.findings); len(reasons) > 0 {
			en.Why = reasons[0]
		}
	}
	return nil
}
