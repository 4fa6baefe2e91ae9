package codec

import (
	"crypto/cipher"
	"crypto/rand"
	"encoding/binary"
	"errors"

	"golang.org/x/crypto/xts"
)

// bytesOf is a file as it lies on the disk. What it reads behind the end is zero, and short says so.
type bytesOf interface {
	read(p []byte, at int64) (short bool, err error)
	write(p []byte, at int64) error
}

// errData says that a record is not what was written there.
var errData = errors.New("a page is not as it was written")

// records are the contents of a file of pages: the main file or its log.
type records struct {
	layout
	aead cipher.AEAD
	kind byte // in what is authenticated
	buf  []byte
	log  bool
}

// about is what a record is bound to.
func (r *records) about(no uint64) []byte {
	var b [9]byte
	b[0] = r.kind
	binary.BigEndian.PutUint64(b[1:], no)
	return b[:]
}

// open reads the record at a place, as plain bytes that last until the next call. There is none
// behind the end, and of one that was never written all is zero.
func (r *records) open(f bytesOf, p place) (text []byte, short bool, err error) {
	b := r.buf[:p.size+overhead]
	if short, err = f.read(b, p.at); err != nil || short {
		clear(b)
		return b[nonceSize : nonceSize+p.size], short, err
	}
	text, err = r.aead.Open(b[nonceSize:nonceSize], b[:nonceSize], b[nonceSize:], r.about(p.no))
	if err == nil {
		return text, false, nil
	}
	// what failed was overwritten: read it again to see whether anything is there
	if short, err = f.read(b, p.at); err != nil {
		return nil, short, err
	}
	for _, c := range b {
		if c != 0 {
			clear(b)
			return b[nonceSize : nonceSize+p.size], short, errData
		}
	}
	return b[nonceSize : nonceSize+p.size], short, nil
}

// readAt fills p. A record that is not whole is an error, unless SQLite is about to see for itself:
// in a frame of the log by its checksum, and in the head of the file, which it reads before it has
// a lock, by reading it again.
func (r *records) readAt(f bytesOf, p []byte, off int64) (short bool, err error) {
	bears := r.log && r.find(off).size != pageSize
	before := !r.log && off == 0 && len(p) < pageSize
	for len(p) > 0 {
		at := r.find(off)
		text, ends, err := r.open(f, at)
		for try := 0; before && errors.Is(err, errData) && try < 3; try++ {
			text, ends, err = r.open(f, at) // it may just be written
		}
		switch {
		case errors.Is(err, errData) && bears:
			err = nil
		case errors.Is(err, errData) && before:
			ends, err = true, nil
		}
		if err != nil {
			return short, err
		}
		n := copy(p, text[off-at.from:])
		p, off, short = p[n:], off+int64(n), short || ends
	}
	return short, nil
}

// writeAt writes p, and with it the rest of the records that it touches.
func (r *records) writeAt(f bytesOf, p []byte, off int64) error {
	for len(p) > 0 {
		at := r.find(off)
		skip := int(off - at.from)
		n := min(len(p), at.size-skip)
		text := r.buf[nonceSize : nonceSize+at.size]
		if n < at.size {
			old, _, err := r.open(f, at)
			if err != nil {
				return err
			}
			copy(text, old) // it is there already
		}
		copy(text[skip:], p[:n])
		if err := r.seal(f, at, text); err != nil {
			return err
		}
		p, off = p[n:], off+int64(n)
	}
	return nil
}

// seal encrypts plain bytes that lie in the buffer, and writes their record.
func (r *records) seal(f bytesOf, at place, text []byte) error {
	nonce := r.buf[:nonceSize]
	if _, err := rand.Read(nonce); err != nil {
		return err
	}
	r.aead.Seal(text[:0], nonce, text, r.about(at.no))
	return f.write(r.buf[:at.size+overhead], at.at)
}

// sectors are the contents of a journal or a temporary file. SQLite writes these at any place and
// in any length, and rolls back with them after a power cut: so bytes that are not written must
// stay. Each sector is encrypted by itself, to the same length.
type sectors struct {
	xts *xts.Cipher
	buf []byte
}

const (
	sectorSize = 512
	atOnce     = pageSize // bytes
)

func (s *sectors) readAt(f bytesOf, p []byte, off int64) (short bool, err error) {
	for len(p) > 0 {
		from := off / sectorSize * sectorSize
		b := s.buf[:min(atOnce, roundUp(off+int64(len(p)))-from)]
		ends, err := s.open(f, b, from)
		if err != nil {
			return short, err
		}
		n := copy(p, b[off-from:])
		p, off, short = p[n:], off+int64(n), short || ends
	}
	return short, nil
}

// open reads whole sectors. Those behind the end are zero.
func (s *sectors) open(f bytesOf, b []byte, from int64) (short bool, err error) {
	if short, err = f.read(b, from); err != nil {
		return short, err
	}
	for i := 0; i < len(b); i += sectorSize {
		one := b[i : i+sectorSize]
		empty := true
		for _, c := range one {
			empty = empty && c == 0
		}
		if !empty {
			s.xts.Decrypt(one, one, uint64(from+int64(i))/sectorSize)
		}
	}
	return short, nil
}

func (s *sectors) writeAt(f bytesOf, p []byte, off int64) error {
	for len(p) > 0 {
		from := off / sectorSize * sectorSize
		b := s.buf[:min(atOnce, roundUp(off+int64(len(p)))-from)]
		if off != from || len(p) < len(b) {
			if _, err := s.open(f, b, from); err != nil {
				return err
			}
		}
		n := copy(b[off-from:], p)
		for i := 0; i < len(b); i += sectorSize {
			s.xts.Encrypt(b[i:i+sectorSize], b[i:i+sectorSize], uint64(from+int64(i))/sectorSize)
		}
		if err := f.write(b, from); err != nil {
			return err
		}
		p, off = p[n:], off+int64(n)
	}
	return nil
}

func (*sectors) plainSize(full int64) int64 { return full }
func (*sectors) fullSize(plain int64) int64 { return roundUp(plain) }

func roundUp(n int64) int64 { return (n + sectorSize - 1) / sectorSize * sectorSize }
