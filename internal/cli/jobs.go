package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma"
)

func (a *app) jobsCmd() *cobra.Command {
	c := cmd("jobs [run | process]", "What was left for later, and doing it", `Examples:
  stemma jobs                what is still to be done
  stemma jobs --all          what was done too
  stemma jobs run            do it; several may at once`)
	var in stemma.JobsRequest
	c.Flags().BoolVar(&in.All, "all", false, "those that are over too")
	c.Flags().IntVar(&in.Limit, "limit", 0, "how many (default 50; -1 is all)")
	c.Args = cobra.NoArgs
	c.RunE = verb(a, (*stemma.Engine).Jobs, func([]string) (stemma.JobsRequest, error) { return in, nil }, a.showJobs)
	c.AddCommand(a.runJobsCmd(), a.processCmd())
	return c
}

func (a *app) showJobs(r stemma.JobsReply) error {
	var rows [][]string
	for _, j := range r.Jobs {
		rows = append(rows, []string{j.Task, j.State, minute(j.Made), fmt.Sprint(j.Tries), line(j.Note, 60)})
	}
	if len(rows) > 0 {
		a.table(a.env.Stdout, []column{{title: "Task"}, {title: "State"}, {title: "Made"}, {title: "Tries", right: true}, {title: "Note"}}, rows)
	}
	if r.More {
		a.hint("there are more; --limit shows them")
	}
	if r.Open == 0 {
		a.hint("nothing is left to be done")
	} else {
		a.hint("%s still to be done: 'stemma jobs run'", count(r.Open, "job is", "jobs are"))
	}
	return nil
}

func (a *app) runJobsCmd() *cobra.Command {
	c := &cobra.Command{Use: "run", Short: "Do what was left for later", Args: cobra.NoArgs, Long: `Examples:
  stemma jobs run
  stemma jobs run --limit 100
  stemma jobs run --now          those that wait for another try too

Do what was left for later. It can be stopped at any time: a job is done once`}
	var in stemma.RunJobsRequest
	c.Flags().IntVar(&in.Limit, "limit", 0, "how many (default all)")
	c.Flags().BoolVar(&in.Now, "now", false, "those that wait for another try too")
	c.RunE = func(cmd *cobra.Command, args []string) error {
		a.thinks = true
		bar := a.progress(-1, "jobs")
		do := func(ctx context.Context, in stemma.RunJobsRequest) (stemma.RunJobsReply, error) {
			defer bar.end()
			return callAt(ctx, a, (*stemma.Engine).RunJobs, (*stemma.Engine).RunJobsUntil, in, bar.at)
		}
		return verbAs(a, do, func([]string) (stemma.RunJobsRequest, error) { return in, nil }, a.showJobsRun)(cmd, args)
	}
	return c
}

func (a *app) showJobsRun(r stemma.RunJobsReply) error {
	fmt.Fprintf(a.env.Stdout, "%s done: %s drafted, %s found\n", count(r.Done, "job", "jobs"), count(r.Memories, "memory", "memories"), count(r.Links, "link", "links"))
	if r.Later > 0 {
		fmt.Fprintf(a.env.Stdout, "%s put off\n", count(r.Later, "try was", "tries were"))
	}
	if r.GaveUp > 0 {
		fmt.Fprintf(a.env.Stdout, "%s given up: 'stemma jobs --all' says why\n", count(r.GaveUp, "job was", "jobs were"))
	}
	for _, n := range r.Notes {
		a.hint("%s", n)
	}
	if r.Said > 0 {
		a.hint("%s not drafted again: a memory says it already", count(r.Said, "sentence was", "sentences were"))
	}
	for i := range r.Rejected {
		if n := &r.Rejected[i]; n.Alike {
			a.likeRejected(n)
		} else {
			a.hint("not drafted: %s %s was rejected by %s on %s", shortRef(n.Ref), quoted(n.Headline, 60), line(n.RejectedBy, 60), day(n.RejectedAt))
		}
	}
	switch {
	case r.Open > 0:
		a.hint("%s still to be done: 'stemma jobs run'", count(r.Open, "job is", "jobs are"))
	case r.Memories > 0 || r.Links > 0:
		a.hint("'stemma suggestions' shows what waits for a decision")
	}
	return nil
}
