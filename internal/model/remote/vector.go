package remote

import (
	"errors"
	"strconv"
)

// A Vector is read from a JSON array of numbers and nothing else: null, which encoding/json takes for 0, is
// refused, and so is what float32 cannot hold.
type Vector []float32

var errVector = errors.New("a vector must be a list of numbers")

// UnmarshalJSON reads a list of numbers.
func (v *Vector) UnmarshalJSON(text []byte) error {
	if len(text) < 2 || text[0] != '[' {
		return errVector
	}
	numbers := make(Vector, 0, len(text)/12)
	for i := 1; i < len(text); {
		switch c := text[i]; {
		case c == ']' || c == ',' || c == ' ' || c == '\n' || c == '\t' || c == '\r':
			i++ // that they stand in their places has been checked before
		case c == '-' || '0' <= c && c <= '9':
			end := i
			for end < len(text) && numberByte(text[end]) {
				end++
			}
			x, err := strconv.ParseFloat(string(text[i:end]), 32)
			if err != nil {
				return errVector
			}
			numbers = append(numbers, float32(x))
			i = end
		default:
			return errVector
		}
	}
	*v = numbers
	return nil
}

func numberByte(c byte) bool {
	return '0' <= c && c <= '9' || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E'
}
