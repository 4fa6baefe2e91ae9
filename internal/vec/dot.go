package vec

// dots puts into out[i] the dot product of query and the i-th vector of codes.
// A vector has as many codes as query, a multiple of lane. Both ways to compute
// it give the same integers.
func dots(out []int32, query []int16, codes []byte, plain bool) {
	switch {
	case len(out) == 0:
	case fast && !plain:
		dotsFast(out, query, codes)
	default:
		dotsPlain(out, query, codes)
	}
}

// dotsPlain is dots in Go alone, for processors that dotsFast is not written
// for.
func dotsPlain(out []int32, query []int16, codes []byte) {
	for i := range out {
		row := codes[i*len(query):][:len(query)]
		var s0, s1, s2, s3 int32
		for q := query; len(q) >= 8 && len(row) >= 8; q, row = q[8:], row[8:] {
			s0 += int32(q[0])*int32(int8(row[0])) + int32(q[4])*int32(int8(row[4]))
			s1 += int32(q[1])*int32(int8(row[1])) + int32(q[5])*int32(int8(row[5]))
			s2 += int32(q[2])*int32(int8(row[2])) + int32(q[6])*int32(int8(row[6]))
			s3 += int32(q[3])*int32(int8(row[3])) + int32(q[7])*int32(int8(row[7]))
		}
		out[i] = s0 + s1 + s2 + s3
	}
}
