package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/model/ollama"
	"github.com/stemma-memory/stemma/internal/model/openai"
	"github.com/stemma-memory/stemma/internal/model/static"
	"github.com/stemma-memory/stemma/internal/settings"
	"github.com/stemma-memory/stemma/llm"
	"github.com/stemma-memory/stemma/memory"
)

// settings reads what is set, and says once what was ignored.
func (a *app) settings() (*settings.Settings, error) {
	if a.set != nil {
		return a.set, nil
	}
	project, user := a.configFiles()
	c, err := a.confirmed(user, false)
	if err != nil {
		a.hint("warning: %v", err)
	}
	guard := settings.Guard{User: c, Agent: a.guarded()}
	if data, err := a.dataDir(); project != "" && err == nil {
		if guard.Project, err = settings.OpenProject(data, project); err != nil {
			a.hint("warning: %v", err)
		}
	}
	set, err := settings.LoadGuarded(project, user, a.env.Getenv, guard)
	if err != nil {
		return nil, api.Invalid("settings: %v", err)
	}
	a.set = set
	a.warn(set.Warnings)
	return set, nil
}

// guarded reports whether what is a person's to set must come from them: there is an
// owner here, and this is another program. Where there is no owner yet, as in a
// container that is being made, whoever is there sets it.
func (a *app) guarded() bool {
	keyDir, err := a.keyDir()
	return err == nil && a.origin() != memory.OriginOwner && hasKeys(keyDir)
}

// embedder returns who makes vectors, nil for no one. One that cannot be opened is
// one that answers with the reason, so that words alone do.
func (a *app) embedder(ctx context.Context, set *settings.Settings) llm.Embedder {
	limits := llm.Limits{QueryTimeout: set.Duration("embedder.timeout")}
	var e llm.Embedder
	var err error
	model, url, key := set.Get("embedder.model"), set.Get("embedder.url"), set.Get("embedder.key")
	switch kind := set.Get("embedder.kind"); kind {
	case "", "none":
		return nil
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

func (a *app) embedCmd() *cobra.Command {
	c := cmd("embed", "Compute the vectors for semantic search", `Examples:
  stemma config set embedder.kind static
  stemma config set embedder.model ~/models/potion-base-8M
  stemma embed
  stemma embed --limit 1000`)
	var in api.EmbedRequest
	c.Flags().IntVar(&in.Limit, "limit", 0, "maximum number of records (default: all)")
	c.Args = cobra.NoArgs
	c.RunE = func(cmd *cobra.Command, args []string) error {
		a.embeds = true
		bar := a.progress(-1, "records")
		do := func(ctx context.Context, in api.EmbedRequest) (api.EmbedReply, error) {
			defer bar.end()
			return callAt(ctx, a, (*engine.Engine).Embed, (*engine.Engine).EmbedProgress, in, bar.at)
		}
		return verbAs(a, do, func([]string) (api.EmbedRequest, error) { return in, nil }, func(r api.EmbedReply) error {
			fmt.Fprintf(a.env.Stdout, "%s computed for %s by %s", count(r.Made, "vector", "vectors"),
				count(r.Looked, "record", "records"), line(r.Model, 80))
			if r.Left > 0 {
				fmt.Fprintf(a.env.Stdout, ", %s left", count(r.Left, "record", "records"))
			}
			fmt.Fprintln(a.env.Stdout)
			return nil
		})(cmd, args)
	}
	return c
}
