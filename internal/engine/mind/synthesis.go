package mind

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/lifecycle"
	"github.com/stemma-memory/stemma/internal/extract"
	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/lazy"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// paging is how drafts are found, by a model page by page, or by rules at once.
type paging struct {
	ask   func(ctx context.Context, page []*store.Item) ([]extract.Draft, error)
	rules func() []extract.Draft
}

// find asks the model, or the rules if there is no model or it does not answer.
func (s *synthesis) find(ctx context.Context, items []*store.Item, p paging) error {
	if len(items) == 0 {
		return nil
	}
	if s.e.LLM != nil {
		model := s.e.LLM.Model()
		for page := range slices.Chunk(items, askedMemories) {
			run := s.runOf(model, page)
			done, err := s.askedBefore(ctx, run, page)
			if err != nil {
				return err
			}
			if done {
				continue
			}
			drafts, err := p.ask(ctx, page)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil {
				s.w.Noted("drafted by rules: " + core.OneLine(err))
				return s.byRules(ctx, items, p)
			}
			if err := s.keep(ctx, run, model, page, drafts); err != nil {
				return err
			}
		}
		return nil
	}
	return s.byRules(ctx, items, p)
}

func (s *synthesis) byRules(ctx context.Context, items []*store.Item, p paging) error {
	run, err := s.e.lifecycle.NewRun("synthesize")
	if err != nil {
		return err
	}
	return s.keep(ctx, run, "rules", items, p.rules())
}

// runOf names the run over one page, the same for the same memories and model.
func (s *synthesis) runOf(model string, page []*store.Item) string {
	h := sha256.New()
	h.Write([]byte(s.reply.What + "\x00" + model + "\x00" + s.space))
	for _, it := range page {
		h.Write(it.Ref.ID[:])
	}
	return "synthesize/" + hex.EncodeToString(h.Sum(nil)[:16])
}

// askedBefore reports whether something came of the same page before, and counts it.
func (s *synthesis) askedBefore(ctx context.Context, run string, page []*store.Item) (bool, error) {
	made, err := s.madeOf(ctx, core.RefsOf(page))
	n := 0
	for _, it := range made {
		if it.Record.Header.Provenance.Run == run {
			n++
		}
	}
	s.reply.ProposedBefore += n
	return n > 0, err
}

// madeOf returns the memories that rest directly on any of some, whatever became of them.
func (s *synthesis) madeOf(ctx context.Context, from []memory.Ref) ([]*store.Item, error) {
	ids := make([]memory.ID, len(from))
	for i, r := range from {
		ids[i] = r.ID
	}
	edges, err := s.e.Store.Edges(ctx, graph.Forward, ids...)
	if err != nil {
		return nil, core.Classify(err)
	}
	seen := make(map[memory.ID]bool)
	var made []memory.ID
	for _, edge := range edges {
		if edge.Rel == graph.DerivedFrom && !seen[edge.From] {
			seen[edge.From] = true
			made = append(made, edge.From)
		}
	}
	items, err := s.e.Store.Get(ctx, made...)
	return core.Present(items), core.Classify(err)
}

// keep stores drafts that were not proposed before, and leaves their comparison to jobs.
func (s *synthesis) keep(ctx context.Context, run, by string, items []*store.Item, drafts []extract.Draft) error {
	var out lifecycle.Outcome
	d := lifecycle.Drafting{E: s.e.lifecycle, Run: run, Space: s.space, Via: memory.ViaConsolidate, By: by, Sources: items}
	for _, draft := range drafts {
		draft.From = draft.From[:min(len(draft.From), memory.MaxSources)]
		sources := make([]*store.Item, len(draft.From))
		for i, n := range draft.From {
			sources[i] = items[n]
		}
		before, err := s.proposed(ctx, core.RefsOf(sources), draft, by != "rules")
		if err != nil {
			return err
		}
		if before {
			s.reply.ProposedBefore++
			continue
		}
		if err := d.Add(ctx, &out, draft, aboutAll(sources)); err != nil {
			return err
		}
	}
	if err := s.w.CompareLater(ctx, &out, false); err != nil || len(out.Records) == 0 {
		return err
	}
	if err := s.e.Append(ctx, store.Batch{Records: out.Records, Jobs: out.Jobs}); err != nil {
		return err
	}
	for _, r := range out.Records {
		s.made = append(s.made, r.ID)
	}
	s.jobs = append(s.jobs, lifecycle.Follow(&out)...)
	return nil
}

// countOfEpisodes is what changes in a belief about failures when there is one more.
var countOfEpisodes = lazy.Regexp(`^this failed in \d+ episodes: `)

// gist is what a belief says, whatever the count in it.
func gist(b memory.Body) string {
	return countOfEpisodes.Get().ReplaceAllString(strings.ToLower(memory.Headline(b)), "")
}

// proposed reports whether the same was said of any of the sources before, whatever became
// of it. Of a model, who says the same in other words next time, it is enough that
// something was concluded from exactly these sources.
func (s *synthesis) proposed(ctx context.Context, from []memory.Ref, draft extract.Draft, model bool) (bool, error) {
	body := draft.Memory()
	if body == nil || len(from) == 0 {
		return false, nil
	}
	made, err := s.madeOf(ctx, from)
	if err != nil {
		return false, err
	}
	for _, it := range made {
		p := &it.Record.Header.Provenance
		if it.Ref.Kind != memory.KindOf(body) || p.Via != memory.ViaConsolidate {
			continue
		}
		if gist(it.Record.Body) == gist(body) || model && lifecycle.SameRefs(p.From, from) {
			return true, nil
		}
	}
	return false, nil
}

// aboutAll returns the names that all of some memories are about.
func aboutAll(items []*store.Item) []string {
	var out []string
	for i, it := range items {
		about := it.Record.Header.About
		if i == 0 {
			out = slices.Clone(about)
			continue
		}
		out = slices.DeleteFunc(out, func(name string) bool { return !slices.Contains(about, name) })
	}
	return out
}

// finish compares the proposals with existing memories, and fills in the reply.
func (s *synthesis) finish(ctx context.Context) error {
	if len(s.jobs) > 0 {
		done, err := s.e.lifecycle.RunPending(ctx, lifecycle.WorkOrder{Keys: s.jobs, Now: true, Follow: true})
		if err != nil {
			return err
		}
		links, err := s.e.Store.Get(ctx, done.Links...)
		if err != nil {
			return core.Classify(err)
		}
		if s.reply.Links, err = s.e.standing.LinkViews(s.e.trust.Reading(ctx), core.Present(links)); err != nil {
			return err
		}
		for _, note := range done.Notes {
			if len(done.Links) > 0 || done.GaveUp > 0 {
				s.w.Noted(note)
			}
		}
	}
	items, err := s.e.Store.Get(ctx, s.made...)
	if err != nil {
		return core.Classify(err)
	}
	s.reply.Notes = s.w.Notes
	views, err := s.e.views.Views(s.e.trust.Reading(ctx), core.Present(items)...)
	s.reply.Memories = append(s.reply.Memories, views...)
	return err
}
