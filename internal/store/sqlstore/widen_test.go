package sqlstore

import (
	"context"
	"testing"

	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
)

// A connection that writes many records at once has room for the index of their ids and for
// a log of several batches, and one that captures a record is not asked to make any.
func TestWiden(t *testing.T) {
	s := open(t, tempSQLite(t), Options{})
	room := func() (kib, pages int) {
		err := s.Change(t.Context(), "ask", func(ctx context.Context, w *session.Session) error {
			_, err := w.One(ctx, []any{&kib}, "PRAGMA cache_size")
			if err == nil {
				_, err = w.One(ctx, []any{&pages}, "PRAGMA wal_autocheckpoint")
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return -kib, pages
	}
	rs := raws(t, enoughToWiden+1)
	appendAll(t, s, rs[:1])
	before, pages := room()
	appendAll(t, s, rs[1:])
	if got, _ := room(); before >= 32768 || got != 32768 {
		t.Errorf("room for pages: %d KiB before many records and %d after, want less than 32768 and 32768", before, got)
	}
	if _, got := room(); pages != 1000 || got != 8000 {
		t.Errorf("a log of %d pages before many records and %d after, want 1000 and 8000", pages, got)
	}
}
