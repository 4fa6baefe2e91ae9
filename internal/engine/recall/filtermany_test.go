//go:build !race

package recall_test

import (
	"fmt"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

// A filter that three of 5,000 pass finds all three.
func TestFiltersFindTheFew(t *testing.T) {
	onEach(t, func(t *testing.T, e *engine.Engine) {
		if _, err := e.Ingest(t.Context(), crowd, nil); err != nil {
			t.Fatal(err)
		}
		var raws, notes []string
		for i := range 3 {
			held, err := e.Held(t.Context(), fmt.Sprint("crowd:", i), fmt.Sprint("note:", i))
			if err != nil || len(held) != 2 {
				t.Fatalf("%v, %v", held, err)
			}
			raws, notes = append(
				raws, held[fmt.Sprint("crowd:", i)].String(),
			), append(notes, held[fmt.Sprint("note:", i)].String())
		}
		for _, tt := range []struct {
			what string
			in   api.SearchRequest
			want []string
		}{
			{"tag", api.SearchRequest{Tag: "rare"}, raws},
			{"session", api.SearchRequest{Session: "rare"}, raws},
			{"until", api.SearchRequest{Until: "2025-01-01"}, raws},
			{"since and until", api.SearchRequest{Since: "2024-01-01", Until: "2024-01-04", Kind: "raw"}, raws},
			{"valid at", api.SearchRequest{ValidAt: "2024-01-01"}, raws},
			{"type", api.SearchRequest{Type: "known_fix"}, notes},
			{"tier", api.SearchRequest{Tier: "inferred"}, notes},
			{"kind", api.SearchRequest{Kind: "note"}, notes},
			{"kinds", api.SearchRequest{Kind: "belief, note ,goal"}, notes},
			{"kinds and a tag", api.SearchRequest{Kind: "raw,note", Tag: "rare"}, raws},
			{"nobody's tag", api.SearchRequest{Tag: "rarer"}, nil},
		} {
			tt.in.Query = "harbour"
			wantRefs(t, tt.what, search(t, e, tt.in), tt.want...)
		}
	})
}
