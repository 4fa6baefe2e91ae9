package bert

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"unsafe"

	"github.com/stemma-memory/stemma/internal/model/safetensors"
)

// Tensors gives the tensors of a model file of type F32, F16 or BF16 to Quantise. A name may have a prefix in the
// file, as "bert." or "roberta.".
func Tensors(from io.ReaderAt, size int64) (Floats, error) {
	tensors, err := safetensors.Header(from, size)
	if err != nil {
		return nil, err
	}
	return func(name string, size, first, n int) ([]float32, error) {
		t, found := tensors[name]
		for _, prefix := range []string{"bert.", "roberta.", "model."} {
			if !found {
				t, found = tensors[prefix+name]
			}
		}
		if !found {
			return nil, fmt.Errorf("it has no tensor %q", name)
		}
		return read(from, t, size, first, n)
	}, nil
}

// read reads n numbers of a tensor from the first on, or all.
func read(from io.ReaderAt, t safetensors.Tensor, size, first, n int) ([]float32, error) {
	if t.Type != "F32" && t.Type != "F16" && t.Type != "BF16" {
		return nil, fmt.Errorf("its tensor %q is of type %s, not F32, F16 or BF16", t.Name, t.Type)
	}
	width := safetensors.Sizes[t.Type]
	has := (t.End - t.Begin) / width
	if size > 0 && has != int64(size) {
		return nil, fmt.Errorf("its tensor %q holds %d numbers, not %d", t.Name, has, size)
	}
	if n < 0 {
		n = int(has) - first
	}
	content := make([]byte, int64(n)*width)
	if _, err := from.ReadAt(content, t.Begin+int64(first)*width); err != nil {
		return nil, fmt.Errorf("read the tensor %q: %w", t.Name, err)
	}
	list := make([]float32, n)
	for i := range list {
		switch t.Type {
		case "F32":
			list[i] = math.Float32frombits(binary.LittleEndian.Uint32(content[4*i:]))
		case "F16":
			list[i] = safetensors.Half(binary.LittleEndian.Uint16(content[2*i:]))
		case "BF16":
			list[i] = math.Float32frombits(uint32(binary.LittleEndian.Uint16(content[2*i:])) << 16)
		}
	}
	return list, nil
}

// inPlace is a text of bytes that do not change any more.
func inPlace(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
