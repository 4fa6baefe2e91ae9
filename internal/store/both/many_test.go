//go:build !race

package both_test

import (
	"testing"

	"github.com/stemma-memory/stemma/internal/store/storetest"
)

func TestSuiteOfManyCases(t *testing.T) { storetest.RunMany(t, two) }
