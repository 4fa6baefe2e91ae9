package mind

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/engine/views"
	"github.com/stemma-memory/stemma/internal/sorting"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// EmotionSummary says how the live episodes felt.
func (e *Mind) EmotionSummary(ctx context.Context, in api.EmotionSummaryRequest) (api.EmotionSummaryReply, error) {
	reply := api.EmotionSummaryReply{Since: in.Since, Weeks: []api.FeltWeek{}}
	f, err := views.SearchRequestFilter((&api.SearchRequest{Since: in.Since}), e.C.Now(), e.C.Zone)
	if err != nil {
		return reply, err
	}
	says := ""
	if f.Since.IsZero() { // every episode counts, and only those that say how they felt are read
		says = felt
		held, err := e.liveEpisodes(ctx)
		if err != nil {
			return reply, err
		}
		reply.Episodes = held
	}
	all := feelings{}
	weeks := make(map[string]*feelings)
	err = e.episodes(ctx, says, func(it *store.Item, b *memory.Episode) bool {
		at := standing.Happened(it.Record)
		if !f.Since.IsZero() && at.Before(f.Since.Time()) {
			return true
		}
		if says == "" {
			reply.Episodes++
		}
		if b.Emotion == nil {
			return true
		}
		week := monday(at.In(e.C.Zone))
		if weeks[week] == nil {
			weeks[week] = &feelings{}
		}
		all.add(b.Emotion)
		weeks[week].add(b.Emotion)
		return true
	})
	reply.Felt = all.felt()
	for week, in := range weeks {
		reply.Weeks = append(reply.Weeks, api.FeltWeek{Week: week, Felt: in.felt()})
	}
	sorting.By(reply.Weeks, func(a, b api.FeltWeek) int { return strings.Compare(a.Week, b.Week) })
	return reply, err
}

// EmotionSearch lists the live episodes that felt so, the newest first.
func (e *Mind) EmotionSearch(ctx context.Context, in api.EmotionSearchRequest) (api.ListReply, error) {
	reply := api.ListReply{Memories: []api.Memory{}}
	takes, err := emotionSearchRequestFilter(&in)
	if err != nil {
		return reply, err
	}
	limit := cmp.Or(in.Limit, views.DefaultLimit)
	var items []*store.Item
	err = e.episodes(ctx, felt, func(it *store.Item, b *memory.Episode) bool {
		if b.Emotion == nil || !takes(b.Emotion) {
			return true
		}
		if limit > 0 && len(items) == limit {
			reply.More = true
			return false
		}
		items = append(items, it)
		return true
	})
	if err != nil {
		return reply, err
	}
	reply.Memories, err = e.views.Views(e.trust.Reading(ctx), items...)
	return reply, err
}

// filter reads what a request asks for.
func emotionSearchRequestFilter(in *api.EmotionSearchRequest) (func(*memory.Emotion) bool, error) {
	n := core.Numbers{}
	all := int(memory.Certain)
	least, most := n.Within("min_valence", in.MinValence, -1, 1, -all), n.Within("max_valence", in.MaxValence, -1, 1, all)
	calm, stirred := n.Within("min_arousal", in.MinArousal, 0, 1, 0), n.Within("max_arousal", in.MaxArousal, 0, 1, all)
	label := strings.TrimSpace(in.Label)
	switch {
	case n.Err != nil:
		return nil, core.Classify(n.Err)
	case least > most:
		return nil, core.Invalid("valence: from %v to %v is nothing", *in.MinValence, *in.MaxValence)
	case calm > stirred:
		return nil, core.Invalid("arousal: from %v to %v is nothing", *in.MinArousal, *in.MaxArousal)
	case label == "" && in.MinValence == nil && in.MaxValence == nil && in.MinArousal == nil && in.MaxArousal == nil:
		return nil, core.Invalid("say how it felt: by valence, arousal or a label")
	}
	return func(m *memory.Emotion) bool {
		return m.Valence >= least && m.Valence <= most && m.Arousal >= calm && m.Arousal <= stirred &&
			(label == "" || slices.ContainsFunc(m.Labels, func(l string) bool { return strings.EqualFold(l, label) }))
	}, nil
}

// felt is in the bytes of an episode that says how it felt.
const felt = "emotion"

// liveEpisodes counts the live episodes.
func (e *Mind) liveEpisodes(ctx context.Context) (int, error) {
	spaces, err := e.NamedSpaces(ctx)
	if err != nil || len(spaces) == 0 {
		return 0, core.Classify(err)
	}
	held, err := store.Tally(ctx, e.Store, spaces)
	return held[memory.KindEpisode], core.Classify(err)
}

// episodes returns the live episodes, the newest first, until each says no. Those that do not have a text in their
// bytes may be left out.
func (e *Mind) episodes(ctx context.Context, says string, each func(*store.Item, *memory.Episode) bool) error {
	spaces, err := e.NamedSpaces(ctx)
	if err != nil || len(spaces) == 0 {
		return core.Classify(err)
	}
	q := store.Query{Kinds: []memory.Kind{memory.KindEpisode}, Spaces: spaces, Says: says}
	for it, err := range e.Store.List(ctx, q) {
		if err != nil {
			return core.Classify(err)
		}
		if it.Record == nil {
			continue
		}
		if b, ok := it.Record.Body.(*memory.Episode); ok && !each(it, b) {
			return nil
		}
	}
	return nil
}

// feelings are sums of them.
type feelings struct {
	count, valence, arousal int
	labels                  map[string]int
}

func (f *feelings) add(m *memory.Emotion) {
	f.count++
	f.valence += m.Valence
	f.arousal += m.Arousal
	if f.labels == nil {
		f.labels = make(map[string]int)
	}
	said := make(map[string]bool)
	for _, l := range m.Labels {
		if l = strings.ToLower(strings.TrimSpace(l)); l != "" && !said[l] {
			said[l] = true
			f.labels[l]++
		}
	}
}

func (f *feelings) felt() api.Felt {
	out := api.Felt{Count: f.count, Labels: []api.LabelCount{}}
	if f.count > 0 {
		valence, arousal := f.mean(f.valence), f.mean(f.arousal)
		out.MeanValence, out.MeanArousal = &valence, &arousal
	}
	for l, n := range f.labels {
		out.Labels = append(out.Labels, api.LabelCount{Label: l, Count: n})
	}
	sorting.By(out.Labels, func(a, b api.LabelCount) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.Label, b.Label))
	})
	return out
}

func (f *feelings) mean(sum int) float64 {
	return core.Thousandth(float64(sum) / float64(f.count) / float64(memory.Certain))
}

// monday names the week of a time by the day it begins.
func monday(t time.Time) string {
	const week = 7
	return t.AddDate(0, 0, -(int(t.Weekday())+week-1)%week).Format(time.DateOnly)
}
