package cli

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/model"
	"github.com/stemma-memory/stemma/internal/model/anthropic"
	"github.com/stemma-memory/stemma/internal/model/bert"
	"github.com/stemma-memory/stemma/internal/model/ollama"
	"github.com/stemma-memory/stemma/internal/model/openai"
	"github.com/stemma-memory/stemma/internal/model/sim"
	"github.com/stemma-memory/stemma/internal/model/static"
	"github.com/stemma-memory/stemma/internal/settings"
	"github.com/stemma-memory/stemma/llm"
)

// reads sets the options that only matter to reading verbs: the second store, and the
// embedder.
func (a *app) reads(ctx context.Context, spec string, set *settings.Settings, c *engine.Config) error {
	var err error
	if c.SecondStore, err = a.secondSpec(spec); err != nil {
		return err
	}
	// the model within costs nothing until it is used, and to count what others have not seen asks no server
	kind := set.Get("embedder.kind")
	if a.embeds || kind == "" || kind == "box" || a.counts && kind != "ollama" {
		c.Embedder = a.embedder(ctx, set)
		if kind != "none" {
			c.Before = a.env.Embedder
		}
	}
	if a.thinks {
		c.Bounds = llm.Bounds{Timeout: set.Duration("model.timeout"), Budget: set.Int("model.tokens")}
		c.Seed = int64(set.Int("model.seed"))
		if c.LLM, err = a.model(set); err != nil && a.rules {
			a.hint("%v; drafted by rules", err)
			return nil
		}
	}
	return err
}

// model returns who drafts and compares, nil for the rules alone. One that cannot be
// opened is one that answers with the reason.
func (a *app) model(set *settings.Settings) (llm.Generator, error) {
	name, url, key := set.Get("model.name"), set.Get("model.url"), set.Get("model.key")
	kind := set.Get("model.kind")
	switch kind {
	case "", "none":
		return nil, nil
	case "sim":
		return sim.Generator{Seed: int64(set.Int("model.seed"))}, nil
	}
	if name == "" {
		return nil, api.Invalid("model.name is not set; to set it: stemma config set model.name NAME")
	}
	var g llm.Generator
	var err error
	switch kind {
	case "anthropic":
		g, err = anthropic.New(anthropic.Config{Base: url, Model: name, Key: key})
	case "ollama":
		g, err = openai.NewGenerator(openai.GeneratorConfig{Base: or(url, "http://localhost:11434/v1"), Model: name,
			Key: key})
	default:
		g, err = openai.NewGenerator(openai.GeneratorConfig{Base: url, Model: name, Key: key})
	}
	if err != nil {
		return nil, api.Invalid("model: %v", err)
	}
	return g, nil
}

// embedder returns who makes vectors, nil for no one. One that cannot be opened is
// one that answers with the reason, so that words alone do.
func (a *app) embedder(ctx context.Context, set *settings.Settings) llm.Embedder {
	limits := model.Limits{QueryTimeout: set.Duration("embedder.timeout")}
	var e llm.Embedder
	var err error
	model, url, key := set.Get("embedder.model"), set.Get("embedder.url"), set.Get("embedder.key")
	switch kind := set.Get("embedder.kind"); kind {
	case "none":
		return nil
	case "", "box":
		if a.env.Embedder == nil {
			return nil // it is not in this build
		}
		e = a.env.Embedder
	case "openai":
		e, err = openai.New(openai.Config{Base: url, Model: model, Key: key, Dimensions: set.Int("embedder.dimensions")})
	case "ollama":
		ctx, cancel := context.WithTimeout(ctx, set.Duration("embedder.timeout"))
		defer cancel()
		e, err = ollama.Open(ctx, ollama.Config{Base: url, Model: model, Key: key})
	case "static":
		var m *static.Embedder
		if model == "" {
			err = errors.New("embedder.model is not set; set it to the model's directory")
		} else if bert.IsHere(model) {
			e, err = opened(bert.Open(model, bert.Prefixes{}))
		} else if m, err = static.Open(model, static.Options{Cache: filepath.Join(a.cacheDir(), "models")}); err == nil {
			a.closes = append(a.closes, m.Close)
			e = m
		}
	}
	if err != nil {
		return unopened{strings.TrimSpace(set.Get("embedder.kind") + " " + model), err}
	}
	return limits.Checked(e)
}

// unopened is an embedder that could not be opened.
type unopened struct {
	name string
	err  error
}

func (u unopened) Model() string { return u.name }

func (u unopened) Embed(context.Context, llm.Purpose, ...string) ([][]float32, error) {
	return nil, u.err
}

// opened keeps a model that could not be opened from passing for one.
func opened(e *bert.Embedder, err error) (llm.Embedder, error) {
	if err != nil {
		return nil, err
	}
	return e, nil
}
