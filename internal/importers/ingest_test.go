package importers

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/datasets"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// newEngine opens an empty store in memory.
func newEngine(t testing.TB) *engine.Engine {
	t.Helper()
	e, err := engine.Open(t.Context(), "mem", engine.Config{KeyDir: filepath.Join(t.TempDir(), "keys")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

// inputs are one of each reader's, made for the test, and how many records each
// gives.
func inputs(t *testing.T) map[string]func() Sequence {
	t.Helper()
	f := newFolder(t)
	for i := range 12 {
		f.write("a", fmt.Sprint(i))
		f.commit(fmt.Sprintf("change %d", i))
	}
	must := func(seq Sequence, err error) Sequence {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return seq
	}
	return map[string]func() Sequence{
		"git": func() Sequence {
			seq, _, err := Git(t.Context(), f.dir)
			return must(seq, err)
		},
		"locomo": func() Sequence {
			seq, _, err := LoCoMo("testdata/garden.json")
			return must(seq, err)
		},
		"jsonl": func() Sequence { return must(JSONL(strings.NewReader(block(t, linesPage, "jsonl")), "work.jsonl")) },
	}
}

var errCut = errors.New("the line was cut")

// cutAfter returns n records of a sequence and then an error.
func cutAfter(seq Sequence, n int) Sequence {
	return func(yield func(api.Foreign, error) bool) {
		i := 0
		for f, err := range seq {
			if i++; i > n {
				yield(api.Foreign{}, errCut)
				return
			}
			if !yield(f, err) {
				return
			}
		}
	}
}

// head returns the first n records of a sequence.
func head(seq Sequence, n int) Sequence {
	return func(yield func(api.Foreign, error) bool) {
		for f, err := range cutAfter(seq, n) {
			if errors.Is(err, errCut) || !yield(f, err) {
				return
			}
		}
	}
}

// TestImportAgainAddsNothing: to a store that has all of it, or that got the
// first part of it before something went wrong.
func TestImportAgainAddsNothing(t *testing.T) {
	for name, input := range inputs(t) {
		t.Run(name, func(t *testing.T) {
			e, ctx := newEngine(t), t.Context()
			total := len(collect(t, input()))
			if _, err := e.Ingest(ctx, cutAfter(input(), total/2), nil); !errors.Is(err, errCut) {
				t.Errorf("err = %v, want %v", err, errCut)
			}
			before := stored(t, e)
			if reply, err := e.Ingest(ctx, head(input(), total/2), nil); err != nil || before+reply.Added != total/2 {
				t.Errorf("the first part: %+v after %d, %v, want %d", reply, before, err, total/2)
			}
			if reply, err := e.Ingest(ctx, input(), nil); err != nil || reply.Read != total || reply.Added != total-total/2 {
				t.Errorf("the rest: %+v, %v, want %d of %d", reply, err, total-total/2, total)
			}
			done := 0
			reply, err := e.Ingest(ctx, input(), func(n int) { done = n })
			if err != nil || reply.Added != 0 || reply.AlreadyThere != total || done != total {
				t.Errorf("again: %+v, %v, progress to %d, want nothing added of %d", reply, err, done, total)
			}
			if got := stored(t, e); got != total {
				t.Errorf("%d memories are stored, want %d", got, total)
			}
		})
	}
}

// stored counts the memories of a store.
func stored(t testing.TB, e *engine.Engine) int {
	t.Helper()
	stats, err := e.Stats(t.Context(), api.Nothing{})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, k := range stats.Memories {
		n += k.Total
	}
	return n
}

// TestALongImportGoesOnWhereItWasCut: what was stored in whole batches stays.
func TestALongImportGoesOnWhereItWasCut(t *testing.T) {
	const total, cut, whole = 1200, 1100, 1000
	var lines strings.Builder
	for i := range total {
		fmt.Fprintf(&lines, `{"id":"%d","text":"word %d"}`+"\n", i, i)
	}
	read := func() Sequence {
		seq, err := JSONL(strings.NewReader(lines.String()), "long")
		if err != nil {
			t.Fatal(err)
		}
		return seq
	}
	e := newEngine(t)
	if _, err := e.Ingest(t.Context(), cutAfter(read(), cut), nil); !errors.Is(err, errCut) || stored(t, e) != whole {
		t.Errorf("cut off: %d stored, %v, want %d", stored(t, e), err, whole)
	}
	if reply, err := e.Ingest(t.Context(), read(), nil); err != nil || reply.Added != total-whole ||
		stored(t, e) != total {
		t.Errorf("the rest: %+v, %v, want %d added", reply, err, total-whole)
	}
}

// TestObservationsTraceToTheirTurns: what a conversation says of its sources is
// the lineage that a trace shows, down to the words.
func TestObservationsTraceToTheirTurns(t *testing.T) {
	e := newEngine(t)
	traces(t, e, "testdata/garden.json")
	want := []string{"Ada: Hi Ben! The pear tree is in the ground. ", "Ada: Look:"}
	if got := sourcesOf(t, e, "Ada planted a pear tree."); !slices.Equal(got, want) {
		t.Errorf("sources = %q, want %q", got, want)
	}
}

// TestFactsTraceToTheirTurns is the same for a whole conversation.
func TestFactsTraceToTheirTurns(t *testing.T) {
	traces(t, newEngine(t), datasets.File(t, "locomo", "26.json"))
}

// traces imports conversations and checks that every note of the store has the
// sources that it was read with.
func traces(t *testing.T, e *engine.Engine, path string) {
	t.Helper()
	all, byAlias := locomo(t, path)
	seq, _, err := LoCoMo(path)
	if err != nil {
		t.Fatal(err)
	}
	if reply, err := e.Ingest(t.Context(), seq, nil); err != nil || reply.Added != len(all) {
		t.Fatalf("Ingest = %+v, %v, want %d added", reply, err, len(all))
	}
	for _, f := range all {
		if memory.KindOf(f.Body) != memory.KindNote {
			continue
		}
		var want []string
		for _, a := range f.From {
			b := raw(t, byAlias[a])
			want = append(want, b.Speaker+": "+b.Text)
		}
		if got := sourcesOf(t, e, memory.Headline(f.Body)); !slices.Equal(got, want) {
			t.Errorf("%s: sources = %q, want %q", f.Alias[0], got, want)
		}
	}
}

// sourcesOf returns who said what in the raws that the note with a headline was
// derived from.
func sourcesOf(t testing.TB, e *engine.Engine, headline string) []string {
	t.Helper()
	notes, err := e.List(t.Context(), api.ListRequest{Kind: "note", Limit: -1})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range notes.Memories {
		if n.Headline != headline {
			continue
		}
		trace, err := e.Trace(t.Context(), api.TraceRequest{Ref: n.Ref, Direction: "backward"})
		if err != nil {
			t.Fatal(err)
		}
		var said []string
		for _, s := range trace.Backward.Sources {
			said = append(said, s.Speaker+": "+s.Blob)
		}
		return said
	}
	t.Errorf("no note says %q", headline)
	return nil
}
