package core

import (
	"github.com/stemma-memory/stemma/internal/store"
)

// present leaves out what is not held.
func Present(items []*store.Item) []*store.Item {
	var out []*store.Item
	for _, it := range items {
		if it != nil && it.Record != nil {
			out = append(out, it)
		}
	}
	return out
}
