package client

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"sync"
)

// smallest is the least that is worth compressing.
const smallest = 1 << 10

// packers are kept: each has tables of some hundred kilobytes.
var packers = sync.Pool{New: func() any {
	z, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // the level is one there is
	return z
}}

// Pack writes a body as gzip does.
func Pack(w io.Writer, body []byte) error {
	z := packers.Get().(*gzip.Writer)
	defer packers.Put(z)
	z.Reset(w)
	_, err := z.Write(body)
	return errors.Join(err, z.Close())
}

// Packed compresses a body where that is worth it, and reports whether it did.
func Packed(body []byte) ([]byte, bool) {
	if len(body) < smallest {
		return body, false
	}
	var b bytes.Buffer
	b.Grow(len(body)/2 + smallest)
	if err := Pack(&b, body); err != nil {
		return body, false
	}
	return b.Bytes(), true
}

// All reads a whole body. It allocates little more than what has arrived, whatever length was
// announced.
func All(r io.Reader, refused int64) ([]byte, error) {
	const believed = 4 << 20
	if refused <= 0 {
		return io.ReadAll(r)
	}
	var b bytes.Buffer
	b.Grow(int(min(refused, believed)) + bytes.MinRead)
	_, err := b.ReadFrom(r)
	return b.Bytes(), err
}
