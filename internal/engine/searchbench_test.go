package engine_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/llm"
	"github.com/stemma-memory/stemma/llm/llmtest"
	"github.com/stemma-memory/stemma/memory"
)

// The store that searches are measured on: short texts of a vocabulary in which
// few words are common, in sessions, of which some was made that names code.
const (
	benchRecords    = 100_000
	benchVocabulary = 30_000
	benchSession    = 30
	benchOneIn      = 50 // so many records, one is a belief or a note
	benchCoded      = 200
	benchDims       = 384
	benchQuestions  = 1000
)

// A talker says words as often as people do: the n-th most common about 1/n as
// often as the first.
type talker struct {
	*rand.Rand
	zipf *rand.Zipf
}

func newTalker(seed uint64) talker {
	r := rand.New(rand.NewPCG(seed, 100_000))
	return talker{Rand: r, zipf: rand.NewZipf(r, 1.1, 3, benchVocabulary-1)}
}

// word returns the n-th word: syllables, so that it looks like one.
func word(n uint64) string {
	const consonants, vowels = "bdfgklmnprstvz", "aeiou"
	var b strings.Builder
	for n += 7; n > 0; n /= uint64(len(consonants) * len(vowels)) {
		b.WriteByte(consonants[n%uint64(len(consonants))])
		b.WriteByte(vowels[n/uint64(len(consonants))%uint64(len(vowels))])
	}
	return b.String() + "k"
}

func (t talker) say(least, most int) string {
	out := make([]string, least+t.IntN(most-least+1))
	for i := range out {
		out[i] = word(t.zipf.Uint64())
	}
	return strings.Join(out, " ")
}

// benchmarkStore makes the store once for a process.
var benchmarkStore = sync.OnceValues(func() (*house, error) {
	dir, err := os.MkdirTemp("", "search")
	if err != nil {
		return nil, err
	}
	afterAll = append(afterAll, func() { os.RemoveAll(dir) })
	return &house{dir: dir}, nil
})

// afterAll is called when all tests have ended.
var afterAll []func()

// A house is a store with all that belongs to it.
type house struct {
	dir   string
	built bool
}

func (h *house) path() string { return filepath.Join(h.dir, "memory.db") }

func (h *house) open(b *testing.B, em llm.Embedder) *engine.Engine {
	return open(b, h.path(), engine.Config{
		KeyDir: filepath.Join(h.dir, "keys"), Dir: filepath.Join(h.dir, "code"), Cache: filepath.Join(h.dir, "cache"),
		Embedder: em, Now: time.Now, Origin: memory.OriginOwner,
	})
}

// bench returns the store, and makes it first where that has not been done.
func bench(b *testing.B) *house {
	b.Helper()
	h, err := benchmarkStore()
	if err != nil {
		b.Fatal(err)
	}
	if h.built {
		return h
	}
	h.built = true
	r := &repo{T: b, Dir: filepath.Join(h.dir, "code")}
	for i := range 20 {
		r.Write(
			fmt.Sprintf("part%d.go", i),
			fmt.Sprintf("package part\n\n// Part%d is one.\nfunc Part%d() int {\n\treturn %d\n}\n", i, i, i),
		)
	}
	r.Git("init", "-q", "-b", "main")
	r.Commit("parts")
	e := h.open(b, llmtest.Hashed(benchDims, 1))
	if _, err := e.Ingest(b.Context(), conversation(benchRecords-benchCoded), nil); err != nil {
		b.Fatal(err)
	}
	t := newTalker(2)
	for i := range benchCoded {
		in := api.AddRequest{
			Draft: api.Draft{Kind: "note", Type: []string{"decision", "constraint"}[i%10/9], Text: t.say(6, 20)},
			Meta:  api.Meta{Approve: i%2 == 0, Files: []string{fmt.Sprintf("part%d.go#Part%d", i%20, i%20)}},
		}
		ref := write(b, e, in)
		if i%4 == 0 {
			verify(b, e, ref)
		}
	}
	if _, err := e.Embed(b.Context(), api.EmbedRequest{}); err != nil {
		b.Fatal(err)
	}
	if err := e.Close(); err != nil {
		b.Fatal(err)
	}
	return h
}

