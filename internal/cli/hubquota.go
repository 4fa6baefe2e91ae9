package cli

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/hub"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/hubstore"
)

func (a *app) hubQuotaCmd(dir *string) *cobra.Command {
	c := &cobra.Command{Use: "quota [SPACE | ACCOUNT]", Short: "Show and set limits of spaces and accounts",
		Args: cobra.MaximumNArgs(1), Long: `Examples:
  stemma hub quota
  stemma hub quota did:key:z6Mb… --records 1000000 --bytes 4000000000
  stemma hub quota did:key:z6Mb… --spaces 20 --letters 10 --letter-bytes 8000000
  stemma hub quota did:key:z6Mk…/main --records 0          no limit

Limits what a space or an account can store. The hub refuses a whole push that
could exceed a limit, and keeps what it has. Without a limit of its own, an
account has no limit on records and bytes, and the defaults below on the rest`}
	var q store.Quota
	f := c.Flags()
	f.Int64Var(&q.Records, "records", 0, "maximum number of records; 0 for no limit")
	f.Int64Var(&q.Bytes, "bytes", 0, "maximum number of bytes; 0 for no limit")
	f.Int64Var(&q.Spaces, "spaces", hub.GivenSpaces, "maximum number of spaces of an account; 0 for no limit")
	f.Int64Var(&q.Messages, "letters", hub.GivenMessages, "maximum number of an account's waiting letters; 0 for no limit")
	f.Int64Var(&q.MessageBytes, "letter-bytes", hub.GivenMessageBytes,
		"maximum size of waiting letters in bytes; 0 for no limit")
	c.RunE = a.withHub(dir, func(ctx context.Context, h *hubstore.Hub, _ *hubPlace, args []string) (any, error) {
		if len(args) == 0 && (f.Changed("records") || f.Changed("bytes") || ofAccounts(f.Changed)) {
			return nil, api.Invalid("name the space or the account to limit")
		}
		if len(args) > 0 {
			if min(q.Records, q.Bytes, q.Spaces, q.Messages, q.MessageBytes) < 0 {
				return nil, api.Invalid("a quota must not be negative")
			}
			if strings.Contains(args[0], "/") && ofAccounts(f.Changed) {
				return nil, api.Invalid("--spaces and --letters apply to accounts, and %s is a space", args[0])
			}
			q.Of = args[0]
			for name, n := range map[string]*int64{
				"spaces": &q.Spaces, "letters": &q.Messages, "letter-bytes": &q.MessageBytes,
			} {
				if !f.Changed(name) {
					*n = 0 // what everybody has, in later versions too
				} else if *n == 0 {
					*n = -1
				}
			}
			if err := h.SetQuota(ctx, q); err != nil {
				return nil, err
			}
		}
		all, err := h.Quotas(ctx)
		return append([]store.Quota{}, all...), err
	}, a.showQuotas)
	return c
}

// ofAccounts reports whether a bound is said that only an account has.
func ofAccounts(changed func(string) bool) bool {
	return changed("spaces") || changed("letters") || changed("letter-bytes")
}

func (a *app) showQuotas(v any) {
	var rows [][]string
	for _, q := range v.([]store.Quota) {
		row := []string{clean(q.Of), bound(q.Records), bound(q.Bytes), "", "", "", ""}
		if !strings.Contains(q.Of, "/") {
			row[3], row[4], row[5] = bound(cmp.Or(q.Spaces, hub.GivenSpaces)), bound(cmp.Or(q.Messages, hub.GivenMessages)),
				bound(cmp.Or(q.MessageBytes, hub.GivenMessageBytes))
		}
		if !q.Archived.IsZero() {
			row[6] = q.Archived.Local().Format("2006-01-02")
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		a.hint("no quotas are set; by default an account can have %d spaces and %d waiting letters of %d MiB in total",
			hub.GivenSpaces, hub.GivenMessages, hub.GivenMessageBytes>>20)
		return
	}
	a.table(a.env.Stdout, []column{{title: "Of"}, {title: "Records", right: true}, {title: "Bytes", right: true},
		{title: "Spaces", right: true}, {title: "Letters", right: true}, {title: "Their bytes", right: true},
		{title: "Archived"}}, rows)
}

// bound shows how much may be; "-" is as much as you like.
func bound(n int64) string {
	if n <= 0 {
		return "-"
	}
	return fmt.Sprint(n)
}
