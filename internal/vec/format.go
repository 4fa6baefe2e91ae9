package vec

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"sync"
)

// A file is its header and then blocks, of which at least one. Everything
// begins at a multiple of 64 bytes, with zeros before it; numbers are
// little-endian, checksums are CRC-32C.
//
//	file header    0 magic   8 version  12 dims  16 SHA-256 of the model's name
//	              48 zeros  60 checksum of the 60 bytes before
//	block header   0 magic   4 rows      8 gone  12 rows of all blocks before
//	              16 mark   24 lowest key  32 highest key
//	              40 checksum of the block after its header
//	              44 1 if the next block belongs to the same batch, else 0
//	              48 zeros  60 checksum of the 60 bytes before
//	block          gone × uint32, the rows of earlier blocks that are no more
//	               rows × int64, the keys
//	               rows × float32, the scales
//	               rows × stride codes
//
// A batch counts when all of its blocks are there. Each block is on disk before
// the next is written, so only the last can be torn.
const (
	fileMagic  = "stemvecs"
	blockMagic = "vblk"
	version    = 1
	headerSize = 64
	align      = 64
	sumAt      = 60
	blockBytes = 4 << 20 // of codes, at most, if that is one vector or more
	maxRows    = math.MaxUint32
)

var castagnoli = sync.OnceValue(func() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) })

// fileMode is of a file that is made.
const fileMode = 0o600

// A Header says whose vectors an index holds.
type Header struct {
	Model string // whatever makes vectors incomparable when it differs
	Dims  int    // components of a vector
}

func (h Header) check() error {
	if h.Dims < 1 || h.Dims > MaxDims {
		return fmt.Errorf("an index of vectors of %d dimensions: want 1 to %d", h.Dims, MaxDims)
	}
	return nil
}

func checksum(b []byte) uint32 { return update(0, b) }

func update(sum uint32, b []byte) uint32 { return crc32.Update(sum, castagnoli(), b) }

var le = binary.LittleEndian

// rowsPerBlock is the most vectors that Writer puts in one block.
func rowsPerBlock(stride int) int { return max(1, blockBytes/stride) }

func (h Header) encode() []byte {
	b := make([]byte, headerSize)
	copy(b, fileMagic)
	le.PutUint32(b[8:], version)
	le.PutUint32(b[12:], uint32(h.Dims))
	model := sha256.Sum256([]byte(h.Model))
	copy(b[16:], model[:])
	le.PutUint32(b[sumAt:], checksum(b[:sumAt]))
	return b
}

// verify says what is wrong with the header of a file that should be h's.
func (h Header) verify(b []byte) error {
	want := h.encode()
	switch {
	case len(b) < headerSize || string(b[:8]) != fileMagic:
		return fmt.Errorf("%w: it does not begin like one", ErrDamaged)
	case le.Uint32(b[8:]) != version:
		return fmt.Errorf("%w: its format is %d, not %d", ErrForeign, le.Uint32(b[8:]), version)
	case checksum(b[:sumAt]) != le.Uint32(b[sumAt:]):
		return fmt.Errorf("%w: its header was changed", ErrDamaged)
	case le.Uint32(b[12:]) != uint32(h.Dims):
		return fmt.Errorf("%w: its vectors have %d dimensions, not %d", ErrForeign, le.Uint32(b[12:]), h.Dims)
	case string(b) != string(want):
		return fmt.Errorf("%w: it is not of model %s", ErrForeign, h.Model)
	}
	return nil
}

// A blockHeader says what is in a block.
type blockHeader struct {
	rows, gone, first int
	mark              uint64
	low, high         int64
	sum               uint32
	more              bool
}

func (h blockHeader) encode(b []byte) {
	clear(b[:headerSize])
	copy(b, blockMagic)
	le.PutUint32(b[4:], uint32(h.rows))
	le.PutUint32(b[8:], uint32(h.gone))
	le.PutUint32(b[12:], uint32(h.first))
	le.PutUint64(b[16:], h.mark)
	le.PutUint64(b[24:], uint64(h.low))
	le.PutUint64(b[32:], uint64(h.high))
	le.PutUint32(b[40:], h.sum)
	if h.more {
		b[44] = 1
	}
	le.PutUint32(b[sumAt:], checksum(b[:sumAt]))
}

// readBlockHeader reads what encode has written; anything else is not ok.
func readBlockHeader(b []byte) (h blockHeader, ok bool) {
	if len(b) < headerSize || string(b[:4]) != blockMagic || checksum(b[:sumAt]) != le.Uint32(b[sumAt:]) {
		return h, false
	}
	h = blockHeader{
		rows:  int(le.Uint32(b[4:])),
		gone:  int(le.Uint32(b[8:])),
		first: int(le.Uint32(b[12:])),
		mark:  le.Uint64(b[16:]),
		low:   int64(le.Uint64(b[24:])),
		high:  int64(le.Uint64(b[32:])),
		sum:   le.Uint32(b[40:]),
		more:  b[44] != 0,
	}
	return h, h.rows >= 0 && h.gone >= 0 && h.first >= 0 // where int has 32 bits
}

// sections returns where in a block its keys, scales and codes begin and where it
// ends. No header can make them overflow.
func (h blockHeader) sections(stride int) (keys, scales, codes, end int64) {
	pad := func(n int64) int64 { return (n + align - 1) / align * align }
	rows := int64(h.rows)
	keys = headerSize + pad(4*int64(h.gone))
	scales = keys + pad(8*rows)
	codes = scales + pad(4*rows)
	return keys, scales, codes, codes + pad(int64(stride)*rows)
}

// A block is some vectors of an index, as they are in a file.
type block struct {
	blockHeader
	payload             []byte // all after the header
	keys, scales, codes []byte // parts of it
}

// slice finds the parts of an encoded block in b.
func (h blockHeader) slice(b []byte, stride int) block {
	keys, scales, codes, end := h.sections(stride)
	return block{h, b[headerSize:end], b[keys:][:8*h.rows], b[scales:][:4*h.rows], b[codes:][:stride*h.rows]}
}

func (b *block) key(i int) int64 { return int64(le.Uint64(b.keys[8*i:])) }

func (b *block) scale(i int) float32 { return math.Float32frombits(le.Uint32(b.scales[4*i:])) }

// bounds returns the lowest and the highest of some keys.
func bounds(keys map[int64]bool) (low, high int64) {
	low, high = math.MaxInt64, math.MinInt64
	for key := range keys {
		low, high = min(low, key), max(high, key)
	}
	return low, high
}
