package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma"
	"github.com/stemma-memory/stemma/internal/model/ollama"
	"github.com/stemma-memory/stemma/internal/model/openai"
	"github.com/stemma-memory/stemma/internal/model/static"
	"github.com/stemma-memory/stemma/internal/settings"
	"github.com/stemma-memory/stemma/llm"
)

// settings reads what is set, and says once what was ignored.
func (a *app) settings() (*settings.Settings, error) {
	if a.set != nil {
		return a.set, nil
	}
	project, user := a.configFiles()
	set, err := settings.Load(project, user, a.env.Getenv)
	if err != nil {
		return nil, stemma.Invalid("settings: %v", err)
	}
	a.set = set
	a.warn(set.Warnings)
	return set, nil
}

// embedder gives who makes vectors, nil for nobody. One that cannot be opened is
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
			err = errors.New("embedder.model is not set: name the model's directory")
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
	c := cmd(groupStore, "embed", "Make the vectors that searches by meaning need", `Examples:
  stemma config set embedder.kind static
  stemma config set embedder.model ~/models/potion-base-8M
  stemma embed
  stemma embed --limit 1000`)
	var in stemma.EmbedRequest
	c.Flags().IntVar(&in.Limit, "limit", 0, "records to look at (default all)")
	c.Args = cobra.NoArgs
	c.RunE = func(cmd *cobra.Command, args []string) error {
		a.embeds = true
		bar := a.progress(-1, "records")
		do := func(ctx context.Context, in stemma.EmbedRequest) (stemma.EmbedReply, error) {
			defer bar.end()
			return callAt(ctx, a, (*stemma.Engine).Embed, (*stemma.Engine).EmbedProgress, in, bar.at)
		}
		return verbAs(a, do, func([]string) (stemma.EmbedRequest, error) { return in, nil }, func(r stemma.EmbedReply) error {
			fmt.Fprintf(a.env.Stdout, "%s made of %s by %s", count(r.Made, "vector", "vectors"), count(r.Looked, "record", "records"), line(r.Model, 80))
			if r.Left > 0 {
				fmt.Fprintf(a.env.Stdout, ", %s to go", count(r.Left, "record", "records"))
			}
			fmt.Fprintln(a.env.Stdout)
			return nil
		})(cmd, args)
	}
	return c
}

func (a *app) configCmd() *cobra.Command {
	c := cmd(groupStore, "config list | get | set | unset", "What is set, and where", `Examples:
  stemma config list
  stemma config set embedder.kind ollama
  stemma config set embedder.model nomic-embed-text
  stemma config set pack.budget 1500 --project
  stemma config unset embedder.kind`)
	list := &cobra.Command{Use: "list", Short: "Show every setting, its value and where it is from", Args: cobra.NoArgs}
	list.RunE = func(*cobra.Command, []string) error {
		set, err := a.settings()
		if err != nil {
			return ran{err}
		}
		if a.flags.json {
			return a.printJSON(map[string]any{"settings": jsonSettings(set.All())})
		}
		var rows [][]string
		for _, e := range set.All() {
			rows = append(rows, []string{e.Key, line(or(e.Value, "-"), 60), line(e.Source, 60), e.Doc})
		}
		a.table(a.env.Stdout, []column{{title: "Key"}, {title: "Value"}, {title: "From"}, {title: "What it is", wide: true}}, rows)
		return nil
	}
	get := &cobra.Command{Use: "get KEY", Short: "Show one value", Args: cobra.ExactArgs(1)}
	get.RunE = func(_ *cobra.Command, args []string) error {
		set, err := a.settings()
		if err != nil {
			return ran{err}
		}
		for _, e := range set.All() {
			if e.Key == args[0] {
				fmt.Fprintln(a.env.Stdout, clean(e.Value))
				return nil
			}
		}
		return ran{stemma.Invalid("there is no setting %q; 'stemma config list' shows all", args[0])}
	}
	write := func(use, short string, n int, do func(path string, args []string) error) *cobra.Command {
		w := &cobra.Command{Use: use, Short: short, Args: cobra.ExactArgs(n)}
		w.RunE = func(_ *cobra.Command, args []string) error {
			path, err := a.configPath(args[0])
			if err == nil {
				err = do(path, args)
			}
			if _, is := errors.AsType[notYours](err); is {
				return ran{err}
			}
			if err != nil {
				return ran{stemma.Invalid("%v", err)}
			}
			a.hint("written to %s", path)
			return nil
		}
		return w
	}
	c.AddCommand(list, get,
		write("set KEY VALUE", "Set a value in your own file, or with --project in the project's", 2,
			func(path string, args []string) error { return settings.Set(path, args[0], args[1]) }),
		write("unset KEY", "Take a value out again", 1,
			func(path string, args []string) error { return settings.Unset(path, args[0]) }))
	c.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	return c
}

// jsonSettings gives settings with lower-case names.
func jsonSettings(all []settings.Entry) []map[string]string {
	out := make([]map[string]string, len(all))
	for i, e := range all {
		out[i] = map[string]string{"key": e.Key, "value": e.Value, "source": e.Source, "doc": e.Doc}
	}
	return out
}

// configPath is the file that config set writes: the user's own, or with
// --project the project's, where a key may stand there.
func (a *app) configPath(key string) (string, error) {
	project, user := a.configFiles()
	if !a.flags.project {
		if user == "" {
			return "", fmt.Errorf("no place for settings: set HOME or XDG_CONFIG_HOME")
		}
		return user, nil
	}
	if project == "" {
		return "", a.noProject()
	}
	for _, k := range settings.Keys() {
		if k.Key == key && !k.ProjectMay {
			return "", fmt.Errorf("%s cannot be set by a project: it decides where memory goes. Leave out --project to set it for yourself", key)
		}
	}
	return project, nil
}
