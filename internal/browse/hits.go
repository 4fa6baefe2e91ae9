package browse

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/memory"
)

// firstHits is how long a list is at first; it doubles where one goes beyond its
// end, up to mostHits.
const (
	firstHits = 50
	mostHits  = 1000
)

// hits is a list of memories: search results, the newest ones, or those that wait for a
// decision.
type hits struct {
	seat
	query  string
	review bool
	kind   memory.Kind // only this
	all    bool        // hidden ones too
	limit  int
	found  []hit
	more   bool
	warned []string
}

// A hit is one memory in a list.
type hit struct {
	ref, kind, tier, level, words, hidden, about string
	confidence                                   float64
	trust                                        *float64
	notes                                        []string
}

func (h *hits) title() string {
	var s string
	switch {
	case h.review:
		s = "what waits for a decision"
	case h.query != "":
		s = fmt.Sprintf("search %q", h.query)
	case h.kind == memory.KindRaw:
		s = "newest words"
	default:
		s = "newest memories"
	}
	if h.kind != "" && s != "newest words" {
		s += ", kind " + string(h.kind)
	}
	switch {
	case h.all && h.review:
		s = "all that is not reviewed" + strings.TrimPrefix(s, "what waits for a decision")
	case h.all:
		s += ", hidden ones too"
	}
	return s
}

func (h *hits) load(ctx context.Context, ask Asker) error {
	h.drop()
	var err error
	switch {
	case h.review:
		err = h.loadReview(ctx, ask)
	case h.query != "":
		err = h.loadSearch(ctx, ask)
	default:
		err = h.loadList(ctx, ask)
	}
	return err
}

func (h *hits) loadList(ctx context.Context, ask Asker) error {
	r, err := ask.List(ctx, api.ListRequest{Kind: string(h.kind), All: h.all, Limit: h.limit})
	if err != nil {
		return err
	}
	h.found, h.more = nil, r.More
	for _, m := range r.Memories {
		h.found = append(h.found, ofMemory(&m))
	}
	return nil
}

func (h *hits) loadReview(ctx context.Context, ask Asker) error {
	r, err := ask.Review(ctx, api.KindRequest{Kind: string(h.kind), All: h.all, Limit: h.limit})
	if err != nil {
		return err
	}
	h.found, h.more = nil, r.More
	for _, p := range r.Pending {
		h.found = append(h.found, ofMemory(&p.Memory))
	}
	return nil
}

func (h *hits) loadSearch(ctx context.Context, ask Asker) error {
	r, err := ask.Search(ctx, api.SearchRequest{Query: h.query, Kind: string(h.kind), All: h.all, Limit: h.limit})
	if err != nil {
		return err
	}
	h.found, h.more, h.warned = nil, len(r.Results) == h.limit && h.limit < mostHits, r.Warnings
	for _, x := range r.Results {
		f := x.Factors
		one := hit{
			ref: x.Ref, kind: x.Type, tier: x.Tier, level: x.Level, words: said(x.Speaker, x.Text), hidden: x.Hidden,
			confidence: x.Confidence, trust: &x.Trust,
			about: fmt.Sprintf(
				"score %.3f = relevance %.3f × tier %.1f × trust %.3f × recency %.3f", x.Score, f.Relevance,
				f.Tier, f.Trust, f.Recency,
			),
		}
		one.notes = append(one.notes, inRow(x.Marks, x.Hidden)...)
		h.found = append(h.found, one)
	}
	return nil
}

func ofMemory(m *api.Memory) hit {
	speaker, _ := m.Content["speaker"].(string)
	h := hit{
		ref: m.Ref, kind: m.Type, tier: m.Tier, level: m.Level, words: said(speaker, m.Headline), hidden: m.Hidden,
		confidence: m.Confidence, trust: m.Trust, about: cameAbout(m),
	}
	h.notes = append(h.notes, inRow(m.Marks, m.Hidden)...)
	for _, flag := range m.TrustFlags {
		if flag = strings.ReplaceAll(flag, "_", " "); !slices.Contains(h.notes, flag) {
			h.notes = append(h.notes, flag)
		}
	}
	return h
}

// further reads more when the last row of an unfinished list is selected.
func (m *Model) further(ctx context.Context) error {
	h, ok := m.here().(*hits)
	if !ok || !h.more || h.limit >= mostHits {
		return nil
	}
	rows := m.rows(h)
	for i := h.selected + 1; i < len(rows); i++ {
		if rows[i].selectable() {
			return nil
		}
	}
	h.limit = min(2*h.limit, mostHits)
	return h.load(ctx, m.ask)
}

