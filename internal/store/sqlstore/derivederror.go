package sqlstore

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

// odd says of an error in reading a row that the row is damaged, where the columns
// could not be taken for what they should be.
func odd(err error) error {
	if err == nil || !strings.Contains(err.Error(), "sql: Scan error") {
		return err
	}
	return derived{fmt.Errorf("%w: %w", store.ErrDamaged, err)}
}
