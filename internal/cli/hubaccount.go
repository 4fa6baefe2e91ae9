package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/hubstore"
)

// accountEnded is what the end of an account took away, and what stays.
type accountEnded struct {
	Account     store.Account  `json:"account"`
	Before      bool           `json:"before"` // it was ended before: nothing was taken away now
	Reason      string         `json:"reason,omitempty"`
	Tokens      int            `json:"tokens"`
	Roles       []store.Member `json:"roles"`
	Invitations int            `json:"invitations"`
	Services    []string       `json:"services"` // that it made, and that ended with it
	Stored      []peer.Stored  `json:"stored"`   // stays
}

func (a *app) hubAccountCmd(dir *string) *cobra.Command {
	c := &cobra.Command{Use: "account", Short: "List, end and restore accounts", Args: cobra.NoArgs, Long: `Examples:
  stemma hub account list --json
  stemma hub account end did:key:z6Mb…
  stemma hub account end --email ann@example.org
  stemma hub account restore did:key:z6Mb…

A directory of people can call these when somebody leaves. Ending an account twice is
no error. See 'stemma hub member' for roles`}
	list := a.withHub(dir, func(ctx context.Context, h *hubstore.Hub, _ *hubPlace, _ []string) (any, error) {
		return readMembers(ctx, h)
	}, a.showMembers)
	c.RunE = list
	c.AddCommand(
		&cobra.Command{Use: "list", Short: "List accounts and their roles", Args: cobra.NoArgs, RunE: list,
			Long: "Examples:\n  stemma hub account list --json\n\nList accounts and their roles"},
		a.hubAccountEndCmd(dir),
		&cobra.Command{Use: "restore ACCOUNT", Short: "Let an ended account join again", Args: cobra.ExactArgs(1),
			Long: `Examples:
  stemma hub account restore did:key:z6Mb…

Gives back no token, role or invitation: the person needs a new invitation`,
			RunE: a.withHub(dir, func(ctx context.Context, h *hubstore.Hub, _ *hubPlace, args []string) (any, error) {
				acc, err := h.Account(ctx, args[0])
				if err != nil {
					return nil, err
				}
				if acc.Service() {
					return nil, api.Invalid("%s is a service account: its keeper makes another", args[0])
				}
				if err := h.RestoreAccount(ctx, args[0]); err != nil && !errors.Is(err, store.ErrAbsent) {
					return nil, err
				}
				if err := h.SetSetting(ctx, endedFor+args[0], nil); err != nil {
					return nil, err
				}
				return readMembers(ctx, h)
			}, a.showMembers)})
	return c
}

func (a *app) hubAccountEndCmd(dir *string) *cobra.Command {
	c := &cobra.Command{Use: "end [ACCOUNT]", Short: "End an account at once", Args: cobra.MaximumNArgs(1),
		Long: `Examples:
  stemma hub account end did:key:z6Mb…
  stemma hub account end --subject 24400320
  stemma hub account end --email ann@example.org --reason "left on 3 May"

Ends its tokens, roles and open invitations, and the service accounts that it made.
Its records stay, and are counted in the answer. Ended twice, it is one end`}
	subject := c.Flags().String("subject", "", "subject at the OpenID provider, alone or as ISSUER#SUBJECT")
	email := c.Flags().String("email", "", "email address that the OpenID provider verified")
	reason := c.Flags().String("reason", "", "the reason, shown in the list of accounts")
	c.RunE = a.withHub(dir, func(ctx context.Context, h *hubstore.Hub, _ *hubPlace, args []string) (any, error) {
		if len(*reason) > mostReason {
			return nil, api.Invalid("hub account end: --reason has %d bytes, at most %d", len(*reason), mostReason)
		}
		given := append([]string{}, args...)
		for _, text := range []string{*subject, *email} {
			if text != "" {
				given = append(given, text)
			}
		}
		if len(given) != 1 || len(args) == 1 && args[0] == "" {
			return nil, api.Invalid("hub account end: name one account, by its key, --subject or --email")
		}
		did := given[0]
		if len(args) == 0 {
			var err error
			if did, err = accountNamed(ctx, h, *subject, *email); err != nil {
				return nil, err
			}
		}
		out, err := endAccount(ctx, h, did)
		if err == nil && *reason != "" && !out.Before {
			err = h.SetSetting(ctx, endedFor+did, []byte(*reason))
		}
		if err == nil {
			out.Reason, err = reasonOf(ctx, h, did)
		}
		return out, err
	}, a.showEnded)
	return c
}

