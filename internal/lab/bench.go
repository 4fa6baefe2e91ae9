package lab

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/bench"
	"github.com/stemma-memory/stemma/internal/cli"
	"github.com/stemma-memory/stemma/internal/plain"
)

func (l *lab) benchCmd() *cobra.Command {
	c := cmd("bench [verbs]", "Measure how fast stemma is on this machine", `Examples:
  stemma-lab bench
  stemma-lab bench --records 100000
  stemma-lab bench verbs --records 1000,100000

stemma makes a store of generated conversations in a temporary directory, measures it
by turns with SQLite alone, with the disk and with reading the same bytes, and removes
it. Nothing else should run meanwhile. Your own store is not touched.

  ms       what half of the turns took at most, by the clock; p95: 95 of 100
  against  what it is measured against, and what half of those took
  ratio    how many times as long stemma took`)
	c.Args = cobra.NoArgs
	records := c.Flags().Int("records", 10_000, "how many records the store has")
	l.runs(c)
	c.RunE = func(cmd *cobra.Command, _ []string) error {
		if l.Store() != "" {
			return cli.Ran(api.Invalid("bench --store: bench measures with temporary SQLite files; " +
				"to measure a PostgreSQL server, use 'stemma-lab bench verbs --store ADDRESS'"))
		}
		o, err := l.benchOptions([]int{*records})
		if err != nil {
			return cli.Ran(err)
		}
		defer os.RemoveAll(o.Dir)
		at, end := l.Progress(bench.Steps, "measures")
		defer end()
		o.Progress = at
		report, err := bench.Run(cmd.Context(), o)
		if err != nil {
			return cli.Ran(err)
		}
		if l.JSON() {
			return l.PrintJSON(report)
		}
		l.showBench(report)
		return nil
	}
	c.AddCommand(l.benchVerbs())
	return c
}

func (l *lab) benchVerbs() *cobra.Command {
	c := &cobra.Command{
		Use: "verbs", Short: "Measure verbs on stores of several sizes",
		Long: `Examples:
  stemma-lab bench verbs
  stemma-lab bench verbs --records 1000,100000,1000000
  stemma-lab bench verbs --only 'status|^list'
  stemma-lab bench verbs --store postgres://localhost/test --postmaster 812
  stemma-lab bench verbs --records 1000000 --keep stores --only audit

Each verb is a process from start to end; page is a server that is asked for the first
view. Processor time is of all cores, the user's and the system's; memory is the most
that the process held. With --postmaster, the process ID in postmaster.pid of a server on
this machine, the time of the server is measured too. --keep leaves the stores in a
directory and measures those that are there. A store of 1,000,000 records takes 1.3 GB
and some 15 minutes.`,
		Args: cobra.NoArgs,
	}
	f := c.Flags()
	records := f.IntSlice("records", []int{1000, 10_000}, "how many records each store has")
	only := f.String("only", "", "only verbs that match this regular expression")
	keep := f.String("keep", "", "keep the stores in this directory, and use those that are there")
	serving := f.Int("postmaster", 0, "process ID of the PostgreSQL server, to measure its time too")
	l.runs(c)
	c.RunE = func(cmd *cobra.Command, _ []string) (err error) {
		wanted, err := regexp.Compile(*only)
		if err != nil {
			return cli.Ran(api.Invalid("bench verbs --only: %v", err))
		}
		n := len(*records) * bench.CountVerbs(wanted.MatchString)
		if n == 0 {
			return cli.Ran(api.Invalid("bench verbs --only: no verb matches %q; without --only, all are measured", *only))
		}
		places := scratch{server: l.Store()}
		if err := places.check("bench verbs"); err != nil {
			return cli.Ran(err)
		}
		o, err := l.benchOptions(*records)
		if err != nil {
			return cli.Ran(err)
		}
		scratch := o.Dir
		defer os.RemoveAll(scratch)
		if places.server != "" {
			o.Server, o.Serving = places.next, *serving
			defer func() { err = errors.Join(err, places.drop(cmd.Context())) }()
		}
		if *keep != "" {
			if o.Dir, err = keptDir(*keep); err != nil {
				return cli.Ran(err)
			}
			if o.Keep = true; places.server != "" {
				o.Server = places.kept
			}
		}
		at, end := l.Progress(n, "verbs")
		defer end()
		o.Progress, o.Verbs = at, wanted.MatchString
		report, err := bench.Verbs(cmd.Context(), o)
		if err != nil {
			return cli.Ran(err)
		}
		if l.JSON() {
			return l.PrintJSON(report)
		}
		l.showVerbs(report, *records)
		return nil
	}
	return c
}

