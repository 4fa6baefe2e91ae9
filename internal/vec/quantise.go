package vec

import (
	"fmt"
	"math"
)

const (
	// MaxDims is the most components a vector may have.
	MaxDims = 1 << 16

	lane    = 32  // codes are padded with zeros to a multiple of this
	maxCode = 127 // -128 is never written, though every reader bears it
)

// strideOf is how many codes a vector of so many components takes.
func strideOf(dims int) int { return (dims + lane - 1) / lane * lane }

// measure returns the Euclidean norm of v and its largest component, which must
// be numbers, and as many as the index has.
func measure(v []float32, dims int) (norm, most float64, err error) {
	if len(v) != dims {
		return 0, 0, fmt.Errorf("%w: %d components, not %d", ErrVector, len(v), dims)
	}
	var sum float64
	for i, c := range v {
		f := math.Abs(float64(c))
		if !(f <= math.MaxFloat32) {
			return 0, 0, fmt.Errorf("%w: component %d is %v", ErrVector, i, c)
		}
		sum += f * f
		most = max(most, f)
	}
	return math.Sqrt(sum), most, nil
}

// spread returns the factor that makes most into limit, and the one that makes a
// code a component of the vector at length one. Both are 0 for a zero vector.
func spread(norm, most, limit float64) (up float64, scale float32) {
	if most == 0 {
		return 0, 0
	}
	return limit / most, float32(most / (limit * norm))
}

// quantise writes v's codes into codes, which is of its stride, and returns
// what one of them is worth when v has length one. Each vector uses the whole
// range: with one scale for all, made for components up to 1, .77 instead of .95
// of the ten nearest of 20,000 clustered vectors are the first ten found, and
// the best scale for all, which differs from model to model, gives no more.
func quantise(codes []byte, v []float32, dims int) (scale float32, err error) {
	norm, most, err := measure(v, dims)
	if err != nil {
		return 0, err
	}
	up, scale := spread(norm, most, maxCode)
	for i, c := range v {
		codes[i] = byte(int8(math.RoundToEven(float64(c) * up)))
	}
	clear(codes[len(v):])
	return scale, nil
}

// quantiseQuery is quantise for what is searched, of which there is one: its
// codes have 16 bits, or as many as cannot overflow a sum of 32 bits.
func quantiseQuery(v []float32, dims int) (codes []int16, scale float32, err error) {
	norm, most, err := measure(v, dims)
	if err != nil {
		return nil, 0, err
	}
	codes = make([]int16, strideOf(dims))
	up, scale := spread(norm, most, float64(queryLimit(len(codes))))
	for i, c := range v {
		codes[i] = int16(math.RoundToEven(float64(c) * up))
	}
	return codes, scale, nil
}

// queryLimit is the largest code of a query of a stride: with every code of
// the other side at -128, their products still add up within an int32.
func queryLimit(stride int) int {
	return min(math.MaxInt16, math.MaxInt32/(128*stride))
}

// Cosine is the cosine of the angle between a and b, for scoring exactly what
// Top has found. It is 0 where there is none: for vectors of different lengths,
// and where one is all zeros.
func Cosine(a, b []float32) float32 {
	if len(a) != len(b) {
		return 0
	}
	var ab, aa, bb float64
	for i, x := range a {
		x, y := float64(x), float64(b[i])
		ab += x * y
		aa += x * x
		bb += y * y
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return float32(ab / (math.Sqrt(aa) * math.Sqrt(bb)))
}
