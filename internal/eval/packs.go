package eval

import (
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/lazy"
	"github.com/stemma-memory/stemma/internal/pack"
	"github.com/stemma-memory/stemma/memory"
)

// budgets are the sizes of packs that are looked at, in tokens.
var budgets = [...]int{1000, 2000, 4000}

// mostPlain is how many turns are more than any pack holds.
const mostPlain = 400

// A Pack is what packs of one budget hold of the turns that answer.
type Pack struct {
	Budget   int     `json:"budget"`     // tokens
	Evidence float64 `json:"evidence"`   // share of a question's turns that stand in its pack, the mean over questions
	Plain    float64 `json:"plain_bm25"` // the same in a pack that is filled with plain BM25's best turns
	Used     float64 `json:"used"`       // tokens of a pack, the mean
	Turns    float64 `json:"turns"`      // in a pack, the mean
}

// named is how packs name and print the turns of a store.
type named struct {
	alias   map[string]string // by the ref that a pack shows
	entries map[string]pack.Entry
}

// shownForm finds the ref at the end of a pack's line.
var shownForm = lazy.Regexp(`\((raw:[0-9a-f]+)[^()]*\)$`)

func namesOf(ctx context.Context, e *engine.Engine) (*named, error) {
	n := &named{alias: make(map[string]string), entries: make(map[string]pack.Entry)}
	held, err := e.List(ctx, api.ListRequest{Kind: string(memory.KindRaw), Limit: -1})
	if err != nil {
		return nil, err
	}
	for i := range held.Memories {
		r := &held.Memories[i]
		ref, err := memory.ParseRef(r.Ref)
		if err != nil || len(r.Alias) == 0 {
			continue
		}
		alias := r.Alias[0]
		n.alias[ref.Short()] = alias
		text := r.Headline
		if speaker, _ := r.Content["speaker"].(string); speaker != "" {
			text = speaker + ": " + text
		}
		n.entries[alias] = pack.Entry{
			Ref: ref.Short(), Section: "unverified", Kind: r.Type, Tier: r.Type, Text: text,
			At: r.OccurredAt[:min(len(r.OccurredAt), len(time.DateOnly))], External: r.Tainted, Level: r.Level,
		}
	}
	return n, nil
}

// packs adds up what packs of each budget hold of a question's turns, ours and those of plain BM25's best.
func (m *measuring) packs(ctx context.Context, e *engine.Engine, q Question, n *named, plainly []string) error {
	if len(m.packed) == 0 {
		m.packed = make([]Pack, len(budgets))
	}
	plainly = plainly[:min(len(plainly), mostPlain)]
	entries := make([]pack.Entry, 0, len(plainly))
	for i, alias := range plainly {
		en := n.entries[alias]
		en.Score = 1 / float64(i+1)
		entries = append(entries, en)
	}
	for i, budget := range budgets {
		reply, err := e.Context(ctx, api.ContextRequest{Query: q.Text, Budget: budget, Format: string(pack.Text)})
		if err != nil {
			return err
		}
		text, err := reply.Render(string(pack.Text), false)
		if err != nil {
			return err
		}
		filled, err := pack.Build(pack.Request{Query: q.Text, Budget: budget, Entries: entries})
		if err != nil {
			return err
		}
		shown, at := n.shown(string(text)), &m.packed[i]
		at.Evidence += share(q, shown)
		at.Plain += share(q, n.shown(string(filled.Render(pack.Text))))
		at.Used += float64(m.o.Count(string(text)))
		at.Turns += float64(len(shown))
	}
	return nil
}

// packsOf are the means of sums over so many questions.
func packsOf(sums []Pack, questions int) []Pack {
	out := make([]Pack, len(sums))
	for i, s := range sums {
		mean := func(sum, places float64) float64 { return math.Round(sum/float64(questions)*places) / places }
		const shares, counts = 1e4, 1e1
		out[i] = Pack{
			Budget: budgets[i], Evidence: mean(s.Evidence, shares), Plain: mean(s.Plain, shares),
			Used: mean(s.Used, counts), Turns: mean(s.Turns, counts),
		}
	}
	return out
}

// add adds the sums of another conversation.
func add(sums, more []Pack) []Pack {
	if len(sums) == 0 {
		return slices.Clone(more)
	}
	for i, s := range more {
		sums[i].Evidence += s.Evidence
		sums[i].Plain += s.Plain
		sums[i].Used += s.Used
		sums[i].Turns += s.Turns
	}
	return sums
}

// shown returns the turns that stand in a pack.
func (n *named) shown(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		if m := shownForm.Get().FindStringSubmatch(strings.TrimRight(line, "\n")); m != nil {
			if alias, ok := n.alias[m[1]]; ok {
				out = append(out, alias)
			}
		}
	}
	return out
}

// share is how much of a question's evidence is among some turns.
func share(q Question, turns []string) float64 {
	n := 0
	for _, alias := range q.Evidence {
		if slices.Contains(turns, alias) {
			n++
		}
	}
	return float64(n) / float64(len(q.Evidence))
}
