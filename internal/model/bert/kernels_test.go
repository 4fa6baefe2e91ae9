package bert

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// made returns a matrix of codes, and their rows as a person would write them.
func made(inputs, outputs int, code func() int8) (m *matrix, rows [][]int8) {
	for range outputs {
		row := make([]int8, inputs)
		for i := range row {
			row[i] = code()
		}
		rows = append(rows, row)
	}
	m = &matrix{inputs: inputs, outputs: outputs, codes: string(blocks(nil, rows))}
	return m, rows
}

// byHand is the product of a row and a token's numbers, in numbers that cannot overflow.
func byHand(row []int8, numbers []int16) int32 {
	var sum int64
	for i, n := range numbers {
		sum += int64(row[i]) * int64(n)
	}
	if sum != int64(int32(sum)) {
		panic("a sum of more than 32 bits")
	}
	return int32(sum)
}

func TestProductsAreTheSameOnEveryWay(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	fillings := []struct {
		name   string
		number func(most int) int16
		code   func() int8
	}{
		{
			"random", func(most int) int16 { return int16(r.IntN(2*most+1) - most) },
			func() int8 { return int8(r.IntN(256)) },
		},
		{"lowest", func(most int) int16 { return int16(-most) }, func() int8 { return -128 }},
		{"highest", func(most int) int16 { return int16(most) }, func() int8 { return 127 }},
		{"opposite", func(most int) int16 { return int16(most) }, func() int8 { return -128 }},
		{
			"either end", func(most int) int16 { return int16(most * (1 - 2*r.IntN(2))) },
			func() int8 { return int8(255*r.IntN(2) - 128) },
		},
	}
	sizes := []struct{ inputs, outputs int }{
		{2, 32}, {6, 32}, {32, 64}, {34, 96}, {384, 384}, {1536, 32}, {4096, 64}, {8192, 32},
	}
	for _, size := range sizes {
		for _, f := range fillings {
			m, rows := made(size.inputs, size.outputs, f.code)
			for _, tokens := range []int{1, 3, 4, 5, 8, 13, 20} {
				groups := (tokens + laneSize - 1) / laneSize
				packed := make([]int16, groups*laneSize*m.inputs)
				want := make([]int32, groups*laneSize*m.outputs)
				for token := range tokens {
					numbers := make([]int16, m.inputs)
					for i := range numbers {
						numbers[i] = f.number(int(limit(m.inputs)))
						packed[token/laneSize*laneSize*m.inputs+i/2*2*laneSize+token%laneSize*2+i%2] = numbers[i]
					}
					for output, row := range rows {
						want[token*m.outputs+output] = byHand(row, numbers)
					}
				}
				for _, way := range ways() {
					got := make([]int32, len(want)+1)
					got[len(want)] = 99
					way.products(got, packed, m, groups)
					if !slices.Equal(got[:len(want)], want) || got[len(want)] != 99 {
						t.Fatalf("%s, %s: %d tokens, %d×%d: other sums than by hand", way.name, f.name, tokens, m.inputs, m.outputs)
					}
				}
			}
		}
	}
}

func TestNoSumOverflows(t *testing.T) {
	for inputs := 2; inputs <= maxInner; inputs += 2 {
		if most := limit(inputs); most < maxCode || int64(most)*128*int64(inputs) > math.MaxInt32 {
			t.Fatalf("limit(%d) = %v", inputs, most)
		}
	}
	if got := limit(1536); got != 8000 {
		t.Errorf("limit(1536) = %v, want 8000", got)
	}
}

// near says whether two lists are the same but for the last places.
func near(got, want []float32, of float64) error {
	if len(got) != len(want) {
		return fmt.Errorf("%d numbers, want %d", len(got), len(want))
	}
	for i, x := range got {
		if d := math.Abs(float64(x - want[i])); !(d <= of*(1+math.Abs(float64(want[i])))) {
			return fmt.Errorf("number %d is %v, want %v", i, x, want[i])
		}
	}
	return nil
}

