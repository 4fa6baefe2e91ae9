// Package nearest searches the vectors of a store: in PostgreSQL with pgvector, or in codes that are made of them and
// kept in a file or in memory.
package nearest

import (
	"context"
	"time"

	"github.com/stemma-memory/stemma/internal/store/sqlstore/lists"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
)

// A Base is the store whose vectors are searched.
type Base struct {
	Read     *session.Session
	Names    *lists.Names
	Name     string // a path, or an address
	Unfiled  bool   // codes stay in memory: the store is encrypted, and from codes one can guess words
	Cache    string // a directory for codes; "" is next to a file, or in memory
	ReadOnly bool
	Now      func() time.Time
	IsShown  string // in SQL: whether a record with the state s is shown at a time

	// Shown reports which of some records are shown, by their keys.
	Shown  func(ctx context.Context, keys []int64) ([]bool, error)
	Change func(ctx context.Context, doing string, do func(context.Context, *session.Session) error) error

	Copies *Copies
}

// Copies are what is made of the vectors of a store to search them. The zero value has none yet.
type Copies struct {
	codes allCodes
	near  pgvector
}

// Close closes the files. What was made stays there.
func (c *Copies) Close() error { return c.codes.close() }

// ModelOf returns the row of a model; its no is 0 if there is none.
func ModelOf(ctx context.Context, on *session.Session, name string) (m Model, err error) {
	m.Name = name
	_, err = on.One(ctx, []any{&m.No, &m.Last, &m.Dims}, "SELECT no, last, dims FROM models WHERE name = ?", name)
	return m, err
}
