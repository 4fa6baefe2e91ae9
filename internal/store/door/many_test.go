//go:build !race

package door_test

import (
	"testing"

	"github.com/stemma-memory/stemma/internal/store/storetest"
)

func TestSuiteOfManyCases(t *testing.T) { behindDoors(t, storetest.RunMany) }
