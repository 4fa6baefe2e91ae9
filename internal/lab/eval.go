package lab

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/cli"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/eval"
	"github.com/stemma-memory/stemma/internal/importers"
	"github.com/stemma-memory/stemma/internal/plain"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
)

// evalOptions are the flags of the evaluation.
type evalOptions struct {
	observations bool
	plain        bool
	verbose      bool
}

func (l *lab) evalCmd() *cobra.Command {
	c := cmd("eval locomo FILE… | loop | poison", "Measure what stemma finds and gives", `Examples:
  stemma-lab eval locomo 26.json 30.json
  stemma-lab eval locomo --plain --verbose locomo10.json
  stemma-lab eval locomo --json 26.json
  stemma-lab eval locomo --store postgres://localhost/test 26.json

stemma does not touch your store. It imports each conversation into a temporary
SQLite store, or with --store into a temporary schema on that PostgreSQL server`)
	c.AddCommand(l.evalLoCoMo(), l.evalLoop(), l.evalPoison())
	return c
}

func (l *lab) evalLoCoMo() *cobra.Command {
	c := &cobra.Command{
		Use: "locomo FILE…", Short: "Evaluate on LoCoMo conversations, next to plain BM25",
		Long: `Examples:
  stemma-lab eval locomo 26.json 30.json
  stemma-lab eval locomo --plain --verbose locomo10.json
  stemma-lab eval locomo --store postgres://localhost/test 26.json

Asks each conversation's questions and looks for the turns that answer them:

  N             questions whose answer turn exists
  R@5 …         share of the answer turns in the first 5, 10, 20 results
  hit@1 …       questions with an answer turn in the first 1, 5, 10 results
  MRR           mean of 1 / rank of the first answer turn
  nDCG          quality of the order of the first 10 results, 0 to 1
  ms, p95       median and 95th percentile of the search time`,
		Args: cobra.MinimumNArgs(1),
	}
	var o evalOptions
	f := c.Flags()
	f.BoolVar(&o.observations, "observations", false,
		"also import the data set's observations and summaries (written by a model)")
	f.BoolVar(&o.plain, "plain", false, "also show plain BM25 by kind of question")
	f.BoolVarP(&o.verbose, "verbose", "v", false, "show each conversation")
	c.RunE = func(cmd *cobra.Command, args []string) error {
		var all []eval.Conversation
		questions := 0
		for _, path := range args {
			some, err := eval.Read(path, importers.LoCoMo)
			if err != nil {
				return cli.Ran(err)
			}
			for _, s := range some {
				questions += len(s.Questions)
			}
			all = append(all, some...)
		}
		report, err := l.evaluate(cmd.Context(), all, questions, o)
		if err != nil {
			return cli.Ran(err)
		}
		if l.JSON() {
			return l.PrintJSON(report)
		}
		l.showEval(report, o, args)
		return nil
	}
	return c
}

// evaluate measures with stores in a directory that is thrown away, and with the
// embedder that is set.
func (l *lab) evaluate(ctx context.Context, all []eval.Conversation, questions int,
	o evalOptions) (report eval.Report, err error) {
	embedder, err := l.Embedder(ctx)
	if err != nil {
		return eval.Report{}, err
	}
	dir, err := os.MkdirTemp("", "stemma-eval-*")
	if err != nil {
		return eval.Report{}, fmt.Errorf("eval: %w", err)
	}
	defer os.RemoveAll(dir)
	places := scratch{dir: dir, server: l.Store()}
	if err := places.check("eval"); err != nil {
		return eval.Report{}, err
	}
	defer func() { err = errors.Join(err, places.drop(ctx)) }()
	open := func(ctx context.Context, clock func() time.Time) (*engine.Engine, error) {
		spec, err := places.next(ctx)
		if err != nil {
			return nil, err
		}
		return engine.Open(ctx, spec, engine.Config{
			Databases: sqlstore.Databases{}, KeyDir: filepath.Join(dir, "keys"), Now: clock, Embedder: embedder,
		})
	}
	ready := func(ctx context.Context, e *engine.Engine) error {
		_, err := e.Embed(ctx, api.EmbedRequest{})
		return err
	}
	if embedder == nil {
		ready = nil
	}
	at, end := l.Progress(questions, "questions")
	defer end()
	return eval.Run(ctx, all, eval.Options{
		Open: open, Ready: ready, Store: places.engine(), Observations: o.observations, Progress: at,
		Packs: true,
	})
}

// scratch makes the stores of an evaluation: files in a directory, or schemas on a
// server.
type scratch struct {
	dir    string
	server string // "" is none
	made   int
	last   func(context.Context) error // removes the schema made last; nil where there is none
}

