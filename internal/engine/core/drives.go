package core

import (
	"strconv"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// intensity is how strong a drive is now, in thousandths: as was said last, or else
// as it was written. What was said and is no such number says nothing.
func Intensity(it *store.Item) int {
	if f, err := strconv.ParseFloat(it.State.Intensity, 64); err == nil {
		if n, err := memory.Thousandths("intensity", f, 0, 1); err == nil {
			return n
		}
	}
	if it.Record != nil {
		if d, ok := it.Record.Body.(*memory.Drive); ok {
			return d.Intensity
		}
	}
	return 0
}
