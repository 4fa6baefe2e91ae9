package cli

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/hubstore"
)

func (a *app) hubShardCmd(dir *string) *cobra.Command {
	c := &cobra.Command{Use: "shard", Short: "List, split and move the shards of a hub", Args: cobra.NoArgs,
		Long: `Examples:
  stemma hub shard list
  stemma hub shard split 0
  stemma hub shard move 3 --to 10.0.0.7:5432

A shard is a schema with the spaces of some accounts. 'stemma hub migrate --shards N'
makes more, for new accounts; split moves accounts that are there. A hub in a file has one`}
	c.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	list := &cobra.Command{Use: "list", Short: "Show the shards, and which of them do not answer", Args: cobra.NoArgs,
		Long: `Examples:
  stemma hub shard list
  stemma hub shard list --json

Shows each shard's accounts, spaces and records, and why one is not served`}
	list.RunE = a.withHub(dir, func(ctx context.Context, h *hubstore.Hub, _ *hubPlace, _ []string) (any, error) {
		return h.Shards(ctx)
	}, func(v any) {
		var rows [][]string
		for _, sh := range v.([]hubstore.Shard) {
			rows = append(rows, []string{strconv.Itoa(sh.No), clean(sh.Schema), fmt.Sprint(sh.Accounts), fmt.Sprint(sh.Spaces),
				fmt.Sprint(sh.Records), clean(sh.Problem)})
		}
		a.table(a.env.Stdout, []column{{title: "Shard", right: true}, {title: "Schema"}, {title: "Accounts", right: true},
			{title: "Spaces", right: true}, {title: "Records", right: true}, {title: "Problem"}}, rows)
	})
	c.AddCommand(list, a.hubSplitCmd(dir), a.hubMoveCmd(dir))
	return c
}

// byAdmin gives a command the number of a shard and the administrator's address.
func (a *app) byAdmin(c *cobra.Command, dir *string, do func(ctx context.Context, address string, no int) (any, error),
	show func(any)) {
	admin := c.Flags().String("admin", "", "postgres:// address of the role that owns the tables, or @FILE with it "+
		"(default: STEMMA_HUB_ADMIN)")
	c.RunE = func(cmd *cobra.Command, args []string) error {
		no, err := strconv.Atoi(args[0])
		if err != nil || no < 0 {
			return fmt.Errorf("%s: a shard is a number, as 'stemma hub shard list' shows it, not %q", c.CommandPath(), args[0])
		}
		p, err := a.hubAt(*dir)
		if err != nil {
			return ran{err}
		}
		if p.Store != "" && !store.IsPostgres(p.Store) {
			return ran{api.Invalid("the hub in %s uses a file, which is one shard", p.dir)}
		}
		address, err := a.addressIn(or(*admin, a.env.Getenv("STEMMA_HUB_ADMIN")))
		if err != nil {
			return ran{err}
		}
		if !store.IsPostgres(address) {
			return fmt.Errorf("%s: needs --admin with a postgres:// address", c.CommandPath())
		}
		out, err := do(cmd.Context(), address, no)
		if errors.Is(err, store.ErrBusy) {
			err = hubAway{errors.New(oneText(err))}
		} else if err != nil {
			err = api.Invalid("%s", oneText(err))
		}
		if err != nil {
			return ran{err}
		}
		if a.flags.json {
			return a.printJSON(out)
		}
		show(out)
		return nil
	}
}

func (a *app) hubSplitCmd(dir *string) *cobra.Command {
	c := &cobra.Command{Use: "split SHARD", Short: "Move half the accounts of a shard to a new one",
		Args: cobra.ExactArgs(1),
		Long: `Examples:
  stemma hub shard split 0
  stemma hub shard split 0 --account did:key:z6Mk…

Moves accounts with all their spaces to a new shard, while the hub serves. Pushes to
the old shard wait while rows are copied. One minute later, when nobody reads there
any more, the old rows are deleted; if you stop the command before, 'stemma hub
migrate' deletes them`}
	role := c.Flags().String("role", "stemma_hub", "name of the role that serves the hub")
	accounts := c.Flags().StringArray("account", nil, "account to move (can be repeated; default: half of them)")
	a.byAdmin(c, dir, func(ctx context.Context, address string, no int) (any, error) {
		return hubstore.SplitShard(ctx, address, *role, no, *accounts, func(ctx context.Context) error {
			a.hint("copied; waiting one minute for requests that read the old shard")
			t := time.NewTimer(hubstore.Waits)
			defer t.Stop()
			select {
			case <-t.C:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})
	}, func(v any) {
		s := v.(hubstore.Split)
		fmt.Fprintf(a.env.Stdout, "%s with %s and %s moved from shard %d to shard %d (%s)\n",
			count(s.Accounts, "account", "accounts"), count(s.Spaces, "space", "spaces"),
			count(int(s.Records), "record", "records"), s.From, s.To, clean(s.Schema))
	})
	return c
}

func (a *app) hubMoveCmd(dir *string) *cobra.Command {
	c := &cobra.Command{Use: "move SHARD", Short: "Move a shard to another node of Citus", Args: cobra.ExactArgs(1),
		Long: `Examples:
  stemma hub shard move 3 --to 10.0.0.7:5432

Has Citus move the shard's schema to another node, while the hub serves. Pushes to
this shard wait meanwhile. PostgreSQL without Citus has one node`}
	to := c.Flags().String("to", "", "node, as HOST:PORT")
	a.byAdmin(c, dir, func(ctx context.Context, address string, no int) (any, error) {
		return hubstore.MoveShard(ctx, address, no, *to)
	}, func(v any) {
		m := v.(hubstore.Move)
		fmt.Fprintf(a.env.Stdout, "shard %d (%s) moved to %s\n", m.Shard, clean(m.Schema), clean(m.Node))
	})
	return c
}
