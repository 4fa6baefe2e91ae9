package eval

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/llm"
	"github.com/stemma-memory/stemma/llm/llmtest"
)

// opened returns what opens an empty store in memory.
func opened(t testing.TB, c engine.Config) func(context.Context, func() time.Time) (*engine.Engine, error) {
	return func(ctx context.Context, clock func() time.Time) (*engine.Engine, error) {
		c.KeyDir, c.Now = filepath.Join(t.TempDir(), "keys"), clock
		return engine.Open(ctx, "mem", c)
	}
}

func run(t testing.TB, all []Conversation, o Options) Report {
	t.Helper()
	r, err := Run(t.Context(), all, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRun(t *testing.T) {
	var now time.Time
	var asked []int
	held := 0
	r := run(t, read(t, "testdata/pond.json"), Options{
		Ready: func(ctx context.Context, e *engine.Engine) error {
			l, err := e.List(ctx, api.ListRequest{Kind: "raw"})
			held += len(l.Memories)
			return err
		},
		Open: opened(t, engine.Config{}), Store: "memory", Progress: func(n int) { asked = append(asked, n) },
		Now: func() time.Time { now = now.Add(3 * time.Millisecond); return now },
	})
	if want := (Settings{"memory", "none", "2026-01-01", false, 20, 1.2, 0.75}); r.Settings != want {
		t.Errorf("settings %+v, want %+v", r.Settings, want)
	}
	if r.Turns != 8 || r.Questions != 5 || len(r.Search.Kinds) != 5 || len(asked) != 5 || asked[4] != 5 {
		t.Errorf("%d turns, %d questions, %d kinds, progress %v", r.Turns, r.Questions, len(r.Search.Kinds), asked)
	}
	if held != 8 {
		t.Errorf("ready saw %d turns, want all 8", held)
	}
	if f := r.Search.All; f.Median != 3 || f.P95 != 3 || r.Plain.All.Median != 0 {
		t.Errorf("a search took %v and %v ms, want 3: and plain is not timed, got %v", f.Median, f.P95, r.Plain.All.Median)
	}
	if len(r.Conversations) != 1 || r.Conversations[0].Records != 8 || r.Conversations[0].Search.All != r.Search.All {
		t.Errorf("conversations: %+v", r.Conversations)
	}
	// "About a metre and a half." shares no word with "How deep is the pond?":
	// what stands beside it does.
	deep, plain := r.Search.Kinds[3], r.Plain.Kinds[3]
	if deep.Of != "single-hop" || deep.Recall5 != 1 || plain.Recall20 != 0 || plain.MRR != 0 {
		t.Errorf("single-hop: %+v, want it found among 5; plainly %+v, want it not found", deep, plain)
	}
}

// Figures are means over questions, whichever file they come from.
func TestRunPoolsConversations(t *testing.T) {
	once := read(t, "testdata/pond.json")
	few := once[0]
	few.Name, few.Questions = "few", few.Questions[:1]
	o := Options{Open: opened(t, engine.Config{})}
	one, both := run(t, once, o), run(t, append(once, few), o)
	if both.Questions != 6 || both.Turns != 16 || len(both.Conversations) != 2 {
		t.Fatalf("%d questions, %d turns, %d conversations", both.Questions, both.Turns, len(both.Conversations))
	}
	want := (5*one.Plain.All.Recall5 + 0) / 6
	if got := both.Plain.All.Recall5; got < want-1e-4 || got > want+1e-4 {
		t.Errorf("recall at 5 is %v, want %v", got, want)
	}
}

// Notes are imported only if they are asked for, and only turns are results.
func TestRunWithObservations(t *testing.T) {
	r := run(t, read(t, "testdata/pond.json"), Options{Open: opened(t, engine.Config{}), Observations: true})
	if c := r.Conversations[0]; c.Records != 10 || c.Turns != 8 || !r.Settings.Observations {
		t.Errorf("%d records of %d turns, settings %+v, want 10 of 8", c.Records, c.Turns, r.Settings)
	}
	// the note about the pond is the best answer; of the results its turn is the first
	if f := r.Search.Kinds[3]; f.Hit1 != 1 {
		t.Errorf("single-hop: %+v, want its turn first", f)
	}
}

// What is read later is later, and nothing is of another day.
func TestClock(t *testing.T) {
	now := clock()
	first, second := now(), now()
	if !second.After(first) || second.Sub(askedAt) > time.Second {
		t.Errorf("the clock reads %v, then %v", first, second)
	}
}

func TestRunIsTheSameTwice(t *testing.T) {
	all := read(t, "testdata/pond.json")
	still := time.Unix(0, 0)
	o := Options{Open: opened(t, engine.Config{}), Now: func() time.Time { return still }}
	first := run(t, all, o)
	for range 5 {
		if again := run(t, all, o); again.Search.All != first.Search.All {
			t.Fatalf("%+v, before %+v", again.Search.All, first.Search.All)
		}
	}
}

func TestRunRefuses(t *testing.T) {
	pond := read(t, "testdata/pond.json")
	shared, err := opened(t, engine.Config{})(t.Context(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	again := func(context.Context, func() time.Time) (*engine.Engine, error) { return shared, nil }
	broken := errors.New("no room")
	for _, tt := range []struct {
		name string
		all  []Conversation
		open func(context.Context, func() time.Time) (*engine.Engine, error)
		want string
	}{
		{"nothing", nil, opened(t, engine.Config{}), "there are no conversations"},
		{
			"no questions", []Conversation{{Name: "pond", Records: pond[0].Records}}, opened(t, engine.Config{}),
			"there are no questions",
		},
		{
			"no store", pond,
			func(context.Context, func() time.Time) (*engine.Engine, error) { return nil, broken },
			"eval pond: no room",
		},
		{"not ready", pond, opened(t, engine.Config{}), "eval pond: no room"},
		{"a store that is not empty", append(pond, pond...), again, "the store was not empty"},
	} {
		ready := func(context.Context, *engine.Engine) error { return nil }
		if tt.name == "not ready" {
			ready = func(context.Context, *engine.Engine) error { return broken }
		}
		if _, err := Run(t.Context(), tt.all, Options{Open: tt.open, Ready: ready}); err == nil ||
			!strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

// mute is an embedder that is down.
type mute struct{ llm.Embedder }

func (mute) Embed(context.Context, llm.Purpose, ...string) ([][]float32, error) {
	return nil, llm.ErrUnavailable
}

func TestRunNamesTheEmbedderAndPassesWarningsOn(t *testing.T) {
	all := read(t, "testdata/pond.json")
	hashed := llmtest.Hashed(64, 1)
	r := run(t, all, Options{Open: opened(t, engine.Config{Embedder: hashed})})
	if r.Settings.Embedder != hashed.Model() || len(r.Warnings) != 0 {
		t.Errorf("embedder %q, warnings %q, want %q and none", r.Settings.Embedder, r.Warnings, hashed.Model())
	}
	r = run(t, all, Options{Open: opened(t, engine.Config{Embedder: mute{hashed}})})
	if r.Settings.Embedder != "none" || len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "words alone") {
		t.Errorf("embedder %q, warnings %q, want none and one warning", r.Settings.Embedder, r.Warnings)
	}
}
