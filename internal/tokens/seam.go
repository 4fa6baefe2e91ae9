package tokens

import "unicode/utf8"

// Apart reports whether two texts cost together what they cost one by one: if it does, Of(a+b) is
// Of(a).Add(Of(b)). That is so where a word or a number ends before a blank or a sign, where anything but a blank
// ends before a space, and where a line has ended before anything but a blank or a slash. Elsewhere Apart
// returns false, and the sum may be more or less than the whole.
//
// Texts in which counting programs read something in different ways cost together at most what they cost one by one.
func Apart(a, b string) bool {
	if a == "" || b == "" {
		return true
	}
	r, _ := utf8.DecodeLastRuneInString(a)
	last := classesOf(r)
	r, _ = utf8.DecodeRuneInString(b)
	first := classesOf(r)
	if last>>4 != last&0xf || first>>4 != first&0xf {
		return false
	}
	before, after := class(last&0xf), class(first&0xf)
	switch {
	case before == lineEnd:
		return !after.blank() && r != '/'
	case before == space:
		return false
	case after == space:
		return true
	case before.letter():
		return after == lineEnd || after == number || after == other && r != '\''
	case before == number:
		return after == lineEnd || after.letter() || after == other
	}
	return false
}
