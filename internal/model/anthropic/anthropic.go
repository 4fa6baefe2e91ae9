// Package anthropic writes answers by a model behind Anthropic's Messages API.
//
// The API has no way to ask for JSON that all its models know but the input of a tool: the model is made to call
// one tool, whose input is the answer. Nothing is ever done by that tool.
package anthropic

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/stemma-memory/stemma/internal/model/remote"
	"github.com/stemma-memory/stemma/llm"
)

// DefaultBase is Anthropic's own server.
const DefaultBase = "https://api.anthropic.com"

const (
	version    = "2023-06-01"
	mostAnswer = 4 << 20 // bytes of a reply; the answer in it is bounded by model.One
)

// Config says which model it is.
type Config struct {
	Base   string       // the server's address, with or without /v1; "" means DefaultBase
	Model  string       // the model's name there
	Key    string       // sent as x-api-key; may be empty for a server that needs none
	Client *http.Client // nil means one of its own
}

// Generator is an llm.Generator. It asks its server once: llm.Bounds tries again.
type Generator struct {
	server remote.Server
	model  string
}

var _ llm.Generator = (*Generator)(nil)

// New checks the settings. It asks the server nothing.
func New(c Config) (*Generator, error) {
	if c.Base == "" {
		c.Base = DefaultBase
	}
	base, err := remote.Base(c.Base)
	if err != nil {
		return nil, err
	}
	base.Path = strings.TrimSuffix(strings.TrimSuffix(base.Path, "/messages"), "/v1") + "/v1"
	key := strings.TrimSpace(c.Key)
	if err := remote.CheckKey(key); err != nil {
		return nil, err
	}
	if c.Model == "" {
		return nil, errors.New("the model that writes has no name")
	}
	server := remote.Server{Base: base, Key: key, Header: "X-Api-Key", Extra: map[string]string{
		"Anthropic-Version": version,
	},
		Client: c.Client, Most: mostAnswer, Tries: 1, What: "model"}
	return &Generator{server, c.Model}, nil
}

// Model names server and model.
func (g *Generator) Model() string {
	return "anthropic:" + g.server.Base.Host + g.server.Base.Path + ":" + g.model
}

type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

type tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Schema      json.RawMessage `json:"input_schema"`
}

type choice struct {
	Type   string `json:"type"`
	Name   string `json:"name"`
	Single bool   `json:"disable_parallel_tool_use"`
}

type question struct {
	Model    string    `json:"model"`
	Tokens   int       `json:"max_tokens"`
	System   string    `json:"system,omitempty"`
	Messages []message `json:"messages"`
	Tools    []tool    `json:"tools,omitempty"`
	Choice   *choice   `json:"tool_choice,omitempty"`
}

type reply struct {
	Content []struct {
		Type  string          `json:"type"`
		Text  string          `json:"text"`
		Name  string          `json:"name"`
		Input json.RawMessage `json:"input"`
	} `json:"content"`
	Stop  string `json:"stop_reason"`
	Usage struct {
		In      int `json:"input_tokens"`
		Written int `json:"cache_creation_input_tokens"`
		Read    int `json:"cache_read_input_tokens"`
		Out     int `json:"output_tokens"`
	} `json:"usage"`
}

// Generate asks for one call of a tool whose input is the answer, or without a schema for a text. Question.Seed
// is not sent: the API takes none.
func (g *Generator) Generate(ctx context.Context, q llm.Question) (llm.Answer, error) {
	rendered := q.Render()
	ask := question{Model: g.model, Tokens: q.Most(), System: rendered.System}
	if len(q.Schema) > 0 {
		if !json.Valid(q.Schema) {
			return llm.Answer{}, fmt.Errorf("the schema of the answer is not JSON: %w", llm.ErrRefused)
		}
		ask.Tools = []tool{{q.Name(), "Takes the answer.", q.Schema}}
		ask.Choice = &choice{"tool", q.Name(), true}
	} else {
		ask.System = rendered.Instructed(q)
	}
	if rendered.User == "" {
		rendered.User = "Answer." // a talk must begin with something
	}
	ask.Messages = []message{{"user", rendered.User}}
	var r reply
	if err := g.server.Ask(ctx, "/messages", ask, &r); err != nil {
		return llm.Answer{}, err
	}
	return g.answer(r, len(ask.Tools) > 0, q.Name())
}

// answer takes the input of the one call of the tool. A text beside it, or a second call, is nonsense.
func (g *Generator) answer(r reply, forced bool, name string) (llm.Answer, error) {
	a := llm.Answer{In: max(r.Usage.In, 0) + max(r.Usage.Written, 0) + max(r.Usage.Read, 0), Out: max(r.Usage.Out, 0)}
	switch r.Stop {
	case "refusal":
		a.Refused = true
		return a, &remote.Error{
			What: g.server.What, Server: g.server.Base.String(), Text: "it would not answer",
			Kind: llm.ErrDeclined,
		}
	case "max_tokens", "model_context_window_exceeded":
		a.Cut = true
	}
	var texts []string
	calls := 0
	for _, c := range r.Content {
		switch {
		case c.Type == "tool_use" && forced && c.Name == name && len(bytes.TrimSpace(c.Input)) > 0:
			calls++
			texts = append(texts, string(c.Input))
		case c.Type == "tool_use":
			return a, g.server.Nonsense("a call of a tool there is not")
		case c.Type == "text" && strings.TrimSpace(c.Text) != "":
			texts = append(texts, c.Text)
		}
	}
	switch {
	case a.Cut: // what there is of it is not to be used
	case forced && (calls != 1 || len(texts) != 1):
		return a, g.server.Nonsense("%d answers and %d texts beside them", calls, len(texts)-calls)
	case len(texts) == 0:
		return a, g.server.Nonsense("a reply without an answer")
	}
	a.Text = llm.Unmarked(strings.Join(texts, "\n"))
	return a, nil
}
