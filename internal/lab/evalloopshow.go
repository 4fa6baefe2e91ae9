package lab

import (
	"fmt"

	"github.com/stemma-memory/stemma/internal/cli"
	"github.com/stemma-memory/stemma/internal/loop"
	"github.com/stemma-memory/stemma/internal/plain"
)

// loopTitles are the figures of the first table, and changeTitles those of the second.
var (
	loopTitles = []string{
		"current@1", "current@3", "stale", "stale first", "start", "kept", "once", "silence", "person",
	}
	changeTitles = []string{"named", "astray", "near", "wrong links", "open in 2", "in 6", "links", "decided", "dropped"}
)

func (l *lab) showLoop(r loop.Report, verbose bool) {
	l.loopTable(r, verbose, loopTitles, loopRow)
	fmt.Fprintln(l.Stdout)
	l.loopTable(r, verbose, changeTitles, changeRow)
	t := r.All.Tokens
	fmt.Fprintf(l.Stdout, "\n%s; tokens, estimated: definitions %d, five results %d, remember %d "+
		"(median %d; %d where it names memories), longest start %d\n", count(len(r.Scenarios), "scenario", "scenarios"),
		t.Definitions, t.Hits, t.Remember, t.Median, t.Naming, r.All.Start.Tokens)
	if !verbose {
		return
	}
	for _, s := range r.Scenarios {
		l.showMisses(s.Scenario, s.Misses)
	}
	for _, s := range r.Told.Scenarios {
		l.showMisses(s.Scenario+", told", s.Misses)
	}
}

// loopTable shows a row for each scenario, and those of all: without and with agents that tell.
func (l *lab) loopTable(r loop.Report, verbose bool, titles []string, row func(string, *loop.Result) []string) {
	cols := []cli.Column{{Title: "Scenario", Wide: true}}
	for _, title := range titles {
		cols = append(cols, cli.Column{Title: title, Right: true})
	}
	var rows [][]string
	for i := range r.Scenarios {
		if verbose {
			s, told := &r.Scenarios[i], &r.Told.Scenarios[i]
			rows = append(rows, row(plain.Text(s.Scenario), s), row("  told", told))
		}
	}
	rows = append(rows, row("all", &r.All), row("all, told", &r.Told.All))
	l.Table(cols, rows)
}

func (l *lab) showMisses(scenario string, all []loop.Miss) {
	for _, m := range all {
		fmt.Fprintf(l.Stdout, "%s, line %d, %s: %s\n    %s\n",
			plain.Text(scenario), m.Line, m.Step, plain.Text(m.Text), plain.Text(m.Why))
	}
}

func shareOf(s loop.Share) string {
	if s.Wanted == 0 {
		return "–"
	}
	return fmt.Sprintf("%.2f", s.Of())
}

func loopRow(name string, r *loop.Result) []string {
	row := []string{
		name, "–", "–", fmt.Sprintf("%d of %d", r.Stale.Given, r.Stale.Asked), fmt.Sprint(r.Stale.First),
	}
	if r.Current.Asked > 0 {
		row[1], row[2] = fmt.Sprintf("%.2f", r.Current.At1()), fmt.Sprintf("%.2f", r.Current.At3())
	}
	return append(row, shareOf(r.Start.Share), shareOf(r.Kept), shareOf(r.Once), shareOf(r.Silence),
		fmt.Sprintf("%.0f", r.PerHundred()))
}

func changeRow(name string, r *loop.Result) []string {
	c := &r.Change
	row := []string{name, shareOf(c.Named), fmt.Sprint(c.Astray), "–", "–"}
	if c.Fresh > 0 {
		row[3], row[4] = fmt.Sprintf("%.2f", c.NearOfFresh()), fmt.Sprintf("%.0f", c.WrongPerHundred())
	}
	for _, session := range []int{2, 6} {
		open := loop.Share{}
		if session <= len(r.Open) {
			open = r.Open[session-1]
		}
		row = append(row, shareOf(open))
	}
	return append(row, fmt.Sprint(c.Opened), fmt.Sprint(c.Decided), fmt.Sprint(c.Dropped))
}
