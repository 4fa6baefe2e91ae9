package cli

import (
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma"
)

func (a *app) remoteInviteCmd() *cobra.Command {
	c := &cobra.Command{Use: "invite NAME", Short: "Of a hub: invite somebody to a space that you keep there", Args: cobra.ExactArgs(1), Long: `Examples:
  stemma remote invite team                             to your space main, as writer
  stemma remote invite team --role reader --expires 24h
  stemma --space plans remote invite team --role keeper
  stemma --space did:key:z6Mk…/plans remote invite team    to another's, where you are keeper

Invite somebody to a space that you keep at a hub, to no more than you may there
yourself. The code is shown here and kept nowhere: hand it over in private. Whoever
has it runs 'stemma remote add NAME URL --invitation CODE'. It is good for one
person once. Only a person invites, at a terminal`}
	in := stemma.RemoteInviteRequest{}
	f := c.Flags()
	f.StringVar(&in.Role, "role", "writer", "reader, writer, keeper or arbiter")
	expires := f.Duration("expires", 7*24*time.Hour, "how long it is good, in whole hours")
	c.RunE = verb(a, (*stemma.Engine).RemoteInvite, func(args []string) (stemma.RemoteInviteRequest, error) {
		in.Remote, in.Hours = args[0], int(*expires/time.Hour)
		if *expires < time.Hour || *expires%time.Hour != 0 {
			return in, ran{stemma.Invalid("--expires is whole hours, such as 24h, got %s", *expires)}
		}
		return in, nil
	}, func(i stemma.RemoteInvitation) error {
		fmt.Fprintln(a.env.Stdout, clean(i.Code))
		a.hint("%s of space %s, good until %s, once: 'stemma remote add %s %s --invitation CODE'",
			i.Role, spaceNames(nil)(i.Space), minute(i.Expires), i.Remote, i.Address)
		return nil
	})
	return c
}

func (a *app) remoteUninviteCmd() *cobra.Command {
	return &cobra.Command{Use: "uninvite NAME ID", Short: "Of a hub: take an invitation back", Args: cobra.ExactArgs(2), Long: `Examples:
  stemma remote member team                 shows the invitations that are open, with their ids
  stemma remote uninvite team 3f9a81c05d11

Take back an invitation to a space that you keep at a hub, so that its code opens
nothing any more. Who has used it is a member: 'stemma remote member remove' puts him
out. Only a person does, at a terminal`,
		RunE: verb(a, (*stemma.Engine).RemoteUninvite, func(args []string) (stemma.RemoteUninviteRequest, error) {
			return stemma.RemoteUninviteRequest{Remote: args[0], ID: args[1]}, nil
		}, a.showRemoteMembers)}
}

func (a *app) remoteMemberCmd() *cobra.Command {
	c := &cobra.Command{Use: "member NAME", Short: "Of a hub: who may do what in a space that you keep there", Args: cobra.ExactArgs(1), Long: `Examples:
  stemma remote member team
  stemma --space plans remote member team
  stemma remote member set team did:key:z6Mb… reader
  stemma remote member remove team did:key:z6Mb…

Who may do what in a space that you keep at a hub, and the invitations to it that
nobody has used yet. Names are those by which you introduced people ('stemma trust
introduce'); in quotes what somebody calls himself`, Annotations: map[string]string{takes: takesName}}
	c.RunE = verb(a, (*stemma.Engine).RemoteMembers, func(args []string) (stemma.RemoteMembersRequest, error) {
		return stemma.RemoteMembersRequest{Remote: args[0]}, nil
	}, a.showRemoteMembers)
	c.AddCommand(
		&cobra.Command{Use: "set NAME ACCOUNT ROLE", Short: "Give a member another role", Args: cobra.ExactArgs(3), Long: `Examples:
  stemma remote member set team did:key:z6Mb… reader

Give a member another role in a space that you keep at a hub, none above your own.
Who is no member is invited first. Only a person does, at a terminal`,
			RunE: verb(a, (*stemma.Engine).RemoteMemberSet, func(args []string) (stemma.RemoteMemberRequest, error) {
				return stemma.RemoteMemberRequest{Remote: args[0], Account: args[1], Role: args[2]}, nil
			}, a.showRemoteMembers)},
		&cobra.Command{Use: "remove NAME ACCOUNT", Short: "Put a member out", Args: cobra.ExactArgs(2), Long: `Examples:
  stemma remote member remove team did:key:z6Mb…

Put a member out of a space that you keep at a hub, with the invitations to it that
he gave and nobody has used yet. What he brought stays there, and what he took in
stays with him. Only a person does, at a terminal`,
			RunE: verb(a, (*stemma.Engine).RemoteMemberRemove, func(args []string) (stemma.RemoteMemberRequest, error) {
				return stemma.RemoteMemberRequest{Remote: args[0], Account: args[1]}, nil
			}, a.showRemoteMembers)})
	return c
}

func (a *app) showRemoteMembers(r stemma.RemoteMembersReply) error {
	var rows [][]string
	called := map[string]string{"": "whoever runs the hub"}
	for _, m := range r.Members {
		name := m.Name
		if name == "" && m.Calls != "" {
			name = strconv.Quote(m.Calls) // his word alone
		}
		called[m.Account] = or(name, m.Account)
		rows = append(rows, []string{clean(name), clean(m.Account), clean(m.Role), minute(m.Since)})
	}
	a.table(a.env.Stdout, []column{{title: "Name"}, {title: "Account"}, {title: "Role"}, {title: "Since"}}, rows)
	for _, i := range r.Invited {
		by := or(called[i.By], i.By)
		fmt.Fprintf(a.env.Stdout, "invited  %s  a %s, by %s, until %s\n", clean(i.ID), clean(i.Role), clean(by), minute(i.Expires))
	}
	return nil
}
