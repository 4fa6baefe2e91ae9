package core

// thousandth rounds to what people read.
func Thousandth(f float64) float64 {
	const places = 1000
	if f < 0 {
		return -Thousandth(-f)
	}
	return float64(int(f*places+0.5)) / places
}
