// Package safetensors reads the headers of model files.
package safetensors

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/bits"
	"strings"

	"github.com/stemma-memory/stemma/internal/sorting"
)

// maxHeader bounds the header of a model file. The largest models of vectors have some hundred entries.
const maxHeader = 1 << 20

// A Tensor is one entry of a safetensors header: bytes Begin to End of the file hold Shape numbers of a type.
type Tensor struct {
	Name       string
	Type       string
	Shape      []int
	Begin, End int64 // from the start of the file
}

// Sizes are the bytes of one number of each type there is.
var Sizes = map[string]int64{"BOOL": 1, "U8": 1, "I8": 1, "F8_E4M3": 1, "F8_E5M2": 1, "F8_E8M0": 1, "I16": 2, "U16": 2,
	"F16": 2, "BF16": 2, "I32": 4, "U32": 4, "F32": 4, "F64": 8, "I64": 8, "U64": 8, "C64": 8}

// Header reads the header of a safetensors file of size bytes: eight bytes that hold the
// length of a JSON object, the object, and the tensors' bytes without a gap to the end.
func Header(from io.ReaderAt, size int64) (map[string]Tensor, error) {
	var start [16]byte
	n, err := from.ReadAt(start[:min(size, int64(len(start)))], 0)
	if err != nil && err != io.EOF {
		return nil, err
	}
	if what := foreign(start[:n]); what != "" {
		return nil, fmt.Errorf("it is %s, not a safetensors file", what)
	}
	if n < 10 {
		return nil, fmt.Errorf("it is not a safetensors file, or is cut off: it has %d bytes", size)
	}
	length := binary.LittleEndian.Uint64(start[:])
	if start[8] != '{' {
		return nil, fmt.Errorf("it is not a safetensors file")
	}
	if length > uint64(size-8) {
		return nil, fmt.Errorf("it is cut off: its header should have %d bytes, the file has %d in all", length, size)
	}
	if length > maxHeader {
		return nil, fmt.Errorf("its header has %d bytes, more than any model needs", length)
	}
	header := make([]byte, length)
	if _, err := from.ReadAt(header, 8); err != nil {
		return nil, fmt.Errorf("read the header: %w", err)
	}
	return parseHeader(header, size-8-int64(length), 8+int64(length))
}

// parseHeader reads the JSON object. The tensors' bytes begin at data and are size in all.
func parseHeader(header []byte, size, data int64) (map[string]Tensor, error) {
	var entries map[string]json.RawMessage
	if err := json.Unmarshal(header, &entries); err != nil {
		return nil, fmt.Errorf("its header cannot be read: %w", err)
	}
	tensors := map[string]Tensor{}
	var order []Tensor
	for name, raw := range entries {
		if name == "__metadata__" {
			continue
		}
		t, err := parseTensor(name, raw)
		if err != nil {
			return nil, err
		}
		if t.End > size {
			return nil, fmt.Errorf("it is cut off: the tensor %q ends at byte %d of the data, which has %d", name, t.End, size)
		}
		order = append(order, t)
		t.Begin, t.End = t.Begin+data, t.End+data
		tensors[name] = t
	}
	sorting.By(order, func(a, b Tensor) int {
		if a.Begin != b.Begin {
			return int(min(max(a.Begin-b.Begin, -1), 1))
		}
		return int(min(max(a.End-b.End, -1), 1))
	})
	var at int64
	for _, t := range order {
		if t.Begin != at {
			return nil, fmt.Errorf("the tensor %q overlaps another or leaves a gap", t.Name)
		}
		at = t.End
	}
	if at != size {
		return nil, fmt.Errorf("%d bytes at its end belong to no tensor", size-at)
	}
	return tensors, nil
}

func parseTensor(name string, raw json.RawMessage) (Tensor, error) {
	var entry struct {
		Dtype   string  `json:"dtype"`
		Shape   []int64 `json:"shape"`
		Offsets []int64 `json:"data_offsets"`
	}
	if err := json.Unmarshal(raw, &entry); err != nil {
		return Tensor{}, fmt.Errorf("the entry of the tensor %q cannot be read: %w", name, err)
	}
	width, known := Sizes[entry.Dtype]
	if !known {
		return Tensor{}, fmt.Errorf("the tensor %q is of an unknown type %q", name, entry.Dtype)
	}
	if len(entry.Offsets) != 2 || entry.Offsets[0] < 0 || entry.Offsets[1] < entry.Offsets[0] {
		return Tensor{}, fmt.Errorf("the tensor %q has wrong offsets %v", name, entry.Offsets)
	}
	t := Tensor{Name: name, Type: entry.Dtype, Begin: entry.Offsets[0], End: entry.Offsets[1]}
	bytes := uint64(width)
	for _, n := range entry.Shape {
		over, product := bits.Mul64(bytes, uint64(n))
		if n < 0 || over != 0 {
			return Tensor{}, fmt.Errorf("the tensor %q has a wrong shape %v", name, entry.Shape)
		}
		bytes = product
		t.Shape = append(t.Shape, int(n))
	}
	if bytes != uint64(t.End-t.Begin) {
		return Tensor{}, fmt.Errorf(
			"the tensor %q of shape %v and type %s needs %d bytes and has %d", name, entry.Shape, entry.Dtype,
			bytes, t.End-t.Begin,
		)
	}
	return t, nil
}

// foreign names the format of a file that is no safetensors file by how it starts, or gives "".
func foreign(start []byte) string {
	is := func(magic string) bool { return bytes.HasPrefix(start, []byte(magic)) }
	switch {
	case len(start) == 0:
		return "empty"
	case len(start) > 8 && start[8] == '{':
		return ""
	case is("PK\x03\x04"):
		return "a zip file, as PyTorch makes them"
	case is("\x80\x02") || is("\x80\x03") || is("\x80\x04") || is("\x80\x05"):
		return "a Python pickle, as PyTorch made them"
	case is("GGUF") || is("GGML") || is("lmgg") || is("tjgg"):
		return "a GGUF file"
	case is("\x89HDF\r\n"):
		return "an HDF5 file"
	case len(start) >= 8 && string(start[4:8]) == "TFL3":
		return "a TensorFlow Lite file"
	case is("\x08") && len(start) > 2 && start[1] < 32 && (start[2] == 0x12 || start[2] == 0x1a || start[2] == 0x3a):
		return "an ONNX file"
	case is("\x1f\x8b"):
		return "a gzip file"
	case is("version https://"):
		return "a Git LFS pointer: the model itself was not fetched"
	case strings.HasPrefix(strings.TrimSpace(string(start)), "<"):
		return "a web page: the download went wrong"
	}
	return ""
}

// Half widens a number of 16 bits: 1 sign, 5 exponent, 10 fraction.
func Half(h uint16) float32 {
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
