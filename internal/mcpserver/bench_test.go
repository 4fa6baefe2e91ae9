package mcpserver

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
	"github.com/stemma-memory/stemma/memory"
)

// Making a server is most of what a process does before it answers.
func BenchmarkServer(b *testing.B) {
	for _, size := range []string{Core, Full} {
		b.Run(size, func(b *testing.B) {
			for b.Loop() {
				if _, err := server(Options{Tools: size}, nil); err != nil {
					b.Fatal(err)
				}
				if _, err := listed(size); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

const benchRecords = 100_000

// A said is a store of so many records, and words of its vocabulary.
type said struct {
	*engine.Engine
	word func() string
}

// benchStore makes it once. Few words are common, as in what people say.
var benchStore = sync.OnceValues(func() (*said, error) {
	dir, err := os.MkdirTemp("", "mcp")
	if err != nil {
		return nil, err
	}
	e, err := engine.Open(
		context.Background(), filepath.Join(dir, "memory.db"),
		engine.Config{
			Databases: sqlstore.Databases{}, Origin: memory.OriginOwner, Receipts: filepath.Join(dir, "receipts.jsonl"),
		},
	)
	if err != nil {
		return nil, err
	}
	r := rand.New(rand.NewPCG(1, 1))
	words := make([]string, 30_000)
	for i := range words {
		words[i] = fmt.Sprintf("w%dk", r.IntN(1e6))
	}
	zipf := rand.NewZipf(r, 1.1, 3, uint64(len(words)-1))
	word := func() string { return words[zipf.Uint64()] }
	_, err = e.Ingest(context.Background(), func(yield func(api.Foreign, error) bool) {
		for i := range benchRecords {
			text := ""
			for range 12 {
				text += word() + " "
			}
			if !yield(
				api.Foreign{
					Alias: []string{fmt.Sprint("said:", i)},
					Body:  &memory.Raw{Text: text, Source: "import", Event: "turn"},
				},
				nil,
			) {
				return
			}
		}
	}, nil)
	return &said{e, word}, err
})

// What a call of a tool adds to the engine's own time: the same questions, one after
// the other, to the engine, over a pipe and over HTTP; medians, of differences.
func BenchmarkRecall(b *testing.B) {
	e, err := benchStore()
	if err != nil {
		b.Fatal(err)
	}
	agent, err := e.As(engine.Caller{Session: "bench"})
	if err != nil {
		b.Fatal(err)
	}
	h, err := Handler(
		Options{Caller: func(*http.Request) (Caller, error) { return Caller{ID: "a", Engine: e.Engine}, nil }},
	)
	if err != nil {
		b.Fatal(err)
	}
	s := httptest.NewServer(h)
	defer s.Close()
	again := func(context.Context) (*engine.Engine, error) { return e.As(engine.Caller{}) }
	pipe, web := connect(b, Options{Open: again}), over(b, s, "a")
	asks := []func(query string){
		func(query string) {
			if _, err := agent.Search(b.Context(), api.SearchRequest{Query: query}); err != nil {
				b.Fatal(err)
			}
		},
		func(query string) { call(b, pipe, "search", map[string]any{"query": query}) },
		func(query string) { call(b, web, "search", map[string]any{"query": query}) },
	}
	took := make([][]time.Duration, len(asks))
	n := 0
	for b.Loop() {
		query := e.word() + " " + e.word() + " " + e.word() + " " + e.word()
		for i := range asks {
			which := (i + n) % len(asks) // each is first as often as the others
			began := time.Now()
			asks[which](query)
			took[which] = append(took[which], time.Since(began))
		}
		n++
	}
	added := func(which int) float64 {
		var more []time.Duration
		for i, d := range took[which] {
			more = append(more, d-took[0][i])
		}
		slices.Sort(more)
		return float64(more[len(more)/2].Microseconds())
	}
	b.ReportMetric(added(1), "added-by-pipe-µs")
	b.ReportMetric(added(2), "added-by-http-µs")
	slices.Sort(took[0])
	b.ReportMetric(float64(took[0][len(took[0])/2].Microseconds()), "engine-µs")
}
