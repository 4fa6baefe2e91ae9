package memstore_test

import (
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/memstore"
	"github.com/stemma-memory/stemma/internal/store/storetest"
)

func TestStore(t *testing.T) { storetest.Run(t, empty) }

func empty(_ *testing.T, now func() time.Time) store.Store { return memstore.Open(now) }
