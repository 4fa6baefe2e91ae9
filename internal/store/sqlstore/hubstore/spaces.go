package hubstore

import (
	"context"
	"database/sql"
	"fmt"
	"slices"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/lists"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
)

// AddSpace begins a space.
func (h *Hub) AddSpace(ctx context.Context, space string) error {
	if begun, err := h.Begun(ctx, space); begun || err != nil {
		return err
	}
	sh, err := h.settle(ctx, ownerOf(space))
	if err != nil {
		return err
	}
	return sh.own.Change(ctx, "begin a space in", func(ctx context.Context, w *session.Session) error {
		if err := sh.keeps(ctx, w, ownerOf(space)); err != nil {
			return err
		}
		_, err := sh.own.Names().Intern(ctx, w, lists.Spaces, space)
		return err
	})
}

// keeps returns store.ErrBusy if the spaces of an owner are no longer at home in a shard: a space that began there
// would be found by nobody.
func (sh *shard) keeps(ctx context.Context, w *session.Session, owner string) error {
	if sh.name == "" {
		return nil
	}
	var gone int
	const query = "SELECT count(*) FROM spaces WHERE " + ownerInSQL + " = ? AND NOT home"
	if _, err := w.One(ctx, []any{&gone}, query, owner); err != nil || gone == 0 {
		return err
	}
	return fmt.Errorf("%w: the spaces of %s have moved to another shard", store.ErrBusy, owner)
}

// Begun reports whether a space has begun.
func (h *Hub) Begun(ctx context.Context, space string) (bool, error) {
	sh, err := h.placeOf(ctx, space)
	if err != nil {
		return false, err
	}
	no, err := sh.own.Names().Number(ctx, sh.own.Reads(), lists.Spaces, space)
	return no != 0, sh.own.Failed("read the spaces of", err)
}

// SpacesOf names those of an owner.
func (h *Hub) SpacesOf(ctx context.Context, owner string) ([]string, error) {
	sh, err := h.placeOf(ctx, owner)
	if err != nil {
		return nil, err
	}
	o := &sh.owned
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.spaces == nil {
		o.spaces = make(map[string][]string)
	}
	err = sh.own.Reads().Each(ctx, func(rows *sql.Rows) error {
		var no int
		var name string
		if err := rows.Scan(&no, &name); err != nil {
			return err
		}
		of := store.OwnerOf(name)
		o.last, o.spaces[of] = no, append(o.spaces[of], name)
		return nil
	}, "SELECT no, name FROM spaces WHERE no > ? ORDER BY no", o.last)
	return slices.Sorted(slices.Values(o.spaces[owner])), sh.own.Failed("read the spaces of", err)
}
