package static

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/internal/model/safetensors"
	"github.com/stemma-memory/stemma/internal/model/static/statictest"
)

// framed returns a file of a header as it stands and some data.
func framed(header string, data ...byte) []byte {
	return append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header...), data...)
}

func TestMalformedModels(t *testing.T) {
	good := statictest.File(rows("F32"))
	tensor := func(kind string, shape []int, data ...byte) []byte {
		return statictest.File(statictest.Tensor{Name: "embeddings", Type: kind, Shape: shape, Data: data})
	}
	with := func(name, kind string, shape []int, data ...byte) []byte {
		return statictest.File(rows("F32"), statictest.Tensor{Name: name, Type: kind, Shape: shape, Data: data})
	}
	zeros := make([]byte, 64)
	tests := []struct {
		name, says string
		file       []byte
	}{
		{"empty", "it is empty", nil},
		{"three bytes", "cut off: it has 3 bytes", []byte("abc")},
		{"text", "not a safetensors file", []byte("hello, this is just some text")},
		{"zip", "zip file, as PyTorch", []byte("PK\x03\x04aaaaaaaaaaaa")},
		{"pickle", "pickle", []byte("\x80\x02}q\x00(X\x05\x00\x00\x00")},
		{"gguf", "GGUF", []byte("GGUF\x03\x00\x00\x00\x00\x00\x00\x00")},
		{"onnx", "ONNX", []byte("\x08\x07\x12\x07pytorch\x1a\x0512345")},
		{"hdf5", "HDF5", []byte("\x89HDF\r\n\x1a\n\x00\x00\x00\x00\x00")},
		{"tflite", "TensorFlow Lite", []byte("\x1c\x00\x00\x00TFL3\x00\x00\x00\x00")},
		{"gzip", "gzip", []byte("\x1f\x8b\x08aaaaaaaaaaaa")},
		{"lfs", "Git LFS pointer", []byte("version https://git-lfs.github.com/spec/v1\n")},
		{"page", "web page", []byte("<!DOCTYPE html><html>not found</html>")},
		{"header cut off", "cut off: its header should have", good[:40]},
		{
			"header beyond the file", "cut off: its header should have 18446744073709551615 bytes",
			append(bytes.Repeat([]byte{0xFF}, 8), `{"a":1}`...),
		},
		{"header vast", "more than any model needs", framed(`{"a":"` + strings.Repeat("a", 1<<20) + `"}`)},
		{"data cut off", "cut off: the tensor \"embeddings\" ends at byte 32 of the data, which has 31", good[:len(good)-1]},
		{"more at the end", "1 bytes at its end", append(bytes.Clone(good), 0)},
		{"header no JSON", "header cannot be read", framed(`{"embeddings":`)},
		{"header of lists", "entry of the tensor \"embeddings\" cannot be read", framed(`{"embeddings":[1]}`)},
		{
			"unknown type", `unknown type "F7"`,
			framed(`{"embeddings":{"dtype":"F7","shape":[1,1],"data_offsets":[0,4]}}`, 0, 0, 0, 0),
		},
		{"offsets backwards", "wrong offsets", framed(`{"embeddings":{"dtype":"I8","shape":[1,1],"data_offsets":[1,0]}}`, 0)},
		{"offsets below", "wrong offsets", framed(`{"embeddings":{"dtype":"I8","shape":[1,1],"data_offsets":[-1,0]}}`, 0)},
		{"no offsets", "wrong offsets", framed(`{"embeddings":{"dtype":"I8","shape":[1,1]}}`, 0)},
		{
			"shape and bytes", "needs 2 bytes and has 1",
			framed(`{"embeddings":{"dtype":"I8","shape":[1,2],"data_offsets":[0,1]}}`, 0),
		},
		{
			"shape too great", "wrong shape",
			framed(`{"embeddings":{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,0]}}`),
		},
		{"shape below", "wrong shape", framed(`{"embeddings":{"dtype":"I8","shape":[-1,-1],"data_offsets":[0,1]}}`, 0)},
		{
			"shape below zero bytes", "wrong shape",
			framed(`{"embeddings":{"dtype":"I8","shape":[0,-1],"data_offsets":[0,0]}}`),
		},
		{
			"overlap", "overlaps another or leaves a gap",
			framed(
				`{"a":{"dtype":"I8","shape":[2],"data_offsets":[0,2]},"embeddings":{"dtype":"I8","shape":[2,1],`+
					`"data_offsets":[1,3]}}`,
				0, 0, 0,
			),
		},
		{
			"gap", "overlaps another or leaves a gap",
			framed(
				`{"a":{"dtype":"I8","shape":[1],"data_offsets":[0,1]},"embeddings":{"dtype":"I8","shape":[1,1],`+
					`"data_offsets":[2,3]}}`,
				0, 0, 0,
			),
		},
		{
			"no embeddings", `no tensor "embeddings"`,
			framed(`{"bert.embeddings":{"dtype":"I8","shape":[1,1],"data_offsets":[0,1]}}`, 0),
		},
		{"one dimension", "shape [4]", tensor("F32", []int{4}, zeros[:16]...)},
		{"three dimensions", "shape [4 1 1]", tensor("F32", []int{4, 1, 1}, zeros[:16]...)},
		{"no rows", "shape [0 4]", tensor("F32", []int{0, 4})},
		{"no columns", "shape [4 0]", tensor("F32", []int{4, 0})},
		{"wide", "type F64, not F32", tensor("F64", []int{4, 1}, zeros[:32]...)},
		{"integers", "type I32, not F32", tensor("I32", []int{4, 1}, zeros[:16]...)},
		{
			"too few rows", "does not belong to model.safetensors: it has 4 tokens, the model 3",
			tensor("I8", []int{3, 1}, zeros[:3]...),
		},
		{"too many rows", "it has 4 tokens, the model 5", tensor("I8", []int{5, 1}, zeros[:5]...)},
		{"weights of another count", "3 weights for 4 tokens", with("weights", "F32", []int{3}, zeros[:12]...)},
		{"weights of two dimensions", "not a list of F32 or F64", with("weights", "F32", []int{4, 1}, zeros[:16]...)},
		{"weights of integers", "not a list of F32 or F64", with("weights", "I32", []int{4}, zeros[:16]...)},
		{"mapping of another count", "it has 4 tokens, the model 2", with("mapping", "I32", []int{2}, zeros[:8]...)},
		{
			"mapping beyond", "sends the token 3 to the row 4 of 4",
			with("mapping", "I32", []int{4}, append(zeros[:12:12], 4, 0, 0, 0)...),
		},
		{
			"mapping below", "sends the token 3 to the row -1 of 4",
			with("mapping", "I32", []int{4}, append(zeros[:12:12], 0xFF, 0xFF, 0xFF, 0xFF)...),
		},
		{"mapping of floats", "not a list of I32 or I64", with("mapping", "F32", []int{4}, zeros[:16]...)},
	}
	for _, tt := range tests {
		dir := written2(t, tt.file, "[UNK]\na\nb\nc\n")
		e, err := Open(dir, Options{})
		if err == nil {
			_ = e.Close()
			t.Errorf("%s: no error", tt.name)
			continue
		}
		if text := err.Error(); !strings.Contains(text, tt.says) || !strings.Contains(text, dir) ||
			strings.Contains(text, "\n") {
			t.Errorf("%s: %q does not say %q or not where", tt.name, text, tt.says)
		}
	}
}

