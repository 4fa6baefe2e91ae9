package core

import (
	"regexp"
)

// longID is an id as it stands in a ref.
var LongID = regexp.MustCompile(`:[0-9a-f]{64}`)
