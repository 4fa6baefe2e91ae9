package recall_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/memory"
)

// crowdOf is how many records have the word that is looked for.
const crowdOf = 5000 / fewer

// crowd returns them. The first three are marked in every way a search can tell
// them by, and are the oldest and longest, so that nothing else speaks for them.
func crowd(yield func(api.Foreign, error) bool) {
	long := ""
	for range 30 {
		long += " and much that has to do with something else entirely"
	}
	for i := range crowdOf {
		text := fmt.Sprintf("harbour harbour harbour %d", i)
		f := api.Foreign{Alias: []string{fmt.Sprint("crowd:", i)}, Body: &memory.Raw{
			Text: text, Source: "import", Event: "turn", OccurredAt: memory.At(time.Date(2025, 6, 1, 0, i, 0, 0, time.UTC))}}
		f.Meta = api.Meta{
			Session: fmt.Sprint("s", i%50), Tags: []string{"crowd"}, ValidFrom: "2020-01-01",
			ValidUntil: "2021-01-01",
		}
		if i < 3 {
			f.Body = &memory.Raw{
				Text: "harbour" + long, Source: "import", Event: "turn",
				OccurredAt: memory.At(time.Date(2024, 1, 1+i, 0, 0, 0, 0, time.UTC)),
			}
			f.Meta = api.Meta{Session: "rare", Tags: []string{"crowd", "rare"}, ValidFrom: "2023-01-01"}
		}
		if !yield(f, nil) {
			return
		}
	}
	for i := range 3 {
		f := api.Foreign{
			Alias: []string{fmt.Sprint("note:", i)},
			Body:  &memory.Note{Type: "known_fix", Summary: fmt.Sprint("harbour ", i), Body: "harbour" + long},
		}
		f.Meta = api.Meta{ValidUntil: "1999-01-01"}
		if !yield(f, nil) {
			return
		}
	}
}

// Each filter takes what it says and nothing else.
func TestFilters(t *testing.T) {
	p := newPeople(t)
	at := func(in api.CaptureRequest) string {
		r, err := p.Agent.Capture(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		return r.Ref
	}
	draft := func(kind, kindType, text string) api.Draft {
		return api.Draft{Kind: kind, Type: kindType, Text: text}
	}
	may := at(
		api.CaptureRequest{
			Text: "heron in May", OccurredAt: "2024-05-01T12:00:00Z",
			Meta: api.Meta{Session: "walk", Tags: []string{"bird", "wet"}},
		},
	)
	june := at(api.CaptureRequest{Text: "heron in June", OccurredAt: "2024-06-01", Meta: api.Meta{Tags: []string{"bird"}}})
	ever := at(api.CaptureRequest{Text: "heron"})
	then := write(
		t, p.Agent,
		api.AddRequest{
			Draft: draft("belief", "", "herons nest"),
			Meta:  api.Meta{ValidFrom: "2024-05-01", ValidUntil: "2024-06-01"},
		},
	)
	since := write(
		t, p.Agent,
		api.AddRequest{Draft: draft("belief", "principle", "herons fish"), Meta: api.Meta{ValidFrom: "2024-06-01"}},
	)
	idea := write(t, p.Owner, api.AddRequest{Draft: draft("note", "insight", "herons dream")})
	sure := write(
		t, p.Owner,
		api.AddRequest{
			Draft: draft("note", "decision", "herons stay"),
			Meta:  api.Meta{Approve: true, Tags: []string{"bird"}},
		},
	)
	seen := promote(t, p.Agent, "a heron was seen", ever)
	all := []string{may, june, ever, then, since, idea, sure, seen}
	always := []string{may, june, ever, idea, sure, seen}
	for _, tt := range []struct {
		what string
		in   api.SearchRequest
		want []string
	}{
		{"none", api.SearchRequest{}, all},
		{"every kind", api.SearchRequest{Kind: everyKind}, all},
		{"raws", api.SearchRequest{Kind: "raw"}, all[:3]},
		{"claims", api.SearchRequest{Kind: "mark"}, nil},
		{"two kinds", api.SearchRequest{Kind: "raw,episode"}, []string{may, june, ever, seen}},
		{"a type", api.SearchRequest{Type: "decision"}, []string{sure}},
		{"a type of another kind", api.SearchRequest{Type: "principle"}, []string{since}},
		{"the usual type", api.SearchRequest{Type: "fact"}, []string{then}},
		{"a tag", api.SearchRequest{Tag: "bird"}, []string{may, june, sure}},
		{"a tag and a session", api.SearchRequest{Tag: "bird", Session: "walk"}, []string{may}},
		{"grounded", api.SearchRequest{Tier: "grounded"}, nil},
		{"observed or better", api.SearchRequest{Tier: "observed"}, []string{sure, seen}},
		{"inferred or better", api.SearchRequest{Tier: "inferred"}, []string{sure, seen, then, since}},
		{"any tier", api.SearchRequest{Tier: "hypothesis"}, all[3:]},
		{"valid before", api.SearchRequest{Kind: everyKind, ValidAt: "2024-04-30T23:59:59Z"}, always},
		{
			"valid at the beginning", api.SearchRequest{Kind: everyKind, ValidAt: "2024-05-01"},
			append(slices.Clone(always), then),
		},
		{
			"valid at the end", api.SearchRequest{Kind: everyKind, ValidAt: "2024-06-01T00:00:00Z"},
			append(slices.Clone(always), since),
		},
		{"since it happened", api.SearchRequest{Kind: "raw", Since: "2024-06-01"}, []string{june, ever}},
		{"since a moment later", api.SearchRequest{Kind: "raw", Since: "2024-06-01T00:00:01Z"}, []string{ever}},
		{"until it happened", api.SearchRequest{Kind: "raw", Until: "2024-05-01 12:00"}, nil},
		{"until a moment later", api.SearchRequest{Kind: "raw", Until: "2024-05-01T12:00:01Z"}, []string{may}},
		{"between", api.SearchRequest{Kind: everyKind, Since: "2024-05-01", Until: "2024-06-02"}, []string{may, june}},
		{"what was recorded, not what holds", api.SearchRequest{Kind: "belief", Since: "2026-01-01"}, []string{then, since}},
	} {
		tt.in.Query = "heron"
		wantRefs(t, tt.what, search(t, p.Agent, tt.in), tt.want...)
	}
}
