package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma"
)

func (a *app) logCmd() *cobra.Command {
	c := cmd("log", "Sign what the log is now, and compare it with what others hold", `Examples:
  stemma log checkpoint --out held.txt      to be kept elsewhere: what it says cannot be unsaid
  stemma log check held.txt                 is the history still the one it was?
  stemma log prove belief:a04e              that it stands in the log
  stemma log prove --since held.txt         that the log only grew

Whoever has your keys can write a history anew. That shows only by a checkpoint
which somebody else holds`)
	c.AddCommand(a.checkpointCmd(), a.proveCmd(), a.checkLogCmd())
	return c
}

func (a *app) checkpointCmd() *cobra.Command {
	c := &cobra.Command{
		Use: "checkpoint", Short: "Sign how many records the log has, and the root of the tree over them", Args: cobra.NoArgs,
		Example: "  stemma log checkpoint\n  stemma log checkpoint --out held.txt\n  stemma log checkpoint --space work",
	}
	out := c.Flags().String("out", "", "write it into a file")
	c.RunE = verb(a, (*stemma.Engine).Checkpoint, func([]string) (stemma.CheckpointRequest, error) {
		return stemma.CheckpointRequest{}, nil
	}, func(r stemma.CheckpointReply) error {
		a.hint("%s of %s; give it to somebody who keeps it", count(int(r.Size), "record", "records"), r.Space)
		return a.put(*out, r.Note)
	})
	return c
}

// put writes text into a file, or prints it where none is named.
func (a *app) put(name, text string) error {
	if name == "" || name == "-" {
		_, err := io.WriteString(a.env.Stdout, text)
		return err
	}
	return writeFile(name, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
}

func (a *app) proveCmd() *cobra.Command {
	c := &cobra.Command{
		Use: "prove REF | --since FILE", Short: "Show that a record stands in the log, or that the log only grew",
		Example: "  stemma log prove belief:a04e\n  stemma log prove --since held.txt --json",
	}
	since := c.Flags().String("since", "", "file with an older checkpoint")
	c.RunE = verb(a, (*stemma.Engine).Prove, func(args []string) (stemma.ProveRequest, error) {
		var in stemma.ProveRequest
		var err error
		if *since == "" {
			in.Ref, err = oneRef(args)
			return in, err
		}
		if len(args) > 0 {
			return in, fmt.Errorf("name a record or --since, not both")
		}
		if in.Since, err = a.readFile(*since, mostNote); err != nil {
			err = ran{err}
		}
		return in, err
	}, a.showProof)
	return a.refVerb(c, "")
}

func (a *app) showProof(r stemma.ProveReply) error {
	w := a.env.Stdout
	if r.Ref != "" {
		fmt.Fprintf(w, "%s stands at place %d of %d in the log of %s\n", r.Ref, r.Index+1, r.Size, clean(r.Space))
	} else {
		fmt.Fprintf(w, "the first %d of %d records in the log of %s are what they were\n", r.Old, r.Size, clean(r.Space))
	}
	for _, h := range r.Hashes {
		fmt.Fprintf(w, "  %s\n", h)
	}
	fmt.Fprintf(w, "\n%s", r.Note)
	return nil
}

func (a *app) checkLogCmd() *cobra.Command {
	c := &cobra.Command{
		Use: "check FILE", Short: "Compare the log with a checkpoint or an export that was held elsewhere", Args: cobra.ExactArgs(1),
		Example: "  stemma log check held.txt --by ada\n  stemma log check last-week.jsonl",
		Long: `Compare the log with a checkpoint or an export that was held elsewhere.

Exit code 0 says that the log begins with what was held, 1 that it does not:
history_rewritten, with where the two histories part, or behind_witness, where
more was seen elsewhere than is here. One of another store is refused.`,
	}
	by := c.Flags().String("by", "", "who held it, to be remembered where it agrees")
	c.RunE = func(cmd *cobra.Command, args []string) error {
		status := ""
		check := func(ctx context.Context, in stemma.CheckLogRequest) (stemma.CheckLogReply, error) {
			r, err := call(ctx, a, (*stemma.Engine).CheckLog, in)
			status = r.Status
			return r, err
		}
		err := verbAs(a, check, func(args []string) (stemma.CheckLogRequest, error) {
			text, err := a.readFile(args[0], mostHeld)
			if err != nil {
				err = ran{err}
			}
			return stemma.CheckLogRequest{Held: text, By: *by}, err
		}, a.showCheckLog)(cmd, args)
		if err == nil && status != stemma.LogOK {
			return errFailed
		}
		return err
	}
	return c
}

// mostHeld bounds what a log is compared with, in bytes.
const mostHeld = 1 << 30

func (a *app) showCheckLog(r stemma.CheckLogReply) error {
	w := a.env.Stdout
	color := red
	if r.Status == stemma.LogOK {
		color = green
	}
	fmt.Fprintf(w, "%s  %s\n", a.paint(color, r.Status), clean(r.Why))
	fmt.Fprintf(w, "log    %s: %s here, %d seen elsewhere\n", clean(r.Space), count(int(r.Size), "record", "records"), r.Seen)
	if f := r.Fork; f != nil {
		fmt.Fprintf(w, "fork   after place %d, by place %d\n", f.After, f.By)
		if f.Here != "" {
			fmt.Fprintf(w, "       here %s, there %s\n", shortRef(f.Here), shortRef(f.There))
		}
	}
	return nil
}

// exportPart writes what a stranger needs for some records, or for all.
func (a *app) exportPart(ctx context.Context, in stemma.ExportRequest, to string) error {
	export, err := a.exporter(ctx)
	if err != nil {
		return ran{err}
	}
	if to == "" {
		reply, err := export(ctx, a.env.Stdout, in)
		a.secretsInside("it holds", reply.Secrets)
		return asRan(err)
	}
	var reply stemma.ExportReply
	err = writeFile(to, func(w io.Writer) error {
		reply, err = export(ctx, w, in)
		return err
	})
	if err != nil {
		return ran{err}
	}
	a.secretsInside("it holds", reply.Secrets)
	if a.flags.json {
		return a.printJSON(reply)
	}
	a.hint("%s written", count(reply.Records, "record", "records"))
	return nil
}
