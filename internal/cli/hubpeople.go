package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma"
	"github.com/stemma-memory/stemma/internal/hub"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
)

// checkRole reads a role.
func checkRole(text string) (store.Role, error) {
	if r := store.Role(text); r.AtLeast(store.Reader) {
		return r, nil
	}
	return "", stemma.Invalid("a role is reader, writer, keeper or arbiter, got %q", text)
}

// checkSpace reads the full name of a space.
func checkSpace(text string) error {
	if owner := store.OwnerOf(text); !strings.HasPrefix(owner, "did:key:") {
		return stemma.Invalid("a space of a hub is named in full, did:key:…/NAME, got %q", text)
	}
	return nil
}

func (a *app) hubInviteCmd(dir *string) *cobra.Command {
	c := &cobra.Command{Use: "invite [SPACE]", Short: "Make an invitation, good for one person once", Args: cobra.MaximumNArgs(1), Long: `Examples:
  stemma hub invite                                        an account, with spaces of its own
  stemma hub invite did:key:z6Mk…/main --role reader
  stemma hub invite did:key:z6Mk…/team --role writer --expires 24h

Make an invitation, good for one person once. The code is shown here and kept
nowhere: hand it over in private. With a space it is to that space too, which is
named in full: its keeper finds the name in what 'stemma init' printed`}
	role := c.Flags().String("role", "writer", "in the space: reader, writer, keeper or arbiter")
	expires := c.Flags().Duration("expires", 7*24*time.Hour, "how long it is good")
	c.RunE = a.withHub(dir, func(ctx context.Context, h *sqlstore.Hub, _ *hubPlace, args []string) (any, error) {
		now := time.Now().UTC()
		code, kept := hub.NewCode()
		i := store.Invitation{ID: hub.NewID(), Secret: kept, Made: now, Expires: now.Add(*expires)}
		if len(args) > 0 {
			r, err := checkRole(*role)
			if err == nil {
				err = checkSpace(args[0])
			}
			if err != nil {
				return nil, err
			}
			i.Space, i.Role = args[0], r
		}
		if *expires <= 0 {
			return nil, stemma.Invalid("--expires is above 0, got %s", *expires)
		}
		return peer.Invited{ID: i.ID, Code: code, Space: i.Space, Role: i.Role, Expires: i.Expires}, h.Invite(ctx, i)
	}, func(v any) {
		i := v.(peer.Invited)
		fmt.Fprintln(a.env.Stdout, i.Code)
		a.hint("good until %s, once: 'stemma hub join URL --invitation CODE'", i.Expires.Local().Format("2006-01-02 15:04"))
	})
	return c
}

func (a *app) hubUninviteCmd(dir *string) *cobra.Command {
	return &cobra.Command{Use: "uninvite ID", Short: "Take an invitation back that nobody has used", Args: cobra.ExactArgs(1),
		Long: "Examples:\n  stemma hub status                  shows the invitations that are open, with their ids\n  stemma hub uninvite 3f9a81c05d11\n\n" +
			"Take an invitation back that nobody has used, so that its code opens nothing any\nmore. Who has used it has an account: 'stemma hub member' shows them",
		RunE: a.withHub(dir, func(ctx context.Context, h *sqlstore.Hub, _ *hubPlace, args []string) (any, error) {
			err := h.Uninvite(ctx, args[0], "", time.Now())
			if errors.Is(err, store.ErrAbsent) {
				return nil, stemma.Invalid("no invitation %.40q is open: it was used, has expired, or never was", args[0])
			}
			if err != nil {
				return nil, err
			}
			return openInvitations(ctx, h)
		}, func(v any) { a.showInvitations(v.([]store.Invitation)) })}
}

// openInvitations gives those that nobody has used yet.
func openInvitations(ctx context.Context, h *sqlstore.Hub) ([]store.Invitation, error) {
	open, err := h.Invitations(ctx, "", time.Now())
	return append([]store.Invitation{}, open...), err
}

func (a *app) showInvitations(all []store.Invitation) {
	for _, i := range all {
		what := "an account"
		if i.Space != "" {
			what = "a " + string(i.Role) + " of " + i.Space
		}
		fmt.Fprintf(a.env.Stdout, "invited  %s  %s, by %s, until %s\n", i.ID, clean(what), or(i.By, "whoever runs the hub"), i.Expires.Local().Format("2006-01-02 15:04"))
	}
}

