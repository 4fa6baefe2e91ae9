package lab

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/internal/cli"
	"github.com/stemma-memory/stemma/internal/eval"
	"github.com/stemma-memory/stemma/internal/model/static/statictest"
)

// The question shares no word with the turn that answers it, and nothing stands
// beside that.
const vehicles = `{
  "session_1": [{"dia_id": "D1:1", "speaker": "Ada", "text": "My car is red."}],
  "session_2": [{"dia_id": "D2:1", "speaker": "Ben", "text": "It rains."}],
  "qa": [{"question": "Which automobile?", "evidence": ["D1:1"], "category": 3}]
}`

// The embedder that is set makes the vectors, and the report names it; one that
// cannot ends the run.
func TestEvalWithAnEmbedder(t *testing.T) {
	dir := t.TempDir()
	talk, model := filepath.Join(dir, "talk.json"), filepath.Join(dir, "model")
	if err := os.WriteFile(talk, []byte(vehicles), 0o600); err != nil {
		t.Fatal(err)
	}
	known := map[string][]float32{"car": {1, 0}, "automobile": {1, 0}, "rains": {0, 1}}
	if err := statictest.Write(model, known); err != nil {
		t.Fatal(err)
	}
	run := func(kind, model string) (report eval.Report, code int, said string) {
		t.Helper()
		var out, errOut bytes.Buffer
		set := map[string]string{"HOME": dir, "STEMMA_EMBEDDER": kind, "STEMMA_EMBEDDER_MODEL": model}
		env := cli.Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errOut, Dir: dir,
			Getenv: func(name string) string { return set[name] }}
		code = Run(t.Context(), []string{"eval", "locomo", "--json", talk}, env)
		if code == 0 {
			if err := json.Unmarshal(out.Bytes(), &report); err != nil {
				t.Fatalf("%v in %s", err, out.String())
			}
		}
		return report, code, errOut.String()
	}
	without, code, said := run("", "")
	if code != 0 || without.Settings.Embedder != "none" || without.Search.All.Recall5 != 0 {
		t.Errorf("without: %d %s, embedder %q, %+v, want none and nothing found", code, said, without.Settings.Embedder,
			without.Search.All)
	}
	with, code, said := run("static", model)
	if code != 0 || with.Settings.Embedder == "none" || with.Settings.Embedder == "" || with.Search.All.Hit1 != 1 {
		t.Errorf("with: %d %s, embedder %q, %+v, want its name and the turn first", code, said, with.Settings.Embedder,
			with.Search.All)
	}
	if _, code, said = run("static", filepath.Join(dir, "nowhere")); code == 0 || !strings.Contains(said, "nowhere") {
		t.Errorf("with no model: exit code %d, %q, want the reason", code, said)
	}
}
