package bert

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/internal/model/tokenizer"
	"github.com/stemma-memory/stemma/llm"
)

var small = Shape{Layers: 2, Hidden: 64, Heads: 2, Inner: 96, Words: 50, Positions: 40, Epsilon: 1e-12}

// chance gives tensors of a shape, the same for the same seed.
func chance(seed uint64) Floats {
	return func(name string, size, from, n int) ([]float32, error) {
		r := rand.New(rand.NewPCG(seed, uint64(len(name))))
		if size == 0 {
			size = 512 * 384
		}
		list := make([]float32, size)
		for i := range list {
			list[i] = float32(r.NormFloat64()) * .05
			if strings.HasSuffix(name, "LayerNorm.weight") {
				list[i]++
			}
		}
		if n < 0 {
			return list, nil
		}
		return list[from : from+n], nil
	}
}

// random returns the file of a model of a shape.
func random(t testing.TB, s Shape) []byte {
	t.Helper()
	file, err := Quantise(s, 0, chance(1))
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func opened(t testing.TB, s Shape) *Weights {
	t.Helper()
	w, err := Read(string(random(t, s)))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func tokensOf(n, words int) []int {
	tokens := make([]int, n)
	for i := range tokens {
		tokens[i] = (i*i*7 + i) % words
	}
	return tokens
}

// The integers are the same on every way, and the floats between them nearly so.
func TestPassesAreTheSameOnEveryWay(t *testing.T) {
	for _, s := range []Shape{
		small,
		{Layers: 1, Hidden: 32, Heads: 1, Inner: 32, Words: 9, Positions: 70, Epsilon: 1e-5},
		{Layers: 3, Hidden: 96, Heads: 6, Inner: 160, Words: 300, Positions: 33, Epsilon: 1e-5, First: true},
		{Layers: 2, Hidden: 384, Heads: 12, Inner: 1536, Words: 100, Positions: 256, Epsilon: 1e-12},
	} {
		w := opened(t, s)
		for _, n := range []int{1, 2, 3, 4, 5, 15, 16, 17, 31, 33} {
			var want []float32
			for _, way := range ways() {
				r := newRunner(w, s.Positions)
				r.kernels = &way
				got, err := r.run(t.Context(), tokensOf(n, s.Words))
				if err != nil {
					t.Fatal(err)
				}
				var length float64
				for _, x := range got {
					length += float64(x) * float64(x)
				}
				if math.Abs(length-1) > 1e-5 {
					t.Errorf("%v, %d tokens, %s: a vector of length² %v", s, n, way.name, length)
				}
				if want == nil {
					want = got
				}
				if err := near(got, want, 2e-3); err != nil {
					t.Errorf("%v, %d tokens, %s: %v", s, n, way.name, err)
				}
			}
		}
	}
}

// What a longer text left on the desk has no part in the next one's vector.
func TestADeskIsClean(t *testing.T) {
	w := opened(t, small)
	r := newRunner(w, small.Positions)
	want, err := r.run(t.Context(), tokensOf(5, small.Words))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.run(t.Context(), tokensOf(40, small.Words)); err != nil {
		t.Fatal(err)
	}
	got, err := r.run(t.Context(), tokensOf(5, small.Words))
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("another vector after a longer text, error %v", err)
	}
}

// counted is a context that ends when it has been asked so often.
type counted struct {
	context.Context
	left *int
}

func (c counted) Err() error {
	if *c.left--; *c.left < 0 {
		return context.Canceled
	}
	return nil
}

func TestAPassStopsWithinALayer(t *testing.T) {
	w := opened(t, small)
	r := newRunner(w, small.Positions)
	asked := 0
	for left := 0; ; left++ {
		n := left
		_, err := r.run(counted{t.Context(), &n}, tokensOf(9, small.Words))
		if err == nil {
			break
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		asked++
	}
	if least := small.Layers * (small.Heads + 2); asked < least {
		t.Errorf("a pass looks %d times whether it is to stop, want %d", asked, least)
	}
}

func TestFilesThatAreNoWeights(t *testing.T) {
	good := random(t, small)
	with := func(at int, number uint32) string {
		file := slices.Clone(good)
		binary.LittleEndian.PutUint32(file[at:], number)
		return string(file)
	}
	nan := math.Float32bits(float32(math.NaN()))
	tests := []struct{ name, file, says string }{
		{"empty", "", "does not begin as"},
		{"text", strings.Repeat("hello ", 100), "does not begin as"},
		{"a head alone", string(good[:headSize]), "should have"},
		{"half a head", string(good[:40]), "does not begin as"},
		{"cut off", string(good[:len(good)-1]), "should have"},
		{"longer", string(good) + "a", "should have"},
		{"another version", strings.Replace(string(good), "weights 1", "weights 2", 1), "does not begin as"},
		{"no layers", with(16, 0), "0 layers"},
		{"many layers", with(16, 1<<30), "layers"},
		{"layers below", with(16, 1<<31), "layers"},
		{"odd numbers", with(20, 65), "65 numbers a token"},
		{"heads that do not divide", with(24, 3), "3 heads"},
		{"no heads", with(24, 0), "0 heads"},
		{"narrow heads", with(24, 8), "8 heads"},
		{"inner", with(28, 1<<31-32), "inner numbers"},
		{"words", with(32, 0), "0 tokens"},
		{"more words", with(32, 51), "should have"},
		{"positions", with(36, 2), "2 positions"},
		{"pooling", with(40, 2), "does not know"},
		{"epsilon", with(44, nan), "epsilon"},
		{"more in the head", with(48, 1), "does not know"},
		{"no numbers", with(len(good)-4, nan), "not finite"},
	}
	for _, tt := range tests {
		if _, err := Read(tt.file); err == nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: error %v, want one that says %q", tt.name, err, tt.says)
		}
	}
	if _, err := Read(string(good)); err != nil {
		t.Error(err)
	}
}

func FuzzRead(f *testing.F) {
	tiny := Shape{Layers: 1, Hidden: 32, Heads: 1, Inner: 32, Words: 3, Positions: 4, Epsilon: 1e-12}
	f.Add(random(f, tiny), byte(3))
	f.Add(random(f, tiny)[:headSize], byte(1))
	f.Add(tiny.head(), byte(0))
	f.Fuzz(func(t *testing.T, file []byte, token byte) {
		w, err := Read(string(file))
		if err != nil {
			return
		}
		s := w.Shape()
		if int64(len(file)) != s.size() {
			t.Fatalf("%d bytes, size %d", len(file), s.size())
		}
		v, err := newRunner(w, s.Positions).run(t.Context(), []int{0, int(token) % s.Words, s.Words - 1})
		if err != nil || len(v) != s.Hidden {
			t.Fatalf("%d numbers, error %v", len(v), err)
		}
	})
}

func TestModelsThatCannotBeQuantised(t *testing.T) {
	broken := errors.New("broken")
	tests := []struct {
		says   string
		shape  func(*Shape)
		tensor func(name string, list []float32) ([]float32, error)
	}{
		{"0 layers", func(s *Shape) { s.Layers = 0 }, nil},
		{"broken", nil, func(name string, list []float32) ([]float32, error) { return nil, broken }},
		{`"encoder.layer.1.output.dense.bias" holds values`, nil, func(name string, list []float32) ([]float32, error) {
			if name == "encoder.layer.1.output.dense.bias" {
				list[3] = float32(math.Inf(1))
			}
			return list, nil
		}},
		{"fewer than 40 positions", nil, func(name string, list []float32) ([]float32, error) {
			if strings.Contains(name, "position") {
				list = list[:39*64]
			}
			return list, nil
		}},
		{"no type of token", nil, func(name string, list []float32) ([]float32, error) {
			if strings.Contains(name, "token_type") {
				list = nil
			}
			return list, nil
		}},
	}
	for _, tt := range tests {
		s := small
		if tt.shape != nil {
			tt.shape(&s)
		}
		_, err := Quantise(s, 0, func(name string, size, from, n int) ([]float32, error) {
			list, err := chance(1)(name, size, from, n)
			if err != nil || tt.tensor == nil {
				return list, err
			}
			return tt.tensor(name, list)
		})
		if err == nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("error %v, want one that says %q", err, tt.says)
		}
	}
}

