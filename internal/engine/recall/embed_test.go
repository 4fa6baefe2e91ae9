package recall_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/model"
	"github.com/stemma-memory/stemma/llm"
	"github.com/stemma-memory/stemma/llm/llmtest"
	"github.com/stemma-memory/stemma/memory"
)

func embed(t testing.TB, e *engine.Engine, limit int) api.EmbedReply {
	t.Helper()
	r, err := e.Embed(t.Context(), api.EmbedRequest{Limit: limit})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A vector that is not what was written is left out by a repair, and embedding makes it again.
func TestEmbedAfterRepair(t *testing.T) {
	p := newPeople(t, func(c *engine.Config) { c.Embedder = llmtest.Hashed(64, 1) })
	for i := range 3 {
		capture(t, p.Agent, fmt.Sprintf("an ordinary line about gardens number %d", i))
	}
	want := embed(t, p.Agent, 0).Made
	db, err := sql.Open("sqlite", p.Path)
	if err == nil {
		_, err = db.Exec("UPDATE vectors SET ord = ord + 64 WHERE ord = (SELECT min(ord) FROM vectors)")
		err = errors.Join(err, db.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	r, err := p.Agent.Doctor(t.Context(), api.DoctorRequest{})
	if err != nil || len(r.Problems) != 1 || r.Problems[0].Fix != "`doctor repair=true`" {
		t.Fatalf("doctor finds %+v, %v, want a vector to repair", r.Problems, err)
	}
	r, err = p.Agent.Doctor(t.Context(), api.DoctorRequest{Repair: true})
	if err != nil || len(r.Problems) != 0 || len(r.Repaired.Left) != 1 {
		t.Fatalf("repair says %+v, %v, want that a vector is gone", r, err)
	}
	if again := embed(t, p.Agent, 0); again.Made != want {
		t.Errorf("embedded again %+v, want %d vectors", again, want)
	}
}

// With vectors a search finds what shares no word with the question, only
// forms of one.
func TestEmbedThenSearchByMeaning(t *testing.T) {
	for name, spec := range stores {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := open(t, spec(t), engine.Config{Embedder: llmtest.Hashed(256, 1)})
			for i := range 80 {
				capture(t, e, fmt.Sprintf("an ordinary line about gardens number %d", i))
			}
			want := capture(t, e, "photosynthetically active radiation was measured")
			const query = "photosynthesis"
			if got := refs(search(t, e, api.SearchRequest{Query: query})); len(got) != 0 {
				t.Fatalf("before any vector found %v, want nothing: the words differ", shortened(got))
			}
			r := embed(t, e, 0)
			if r.Model != "hashed:256:1" || r.Made != 81 || r.Left != 0 || r.Nothing != 0 {
				t.Errorf("embedded %+v, want 81 vectors of hashed:256:1", r)
			}
			found := search(t, e, api.SearchRequest{Query: query, Explain: true})
			if len(found.Results) == 0 || found.Results[0].Ref != want {
				t.Fatalf("found %v, want %s first", shortened(refs(found)), want)
			}
			if found.Embedder != "hashed:256:1" || len(found.Warnings) != 0 {
				t.Errorf("embedder %q, warnings %v, want hashed:256:1 and none", found.Embedder, found.Warnings)
			}
			if why := found.Results[0].Why; why.Cosine <= 0.1 || why.Own != 0 || len(why.Terms) != 0 {
				t.Errorf("why %+v, want a cosine and no words", why)
			}
			if again := embed(t, e, 0); again.Made != 0 || again.LookedAt != 0 {
				t.Errorf("embedded again: %+v, want nothing to do", again)
			}
			later := capture(t, e, "photosynthesizing algae")
			if r := embed(t, e, 0); r.Made != 1 {
				t.Errorf("after one more: %+v, want one vector", r)
			}
			if got := refs(search(t, e, api.SearchRequest{Query: query})); !slices.Contains(got, later) {
				t.Errorf("found %v, want %s too", shortened(got), later)
			}
		})
	}
}

// A long text is as near as the nearest of its passages, in each place once; and a purge takes the vectors of all.
func TestALongTextIsFoundByEachOfItsPassages(t *testing.T) {
	for name, spec := range stores {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := open(t, spec(t), engine.Config{Embedder: llmtest.Hashed(256, 1)})
			for i := range 80 {
				capture(t, e, fmt.Sprintf("an ordinary line about gardens number %d", i))
			}
			long := capture(t, e, strings.Repeat("a quiet day in the office. ", 30)+"\n\n"+
				strings.Repeat("we had soup for lunch. ", 35)+"\n\n"+
				strings.Repeat("photosynthetically active radiation was measured. ", 5))
			short := capture(t, e, "photosynthesizing algae")
			if r := embed(t, e, 0); r.Made != 82 || r.Left != 0 {
				t.Errorf("embedded %+v, want 82 records", r)
			}
			const query = "photosynthesis"
			found := search(t, e, api.SearchRequest{Query: query, Explain: true})
			if got := refs(found); len(got) < 2 || !slices.Contains(got[:2], long) || !slices.Contains(got[:2], short) {
				t.Fatalf("found %v, want %s and %s first", shortened(got), long, short)
			}
			for _, r := range found.Results[:2] {
				if r.Why.Cosine < 0.15 {
					t.Errorf("%s has the cosine %f, want that of its nearest passage", r.Ref, r.Why.Cosine)
				}
			}
			in := api.RecallRequest{Query: query, Budget: 700}
			if r, err := e.Recall(t.Context(), in); err != nil || !slices.ContainsFunc(r.Results, func(r api.Recalled) bool {
				return r.Ref == long && r.Cut && strings.Contains(r.Text, "photosynthetically active")
			}) {
				t.Errorf("recall gives %+v, %v, want the passage that is near", r.Results, err)
			}
			pack, err := e.Context(t.Context(), api.ContextRequest{Query: query, Budget: 250})
			if err != nil || !strings.Contains(string(pack.Body), "photosynthetically active") {
				t.Errorf("context gives %s, %v, want the passage that is near", pack.Body, err)
			}
			if found := search(t, e, api.SearchRequest{Query: "lunches of soups"}); !slices.Contains(refs(found), long) {
				t.Errorf("found %v, want %s for its second passage", shortened(refs(found)), long)
			}
			owner, err := e.As(engine.Caller{Origin: memory.OriginOwner})
			if err == nil {
				_, err = owner.Purge(t.Context(), api.PurgeRequest{Refs: []string{long}})
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := refs(search(t, e, api.SearchRequest{Query: query, All: true})); slices.Contains(got, long) {
				t.Errorf("found %v after the purge", shortened(got))
			}
			if r, err := e.Doctor(t.Context(), api.DoctorRequest{}); err != nil || len(r.Problems) > 0 {
				t.Errorf("doctor finds %+v, %v", r.Problems, err)
			}
		})
	}
}

