package cli

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/audit"
	"github.com/stemma-memory/stemma/audit/report"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/live"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/sorting"
)

func (a *app) auditCmd() *cobra.Command {
	c := cmd("audit [REF | FILE]", "Check signatures, keys and logs independently", `Examples:
  stemma audit                                 every record of the store
  stemma audit belief:a04e                     one record and its sources
  stemma audit bundle.jsonl                    a file; needs no store and no network
  stemma audit --checkpoint held.txt           compare with a checkpoint kept elsewhere
  stemma export belief:a04e --proofs | stemma audit -
  stemma audit ada.cert                        a certificate of a purge

For a file, compare the owners' keys that it prints with keys you know.
Exit code 0: all checks passed. 1: a check failed. 2: some checks could not run`)
	var in api.AuditRequest
	f := c.Flags()
	all := f.Bool("all", false, "audit every record of the store (the default)")
	held := f.StringArray("checkpoint", nil, "checkpoint file that was kept elsewhere; repeatable")
	f.BoolVar(&in.Since, "since", false, "verify only what came after the last clean audit of the store")
	f.IntVar(&in.Limit, "limit", 0, "maximum number of bad records to name (default 20)")
	f.StringVar(&in.List, "list", "", "of a certificate: the digest of the list that it should be of")
	lines := f.Int("lines", 1000, "of a file: maximum number of lines to show with their words; -1 for all")
	c.RunE = func(cmd *cobra.Command, args []string) error {
		if in.Since && len(args) > 0 {
			return fmt.Errorf("--since is of the whole store; do not name a record or file with it")
		}
		if *all && len(args) > 0 {
			return fmt.Errorf("--all audits the whole store; do not name a record or file with it")
		}
		var err error
		if in.Checkpoints, err = a.readAll(*held); err != nil {
			return ran{err}
		}
		exit := 0
		if len(args) == 1 && !a.isFile(args[0]) && strings.ContainsAny(args[0], `./\`) {
			return ran{api.Invalid("no file %s, and it is not a record ID", shorten.To(args[0], 200))}
		}
		if len(args) == 1 && a.isFile(args[0]) {
			if is, text := a.isCertificate(args[0]); is {
				in.Certificate = text
				exit, err = a.auditCertificate(cmd.Context(), in)
			} else {
				exit, err = a.auditFile(cmd.Context(), args[0], in, *lines)
			}
		} else {
			do := func(ctx context.Context, in api.AuditRequest) (api.AuditReply, error) {
				tight()
				bar := a.elapsed("verifying records and signatures")
				defer bar.end()
				r, err := call(ctx, a, (*engine.Engine).Audit, in)
				exit = r.Exit
				return r, err
			}
			err = verbAs(a, do, func(args []string) (api.AuditRequest, error) {
				if len(args) == 0 {
					return in, nil
				}
				var err error
				in.Ref, err = oneRef(args)
				return in, err
			}, a.showAudit)(cmd, args)
		}
		if err == nil && exit != 0 {
			return errExit(exit)
		}
		return err
	}
	return c
}

// auditFile audits a file by itself: no store is opened for it and nothing is
// written.
func (a *app) auditFile(ctx context.Context, name string, in api.AuditRequest, lines int) (int, error) {
	if in.Limit < 0 {
		return 0, ran{api.Invalid("--limit: must not be negative, got %d", in.Limit)}
	}
	o := audit.Options{Offenders: in.Limit, Lines: lines}
	for _, c := range in.Checkpoints {
		o.Checkpoints = append(o.Checkpoints, []byte(c))
	}
	from := a.env.Stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return 0, ran{unreadable{err}}
		}
		defer live.Close(f) // it was only read
		from = f
	}
	bar := a.progress(-1, "lines verified")
	report, err := audit.Bundle(ctx, &lineReader{Reader: from, at: bar.at}, o)
	bar.end()
	if err != nil {
		return 0, ran{unreadable{err}}
	}
	reply := api.AuditReply{Report: report, Exit: report.Exit()}
	if a.flags.json {
		return reply.Exit, a.printJSON(reply)
	}
	return reply.Exit, asRan(a.showAudit(reply))
}

// showLines shows what a bundle says, who said it, and who decided about it.
func (a *app) showLines(r api.AuditReply) {
	w := a.env.Stdout
	named := make(map[string]string)
	for _, root := range r.Roots {
		named[root.DID] = root.Name
	}
	by := func(agent, owner, author string) string {
		if agent == "" {
			return who(named[owner], or(owner, author))
		}
		return whole(agent) + " for " + who(named[owner], or(owner, author))
	}
	for _, l := range r.Lines {
		fmt.Fprintf(w, "line %d %s: %s", l.Line, shortRef(l.Ref), l.Status)
		if l.Words != "" {
			fmt.Fprintf(w, " %s", cited(l.Words))
		}
		if l.Author != "" {
			fmt.Fprintf(w, ", by %s on %s", by(l.Agent, l.Owner, l.Author), day(l.At))
		}
		if l.Why != "" {
			fmt.Fprintf(w, ": %s", cited(l.Why))
		}
		fmt.Fprintln(w)
		for _, d := range l.Decisions {
			why := "no reason given"
			if d.Why != "" {
				why = cited(d.Why)
			}
			fmt.Fprintf(w, "    %s%s by %s on %s: %s\n", d.Act, detail(d.Detail), by(d.Agent, d.Owner, d.Author), day(d.At),
				why)
		}
	}
	if r.LinesMore > 0 {
		fmt.Fprintf(w, "… %d more lines; use --lines to show them\n", r.LinesMore)
	}
}

func (a *app) showAudit(r api.AuditReply) error {
	w := a.env.Stdout
	a.showLines(r)
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
	var spaces []string
	for _, l := range r.Logs {
		spaces = append(spaces, l.Space)
	}
	named := spaceNames(spaces)       // of what is in order; what is not is named in full
	compared := make(map[string]bool) // logs with a checkpoint
	for _, l := range r.Logs {
		compared[l.Space] = compared[l.Space] || l.Noted()
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
	fmt.Fprintf(w, "%s: %s\n", count(r.Statements, "statement", "statements"), countsOf(r.Counts))
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
