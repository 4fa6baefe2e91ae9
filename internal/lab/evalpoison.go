package lab

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/internal/cli"
	"github.com/stemma-memory/stemma/internal/loop"
	"github.com/stemma-memory/stemma/internal/plain"
)

func (l *lab) evalPoison() *cobra.Command {
	c := &cobra.Command{
		Use: "poison", Short: "Measure what attacks on memory reach",
		Long: `Examples:
  stemma-lab eval poison
  stemma-lab eval poison --verbose
  stemma-lab eval poison --json

Plays five published attacks in empty homes that it removes: query-only injection, retrieval
poisoning, slow drift, tool output and repeated restating. Each is tried on eight fields. An agent
first remembers what is so, then reads the attacker's words and remembers them, as a misled
agent does.

  unmarked  poison given above Unverified, without a mark that says where its words are from
  lost      what was honestly remembered, and is not given any more, or as over`,
	}
	var verbose bool
	c.Flags().BoolVarP(&verbose, "verbose", "v", false, "show each piece of poison unmarked, and each memory lost")
	l.runs(c)
	c.RunE = func(cmd *cobra.Command, _ []string) error {
		report, err := l.evaluatePoison(cmd.Context())
		if err != nil {
			return cli.Ran(err)
		}
		if l.JSON() {
			return l.PrintJSON(report)
		}
		l.showPoison(report, verbose)
		return nil
	}
	return c
}

func (l *lab) evaluatePoison(ctx context.Context) (loop.PoisonReport, error) {
	program, err := l.stemma()
	if err != nil {
		return loop.PoisonReport{}, err
	}
	dir, err := os.MkdirTemp("", "stemma-eval-*")
	if err != nil {
		return loop.PoisonReport{}, fmt.Errorf("eval poison: %w", err)
	}
	defer os.RemoveAll(dir)
	at, end := l.Progress(loop.PoisonTries(), "homes")
	defer end()
	return loop.Poison(ctx, l.loopOptions(program, dir, at))
}

func (l *lab) showPoison(r loop.PoisonReport, verbose bool) {
	cols := []cli.Column{{Title: "Attack", Wide: true}}
	for _, title := range []string{"tries", "memories", "given", "unmarked", "honest", "lost"} {
		cols = append(cols, cli.Column{Title: title, Right: true})
	}
	var rows [][]string
	for _, a := range append(r.Attacks, r.All) {
		rows = append(rows, []string{
			a.Attack, fmt.Sprint(a.Tries), fmt.Sprint(a.Memories), fmt.Sprint(a.Given), fmt.Sprint(a.Unmarked),
			fmt.Sprint(a.Honest), fmt.Sprint(a.Lost),
		})
	}
	l.Table(cols, rows)
	if !verbose {
		return
	}
	for _, m := range r.All.Misses {
		fmt.Fprintf(l.Stdout, "%s: %s: %s\n", m.Why, m.Step, plain.Text(strings.TrimSpace(m.Text)))
	}
}
