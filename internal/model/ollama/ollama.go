// Package ollama embeds texts by a model that Ollama serves.
package ollama

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/stemma-memory/stemma/internal/model/remote"
	"github.com/stemma-memory/stemma/llm"
)

// DefaultBase is where Ollama listens if no one says otherwise.
const DefaultBase = "http://127.0.0.1:11434"

// Config says where the model is.
type Config struct {
	Base   string       // the server's address; "" means DefaultBase
	Model  string       // the model's name there, with or without a tag
	Key    string       // sent as a Bearer token, for servers behind a gate; may be empty
	Client *http.Client // nil means one of its own
}

// Embedder is an llm.Embedder.
type Embedder struct {
	server remote.Server
	model  string // as it was asked for
	digest string // of the model's manifest; "" where the server does not tell
}

var _ llm.Embedder = (*Embedder)(nil)

// Open checks the settings and asks the server for the model's digest, so that a model that was pulled again under
// its old name is another Model. A server that is down is llm.ErrUnavailable, a model that is not there
// llm.ErrRefused. A server that does not list its models serves them without a digest.
func Open(ctx context.Context, c Config) (*Embedder, error) {
	if c.Base == "" {
		c.Base = DefaultBase
	}
	base, err := remote.Base(c.Base)
	if err != nil {
		return nil, err
	}
	base.Path = strings.TrimSuffix(base.Path, "/v1") // the address people copy from its other API
	key := strings.TrimSpace(c.Key)
	if err := remote.CheckKey(key); err != nil {
		return nil, err
	}
	if c.Model == "" {
		return nil, errors.New("the embedder's model has no name")
	}
	e := &Embedder{server: remote.Server{Base: base, Key: key, Client: c.Client}, model: c.Model}
	e.digest, err = e.ask(ctx)
	return e, err
}

// Model names the model with its tag and digest. Where it is served does not matter to its vectors, unless there
// is no digest.
func (e *Embedder) Model() string {
	if e.digest == "" {
		return "ollama:" + e.server.Base.Host + ":" + tagged(e.model)
	}
	return "ollama:" + tagged(e.model) + "@" + e.digest
}

// tagged is the model's full name: Ollama takes one without a tag for the latest.
func tagged(model string) string {
	if strings.LastIndexByte(model, ':') <= strings.LastIndexByte(model, '/') {
		return model + ":latest"
	}
	return model
}

// ask asks for the model's digest.
func (e *Embedder) ask(ctx context.Context) (string, error) {
	var list struct {
		Models []struct {
			Name   string `json:"name"`
			Model  string `json:"model"`
			Digest string `json:"digest"`
		} `json:"models"`
	}
	err := e.server.Ask(ctx, "/api/tags", nil, &list)
	var status *remote.Error
	if errors.As(err, &status) && (status.Code == http.StatusNotFound || status.Code == http.StatusMethodNotAllowed) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	for _, m := range list.Models {
		if m.Name == tagged(e.model) || m.Model == tagged(e.model) {
			return m.Digest, nil
		}
	}
	return "", e.notPulled()
}

func (e *Embedder) notPulled() error {
	return &remote.Error{Server: e.server.Base.String(), Code: http.StatusNotFound, Kind: llm.ErrRefused,
		Text: fmt.Sprintf("it has no model %q: run \"ollama pull %s\"", e.model, e.model)}
}

type question struct {
	Model string   `json:"model"`
	Input []string `json:"input"`
}

type reply struct {
	Embeddings []remote.Vector `json:"embeddings"`
}

// Embed returns the server's vectors. Texts longer than the model takes are cut by the server. When documents were
// embedded it asks for the digest once more: vectors of a model that was pulled again meanwhile would be kept
// under the wrong name, so they are llm.ErrRefused.
func (e *Embedder) Embed(ctx context.Context, purpose llm.Purpose, texts ...string) ([][]float32, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	var r reply
	err := e.server.Ask(ctx, "/api/embed", question{e.model, texts}, &r)
	var status *remote.Error
	if errors.As(err, &status) && status.Code == http.StatusNotFound {
		return nil, e.notPulled()
	}
	if err != nil {
		return nil, err
	}
	if len(r.Embeddings) != len(texts) {
		return nil, e.nonsense("%d vectors for %d texts", len(r.Embeddings), len(texts))
	}
	vectors := make([][]float32, len(texts))
	for i, v := range r.Embeddings {
		if len(v) == 0 {
			return nil, e.nonsense("an empty vector")
		}
		vectors[i] = v
	}
	if purpose == llm.Document && e.digest != "" {
		digest, err := e.ask(ctx)
		if err != nil {
			return nil, err
		}
		if digest != e.digest {
			return nil, &remote.Error{Server: e.server.Base.String(), Kind: llm.ErrRefused,
				Text: fmt.Sprintf("the model %q was changed since it was opened: open it again", e.model)}
		}
	}
	return vectors, nil
}

func (e *Embedder) nonsense(format string, args ...any) error {
	return &remote.Error{Server: e.server.Base.String(), Kind: llm.ErrNonsense, Text: fmt.Sprintf(format, args...)}
}
