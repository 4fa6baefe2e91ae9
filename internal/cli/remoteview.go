package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/strict"
)

func (a *app) remoteViewCmd() *cobra.Command {
	return &cobra.Command{Use: "view NAME", Short: "Show the logs that a remote sent to this store",
		Args: cobra.ExactArgs(1), Long: `Examples:
  stemma remote view team
  stemma remote view team --json >view.json      for 'stemma remote compare' in another store

Shows how many records each of the remote's logs had at the last sync, as signed by
the remote. It contains no memories, and stemma does not connect to the remote`,
		RunE: verb(a, (*engine.Engine).RemoteView, func(args []string) (api.RemoteRequest, error) {
			return api.RemoteRequest{Name: args[0]}, nil
		}, a.showRemoteView)}
}

func (a *app) showRemoteView(v api.RemoteView) error {
	var rows [][]string
	var spaces []string
	for _, p := range v.Peers {
		for _, l := range p.Logs {
			spaces = append(spaces, l.Space)
		}
	}
	named := spaceNames(spaces)
	for _, p := range v.Peers {
		for _, l := range p.Logs {
			rows = append(rows, []string{named(l.Space), strconv.FormatInt(l.Size, 10), clean(l.Root), clean(short(p.Name))})
		}
	}
	if len(rows) == 0 {
		a.hint("nothing received from %s yet; to sync: stemma sync %s", v.Remote, v.Remote)
		return nil
	}
	a.table(a.env.Stdout, []column{{title: "Space"}, {title: "Records", right: true}, {title: "Root"}, {title: "Of"}},
		rows)
	for _, p := range v.Peers {
		for _, l := range p.Logs {
			a.showWithheld(named(l.Space), l, func(string) string { return "" })
		}
	}
	return nil
}

func (a *app) remoteCompareCmd() *cobra.Command {
	c := &cobra.Command{Use: "compare NAME VIEW", Short: "Check that a remote sent two stores the same logs",
		Args: cobra.ExactArgs(2), Long: `Examples:
  stemma remote compare team view.json
  stemma remote compare team view.json --json >proof.json

VIEW is a file from 'stemma remote view NAME --json' in another store that syncs
with the same remote; '-' is standard input. The remote must prove that both views
are of one log. If it hides a record from one store, or was restored from an older
copy, it cannot: the exit code is 1, and --json contains both of its signatures`}
	c.RunE = func(cmd *cobra.Command, args []string) error {
		split := false
		compared := func(ctx context.Context, in api.RemoteCompareRequest) (api.RemoteCompareReply, error) {
			r, err := call(ctx, a, (*engine.Engine).RemoteCompare, in)
			split = r.Split+r.Failed > 0
			return r, err
		}
		err := verbAs(a, compared, func(args []string) (api.RemoteCompareRequest, error) {
			in := api.RemoteCompareRequest{Remote: args[0]}
			const most = 16 << 20
			raw, err := a.readFile(args[1], most)
			if err != nil {
				return in, err
			}
			if err := json.Unmarshal([]byte(raw), &in.View); err != nil || in.View.Peers == nil ||
				strict.Check([]byte(raw), nil) != nil {
				return in, ran{api.Invalid("%s is not a view of a remote; to make one: stemma remote view NAME --json",
					clean(args[1]))}
			}
			return in, nil
		}, a.showRemoteCompare)(cmd, args)
		if err == nil && split {
			return errFailed
		}
		return err
	}
	return c
}

func (a *app) showRemoteCompare(r api.RemoteCompareReply) error {
	spaces := make([]string, len(r.Logs))
	for i, l := range r.Logs {
		spaces[i] = l.Here.Space
	}
	named := spaceNames(spaces)
	for _, l := range r.Logs {
		space := named(l.Here.Space)
		switch {
		case l.Split:
			fmt.Fprintf(a.env.Stdout, "%s: %s signed two different histories: %d records here, %d there\n",
				space, r.Remote, l.Here.Size, l.There.Size)
			a.hint("%s", line(l.Problem, 400))
		case l.Problem != "":
			fmt.Fprintf(a.env.Stdout, "%s: cannot compare: %s\n", space, line(l.Problem, 400))
		default:
			fmt.Fprintf(a.env.Stdout, "%s: one log: %s here, %d there\n", space, count(int(l.Here.Size), "record", "records"),
				l.There.Size)
		}
		a.showWithheld(space, l.Here, andThere(l.There))
	}
	if r.Split > 0 {
		a.hint("the remote hid records from one store, or was restored from an older copy; --json has both signatures as " +
			"proof")
	}
	return nil
}
