package vec

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// dotsByHand is dots as anyone would write it, in numbers that cannot overflow.
func dotsByHand(out []int32, query []int16, codes []byte) {
	for i := range out {
		var sum int64
		for j, q := range query {
			sum += int64(q) * int64(int8(codes[i*len(query)+j]))
		}
		if sum != int64(int32(sum)) {
			panic("a sum of more than 32 bits")
		}
		out[i] = int32(sum)
	}
}

func TestDotsAreTheSameOnEveryWay(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	fillings := []struct {
		name  string
		query func(limit int) int16
		code  func() int8
	}{
		{
			"random", func(limit int) int16 { return int16(r.IntN(2*limit+1) - limit) },
			func() int8 { return int8(r.IntN(256)) },
		},
		{"lowest", func(limit int) int16 { return int16(-limit) }, func() int8 { return -128 }},
		{"highest", func(limit int) int16 { return int16(limit) }, func() int8 { return 127 }},
		{"opposite", func(limit int) int16 { return int16(limit) }, func() int8 { return -128 }},
		{
			"either end", func(limit int) int16 { return int16(limit * (1 - 2*r.IntN(2))) },
			func() int8 { return int8(255*r.IntN(2) - 128) },
		},
	}
	for stride := lane; stride <= MaxDims; stride = nextStride(stride) {
		limit := queryLimit(stride)
		for _, f := range fillings {
			for _, n := range []int{0, 1, 2, 3, 7} {
				query, codes := make([]int16, stride), make([]byte, n*stride)
				for i := range query {
					query[i] = f.query(limit)
				}
				for i := range codes {
					codes[i] = byte(f.code())
				}
				want, plain, got := make([]int32, n), make([]int32, n), make([]int32, n)
				dotsByHand(want, query, codes)
				dots(plain, query, codes, true)
				dots(got, query, codes, false)
				if !slices.Equal(plain, want) {
					t.Fatalf("%s: %d of %d codes: plain = %d, want %d", f.name, n, stride, plain, want)
				}
				if !slices.Equal(got, want) {
					t.Fatalf("%s: %d of %d codes: fast (%t) = %d, want %d", f.name, n, stride, fast, got, want)
				}
			}
		}
	}
}

// nextStride goes through all short strides and some long ones.
func nextStride(stride int) int {
	if stride < 1024 || stride == MaxDims {
		return stride + lane
	}
	return min(stride*2+lane, MaxDims)
}

func TestFastDotsDoNotReadBeyondTheCodes(t *testing.T) {
	for _, tt := range []struct{ out, query, codes int }{{2, 32, 63}, {1, 64, 32}, {1, 33, 33}, {1, 0, 0}} {
		t.Run(fmt.Sprint(tt), func(t *testing.T) {
			defer func() {
				if fast && recover() == nil {
					t.Error("no panic")
				}
			}()
			if fast {
				dotsFast(make([]int32, tt.out), make([]int16, tt.query), make([]byte, tt.codes, 4096))
			}
		})
	}
}

func TestCodesOfAVector(t *testing.T) {
	tests := []struct {
		v     []float32
		codes []int8
		scale float64
	}{
		{[]float32{1, 0}, []int8{127, 0}, 1. / 127},
		{[]float32{-3, 0}, []int8{-127, 0}, 1. / 127},
		{[]float32{3, 4}, []int8{95, 127}, .8 / 127},
		{[]float32{0, 0}, []int8{0, 0}, 0},
		{[]float32{1e-45, -1e-45}, []int8{127, -127}, math.Sqrt2 / 2 / 127},
		{[]float32{math.MaxFloat32, math.MaxFloat32}, []int8{127, 127}, math.Sqrt2 / 2 / 127},
	}
	for _, tt := range tests {
		got := make([]byte, lane)
		for i := range got {
			got[i] = 99 // quantise must clear what it does not fill
		}
		scale, err := quantise(got, tt.v, 2)
		if err != nil {
			t.Fatalf("quantise(%v): %v", tt.v, err)
		}
		want := make([]byte, lane)
		for i, c := range tt.codes {
			want[i] = byte(c)
		}
		if !slices.Equal(got, want) || math.Abs(float64(scale)-tt.scale) > 1e-8 {
			t.Errorf("quantise(%v) = %v × %v, want %v × %v", tt.v, got, scale, want, tt.scale)
		}
	}
}

func TestAQueryCannotOverflow(t *testing.T) {
	for stride := lane; stride <= MaxDims; stride += lane {
		limit := queryLimit(stride)
		if limit < maxCode || limit > math.MaxInt16 || limit*128*stride > math.MaxInt32 {
			t.Fatalf("queryLimit(%d) = %d", stride, limit)
		}
	}
	codes, _, err := quantiseQuery([]float32{-1, .5}, 2)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := codes[:3], []int16{-math.MaxInt16, 16384, 0}; !slices.Equal(got, want) {
		t.Errorf("quantiseQuery = %v, want %v", got, want)
	}
}

func TestCosine(t *testing.T) {
	tests := []struct {
		a, b []float32
		want float32
	}{
		{[]float32{1, 0}, []float32{2, 0}, 1},
		{[]float32{1, 0}, []float32{0, 5}, 0},
		{[]float32{1, 1}, []float32{-2, -2}, -1},
		{[]float32{3, 4}, []float32{4, 3}, .96},
		{[]float32{3e38, 3e38}, []float32{3e38, 3e38}, 1},
		{[]float32{1e-40, 0}, []float32{1e-40, 0}, 1},
		{[]float32{0, 0}, []float32{1, 0}, 0},
		{[]float32{1, 0}, []float32{1}, 0},
		{nil, nil, 0},
	}
	for _, tt := range tests {
		if got := Cosine(tt.a, tt.b); math.Abs(float64(got-tt.want)) > 1e-6 {
			t.Errorf("Cosine(%v, %v) = %v, want %v", tt.a, tt.b, got, tt.want)
		}
	}
}
