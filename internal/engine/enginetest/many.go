package enginetest

import "os"

// Many returns how many of so many cases a test goes through: a fourth of them, with STEMMA_LONG all, and fewer under
// the race detector. A room's tests are run after each edit.
func Many(cases int) int {
	if os.Getenv("STEMMA_LONG") == "" {
		cases /= 4
	}
	return cases / Fewer
}
