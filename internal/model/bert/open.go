package bert

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"github.com/stemma-memory/stemma/internal/model/safetensors"
)

// Tensors gives the tensors of a model file of type F32, F16 or BF16 to Quantise. A name may have a prefix in the
// file, as "bert." or "roberta.".
func Tensors(from io.ReaderAt, size int64) (Floats, error) {
	tensors, err := safetensors.Header(from, size)
	if err != nil {
		return nil, err
	}
	return func(name string, count int) ([]float32, error) {
		t, found := tensors[name]
		for _, prefix := range []string{"bert.", "roberta.", "model."} {
			if !found {
				t, found = tensors[prefix+name]
			}
		}
		if !found {
			return nil, fmt.Errorf("it has no tensor %q", name)
		}
		list, err := read(from, t)
		if err == nil && count > 0 && len(list) != count {
			err = fmt.Errorf("its tensor %q holds %d numbers, not %d", name, len(list), count)
		}
		return list, err
	}, nil
}

// read reads a tensor whole.
func read(from io.ReaderAt, t safetensors.Tensor) ([]float32, error) {
	if t.Type != "F32" && t.Type != "F16" && t.Type != "BF16" {
		return nil, fmt.Errorf("its tensor %q is of type %s, not F32, F16 or BF16", t.Name, t.Type)
	}
	content := make([]byte, t.End-t.Begin)
	if _, err := from.ReadAt(content, t.Begin); err != nil {
		return nil, fmt.Errorf("read the tensor %q: %w", t.Name, err)
	}
	list := make([]float32, len(content)/int(safetensors.Sizes[t.Type]))
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