func TestRowsOfCodes(t *testing.T) {
	tests := []struct {
		row   []float32
		codes []int8
		scale float32
	}{
		{[]float32{1, -1, .5}, []int8{127, -127, 64}, 1. / 127},
		{[]float32{0, 0, 0}, []int8{0, 0, 0}, 0},
		{[]float32{-254, 1, 0}, []int8{-127, 0, 0}, 2},
	}
	for _, tt := range tests {
		codes := []int8{9, 9, 9}
		if scale := quantiseRow(codes, tt.row); scale != tt.scale || !slices.Equal(codes, tt.codes) {
			t.Errorf("%v is %v × %v, want %v × %v", tt.row, codes, scale, tt.codes, tt.scale)
		}
	}
}

func TestWhatCannotBeReadHasNoVector(t *testing.T) {
	words, err := tokenizer.ParseVocabulary("[UNK]\nthe\nqueue\n##s\n.\nbegin\nend")
	if err != nil {
		t.Fatal(err)
	}
	s := small
	s.Positions = 256
	e := New(opened(t, s), words, Options{Begin: 5, End: 6})
	for _, tt := range []struct {
		text  string
		reads bool
	}{{"the queue the queue nothing", true}, {"the queue the nothing", false}, {"", false}} {
		v, err := e.Embed(t.Context(), llm.Query, tt.text)
		if err != nil || (v[0] != nil) != tt.reads {
			t.Errorf("%q: a vector %t, error %v, want %t", tt.text, v[0] != nil, err, tt.reads)
		}
	}
}

// ordinary is the size of MiniLM.
var ordinary = Shape{Layers: 6, Hidden: 384, Heads: 12, Inner: 1536, Words: 300, Positions: 256, Epsilon: 1e-12}

func BenchmarkPass(b *testing.B) {
	w := opened(b, ordinary)
	for _, way := range ways() {
		r := newRunner(w, 256)
		r.kernels = &way
		for _, n := range []int{13, 62, 256} {
			b.Run(fmt.Sprintf("%s/%d", way.name, n), func(b *testing.B) {
				tokens := tokensOf(n, ordinary.Words)
				for b.Loop() {
					if _, err := r.run(b.Context(), tokens); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// product multiplies as anyone would, in floats.
func product(sums, tokens, weights []float32, n, inputs, outputs int) {
	for token := range n {
		x := tokens[token*inputs:][:inputs]
		for output := range outputs {
			row := weights[output*inputs:][:len(x)]
			var sum float32
			for i, w := range row {
				sum += w * x[i]
			}
			sums[token*outputs+output] = sum
		}
	}
}

// The matrices of a pass in floats of 32 bits and plain Go: what the others are to be measured by.
func BenchmarkFloats(b *testing.B) {
	for _, n := range []int{13, 62, 256} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			weights, tokens, sums := make([]float32, 1536*384), make([]float32, n*1536), make([]float32, n*1536)
			for b.Loop() {
				for range ordinary.Layers {
					product(sums, tokens, weights, n, 384, 3*384)
					product(sums, tokens, weights, n, 384, 384)
					product(sums, tokens, weights, n, 384, 1536)
					product(sums, tokens, weights, n, 1536, 384)
				}
			}
		})
	}
}
