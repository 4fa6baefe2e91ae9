package care_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/engine/enginetest"
	"github.com/stemma-memory/stemma/memory"
)

func openFile(t *testing.T, dir string) *engine.Engine {
	t.Helper()
	e, err := engine.Open(
		t.Context(), filepath.Join(dir, "memory.db"),
		engine.Config{Databases: enginetest.Databases, Receipts: filepath.Join(dir, "receipts.jsonl")},
	)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestWhatIsObservedIsStoredOnce(t *testing.T) {
	e := openFile(t, t.TempDir())
	defer e.Close()
	seen := []engine.Observed{
		{ID: "1", Said: "codex:s:prompt:aa", Text: "yes", Event: "user_prompt", Session: "s"},
		{ID: "2", Alias: []string{"codex:call:output"}, Text: "done", Event: "tool_output", Session: "s", Tool: true},
	}
	for i, want := range []struct{ stored, present int }{{2, 0}, {0, 2}} {
		got, err := e.Observe(t.Context(), seen)
		if err != nil || len(got.Refs) != want.stored || got.Present != want.present {
			t.Fatalf("time %d: %d stored and %d present (%v), want %+v", i, len(got.Refs), got.Present, err, want)
		}
	}
	// the same words said again are another happening; a host's id given again is not
	again, err := e.Observe(t.Context(), []engine.Observed{
		{ID: "3", Said: "codex:s:prompt:aa", Text: "yes", Event: "user_prompt", Session: "s"},
		{ID: "4", Alias: []string{"codex:call:output"}, Text: "done", Event: "tool_output"},
	})
	if err != nil || len(again.Refs) != 1 || again.Present != 1 {
		t.Fatalf("again: %+v, %v", again, err)
	}
	held, err := e.Held(t.Context(), engine.Saying("codex:s:prompt:aa", 2))
	if err != nil || len(held) != 1 {
		t.Errorf("the second saying is held as %v, %v", held, err)
	}
}

func TestObservedOriginIsThatOfItsChannel(t *testing.T) {
	dir := t.TempDir()
	e, err := engine.Open(
		t.Context(), filepath.Join(dir, "memory.db"),
		engine.Config{Databases: enginetest.Databases, Origin: memory.OriginOwner, Secrets: engine.SecretsAllow},
	)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	const token = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
	got, err := e.Observe(t.Context(), []engine.Observed{
		{ID: "1", Text: "a prompt with " + token, Event: "user_prompt", Session: "s-1"},
		{ID: "2", Text: "what a tool gave", Event: "tool_output", Tool: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"agent", "tool"} {
		m, err := e.Show(t.Context(), api.RefRequest{Ref: got.Refs[i]})
		if err != nil {
			t.Fatal(err)
		}
		if m.Origin != want || m.Content["source"] != "hook" {
			t.Errorf("origin %s from %v, want %s from hook", m.Origin, m.Content["source"], want)
		}
		if text, _ := m.Content["text"].(string); strings.Contains(text, token) {
			t.Errorf("a hook kept a secret: %s", text)
		}
	}
}

func TestObservedAtOnceByManyIsStoredOnce(t *testing.T) {
	e := openFile(t, t.TempDir())
	defer e.Close()
	var wg sync.WaitGroup
	stored := make(chan int, 8)
	for range cap(stored) {
		wg.Go(func() {
			r, err := e.Observe(t.Context(), []engine.Observed{{ID: "one", Said: "x:s:prompt:bb", Text: "only once"}})
			if err != nil {
				t.Error(err)
			}
			stored <- len(r.Refs)
		})
	}
	wg.Wait()
	close(stored)
	all := 0
	for n := range stored {
		all += n
	}
	if all != 1 {
		t.Errorf("stored %d times", all)
	}
}

// Nothing of a private span is in any file of a store, whatever door it came
// through and whatever is set.
func TestPrivateSpansReachNoFile(t *testing.T) {
	const word = "zanzibarhush"
	dir := t.TempDir()
	e, err := engine.Open(t.Context(), filepath.Join(dir, "memory.db"), engine.Config{
		Databases: enginetest.Databases,
		Receipts:  filepath.Join(dir, "receipts.jsonl"), Secrets: engine.SecretsAllow, Origin: memory.OriginOwner,
	})
	if err != nil {
		t.Fatal(err)
	}
	text := "before <private>" + word + "</private> after <Private>" + word
	for name, write := range doors(t, e) {
		if _, err := write(text); err != nil && !strings.Contains(err.Error(), "private") {
			t.Errorf("%s: %v", name, err)
		} else if err != nil && strings.Contains(err.Error(), word) {
			t.Errorf("%s: the error says it: %v", name, err)
		}
	}
	if _, err := e.Capture(
		t.Context(), api.CaptureRequest{Blob: []byte("\xff <private>" + word + "</private>")},
	); err != nil {
		t.Error(err)
	}
	if _, err := e.Remember(
		t.Context(),
		api.RememberRequest{
			Text: "We decided that <private>" + word + "</private> is the plan. The cache needs an index.",
			Wait: true,
		},
	); err != nil {
		t.Error(err)
	}
	if _, err := e.Observe(
		t.Context(), []engine.Observed{{ID: "1", Session: "s", Text: text, Caption: text, Speaker: text}},
	); err != nil {
		t.Error(err)
	}
	from := func(yield func(api.Foreign, error) bool) {
		yield(
			api.Foreign{
				Alias: []string{"elsewhere:1"}, Body: &memory.Raw{Text: text, Source: "import"},
				Ext: []byte(`{"more":"` + text + `"}`),
			},
			nil,
		)
	}
	if _, err := e.Ingest(t.Context(), from, nil); err != nil {
		t.Error(err)
	}
	if _, err := e.Search(t.Context(), api.SearchRequest{Query: text}); err != nil {
		t.Error(err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	noFileHolds(t, dir, word)
}

// noFileHolds fails where a file below dir holds a word, whatever its case.
func noFileHolds(t *testing.T, dir, word string) {
	t.Helper()
	files := 0
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files++
		all, err := os.ReadFile(path)
		if strings.Contains(strings.ToLower(string(all)), word) {
			t.Errorf("%s holds it", path)
		}
		return err
	})
	if err != nil || files == 0 {
		t.Errorf("%d files, %v", files, err)
	}
}
