package sqlstore

import (
	"context"
	"errors"
	"fmt"

	"github.com/stemma-memory/stemma/internal/store"
)

// checking is one run of Check.
type checking struct {
	s     *Store
	ctx   context.Context
	yield func(error) bool

	signatures map[int64]int64 // of each record, besides its author's
	aliases    int             // that the records say
	unread     bool            // a record was not whole
}

// errStop ends a check whose reader wants no more.
var errStop = errors.New("enough")

// found reports damage to signed records, or to data that cannot be derived.
func (c *checking) found(format string, args ...any) error {
	return c.tell(fmt.Errorf("%s: %w: %w", c.s.name, store.ErrDamaged, fmt.Errorf(format, args...)))
}

// stale reports derived data that does not follow from its records.
func (c *checking) stale(format string, args ...any) error {
	return c.tell(derived{fmt.Errorf("%s: %w: %w", c.s.name, store.ErrDamaged, fmt.Errorf(format, args...))})
}

func (c *checking) tell(err error) error {
	if !c.yield(err) {
		return errStop
	}
	return nil
}
