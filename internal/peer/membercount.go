package peer

import "fmt"

// mostParts is how many members a request or reply may have in all. Many empty ones take
// few bytes, fewer still packed, and far more memory when they are read.
const mostParts = 1 << 18

// uncrowded returns an error for text that has more members than anybody sends. It says
// nothing of whether it is JSON.
func uncrowded(raw []byte) error {
	parts, inside := 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case inside && c == '\\':
			i++ // and what it escapes
		case c == '"':
			inside = !inside
		case !inside && (c == ',' || c == '[' || c == '{'):
			parts++
		}
	}
	if parts > mostParts {
		return fmt.Errorf("%w: %d members at once, the most is %d", ErrRequest, parts, mostParts)
	}
	return nil
}
