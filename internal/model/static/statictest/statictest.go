// Package statictest makes tiny static models for tests.
package statictest

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
)

// Write makes a model in dir that knows the given words, in lower case, and nothing else. All vectors must be of
// one dimension. The same words give the same bytes, so the same Model.
func Write(dir string, words map[string][]float32) error {
	names := []string{}
	for name := range words {
		names = append(names, name)
	}
	slices.Sort(names)
	vocabulary := map[string]int{"[UNK]": 0}
	dims := 1
	if len(names) > 0 {
		dims = len(words[names[0]])
	}
	rows := make([]float32, dims, (len(names)+1)*dims) // of zeros, for what is unknown
	for i, name := range names {
		if len(words[name]) != dims {
			return fmt.Errorf("the vector of %q is of dimension %d, that of %q of %d", name, len(words[name]), names[0], dims)
		}
		vocabulary[name] = i + 1
		rows = append(rows, words[name]...)
	}
	tokenizer, err := json.Marshal(map[string]any{
		"normalizer":    map[string]any{"type": "BertNormalizer", "lowercase": true},
		"pre_tokenizer": map[string]any{"type": "BertPreTokenizer"},
		"model":         map[string]any{"type": "WordPiece", "unk_token": "[UNK]", "vocab": vocabulary},
	})
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "tokenizer.json"), tokenizer, 0o644); err != nil {
		return err
	}
	model := File(Tensor{"embeddings", "F32", []int{len(names) + 1, dims}, Floats(rows...)})
	return os.WriteFile(filepath.Join(dir, "model.safetensors"), model, 0o644)
}

// A Tensor is an entry of a safetensors file.
type Tensor struct {
	Name  string
	Type  string // "F32", "I8", …
	Shape []int
	Data  []byte
}

// File returns the bytes of a safetensors file.
func File(tensors ...Tensor) []byte {
	header := map[string]any{"__metadata__": map[string]string{"format": "pt"}}
	var data []byte
	for _, t := range tensors {
		header[t.Name] = map[string]any{
			"dtype": t.Type, "shape": t.Shape, "data_offsets": []int{len(data), len(data) + len(t.Data)},
		}
		data = append(data, t.Data...)
	}
	text, _ := json.Marshal(header) // maps of strings and numbers always can be
	text = append(text, bytes.Repeat([]byte(" "), -len(text)&7)...)
	return slices.Concat(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), text, data)
}

// Floats returns numbers as a tensor of type F32 holds them.
func Floats(numbers ...float32) []byte {
	var data []byte
	for _, x := range numbers {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(x))
	}
	return data
}