// The vectors of the model before answer until those of another are there.
func TestTheVectorsOfTheModelBeforeAnswerUntilTheNewAreThere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	before := &within{llmtest.Hashed(256, 1)}
	e := open(t, path, engine.Config{Embedder: before})
	for i := range 20 {
		capture(t, e, fmt.Sprintf("an ordinary line about gardens number %d", i))
	}
	want := capture(t, e, "photosynthetically active radiation was measured")
	embed(t, e, 0)
	e.Close()
	other := llmtest.Hashed(128, 2)
	e = open(t, path, engine.Config{Embedder: other, Before: before})
	for _, one := range []struct{ model, begun string }{
		{before.Model(), "nothing"}, {before.Model(), "some"}, {other.Model(), "all"},
	} {
		switch one.begun {
		case "some":
			embed(t, e, 5)
		case "all":
			embed(t, e, -1)
		}
		r := search(t, e, api.SearchRequest{Query: "photosynthesis"})
		if got := refs(r); r.Embedder != one.model || len(got) == 0 || got[0] != want || len(r.Warnings) > 0 {
			t.Errorf("where %s was embedded: found %v by %q, %v, want %s by %q",
				one.begun, shortened(got), r.Embedder, r.Warnings, want, one.model)
		}
	}
	e.Close()
	e = open(t, path, engine.Config{Embedder: llmtest.Hashed(64, 3), Before: &within{llmtest.Hashed(64, 4)}})
	if r := search(t, e, api.SearchRequest{Query: "photosynthesis"}); r.Embedder != "hashed:64:3" {
		t.Errorf("where neither has a vector, found by %q", r.Embedder)
	}
}

// within is an embedder that works in this process.
type within struct{ llm.Embedder }

func (*within) Unrelated() float64 { return 0 }