// mostReason bounds why an account was ended; endedFor begins the setting that says it.
const (
	mostReason = 300
	endedFor   = "ended/"
)

// reasonOf returns why an account was ended, "" where none was given.
func reasonOf(ctx context.Context, h *hubstore.Hub, did string) (string, error) {
	raw, err := h.Setting(ctx, endedFor+did)
	return string(raw), err
}

// accountNamed finds the account of somebody who signed in. One that was ended counts only where no other has the name.
func accountNamed(ctx context.Context, h *hubstore.Hub, subject, email string) (string, error) {
	all, err := h.Accounts(ctx)
	if err != nil {
		return "", err
	}
	var live, ended []string
	for _, acc := range all {
		_, short, _ := strings.Cut(acc.Subject, "#")
		if acc.Subject == "" || subject != "" && subject != acc.Subject && subject != short ||
			email != "" && !strings.EqualFold(email, acc.Email) {
			continue
		}
		if acc.Ended.IsZero() {
			live = append(live, acc.DID)
		} else {
			ended = append(ended, acc.DID)
		}
	}
	switch {
	case len(live) == 0 && len(ended) == 0:
		return "", store.ErrAbsent
	case len(live) > 1:
		return "", api.Invalid("%d accounts have that name: end each by its key: %s", len(live), strings.Join(live, ", "))
	case len(live) == 0:
		return ended[len(ended)-1], nil
	}
	return live[0], nil
}

func endAccount(ctx context.Context, h *hubstore.Hub, did string) (out accountEnded, err error) {
	out = accountEnded{Roles: []store.Member{}, Services: []string{}, Stored: []peer.Stored{}}
	now := time.Now()
	if out.Account, err = h.Account(ctx, did); err != nil {
		return out, err
	}
	stored, err := h.Brought(ctx, did)
	if err != nil {
		return out, err
	}
	for _, q := range stored {
		out.Stored = append(out.Stored, peer.Stored{Space: q.Of, Records: q.Records, Bytes: q.Bytes})
	}
	if out.Before = !out.Account.Ended.IsZero(); out.Before {
		return out, nil
	}
	roles, err := h.Members(ctx, "", did)
	if err != nil {
		return out, err
	}
	out.Roles = append(out.Roles, roles...)
	tokens, err := h.Tokens(ctx, did)
	if err != nil {
		return out, err
	}
	for _, t := range tokens {
		if t.Revoked.IsZero() && (t.Over().IsZero() || t.Over().After(now)) {
			out.Tokens++
		}
	}
	open, err := h.Invitations(ctx, "", now)
	if err != nil {
		return out, err
	}
	for _, i := range open {
		if i.By == did {
			out.Invitations++
		}
	}
	services, err := h.Services(ctx, did)
	if err != nil {
		return out, err
	}
	for _, s := range services {
		if s.Live(now) {
			out.Services = append(out.Services, s.Name)
		}
	}
	if err := h.EndAccount(ctx, did, now); errors.Is(err, store.ErrAbsent) {
		out.Before = true // another process was faster
	} else if err != nil {
		return out, err
	}
	out.Account, err = h.Account(ctx, did)
	return out, err
}

func (a *app) showEnded(v any) {
	e := v.(accountEnded)
	if e.Before {
		fmt.Fprintf(a.env.Stdout, "%s was ended before\n", e.Account.DID)
	} else {
		fmt.Fprintf(a.env.Stdout, "ended %s: %s, %s, %s, %s\n", e.Account.DID, count(e.Tokens, "token", "tokens"),
			count(len(e.Roles), "role", "roles"), count(e.Invitations, "invitation", "invitations"),
			count(len(e.Services), "service account", "service accounts"))
	}
	if e.Reason != "" {
		fmt.Fprintf(a.env.Stdout, "reason: %s\n", clean(e.Reason))
	}
	for _, w := range e.Stored {
		fmt.Fprintf(a.env.Stdout, "stored %s in %s\n", count(int(w.Records), "record", "records"), clean(w.Space))
	}
}
