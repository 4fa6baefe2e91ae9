package index

import (
	"encoding/binary"

	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// Merge makes one segment of several that follow one another: parts gives all
// parts of each, the head first, and is left without them. Lists are copied as
// they are, but for the first distance of each.
func Merge(segments ...[][]byte) ([][]byte, error) {
	b, lists, err := gather(segments)
	if err != nil {
		return nil, err
	}
	return b.of(lists), nil
}

// Newly is what older versions did not keep of the records of a segment, by their keys.
type Newly struct {
	marks  map[string]map[int64]bool
	labels map[string]map[int64]int // weights
	pasts  map[int64]past
}

// Add takes a record.
func (n *Newly) Add(key int64, r *memory.Record) {
	for _, mark := range lateMarks(r) {
		if n.marks[mark] == nil {
			if n.marks == nil {
				n.marks = make(map[string]map[int64]bool)
			}
			n.marks[mark] = make(map[int64]bool)
		}
		n.marks[mark][key] = true
	}
	if len(words.Terms(r.Words())) > 0 {
		for _, t := range labels(r) {
			if n.labels[t] == nil {
				if n.labels == nil {
					n.labels = make(map[string]map[int64]int)
				}
				n.labels[t] = make(map[int64]int)
			}
			n.labels[t][key] += labelWeight
		}
	}
	n.AddPast(key, pastOfRecord(r))
}

// AddPast takes a record that is about nothing, of which its author was as sure as usual, and that is a capture or was
// not made here: what PastOf returns is all that is new of it.
func (n *Newly) AddPast(key int64, p [pastBytes]byte) {
	if n.pasts == nil {
		n.pasts = make(map[int64]past)
	}
	n.pasts[key] = p
}

// Renew makes of a segment of an older version what this version would have made of its records: version 1 did not mark
// which have words of time and numbers, version 2 not those of newly, version 3 had not what is past, and version 4 had
// not the words of labels and did not mark what was made here.
func Renew(parts [][]byte, newly *Newly) ([][]byte, error) {
	b, lists, err := gather([][][]byte{parts})
	if err != nil {
		return nil, err
	}
	for mark, of := range map[string]func(string) bool{TimeMark: words.OfTime, NumberMark: words.OfNumber} {
		has := make([]bool, b.head.Entries())
		for t, l := range lists {
			if !of(t) {
				continue
			}
			err := l.each(func(entry, weight int) {
				if entry < len(has) && weight >= wordWeight { // not only in the date at which it happened
					has[entry] = true
				}
			})
			if err != nil {
				return nil, err
			}
		}
		relist(lists, mark, func(entry int) bool { return has[entry] }, len(has))
	}
	for _, mark := range allLate() {
		keys := newly.marks[mark]
		relist(lists, mark, func(entry int) bool { return keys[b.head.Keys[entry]] }, b.head.Entries())
	}
	for t, of := range newly.labels {
		if err := relabel(lists, t, func(entry int) int { return of[b.head.Keys[entry]] }, b.head.Entries()); err != nil {
			return nil, err
		}
	}
	pasts := &list{last: -1}
	for _, key := range b.head.Keys {
		p, known := newly.pasts[key]
		if !known {
			p = anyPast
		}
		pasts.addPast(p)
	}
	if delete(lists, pastMark); pasts.n > 0 {
		lists[pastMark] = pasts
	}
	return b.of(lists), nil
}

// relist lists those of n entries that have a mark.
func relist(lists map[string]*list, mark string, has func(entry int) bool, n int) {
	made := &list{last: -1}
	for entry := range n {
		if has(entry) {
			made.add(entry, 0)
		}
	}
	if delete(lists, mark); made.n > 0 {
		lists[mark] = made
	}
}

// relabel adds to the weights of a term in n entries.
func relabel(lists map[string]*list, term string, more func(entry int) int, n int) error {
	weights := make([]int, n)
	if l := lists[term]; l != nil {
		err := l.each(func(entry, weight int) {
			if entry < n {
				weights[entry] = weight
			}
		})
		if err != nil {
			return err
		}
	}
	made := &list{last: -1}
	for entry, weight := range weights {
		if weight += more(entry); weight > 0 {
			made.add(entry, weight)
		}
	}
	if made.n > 0 {
		lists[term] = made
	}
	return nil
}

// gather reads segments that follow one another: what becomes their head, and their lists.
func gather(segments [][][]byte) (*builder, map[string]*list, error) {
	b := new(builder)
	lists := make(map[string]*list)
	seen := make(map[uint64]uint32)
	base := 0
	for i, parts := range segments {
		segments[i] = nil
		h, err := Open(parts[0])
		if err != nil {
			return nil, nil, err
		}
		numbers := make([]uint32, len(h.Sessions)+1)
		for i, s := range h.Sessions {
			if seen[s] == 0 {
				b.head.Sessions = append(b.head.Sessions, s)
				seen[s] = uint32(len(b.head.Sessions))
			}
			numbers[i+1] = seen[s]
		}
		for i, key := range h.Keys {
			b.head.add(key, h.Kinds[i], h.Lengths[i], numbers[h.session[i]], h.asks[i])
		}
		for _, block := range parts[1:] {
			var failed error
			err := terms(block, func(t string, l *list) bool {
				old := lists[t]
				if old == nil {
					old = &list{last: -1}
					lists[t] = old
				}
				if t == pastMark {
					old.joinPast(l, base)
					return true
				}
				failed = old.join(l, base)
				return failed == nil
			})
			if err == nil {
				err = failed
			}
			if err != nil {
				return nil, nil, err
			}
		}
		base += h.Entries()
	}
	return b, lists, nil
}

// join appends the entries of a list of a later segment, which begins at base.
func (l *list) join(next *list, base int) error {
	if next.n == 0 {
		return nil
	}
	first, n := binary.Uvarint(next.bytes)
	if n <= 0 {
		return ErrDamaged
	}
	entry := base + int(first>>1)
	l.bytes = binary.AppendUvarint(l.bytes, uint64(entry-l.last-1)<<1|first&1)
	l.bytes = append(l.bytes, next.bytes[n:]...)
	l.n, l.last = l.n+next.n, base+next.last
	return nil
}
