package enginetest

import "os"

// Many returns how many of so many cases a test goes through: a fourth of them, as a room's tests run after each edit,
// or all with STEMMA_LONG. Under the race detector it is one in ten.
func Many(cases int) int {
	if Fewer == 1 && os.Getenv("STEMMA_LONG") == "" {
		return cases / 4
	}
	return cases / Fewer
}
