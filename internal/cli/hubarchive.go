package cli

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/hubstore"
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
	c.RunE = a.withHub(dir, func(ctx context.Context, h *hubstore.Hub, _ *hubPlace, args []string) (any, error) {
		if err := checkSpace(args[0]); err != nil {
			return nil, err
		}
		begun, err := h.Begun(ctx, args[0])
		if err == nil && !begun {
			err = api.Invalid("no space %s at this hub: 'stemma hub status' lists the spaces", clean(args[0]))
		}
		if err == nil && !*undo {
			err = keepsKeys(ctx, h, args[0])
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

// keepsKeys refuses the space in which an account's keys are replaced and revoked: the hub would not learn that one was
// stolen. Of an ended account it is archived like any other.
func keepsKeys(ctx context.Context, h *hubstore.Hub, space string) error {
	owner, name, _ := strings.Cut(space, "/")
	if name != engine.DefaultSpace {
		return nil
	}
	acc, err := h.Account(ctx, owner)
	if errors.Is(err, store.ErrAbsent) || err == nil && !acc.Ended.IsZero() {
		return nil
	}
	if err != nil {
		return err
	}
	return api.Invalid("%s holds the keys of its owner: the hub must learn when one is revoked. End the account first: "+
		"stemma hub member end %s", space, owner)
}
