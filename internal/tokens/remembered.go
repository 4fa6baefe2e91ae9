package tokens

import (
	"hash/maphash"
	"strings"
	"sync/atomic"
)

// A remembered piece is one that was looked up, with the number of its tokens: the words of one text stand in the next
// one too, and what is remembered lies closer together than the vocabulary.
type remembered struct {
	text  string
	count int
}

const places = 1 << 12

// A remembering has the piece that was looked up last at each of its places.
type remembering [places]atomic.Pointer[remembered]

var (
	seed              = maphash.MakeSeed()
	byO200k, byCl100k remembering
)

// count returns the number of tokens of a short piece, looked up in a vocabulary if it is not remembered.
func (r *remembering) count(o vocabulary, s string) int {
	at := &r[maphash.String(seed, s)%places]
	if known := at.Load(); known != nil && known.text == s {
		return known.count
	}
	n := o.join(s)
	at.Store(&remembered{strings.Clone(s), n})
	return n
}
