package vec

import (
	"errors"
	"fmt"
	"io"
)

// A placed block is its header and where in the file it is.
type placed struct {
	blockHeader
	at int64
}

// A found file is what of it can be used.
type found struct {
	blocks []placed
	gone   []uint32
	end    int64 // of the last whole batch
}

// A window reads a file piece by piece. Mapped memory will not do as long as
// no one knows what is whole: to touch what a writer cuts off ends the process.
type window struct {
	file io.ReaderAt
	size int64 // of the file, as far as anyone asks
	buf  []byte
	at   int64 // of buf in the file
	err  error // the first that is not the end of the file
}

const windowSize = 4 << 10

// bytes returns n bytes of the file, or nil. They are good until the next call.
func (w *window) bytes(at, n int64) []byte {
	if at < 0 || n < 0 || n > w.size-at || w.err != nil {
		return nil
	}
	if at < w.at || at+n > w.at+int64(len(w.buf)) {
		length := min(max(n, windowSize), w.size-at)
		if int64(cap(w.buf)) < length {
			w.buf = make([]byte, length)
		}
		got, err := w.file.ReadAt(w.buf[:length], at)
		w.buf, w.at = w.buf[:got], at
		if err != nil && !errors.Is(err, io.EOF) {
			w.err = err
		}
		if int64(got) < n {
			return nil
		}
	}
	return w.buf[at-w.at:][:n]
}

// block reads the header of a block that fits in the file.
func (w *window) block(at int64, stride int) (h placed, end int64, ok bool) {
	head, ok := readBlockHeader(w.bytes(at, headerSize))
	if !ok {
		return h, 0, false
	}
	_, _, _, length := head.sections(stride)
	return placed{head, at}, at + length, length <= w.size-at
}

// whole says whether a block is as its checksum says.
func (w *window) whole(p placed, stride int) bool {
	const piece = 64 << 10
	_, _, _, length := p.sections(stride)
	var sum uint32
	for at, end := p.at+headerSize, p.at+length; at < end; at += piece {
		b := w.bytes(at, min(piece, end-at))
		if b == nil {
			return false
		}
		sum = update(sum, b)
	}
	return sum == p.sum
}

// survey finds the whole batches of a file of some size. A torn one at its end
// is left out; where anything else is wrong the file is damaged.
func survey(file io.ReaderAt, size int64, want Header) (*found, error) {
	w := &window{file: file, size: size}
	head := w.bytes(0, headerSize)
	if w.err != nil {
		return nil, w.err
	}
	if err := want.verify(head); err != nil {
		return nil, err
	}
	f, err := w.batches(strideOf(want.Dims))
	if err == nil {
		err = w.collectGone(f)
	}
	if w.err != nil {
		return nil, w.err
	}
	return f, err
}

func (w *window) batches(stride int) (*found, error) {
	var all []placed
	at, rows := int64(headerSize), 0
	whole, before, end := 0, 0, at // the blocks of whole batches; those without the last
	for {
		p, next, ok := w.block(at, stride)
		if !ok {
			break
		}
		if p.first != rows || p.gone > rows || int64(p.rows) > maxRows-int64(rows) {
			return nil, fmt.Errorf("%w: a block does not follow the one before", ErrDamaged)
		}
		all, at, rows = append(all, p), next, rows+p.rows
		if !p.more {
			before, whole, end = whole, len(all), at
		}
	}
	if whole > 0 && !w.whole(all[whole-1], stride) {
		at, end = all[whole-1].at, all[before].at
		whole = before
	}
	if whole == 0 {
		return nil, fmt.Errorf("%w: it has no complete batch", ErrDamaged)
	}
	// Nothing is written behind what is not whole.
	for at += align; at < w.size; at += align {
		if _, ok := readBlockHeader(w.bytes(at, headerSize)); ok {
			return nil, fmt.Errorf("%w: a block in the middle was changed", ErrDamaged)
		}
	}
	return &found{blocks: all[:whole], end: end}, nil
}

// collectGone reads which rows later blocks have done away with.
func (w *window) collectGone(f *found) error {
	for _, p := range f.blocks {
		if p.gone == 0 {
			continue
		}
		list := w.bytes(p.at+headerSize, 4*int64(p.gone))
		if list == nil {
			return fmt.Errorf("%w: it is cut short", ErrDamaged)
		}
		for ; len(list) > 0; list = list[4:] {
			row := le.Uint32(list)
			if int64(row) >= int64(p.first) {
				return fmt.Errorf("%w: a block deletes a row that does not exist", ErrDamaged)
			}
			f.gone = append(f.gone, row)
		}
	}
	return nil
}

// Check reads the whole index and compares its checksums. It fails with
// ErrDamaged.
func (x *Index) Check() error {
	x.mu.RLock()
	defer x.mu.RUnlock()
	for _, b := range x.blocks {
		if b.payload != nil && checksum(b.payload) != b.sum {
			return fmt.Errorf("%w: block of row %d was changed", ErrDamaged, b.first)
		}
	}
	return nil
}
