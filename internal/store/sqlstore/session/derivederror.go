package session

import (
	"fmt"
	"strings"

	"github.com/stemma-memory/stemma/internal/store"
)

// derived is an error about rows that are made of records: Repair makes them again. It
// says nothing else than the error itself.
type derived struct{ error }

func (d derived) Is(target error) bool { return target == store.ErrDerived }
func (d derived) Unwrap() error        { return d.error }

// Derived returns an error about such rows.
func Derived(err error) error { return derived{err} }

// odd marks an error in reading a row as damage of the row, if the columns have values of
// wrong types.
func odd(err error) error {
	if err == nil || !strings.Contains(err.Error(), "sql: Scan error") {
		return err
	}
	return derived{fmt.Errorf("%w: %w", store.ErrDamaged, err)}
}
