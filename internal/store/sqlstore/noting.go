package sqlstore

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
)

// lookAgain is how long readings rely on what an earlier one found.
const lookAgain = time.Second

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
		return session.Derived(emptyTable(gone[0]))
	}
	s.filling.asked = now
	return nil
}

// hasRows reports whether a table has any.
func (s *Store) hasRows(ctx context.Context, table string) bool {
	f, err := readFillings(ctx, s.read)
	return err == nil && slices.Contains(f.have, table)
}

// noting runs what adds to tables that are made of records, and notes which have rows.
func (s *Store) noting(ctx context.Context, w *session.Session, do func() error) error {
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
func (s *Store) beforeFilling(ctx context.Context, w *session.Session) error {
	w.Filled, w.Cleared = nil, false
	s.filling.mu.Lock()
	defer s.filling.mu.Unlock()
	if s.shared || s.filling.known != nil {
		return nil
	}
	f, err := readFillings(ctx, w)
	if err != nil {
		if s.d == session.SQLite {
			return nil // a table that is missing stops only those who need it
		}
		return err
	}
	if gone := f.gone(); len(gone) > len(f.lost) {
		err = SetMeta(ctx, w, lostName, strings.Join(gone, " "))
	}
	if s.filling.known = append([]string{}, f.should...); !f.noted && len(f.have) > 0 {
		w.Cleared = true
	}
	return err
}

// afterFilling writes which tables have rows now, where that changed.
func (s *Store) afterFilling(ctx context.Context, w *session.Session) error {
	s.filling.mu.Lock()
	defer s.filling.mu.Unlock()
	isKnown := func(table string) bool { return slices.Contains(s.filling.known, table) }
	more := slices.ContainsFunc(w.Filled, func(table string) bool {
		return slices.Contains(derivedTables, table) && !isKnown(table)
	})
	if s.shared || s.filling.known == nil || !more && !w.Cleared {
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
	return SetMeta(ctx, w, filledName, strings.Join(f.have, " "))
}

// forgetFilling is for when what was noted may not have been kept.
func (s *Store) forgetFilling() {
	s.filling.mu.Lock()
	defer s.filling.mu.Unlock()
	s.filling.known, s.filling.asked = nil, time.Time{}
}