// conversation returns n records.
func conversation(n int) func(func(api.Foreign, error) bool) {
	return func(yield func(api.Foreign, error) bool) { converse(n, yield) }
}

func converse(n int, yield func(api.Foreign, error) bool) {
	t := newTalker(1)
	start := time.Now().AddDate(-2, 0, 0)
	for i := range n {
		f := api.Foreign{
			Alias: []string{fmt.Sprint("said:", i)},
			Meta:  api.Meta{Session: fmt.Sprint("session ", i/benchSession)},
		}
		text := t.say(5, 30)
		switch {
		case i%benchOneIn == benchOneIn-1 && i/benchOneIn%2 == 0:
			f.Body = &memory.Belief{Statement: text, Type: "fact"}
		case i%benchOneIn == benchOneIn-1:
			f.Body = &memory.Note{Type: "insight", Summary: text}
		default:
			f.Body = &memory.Raw{Text: text, Source: "import", Event: "turn", Speaker: word(uint64(t.IntN(40))),
				OccurredAt: memory.At(start.Add(time.Duration(i) * 10 * time.Minute))}
		}
		if memory.KindOf(f.Body) != memory.KindRaw {
			for range 1 + t.IntN(3) {
				j := i - 1 - t.IntN(benchSession)
				f.From = append(f.From, fmt.Sprint("said:", j-j%benchOneIn+j%(benchOneIn-1)))
			}
			f.Via = memory.ViaConsolidate
			slices.Sort(f.From)
			f.From = slices.Compact(f.From)
		}
		if !yield(f, nil) {
			return
		}
	}
}

// questions are of three to eight words, as common as those of the texts.
func questions() []string {
	t := newTalker(3)
	out := make([]string, benchQuestions)
	for i := range out {
		out[i] = t.say(3, 8)
	}
	return out
}

// measure asks questions one after another and reports how long they took.
func measure(b *testing.B, ask func(question string) error) {
	b.Helper()
	qs := questions()
	for _, q := range qs[:20] { // what is read once is read
		if err := ask(q); err != nil {
			b.Fatal(err)
		}
	}
	var took []time.Duration
	for b.Loop() {
		t0 := time.Now()
		if err := ask(qs[len(took)%len(qs)]); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(t0))
	}
	slices.Sort(took)
	const percent = 100
	b.ReportMetric(micros(took[len(took)/2])/1000, "p50_ms")
	b.ReportMetric(micros(took[len(took)*99/percent])/1000, "p99_ms")
}

// BenchmarkSearch measures a search of 100,000 records by their words, and by
// words and vectors.
func BenchmarkSearch(b *testing.B) {
	for _, tt := range []struct {
		name string
		em   llm.Embedder
	}{{"words", nil}, {"hybrid", llmtest.Hashed(benchDims, 1)}} {
		b.Run(tt.name, func(b *testing.B) {
			e := bench(b).open(b, tt.em)
			measure(b, func(q string) error {
				r, err := e.Search(b.Context(), api.SearchRequest{Query: q})
				if err == nil && (len(r.Results) == 0 || (r.Embedder != "") != (tt.em != nil)) {
					err = fmt.Errorf("%d results by %q: %v", len(r.Results), r.Embedder, r.Warnings)
				}
				return err
			})
		})
	}
}

// BenchmarkContext measures a pack of 2,000 tokens from the same records.
func BenchmarkContext(b *testing.B) {
	e := bench(b).open(b, nil)
	measure(b, func(q string) error {
		r, err := e.Context(b.Context(), api.ContextRequest{Query: q, Budget: 2000})
		if err != nil {
			return err
		}
		_, err = r.Render("text", false)
		return err
	})
}
