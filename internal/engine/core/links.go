package core

import (
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// latest gives the memory that is current where one is, nil where there is none.
func (c Chain) Latest() *store.Item {
	if len(c) == 0 {
		return nil
	}
	return c.Last()
}

// shortened gives a full ref as people read it.
func Shortened(ref string) string {
	var r memory.Ref
	if r.UnmarshalText([]byte(ref)) != nil {
		return ref
	}
	return r.Short()
}
