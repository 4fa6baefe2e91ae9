package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

func (a *app) logCmd() *cobra.Command {
	c := cmd("log", "Sign the log, and compare it with copies held elsewhere", `Examples:
  stemma log checkpoint --out held.txt      keep it elsewhere as proof
  stemma log check held.txt                 was the history changed?
  stemma log prove belief:a04e              prove that the log contains it
  stemma log prove --since held.txt         prove that the log only grew

Anybody who has your keys can rewrite your history. Only a checkpoint that is
kept elsewhere can reveal it`)
	c.AddCommand(a.checkpointCmd(), a.proveCmd(), a.checkLogCmd())
	return c
}

func (a *app) checkpointCmd() *cobra.Command {
	c := &cobra.Command{
		Use: "checkpoint", Short: "Sign the size of the log and the root of its tree", Args: cobra.NoArgs,
		Example: "  stemma log checkpoint\n  stemma log checkpoint --out held.txt\n  stemma log checkpoint --space work",
	}
	out := c.Flags().String("out", "", "file to write")
	c.RunE = verb(a, (*engine.Engine).Checkpoint, func([]string) (api.CheckpointRequest, error) {
		return api.CheckpointRequest{}, nil
	}, func(r api.CheckpointReply) error {
		a.hint("%s of %s; keep it in another place", count(int(r.Size), "record", "records"), r.Space)
		return a.put(*out, r.Note)
	})
	return c
}

// put writes text into a file, or prints it where none is named.
func (a *app) put(name, text string) error {
	if name == "" || name == "-" {
		_, err := io.WriteString(a.bare(), text)
		return err
	}
	return writeFile(name, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
}

func (a *app) proveCmd() *cobra.Command {
	c := &cobra.Command{
		Use: "prove REF | --since FILE", Short: "Prove that the log contains a record, or only grew",
		Example: "  stemma log prove belief:a04e\n  stemma log prove --since held.txt --json",
	}
	since := c.Flags().String("since", "", "older checkpoint file")
	c.RunE = verb(a, (*engine.Engine).Prove, func(args []string) (api.ProveRequest, error) {
		var in api.ProveRequest
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

func (a *app) showProof(r api.ProveReply) error {
	w := a.env.Stdout
	if r.Ref != "" {
		fmt.Fprintf(w, "%s is record %d of %d in the log of %s\n", r.Ref, r.Index+1, r.Size, clean(r.Space))
	} else {
		fmt.Fprintf(w, "the first %d of %d records in the log of %s are unchanged\n", r.OldSize, r.Size, clean(r.Space))
	}
	for _, h := range r.Hashes {
		fmt.Fprintf(w, "  %s\n", h)
	}
	fmt.Fprintf(w, "\n%s", r.Note)
	return nil
}

func (a *app) checkLogCmd() *cobra.Command {
	c := &cobra.Command{
		Use: "check FILE", Short: "Compare the log with a checkpoint or an export", Args: cobra.ExactArgs(1),
		Example: "  stemma log check held.txt --by ada\n  stemma log check last-week.jsonl",
		Long: `Compares the log with a checkpoint or an export that was kept elsewhere.

Exit code 0: the log starts with what was kept. Exit code 1: it does not.
history_rewritten: the histories differ; the output names where.
behind_witness: the log has fewer records than were seen elsewhere.
A checkpoint of another store is an error.`,
	}
	by := c.Flags().String("by", "", "who kept it; recorded if the logs agree")
	c.RunE = func(cmd *cobra.Command, args []string) error {
		status := ""
		check := func(ctx context.Context, in api.CheckLogRequest) (api.CheckLogReply, error) {
			r, err := call(ctx, a, (*engine.Engine).CheckLog, in)
			status = r.Status
			return r, err
		}
		err := verbAs(a, check, func(args []string) (api.CheckLogRequest, error) {
			text, err := a.readFile(args[0], mostHeld)
			if err != nil {
				err = ran{err}
			}
			return api.CheckLogRequest{Held: text, By: *by}, err
		}, a.showCheckLog)(cmd, args)
		if err == nil && status != engine.LogOK {
			return errFailed
		}
		return err
	}
	return c
}

// mostHeld bounds what a log is compared with, in bytes.
const mostHeld = 1 << 30

func (a *app) showCheckLog(r api.CheckLogReply) error {
	w := a.env.Stdout
	color := red
	if r.Status == engine.LogOK {
		color = green
	}
	fmt.Fprintf(w, "%s  %s\n", a.paint(color, r.Status), clean(r.Why))
	fmt.Fprintf(w, "log    %s: %s here, %d elsewhere\n", clean(r.Space), count(int(r.Size), "record", "records"), r.Seen)
	if f := r.Fork; f != nil {
		fmt.Fprintf(w, "fork   after record %d, at the latest at record %d\n", f.After, f.By)
		if f.Here != "" {
			fmt.Fprintf(w, "       here %s, there %s\n", shortRef(f.Here), shortRef(f.There))
		}
	}
	return nil
}

// exportPart writes what a stranger needs for some records, or for all.
func (a *app) exportPart(ctx context.Context, in api.ExportRequest, to string) error {
	export, err := a.exporter(ctx)
	if err != nil {
		return ran{err}
	}
	if to == "" {
		bar := &bar{} // the records themselves are seen
		if !a.onTerminal() {
			bar = a.progress(-1, "records")
		}
		reply, err := export(ctx, &counter{Writer: a.env.Stdout, at: bar.at}, in)
		bar.end()
		a.secretsInside("the file has", reply.Secrets)
		return asRan(err)
	}
	var reply api.ExportReply
	err = writeFile(to, func(w io.Writer) error {
		bar := a.progress(-1, "records")
		defer bar.end()
		reply, err = export(ctx, &counter{Writer: w, at: bar.at}, in)
		return err
	})
	if err != nil {
		return ran{err}
	}
	a.secretsInside("the file has", reply.Secrets)
	if a.flags.json {
		return a.printJSON(reply)
	}
	a.hint("%s written", count(reply.Records, "record", "records"))
	return nil
}
