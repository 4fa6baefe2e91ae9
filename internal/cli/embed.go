package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

func (a *app) embedCmd() *cobra.Command {
	c := cmd("embed", "Compute the vectors for semantic search", `Examples:
  stemma embed
  stemma embed --limit 1000

A server, an import and a process of its own make vectors by themselves. This makes all
that are missing now, the newest first. You can interrupt it and run it again`)
	var in api.EmbedRequest
	aside := c.Flags().Bool("beside", false, "for two minutes at most, unless another process does it")
	_ = c.Flags().MarkHidden("beside")
	c.Flags().IntVar(&in.Limit, "limit", 0, "maximum number of records (default -1: all)")
	c.Args = cobra.NoArgs
	c.RunE = func(cmd *cobra.Command, args []string) error {
		if *aside {
			return ran{a.embedBeside(cmd.Context())}
		}
		a.embeds = true
		bar := a.progress(-1, "records")
		do := func(ctx context.Context, in api.EmbedRequest) (api.EmbedReply, error) {
			defer bar.end()
			in.Progress = bar.of
			return call(ctx, a, (*engine.Engine).Embed, in)
		}
		return verbAs(a, do, func([]string) (api.EmbedRequest, error) { return in, nil }, func(r api.EmbedReply) error {
			fmt.Fprintf(a.env.Stdout, "%s computed for %s by %s", count(r.Made, "vector", "vectors"),
				count(r.LookedAt, "record", "records"), line(r.Model, 80))
			if r.Left > 0 {
				fmt.Fprintf(a.env.Stdout, ", %s left", count(r.Left, "record", "records"))
			}
			fmt.Fprintln(a.env.Stdout)
			return nil
		})(cmd, args)
	}
	return c
}
