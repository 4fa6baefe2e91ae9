package engine_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/engine/mind"
)

// BenchmarkPicture measures the picture of a tree of some 4,000 records: a conclusion over 40 others, each over 50
// episodes of a capture.
func BenchmarkPicture(b *testing.B) {
	e := open(b, filepath.Join(b.TempDir(), "memory.db"), engine.Config{})
	var beliefs []string
	for i := range 40 {
		var episodes []string
		for j := range 50 {
			raw := capture(b, e, fmt.Sprint("words ", i, " ", j))
			episodes = append(episodes, promote(b, e, fmt.Sprint("episode ", i, " ", j), raw))
		}
		beliefs = append(beliefs, consolidate(b, e, fmt.Sprint("forty times ", i), episodes...))
	}
	root := consolidate(b, e, "all", beliefs...)
	in := mind.PictureRequest{Roots: []mind.PictureRoot{{Ref: root, Back: -1}}, Limit: 5000}
	for b.Loop() {
		r, err := e.Picture(b.Context(), in)
		if err != nil || len(r.Nodes) < 4000 {
			b.Fatal(len(r.Nodes), err)
		}
	}
}
