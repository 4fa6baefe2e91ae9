package index

import "encoding/binary"

// A decoder reads numbers and remembers that it could not.
type decoder struct {
	b      []byte
	failed bool
}

func (d *decoder) uvarint() uint64 {
	if len(d.b) > 0 && d.b[0] < 0x80 {
		v := d.b[0]
		d.b = d.b[1:]
		return uint64(v)
	}
	v, n := binary.Uvarint(d.b)
	if n <= 0 {
		d.b, d.failed = nil, true
		return 0
	}
	d.b = d.b[n:]
	return v
}

// column reads as many numbers as it has room for.
func column[T int64 | uint32 | uint16](d *decoder, out []T) {
	b := d.b
	for i := range out {
		if len(b) > 0 && b[0] < 0x80 {
			out[i], b = T(b[0]), b[1:]
			continue
		}
		v, n := binary.Uvarint(b)
		if n <= 0 {
			d.b, d.failed = nil, true
			return
		}
		out[i], b = T(v), b[n:]
	}
	d.b = b
}

// count reads how many things of at least so many bytes follow.
func (d *decoder) count(size int) int {
	n := d.uvarint()
	if n > uint64(len(d.b)/size) {
		d.b, d.failed = nil, true
		return 0
	}
	return int(n)
}

func (d *decoder) take(n int) []byte {
	if n > len(d.b) {
		d.b, d.failed = nil, true
		return nil
	}
	out := d.b[:n]
	d.b = d.b[n:]
	return out
}
