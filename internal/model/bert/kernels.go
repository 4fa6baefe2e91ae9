package bert

import "math"

// Kernels are the loops in which a pass spends its time. Each way to run them gives the same integers; their floats
// may differ in the last places.
type kernels struct {
	name string

	// products puts into sums, token by token, the sums of products of each output's codes with the tokens'
	// numbers: groups times laneSize tokens.
	products func(sums []int32, numbers []int16, m *matrix, groups int)

	// scale puts into to what sums stand for, times factor, plus the biases.
	scale func(to []float32, sums []int32, m *matrix, factor float32)
	add   func(to, from []float32)

	// bend is GELU, in the form with tanh.
	bend func(to []float32)

	// level brings numbers to mean 0 and variance 1, then stretches and moves them.
	level func(to []float32, by norm, epsilon float32)

	// largest is the largest number but for its sign.
	largest func(of []float32) float32

	// pack puts numbers times factor, rounded, in the places of one token in a group.
	pack func(to []int16, from []float32, factor float32)

	// tile puts into 4 rows of 16 numbers of to, a row every toRow, the products of 4 rows of a, of n numbers a
	// row, with n rows of b.
	tile func(to []float32, toRow int, a []float32, aRow int, b []float32, bRow int, n int)

	// weigh makes of the first n numbers their exponentials, of sum 1, and of the others 0.
	weigh func(to []float32, n int)
}

var plain = kernels{
	name: "plain", products: productsPlain, scale: scalePlain, add: addPlain, bend: bendPlain, level: levelPlain,
	largest: largestPlain, pack: packPlain, tile: tilePlain, weigh: weighPlain,
}

// limit is the largest number of a token that cannot make a sum overflow.
func limit(inputs int) float32 { return float32(min(8000, math.MaxInt32/(maxCode+1)/inputs)) }

func productsPlain(sums []int32, numbers []int16, m *matrix, groups int) {
	for from := 0; from < m.outputs; from += block {
		codes := m.codes[from*m.inputs:][:block*m.inputs]
		for group := range groups {
			those := numbers[group*laneSize*m.inputs:][:laneSize*m.inputs]
			for output := range block {
				var s0, s1, s2, s3 int32
				at := 2 * output
				for n := those; len(n) >= 8; n = n[8:] {
					a, b := int32(int8(codes[at])), int32(int8(codes[at+1]))
					s0 += a*int32(n[0]) + b*int32(n[1])
					s1 += a*int32(n[2]) + b*int32(n[3])
					s2 += a*int32(n[4]) + b*int32(n[5])
					s3 += a*int32(n[6]) + b*int32(n[7])
					at += 2 * block
				}
				to := sums[group*laneSize*m.outputs+from+output:]
				to[0], to[m.outputs], to[2*m.outputs], to[3*m.outputs] = s0, s1, s2, s3
			}
		}
	}
}

func scalePlain(to []float32, sums []int32, m *matrix, factor float32) {
	scales, biases := m.scales[:len(to)], m.biases[:len(to)]
	for i, sum := range sums[:len(to)] {
		to[i] = float32(sum)*(scales[i]*factor) + biases[i]
	}
}

func addPlain(to, from []float32) {
	for i, x := range from[:len(to)] {
		to[i] += x
	}
}

func bendPlain(to []float32) {
	for i, x := range to {
		to[i] = x / (1 + exp(-1.5957691216*(x+.044715*x*x*x)))
	}
}

func levelPlain(to []float32, by norm, epsilon float32) {
	var sum, squares float32
	for _, x := range to {
		sum += x
	}
	mean := sum / float32(len(to))
	for i, x := range to {
		to[i] = x - mean
		squares += to[i] * to[i]
	}
	factor := 1 / float32(math.Sqrt(float64(squares/float32(len(to))+epsilon)))
	for i, x := range to {
		to[i] = x*factor*by.stretch[i] + by.move[i]
	}
}

func largestPlain(of []float32) float32 {
	var largest float32
	for _, x := range of {
		largest = max(largest, x, -x)
	}
	return largest
}

func packPlain(to []int16, from []float32, factor float32) {
	for i := 0; i+1 < len(from); i += 2 {
		at := to[i*laneSize:][:2]
		at[0], at[1] = round(from[i]*factor), round(from[i+1]*factor)
	}
}

// round rounds to the nearest, and what is between two to the even one, as processors do.
func round(x float32) int16 { return int16(math.RoundToEven(float64(x))) }

func tilePlain(to []float32, toRow int, a []float32, aRow int, b []float32, bRow int, n int) {
	for row := range 4 {
		sums := to[row*toRow:][:block]
		clear(sums)
		for i, x := range a[row*aRow:][:n] {
			for j, y := range b[i*bRow:][:block] {
				sums[j] += x * y
			}
		}
	}
}

func weighPlain(to []float32, n int) {
	highest := to[0]
	for _, x := range to[:n] {
		highest = max(highest, x)
	}
	var sum float32
	for i, x := range to[:n] {
		to[i] = exp(x - highest)
		sum += to[i]
	}
	clear(to[n:])
	for i := range to[:n] {
		to[i] /= sum
	}
}

// exp is e to the x, to a few units in the last place; beyond what can be told, it is near nothing or near the most.
func exp(x float32) float32 {
	x = min(max(x, -87), 88)
	whole := float32(math.RoundToEven(float64(x * 1.44269504)))
	x = x - whole*.693359375 + whole*2.12194440e-4
	p := float32(1.9875691500e-4)
	p = p*x + 1.3981999507e-3
	p = p*x + 8.3334519073e-3
	p = p*x + 4.1665795894e-2
	p = p*x + 1.6666665459e-1
	p = p*x + .5
	p = p*x*x + x + 1
	return p * math.Float32frombits(uint32(int32(whole)+127)<<23)
}
