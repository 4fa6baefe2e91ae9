package vec

import (
	"fmt"
	"math"
)

// A batch makes blocks of vectors and of the keys that are no more.
type batch struct {
	x     *Index // learns each block once it is written
	write func(block []byte) error
	keep  bool // whether x keeps the codes too, or only learns the keys

	mark   uint64
	drop   []int64
	keys   []int64
	scales []float32
	codes  []byte
	at     map[int64]int // where a key is among keys
	one    []byte        // the codes of a vector
	buf    []byte
}

// fill puts vectors and finishes the batch. Vectors that do not fit the index
// must have been found before.
func (b *batch) fill(put []Vector) error {
	for _, v := range put {
		if err := b.put(v); err != nil {
			return err
		}
	}
	return b.flush(false)
}

func (b *batch) put(v Vector) error {
	if b.one == nil {
		b.one = make([]byte, b.x.stride)
	}
	scale, err := quantise(b.one, v.Values, b.x.header.Dims)
	if err != nil {
		return fmt.Errorf("vector of key %d: %w", v.Key, err)
	}
	return b.add(v.Key, scale, b.one)
}

// add puts a vector in codes. Of those under one key it keeps the last.
func (b *batch) add(key int64, scale float32, codes []byte) error {
	if i, ok := b.at[key]; ok {
		b.scales[i] = scale
		copy(b.codes[i*b.x.stride:], codes)
		return nil
	}
	if len(b.keys) == rowsPerBlock(b.x.stride) {
		if err := b.flush(true); err != nil {
			return err
		}
	}
	if b.at == nil {
		b.at = map[int64]int{}
	}
	b.at[key] = len(b.keys)
	b.keys = append(b.keys, key)
	b.scales = append(b.scales, scale)
	b.codes = append(b.codes, codes...)
	return nil
}

// flush writes what there is as a block; more says that another will follow.
func (b *batch) flush(more bool) error {
	if int64(b.x.rows)+int64(len(b.keys)) > maxRows {
		return fmt.Errorf("an index of more than %d vectors", int64(maxRows))
	}
	encoded, gone := b.encode(more)
	if err := b.write(encoded); err != nil {
		return err
	}
	head, _ := readBlockHeader(encoded)
	learnt := head.slice(encoded, b.x.stride)
	if b.keep {
		b.buf = nil // it is the index's now
	} else {
		learnt = block{blockHeader: head, keys: append([]byte(nil), learnt.keys...)}
	}
	b.x.adopt(learnt)
	b.x.gone.add(gone...)
	clear(b.at)
	b.drop, b.keys, b.scales, b.codes = nil, b.keys[:0], b.scales[:0], b.codes[:0]
	return nil
}

// encode makes a block of what there is, in b.buf.
func (b *batch) encode(more bool) (encoded []byte, gone []uint32) {
	replaced := make(map[int64]bool, len(b.drop)+len(b.keys))
	for _, key := range b.drop {
		replaced[key] = true
	}
	head := blockHeader{rows: len(b.keys), first: b.x.rows, mark: b.mark, more: more}
	head.low, head.high = math.MaxInt64, math.MinInt64
	for _, key := range b.keys {
		replaced[key] = true
		head.low, head.high = min(head.low, key), max(head.high, key)
	}
	gone = b.x.rowsOf(replaced)
	head.gone = len(gone)

	keys, scales, codes, end := head.sections(b.x.stride)
	if int64(cap(b.buf)) < end {
		b.buf = make([]byte, end)
	}
	encoded = b.buf[:end]
	clear(encoded[:codes])
	for i, row := range gone {
		le.PutUint32(encoded[headerSize+4*i:], row)
	}
	for i, key := range b.keys {
		le.PutUint64(encoded[keys+8*int64(i):], uint64(key))
		le.PutUint32(encoded[scales+4*int64(i):], math.Float32bits(b.scales[i]))
	}
	clear(encoded[codes+int64(copy(encoded[codes:], b.codes)):])
	head.sum = checksum(encoded[headerSize:])
	head.encode(encoded)
	return encoded, gone
}

// fit says which of some vectors, if any, is none of x's.
func (x *Index) fit(put []Vector) error {
	for _, v := range put {
		if _, _, err := measure(v.Values, x.header.Dims); err != nil {
			return fmt.Errorf("vector of key %d: %w", v.Key, err)
		}
	}
	return nil
}

// Add puts vectors and drops keys, and sets the mark: all of it, or nothing if
// it fails. It changes what this index finds, not the file it may come from.
// A key both dropped and put is put.
func (x *Index) Add(mark uint64, put []Vector, drop []int64) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.closed {
		return errClosed
	}
	if err := x.fit(put); err != nil {
		return err
	}
	b := &batch{x: x, keep: true, mark: mark, drop: drop, write: func([]byte) error { return nil }}
	if err := b.fill(put); err != nil {
		return err
	}
	if x.mapped == nil && x.worn() {
		x.compact()
	}
	return nil
}

// compact makes the blocks of an index in memory again, as few as can be.
func (x *Index) compact() {
	merged := &Index{header: x.header, stride: x.stride}
	b := &batch{x: merged, keep: true, mark: x.mark, write: func([]byte) error { return nil }}
	if x.each(b.add) == nil && b.flush(false) == nil {
		x.blocks, x.rows, x.gone = merged.blocks, merged.rows, merged.gone
	}
}

// each returns every vector that is not gone to add.
func (x *Index) each(add func(key int64, scale float32, codes []byte) error) error {
	for _, b := range x.blocks {
		for i := range b.rows {
			if x.gone.has(b.first + i) {
				continue
			}
			if err := add(b.key(i), b.scale(i), b.codes[i*x.stride:][:x.stride]); err != nil {
				return err
			}
		}
	}
	return nil
}

const (
	wornBlocks = 1000 // blocks more than there need be
	wornRows   = 4    // one row of so many is gone
)

// Worn says whether Compact would make a difference worth its time. (An index
// in memory sees to that itself.)
func (x *Index) Worn() bool {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.worn()
}

func (x *Index) worn() bool {
	per := rowsPerBlock(x.stride)
	return len(x.blocks)-x.rows/per > wornBlocks || x.gone.count > max(per, x.rows/wornRows)
}
