package static

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"github.com/stemma-memory/stemma/internal/model/safetensors"
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
func openTable(file io.ReaderAt, tensors map[string]safetensors.Tensor) (*table, error) {
	e, found := tensors["embeddings"]
	if !found {
		e, found = tensors["embedding.weight"] // the name sentence-transformers gives it
	}
	switch {
	case !found:
		return nil, fmt.Errorf("it has no tensor \"embeddings\": it is not a static model")
	case len(e.Shape) != 2 || e.Shape[0] < 1 || e.Shape[1] < 1:
		return nil, fmt.Errorf("its tensor %q has the shape %v, not [tokens, dimensions]", e.Name, e.Shape)
	case e.Type != "F32" && e.Type != "F16" && e.Type != "BF16" && e.Type != "I8":
		return nil, fmt.Errorf("its tensor %q is of type %s, not F32, F16, BF16 or I8", e.Name, e.Type)
	}
	t := &table{file: file, begin: e.Begin, rows: e.Shape[0], dims: e.Shape[1], dtype: e.Type}
	var err error
	if m, found := tensors["mapping"]; found {
		if t.mapping, err = t.list(m, "I32", "I64"); err != nil {
			return nil, err
		}
		t.long = m.Type == "I64"
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
		t.wide = w.Type == "F64"
		if got := w.Shape[0]; got != t.tokens() {
			return nil, fmt.Errorf("it has %d weights for %d tokens", got, t.tokens())
		}
	}
	return t, nil
}

// list reads a tensor of one dimension.
func (t *table) list(of safetensors.Tensor, types ...string) ([]byte, error) {
	if len(of.Shape) != 1 || of.Type != types[0] && of.Type != types[1] {
		return nil, fmt.Errorf(
			"its tensor %q is of type %s and shape %v, not a list of %s or %s", of.Name, of.Type, of.Shape,
			types[0], types[1],
		)
	}
	content := make([]byte, of.End-of.Begin)
	if _, err := t.file.ReadAt(content, of.Begin); err != nil {
		return nil, fmt.Errorf("read the tensor %q: %w", of.Name, err)
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
	width := int(safetensors.Sizes[t.dtype])
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
			to[i] = safetensors.Half(binary.LittleEndian.Uint16(buffer[2*i:]))
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
