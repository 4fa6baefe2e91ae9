package sqlstore

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
)

// A write that is cut off while it begins keeps no other from beginning.
func TestAWriteCutOffAsItBegins(t *testing.T) {
	s := open(t, "sqlite:"+t.TempDir()+"/memory.db", Options{})
	nothing := func(context.Context, *session.Session) error { return nil }
	for n := range 20_000 {
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			for until := time.Now().Add(time.Duration(n%60) * time.Microsecond); time.Now().Before(until); {
			}
			cancel()
		}()
		if err := s.Change(ctx, "write to", nothing); err != nil && !errors.Is(err, context.Canceled) {
			t.Fatalf("after %d: %v", n, err)
		}
		cancel()
	}
	if err := s.Change(t.Context(), "write to", nothing); err != nil {
		t.Error(err)
	}
}
