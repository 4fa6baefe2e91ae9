package stemmagenkit_test

import (
	"context"
	"encoding/json"
	"log"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/firebase/genkit/go/ai"
	"github.com/firebase/genkit/go/genkit"

	"github.com/stemma-memory/stemma"
	stemmagenkit "github.com/stemma-memory/stemma/integrations/genkit"
	"github.com/stemma-memory/stemma/internal/toolset/toolsettest"
)

var dir string

func TestMain(m *testing.M) {
	var err error
	if dir, err = os.MkdirTemp("", "stemma"); err != nil {
		log.Fatal(err)
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// place is where the example keeps its store.
func place() string { return filepath.Join(dir, "memory.db") }

// scripted is a model of Genkit that follows the script.
func scripted(g *genkit.Genkit) ai.Model {
	can := &ai.ModelOptions{Supports: &ai.ModelSupports{Tools: true, Multiturn: true}}
	return genkit.DefineModel(g, "test/scripted", can,
		func(_ context.Context, in *ai.ModelRequest, _ ai.ModelStreamCallback) (*ai.ModelResponse, error) {
			var answers []string
			for _, m := range in.Messages {
				for _, p := range m.Content {
					if p.IsToolResponse() {
						answer, err := json.Marshal(p.ToolResponse.Output)
						if err != nil {
							return nil, err
						}
						answers = append(answers, string(answer))
					}
				}
			}
			turn, err := toolsettest.Next(answers)
			if err != nil {
				return nil, err
			}
			part := ai.NewTextPart(turn.Text)
			if turn.Tool != "" {
				part = ai.NewToolRequestPart(&ai.ToolRequest{Name: turn.Tool, Input: json.RawMessage(turn.Arguments)})
			}
			return &ai.ModelResponse{Request: in, Message: ai.NewModelMessage(part)}, nil
		})
}

// A model is told each tool's parameters, and reads what was wrong with its arguments.
func TestTools(t *testing.T) {
	e, err := stemma.Open(t.Context(), filepath.Join(t.TempDir(), "memory.db"), stemma.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	g := genkit.Init(t.Context())
	refs, err := stemmagenkit.DefineTools(g, e)
	if err != nil || len(refs) != 6 {
		t.Fatalf("%d tools, %v", len(refs), err)
	}
	for _, ref := range refs {
		d := genkit.LookupTool(g, ref.Name()).Definition()
		if d.Description == "" || d.InputSchema["type"] != "object" {
			t.Errorf("%s is described by %+v", ref.Name(), d)
		}
	}
	got, err := genkit.LookupTool(g, "why").RunRaw(t.Context(), map[string]any{"ref": "note:00000000"})
	if text, is := got.(string); err != nil || !is || !strings.HasPrefix(text, "not_found: ") {
		t.Errorf("%#v, %v", got, err)
	}
	got, err = genkit.LookupTool(g, "recall").RunRaw(t.Context(), map[string]any{"query": "anything"})
	if object, is := got.(map[string]any); err != nil || !is || object["note"] == nil {
		t.Errorf("an answer is %#v, %v; want an object", got, err)
	}
}
