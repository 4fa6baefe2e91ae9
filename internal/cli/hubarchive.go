package cli

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
)

func (a *app) hubArchiveCmd(dir *string) *cobra.Command {
	c := &cobra.Command{Use: "archive SPACE", Short: "Make a space read-only at the hub", Args: cobra.ExactArgs(1),
		Long: `Examples:
  stemma hub archive did:key:z6Mk…/project
  stemma hub archive did:key:z6Mk…/project --undo

Members can still pull and search the space. Pushes are refused, also by its owner;
what members write there stays in their own stores. A running hub notices within two
seconds. To purge something there, undo the archive first. To keep a copy elsewhere:
stemma hub export`}
	undo := c.Flags().Bool("undo", false, "allow pushes again")
	c.RunE = a.withHub(dir, func(ctx context.Context, h *sqlstore.Hub, _ *hubPlace, args []string) (any, error) {
		if err := checkSpace(args[0]); err != nil {
			return nil, err
		}
		begun, err := h.Begun(ctx, args[0])
		if err == nil && !begun {
			err = api.Invalid("no space %s at this hub: 'stemma hub status' lists the spaces", clean(args[0]))
		}
		if err != nil {
			return nil, err
		}
		at := time.Now()
		if *undo {
			at = time.Time{}
		}
		if err := h.Archive(ctx, args[0], at); err != nil {
			return nil, err
		}
		all, err := h.Quotas(ctx)
		return append([]store.Quota{}, all...), err
	}, a.showQuotas)
	return c
}
