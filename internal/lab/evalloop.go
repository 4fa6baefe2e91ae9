package lab

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/cli"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/loop"
	"github.com/stemma-memory/stemma/internal/pack"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
	"github.com/stemma-memory/stemma/memory"
)

func (l *lab) evalLoop() *cobra.Command {
	c := &cobra.Command{
		Use: "loop [FILE…]", Short: "Measure what an agent gets in its daily work",
		Long: `Examples:
  stemma-lab eval loop
  stemma-lab eval loop --verbose
  stemma-lab eval loop --json my-team.txt

Plays an agent's sessions, in which something is said, corrected and needed later:
the scenarios that stemma ships, or your own. Runs stemma as a host does, in
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
	l.runs(c)
	c.RunE = func(cmd *cobra.Command, args []string) error {
		all, err := scenarios(args)
		if err != nil {
			return cli.Ran(err)
		}
		report, err := l.evaluateLoop(cmd.Context(), all)
		if err != nil {
			return cli.Ran(err)
		}
		if l.JSON() {
			return l.PrintJSON(report)
		}
		l.showLoop(report, verbose)
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

func (l *lab) evaluateLoop(ctx context.Context, all []loop.Scenario) (loop.Report, error) {
	program, err := l.stemma()
	if err != nil {
		return loop.Report{}, err
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
	at, end := l.Progress(2*steps, "steps")
	defer end()
	return loop.Run(ctx, all, l.loopOptions(program, dir, at))
}

// loopOptions say how agents are played.
func (l *lab) loopOptions(program, dir string, at func(int)) loop.Options {
	return loop.Options{
		Program: program, Dir: dir, Getenv: l.Getenv, Tokens: pack.Estimate, Progress: at,
		Person: func(ctx context.Context, data string, at time.Time) (*engine.Engine, error) {
			return engine.Open(ctx, filepath.Join(data, "memory.db"), engine.Config{
				Databases: sqlstore.Databases{},
				KeyDir:    filepath.Join(data, "keys"), Data: data, Origin: memory.OriginOwner, Now: cli.ClockFrom(at),
			})
		},
	}
}
