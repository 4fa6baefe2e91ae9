package hub

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/store"
)

// brought is a hub's store of which a test says what was brought.
type brought struct {
	store.Hub
	quota, used int64
}

func (b *brought) Quotas(context.Context, ...string) ([]store.Quota, error) {
	return []store.Quota{{Of: "ann", Records: b.quota}}, nil
}

func (b *brought) Used(context.Context, string, string) (ofSpace, ofAccount store.Quota, err error) {
	return store.Quota{}, store.Quota{Of: "ann", Records: b.used}, nil
}

// A push that would fit without those under way waits for their end: what they bring is
// counted for them and charged for a moment, or comes to less than it might. Who has no
// room then is refused; no one is let in while there might be none.
func TestAPushWaitsForThoseUnderWay(t *testing.T) {
	for _, tt := range []struct {
		what   string
		used   int64 // once the other, of 3 records, has ended
		admits bool
	}{
		{"the other was charged", 8, true},
		{"the other brought nothing new", 5, true},
		{"somebody else brought more", 9, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			b := &brought{quota: 10, used: 8}
			s := &Server{o: Options{Store: b}, under: make(map[string]store.Quota)}
			s.coming(3, 30, "ann/main", "ann") // another push, of what is charged already
			over := false
			var done func()
			var err error
			go func() {
				done, err = s.spare(
					t.Context(), &account{Account: store.Account{DID: "ann"}},
					peer.Push{Space: "ann/main", Lines: make([]peer.Line, 2)},
				)
				over = true
			}()
			synctest.Wait()
			if over {
				t.Fatalf("%s: a push of 2 beside one under way is answered at once: %v", tt.what, err)
			}
			b.used = tt.used
			s.coming(-3, -30, "ann/main", "ann")
			synctest.Wait()
			if !over || tt.admits != (err == nil) || err != nil && !errors.Is(err, peer.ErrQuota) {
				t.Fatalf("%s: once the other has ended it is answered %v, %v, want admitted %v", tt.what, over, err, tt.admits)
			}
			if done(); len(s.under) != 0 {
				t.Errorf("%s: after all there is under way %v", tt.what, s.under)
			}
		})
	}
}

// It does not wait for ever, and is told to come again then.
func TestAPushDoesNotWaitForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &Server{o: Options{Store: &brought{quota: 10, used: 8}}, under: make(map[string]store.Quota)}
		s.coming(3, 30, "ann/main", "ann")
		began := time.Now()
		_, err := s.spare(
			t.Context(), &account{Account: store.Account{DID: "ann"}},
			peer.Push{Space: "ann/main", Lines: make([]peer.Line, 2)},
		)
		if !errors.Is(err, store.ErrBusy) || time.Since(began) != waitsFor {
			t.Errorf(
				"beside a push that does not end it is answered %v after %v, want ErrBusy after %v", err,
				time.Since(began), waitsFor,
			)
		}
	})
}