// What has no vector is counted without the decisions among it.
func TestDecisionsAreNotCountedAsWithoutAVector(t *testing.T) {
	p := newPeople(t, func(c *engine.Config) { c.Embedder = llmtest.Hashed(64, 1) })
	without := func(want int, when string) {
		t.Helper()
		if r, err := p.Owner.Status(t.Context(), api.Nothing{}); err != nil || r.WithoutVector != want {
			t.Errorf("%s: %d without a vector, %v, want %d", when, r.WithoutVector, err, want)
		}
	}
	ref := add(t, p.Agent, "note", "the gardens are open on Sundays")
	without(1, "one note")
	embed(t, p.Agent, 0)
	without(0, "embedded")
	approve(t, p.Owner, ref)
	without(0, "approved")
	capture(t, p.Agent, "and the roses bloom")
	without(1, "one capture more")
}

// What is there three hundred times takes no place from what says it otherwise.
func TestCopiesHideNothingOfMeaning(t *testing.T) {
	for name, spec := range stores {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := open(t, spec(t), engine.Config{Embedder: llmtest.Hashed(256, 1)})
			for i := range 20 {
				capture(t, e, fmt.Sprintf("an ordinary line about gardens number %d", i))
			}
			for i := range 300 {
				in := api.CaptureRequest{Text: "photosynthesizing algae", Meta: api.Meta{Session: fmt.Sprint("s", i)}}
				if _, err := e.Capture(t.Context(), in); err != nil {
					t.Fatal(err)
				}
			}
			other := capture(t, e, "photosynthetically active radiation was measured")
			embed(t, e, 0)
			r := search(t, e, api.SearchRequest{Query: "photosynthesis", Limit: 20})
			if got := refs(r); !slices.Contains(got, other) {
				t.Errorf("found %v, want %s beside the copies", shortened(got), other)
			}
		})
	}
}

// What is hidden is not found by its vector either; filters hold for both ways.
func TestVectorsObeyFilters(t *testing.T) {
	p := newPeople(t, func(c *engine.Config) { c.Embedder = llmtest.Hashed(256, 1) })
	raw := capture(t, p.Agent, "photosynthetically active")
	gone := add(t, p.Agent, "belief", "photosynthetic bacteria")
	belief := add(t, p.Agent, "belief", "photosynthesizing algae")
	embed(t, p.Agent, 0)
	reject(t, p.Owner, "", gone)
	wantRefs(t, "all kinds", search(t, p.Agent, api.SearchRequest{Query: "photosynthesis"}), raw, belief)
	wantRefs(t, "beliefs", search(t, p.Agent, api.SearchRequest{Query: "photosynthesis", Kind: "belief"}), belief)
	wantRefs(
		t, "hidden too",
		search(t, p.Agent, api.SearchRequest{Query: "photosynthesis", Kind: "belief", All: true}), belief, gone,
	)
}

// counting counts what it is asked to embed, and can be cut off.
type counting struct {
	llm.Embedder
	name   string
	cancel func()
	after  int64 // texts, after which cancel is called; 0 is never
	texts  atomic.Int64
	sync.Mutex
	times map[string]int
}

func newCounting(name string) *counting {
	return &counting{Embedder: llmtest.Hashed(64, 3), name: name, times: make(map[string]int)}
}

func (c *counting) Model() string { return c.name }

func (c *counting) Embed(ctx context.Context, p llm.Purpose, texts ...string) ([][]float32, error) {
	if n := c.texts.Add(int64(len(texts))); c.after > 0 && n > c.after {
		c.cancel()
		<-ctx.Done()
		return nil, ctx.Err()
	}
	if p == llm.Document {
		c.Lock()
		for _, text := range texts {
			c.times[text]++
		}
		c.Unlock()
	}
	return c.Embedder.Embed(ctx, p, texts...)
}

