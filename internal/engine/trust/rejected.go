package trust

import (
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// personSays reports whether a person who has a say wrote a memory, or approved it.
func (v *Vouching) PersonSays(it *store.Item) bool {
	voice := v.Ring.Voice(it.Record)
	return voice.Owner && v.Knows(voice.Principal) ||
		it.State.Review == memory.ReviewApproved && v.Knows(v.Ring.Principal(it.State.ReviewedBy))
}
