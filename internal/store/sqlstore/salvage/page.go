package salvage

// How rows lie in a page of a SQLite file: https://www.sqlite.org/fileformat2.html

// maxRow is more than any row of ours has, in bytes.
const maxRow = 16 << 20

// uvarint reads a SQLite varint: up to nine bytes, the high ones first. n is 0 if there is
// none.
func uvarint(b []byte) (v uint64, n int) {
	for i := range min(len(b), 9) {
		if i == 8 {
			return v<<8 | uint64(b[i]), 9
		}
		v = v<<7 | uint64(b[i]&0x7f)
		if b[i]&0x80 == 0 {
			return v, i + 1
		}
	}
	return 0, 0
}

// header reads the types of a row's columns; head is its own length. It returns none unless
// types and lengths add up to size.
func header(b []byte, size uint64) (types []uint64, head int) {
	length, n := uvarint(b)
	if n == 0 || length < 2 || length > 30 || length > uint64(len(b)) || length > size {
		return nil, 0
	}
	sum := length
	for at := n; at < int(length); {
		t, n := uvarint(b[at:length])
		if n == 0 || t == 10 || t == 11 || t > maxRow*2 {
			return nil, 0
		}
		types = append(types, t)
		sum += width(t)
		at += n
	}
	if sum != size {
		return nil, 0
	}
	return types, int(length)
}

// width is how many bytes a column of a type takes.
func width(t uint64) uint64 {
	switch {
	case t >= 12:
		return (t - 12) / 2
	case t >= 8:
		return 0
	case t >= 6:
		return 8
	case t == 5:
		return 6
	}
	return t
}

// number reads a whole number of a type.
func number(b []byte, t uint64) int64 {
	switch {
	case t == 9:
		return 1
	case t == 0 || t >= 7 || uint64(len(b)) < width(t):
		return 0
	}
	v := int64(int8(b[0]))
	for _, c := range b[1:width(t)] {
		v = v<<8 | int64(c)
	}
	return v
}