func TestMissingFiles(t *testing.T) {
	dir := t.TempDir()
	check := func(path, says string) {
		t.Helper()
		if _, err := Open(path, Options{}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("open %s: error %v, want one that says %q", path, err, says)
		}
	}
	write := func(name, content string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	check(filepath.Join(dir, "nowhere"), "nowhere: no such file")
	check(dir, "holds no model.safetensors")
	write("pytorch_model.bin", "x")
	check(dir, "holds no model.safetensors, and pytorch_model.bin is no static model")
	write("some.gguf", "GGUF\x03\x00\x00\x00")
	check(filepath.Join(dir, "some.gguf"), "is a GGUF file")
	write(modelFile, string(statictest.File(rows("F32"))))
	check(dir, "holds neither tokenizer.json nor vocab.txt")
	write(vocabularyFile, "[UNK]\na\nb\nc")
	if e := opened(t, filepath.Join(dir, modelFile)); e.Dims() != 2 {
		t.Errorf("dimension %d, want 2", e.Dims())
	}
	write(tokenizerFile, "{")
	check(dir, "tokenizer.json cannot be used: it is not JSON, or is cut off")
	if err := os.Remove(filepath.Join(dir, tokenizerFile)); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, tokenizerFile), 0o700); err != nil {
		t.Fatal(err)
	}
	check(dir, "is not a file")
}

func FuzzSafetensors(f *testing.F) {
	for _, file := range [][]byte{
		statictest.File(rows("F32")), statictest.File(
			rows("I8"), statictest.Tensor{Name: "mapping", Type: "I32", Shape: []int{1}, Data: make([]byte, 4)},
		),
		framed(
			`{"embeddings":{"dtype":"I8","shape":[1,2],"data_offsets":[0,2]},"weights":{"dtype":"F64","shape":[1],`+
				`"data_offsets":[2,10]}}`,
			make([]byte, 10)...,
		),
		[]byte("GGUF"), nil,
	} {
		f.Add(file)
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		from := bytes.NewReader(file)
		tensors, err := safetensors.Header(from, int64(len(file)))
		if err != nil {
			return
		}
		table, err := openTable(from, tensors)
		if err != nil {
			return
		}
		if table.tokens() > len(file) || table.dims > len(file) {
			t.Fatalf("%d tokens of %d dimensions in %d bytes", table.tokens(), table.dims, len(file))
		}
		row, buffer := make([]float32, table.dims), make([]byte, int(safetensors.Sizes[table.dtype])*table.dims)
		for token := range table.tokens() {
			table.weight(token)
			if err := table.read(table.row(token), row, buffer); err != nil {
				t.Fatalf("token %d: %v", token, err)
			}
		}
	})
}
