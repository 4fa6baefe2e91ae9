package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

func (a *app) doctorCmd() *cobra.Command {
	c := cmd("doctor", "Verify the store and repair it", `Examples:
  stemma doctor
  stemma doctor --repair
  stemma doctor --json

doctor reads every record, verifies every signature and compares every table with
its records. It changes nothing unless you pass --repair.

--repair rebuilds what is derived from records: source links, states, the search
index, counters, and columns copied from signed bytes. It does not change signed
bytes or signatures. Others can read during a repair; writers wait. stemma cannot
rebuild read counts, vectors and arrival times: it drops and names damaged ones.
If signed records are damaged: stemma recover FILE --to NEW`)
	c.Args = cobra.NoArgs
	var in api.DoctorRequest
	c.Flags().BoolVar(&in.Repair, "repair", false, "first rebuild everything that is derived from records")
	c.Flags().BoolVar(&in.Since, "since", false, "look only at what came after the last clean run")
	c.RunE = func(cmd *cobra.Command, args []string) error {
		problems := 0
		examine := func(ctx context.Context, in api.DoctorRequest) (doctorReply, error) {
			tight()
			bar := a.elapsed("reading every record and table")
			if in.Repair {
				bar.end()
				bar = a.progress(-1, "records")
				in.Progress = bar.at
			}
			r, err := call(ctx, a, (*engine.Engine).Doctor, in)
			bar.end()
			problems = len(r.Problems)
			return doctorReply{r, a.hooksReport()}, err
		}
		err := verbAs(a, examine, func([]string) (api.DoctorRequest, error) {
			return in, nil
		}, a.showDoctor)(cmd, args)
		if err == nil && problems > 0 {
			return errFailed
		}
		return err
	}
	return c
}

// doctorReply lists the problems of the store, and of the hooks and servers that hosts run on
// this machine.
type doctorReply struct {
	api.DoctorReply
	Hooks *hookReport `json:"hooks,omitempty"`
}

func (a *app) showDoctor(d doctorReply) error {
	w := a.env.Stdout
	if d.Hooks != nil {
		a.showHooks(d.Hooks)
	}
	if r := d.Repaired; r != nil {
		fmt.Fprintf(w, "rebuilt from %s: %s, %s, the search index; %s corrected\n", count(r.Records, "record", "records"),
			count(r.Edges, "source link", "source links"), count(r.States, "state", "states"),
			count(r.Columns, "log row", "log rows"))
		for _, l := range r.Left {
			fmt.Fprintf(w, "left: %s\n", clean(inVerbs(l)))
		}
	}
	for _, p := range d.Problems {
		fmt.Fprintf(w, "%s %s\n", a.paint(red, "problem:"), clean(inVerbs(p.What)))
		if p.Fix != "" {
			fmt.Fprintf(w, "         %s\n", inVerbsAlone(p.Fix))
		}
	}
	for _, s := range d.Secrets {
		fmt.Fprintf(w, "secret: %s may contain one: %s\n", shortRef(s.Ref), foundWords(s.Found))
		if s.Fix != "" {
			fmt.Fprintf(w, "        %s\n", inVerbsAlone(s.Fix))
		}
	}
	for _, x := range d.Waiting {
		says := "not accepted from %s, requested again at each sync: %s\n"
		if x.There {
			says = "refused by %s: %s\n"
		}
		fmt.Fprintf(w, says, x.Remote, reason(x))
	}
	for _, n := range d.Notes {
		fmt.Fprintf(w, "note: %s\n", clean(inVerbs(n)))
	}
	if s := d.Since; s != nil {
		const left = "their bytes, their tables and their words in the index were not checked again"
		showCovered(w, s.Why, left, s.Records, s.Checked, s.At, s.Whole)
	}
	fmt.Fprintf(w, "%d records, %d signatures verified, %d problems\n", d.Records, d.Signatures, len(d.Problems))
	return nil
}
