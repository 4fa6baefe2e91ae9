package proof

import (
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/stemma-memory/stemma/memory"
)

// readAll reads base and tail.
func (b *Book) readAll() error {
	base, err := openBase(filepath.Join(b.dir, baseFile), b)
	if err != nil {
		return err
	}
	b.base, b.sound, b.said = base, make(map[key]bool), make(map[key]Sum)
	b.begun = true
	return b.readTail()
}

// readTail takes in what was added behind what was read.
func (b *Book) readTail() error {
	path := filepath.Join(b.dir, tailFile)
	file, err := os.Open(path)
	if err != nil {
		return readable(err)
	}
	defer file.Close()
	raw, err := io.ReadAll(io.NewSectionReader(file, b.read, 1<<40))
	if err != nil {
		return err
	}
	n, err := b.takeTail(raw)
	b.read += n
	return err
}

// takeTail takes whole batches and gives how many bytes they were. One that is cut
// off at the end is still being written; one whose mark is wrong ends the reading:
// what it held is verified again.
func (b *Book) takeTail(raw []byte) (int64, error) {
	var n int64
	for len(raw) >= 4+tailMark {
		size := int(binary.BigEndian.Uint32(raw))
		if size > len(raw)-4-tailMark {
			break
		}
		mark, body := raw[4:4+tailMark], raw[4+tailMark:4+tailMark+size]
		if !b.seal.Is(mark, "proof tail", b.name, body) {
			return n, nil
		}
		for len(body) > 0 {
			e, rest, err := cutEntry(body)
			if err != nil {
				return n, nil
			}
			if err := b.take(&e); err != nil {
				return n, err
			}
			body = rest
		}
		raw = raw[4+tailMark+size:]
		n += int64(4 + tailMark + size)
	}
	return n, nil
}

var errShort = errors.New("cut off")

func cutEntry(raw []byte) (e Entry, rest []byte, err error) {
	const fixed = len(memory.ID{}) + 3
	if len(raw) < fixed {
		return e, nil, errShort
	}
	e.ID, raw = memory.ID(raw[:len(e.ID)]), raw[len(e.ID):]
	e.Keys = raw[0] == 1
	n := int(binary.BigEndian.Uint16(raw[1:]))
	raw = raw[3:]
	for range n {
		if len(raw) < 1 || len(raw) < 1+int(raw[0])+len(memory.ID{}) {
			return e, nil, errShort
		}
		k := int(raw[0])
		ref := memory.Ref{Kind: memory.Kind(raw[1 : 1+k])}
		ref.ID = memory.ID(raw[1+k : 1+k+len(ref.ID)])
		e.Of, raw = append(e.Of, ref), raw[1+k+len(ref.ID):]
	}
	return e, raw, nil
}

// take takes one entry into account; one that is known already changes nothing.
func (b *Book) take(e *Entry) error {
	k := soundKey(e.ID)
	known, err := b.isSound(k)
	if err != nil || known {
		return err
	}
	b.sound[k] = true
	of := e.Of
	if e.Keys {
		of = append(of[:len(of):len(of)], AllKeys)
	}
	for _, ref := range of {
		k := saidKey(ref)
		s, ok := b.said[k]
		if !ok {
			if s, _, err = b.base.find(k); err != nil {
				return err
			}
		}
		b.said[k] = s.Plus(b.Hash(e.ID))
	}
	return nil
}

func (b *Book) forget() {
	if b.base != nil {
		b.base.close()
	}
	b.begun, b.base, b.read, b.sound, b.said = false, nil, 0, nil, nil
}