// filter narrows a list to the next kind.
func (m *Model) filter(ctx context.Context, by int) {
	h, ok := m.here().(*hits)
	if !ok {
		m.say("f narrows a list to a kind; / searches, n lists the newest")
		return
	}
	all := append([]memory.Kind{""}, memory.Memories()...)
	i := slices.Index(all, h.kind)
	h.kind = all[(i+by+len(all))%len(all)]
	m.again(ctx, h)
}

// hidden also shows superseded, rejected, forgotten and quarantined memories, or hides them
// again. In the queue of review it shows what needs no decision.
func (m *Model) hidden(ctx context.Context) {
	h, ok := m.here().(*hits)
	if !ok {
		m.say("v shows hidden memories in a list; a tree always shows them, marked")
		return
	}
	h.all = !h.all
	m.again(ctx, h)
}

func (m *Model) again(ctx context.Context, h *hits) {
	h.limit = firstHits
	m.fail(h.load(ctx, m.ask))
	m.home(h)
}

func (h *hits) draw(width int) []row {
	var out []row
	if width >= wide {
		out = append(out, row{pieces: []piece{{bold, columns("kind", "tier", "trust", "conf.") + "words"}}})
	}
	for _, x := range h.found {
		out = append(out, x.rows(width)...)
	}
	switch {
	case len(h.found) == 0:
		for _, s := range h.nothing() {
			out = append(out, paragraph(dim, s, width, mostWords)...)
		}
	case h.more && h.limit < mostHits:
		out = append(out, row{pieces: []piece{{dim, "… there is more below"}}})
	case h.more:
		out = append(
			out,
			row{pieces: []piece{{dim, fmt.Sprintf("… there is more than %d: narrow it with f or other words", mostHits)}}},
		)
	}
	for _, w := range h.warned {
		out = append(out, row{pieces: []piece{{yellow, oneLine(w)}}})
	}
	return out
}

// nothing says why a list is empty, and what would fill it.
func (h *hits) nothing() []string {
	switch {
	case h.review:
		return []string{"Nothing waits for a decision.", "v lists all that is not reviewed."}
	case h.query != "":
		return []string{"Nothing was found. Other words?", "/ searches again, v looks among hidden ones, f changes the kind."}
	case h.kind != "":
		return []string{"No memories of this kind. f shows the next kind."}
	}
	return []string{
		"There are no memories here yet; f shows the raw words.", "'stemma tour' shows how memories come to be.",
	}
}

func columns(kind, tier, trust, confidence string) string {
	return fmt.Sprintf("%-13s%-12s%-7s%-7s", kind, tier, trust, confidence)
}

func (x *hit) rows(width int) []row {
	trust := ""
	if x.trust != nil {
		trust = fmt.Sprintf("%.2f", *x.trust)
	}
	confidence := fmt.Sprintf("%.2f", x.confidence)
	if x.kind == string(memory.KindRaw) {
		confidence = "" // words are no claim
	}
	words := []piece{}
	for _, mark := range x.marks() {
		words = append(words, mark, piece{"", " "})
	}
	style := ""
	if x.hidden != "" {
		style = dim
	}
	words = append(words, piece{style, oneLine(x.words)})
	if width >= wide {
		line := []piece{
			{kindStyle(x.kind), fmt.Sprintf("%-13s", x.kind)}, {tierStyle[x.tier], fmt.Sprintf("%-12s", or(x.tier, "-"))},
			{levelStyle[x.level], fmt.Sprintf("%-7s", or(trust, "-"))}, {"", fmt.Sprintf("%-7s", or(confidence, "-"))},
		}
		return []row{{pieces: append(line, words...), ref: x.ref}}
	}
	second := []piece{{kindStyle(x.kind), x.kind}}
	if trust != "" {
		second = append(second, piece{dim, " trust "}, piece{levelStyle[x.level], trust})
	}
	if confidence != "" {
		second = append(second, piece{dim, " conf. "}, piece{"", confidence})
	}
	if x.tier != "" {
		second = append(second, piece{"", " "}, piece{tierStyle[x.tier], x.tier})
	}
	return []row{{pieces: words, ref: x.ref}, {pieces: second, below: true}}
}

// marks are what must not be overlooked of a hit.
func (x *hit) marks() []piece {
	var out []piece
	for _, n := range x.notes {
		out = append(out, piece{yellow, "[" + oneLine(n) + "]"})
	}
	return out
}

func (h *hits) about(r row) string {
	for i := range h.found {
		if h.found[i].ref == r.ref {
			return shortRef(r.ref) + "  " + h.found[i].about
		}
	}
	return ""
}
