package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/hub"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/hubstore"
)

// checkRole reads a role.
func checkRole(text string) (store.Role, error) {
	if r := store.Role(text); r.AtLeast(store.Reader) {
		return r, nil
	}
	return "", api.Invalid("role: must be reader, writer, keeper or arbiter, got %q", text)
}

// checkSpace reads the full name of a space.
func checkSpace(text string) error {
	if owner := store.OwnerOf(text); !strings.HasPrefix(owner, "did:key:") {
		return api.Invalid("space: must be a full name, did:key:…/NAME, got %q", text)
	}
	return nil
}

func (a *app) hubInviteCmd(dir *string) *cobra.Command {
	c := &cobra.Command{Use: "invite [SPACE]", Short: "Create an invitation for one person", Args: cobra.MaximumNArgs(1),
		Long: `Examples:
  stemma hub invite                                        an account with its own spaces
  stemma hub invite did:key:z6Mk…/main --role reader
  stemma hub invite did:key:z6Mk…/team --role writer --expires 24h
  stemma hub invite --count 200 --json >codes.json         a code for each person

An invitation works once, for one person. stemma shows the code only now and does
not keep it: hand it over in private. With SPACE, the invitation includes that space.
Give its full name; its keeper finds it in the output of 'stemma init'`}
	role := c.Flags().String("role", "writer", "role in the space: reader, writer, keeper or arbiter")
	expires := c.Flags().Duration("expires", 7*24*time.Hour, "how long it is valid")
	n := c.Flags().Int("count", 1, "make that many, each for one person")
	c.RunE = a.withHub(dir, func(ctx context.Context, h *hubstore.Hub, _ *hubPlace, args []string) (any, error) {
		now := time.Now().UTC()
		i := store.Invitation{Made: now, Expires: now.Add(*expires)}
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
			return nil, api.Invalid("--expires: must be above 0, got %s", *expires)
		}
		const most = 1000
		if *n < 1 || *n > most {
			return nil, api.Invalid("--count: must be 1 to %d, got %d", most, *n)
		}
		var all []peer.Invited
		for range *n {
			code, kept := hub.NewCode()
			i.ID, i.Secret = hub.NewID(), kept
			if err := h.Invite(ctx, i); err != nil {
				return nil, err
			}
			all = append(all, peer.Invited{ID: i.ID, Code: code, Space: i.Space, Role: i.Role, Expires: i.Expires})
		}
		if *n == 1 {
			return all[0], nil
		}
		return all, nil
	}, func(v any) {
		all, many := v.([]peer.Invited)
		if !many {
			all = []peer.Invited{v.(peer.Invited)}
		}
		for _, i := range all {
			fmt.Fprintln(a.env.Stdout, i.Code)
		}
		a.hint("valid once, until %s: stemma hub join URL --invitation CODE",
			all[0].Expires.Local().Format("2006-01-02 15:04"))
	})
	return c
}

func (a *app) hubUninviteCmd(dir *string) *cobra.Command {
	return &cobra.Command{Use: "uninvite ID", Short: "Revoke an unused invitation", Args: cobra.ExactArgs(1),
		Long: "Examples:\n  stemma hub status                  shows open invitations and their ids\n" +
			"  stemma hub uninvite 3f9a81c05d11\n\n" +
			"Revokes an unused invitation; its code no longer works. If it was used, that person\n" +
			"has an account: see 'stemma hub member'",
		RunE: a.withHub(dir, func(ctx context.Context, h *hubstore.Hub, _ *hubPlace, args []string) (any, error) {
			err := h.Uninvite(ctx, args[0], "", time.Now())
			if errors.Is(err, store.ErrAbsent) {
				return nil, api.Invalid("no open invitation %.40q: it was used, has expired, or never existed", args[0])
			}
			if err != nil {
				return nil, err
			}
			return openInvitations(ctx, h)
		}, func(v any) { a.showInvitations(v.([]store.Invitation)) })}
}

// openInvitations returns those that no one has used yet.
func openInvitations(ctx context.Context, h *hubstore.Hub) ([]store.Invitation, error) {
	open, err := h.Invitations(ctx, "", time.Now())
	return append([]store.Invitation{}, open...), err
}

func (a *app) showInvitations(all []store.Invitation) {
	for _, i := range all {
		what := "an account"
		if i.Space != "" {
			what = "a " + string(i.Role) + " of " + i.Space
		}
		fmt.Fprintf(a.env.Stdout, "invited  %s  %s, by %s, until %s\n", i.ID, clean(what), or(i.By, "the hub's operator"),
			i.Expires.Local().Format("2006-01-02 15:04"))
	}
}

// hubMembers is who is known to a hub, and where.
type hubMembers struct {
	Accounts []store.Account `json:"accounts"`
	Members  []store.Member  `json:"members"`

	Reasons map[string]string `json:"reasons,omitempty"` // why accounts were ended
}

func readMembers(ctx context.Context, h *hubstore.Hub) (out hubMembers, err error) {
	if out.Accounts, err = h.Accounts(ctx); err == nil {
		out.Members, err = h.Members(ctx, "", "")
	}
	for _, acc := range out.Accounts {
		if err != nil || acc.Ended.IsZero() {
			continue
		}
		var why string
		if why, err = reasonOf(ctx, h, acc.DID); why != "" {
			if out.Reasons == nil {
				out.Reasons = make(map[string]string)
			}
			out.Reasons[acc.DID] = why
		}
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
		rows = append(rows, []string{clean(acc.Name), acc.DID, state, clean(m.Reasons[acc.DID])})
		if acc.Subject != "" {
			rows = append(rows, []string{"", clean(or(acc.Email, "no verified email")), "", clean(acc.Subject)})
		}
		for _, p := range m.Members {
			if p.Account == acc.DID {
				rows = append(rows, []string{"", "", string(p.Role), clean(p.Space)})
			}
		}
	}
	if len(rows) == 0 {
		a.hint("no members yet; to invite people: stemma hub invite")
		return
	}
	a.table(a.env.Stdout, []column{{title: "Name"}, {title: "Account"}, {title: "Role"}, {title: "Space"}}, rows)
}

