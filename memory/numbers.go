package memory

import (
	"fmt"
	"math"
	"strconv"
)

// Thousandths per one: signed bytes hold no floating point.
const thousand = 1000

// A Confidence is the author's own certainty, in thousandths from 0 to 1000.
// Replies show it as a number from 0 to 1.
type Confidence uint16

// Certain is the greatest Confidence.
const Certain Confidence = thousand

// Float returns c as a number from 0 to 1.
func (c Confidence) Float() float64 { return float64(c) / thousand }

// String returns c as people read it: two decimals, three where it needs them.
func (c Confidence) String() string {
	if c%10 == 0 {
		return strconv.FormatFloat(c.Float(), 'f', 2, 64)
	}
	return strconv.FormatFloat(c.Float(), 'f', 3, 64)
}

// ParseConfidence takes a number from 0 to 1 in steps of a thousandth. NaN and
// numbers out of range are errors, not clamped.
func ParseConfidence(f float64) (Confidence, error) {
	n, err := Thousandths("confidence", f, 0, 1)
	return Confidence(n), err
}

// Thousandths turns f, which must lie between min and max and be a whole number
// of thousandths, into thousandths; field names it in the error.
func Thousandths(field string, f, min, max float64) (int, error) {
	if math.IsNaN(f) || f < min || f > max {
		return 0, bad(field, "must be a number from %v to %v, got %v", min, max, f)
	}
	n := math.Round(f * thousand)
	const slack = 1e-6 // 0.285*1000 is 284.99999999999994
	if math.Abs(f*thousand-n) > slack {
		return 0, bad(field, "has steps of 0.001, got %v", f)
	}
	return int(n), nil
}

// maxInteger is the greatest integer of signed bytes: a double holds no more.
const maxInteger = 1<<53 - 1

func checkRange[N int | int64](field string, n, min, max N) error {
	if n < min || n > max {
		return bad(
			field, "must be from %s to %s, got %s", shown(int64(max), int64(min)), shown(int64(max), int64(max)),
			shown(int64(max), int64(n)),
		)
	}
	return nil
}

// shown prints n as it was typed: thousandths as a decimal, the rest whole.
func shown(max, n int64) string {
	if max == thousand {
		return fmt.Sprint(float64(n) / thousand)
	}
	return strconv.FormatInt(n, 10)
}
