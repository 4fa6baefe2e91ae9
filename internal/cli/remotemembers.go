package cli

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/store"
)

func (a *app) remoteInviteCmd() *cobra.Command {
	c := &cobra.Command{Use: "invite NAME", Short: "Invite a person to a space that you keep at a hub",
		Args: cobra.ExactArgs(1), Long: `Examples:
  stemma remote invite team                             to this project's space, as a writer
  stemma remote invite team --role reader --expires 24h
  stemma --space plans remote invite team --role keeper
  stemma --space did:key:z6Mk…/plans remote invite team    to a space where you are keeper

You can grant only a role that you have yourself. stemma shows the code only now
and does not keep it: hand it over in private. The invited person runs
'stemma remote add NAME URL --invitation CODE'. The code works once, for one person.
Only a person at a terminal can invite`}
	in := api.RemoteInviteRequest{}
	f := c.Flags()
	f.StringVar(&in.Role, "role", "writer", "role: reader, writer, keeper or arbiter")
	expires := f.Duration("expires", 7*24*time.Hour, "how long it is valid, in whole hours")
	f.IntVar(&in.Count, "count", 0, "make that many, each for one person (default 1)")
	c.RunE = verb(a, (*engine.Engine).RemoteInvite, func(args []string) (api.RemoteInviteRequest, error) {
		in.Remote, in.Hours = args[0], int(*expires/time.Hour)
		if *expires < time.Hour || *expires%time.Hour != 0 {
			return in, ran{api.Invalid("--expires: must be whole hours such as 24h, got %s", *expires)}
		}
		return in, nil
	}, func(i api.RemoteInvitation) error {
		fmt.Fprintln(a.env.Stdout, clean(i.Code))
		for _, more := range i.More {
			fmt.Fprintln(a.env.Stdout, clean(more.Code))
		}
		a.hint("%s of space %s, valid once, until %s: stemma remote add %s %s --invitation CODE",
			i.Role, spaceNames(nil)(i.Space), minute(i.Expires), i.Remote, i.Address)
		if i.Role == string(peer.Keeper) || i.Role == string(store.Arbiter) {
			a.hint("%s manages members at the hub, and decides about no memories until the owner of the space runs, once "+
				"they joined: stemma remote member set %s ACCOUNT %s", i.Role, i.Remote, i.Role)
		}
		return nil
	})
	return c
}

func (a *app) remoteUninviteCmd() *cobra.Command {
	return &cobra.Command{Use: "uninvite NAME ID", Short: "Revoke an invitation to a space at a hub",
		Args: cobra.ExactArgs(2), Long: `Examples:
  stemma remote member team                 shows open invitations and their ids
  stemma remote uninvite team 3f9a81c05d11

Revokes an unused invitation; its code no longer works. If it was used, that person
is a member: remove them with 'stemma remote member remove'. Only a person at a
terminal can revoke`,
		RunE: verb(a, (*engine.Engine).RemoteUninvite, func(args []string) (api.RemoteUninviteRequest, error) {
			return api.RemoteUninviteRequest{Remote: args[0], ID: args[1]}, nil
		}, a.showRemoteMembers)}
}

func (a *app) remoteMemberCmd() *cobra.Command {
	c := &cobra.Command{Use: "member NAME", Short: "Show and change the members of a space at a hub",
		Args: cobra.ExactArgs(1), Long: `Examples:
  stemma remote member team
  stemma --space plans remote member team
  stemma remote member set team did:key:z6Mb… reader
  stemma remote member remove team did:key:z6Mb…

Lists the members of a space that you keep at a hub, and its unused invitations.
Names are those you gave with 'stemma trust introduce'. A name in quotes is the
person's own name for themselves`, Annotations: map[string]string{takes: takesName}}
	c.RunE = verb(a, (*engine.Engine).RemoteMembers, func(args []string) (api.RemoteMembersRequest, error) {
		return api.RemoteMembersRequest{Remote: args[0]}, nil
	}, a.showRemoteMembers)
	c.AddCommand(a.remoteMemberSetCmd(),
		&cobra.Command{Use: "remove NAME ACCOUNT", Short: "Remove a member", Args: cobra.ExactArgs(2), Long: `Examples:
  stemma remote member remove team did:key:z6Mb…

Also revokes the unused invitations that the member gave. Their records stay in the
space, and the copies they received stay with them. Only a person at a terminal can
remove members`,
			RunE: verb(a, (*engine.Engine).RemoteMemberRemove, func(args []string) (api.RemoteMemberRequest, error) {
				return api.RemoteMemberRequest{Remote: args[0], Account: args[1]}, nil
			}, a.showRemoteMembers)})
	return c
}

// roleOwner hands the space over.
const roleOwner = "owner"

func (a *app) remoteMemberSetCmd() *cobra.Command {
	c := &cobra.Command{Use: "set NAME ACCOUNT ROLE", Short: "Change a member's role", Args: cobra.ExactArgs(3),
		Long: `Examples:
  stemma remote member set team did:key:z6Mb… reader
  stemma --space team remote member set team did:key:z6Mb… owner

You can give any role up to your own. Invite people who are not members first. The
role owner hands the space over: that member decides, appoints keepers and purges from
then on, and you become a writer. You cannot undo it. Only a person at a terminal can
change roles`}
	yes := c.Flags().Bool("yes", false, "with owner: do not ask for confirmation")
	declined := false
	do := func(ctx context.Context, in api.RemoteMemberRequest) (api.RemoteMembersReply, error) {
		if in.Role == roleOwner && !*yes && a.origin() == roleOwner {
			if !a.interactive() {
				return api.RemoteMembersReply{}, api.Invalid("a handover cannot be undone; confirm with --yes")
			}
			answer, err := a.ask(a.typing(), "hand the space over to "+clean(in.Account)+"? [y/N] ")
			if err != nil && !errors.Is(err, errQuit) {
				return api.RemoteMembersReply{}, err
			}
			if declined = !strings.EqualFold(answer, "y") && !strings.EqualFold(answer, "yes"); declined {
				return api.RemoteMembersReply{}, nil
			}
		}
		return call(ctx, a, (*engine.Engine).RemoteMemberSet, in)
	}
	role := ""
	c.RunE = verbAs(a, do, func(args []string) (api.RemoteMemberRequest, error) {
		role = args[2]
		return api.RemoteMemberRequest{Remote: args[0], Account: args[1], Role: role}, nil
	}, func(r api.RemoteMembersReply) error {
		switch {
		case declined:
			a.hint("nothing was handed over")
			return nil
		case role != roleOwner:
			return a.showRemoteMembers(r)
		}
		a.hint("signed; the next sync with %s sends it: stemma sync %s", r.Remote, r.Remote)
		return a.showKeepers(r)
	})
	return c
}

func (a *app) showRemoteMembers(r api.RemoteMembersReply) error {
	var rows [][]string
	names := map[string]string{"": "the hub's operator"}
	for _, m := range r.Members {
		name := m.Name
		if name == "" && m.Calls != "" {
			name = strconv.Quote(m.Calls) // his word alone
		}
		names[m.Account] = or(name, m.Account)
		rows = append(rows, []string{clean(name), clean(m.Account), clean(m.Role), minute(m.Since)})
	}
	a.table(a.env.Stdout, []column{{title: "Name"}, {title: "Account"}, {title: "Role"}, {title: "Since"}}, rows)
	for _, i := range r.Invited {
		by := or(names[i.By], i.By)
		fmt.Fprintf(a.env.Stdout, "invited  %s  a %s, by %s, until %s\n", clean(i.ID), clean(i.Role), clean(by),
			minute(i.Expires))
	}
	return nil
}
