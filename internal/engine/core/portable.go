package core

import "github.com/stemma-memory/stemma/internal/keys"

// NewRing makes the keys of somebody else, such as a service, with records that introduce them. They are kept nowhere.
func (e *Core) NewRing() (ring keys.Portable, did string, err error) {
	ring, did, err = keys.MakePortable(e.C.Rand, e.inception)
	return ring, did, ClassifyKey(err)
}
