package static

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
)

// table reads the rows of a model's embeddings out of its file as they are needed. The file is not read as a
// whole nor mapped: a question of ten words needs ten rows, and a file that is cut off while we use it is an
// error of a read instead of the end of the process.
type table struct {
	file       io.ReaderAt
	begin      int64
	rows, dims int
	dtype      string

	weights []byte // of each token, as in the file; nil: all weigh the same
	wide    bool   // the weights are F64
	mapping []byte // from tokens to rows, as in the file; nil: each to its own
	long    bool   // the mapping is I64
}

// openTable finds what a static model has among the tensors of its file.
func openTable(file io.ReaderAt, tensors map[string]tensor) (*table, error) {
	e, found := tensors["embeddings"]
	if !found {
		e, found = tensors["embedding.weight"] // the name sentence-transformers gives it
	}
	switch {
	case !found:
		return nil, fmt.Errorf("it has no tensor \"embeddings\": it is not a static model")
	case len(e.shape) != 2 || e.shape[0] < 1 || e.shape[1] < 1:
		return nil, fmt.Errorf("its tensor %q has the shape %v, not [tokens, dimensions]", e.name, e.shape)
	case e.dtype != "F32" && e.dtype != "F16" && e.dtype != "BF16" && e.dtype != "I8":
		return nil, fmt.Errorf("its tensor %q is of type %s, not F32, F16, BF16 or I8", e.name, e.dtype)
	}
	t := &table{file: file, begin: e.begin, rows: e.shape[0], dims: e.shape[1], dtype: e.dtype}
	var err error
	if m, found := tensors["mapping"]; found {
		if t.mapping, err = t.list(m, "I32", "I64"); err != nil {
			return nil, err
		}
		t.long = m.dtype == "I64"
		for token := range t.tokens() {
			if row := t.row(token); row < 0 || row >= t.rows {
				return nil, fmt.Errorf("its mapping sends the token %d to the row %d of %d", token, row, t.rows)
			}
		}
	}
	if w, found := tensors["weights"]; found {
		if t.weights, err = t.list(w, "F32", "F64"); err != nil {
			return nil, err
		}
		t.wide = w.dtype == "F64"
		if got := w.shape[0]; got != t.tokens() {
			return nil, fmt.Errorf("it has %d weights for %d tokens", got, t.tokens())
		}
	}
	return t, nil
}

// list reads a tensor of one dimension.
func (t *table) list(of tensor, types ...string) ([]byte, error) {
	if len(of.shape) != 1 || of.dtype != types[0] && of.dtype != types[1] {
		return nil, fmt.Errorf(
			"its tensor %q is of type %s and shape %v, not a list of %s or %s", of.name, of.dtype, of.shape,
			types[0], types[1],
		)
	}
	content := make([]byte, of.end-of.begin)
	if _, err := t.file.ReadAt(content, of.begin); err != nil {
		return nil, fmt.Errorf("read the tensor %q: %w", of.name, err)
	}
	return content, nil
}

// tokens is how many tokens the model tells apart.
func (t *table) tokens() int {
	switch {
	case t.mapping == nil:
		return t.rows
	case t.long:
		return len(t.mapping) / 8
	}
	return len(t.mapping) / 4
}

// row is a token's row, which several may share.
func (t *table) row(token int) int {
	switch {
	case t.mapping == nil:
		return token
	case t.long:
		return int(int64(binary.LittleEndian.Uint64(t.mapping[8*token:])))
	}
	return int(int32(binary.LittleEndian.Uint32(t.mapping[4*token:])))
}

func (t *table) weight(token int) float32 {
	switch {
	case t.weights == nil:
		return 1
	case t.wide:
		return float32(math.Float64frombits(binary.LittleEndian.Uint64(t.weights[8*token:])))
	}
	return math.Float32frombits(binary.LittleEndian.Uint32(t.weights[4*token:]))
}

// read decodes a row into to, by way of buffer.
func (t *table) read(row int, to []float32, buffer []byte) error {
	width := int(sizes[t.dtype])
	buffer = buffer[:width*t.dims]
	if _, err := t.file.ReadAt(buffer, t.begin+int64(row)*int64(len(buffer))); err != nil {
		return err
	}
	switch t.dtype {
	case "F32":
		for i := range to {
			to[i] = math.Float32frombits(binary.LittleEndian.Uint32(buffer[4*i:]))
		}
	case "F16":
		for i := range to {
			to[i] = half(binary.LittleEndian.Uint16(buffer[2*i:]))
		}
	case "BF16":
		for i := range to {
			to[i] = math.Float32frombits(uint32(binary.LittleEndian.Uint16(buffer[2*i:])) << 16)
		}
	case "I8":
		for i := range to {
			to[i] = float32(int8(buffer[i]))
		}
	}
	return nil
}

// half widens a number of 16 bits: 1 sign, 5 exponent, 10 fraction.
func half(h uint16) float32 {
	sign, exponent, fraction := uint32(h>>15)<<31, uint32(h>>10)&31, uint32(h)&1023
	switch exponent {
	case 0: // zero and the numbers too small to be normal
		small := float32(fraction) / (1 << 24)
		return math.Float32frombits(sign | math.Float32bits(small))
	case 31: // infinite or none
		return math.Float32frombits(sign | 255<<23 | fraction<<13)
	}
	return math.Float32frombits(sign | (exponent+127-15)<<23 | fraction<<13)
}
