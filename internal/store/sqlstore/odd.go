package sqlstore

import (
	"fmt"
	"strings"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// derived is an error about rows that are made of records: Repair makes them again. It
// says nothing else than the error itself.
type derived struct{ error }

func (d derived) Is(target error) bool { return target == store.ErrDerived }
func (d derived) Unwrap() error        { return d.error }

// An idColumn is an id as it is read from a column: of the right length, or an error.
// A conversion of the bytes themselves would panic.
type idColumn memory.ID

// asID scans a column into an id.
func asID(id *memory.ID) *idColumn { return (*idColumn)(id) }

// Scan takes what a driver gives.
func (c *idColumn) Scan(v any) error {
	b, is := v.([]byte)
	if !is || len(b) != len(c) {
		return fmt.Errorf("an id of %d bytes where it has %d", len(b), len(c))
	}
	copy(c[:], b)
	return nil
}

// odd says of an error in reading a row that the row is damaged, where the columns
// could not be taken for what they should be.
func odd(err error) error {
	if err == nil || !strings.Contains(err.Error(), "sql: Scan error") {
		return err
	}
	return derived{fmt.Errorf("%w: %w", store.ErrDamaged, err)}
}