// benchOptions makes the directory that is measured in.
func (l *lab) benchOptions(records []int) (o bench.Options, err error) {
	for _, n := range records {
		if n < bench.LeastRecords || n > bench.MostRecords {
			return o, api.Invalid("bench --records: must be from %d to %d, got %d", bench.LeastRecords, bench.MostRecords, n)
		}
	}
	o.Records, o.Getenv = records, l.Getenv
	if o.Program, err = l.stemma(); err != nil {
		return o, err
	}
	if o.Dir, err = os.MkdirTemp("", "stemma-bench-*"); err != nil {
		return o, fmt.Errorf("bench: %w", err)
	}
	return o, nil
}

// keptDir makes the directory in which stores are kept, and returns its whole path.
func keptDir(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err == nil {
		err = os.MkdirAll(dir, 0o700)
	}
	if err != nil {
		return "", api.Invalid("bench verbs --keep: %v", err)
	}
	return dir, nil
}

func (l *lab) showBench(r bench.Report) {
	cols := []cli.Column{{Title: "Measure", Wide: true}}
	for _, title := range []string{"ms", "p95", "per second", "against", "ms", "ratio"} {
		cols = append(cols, cli.Column{Title: title, Right: title != "against"})
	}
	var rows [][]string
	for _, m := range r.Measures {
		pace := ""
		if m.PerSecond > 0 {
			pace = fmt.Sprintf("%.0f %s", m.PerSecond, m.Unit)
		}
		rows = append(rows, []string{m.What, figure(m.Median), figure(m.P95), pace, m.Against, figure(m.Other),
			fmt.Sprintf("%.2f", m.Ratio)})
	}
	l.Table(cols, rows)
	fmt.Fprintf(l.Stdout, "\n%d records, %.1f MB; %s, %s, %s\n", r.Records, float64(r.Bytes)/1e6, r.System,
		count(r.Cores, "core", "cores"), r.Go)
}

// showVerbs prints a line for each verb, with the processor time and the memory on each store.
func (l *lab) showVerbs(r bench.VerbsReport, records []int) {
	cols := []cli.Column{{Title: "Verb", Wide: true}}
	served := slices.ContainsFunc(r.Verbs, func(v bench.Verb) bool { return v.Server > 0 })
	for _, n := range records {
		cols = append(cols, cli.Column{Title: fmt.Sprintf("%d, ms", n), Right: true})
		if served {
			cols = append(cols, cli.Column{Title: "server", Right: true})
		}
		cols = append(cols, cli.Column{Title: "MB", Right: true})
	}
	var names, failed []string
	cells := make(map[string][]string)
	for _, v := range r.Verbs {
		if cells[v.Verb] == nil {
			names = append(names, v.Verb)
			cells[v.Verb] = []string{v.Verb}
		}
		at := figure(v.Processor)
		if v.Failed != "" {
			at = "failed"
			failed = append(failed, v.Failed)
		}
		if cells[v.Verb] = append(cells[v.Verb], at); served {
			cells[v.Verb] = append(cells[v.Verb], figure(v.Server))
		}
		cells[v.Verb] = append(cells[v.Verb], figure(v.Peak))
	}
	var rows [][]string
	for _, name := range names {
		rows = append(rows, cells[name])
	}
	l.Table(cols, rows)
	fmt.Fprintf(l.Stdout, "\nms: of the processor, all cores; MB: the most memory held; %s, %s\n",
		r.System, count(r.Cores, "core", "cores"))
	for _, why := range slices.Compact(failed) {
		fmt.Fprintln(l.Stdout, plain.Text(why))
	}
}

// figure prints a number with as many digits as say something.
func figure(x float64) string {
	switch {
	case x == 0:
		return ""
	case x < 10:
		return fmt.Sprintf("%.2f", x)
	case x < 100:
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.0f", x)
}
