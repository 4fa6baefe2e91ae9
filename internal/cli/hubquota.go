package cli

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma"
	"github.com/stemma-memory/stemma/internal/hub"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
)

func (a *app) hubQuotaCmd(dir *string) *cobra.Command {
	c := &cobra.Command{Use: "quota [SPACE | ACCOUNT]", Short: "What a space or an account may bring", Args: cobra.MaximumNArgs(1), Long: `Examples:
  stemma hub quota
  stemma hub quota did:key:z6Mb… --records 1000000 --bytes 4000000000
  stemma hub quota did:key:z6Mb… --spaces 20 --letters 10 --letter-bytes 8000000
  stemma hub quota did:key:z6Mk…/main --records 0          no bound

What a space or an account may bring. A push that could go beyond is refused
whole; what is there stays. Whatever is not said is as for everybody: no bound
of records and bytes, and of an account so many spaces and waiting letters as
the flags below tell`}
	var q store.Quota
	f := c.Flags()
	f.Int64Var(&q.Records, "records", 0, "how many records; 0 is no bound")
	f.Int64Var(&q.Bytes, "bytes", 0, "how many bytes; 0 is no bound")
	f.Int64Var(&q.Spaces, "spaces", hub.GivenSpaces, "how many spaces an account has; 0 is no bound")
	f.Int64Var(&q.Letters, "letters", hub.GivenLetters, "how many letters of an account wait to be fetched; 0 is no bound")
	f.Int64Var(&q.LetterBytes, "letter-bytes", hub.GivenLetterBytes, "how many bytes are in them; 0 is no bound")
	c.RunE = a.withHub(dir, func(ctx context.Context, h *sqlstore.Hub, _ *hubPlace, args []string) (any, error) {
		if len(args) == 0 && (f.Changed("records") || f.Changed("bytes") || ofAccounts(f.Changed)) {
			return nil, stemma.Invalid("whose? name the space or the account that is to be bounded")
		}
		if len(args) > 0 {
			if min(q.Records, q.Bytes, q.Spaces, q.Letters, q.LetterBytes) < 0 {
				return nil, stemma.Invalid("a quota is not below 0")
			}
			if strings.Contains(args[0], "/") && ofAccounts(f.Changed) {
				return nil, stemma.Invalid("spaces and letters are an account's, and %s is a space", args[0])
			}
			q.Of = args[0]
			for name, n := range map[string]*int64{"spaces": &q.Spaces, "letters": &q.Letters, "letter-bytes": &q.LetterBytes} {
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

// ofAccounts tells whether a bound is said that only an account has.
func ofAccounts(changed func(string) bool) bool {
	return changed("spaces") || changed("letters") || changed("letter-bytes")
}

func (a *app) showQuotas(v any) {
	var rows [][]string
	for _, q := range v.([]store.Quota) {
		row := []string{clean(q.Of), bound(q.Records), bound(q.Bytes), "", "", ""}
		if !strings.Contains(q.Of, "/") {
			row[3], row[4], row[5] = bound(cmp.Or(q.Spaces, hub.GivenSpaces)), bound(cmp.Or(q.Letters, hub.GivenLetters)), bound(cmp.Or(q.LetterBytes, hub.GivenLetterBytes))
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		a.hint("nobody has a quota; every account may have %d spaces, and %d letters with %d MiB waiting",
			hub.GivenSpaces, hub.GivenLetters, hub.GivenLetterBytes>>20)
		return
	}
	a.table(a.env.Stdout, []column{{title: "Of"}, {title: "Records", right: true}, {title: "Bytes", right: true},
		{title: "Spaces", right: true}, {title: "Letters", right: true}, {title: "Their bytes", right: true}}, rows)
}

// bound shows how much may be; "-" is as much as you like.
func bound(n int64) string {
	if n <= 0 {
		return "-"
	}
	return fmt.Sprint(n)
}
