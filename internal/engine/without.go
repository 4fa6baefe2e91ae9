package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/removal"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/store"
)

// Recall answers a question with the memories that bear on it, best first, within a budget of
// tokens, and with the constraints that bind whatever the question is. What tools gave out is
// left out unless raws are asked for. Without a question it returns what an agent should know
// when its work begins. With Without it also returns the answer as it would be, and what differs.
func (e *Engine) Recall(ctx context.Context, in api.RecallRequest) (api.RecallReply, error) {
	if len(in.Without) == 0 {
		return e.Finder.Recall(ctx, in)
	}
	targets := in.Without
	if in.Without = nil; in.AsOf != "" {
		return api.RecallReply{}, core.Invalid("without: what would be is answered for now, not as of a time")
	}
	unheard, err := e.Removal.Unheard(ctx, targets)
	if err != nil {
		return api.RecallReply{}, err
	}
	reply, err := e.Finder.Recall(ctx, in)
	if err != nil {
		return reply, err
	}
	out := &api.RecallWithout{Unheard: unheard.Unheard}
	err = e.without(ctx, unheard, func(ctx context.Context, then *Engine) error {
		in.Proofs = false // nothing of that answer is signed as it is
		out.Answer, err = then.Finder.Recall(ctx, in)
		return err
	})
	out.Differs = differing(&reply, &out.Answer)
	reply.Without = out
	return reply, err
}

// Why returns what a memory rests on, down to the words, how it relates to others, and the
// reasons behind each of its three axes. It counts as an access. With Without it also returns
// what would be said of the memory, and whether it would count.
func (e *Engine) Why(ctx context.Context, in api.WhyRequest) (api.WhyReply, error) {
	reply, err := e.Views.Why(ctx, in)
	if err != nil || len(in.Without) == 0 {
		return reply, err
	}
	unheard, err := e.Removal.Unheard(ctx, in.Without)
	if err != nil {
		return api.WhyReply{}, err
	}
	out := &api.WhyWithout{Unheard: unheard.Unheard}
	err = e.without(ctx, unheard, func(ctx context.Context, then *Engine) error {
		out.Answer, err = then.Views.Why(ctx, api.WhyRequest{Ref: reply.Ref})
		return err
	})
	out.Falls = out.Answer.Hidden != "" && reply.Hidden == ""
	out.Differs = changed(nil, reply.Ref, reply.Headline, stands(&reply), stands(&out.Answer))
	reply.Without = out
	return reply, err
}

const unheardPage = 1000 // records that are read together

// without runs do with the engine as it would be, had some records never counted. What it gives is noted as given: a
// session has read it.
func (e *Engine) without(ctx context.Context, u removal.Unheard, do func(context.Context, *Engine) error) error {
	err := e.Trial(ctx, store.Batch{Records: u.Marks}, func(ctx context.Context, c *core.Core) error {
		for ids := range slices.Chunk(u.IDs, unheardPage) {
			items, err := c.Store.Get(ctx, ids...)
			if err != nil {
				return err
			}
			for _, it := range items {
				if it != nil && it.Record != nil && !it.State.Quarantined {
					return &core.Failure{
						Kind: api.ErrUnavailable, Text: "what would be without " + strings.Join(u.Targets, ", ") +
							" cannot be said here: " + it.Ref.Short() + " would count all the same",
					}
				}
			}
		}
		return do(ctx, assemble(c, e.shared.Trial()))
	})
	return core.Classify(err)
}

// differing returns what two answers do not have alike.
func differing(was, is *api.RecallReply) []api.Difference {
	out := []api.Difference{}
	before := slices.Concat(was.Results, was.Constraints)
	after := slices.Concat(is.Results, is.Constraints)
	find := func(in []api.Recalled, ref string) *api.Recalled {
		if i := slices.IndexFunc(in, func(r api.Recalled) bool { return r.Ref == ref }); i >= 0 {
			return &in[i]
		}
		return nil
	}
	for i := range before {
		r := &before[i]
		if then := find(after, r.Ref); then == nil {
			out = append(out, api.Difference{What: api.DifferGone, Ref: r.Ref, Text: headline(r.Text)})
		} else {
			out = changed(out, r.Ref, headline(r.Text), marked(&r.Result), marked(&then.Result))
		}
	}
	for i := range after {
		if r := &after[i]; find(before, r.Ref) == nil {
			out = append(out, api.Difference{What: api.DifferNew, Ref: r.Ref, Text: headline(r.Text)})
		}
	}
	_, today, _ := strings.Cut(was.Start, "\n") // after the line that counts its tokens
	_, then, _ := strings.Cut(is.Start, "\n")
	return lines(lines(out, today, then, api.DifferGone), then, today, api.DifferNew)
}

// lines adds the lines that one text has and the other has not.
func lines(out []api.Difference, has, hasNot, what string) []api.Difference {
	in := strings.Split(hasNot, "\n")
	for line := range strings.SplitSeq(has, "\n") {
		if strings.TrimSpace(line) != "" && !slices.Contains(in, line) {
			out = append(out, api.Difference{What: what, Text: strings.TrimSpace(line)})
		}
	}
	return out
}

func changed(out []api.Difference, ref, text, was, is string) []api.Difference {
	if was == is {
		return out
	}
	return append(out, api.Difference{What: api.DifferChanged, Ref: ref, Text: text, Was: was, Is: is})
}

// marked says in a line how a result stands.
func marked(r *api.Result) string {
	return stand(r.Tier, r.Level, r.Trust, r.Actionable, r.Hidden, r.Marks)
}

// stands says in a line how a memory stands.
func stands(r *api.WhyReply) string {
	return stand(r.Tier, r.Level, r.Trust.Score, r.Actionable, r.Hidden, r.Marks)
}

// headline is the first line of a text, shortened.
func headline(text string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return shorten.To(first, mostHeadline)
}

const mostHeadline = 120 // characters

func stand(tier, level string, trust float64, actionable bool, hidden string, marks []string) string {
	all := slices.Clone(marks)
	if hidden != "" && !slices.ContainsFunc(marks, func(m string) bool { return strings.HasPrefix(m, hidden) }) {
		all = append(all, hidden)
	}
	if tier != "" {
		all = append(all, tier)
	}
	all = append(all, fmt.Sprintf("%s %.2f", level, trust))
	if actionable {
		all = append(all, "actionable")
	}
	return strings.Join(all, ", ")
}
