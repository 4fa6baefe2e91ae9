package words

import (
	"hash/maphash"
	"sync/atomic"

	"github.com/kljensen/snowball/english"
)

// stems remembers the stems of words met before, because making one takes microseconds. It changes no
// result, only the time.
var stems = stemCache{seed: maphash.MakeSeed()}

// stemSlots bounds the cache: enough for the everyday words of English, about 2 MB when full.
const stemSlots = 1 << 14

// stemCache holds one word in each slot, the last one that fell there. It may be used by any number of
// goroutines at once.
type stemCache struct {
	seed  maphash.Seed
	slots [stemSlots]atomic.Pointer[stemmed]
}

type stemmed struct{ word, stem string }

// stem returns the Porter2 stem of a word of the letters a to z.
func (c *stemCache) stem(word []byte) string {
	slot := &c.slots[maphash.Bytes(c.seed, word)%stemSlots]
	if s := slot.Load(); s != nil && s.word == string(word) {
		return s.stem
	}
	w := string(word)
	s := &stemmed{w, lemma(english.Stem(w, true), w)}
	slot.Store(s)
	return s.stem
}