// hubMembers is who is known to a hub, and where.
type hubMembers struct {
	Accounts []store.Account `json:"accounts"`
	Members  []store.Member  `json:"members"`
}

func readMembers(ctx context.Context, h *sqlstore.Hub) (out hubMembers, err error) {
	if out.Accounts, err = h.Accounts(ctx); err == nil {
		out.Members, err = h.Members(ctx, "", "")
	}
	out.Accounts, out.Members = append([]store.Account{}, out.Accounts...), append([]store.Member{}, out.Members...)
	return out, err
}

func (a *app) showMembers(v any) {
	m := v.(hubMembers)
	var rows [][]string
	for _, acc := range m.Accounts {
		state := ""
		if !acc.Ended.IsZero() {
			state = "ended"
		}
		rows = append(rows, []string{clean(acc.Name), acc.DID, state, ""})
		for _, p := range m.Members {
			if p.Account == acc.DID {
				rows = append(rows, []string{"", "", string(p.Role), clean(p.Space)})
			}
		}
	}
	if len(rows) == 0 {
		a.hint("nobody has joined yet: 'stemma hub invite' makes an invitation")
		return
	}
	a.table(a.env.Stdout, []column{{title: "Name"}, {title: "Account"}, {title: "Role"}, {title: "Space"}}, rows)
}

func (a *app) hubMemberCmd(dir *string) *cobra.Command {
	c := &cobra.Command{Use: "member", Short: "Who is known to the hub, and what each may do where", Args: cobra.NoArgs, Long: `Examples:
  stemma hub member
  stemma hub member set did:key:z6Mk…/main did:key:z6Mb… reader
  stemma hub member remove did:key:z6Mk…/main did:key:z6Mb…
  stemma hub member end did:key:z6Mb…              its tokens and places go; what it brought stays

Who is known to the hub, and what each may do where. Of its own spaces everybody
is keeper`}
	c.RunE = a.withHub(dir, func(ctx context.Context, h *sqlstore.Hub, _ *hubPlace, _ []string) (any, error) {
		return readMembers(ctx, h)
	}, a.showMembers)
	sub := func(use, short, example string, n int, do func(ctx context.Context, h *sqlstore.Hub, args []string) error) {
		c.AddCommand(&cobra.Command{Use: use, Short: short, Args: cobra.ExactArgs(n), Long: "Examples:\n  stemma hub member " + example + "\n\n" + short,
			RunE: a.withHub(dir, func(ctx context.Context, h *sqlstore.Hub, _ *hubPlace, args []string) (any, error) {
				if err := do(ctx, h, args); err != nil {
					return nil, err
				}
				return readMembers(ctx, h)
			}, a.showMembers)})
	}
	sub("set SPACE ACCOUNT ROLE", "Give an account its place in a space", "set did:key:z6Mk…/main did:key:z6Mb… reader", 3,
		func(ctx context.Context, h *sqlstore.Hub, args []string) error {
			role, err := checkRole(args[2])
			if err == nil {
				err = checkSpace(args[0])
			}
			if err != nil {
				return err
			}
			if _, err := h.Account(ctx, args[1]); err != nil {
				return err
			}
			return h.SetMember(ctx, store.Member{Space: args[0], Account: args[1], Role: role, Made: time.Now()})
		})
	sub("remove SPACE ACCOUNT", "Take an account's place in a space away", "remove did:key:z6Mk…/main did:key:z6Mb…", 2,
		func(ctx context.Context, h *sqlstore.Hub, args []string) error {
			return h.RemoveMember(ctx, args[0], args[1])
		})
	sub("end ACCOUNT", "End an account: its tokens and places go, what it brought stays", "end did:key:z6Mb…", 1,
		func(ctx context.Context, h *sqlstore.Hub, args []string) error {
			return h.EndAccount(ctx, args[0], time.Now())
		})
	return c
}