// Embedding can be cut off anywhere and goes on where it stood: in the end every
// memory has its vector, and none was stored twice. A model of another name
// begins again.
func TestEmbedGoesOnWhereItStopped(t *testing.T) {
	const n = 700
	for _, name := range []string{"mem", "sqlite"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newCounting("first")
			e := open(t, stores[name](t), engine.Config{Embedder: c})
			if _, err := e.Ingest(t.Context(), foreigners(n), nil); err != nil {
				t.Fatal(err)
			}
			made := 0
			for _, after := range []int64{10, 300, 290, 0} {
				ctx, cancel := context.WithCancel(t.Context())
				c.cancel, c.after = cancel, after
				c.texts.Store(0)
				r, err := e.Embed(ctx, api.EmbedRequest{})
				cancel()
				if (err != nil) != (after > 0) || err != nil && !errors.Is(err, context.Canceled) {
					t.Fatalf("cut off after %d texts: %v", after, err)
				}
				made += r.Made
			}
			if made != n {
				t.Errorf("made %d vectors in all, want %d", made, n)
			}
			if len(c.times) != n {
				t.Errorf("%d texts were embedded, want %d", len(c.times), n)
			}
			again := 0
			for _, times := range c.times {
				again += times - 1
			}
			if again >= 3*256 { // the most of a batch
				t.Errorf("%d texts were embedded in vain, want less than a page for each of three stops", again)
			}
			if r := embed(t, e, 0); r.LookedAt != 0 {
				t.Errorf("after the end: %+v, want nothing to do", r)
			}

			second := newCounting("second")
			other := open(t, stores[name](t), engine.Config{Embedder: second})
			if _, err := other.Ingest(t.Context(), foreigners(n), nil); err != nil {
				t.Fatal(err)
			}
			limited := 0
			for range 10 {
				r := embed(t, other, 100)
				if limited += r.LookedAt; r.LookedAt > 100 || r.Made > r.LookedAt {
					t.Errorf("with a limit of 100: %+v", r)
				}
				if r.Left == 0 {
					break
				}
			}
			if limited != n+2 { // with the two records of the keys
				t.Errorf("looked at %d records in parts, want %d", limited, n+2)
			}
			for text, times := range second.times {
				if times != 1 {
					t.Errorf("%q was embedded %d times", text, times)
				}
			}
			if len(second.times) != n {
				t.Errorf("%d texts were embedded, want %d", len(second.times), n)
			}
		})
	}
}

// Vectors of another model do not count: it begins again, and a question asks
// those of its own.
func TestAnotherModelStartsFromZero(t *testing.T) {
	p := newPeople(t)
	as := func(em llm.Embedder) *engine.Engine {
		return p.As("agent", func(c *engine.Config) { c.Embedder = em })
	}
	want := capture(t, p.Agent, "photosynthetically active")
	first := as(llmtest.Hashed(64, 1))
	if r := embed(t, first, 0); r.Made != 1 {
		t.Fatalf("first model: %+v", r)
	}
	const query = "photosynthesis"
	second := as(llmtest.Hashed(128, 1))
	if got := refs(search(t, second, api.SearchRequest{Query: query})); len(got) != 0 {
		t.Errorf("found %v by the vectors of another model", shortened(got))
	}
	if r := embed(t, second, 0); r.Made != 1 || r.Model != "hashed:128:1" {
		t.Errorf("second model: %+v, want one vector", r)
	}
	for _, e := range []*engine.Engine{first, second} {
		wantRefs(t, "by its own model", search(t, e, api.SearchRequest{Query: query}), want)
	}
}

// A strange embedder answers as fn does.
type strange func(ctx context.Context, p llm.Purpose, texts []string) ([][]float32, error)

func (strange) Model() string { return "strange" }

func (s strange) Embed(ctx context.Context, p llm.Purpose, texts ...string) ([][]float32, error) {
	return s(ctx, p, texts)
}

