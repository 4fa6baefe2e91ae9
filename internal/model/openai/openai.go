// Package openai embeds texts and writes answers by any server that speaks OpenAI's /v1/embeddings and
// /v1/chat/completions: OpenAI itself, llama.cpp, vLLM, LM Studio, Ollama and many more.
package openai

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/stemma-memory/stemma/internal/model/remote"
	"github.com/stemma-memory/stemma/llm"
)

// Config says where the model is.
type Config struct {
	Base       string       // the server's address, with or without /v1
	Model      string       // the model's name there
	Key        string       // sent as a Bearer token; may be empty
	Dimensions int          // asked for if above 0; not every model can
	Client     *http.Client // nil means one of its own
}

// Embedder is an llm.Embedder.
type Embedder struct {
	server     remote.Server
	model      string
	dimensions int
}

var _ llm.Embedder = (*Embedder)(nil)

// New checks the settings. It asks the server nothing.
func New(c Config) (*Embedder, error) {
	base, err := remote.Base(c.Base)
	if err != nil {
		return nil, err
	}
	base.Path = strings.TrimSuffix(base.Path, "/embeddings")
	if base.Path == "" {
		base.Path = "/v1" // other paths are there on purpose: /openai/v1, /compatible-mode/v1, /v1beta/openai
	}
	key := strings.TrimSpace(c.Key)
	if err := remote.CheckKey(key); err != nil {
		return nil, err
	}
	if c.Model == "" {
		return nil, errors.New("the embedder's model has no name")
	}
	return &Embedder{remote.Server{Base: base, Key: key, Client: c.Client}, c.Model, max(c.Dimensions, 0)}, nil
}

// Model names server, model and asked dimensions: two servers' models of one name need not be one.
func (e *Embedder) Model() string {
	name := "openai:" + e.server.Base.Host + e.server.Base.Path + ":" + e.model
	if e.dimensions > 0 {
		name += fmt.Sprintf(":%d", e.dimensions)
	}
	return name
}

type question struct {
	Model      string   `json:"model"`
	Input      []string `json:"input"`
	Dimensions int      `json:"dimensions,omitempty"`
	Format     string   `json:"encoding_format"`
}

type reply struct {
	Data []struct {
		Index     *int          `json:"index"`
		Embedding remote.Vector `json:"embedding"`
	} `json:"data"`
}

// Embed returns the server's vectors in the order of the texts. The purpose is not said to the server.
func (e *Embedder) Embed(ctx context.Context, _ llm.Purpose, texts ...string) ([][]float32, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	var r reply
	if err := e.server.Ask(ctx, "/embeddings", question{e.model, texts, e.dimensions, "float"}, &r); err != nil {
		return nil, err
	}
	if len(r.Data) != len(texts) {
		return nil, e.nonsense("%d vectors for %d texts", len(r.Data), len(texts))
	}
	vectors := make([][]float32, len(texts))
	for i, d := range r.Data {
		place := i
		if d.Index != nil {
			place = *d.Index
		}
		if place < 0 || place >= len(vectors) || vectors[place] != nil {
			return nil, e.nonsense("vectors numbered otherwise than the texts")
		}
		if len(d.Embedding) == 0 {
			return nil, e.nonsense("an empty vector")
		}
		vectors[place] = d.Embedding
	}
	return vectors, nil
}

func (e *Embedder) nonsense(format string, args ...any) error {
	return &remote.Error{Server: e.server.Base.String(), Kind: llm.ErrNonsense, Text: fmt.Sprintf(format, args...)}
}
