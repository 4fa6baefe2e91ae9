//go:build !race

package trust_test

import "testing"

// Whatever was said, derived, approved, rejected, quarantined and revised: a rating that reads
// nothing behind what nobody vouches for puts every memory into the same section as the whole
// one, for the same reason, and says the same of all that count.
func TestVouchedIsRatedAsWhole(t *testing.T) {
	for name, spec := range stores {
		t.Run(name, func(t *testing.T) {
			vouchedAsWhole(t, spec)
		})
	}
}
