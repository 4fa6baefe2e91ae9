package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
)

// moment returns what is remembered and holds now, nil where nothing can be.
func (s *Store) moment(ctx context.Context) *moment {
	if s.d != session.SQLite || s.read == nil || !s.read.Keep || store.IsItself(ctx) {
		return nil
	}
	g := store.GlanceOf(ctx)
	if g == nil {
		return s.currentMoment(ctx, 1)
	}
	readings := inRequest
	if store.IsServed(ctx) {
		readings = watchFrom
	}
	m, _ := g.Of(s, func(v any) bool { return !s.over(v.(*moment)) }, func() any {
		if m := s.currentMoment(ctx, readings); m != nil {
			return m
		}
		return s.begin(ctx, nil, s.moments.writes.Load()) // for this request
	}).(*moment)
	return m
}

// currentMoment returns the moment that is now, asked for by what counts for so many readings.
func (s *Store) currentMoment(ctx context.Context, readings int) *moment {
	return s.moments.current(ctx, s.readers, readings, s.over, func(before *moment, writes int64) *moment {
		return s.begin(ctx, before, writes)
	})
}

// begin returns a moment that begins now, nil where it is not known how long it holds.
func (s *Store) begin(ctx context.Context, before *moment, writes int64) *moment {
	m := &moment{before: before, writes: writes, from: s.now()}
	var due sql.NullInt64
	now := m.from.UnixMilli()
	_, err := s.read.One(ctx, []any{&due, &m.passing}, "SELECT (SELECT min(due) FROM state WHERE due > ?), "+
		"EXISTS (SELECT 1 FROM state WHERE due <= ?)", now, now)
	if err != nil {
		return nil
	}
	if due.Valid {
		m.until = time.UnixMilli(due.Int64)
	}
	m.clear()
	if before != nil {
		before.mu.Lock()
		before.before = nil
		before.mu.Unlock()
	}
	return m
}

// over reports whether a moment holds no more: something changed, or came due.
func (s *Store) over(m *moment) bool {
	now := s.now()
	return m == nil || m.writes != s.moments.writes.Load() || now.Before(m.from) ||
		!m.until.IsZero() && !now.Before(m.until)
}

// waitingAt returns what waits in some spaces.
func (s *Store) waitingAt(ctx context.Context, spaces []int) ([]waiting, error) {
	return remember(s.moment(ctx), func(m *moment) map[string][]waiting { return m.waits }, fmt.Sprint(spaces),
		func() ([]waiting, error) { return waitingIn(ctx, s.read, spaces) })
}

// spacesAt returns the logs.
func (s *Store) spacesAt(ctx context.Context, read func() ([]store.Space, error)) ([]store.Space, error) {
	m := s.moment(ctx)
	if m == nil {
		return read()
	}
	m.mu.Lock()
	known := m.spaces
	m.mu.Unlock()
	if known != nil {
		return slices.Clone(known), nil
	}
	all, err := read()
	if err == nil && len(all) > 0 {
		m.mu.Lock()
		m.spaces = slices.Clone(all)
		m.mu.Unlock()
	}
	return all, err
}