func TestFloatsAreNearOnEveryWay(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	list := func(n int, wide float64) []float32 {
		l := make([]float32, n)
		for i := range l {
			l[i] = float32(r.NormFloat64() * wide)
		}
		return l
	}
	for _, way := range ways() {
		for _, n := range []int{16, 32, 48, 384, 1536} {
			for _, wide := range []float64{1e-6, 1, 30} {
				x, y := list(n, wide), list(n, 1)
				check := func(what string, want, got []float32, of float64) {
					t.Helper()
					if err := near(got, want, of); err != nil {
						t.Errorf("%s, %s of %d, %v wide: %v", way.name, what, n, wide, err)
					}
				}
				both := func(what string, of float64, do func(k kernels, to []float32)) {
					t.Helper()
					want, got := slices.Clone(x), slices.Clone(x)
					do(plain, want)
					do(way, got)
					check(what, want, got, of)
				}
				both("add", 0, func(k kernels, to []float32) { k.add(to, y) })
				both("bend", 2e-6, func(k kernels, to []float32) { k.bend(to) })
				both("level", 1e-5, func(k kernels, to []float32) { k.level(to, norm{y, y}, 1e-12) })
				for _, some := range []int{1, n - 15, n - 1, n} {
					both("weigh", 1e-6, func(k kernels, to []float32) { k.weigh(to, some) })
				}
				sums := make([]int32, n)
				for i := range sums {
					sums[i] = int32(r.Uint32())
				}
				m := &matrix{scales: y, biases: x}
				both("scale", 1e-5, func(k kernels, to []float32) { k.scale(to, sums, m, 1e-9) })
				if want, got := plain.largest(x), way.largest(x); got != want {
					t.Errorf("%s: largest of %d is %v, want %v", way.name, n, got, want)
				}
				want, got := make([]int16, n*laneSize), make([]int16, n*laneSize)
				plain.pack(want, x, 8000/plain.largest(x))
				way.pack(got, x, 8000/plain.largest(x))
				if !slices.Equal(got, want) {
					t.Errorf("%s: pack of %d differs", way.name, n)
				}
			}
		}
		for _, n := range []int{1, 2, 16, 31, 256} {
			a, b := list(4*n+9, 1), list(n*20, 1)
			want, got := make([]float32, 3*24+16), make([]float32, 3*24+16)
			plain.tile(want, 24, a, n+3, b, 20, n)
			way.tile(got, 24, a, n+3, b, 20, n)
			if err := near(got, want, 1e-4); err != nil {
				t.Errorf("%s: tile of %d: %v", way.name, n, err)
			}
		}
	}
}

func TestExponentials(t *testing.T) {
	for x := float32(-87); x <= 88; x += .37 {
		if got, want := float64(exp(x)), math.Exp(float64(x)); math.Abs(got/want-1) > 1e-6 {
			t.Fatalf("exp(%v) = %v, want %v", x, got, want)
		}
	}
	for _, x := range []float32{-1e30, -100, 100, 1e30} {
		if got := exp(x); !(got > 0) || math.IsInf(float64(got), 0) {
			t.Errorf("exp(%v) = %v", x, got)
		}
	}
}

func TestRoundingIsToTheEven(t *testing.T) {
	from := []float32{.5, 1.5, 2.5, -.5, -1.5, 3.49, -3.51, 0, 7999.5, -8000, 8000, 1, 2, 3, 4, 5}
	want := []int16{0, 2, 2, 0, -2, 3, -4, 0, 8000, -8000, 8000, 1, 2, 3, 4, 5}
	for _, way := range ways() {
		to := make([]int16, laneSize*len(from))
		way.pack(to[4:], from, 1) // the third token of a group
		for i, w := range want {
			if got := to[i/2*2*laneSize+4+i%2]; got != w {
				t.Errorf("%s: %v is %d, want %d", way.name, from[i], got, w)
			}
		}
	}
}

func TestKernelsDoNotGoBeyondWhatThereIs(t *testing.T) {
	m, _ := made(32, 32, func() int8 { return 1 })
	for _, tt := range []struct {
		name          string
		sums, numbers int
		m             matrix
	}{
		{"sums", 4*32 - 1, 4 * 32, *m},
		{"numbers", 4 * 32, 4*32 - 1, *m},
		{"codes", 4 * 32, 4 * 32, matrix{inputs: 32, outputs: 32, codes: m.codes[:32*32-1]}},
		{"a block that is not whole", 4 * 32, 4 * 32, matrix{inputs: 32, outputs: 17, codes: m.codes}},
	} {
		for _, way := range ways()[1:] {
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("%s: %s: no panic", way.name, tt.name)
					}
				}()
				way.products(make([]int32, tt.sums, 4096), make([]int16, tt.numbers, 4096), &tt.m, 1)
			}()
		}
	}
}
