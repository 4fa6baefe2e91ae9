//go:build !race

package memstore_test

import (
	"testing"

	"github.com/stemma-memory/stemma/internal/store/storetest"
)

func TestStoreOfManyCases(t *testing.T) { storetest.RunMany(t, empty) }
