package door_test

import (
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/proof"
	"github.com/stemma-memory/stemma/internal/seal"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/door"
	"github.com/stemma-memory/stemma/internal/store/memstore"
	"github.com/stemma-memory/stemma/internal/store/storetest"
)

// Behind the door a store is a store like any other, whether or not what was verified
// is remembered outside of it.
func TestSuite(t *testing.T) {
	behindDoors(t, func(t *testing.T, open storetest.Opener) { storetest.Run(t, open) })
}

// behindDoors runs a suite with stores behind a door of either sort.
func behindDoors(t *testing.T, suite func(*testing.T, storetest.Opener)) {
	for name, remembers := range map[string]bool{"by the process": false, "in a book": true} {
		t.Run(name, func(t *testing.T) {
			suite(t, func(t *testing.T, now func() time.Time) store.Store {
				var book *proof.Book
				if remembers {
					dir := t.TempDir()
					s, err := seal.Open(dir)
					if err != nil {
						t.Fatal(err)
					}
					book = proof.Open(dir, s, t.Name())
				}
				return door.Of(memstore.Open(now), book, now)
			})
		})
	}
}