func (s *scratch) check(verb string) error {
	if s.server == "" || store.IsPostgres(s.server) {
		return nil
	}
	return api.Invalid("%s --store: must be a PostgreSQL address such as postgres://user@host/database; "+
		"without it, %[1]s uses temporary SQLite files; got %q", verb, shorten.To(s.server, 80))
}

func (s *scratch) engine() string {
	if s.server == "" {
		return "SQLite"
	}
	return "PostgreSQL"
}

func (s *scratch) next(ctx context.Context) (string, error) {
	s.made++
	if s.server == "" {
		return filepath.Join(s.dir, fmt.Sprintf("%d.db", s.made)), nil
	}
	// the last is closed: on a server with one session for all only one can be there
	if err := s.drop(ctx); err != nil {
		return "", err
	}
	spec, drop, err := sqlstore.Scratch(ctx, s.server, rand.Reader)
	if err == nil {
		s.last = drop
	}
	return spec, err
}

// kept makes a place on the server that stays.
func (s *scratch) kept(ctx context.Context) (string, error) {
	spec, _, err := sqlstore.Scratch(ctx, s.server, rand.Reader)
	return spec, err
}

// drop removes the schemas on the server, also after an interrupted run.
func (s *scratch) drop(ctx context.Context) error {
	if s.last == nil {
		return nil
	}
	last := s.last
	s.last = nil
	return last(context.WithoutCancel(ctx))
}

func (l *lab) showEval(r eval.Report, o evalOptions, files []string) {
	var cols []cli.Column
	for _, title := range strings.Fields("Questions N R@5 R@10 R@20 hit@1 hit@5 hit@10 MRR nDCG ms p95") {
		cols = append(cols, cli.Column{Title: title, Right: len(cols) > 0, Wide: len(cols) == 0})
	}
	rows := figureRows("", r.Search, true)
	rows = append(rows, figureRows("plain BM25", r.Plain, o.plain)...)
	if o.verbose {
		for _, c := range r.Conversations {
			rows = append(rows, figureRows(plain.Text(c.Name), c.Search, false)...)
			rows = append(rows, figureRows(plain.Text(c.Name)+", plain", c.Plain, false)...)
		}
	}
	l.Table(cols, rows)
	fmt.Fprintln(l.Stdout)
	cols, rows = nil, nil
	for _, title := range []string{"Packs of", "evidence", "plain BM25", "turns", "tokens, estimated"} {
		cols = append(cols, cli.Column{Title: title, Right: true})
	}
	for _, p := range r.Packs {
		rows = append(rows, []string{
			fmt.Sprint(p.Budget), fmt.Sprintf("%.3f", p.Evidence), fmt.Sprintf("%.3f", p.Plain),
			fmt.Sprintf("%.1f", p.Turns), fmt.Sprintf("%.0f", p.Used),
		})
	}
	l.Table(cols, rows)
	imported := "turns only"
	if r.Settings.Observations {
		imported = "turns, observations and summaries"
	}
	w := l.Stdout
	conversations := "1 conversation"
	if n := len(r.Conversations); n > 1 {
		conversations = fmt.Sprintf("%d conversations", n)
	}
	fmt.Fprintf(w, "\n%s, %d turns; imported: %s; store: %s; embedder: %s; asked on %s\n",
		conversations, r.Turns, imported, r.Settings.Store, plain.Text(r.Settings.Embedder), r.Settings.AskedAt)
	repeat := "stemma-lab eval locomo"
	if l.Store() != "" {
		repeat += " --store postgres://…"
	}
	if r.Settings.Observations {
		repeat += " --observations"
	}
	fmt.Fprintf(w, "to repeat: %s %s\n", repeat, plain.Text(strings.Join(files, " ")))
	l.Warn(r.Warnings)
}

// figureRows are the lines of a table of figures: that of all questions, under
// the name of what was measured, and those of each kind.
func figureRows(name string, t eval.Table, byKind bool) [][]string {
	label := name
	if label == "" {
		label = t.All.Of
	}
	rows := [][]string{figureRow(label, t.All)}
	if byKind {
		for _, f := range t.Kinds {
			rows = append(rows, figureRow("  "+f.Of, f))
		}
	}
	return rows
}

func figureRow(label string, f eval.Figures) []string {
	row := []string{label, fmt.Sprint(f.Questions)}
	for _, share := range []float64{
		f.Recall5, f.Recall10, f.Recall20, f.Hit1, f.Hit5, f.Hit10, f.MRR, f.NDCG10,
	} {
		row = append(row, strings.TrimPrefix(fmt.Sprintf("%.3f", share), "0"))
	}
	for _, ms := range []float64{f.Median, f.P95} {
		cell := "–" // what is not timed
		if ms > 0 {
			cell = fmt.Sprintf("%.1f", ms)
		}
		row = append(row, cell)
	}
	return row
}
