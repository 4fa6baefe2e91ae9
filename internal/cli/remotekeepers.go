package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

func (a *app) remoteKeeperCmd() *cobra.Command {
	c := &cobra.Command{Use: "keeper [list | accept | drop]", Short: "Choose who may vouch for members of a space",
		Args: cobra.NoArgs, Long: `Examples:
  stemma remote keeper list team
  stemma remote keeper accept team did:key:z6Mb…
  stemma remote keeper drop team did:key:z6Mb…

The owner of a space and the keepers whom the owner appointed can vouch for its
members. Memories of those members count as observed for you, under their names,
once you accepted the keeper, in that space alone. They are never verified by it.
Only a person at a terminal can accept or drop a keeper`}
	one := func(role string) func([]string) (api.RemoteMemberRequest, error) {
		return func(args []string) (api.RemoteMemberRequest, error) {
			return api.RemoteMemberRequest{Remote: args[0], Account: args[1], Role: role}, nil
		}
	}
	list := &cobra.Command{Use: "list [NAME]", Short: "List the keepers of the spaces of a remote",
		Args: cobra.MaximumNArgs(1),
		Long: "Examples:\n  stemma remote keeper list team\n\nList the keepers of the spaces of a remote",
		RunE: verb(a, (*engine.Engine).RemoteMembers, func(args []string) (api.RemoteMembersRequest, error) {
			return api.RemoteMembersRequest{Remote: strings.Join(args, ""), Keepers: true}, nil
		}, a.showKeepers)}
	c.AddCommand(list,
		&cobra.Command{Use: "accept NAME ACCOUNT", Short: "Let a keeper vouch for members", Args: cobra.ExactArgs(2),
			Long: `Examples:
  stemma remote keeper accept team did:key:z6Mb…

Compare the key with the keeper over another channel first. With --space and a full
name it concerns that space alone. Only a person at a terminal can do this`,
			RunE: verb(a, (*engine.Engine).RemoteMemberSet, one("accepted"), a.showKeepers)},
		&cobra.Command{Use: "drop NAME ACCOUNT", Short: "Take the acceptance of a keeper back", Args: cobra.ExactArgs(2),
			Long: `Examples:
  stemma remote keeper drop team did:key:z6Mb…

Members for whom only this keeper vouches count as unverified again. Only a person at
a terminal can do this`,
			RunE: verb(a, (*engine.Engine).RemoteMemberSet, one("dropped"), a.showKeepers)})
	return c
}

func (a *app) remoteVouchCmd() *cobra.Command {
	c := &cobra.Command{Use: "vouch NAME [ACCOUNT...]", Short: "Vouch for members of a space that you keep",
		Args: cobra.MinimumNArgs(1), Long: `Examples:
  stemma --space team remote vouch team --all                 for all members at the hub
  stemma --space team remote vouch team did:key:z6Mb…

Says that members are who they say they are. It counts in that space, for those who
accepted you as its keeper. Only a person at a terminal can vouch`}
	all := c.Flags().Bool("all", false, "all members that the hub lists")
	c.RunE = verb(a, (*engine.Engine).RemoteMemberSet, func(args []string) (api.RemoteMemberRequest, error) {
		in := api.RemoteMemberRequest{Remote: args[0], Account: strings.Join(args[1:], ","), Role: "vouched"}
		if *all == (in.Account != "") {
			return in, ran{api.Invalid("ACCOUNT: name members, or use --all")}
		}
		if *all {
			in.Account = "*"
		}
		return in, nil
	}, a.showRemoteMembers)
	return c
}

func (a *app) remoteUnvouchCmd() *cobra.Command {
	return &cobra.Command{Use: "unvouch NAME ACCOUNT...", Short: "Vouch for members of a space no longer",
		Args: cobra.MinimumNArgs(2), Long: `Examples:
  stemma --space team remote unvouch team did:key:z6Mb…

Their memories count as unverified again for those who accepted you. Only a person at
a terminal can do this`,
		RunE: verb(a, (*engine.Engine).RemoteMemberSet, func(args []string) (api.RemoteMemberRequest, error) {
			return api.RemoteMemberRequest{Remote: args[0], Account: strings.Join(args[1:], ","), Role: "unvouched"}, nil
		}, a.showRemoteMembers)}
}

func (a *app) showKeepers(r api.RemoteMembersReply) error {
	var rows [][]string
	for _, k := range r.Members {
		counts := ""
		if k.Accepted {
			counts = "accepted"
		}
		rows = append(rows, []string{
			clean(k.Space), clean(k.Name), clean(k.Account), clean(k.Role), fmt.Sprint(k.Vouches), counts,
		})
	}
	a.table(a.env.Stdout, []column{
		{title: "Space"}, {title: "Name"}, {title: "Account"}, {title: "Role"}, {title: "Vouches for"}, {title: "Yours"},
	}, rows)
	return nil
}

// showSpaceKeepers lists who owns and keeps the spaces of remotes, unless it is this person alone.
func (a *app) showSpaceKeepers(r api.RemoteReply) {
	var rows [][]string
	for _, o := range r.Remotes {
		for i, k := range o.Keepers {
			alone := k.Role == "owner" && (i+1 == len(o.Keepers) || o.Keepers[i+1].Space != k.Space)
			if alone && strings.HasPrefix(k.Space, k.Account+"/") && k.Name == "you" {
				continue
			}
			rows = append(rows, []string{
				clean(o.Name), clean(k.Space), clean(k.Name), clean(k.Account), clean(k.Role),
			})
		}
	}
	if len(rows) > 0 {
		fmt.Fprintln(a.env.Stdout)
		a.table(a.env.Stdout, []column{
			{title: "Remote"}, {title: "Space"}, {title: "Name"}, {title: "Account"}, {title: "Role"},
		}, rows)
	}
}
