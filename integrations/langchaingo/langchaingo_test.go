package stemmalangchain_test

import (
	"context"
	"errors"
	"log"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/tmc/langchaingo/chains"
	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/prompts"

	"github.com/stemma-memory/stemma"
	stemmalangchain "github.com/stemma-memory/stemma/integrations/langchaingo"
	"github.com/stemma-memory/stemma/internal/toolset/toolsettest"
	"github.com/stemma-memory/stemma/memory"
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

// scripted is a model of LangChainGo that follows the script.
type scripted struct{}

func (scripted) GenerateContent(
	_ context.Context, in []llms.MessageContent, _ ...llms.CallOption,
) (*llms.ContentResponse, error) {
	var answers []string
	for _, m := range in {
		for _, p := range m.Parts {
			if answer, is := p.(llms.ToolCallResponse); is {
				answers = append(answers, answer.Content)
			}
		}
	}
	turn, err := toolsettest.Next(answers)
	if err != nil {
		return nil, err
	}
	choice := &llms.ContentChoice{Content: turn.Text}
	if turn.Tool != "" {
		choice.ToolCalls = []llms.ToolCall{{
			ID: strconv.Itoa(len(answers)), Type: "function",
			FunctionCall: &llms.FunctionCall{Name: turn.Tool, Arguments: turn.Arguments},
		}}
	}
	return &llms.ContentResponse{Choices: []*llms.ContentChoice{choice}}, nil
}

func (s scripted) Call(ctx context.Context, prompt string, o ...llms.CallOption) (string, error) {
	return llms.GenerateFromSinglePrompt(ctx, s, prompt, o...)
}

// echo is a model that answers with its prompt.
type echo struct{ scripted }

func (echo) GenerateContent(
	_ context.Context, in []llms.MessageContent, _ ...llms.CallOption,
) (*llms.ContentResponse, error) {
	text := in[0].Parts[0].(llms.TextContent).Text
	return &llms.ContentResponse{Choices: []*llms.ContentChoice{{Content: text}}}, nil
}

func open(t *testing.T, c stemma.Config) *stemma.Engine {
	t.Helper()
	e, err := stemma.Open(t.Context(), filepath.Join(t.TempDir(), "memory.db"), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

// A chain with the memory is given what was corrected, and not what it replaced; both sides'
// words are kept as an agent's, even where the engine is the owner's.
func TestMemoryInAChain(t *testing.T) {
	e := open(t, stemma.Config{Origin: memory.OriginOwner})
	old, err := e.Add(t.Context(), stemma.AddRequest{Draft: stemma.Draft{Kind: "note", Text: "We deploy on Fridays"}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = e.Correct(t.Context(), stemma.CorrectRequest{Ref: old.Ref, Text: "We deploy on Tuesdays"})
	if err != nil {
		t.Fatal(err)
	}
	m, err := stemmalangchain.NewMemory(e, "planner", "monday")
	if err != nil {
		t.Fatal(err)
	}
	chain := chains.NewLLMChain(echo{}, prompts.NewPromptTemplate("Known:\n{{.history}}\nAsked: {{.question}}", nil))
	chain.Prompt = prompts.NewPromptTemplate("Known:\n{{.history}}\nAsked: {{.question}}", []string{"history", "question"})
	chain.Memory = m
	out, err := chains.Call(t.Context(), chain, map[string]any{"question": "When do we deploy?"})
	if err != nil {
		t.Fatal(err)
	}
	said, _ := out["text"].(string)
	if !strings.Contains(said, "We deploy on Tuesdays") || strings.Contains(said, "We deploy on Fridays") {
		t.Errorf("the chain was given %q", said)
	}
	kept, err := e.List(t.Context(), stemma.ListRequest{Kind: "raw"})
	if err != nil || len(kept.Memories) < 2 {
		t.Fatalf("%d kept, %v", len(kept.Memories), err)
	}
	speakers := map[any]bool{}
	for _, one := range kept.Memories {
		if one.Session != "monday" {
			continue
		}
		speakers[one.Content["speaker"]] = true
		if one.Origin != "agent" || one.Agent != "planner" {
			t.Errorf("%s is by %s, %s", one.Ref, one.Origin, one.Agent)
		}
	}
	if !speakers["user"] || !speakers["assistant"] {
		t.Errorf("words of %v were kept", speakers)
	}
}

// Nothing that is permanent is said to be cleared, and values that cannot be told apart are
// named.
func TestMemoryRefuses(t *testing.T) {
	e := open(t, stemma.Config{})
	m, err := stemmalangchain.NewMemory(e, "planner", "monday")
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Clear(t.Context()); !errors.Is(err, stemmalangchain.ErrPermanent) {
		t.Errorf("clear: %v", err)
	}
	for name, in := range map[string]map[string]any{
		"two":   {"a": "x", "b": "y"},
		"none":  {},
		"other": {"a": 3},
	} {
		if _, err := m.LoadMemoryVariables(t.Context(), in); err == nil {
			t.Errorf("%s: no error", name)
		}
		if err := m.SaveContext(t.Context(), in, map[string]any{"text": "x"}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if err := m.SaveContext(t.Context(), map[string]any{"a": "x"}, map[string]any{}); err == nil {
		t.Error("no output: no error")
	}
	if stats, err := e.Stats(t.Context(), stemma.Nothing{}); err != nil || stats.Records != 0 {
		t.Errorf("%d records, %v", stats.Records, err)
	}
}

// A text that is no object is the first argument of a tool.
func TestToolsTakeText(t *testing.T) {
	e := open(t, stemma.Config{Agent: "planner"})
	tools, err := stemmalangchain.Tools(e)
	if err != nil || len(tools) != 6 {
		t.Fatalf("%d tools, %v", len(tools), err)
	}
	call := func(name, input string) string {
		t.Helper()
		for _, tool := range tools {
			if tool.Name() == name {
				if !strings.Contains(tool.Description(), `"type":"object"`) {
					t.Errorf("%s is described as %s", name, tool.Description())
				}
				answer, err := tool.Call(t.Context(), input)
				if err != nil {
					t.Fatal(err)
				}
				return answer
			}
		}
		t.Fatalf("there is no tool %s", name)
		return ""
	}
	call("remember", `We deploy "quietly" on Fridays`)
	for input, want := range map[string]string{
		"deploy Fridays":               `We deploy \"quietly\" on Fridays`,
		`"deploy Fridays"`:             `We deploy \"quietly\" on Fridays`,
		` {"query": "deploy Fridays"}`: `We deploy \"quietly\" on Fridays`,
		"{deploy":                      "invalid: ",
	} {
		if got := call("recall", input); !strings.Contains(got, want) {
			t.Errorf("recall %q: %s, want %s", input, got, want)
		}
	}
	if got := call("why", "note:00000000"); !strings.HasPrefix(got, "not_found: ") {
		t.Errorf("why: %s", got)
	}
}
