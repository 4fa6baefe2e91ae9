package standing_test

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/engine/enginetest"
	"github.com/stemma-memory/stemma/memory"
)

const equalWords = "The harbour closes at nine in the evening"

// equalWays are how a store comes to have many records of one sentence.
var equalWays = map[string]func(b testing.TB, e *engine.Engine) error{
	"added as notes": func(b testing.TB, e *engine.Engine) error {
		_, err := e.Add(b.Context(), api.AddRequest{Draft: api.Draft{Kind: "note", Type: "decision", Text: equalWords}})
		return err
	},
	"captured": func(b testing.TB, e *engine.Engine) error {
		_, err := e.Capture(b.Context(), api.CaptureRequest{Text: equalWords})
		return err
	},
	"remembered": func(b testing.TB, e *engine.Engine) error {
		_, err := e.Remember(b.Context(), api.RememberRequest{Text: equalWords})
		return err
	},
	"made of words": func(b testing.TB, e *engine.Engine) error {
		raw, err := e.Capture(b.Context(), api.CaptureRequest{Text: equalWords})
		if err == nil {
			_, err = e.Promote(b.Context(), api.PromoteRequest{
				From: []string{raw.Ref}, Draft: api.Draft{Kind: "belief", Text: equalWords},
			})
		}
		return err
	},
}

// equalStore is a store with n records of one sentence, by several agents.
func equalStore(b testing.TB, n int, add func(testing.TB, *engine.Engine) error) *engine.Engine {
	b.Helper()
	const agents = 4
	dir := b.TempDir()
	var all [agents]*engine.Engine
	for i := range all {
		e, err := engine.Open(b.Context(), filepath.Join(dir, "memory.db"), engine.Config{
			Databases: enginetest.Databases,
			Data:      dir, KeyDir: filepath.Join(dir, "keys"), Origin: memory.OriginAgent,
			Agent: "agent " + strconv.Itoa(i), Session: "session " + strconv.Itoa(i),
		})
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { e.Close() })
		all[i] = e
	}
	for i := range n {
		if err := add(b, all[i*agents/n]); err != nil {
			b.Fatal(err)
		}
	}
	return all[0]
}

// However many records say one sentence, an answer has it once, with its words beside it only where nothing was made of
// them.
func TestEqualMemoriesAreOneLine(t *testing.T) {
	t.Parallel()
	for way, add := range equalWays {
		t.Run(way, func(t *testing.T) {
			e := equalStore(t, 60, add)
			r, err := e.Search(t.Context(), api.SearchRequest{Query: "when does the harbour close", Limit: 10})
			if err != nil {
				t.Fatal(err)
			}
			want := 1
			if way == "captured" {
				want = 10 // words of which nothing was made are found as they are
			}
			if len(r.Results) != want {
				t.Errorf("%d results, want %d", len(r.Results), want)
			}
		})
	}
}

// BenchmarkEqualMemories searches among n records of one sentence and among four times as many, by turns, and gives how
// many times as long the second takes.
func BenchmarkEqualMemories(b *testing.B) {
	n := 350
	if os.Getenv("STEMMA_LONG") != "" {
		n = 1400
	}
	for way, add := range equalWays {
		b.Run(way, func(b *testing.B) {
			few := equalStore(b, n, add)
			many := equalStore(b, 4*n, add)
			best := map[*engine.Engine]time.Duration{}
			for b.Loop() {
				for _, e := range []*engine.Engine{few, many} {
					start := time.Now()
					_, err := e.Search(b.Context(), api.SearchRequest{Query: "when does the harbour close", Limit: 10})
					if err != nil {
						b.Fatal(err)
					}
					if took := time.Since(start); best[e] == 0 || took < best[e] {
						best[e] = took
					}
				}
			}
			b.ReportMetric(float64(best[many])/float64(best[few]), "x-for-4x")
			b.ReportMetric(float64(best[many].Microseconds())/1000, "ms-of-all")
		})
	}
}
