package stemmaeino_test

import (
	"context"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/components/retriever"
	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/schema"

	"github.com/stemma-memory/stemma"
	stemmaeino "github.com/stemma-memory/stemma/integrations/eino"
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

// scripted is a model of Eino that follows the script.
type scripted struct{}

func (scripted) Generate(_ context.Context, in []*schema.Message, _ ...model.Option) (*schema.Message, error) {
	var answers []string
	for _, m := range in {
		if m.Role == schema.Tool {
			answers = append(answers, m.Content)
		}
	}
	turn, err := toolsettest.Next(answers)
	if err != nil || turn.Tool == "" {
		return schema.AssistantMessage(turn.Text, nil), err
	}
	return schema.AssistantMessage("", []schema.ToolCall{{
		ID: strconv.Itoa(len(answers)), Type: "function",
		Function: schema.FunctionCall{Name: turn.Tool, Arguments: turn.Arguments},
	}}), nil
}

func (s scripted) Stream(
	ctx context.Context, in []*schema.Message, o ...model.Option,
) (*schema.StreamReader[*schema.Message], error) {
	m, err := s.Generate(ctx, in, o...)
	return schema.StreamReaderFromArray([]*schema.Message{m}), err
}

func (s scripted) WithTools([]*schema.ToolInfo) (model.ToolCallingChatModel, error) { return s, nil }

func open(t *testing.T) *stemma.Engine {
	t.Helper()
	e, err := stemma.Open(t.Context(), filepath.Join(t.TempDir(), "memory.db"), stemma.Config{Agent: "planner"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

// A model is told each tool's parameters as the library describes them.
func TestToolsAreDescribed(t *testing.T) {
	tools, err := stemmaeino.Tools(open(t))
	if err != nil || len(tools) != 6 {
		t.Fatalf("%d tools, %v", len(tools), err)
	}
	for _, one := range tools {
		info, err := one.Info(t.Context())
		if err != nil || info.Name == "" || info.Desc == "" {
			t.Fatalf("%+v, %v", info, err)
		}
		parameters, err := info.ToJSONSchema()
		if err != nil || parameters.Type != "object" {
			t.Fatalf("%s: %+v, %v", info.Name, parameters, err)
		}
		if info.Name == "remember" {
			if text, ok := parameters.Properties.Get("text"); !ok || text.Description == "" {
				t.Errorf("remember takes %+v", parameters)
			}
		}
		if info.Name == "correct" && !slices.Equal(parameters.Required, []string{"ref"}) {
			t.Errorf("correct takes %+v", parameters)
		}
	}
}

// What a model did wrong is an answer for it to read, and does not end the agent.
func TestAWrongCallIsAnAnswer(t *testing.T) {
	tools, err := stemmaeino.Tools(open(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range tools {
		info, _ := one.Info(t.Context())
		if info.Name != "why" {
			continue
		}
		got, err := one.(tool.InvokableTool).InvokableRun(t.Context(), `{"ref": "note:00000000"}`)
		if err != nil || !strings.HasPrefix(got, "not_found: ") {
			t.Errorf("%q, %v", got, err)
		}
	}
}

// A retriever in a chain gives what holds now, with its standing.
func TestRetriever(t *testing.T) {
	e := open(t)
	old, err := e.Add(t.Context(), stemma.AddRequest{Draft: stemma.Draft{Kind: "note", Text: "We deploy on Fridays"}})
	if err != nil {
		t.Fatal(err)
	}
	now, err := e.Correct(t.Context(), stemma.CorrectRequest{Ref: old.Ref, Text: "We deploy on Tuesdays"})
	if err != nil {
		t.Fatal(err)
	}
	chain, err := compose.NewChain[string, []*schema.Document]().
		AppendRetriever(&stemmaeino.Retriever{Engine: e}).Compile(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	found, err := chain.Invoke(t.Context(), "when do we deploy")
	if err != nil || len(found) == 0 || found[0].ID != now.Ref || found[0].Content != "We deploy on Tuesdays" ||
		found[0].MetaData["actionable"] != false {
		t.Fatalf("%+v, %v", found, err)
	}
	for _, d := range found {
		if d.ID == old.Ref {
			t.Errorf("what was corrected is given: %+v", d)
		}
	}
	r := &stemmaeino.Retriever{Engine: e}
	if one, err := r.Retrieve(t.Context(), "deploy", retriever.WithTopK(1)); err != nil || len(one) != 1 {
		t.Errorf("with TopK of 1: %d, %v", len(one), err)
	}
}

// The program of the page on integrations is the example, which runs.
func TestThePageHasTheExample(t *testing.T) {
	page, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	example, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	_, block, _ := strings.Cut(string(page), "```go\n")
	block, _, _ = strings.Cut(block, "```")
	_, run, _ := strings.Cut(string(example), "func Example() {\n")
	run, _, _ = strings.Cut(run, "\t// Output:")
	named := strings.NewReplacer("place()", "place", "scripted{}", "model", "toolsettest.Asked", "question")
	plain := func(code string) string { return strings.Join(strings.Fields(code), " ") }
	if got, want := plain(block), plain(named.Replace(run)); got != want || want == "" {
		t.Errorf("the page has\n%s\nwant\n%s", got, want)
	}
}
