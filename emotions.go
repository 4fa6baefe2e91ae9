package stemma

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// EmotionSummaryRequest asks how it felt.
type EmotionSummaryRequest struct {
	Since string `json:"since,omitempty" jsonschema:"only episodes recorded then or later; a time, or how long ago, such as 720h"`
}

// EmotionSummaryReply is how episodes felt, all together and week by week. Of
// episodes that say nothing of it nothing is guessed.
type EmotionSummaryReply struct {
	Since    string `json:"since,omitempty"`
	Episodes int    `json:"episodes"` // live, those that say nothing of it too
	Felt
	Weeks []FeltWeek `json:"weeks"` // the oldest first; those without any are left out
}

// Felt is how some episodes felt.
type Felt struct {
	Count   int          `json:"count"`
	Valence *float64     `json:"mean_valence,omitempty"` // -1 to 1
	Arousal *float64     `json:"mean_arousal,omitempty"` // 0 to 1
	Labels  []LabelCount `json:"labels"`                 // the most frequent first
}

// LabelCount is how many episodes name a feeling.
type LabelCount struct {
	Label string `json:"label"`
	Count int    `json:"count"`
}

// FeltWeek is how the episodes of a week felt.
type FeltWeek struct {
	Week string `json:"week"` // its Monday
	Felt
}

// EmotionSummary tells how the live episodes felt.
func (e *Engine) EmotionSummary(ctx context.Context, in EmotionSummaryRequest) (EmotionSummaryReply, error) {
	reply := EmotionSummaryReply{Since: in.Since, Weeks: []FeltWeek{}}
	f, err := (&SearchRequest{Since: in.Since}).filter(e.c.Now())
	if err != nil {
		return reply, err
	}
	all := feelings{}
	weeks := make(map[string]*feelings)
	err = e.episodes(ctx, func(it *store.Item, b *memory.Episode) bool {
		at := happened(it.Record)
		if !f.since.IsZero() && at.Before(f.since.Time) {
			return true
		}
		reply.Episodes++
		if b.Emotion == nil {
			return true
		}
		week := monday(at)
		if weeks[week] == nil {
			weeks[week] = &feelings{}
		}
		all.add(b.Emotion)
		weeks[week].add(b.Emotion)
		return true
	})
	reply.Felt = all.felt()
	for week, in := range weeks {
		reply.Weeks = append(reply.Weeks, FeltWeek{Week: week, Felt: in.felt()})
	}
	slices.SortFunc(reply.Weeks, func(a, b FeltWeek) int { return strings.Compare(a.Week, b.Week) })
	return reply, err
}

// EmotionSearchRequest asks for episodes by how they felt.
type EmotionSearchRequest struct {
	MinValence *float64 `json:"min_valence,omitempty" jsonschema:"-1 to 1"`
	MaxValence *float64 `json:"max_valence,omitempty" jsonschema:"-1 to 1"`
	MinArousal *float64 `json:"min_arousal,omitempty" jsonschema:"0 to 1"`
	MaxArousal *float64 `json:"max_arousal,omitempty" jsonschema:"0 to 1"`
	Label      string   `json:"label,omitempty" jsonschema:"the name of a feeling"`
	Limit      int      `json:"limit,omitempty" jsonschema:"0 is 50, -1 is all"`
}

// EmotionSearch lists the live episodes that felt so, the newest first.
func (e *Engine) EmotionSearch(ctx context.Context, in EmotionSearchRequest) (ListReply, error) {
	reply := ListReply{Memories: []Memory{}}
	takes, err := in.filter()
	if err != nil {
		return reply, err
	}
	limit := cmp.Or(in.Limit, defaultLimit)
	var items []*store.Item
	err = e.episodes(ctx, func(it *store.Item, b *memory.Episode) bool {
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
	reply.Memories, err = e.views(ctx, items...)
	return reply, err
}

// filter reads what a request asks for.
func (in *EmotionSearchRequest) filter() (func(*memory.Emotion) bool, error) {
	n := numbers{}
	all := int(memory.Certain)
	least, most := n.within("min_valence", in.MinValence, -1, 1, -all), n.within("max_valence", in.MaxValence, -1, 1, all)
	calm, stirred := n.within("min_arousal", in.MinArousal, 0, 1, 0), n.within("max_arousal", in.MaxArousal, 0, 1, all)
	label := strings.TrimSpace(in.Label)
	switch {
	case n.err != nil:
		return nil, sorted(n.err)
	case least > most:
		return nil, invalid("valence: from %v to %v is nothing", *in.MinValence, *in.MaxValence)
	case calm > stirred:
		return nil, invalid("arousal: from %v to %v is nothing", *in.MinArousal, *in.MaxArousal)
	case label == "" && in.MinValence == nil && in.MaxValence == nil && in.MinArousal == nil && in.MaxArousal == nil:
		return nil, invalid("say how it felt: by valence, arousal or a label")
	}
	return func(m *memory.Emotion) bool {
		return m.Valence >= least && m.Valence <= most && m.Arousal >= calm && m.Arousal <= stirred &&
			(label == "" || slices.ContainsFunc(m.Labels, func(l string) bool { return strings.EqualFold(l, label) }))
	}, nil
}

// episodes gives the live episodes, the newest first, until each says no.
func (e *Engine) episodes(ctx context.Context, each func(*store.Item, *memory.Episode) bool) error {
	spaces, err := e.shelves(ctx)
	if err != nil || len(spaces) == 0 {
		return sorted(err)
	}
	for it, err := range e.store.List(ctx, store.Query{Kinds: []memory.Kind{memory.KindEpisode}, Spaces: spaces}) {
		if err != nil {
			return sorted(err)
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

func (f *feelings) felt() Felt {
	out := Felt{Count: f.count, Labels: []LabelCount{}}
	if f.count > 0 {
		valence, arousal := f.mean(f.valence), f.mean(f.arousal)
		out.Valence, out.Arousal = &valence, &arousal
	}
	for l, n := range f.labels {
		out.Labels = append(out.Labels, LabelCount{l, n})
	}
	slices.SortFunc(out.Labels, func(a, b LabelCount) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.Label, b.Label))
	})
	return out
}

func (f *feelings) mean(sum int) float64 {
	return thousandth(float64(sum) / float64(f.count) / float64(memory.Certain))
}

// monday names the week of a time by the day it begins.
func monday(t time.Time) string {
	t = t.UTC()
	const week = 7
	return t.AddDate(0, 0, -(int(t.Weekday())+week-1)%week).Format(time.DateOnly)
}
