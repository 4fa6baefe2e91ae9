package cli

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/audit/report"
	"github.com/stemma-memory/stemma/internal/sorting"
)

// namedBy names who signed something: an agent and its owner, or a person.
func namedBy(roots []report.Root) func(agent, owner, author string) string {
	named := make(map[string]string)
	for _, root := range roots {
		named[root.DID] = root.Name
	}
	return func(agent, owner, author string) string {
		if agent == "" {
			return who(named[owner], or(owner, author))
		}
		return whole(agent) + " for " + who(named[owner], or(owner, author))
	}
}

// decidedLine says who decided what, when and why.
func decidedLine(d *report.Decided, by func(agent, owner, author string) string) string {
	why := "no reason given"
	if d.Why != "" {
		why = cited(d.Why)
	}
	return fmt.Sprintf("%s%s by %s on %s: %s", d.Act, detail(d.Detail), by(d.Agent, d.Owner, d.Author), day(d.At), why)
}

// showLines shows what was verified: the words, who said them, who decided about it, what it rests on.
func (a *app) showLines(r api.AuditReply) {
	w := a.env.Stdout
	by := namedBy(r.Roots)
	for i := range r.Lines {
		l := &r.Lines[i]
		where := shortRef(l.Ref)
		if l.Line > 0 {
			where = fmt.Sprintf("line %d %s", l.Line, where)
		}
		fmt.Fprintf(w, "%s: %s", where, l.Status)
		if l.Words != "" {
			fmt.Fprintf(w, " %s", cited(l.Words))
		}
		if l.Speaker != "" {
			fmt.Fprintf(w, ", said by %s", whole(l.Speaker))
		}
		if l.Author != "" {
			fmt.Fprintf(w, ", by %s on %s", by(l.Agent, l.Owner, l.Author), day(l.At))
		}
		if l.Why != "" {
			fmt.Fprintf(w, ": %s", cited(l.Why))
		}
		fmt.Fprintln(w)
		for i := range l.Decisions {
			fmt.Fprintf(w, "    %s\n", decidedLine(&l.Decisions[i], by))
		}
		if len(l.Rests) > 0 {
			fmt.Fprintf(w, "    rests on %s\n", shortRefs(l.Rests))
		}
		if len(l.Missing) > 0 {
			fmt.Fprintf(w, "    not here: %s\n", shortRefs(l.Missing))
		}
	}
	if r.LinesMore > 0 {
		fmt.Fprintf(w, "… %d more lines; use --lines to show them\n", r.LinesMore)
	}
}

func (a *app) showAudit(r api.AuditReply) error {
	w := a.env.Stdout
	if r.NoBundle != "" {
		fmt.Fprintf(w, "this is no bundle, certificate or pack of stemma: %s\n", whole(r.NoBundle))
		return nil
	}
	a.showLines(r)
	a.showFindings(r.Report)
	fmt.Fprintf(w, "%s: %s\n", count(r.Statements, "statement", "statements"), countsOf(r.Counts))
	a.showLogs(r.Report)
	for _, root := range r.Roots {
		fmt.Fprintf(w, "owner  %s  %s; compare it with the key they show you\n", who(root.Name, root.DID),
			count(root.Statements, "statement", "statements"))
		if root.Name != "" {
			fmt.Fprintf(w, "       %s\n", line(root.Fingerprint, 80))
		}
	}
	fmt.Fprintf(w, "%s\n", clean(r.Horizon))
	if r.Since != nil {
		const left = "their bytes were not verified again"
		showCovered(w, r.Since.Why, left, r.Since.Records, r.Since.Checked, r.Since.At, r.Since.Whole)
	} else if r.Statements == 0 {
		fmt.Fprintln(w, "nothing to check: no records")
		return nil
	}
	fmt.Fprintf(w, "%s in %s\n", verdict(r.Exit), r.Elapsed.Round(time.Millisecond))
	return nil
}

