package cli

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/llm"
)

// A Program is another program with the settings, tables and errors of this command line, and
// with verbs of its own.
type Program struct {
	Stdout io.Writer
	Getenv func(string) string

	a *app
}

// A Column is one of a table's. A wide one holds words and takes what room there is.
type Column struct {
	Title       string
	Right, Wide bool
}

// RunProgram carries out args with the verbs of another program and returns the exit code.
func RunProgram(ctx context.Context, args []string, env Env, root *cobra.Command,
	verbs func(*Program) []*cobra.Command) int {
	a := &app{env: env, program: root.Name()}
	root.SilenceErrors, root.SilenceUsage = true, true
	root.SetIn(env.Stdin)
	root.SetOut(env.Stdout)
	root.SetErr(env.Stderr)
	root.PersistentPreRunE = func(*cobra.Command, []string) (err error) {
		if a.flags.store, err = a.expanded("--store", a.flags.store); err != nil {
			return ran{err}
		}
		return nil
	}
	f := root.PersistentFlags()
	f.StringVar(&a.flags.store, "store", "", "PostgreSQL server to measure on: a postgres:// address")
	f.BoolVar(&a.flags.json, "json", false, "print the answer as JSON")
	f.StringVar(&a.flags.color, "color", "auto", "colour the output: auto, always or never")
	root.AddCommand(verbs(&Program{Stdout: env.Stdout, Getenv: env.Getenv, a: a})...)
	root.SetArgs(args)
	defer context.AfterFunc(ctx, a.hush)()
	c, err := root.ExecuteContextC(ctx)
	return a.finish(ctx, c, err)
}

// Ran marks an error of what was understood and could not be done: the exit code is not that of a
// mistake on the command line.
func Ran(err error) error { return ran{err} }

// JSON reports whether the answer is JSON.
func (p *Program) JSON() bool { return p.a.flags.json }

// Store is the store that was named, "" for none.
func (p *Program) Store() string { return p.a.flags.store }

// Embedder is the embedder that is set, by default the model within the program; nil is none.
func (p *Program) Embedder(ctx context.Context) (llm.Embedder, error) {
	set, err := p.a.settings()
	if err != nil {
		return nil, err
	}
	return p.a.embedder(ctx, set), nil
}

// Progress shows on a terminal how many of a total were done, as at says, until end.
func (p *Program) Progress(total int, what string) (at func(int), end func()) {
	b := p.a.progress(total, what)
	return b.at, b.end
}

// PrintJSON writes a report as JSON.
func (p *Program) PrintJSON(v any) error { return p.a.printJSON(v) }

// Warn says what was not as it should be.
func (p *Program) Warn(warnings []string) { p.a.warn(warnings) }

// Table prints rows under their titles.
func (p *Program) Table(cols []Column, rows [][]string) {
	own := make([]column, len(cols))
	for i, c := range cols {
		own[i] = column{title: c.Title, right: c.Right, wide: c.Wide}
	}
	p.a.table(p.Stdout, own, rows)
}

// gone are verbs that this program had, and what does their work now.
var gone = map[string]string{
	"eval":   "measuring is a program of its own: use 'stemma-lab eval'",
	"bench":  "measuring is a program of its own: use 'stemma-lab bench'",
	"browse": "the terminal browser is gone: use 'stemma ui' or 'stemma trace'",
}

// errGone says that a verb is gone.
type errGone string

func (e errGone) Error() string { return string(e) }
