package cli

import (
	"fmt"

	"github.com/stemma-memory/stemma/internal/loop"
)

// loopTitles are the figures of the first table, and changeTitles those of the second.
var (
	loopTitles = []string{
		"current@1", "current@3", "stale", "stale first", "start", "kept", "once", "silence", "person",
	}
	changeTitles = []string{"named", "astray", "near", "wrong links", "open in 2", "in 6", "links", "decided", "dropped"}
)

func (a *app) showLoop(r loop.Report, verbose bool) {
	a.loopTable(r, verbose, loopTitles, loopRow)
	fmt.Fprintln(a.env.Stdout)
	a.loopTable(r, verbose, changeTitles, changeRow)
	t := r.All.Tokens
	fmt.Fprintf(a.env.Stdout, "\n%s; tokens, estimated: definitions %d, five results %d, remember %d "+
		"(median %d; %d where it names memories), longest start %d\n", count(len(r.Scenarios), "scenario", "scenarios"),
		t.Definitions, t.Hits, t.Remember, t.Median, t.Naming, r.All.Start.Tokens)
	if !verbose {
		return
	}
	for _, s := range r.Scenarios {
		a.showMisses(s.Scenario, s.Misses)
	}
	for _, s := range r.Told.Scenarios {
		a.showMisses(s.Scenario+", told", s.Misses)
	}
}

// loopTable shows a row for each scenario, and those of all: without and with agents that tell.
func (a *app) loopTable(r loop.Report, verbose bool, titles []string, row func(string, *loop.Result) []string) {
	cols := []column{{title: "Scenario", wide: true}}
	for _, title := range titles {
		cols = append(cols, column{title: title, right: true})
	}
	var rows [][]string
	for i := range r.Scenarios {
		if verbose {
			s, told := &r.Scenarios[i], &r.Told.Scenarios[i]
			rows = append(rows, row(clean(s.Scenario), s), row("  told", told))
		}
	}
	rows = append(rows, row("all", &r.All), row("all, told", &r.Told.All))
	a.table(a.env.Stdout, cols, rows)
}

func (a *app) showMisses(scenario string, all []loop.Miss) {
	for _, m := range all {
		fmt.Fprintf(a.env.Stdout, "%s, line %d, %s: %s\n    %s\n",
			clean(scenario), m.Line, m.Step, clean(m.Text), clean(m.Why))
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