// An embedder that is down, slow or mad costs one warning: what is found is what
// words alone find.
func TestSearchWithoutItsEmbedder(t *testing.T) {
	const dims = 64
	sound := llmtest.Hashed(dims, 3)
	each := func(v []float32) strange {
		return func(_ context.Context, _ llm.Purpose, texts []string) ([][]float32, error) {
			out := make([][]float32, len(texts))
			for i := range out {
				out[i] = v
			}
			return out, nil
		}
	}
	nan := make([]float32, dims)
	nan[7] = float32(math.NaN())
	for what, em := range map[string]llm.Embedder{
		"down": strange(func(context.Context, llm.Purpose, []string) ([][]float32, error) {
			return nil, fmt.Errorf("dial tcp: connection refused: %w", llm.ErrUnavailable)
		}),
		"refusing": strange(func(context.Context, llm.Purpose, []string) ([][]float32, error) {
			return nil, fmt.Errorf("401: wrong key\nsee the manual: %w", llm.ErrRefused)
		}),
		"slow": model.Limits{QueryTimeout: 20 * time.Millisecond}.Checked(strange(func(
			ctx context.Context, _ llm.Purpose, _ []string,
		) ([][]float32, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		})),
		"of no direction": each(make([]float32, dims)),
		"of no numbers":   each(nan),
		"of no vectors": strange(
			func(context.Context, llm.Purpose, []string) ([][]float32, error) { return nil, nil },
		),
		"of another dimension": model.Limits{Dims: dims}.Checked(each([]float32{1, 2, 3})),
		"of too many": strange(func(ctx context.Context, p llm.Purpose, texts []string) ([][]float32, error) {
			return sound.Embed(ctx, p, append(texts, "more")...)
		}),
		"panicking": strange(func(context.Context, llm.Purpose, []string) ([][]float32, error) { panic("no model") }),
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			p := newPeople(t)
			for i := range 30 {
				capture(t, p.Agent, fmt.Sprintf("a line about harbours and gardens number %d", i))
			}
			add(t, p.Agent, "belief", "the harbour is closed")
			p.Stop()
			mad := p.As("agent", func(c *engine.Config) { c.Embedder = em })
			in := api.SearchRequest{Query: "which harbour is closed", Explain: true}
			want, got := search(t, p.Agent, in), search(t, mad, in)
			if !slices.EqualFunc(got.Results, want.Results, func(a, b api.Result) bool {
				return a.Ref == b.Ref && a.Score == b.Score && a.Factors == b.Factors
			}) {
				t.Errorf("found %v, want %v as without an embedder", shortened(refs(got)), shortened(refs(want)))
			}
			if len(got.Warnings) != 1 || !strings.Contains(got.Warnings[0], "words alone") ||
				strings.Contains(got.Warnings[0], "\n") {
				t.Errorf("warnings %q, want one line that says words alone were searched", got.Warnings)
			}
			if got.Embedder != "" {
				t.Errorf("embedder %q, want none", got.Embedder)
			}
			pack, err := mad.Context(t.Context(), api.ContextRequest{Query: in.Query})
			if err != nil || len(pack.Warnings) != 1 {
				t.Errorf("context: %v, warnings %q, want one", err, pack.Warnings)
			}
			if what == "slow" {
				return // embedding waits longer than a question
			}
			_, err = mad.Embed(t.Context(), api.EmbedRequest{})
			if !errors.Is(err, api.ErrUnavailable) || strings.Contains(err.Error(), "\n") {
				t.Errorf("embed: %v, want it unavailable", err)
			}
			if r := embed(t, p.As("agent", func(c *engine.Config) { c.Embedder = sound }), 0); r.Made != 31 {
				t.Errorf("a sound one after it made %d vectors, want 31", r.Made)
			}
		})
	}
}

// A question in which the model finds nothing is no failure.
func TestQuestionWithoutAVector(t *testing.T) {
	e := open(t, "mem", engine.Config{Embedder: llmtest.Hashed(64, 1)})
	capture(t, e, "words")
	embed(t, e, 0)
	for _, query := range []string{"", "  ", "?!"} {
		if r := search(t, e, api.SearchRequest{Query: query}); len(r.Warnings) != 0 || len(r.Results) != 0 {
			t.Errorf("search %q: %d results, warnings %v, want none", query, len(r.Results), r.Warnings)
		}
	}
}

// Without an embedder, embedding says what to do.
func TestEmbedWithoutAnEmbedder(t *testing.T) {
	e := open(t, "mem", engine.Config{})
	if _, err := e.Embed(t.Context(), api.EmbedRequest{}); !isInvalid(err) {
		t.Errorf("embed: %v, want it invalid", err)
	}
	e = open(t, "mem", engine.Config{Embedder: llmtest.Hashed(8, 1)})
	if _, err := e.Embed(t.Context(), api.EmbedRequest{Limit: -2}); !isInvalid(err) {
		t.Errorf("embed -2: %v, want it invalid", err)
	}
}

// Progress says how many of how many records were looked at, keys too, and ends with all; one that goes on begins
// with the rest.
func TestEmbedTellsItsProgress(t *testing.T) {
	e := open(t, "mem", engine.Config{Embedder: llmtest.Hashed(64, 1)})
	for i := range 300 {
		capture(t, e, fmt.Sprint("line ", i))
	}
	for _, tt := range []struct{ limit, of int }{{100, 100}, {0, 202}} {
		var done, of, calls int
		in := api.EmbedRequest{Limit: tt.limit, Progress: func(d, o int) { done, of, calls = d, o, calls+1 }}
		if _, err := e.Embed(t.Context(), in); err != nil || done != tt.of || of != tt.of || calls < 2 {
			t.Errorf("limit %d: %d of %d in %d steps, %v; want %d", tt.limit, done, of, calls, err, tt.of)
		}
	}
}
