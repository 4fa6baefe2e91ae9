package exchange

import (
	"strings"
)

// searchable reports whether an address is one that can be asked.
func searchable(address string) bool {
	return strings.HasPrefix(address, "https://") || strings.HasPrefix(address, "http://")
}
