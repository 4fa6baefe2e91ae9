package sqlstore

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
)

// A table that is made of records and has no row never had one or lost them all. meta
// says which: under "filled" are the tables that have rows, under "lost" those that were
// found empty before more was added to them. Repair writes both again.
const (
	filledName = "filled"
	lostName   = "lost"
)

// nameTables have rows whenever there are records.
var nameTables = []string{"spaces", "authors", "kinds"}

// derivedTables are made of records, and of nothing else.
var derivedTables = []string{"edges", "dangling", "aliases", "state", "segments", "segment_parts"}

// filling is what a Store knows of that.
type filling struct {
	mu    sync.Mutex
	known []string  // what meta says under "filled"; nil is not read yet
	asked time.Time // when a reading last looked and found nothing missing
}

// fillings returns the tables that should have rows by meta, and those that have rows.
type fillings struct {
	noted              bool // meta says something
	should, have, lost []string
}

func readFillings(ctx context.Context, on *session.Session) (fillings, error) {
	var f fillings
	var filled, lost *string
	var records bool
	tables := slices.Concat(derivedTables, nameTables)
	into, found := []any{&filled, &lost, &records}, make([]bool, len(tables))
	const metaOf = "(SELECT value FROM meta WHERE name = '%s')"
	query := fmt.Sprintf("SELECT "+metaOf+", "+metaOf+", EXISTS (SELECT 1 FROM records)", filledName, lostName)
	for i, table := range tables {
		query += ", EXISTS (SELECT 1 FROM " + table + ")"
		into = append(into, &found[i])
	}
	if _, err := on.One(ctx, into, query); err != nil {
		return f, err
	}
	for i, table := range tables {
		if found[i] {
			f.have = append(f.have, table)
		}
	}
	if filled != nil {
		f.noted, f.should = true, strings.Fields(*filled)
	}
	if records {
		for _, table := range nameTables {
			if !slices.Contains(f.should, table) {
				f.should = append(f.should, table)
			}
		}
	}
	if lost != nil {
		f.lost = strings.Fields(*lost)
	}
	return f, nil
}

// gone returns the tables that lost their rows.
func (f fillings) gone() []string {
	out := f.lost
	for _, table := range f.should {
		if !slices.Contains(f.have, table) && !slices.Contains(out, table) {
			out = append(out, table)
		}
	}
	return out
}

// emptyTable is an error: the table lost its rows.
type emptyTable string

func (t emptyTable) Error() string { return fmt.Sprintf("the table %s is empty", string(t)) }

// mayBeSo reports whether the table, made again of the records, shows if it lost any: few
// records have no index of words, and what would have been in it is read as it is.
func (t emptyTable) mayBeSo() bool { return t != "segments" && t != "segment_parts" }

// SetMeta writes an entry of the table meta.
func SetMeta(ctx context.Context, w *session.Session, name, value string) error {
	const query = "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
	return w.Exec(ctx, query, name, value)
}
