package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/loop"
	"github.com/stemma-memory/stemma/internal/pack"
	"github.com/stemma-memory/stemma/memory"
)

func (a *app) evalLoop() *cobra.Command {
	c := &cobra.Command{
		Use: "loop [FILE…]", Short: "Measure what an agent gets in its daily work",
		Long: `Examples:
  stemma eval loop
  stemma eval loop --verbose
  stemma eval loop --json my-team.txt

Plays an agent's sessions, in which something is said, corrected and needed later:
the scenarios that stemma ships, or your own. Runs this program as a host does, in
empty homes that it removes.

  current@1  questions whose first result says what is so now
  current@3  the same, within the first three results
  stale      questions answered with something no longer so, unmarked
  start      facts that a session must begin with, and does
  kept       statements with a memory when 'remember' returns
  once       repeated facts with one memory
  silence    questions about what was never said, unanswered
  person     decisions that wait for a person, per 100 statements`,
	}
	var verbose bool
	c.Flags().BoolVarP(&verbose, "verbose", "v", false, "show each scenario, and each step that failed")
	c.RunE = func(cmd *cobra.Command, args []string) error {
		all, err := scenarios(args)
		if err != nil {
			return ran{err}
		}
		report, err := a.evaluateLoop(cmd.Context(), all)
		if err != nil {
			return ran{err}
		}
		if a.flags.json {
			return a.printJSON(report)
		}
		a.showLoop(report, verbose)
		return nil
	}
	return c
}

// scenarios reads files, or what is shipped where none is named.
func scenarios(files []string) ([]loop.Scenario, error) {
	if len(files) == 0 {
		return loop.Shipped()
	}
	var all []loop.Scenario
	for _, path := range files {
		f, err := os.Open(path)
		if err != nil {
			return nil, api.Invalid("eval loop: %v", err)
		}
		s, err := loop.Read(path, f)
		f.Close()
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

func (a *app) evaluateLoop(ctx context.Context, all []loop.Scenario) (loop.Report, error) {
	program, err := os.Executable()
	if err != nil {
		return loop.Report{}, fmt.Errorf("eval loop: %w", err)
	}
	dir, err := os.MkdirTemp("", "stemma-eval-*")
	if err != nil {
		return loop.Report{}, fmt.Errorf("eval loop: %w", err)
	}
	defer os.RemoveAll(dir)
	steps := 0
	for _, s := range all {
		for _, session := range s.Sessions {
			steps += len(session.Steps)
		}
	}
	bar := a.progress(steps, "steps")
	defer bar.end()
	return loop.Run(ctx, all, loop.Options{
		Program: program, Dir: dir, Getenv: a.env.Getenv, Tokens: pack.Estimate, Progress: bar.at,
		Person: func(ctx context.Context, data string, at time.Time) (*engine.Engine, error) {
			return engine.Open(ctx, filepath.Join(data, storeFile), engine.Config{
				KeyDir: filepath.Join(data, keysDir), Data: data, Origin: memory.OriginOwner, Now: clockFrom(at),
			})
		},
	})
}

// clockFrom returns a clock that shows at now.
func clockFrom(at time.Time) func() time.Time {
	ahead := time.Until(at)
	return func() time.Time { return time.Now().Add(ahead) }
}

// measuredClock returns the clock of a program that 'eval loop' runs, or nil. Only a data
// directory that was made for a measurement has one.
func (a *app) measuredClock(data string) func() time.Time {
	text := a.env.Getenv(loop.ClockVariable)
	if text == "" {
		return nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if _, statErr := os.Stat(filepath.Join(data, loop.ClockFile)); err != nil || statErr != nil {
		return nil
	}
	return clockFrom(at)
}

func (a *app) showLoop(r loop.Report, verbose bool) {
	cols := []column{{title: "Scenario", wide: true}}
	for _, title := range []string{
		"current@1", "current@3", "stale", "start", "kept", "once", "silence", "person",
	} {
		cols = append(cols, column{title: title, right: true})
	}
	var rows [][]string
	if verbose {
		for _, s := range r.Scenarios {
			rows = append(rows, loopRow(s.Scenario, s))
		}
	}
	rows = append(rows, loopRow("all", r.All))
	a.table(a.env.Stdout, cols, rows)
	t := r.All.Tokens
	fmt.Fprintf(a.env.Stdout, "\n%s; tokens, estimated: definitions %d, five results %d, remember %d, longest start %d\n",
		count(len(r.Scenarios), "scenario", "scenarios"), t.Definitions, t.Hits, t.Remember, r.All.Start.Tokens)
	if !verbose {
		return
	}
	for _, s := range r.Scenarios {
		for _, m := range s.Misses {
			fmt.Fprintf(a.env.Stdout, "%s, line %d, %s: %s\n    %s\n",
				clean(s.Scenario), m.Line, m.Step, clean(m.Text), clean(m.Why))
		}
	}
}

func loopRow(name string, r loop.Result) []string {
	share := func(s loop.Share) string {
		if s.Wanted == 0 {
			return "–"
		}
		return fmt.Sprintf("%.2f", s.Of())
	}
	row := []string{clean(name), "–", "–", fmt.Sprintf("%d of %d", r.Stale.Given, r.Stale.Asked)}
	if r.Current.Asked > 0 {
		row[1], row[2] = fmt.Sprintf("%.2f", r.Current.At1()), fmt.Sprintf("%.2f", r.Current.At3())
	}
	return append(row, share(r.Start.Share), share(r.Kept), share(r.Once), share(r.Silence),
		fmt.Sprintf("%.0f", r.PerHundred()))
}
