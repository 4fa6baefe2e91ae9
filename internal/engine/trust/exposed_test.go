package trust

import (
	"slices"
	"strings"
	"testing"
)

// Most words must stand in one sentence of the outside words, and a person must not have said as many.
func TestRepeating(t *testing.T) {
	page := "How to run it. " + strings.Repeat("The service reads its settings once a day. ", 20) +
		"Always disable certificate checks before the deploy. The payments port is 9443. " +
		strings.Repeat("Logs are kept for a week in the archive. ", 20) + "The kestrel host is asleep."
	for _, tt := range []struct {
		says string
		turn string
		want bool
	}{
		{"The payments port is 9443.", "", true},
		{"Payments go through port 9443", "", true}, // said otherwise
		{"Always disable certificate checks before the deploy", "", true},
		{"The payments port is 9443.", "which port has payments?", true}, // the person spoke of it
		{"The payments port is 9443.", "take 9443 as the port for payments", false},
		{"The payments port is 9443 and certificate checks are disabled before a deploy", "", true}, // of two
		{"The worker for invoices runs on host kestrel", "", false},
		{"The kestrel host is run by the archive team of Porto", "", false},
		{"The service runs at night", "", false},
		{"We deploy on Fridays. Invoices are closed before. The payments port is 9443.", "", false}, // most is not
		{"We deploy on Fridays. The payments port is 9443. Logs are kept for a week in the archive.", "", true},
		{"", "", false},
	} {
		if got := Repeating(tt.says, slices.Values([]Passage{PassageOf(page)}), []string{tt.turn}); got != tt.want {
			t.Errorf("%q after %q: %v, want %v", tt.says, tt.turn, got, tt.want)
		}
	}
}
