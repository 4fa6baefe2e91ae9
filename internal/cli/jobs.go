package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

func (a *app) jobsCmd() *cobra.Command {
	c := cmd("jobs [run | process]", "List and run background jobs", `Examples:
  stemma jobs                open jobs
  stemma jobs --all          finished jobs too
  stemma jobs run            run them; you can run several at once
  stemma jobs process        draft memories from captured events`)
	var in api.OpenRequest
	c.Flags().BoolVar(&in.All, "all", false, "also show finished jobs")
	c.Flags().IntVar(&in.Limit, "limit", 0, "maximum number (default 50; -1 for all)")
	c.Args = cobra.NoArgs
	c.RunE = verb(a, (*engine.Engine).Jobs, func([]string) (api.OpenRequest, error) { return in, nil }, a.showJobs)
	c.AddCommand(a.runJobsCmd(), a.processCmd())
	return c
}

func (a *app) showJobs(r api.JobsReply) error {
	var rows [][]string
	for _, j := range r.Jobs {
		rows = append(rows, []string{j.Task, j.State, minute(j.Made), fmt.Sprint(j.Tries), whole(j.Note)})
	}
	if len(rows) > 0 {
		a.table(a.env.Stdout, []column{{title: "Task"}, {title: "State"}, {title: "Made"},
			{title: "Tries", right: true}, {title: "Note"}}, rows)
	}
	if r.More {
		a.hint("there are more; use --limit to show them")
	}
	if r.Open == 0 {
		a.hint("no open jobs")
	} else {
		a.hint("%s open; to run: stemma jobs run", count(r.Open, "job is", "jobs are"))
	}
	return nil
}

func (a *app) runJobsCmd() *cobra.Command {
	c := &cobra.Command{Use: "run", Short: "Run open jobs", Args: cobra.NoArgs, Long: `Examples:
  stemma jobs run
  stemma jobs run --limit 100
  stemma jobs run --now          also jobs that wait for a retry

You can stop at any time. stemma runs each job once`}
	var in api.RunJobsRequest
	c.Flags().IntVar(&in.Limit, "limit", 0, "maximum number (default: all)")
	c.Flags().BoolVar(&in.Now, "now", false, "also run jobs that wait for a retry")
	c.RunE = func(cmd *cobra.Command, args []string) error {
		a.thinks = true
		bar := a.progress(-1, "jobs")
		do := func(ctx context.Context, in api.RunJobsRequest) (api.RunJobsReply, error) {
			defer bar.end()
			in.Progress = bar.at
			return call(ctx, a, (*engine.Engine).RunJobs, in)
		}
		return verbAs(a, do, func([]string) (api.RunJobsRequest, error) { return in, nil }, a.showJobsRun)(cmd, args)
	}
	return c
}

func (a *app) showJobsRun(r api.RunJobsReply) error {
	fmt.Fprintf(a.env.Stdout, "%s done: %s drafted, %s found\n", count(r.Done, "job", "jobs"),
		count(r.Memories, "memory", "memories"), count(r.Links, "link", "links"))
	if r.Later > 0 {
		fmt.Fprintf(a.env.Stdout, "%s for a retry\n", count(r.Later, "job waits", "jobs wait"))
	}
	if r.GaveUp > 0 {
		fmt.Fprintf(a.env.Stdout, "%s given up; for the reasons: stemma jobs --all\n",
			count(r.GaveUp, "job was", "jobs were"))
	}
	for _, n := range r.Notes {
		a.hint("%s", n)
	}
	if r.SaidAgain > 0 {
		a.hint("%s skipped: a memory already says so", count(r.SaidAgain, "sentence", "sentences"))
	}
	for i := range r.RejectedBefore {
		if n := &r.RejectedBefore[i]; n.Alike {
			a.likeRejected(n)
		} else {
			a.hint("not drafted: %s %s was rejected by %s on %s", shortRef(n.Ref), cited(n.Headline),
				a.about(n.RejectedBy, 60), day(n.RejectedAt))
		}
	}
	switch {
	case r.Open > 0:
		a.hint("%s open; to run: stemma jobs run", count(r.Open, "job is", "jobs are"))
	case r.Memories > 0 || r.Links > 0:
		a.hint("to decide: stemma review --suggestions")
	}
	return nil
}

func (a *app) processCmd() *cobra.Command {
	c := cmd("process", "Draft memories from captured events", `Examples:
  stemma jobs process                 all unprocessed events
  stemma jobs process --session s-42
  stemma jobs process --later         do it later, as a job

Drafts are fixes, constraints, decisions and episodes. Each draft cites its events
and waits for 'stemma review'`)
	var in api.ProcessRequest
	f := c.Flags()
	f.BoolVar(&in.Later, "later", false, "do it later, as a job")
	f.BoolVar(&in.NoEvolution, "no-evolution", false, "do not compare drafts with older memories")
	c.Args = cobra.NoArgs
	c.RunE = func(cmd *cobra.Command, args []string) error {
		a.thinks = !in.Later
		in.Session = a.flags.session
		bar := a.progress(-1, "jobs")
		do := func(ctx context.Context, in api.ProcessRequest) (api.ProcessReply, error) {
			defer bar.end()
			in.Progress = bar.at
			return call(ctx, a, (*engine.Engine).Process, in)
		}
		return verbAs(a, do, func([]string) (api.ProcessRequest, error) { return in, nil },
			func(r api.ProcessReply) error {
				if r.Raws == 0 && r.Done == 0 && r.Open == 0 && r.Later == 0 {
					a.hint("nothing to process: no unprocessed events")
					return nil
				}
				fmt.Fprintf(a.env.Stdout, "%s of %s\n", count(r.Raws, "event", "events"), count(r.Sessions, "session", "sessions"))
				return a.showJobsRun(r.RunJobsReply)
			})(cmd, args)
	}
	return c
}
