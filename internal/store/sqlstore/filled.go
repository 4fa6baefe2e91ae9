package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// A table that is made of records and has no row never had one or lost them all. meta
// says which: under "filled" are the tables that have rows, under "lost" those that were
// found empty before more was added to them. Repair writes both again.
const (
	filledName = "filled"
	lostName   = "lost"
)

// nameTables have rows wherever there are records.
var nameTables = []string{"spaces", "authors", "kinds"}

// filling is what a Store knows of that.
type filling struct {
	mu    sync.Mutex
	known []string  // what meta says under "filled"; nil is not read yet
	asked time.Time // when a reading last looked and found nothing missing
}

// lookAgain is how long readings rely on what an earlier one found.
const lookAgain = time.Second

// fillings is what meta says of the tables, and which of them have rows.
type fillings struct {
	noted              bool // meta says something
	should, have, lost []string
}

func readFillings(ctx context.Context, on *session) (fillings, error) {
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
	if _, err := on.one(ctx, into, query); err != nil {
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

// emptied returns an error that names a table which lost its rows.
func (s *Store) emptied(ctx context.Context) error {
	if s.shared {
		return nil
	}
	s.filling.mu.Lock()
	defer s.filling.mu.Unlock()
	now := time.Now()
	if !s.filling.asked.IsZero() && now.Sub(s.filling.asked) < lookAgain {
		return nil
	}
	f, err := readFillings(ctx, s.read)
	if err != nil {
		return nil // a reading that meets the same says so itself
	}
	if gone := f.gone(); len(gone) > 0 {
		return derived{emptyTable(gone[0])}
	}
	s.filling.asked = now
	return nil
}

// emptyTable is an error: the table lost its rows.
type emptyTable string

func (t emptyTable) Error() string { return fmt.Sprintf("the table %s is empty", string(t)) }

// mayBeSo reports whether the table, made again of the records, shows if it lost any: few
// records have no index of words, and what would have been in it is read as it is.
func (t emptyTable) mayBeSo() bool { return t != "segments" && t != "segment_parts" }

// hasRows reports whether a table has any.
func (s *Store) hasRows(ctx context.Context, table string) bool {
	f, err := readFillings(ctx, s.read)
	return err == nil && slices.Contains(f.have, table)
}

// noting runs what adds to tables that are made of records, and notes which have rows.
func (s *Store) noting(ctx context.Context, w *session, do func() error) error {
	if err := s.beforeFilling(ctx, w); err != nil {
		return err
	}
	if err := do(); err != nil {
		return err
	}
	return s.afterFilling(ctx, w)
}

// beforeFilling notes, before a transaction adds to a table that is made of records,
// which of them lost their rows. A Store looks once.
func (s *Store) beforeFilling(ctx context.Context, w *session) error {
	w.filled, w.cleared = nil, false
	s.filling.mu.Lock()
	defer s.filling.mu.Unlock()
	if s.shared || s.filling.known != nil {
		return nil
	}
	f, err := readFillings(ctx, w)
	if err != nil {
		if s.d == sqliteDialect {
			return nil // a table that is missing stops only those who need it
		}
		return err
	}
	if gone := f.gone(); len(gone) > len(f.lost) {
		err = setMeta(ctx, w, lostName, strings.Join(gone, " "))
	}
	if s.filling.known = append([]string{}, f.should...); !f.noted && len(f.have) > 0 {
		w.cleared = true
	}
	return err
}

// afterFilling writes which tables have rows now, where that changed.
func (s *Store) afterFilling(ctx context.Context, w *session) error {
	s.filling.mu.Lock()
	defer s.filling.mu.Unlock()
	isKnown := func(table string) bool { return slices.Contains(s.filling.known, table) }
	more := slices.ContainsFunc(w.filled, func(table string) bool { return !isKnown(table) })
	if s.shared || s.filling.known == nil || !more && !w.cleared {
		return nil
	}
	f, err := readFillings(ctx, w)
	if err != nil {
		return err
	}
	s.filling.known = append([]string{}, f.have...)
	if f.noted && slices.Equal(f.should, f.have) {
		return nil
	}
	return setMeta(ctx, w, filledName, strings.Join(f.have, " "))
}

// forgetFilling is for when what was noted may not have been kept.
func (s *Store) forgetFilling() {
	s.filling.mu.Lock()
	defer s.filling.mu.Unlock()
	s.filling.known, s.filling.asked = nil, time.Time{}
}

// fills notes that the transaction adds rows to a table.
func (s *session) fills(table string) {
	if slices.Contains(derivedTables, table) && !slices.Contains(s.filled, table) {
		s.filled = append(s.filled, table)
	}
}

// filled ends Repair: what should have rows is what has them.
func (x *repairing) filled() error {
	f, err := readFillings(x.ctx, x.w)
	return errors.Join(err, setMeta(x.ctx, x.w, filledName, strings.Join(f.have, " ")),
		x.w.exec(x.ctx, "DELETE FROM meta WHERE name = ?", lostName))
}

func setMeta(ctx context.Context, w *session, name, value string) error {
	const query = "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
	return w.exec(ctx, query, name, value)
}
