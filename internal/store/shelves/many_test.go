//go:build !race

package shelves_test

import (
	"testing"

	"github.com/stemma-memory/stemma/internal/store/storetest"
)

func TestSuiteOfManyCases(t *testing.T) { storetest.RunMany(t, two) }
