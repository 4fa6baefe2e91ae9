package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"github.com/stemma-memory/stemma/internal/model/remote"
	"github.com/stemma-memory/stemma/llm"
)

// GeneratorConfig says where the model that writes is.
type GeneratorConfig struct {
	Base   string       // the server's address, with or without /v1
	Model  string       // the model's name there
	Key    string       // sent as a Bearer token; may be empty
	Client *http.Client // nil means one of its own
}

const mostAnswer = 4 << 20 // bytes of a reply; the answer in it is bounded by model.One

// Generator is an llm.Generator. It asks its server once: llm.Bounds tries again.
type Generator struct {
	server remote.Server
	model  string

	mu   sync.Mutex
	form form
}

var _ llm.Generator = (*Generator)(nil)

// NewGenerator checks the settings. It asks the server nothing.
func NewGenerator(c GeneratorConfig) (*Generator, error) {
	base, err := remote.Base(c.Base)
	if err != nil {
		return nil, err
	}
	base.Path = strings.TrimSuffix(base.Path, "/chat/completions")
	if base.Path == "" {
		base.Path = "/v1"
	}
	key := strings.TrimSpace(c.Key)
	if err := remote.CheckKey(key); err != nil {
		return nil, err
	}
	if c.Model == "" {
		return nil, errors.New("the model that writes has no name")
	}
	server := remote.Server{Base: base, Key: key, Client: c.Client, Most: mostAnswer, Tries: 1, What: "model"}
	return &Generator{server: server, model: c.Model}, nil
}

// Model names server and model: two servers' models of one name need not be one.
func (g *Generator) Model() string {
	return "openai:" + g.server.Base.Host + g.server.Base.Path + ":" + g.model
}

type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

type chatQuestion struct {
	Model       string    `json:"model"`
	Messages    []message `json:"messages"`
	Tokens      int       `json:"max_tokens,omitempty"`
	Completion  int       `json:"max_completion_tokens,omitempty"`
	Temperature *float64  `json:"temperature,omitempty"`
	Seed        int64     `json:"seed,omitempty"`
	Format      *format   `json:"response_format,omitempty"`
}

type format struct {
	Type   string  `json:"type"`
	Schema *schema `json:"json_schema,omitempty"`
}

type schema struct {
	Name   string          `json:"name"`
	Strict bool            `json:"strict"`
	Schema json.RawMessage `json:"schema"`
}

type chatReply struct {
	Choices []struct {
		Message struct {
			Content *string `json:"content"`
			Refusal string  `json:"refusal"`
		} `json:"message"`
		Finish string `json:"finish_reason"`
	} `json:"choices"`
	Usage struct {
		In  int `json:"prompt_tokens"`
		Out int `json:"completion_tokens"`
	} `json:"usage"`
}

// Generate asks in the strictest way that the server takes. Which that is, it learns from the server's refusals,
// and remembers it once a simpler question was answered.
func (g *Generator) Generate(ctx context.Context, q llm.Question) (llm.Answer, error) {
	if len(q.Schema) > 0 && !json.Valid(q.Schema) {
		return llm.Answer{}, fmt.Errorf("the schema of the answer is not JSON: %w", llm.ErrRefused)
	}
	g.mu.Lock()
	f := g.form
	g.mu.Unlock()
	rendered := q.Render()
	for {
		var r chatReply
		err := g.server.Ask(ctx, "/chat/completions", g.question(q, rendered, f), &r)
		if err == nil {
			g.mu.Lock()
			g.form = g.form.with(f)
			g.mu.Unlock()
			return g.answer(r)
		}
		simpler, ok := f.without(err)
		if !ok {
			return llm.Answer{}, err
		}
		f = simpler
	}
}

func (g *Generator) question(q llm.Question, r llm.Rendered, f form) chatQuestion {
	c := chatQuestion{Model: g.model}
	system := r.System
	switch {
	case f.format == bySchema && len(q.Schema) > 0:
		c.Format = &format{"json_schema", &schema{q.Name(), true, q.Schema}}
		system += "\n\nAnswer with one JSON object and nothing else."
	case f.format < byWords:
		c.Format = &format{Type: "json_object"}
		fallthrough
	default:
		system = r.Instructed(q)
	}
	c.Messages = []message{{"system", strings.TrimSpace(system)}}
	if r.User != "" {
		c.Messages = append(c.Messages, message{"user", r.User})
	}
	if f.completion {
		c.Completion = q.Most()
	} else {
		c.Tokens = q.Most()
	}
	if !f.warm {
		c.Temperature = new(float64)
	}
	if !f.seedless {
		c.Seed = q.Seed & (1<<31 - 1) // what every server takes
	}
	return c
}

// answer takes the first choice; what a filter or the model held back is llm.ErrDeclined.
func (g *Generator) answer(r chatReply) (llm.Answer, error) {
	a := llm.Answer{In: max(r.Usage.In, 0), Out: max(r.Usage.Out, 0)}
	if len(r.Choices) == 0 {
		return a, g.server.Nonsense("a reply without an answer")
	}
	choice := r.Choices[0]
	switch {
	case choice.Message.Refusal != "" || choice.Finish == "content_filter":
		a.Refused = true
		return a, &remote.Error{
			What: g.server.What, Server: g.server.Base.String(), Text: "it would not answer",
			Kind: llm.ErrDeclined,
		}
	case choice.Message.Content == nil:
		return a, g.server.Nonsense("an answer without a text")
	}
	a.Text, a.Cut = llm.Unmarked(*choice.Message.Content), choice.Finish == "length"
	return a, nil
}