func (a *app) hubMemberCmd(dir *string) *cobra.Command {
	c := &cobra.Command{Use: "member", Short: "Show and change the hub's accounts and members", Args: cobra.NoArgs,
		Long: `Examples:
  stemma hub member
  stemma hub member set did:key:z6Mk…/main did:key:z6Mb… reader
  stemma hub member remove did:key:z6Mk…/main did:key:z6Mb…
  stemma hub member end did:key:z6Mb…              removes its tokens and memberships

Lists the hub's accounts and their role in each space. Each account is keeper of
its own spaces`}
	c.RunE = a.withHub(dir, func(ctx context.Context, h *hubstore.Hub, _ *hubPlace, _ []string) (any, error) {
		return readMembers(ctx, h)
	}, a.showMembers)
	sub := func(use, short, example string, n int, do func(ctx context.Context, h *hubstore.Hub, args []string) error) {
		c.AddCommand(&cobra.Command{Use: use, Short: short, Args: cobra.ExactArgs(n),
			Long: "Examples:\n  stemma hub member " + example + "\n\n" + short,
			RunE: a.withHub(dir, func(ctx context.Context, h *hubstore.Hub, _ *hubPlace, args []string) (any, error) {
				if err := do(ctx, h, args); err != nil {
					return nil, err
				}
				return readMembers(ctx, h)
			}, a.showMembers)})
	}
	sub("set SPACE ACCOUNT ROLE", "Set an account's role in a space", "set did:key:z6Mk…/main did:key:z6Mb… reader", 3,
		func(ctx context.Context, h *hubstore.Hub, args []string) error {
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
	sub("remove SPACE ACCOUNT", "Remove an account from a space", "remove did:key:z6Mk…/main did:key:z6Mb…", 2,
		func(ctx context.Context, h *hubstore.Hub, args []string) error {
			return h.RemoveMember(ctx, args[0], args[1])
		})
	sub("end ACCOUNT", "End an account: removes its tokens and memberships, keeps its records", "end did:key:z6Mb…", 1,
		func(ctx context.Context, h *hubstore.Hub, args []string) error {
			return h.EndAccount(ctx, args[0], time.Now())
		})
	return c
}

func (a *app) showTokens(v any) {
	var rows [][]string
	for _, t := range v.([]store.Token) {
		over, state, used := t.Over(), "valid until revoked", "never"
		switch {
		case !t.Revoked.IsZero():
			state = "revoked"
		case !over.IsZero() && over.Before(time.Now()):
			state = "expired"
		case !over.IsZero():
			state = "valid until " + over.Format("2006-01-02")
		}
		if t.Key == "" && state != "revoked" && state != "expired" {
			state += ", not bound to a key yet"
		}
		if !t.Used.IsZero() {
			used = t.Used.Local().Format("2006-01-02 15:04") + " from " + clean(t.Address)
		}
		rows = append(rows, []string{t.ID, clean(t.Label), state, used, t.Account})
	}
	if len(rows) == 0 {
		a.hint("no tokens")
		return
	}
	a.table(a.env.Stdout, []column{{title: "Token"}, {title: "For"}, {title: "State"}, {title: "Last used"},
		{title: "Account"}}, rows)
}

func (a *app) hubTokenCmd(dir *string) *cobra.Command {
	c := &cobra.Command{Use: "token", Short: "List and revoke access tokens", Args: cobra.NoArgs, Long: `Examples:
  stemma hub token
  stemma hub token revoke 3f9a81c05d11

Lists tokens by their public ids, with the time and address of their last use. The
hub does not keep the tokens themselves. A machine renews its token by itself, with a
key that only it has. To end a service account: stemma remote service revoke`}
	c.AddCommand(&cobra.Command{Use: "list", Short: "List tokens", Args: cobra.NoArgs,
		Long: "Examples:\n  stemma hub token list\n\nList tokens"})
	list := func(ctx context.Context, h *hubstore.Hub) (any, error) {
		all, err := h.Tokens(ctx, "")
		return append([]store.Token{}, all...), err
	}
	c.RunE = a.withHub(dir, func(ctx context.Context, h *hubstore.Hub, _ *hubPlace, _ []string) (any, error) {
		return list(ctx, h)
	}, a.showTokens)
	c.Commands()[0].RunE = c.RunE
	c.AddCommand(&cobra.Command{Use: "revoke ID", Short: "Revoke a token immediately", Args: cobra.ExactArgs(1),
		Long: "Examples:\n  stemma hub token revoke 3f9a81c05d11\n\n" +
			"Revokes the token immediately. Records that came with it stay",
		RunE: a.withHub(dir, func(ctx context.Context, h *hubstore.Hub, _ *hubPlace, args []string) (any, error) {
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
	c := &cobra.Command{Use: "status", Short: "Show the hub's name, spaces, accounts and invitations",
		Args: cobra.NoArgs, Long: `Examples:
  stemma hub status
  stemma hub status --json

Shows the hub's name and key, its spaces and their sizes, its accounts and open
invitations`}
	c.RunE = a.withHub(dir, func(ctx context.Context, h *hubstore.Hub, p *hubPlace, _ []string) (any, error) {
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
			a.table(a.env.Stdout, []column{{title: "Space"}, {title: "Records", right: true}, {title: "Members", right: true}},
				rows)
		}
	})
	return c
}