func (a *app) showTokens(v any) {
	var rows [][]string
	for _, t := range v.([]store.Token) {
		state := "good until " + t.Expires.Format("2006-01-02")
		switch {
		case !t.Revoked.IsZero():
			state = "revoked"
		case !t.Expires.IsZero() && t.Expires.Before(time.Now()):
			state = "expired"
		}
		rows = append(rows, []string{t.ID, clean(t.Label), state, t.Account})
	}
	if len(rows) == 0 {
		a.hint("nobody has a token")
		return
	}
	a.table(a.env.Stdout, []column{{title: "Token"}, {title: "For"}, {title: "State"}, {title: "Account"}}, rows)
}

func (a *app) hubTokenCmd(dir *string) *cobra.Command {
	c := &cobra.Command{Use: "token", Short: "The tokens that open the hub", Args: cobra.NoArgs, Long: `Examples:
  stemma hub token
  stemma hub token revoke 3f9a81c05d11

The tokens that open the hub, by their public ids. Their words are kept nowhere`}
	list := func(ctx context.Context, h *sqlstore.Hub) (any, error) {
		all, err := h.Tokens(ctx, "")
		return append([]store.Token{}, all...), err
	}
	c.RunE = a.withHub(dir, func(ctx context.Context, h *sqlstore.Hub, _ *hubPlace, _ []string) (any, error) { return list(ctx, h) }, a.showTokens)
	c.AddCommand(&cobra.Command{Use: "revoke ID", Short: "End a token at once", Args: cobra.ExactArgs(1),
		Long: "Examples:\n  stemma hub token revoke 3f9a81c05d11\n\nEnd a token at once. What it brought stays",
		RunE: a.withHub(dir, func(ctx context.Context, h *sqlstore.Hub, _ *hubPlace, args []string) (any, error) {
			if err := h.RevokeToken(ctx, args[0], "", time.Now()); err != nil {
				return nil, err
			}
			return list(ctx, h)
		}, a.showTokens)})
	return c
}

// hubStatus is what a hub is and holds.
type hubStatus struct {
	hubShown
	Accounts    int                `json:"accounts"`
	Invitations []store.Invitation `json:"invitations"`
	Spaces      []hubSpace         `json:"spaces"`
}

type hubSpace struct {
	Space   string `json:"space"`
	Records int64  `json:"records"`
	Members int    `json:"members"`
}

func (a *app) hubStatusCmd(dir *string) *cobra.Command {
	c := &cobra.Command{Use: "status", Short: "What the hub is and holds", Args: cobra.NoArgs, Long: `Examples:
  stemma hub status
  stemma hub status --json

What the hub is and holds: its name and key, its spaces with their sizes, its
accounts and the invitations that are open`}
	c.RunE = a.withHub(dir, func(ctx context.Context, h *sqlstore.Hub, p *hubPlace, _ []string) (any, error) {
		shown, err := a.hubShown(p, h)
		if err != nil {
			return nil, err
		}
		out := hubStatus{hubShown: shown, Spaces: []hubSpace{}}
		accounts, err := h.Accounts(ctx)
		if err != nil {
			return nil, err
		}
		out.Accounts = len(accounts)
		if out.Invitations, err = openInvitations(ctx, h); err != nil {
			return nil, err
		}
		totals, err := h.Totals(ctx)
		if err != nil {
			return nil, err
		}
		for _, t := range totals {
			ms, err := h.Members(ctx, t.Name, "")
			if err != nil {
				return nil, err
			}
			out.Spaces = append(out.Spaces, hubSpace{t.Name, int64(t.Last), len(ms)})
		}
		return out, nil
	}, func(v any) {
		s := v.(hubStatus)
		fmt.Fprintf(a.env.Stdout, "hub %s\nkey %s\nstore %s\n%s, %s open\n", clean(s.Name), s.Key, clean(s.Store),
			count(s.Accounts, "account", "accounts"), count(len(s.Invitations), "invitation", "invitations"))
		a.showInvitations(s.Invitations)
		var rows [][]string
		for _, sp := range s.Spaces {
			rows = append(rows, []string{clean(sp.Space), fmt.Sprint(sp.Records), fmt.Sprint(cmp.Or(sp.Members, 0))})
		}
		if len(rows) > 0 {
			a.table(a.env.Stdout, []column{{title: "Space"}, {title: "Records", right: true}, {title: "Members", right: true}}, rows)
		}
	})
	return c
}
