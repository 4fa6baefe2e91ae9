package browse

import (
	"os"
	"testing"
	"time"
)

// TestMain makes the days on the screens those of UTC, wherever the tests run.
func TestMain(m *testing.M) {
	time.Local = time.UTC
	os.Exit(m.Run())
}
