package static

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/model"
	"github.com/stemma-memory/stemma/internal/model/safetensors"
	"github.com/stemma-memory/stemma/internal/model/static/statictest"
	"github.com/stemma-memory/stemma/internal/model/tokenizer"
	"github.com/stemma-memory/stemma/llm"
)

// model writes a model of a tokenizer for the words [UNK] a b c and the given tensors.
func modelOf(t *testing.T, tensors ...statictest.Tensor) string {
	t.Helper()
	return written2(t, statictest.File(tensors...), "[UNK]\na\nb\nc\n")
}

// written2 writes the two files of a model.
func written2(t *testing.T, tensors []byte, vocabulary string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range map[string]string{modelFile: string(tensors), vocabularyFile: vocabulary} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func opened(t *testing.T, dir string) *Embedder {
	t.Helper()
	e, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return e
}

// embed returns one text's vector in hundredths.
func embed(t *testing.T, e *Embedder, text string) []int {
	t.Helper()
	v, err := e.Embed(t.Context(), llm.Document, text)
	if err != nil {
		t.Fatal(err)
	}
	if v[0] == nil {
		return nil
	}
	hundredths := make([]int, len(v[0]))
	for i, x := range v[0] {
		hundredths[i] = int(math.Round(100 * float64(x)))
	}
	return hundredths
}

func halves(numbers ...uint16) []byte {
	var data []byte
	for _, n := range numbers {
		data = binary.LittleEndian.AppendUint16(data, n)
	}
	return data
}

// The same rows, [0 0] [1 0] [0 2] [-3 4], in every type.
func rows(kind string) statictest.Tensor {
	tensor := statictest.Tensor{Name: "embeddings", Type: kind, Shape: []int{4, 2}}
	switch kind {
	case "F32":
		tensor.Data = statictest.Floats(0, 0, 1, 0, 0, 2, -3, 4)
	case "F16":
		tensor.Data = halves(0, 0, 0x3C00, 0, 0, 0x4000, 0xC200, 0x4400)
	case "BF16":
		tensor.Data = halves(0, 0, 0x3F80, 0, 0, 0x4000, 0xC040, 0x4080)
	case "I8":
		tensor.Data = []byte{0, 0, 1, 0, 0, 2, 0xFD, 4}
	}
	return tensor
}

func TestEmbedInEveryType(t *testing.T) {
	for _, kind := range []string{"F32", "F16", "BF16", "I8"} {
		e := opened(t, modelOf(t, rows(kind)))
		tests := []struct {
			text string
			want []int
		}{
			{"a", []int{100, 0}},
			{"c", []int{-60, 80}},
			{"A b!", []int{45, 89}},        // [1 2]
			{"a a a b x", []int{83, 55}},   // [3 2]: what is unknown does not count
			{"a a a c b b", []int{0, 100}}, // [0 8]
			{"x", nil},
			{"", nil},
		}
		for _, tt := range tests {
			if got := embed(t, e, tt.text); !slices.Equal(got, tt.want) {
				t.Errorf("%s: %q is %v, want %v", kind, tt.text, got, tt.want)
			}
		}
		if e.Dims() != 2 {
			t.Errorf("%s: dimension %d, want 2", kind, e.Dims())
		}
	}
}

func TestWeightsAndMapping(t *testing.T) {
	var wide, long, short []byte
	for _, w := range []float64{9, .5, 2, 1} {
		wide = binary.LittleEndian.AppendUint64(wide, math.Float64bits(w))
	}
	for _, row := range []uint64{0, 1, 0, 1} {
		long = binary.LittleEndian.AppendUint64(long, row)
		short = binary.LittleEndian.AppendUint32(short, uint32(row))
	}
	narrow := statictest.Floats(9, .5, 2, 1)
	list := func(name, kind string, data []byte) statictest.Tensor {
		return statictest.Tensor{Name: name, Type: kind, Shape: []int{4}, Data: data}
	}
	two := statictest.Tensor{Name: "embedding.weight", Type: "I8", Shape: []int{2, 2}, Data: []byte{0, 1, 1, 0}}
	for _, weights := range []statictest.Tensor{list("weights", "F64", wide), list("weights", "F32", narrow)} {
		e := opened(t, modelOf(t, rows("F32"), weights))
		if got, want := embed(t, e, "a b"), []int{12, 99}; !slices.Equal(got, want) { // [.5 4]
			t.Errorf("weights of %s: %v, want %v", weights.Type, got, want)
		}
		for _, mapping := range []statictest.Tensor{list("mapping", "I64", long), list("mapping", "I32", short)} {
			e := opened(t, modelOf(t, two, mapping, weights))
			if got, want := embed(t, e, "a b c"), []int{60, 80}; !slices.Equal(got, want) { // [1.5 2]
				t.Errorf("mapping of %s: %v, want %v", mapping.Type, got, want)
			}
		}
	}
}

func TestHalf(t *testing.T) {
	tests := []struct {
		bits uint16
		want float64
	}{
		{0x0000, 0}, {0x3C00, 1}, {0xC000, -2}, {0x7BFF, 65504}, {0x0400, math.Ldexp(1, -14)},
		{0x0001, math.Ldexp(1, -24)}, {0x83FF, -math.Ldexp(1023, -24)}, {0x3555, 0.333251953125}, {0xFC00, math.Inf(-1)},
	}
	for _, tt := range tests {
		if got := safetensors.Half(tt.bits); float64(got) != tt.want {
			t.Errorf("half(%#04x) = %v, want %v", tt.bits, got, tt.want)
		}
	}
	if got := safetensors.Half(0x7E00); got == got {
		t.Errorf("half(NaN) = %v", got)
	}
}

func TestOnlyTheFirstTokensCount(t *testing.T) {
	e := opened(t, modelOf(t, rows("F32")))
	if got, want := embed(t, e, strings.Repeat("x a ", textTokens)+"b b b"), []int{100, 0}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got, want := embed(t, e, strings.Repeat("x", tokenizer.MaxText)+" a"), []int(nil); !slices.Equal(got, want) {
		t.Errorf("beyond the text that is read: %v", got)
	}
}

func TestModelNamesTheContent(t *testing.T) {
	words := map[string][]float32{"alpha": {1, 0}, "beta": {0, 1}}
	here, there := t.TempDir(), filepath.Join(t.TempDir(), "moved")
	for _, dir := range []string{here, there} {
		if err := statictest.Write(dir, words); err != nil {
			t.Fatal(err)
		}
	}
	a, b := opened(t, here), opened(t, there)
	if a.Model() != b.Model() || !strings.HasPrefix(a.Model(), "static:sha256:") {
		t.Errorf("models %q and %q of one content", a.Model(), b.Model())
	}
	if got, want := embed(t, a, "Beta, alpha? gamma"), []int{71, 71}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	words["beta"] = []float32{0, 2}
	if err := statictest.Write(there, words); err != nil {
		t.Fatal(err)
	}
	other := opened(t, there).Model()
	text, err := os.ReadFile(filepath.Join(here, tokenizerFile))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(
		filepath.Join(here, tokenizerFile),
		[]byte(strings.Replace(string(text), `"lowercase":true`, `"lowercase":false`, 1)), 0o600,
	); err != nil {
		t.Fatal(err)
	}
	tokens := opened(t, here).Model()
	if other == a.Model() || tokens == a.Model() || tokens == other {
		t.Errorf("models %q, with other vectors %q, with other tokens %q", a.Model(), other, tokens)
	}
	if err := statictest.Write(there, map[string][]float32{"a": {1}, "b": {1, 2}}); err == nil {
		t.Error("words of two dimensions: no error")
	}
}

func TestChangedWhileOpen(t *testing.T) {
	dir := modelOf(t, rows("F32"))
	e := opened(t, dir)
	if err := os.Chtimes(filepath.Join(dir, modelFile), time.Time{}, time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Embed(t.Context(), llm.Query, "a"); !errors.Is(err, llm.ErrUnavailable) {
		t.Errorf("changed: %v, want ErrUnavailable", err)
	}
	if err := os.Truncate(filepath.Join(dir, modelFile), 20); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Embed(t.Context(), llm.Query, "a"); !errors.Is(err, llm.ErrUnavailable) {
		t.Errorf("cut off: %v, want ErrUnavailable", err)
	}
}

func TestNumbersThatAreNone(t *testing.T) {
	nan := float32(math.NaN())
	e := opened(
		t,
		modelOf(
			t,
			statictest.Tensor{Name: "embeddings", Type: "F32", Shape: []int{4, 1}, Data: statictest.Floats(0, nan, 1, -1)},
		),
	)
	if _, err := e.Embed(t.Context(), llm.Document, "b", "a"); !errors.Is(err, llm.ErrNonsense) {
		t.Errorf("NaN: %v, want ErrNonsense", err)
	}
	if got := embed(t, e, "b c"); got != nil {
		t.Errorf("words that cancel out: %v, want nil", got)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := opened(t, modelOf(t, rows("F32"))).Embed(ctx, llm.Document, "a"); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestFromManySides(t *testing.T) {
	e := model.Checked(opened(t, modelOf(t, rows("I8"))))
	var wg sync.WaitGroup
	for range 10 {
		wg.Go(func() {
			v, err := e.Embed(t.Context(), llm.Document, "a", "x", "c", "c c")
			if err != nil || v[1] != nil || !slices.Equal(v[2], v[3]) || v[0][0] != 1 {
				t.Errorf("got %v, %v", v, err)
			}
		})
	}
	wg.Wait()
}

// Rows beyond what is kept within a call are read each time they are needed, and are the same.
func TestMoreRowsThanAreKept(t *testing.T) {
	e := opened(t, modelOf(t, rows("F32")))
	r := rowReader{table: e.table, kept: map[int][]float32{}, most: 1, buffer: make([]byte, 8)}
	for range 2 {
		for number, want := range [][]float32{{0, 0}, {1, 0}, {0, 2}, {-3, 4}} {
			if got, err := r.row(number); err != nil || !slices.Equal(got, want) {
				t.Errorf("row %d = %v, %v, want %v", number, got, err, want)
			}
		}
	}
	if len(r.kept) != 1 {
		t.Errorf("kept %d rows, want 1", len(r.kept))
	}
}

func TestDigestCache(t *testing.T) {
	dir, cache := modelOf(t, rows("F32")), filepath.Join(t.TempDir(), "cache")
	path := filepath.Join(dir, modelFile)
	later := time.Now().Add(time.Hour) // the file has not changed for long
	sum := func(now time.Time) string {
		t.Helper()
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		at, err := file.Stat()
		if err != nil {
			t.Fatal(err)
		}
		digest, err := digestOf(file, path, at, cache, now)
		if err != nil {
			t.Fatal(err)
		}
		return digest
	}
	first := sum(time.Now())
	if kept, _ := os.ReadDir(cache); len(kept) != 0 {
		t.Errorf("kept the digest of a file changed just now: %v", kept)
	}
	if got := sum(later); got != first {
		t.Errorf("digest %s, want %s", got, first)
	}
	kept, err := filepath.Glob(filepath.Join(cache, "*"))
	if _, tells := fingerprint(stat(t, path)); !tells {
		return // this system's files have no fingerprint, so nothing is kept
	}
	if err != nil || len(kept) != 1 {
		t.Fatalf("kept %v, %v, want one file", kept, err)
	}
	content, err := os.ReadFile(kept[0])
	if err != nil {
		t.Fatal(err)
	}
	planted := strings.Repeat("0", 64)
	if err := os.WriteFile(kept[0], []byte(strings.Replace(string(content), first, planted, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := sum(later); got != planted {
		t.Errorf("digest %s, want the kept %s", got, planted)
	}
	// the content changes, its size does not, and its time is set back
	before := stat(t, path).ModTime()
	changed, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	changed[len(changed)-1] ^= 1
	if err := os.WriteFile(path, changed, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, before, before); err != nil {
		t.Fatal(err)
	}
	second := sum(later)
	if second == planted || second == first {
		t.Errorf("a changed file has the digest %s", second)
	}
	for _, damaged := range []string{"", "nonsense", string(content[:len(content)-3])} {
		if err := os.WriteFile(kept[0], []byte(damaged), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := sum(later); got != second {
			t.Errorf("with the cache %q: %s, want %s", damaged, got, second)
		}
	}
}

func stat(t *testing.T, path string) os.FileInfo {
	t.Helper()
	at, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

func TestOpenWithCache(t *testing.T) {
	dir := modelOf(t, rows("F32"))
	want := opened(t, dir).Model()
	// a cache that is a file cannot be written: that costs time only
	for _, cache := range []string{t.TempDir(), filepath.Join(dir, modelFile)} {
		e, err := Open(dir, Options{Cache: cache})
		if err != nil || e.Model() != want {
			t.Fatalf("cache %s: %v, want the model %s", cache, err, want)
		}
		_ = e.Close()
	}
}