// showFindings shows what is wrong with records and logs.
func (a *app) showFindings(r report.Report) {
	w := a.env.Stdout
	for _, f := range r.Offenders {
		where := shortRef(f.Ref)
		if f.Line > 0 {
			where = strings.TrimSpace(fmt.Sprintf("line %d %s", f.Line, where))
		}
		fmt.Fprintf(w, "%s  %s: %s\n", a.paint(statusColor(f.Status.Unsure()), fmt.Sprintf("%-18s", f.Status)),
			line(where, 60), whole(inVerbs(f.Why)))
		if f.Author != "" && !f.Status.Fine() {
			fmt.Fprintf(w, "    claimed author: %s\n", who(f.Agent, f.Author))
		}
	}
	if n := notFine(r.Counts) - len(r.Offenders); n > 0 {
		fmt.Fprintf(w, "… %d more; use --limit to show them\n", n)
	}
	for _, l := range r.Logs {
		if l.Status == report.LogOK || l.Status == report.LogUnchecked && !l.Noted() {
			continue
		}
		which := "log of " + or(l.Space, l.Origin)
		switch {
		case which != "log of ":
		case strings.HasPrefix(l.Why, "presented: "):
			which = "the given checkpoint"
		default:
			which = "the store"
		}
		fmt.Fprintf(w, "%s  %s: %s\n", a.paint(statusColor(l.Status == report.LogUnchecked), fmt.Sprintf("%-18s", l.Status)),
			line(which, 120), whole(strings.TrimPrefix(l.Why, "presented: ")))
	}
}

// showLogs shows which logs are in order, and how far they were compared.
func (a *app) showLogs(r report.Report) {
	w := a.env.Stdout
	var spaces []string
	compared := make(map[string]bool) // logs with a checkpoint
	for _, l := range r.Logs {
		spaces = append(spaces, l.Space)
		compared[l.Space] = compared[l.Space] || l.Noted()
	}
	named := spaceNames(spaces)   // of what is in order; what is not is named in full
	said := make(map[string]bool) // several checkpoints may say the same
	for _, l := range r.Logs {
		switch {
		case l.Status == report.LogOK:
			if key := l.Space + l.Why; said[key] {
				continue
			} else {
				said[key] = true
			}
			fmt.Fprintf(w, "log    %s: ok, %s%s\n", line(named(l.Space), 120), count(int(l.Records), "record", "records"),
				aside(whole(inVerbs(l.Why))))
		case l.Status == report.LogUnchecked && !l.Noted() && !compared[l.Space]:
			fmt.Fprintf(w, "log    %s: %s, %s\n", line(named(l.Space), 120), count(int(l.Records), "record", "records"),
				whole(inVerbs(l.Why)))
		}
	}
}

// showCovered says what a check read that was to go on from the last clean one.
func showCovered(w io.Writer, why, left string, records, checked int64, at, whole time.Time) {
	if why != "" {
		fmt.Fprintf(w, "everything was checked: %s\n", clean(why))
		return
	}
	fmt.Fprintf(w, "checked %d of %d records; the first %d were found clean on %s (last read whole on %s)\n", checked,
		records, records-checked, at.Format(time.DateOnly), whole.Format(time.DateOnly))
	fmt.Fprintf(w, "of those, the IDs in the log are the same; %s\n", left)
}

func aside(s string) string {
	if s == "" {
		return ""
	}
	return ", " + s
}

// verdict says an exit code in words.
func verdict(exit int) string {
	switch exit {
	case report.ExitOK:
		return "all checks passed"
	case report.ExitUnchecked:
		return "no problems found, but some checks could not run"
	}
	return "problems found"
}

// countsOf says how many statements have each status, fine ones first.
func countsOf(counts map[report.Status]int) string {
	order := slices.Collect(maps.Keys(counts))
	sorting.By(order, func(x, y report.Status) int {
		return slices.Index(report.Statuses, x) - slices.Index(report.Statuses, y)
	})
	var parts []string
	for _, s := range order {
		if counts[s] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", counts[s], s))
		}
	}
	return or(strings.Join(parts, ", "), "none")
}

func notFine(counts map[report.Status]int) int {
	n := 0
	for s, c := range counts {
		if !s.Fine() {
			n += c
		}
	}
	return n
}
