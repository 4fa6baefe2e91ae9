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
empty homes that it removes. Each scenario is played twice. In the second time
("told") an agent calls 'correct' where the answer to 'remember' names the memory
that is no longer so; the scenario says which one that is.

  current@1    questions whose first result says what is so now
  current@3    the same, within the first three results
  stale        questions answered with something no longer so, unmarked
  stale first  questions whose first result is no longer so, marked or not
  start        facts that a session must begin with, and does
  kept         statements with a memory when 'remember' returns
  once         repeated facts with one memory
  silence      questions about what was never said, unanswered
  person       decisions that wait for a person, per 100 statements

Of statements whose scenario says what they touch:

  named        changes: the answer names what is no longer so
  astray       changes: it does not, and has a link to something else
  near         nothing is touched, and the answer names memories anyway
  wrong links  nothing is touched, and there is a link, per 100
  open         results marked as undecided, in the second and sixth session
  links        proposed links: undecided at some time, then decided, dropped`,
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
	bar := a.progress(2*steps, "steps")
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
