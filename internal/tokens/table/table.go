// Package table looks byte strings up in a vocabulary that is read where it lies: nothing is built or
// unpacked before the first look.
package table

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
)

// A Table is a vocabulary: byte strings in an order. Build writes its Data.
//
// Data begins with slots of 6 bytes, in the order of the strings' places, which are the first Bits bits of
// their hashes: a string is in the slot of its place or in one behind it. After the slots come the strings
// themselves, in the order of the vocabulary. A slot has, from its lowest bit, where its string begins, its
// length less one, the lowest bits of its place, and some more bits of its hash. The strings are compared, so
// a wrong one is never found, whatever the hashes are.
type Table struct {
	Data string
	Bits uint // of the number of places
}

const (
	// Longest is the length of the longest string that a table can have, in bytes.
	Longest = 1 << lengthBits

	slotSize   = 6
	beginBits  = 21
	lengthBits = 7
	placeBits  = 8
	hashBits   = 8*slotSize - beginBits - lengthBits - placeBits

	spare = 1 << placeBits // slots behind the last place
)

// None is what Order returns for a string that is not in the table. Every order is lower.
const None = 1 << beginBits

// Order returns where a string stands in the order of the vocabulary: the lower, the earlier. Two strings
// never have the same.
func (t Table) Order(s string) uint32 {
	if len(s)-1 >= Longest || s == "" {
		return None
	}
	h := hash(s)
	place := h >> (64 - t.Bits)
	want := slot(h, place, len(s))
	begin := t.begin()
	for at := place; ; at++ {
		v := t.slot(at)
		if v == 0 {
			return None
		}
		if v>>beginBits == want {
			i := v & (1<<beginBits - 1)
			if from := begin + int(i); t.Data[from:from+len(s)] == s {
				return uint32(i)
			}
		}
		// What is here has been put off less than s would have been: s would have been put before it.
		if (at-v>>(beginBits+lengthBits))&(1<<placeBits-1) < at-place {
			return None
		}
	}
}

// begin is where the strings begin.
func (t Table) begin() int { return (1<<t.Bits + spare) * slotSize }

// slot reads six bytes; there are always two more behind them.
func (t Table) slot(at uint64) uint64 {
	return load64(t.Data, int(at)*slotSize) & (1<<(8*slotSize) - 1)
}

// slot is all of a slot but where the string begins.
func slot(h, place uint64, length int) uint64 {
	return h>>8&(1<<hashBits-1)<<(lengthBits+placeBits) | place&(1<<placeBits-1)<<lengthBits | uint64(length-1)
}

// hash mixes the bytes of a string. It need not withstand anybody: what it finds is compared.
func hash(s string) uint64 {
	const k1, k2 = 0x9e3779b97f4a7c15, 0xd6e8feb86659fd93
	n := len(s)
	var a, b uint64
	switch {
	case n > 8:
		i := 0
		for ; i+16 < n; i += 8 {
			hi, lo := bits.Mul64(a^load64(s, i)^k2, k1)
			a = hi ^ lo
		}
		a ^= load64(s, i)
		b = load64(s, n-8)
	case n >= 4:
		a, b = load32(s, 0), load32(s, n-4)
	default:
		a = uint64(s[0]) | uint64(s[n/2])<<8 | uint64(s[n-1])<<16
	}
	hi, lo := bits.Mul64(a^k1^uint64(n), b^k2)
	hi, lo = bits.Mul64(hi^lo^k2, k1)
	return hi ^ lo
}

func load64(s string, i int) uint64 {
	s = s[i : i+8]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

func load32(s string, i int) uint64 {
	s = s[i : i+4]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24
}

// Build writes the table of a vocabulary with so many bits of places. It fails if the vocabulary does not
// fit or names a string twice.
func Build(vocabulary []string, places uint) (Table, error) {
	type entry struct {
		place, value uint64
	}
	var entries []entry
	text := []byte{0} // so that no slot in use is zero
	for _, s := range vocabulary {
		if s == "" || len(s) > Longest {
			return Table{}, fmt.Errorf("string %q: %d bytes long, from 1 to %d fit", s, len(s), Longest)
		}
		h := hash(s)
		place := h >> (64 - places)
		entries = append(entries, entry{place, slot(h, place, len(s))<<beginBits | uint64(len(text))})
		text = append(text, s...)
	}
	if len(text) > 1<<beginBits {
		return Table{}, fmt.Errorf("%d bytes of strings, at most %d fit", len(text), 1<<beginBits)
	}
	slices.SortFunc(entries, func(a, b entry) int { return cmp.Compare(a.place, b.place) })
	t := Table{Bits: places}
	data := make([]byte, t.begin(), t.begin()+len(text))
	at := uint64(0)
	for _, e := range entries {
		at = max(at, e.place)
		if at-e.place >= spare {
			return Table{}, fmt.Errorf("%d strings are too many for %d bits", len(vocabulary), places)
		}
		for i := range slotSize {
			data[int(at)*slotSize+i] = byte(e.value >> (8 * i))
		}
		at++
	}
	t.Data = string(append(data, text...))
	order := uint32(1)
	for _, s := range vocabulary {
		if got := t.Order(s); got != order {
			return Table{}, fmt.Errorf("string %q is found at %d, not %d", s, got, order)
		}
		order += uint32(len(s))
	}
	return t, nil
}
