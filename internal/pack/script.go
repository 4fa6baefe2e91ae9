package pack

// A script is a range of characters and what one of them costs.
type script struct {
	last rune // the range ends here and begins after the one before
	cost int  // hundredths of a token
}

// scripts says what a character beyond ASCII costs at most on average in writing that uses it. The dear
// ones are those that cl100k spells byte by byte.
var scripts = [...]script{
	{0x00bf, 150}, // Latin-1 signs
	{0x00ff, 90},  // Latin-1 letters
	{0x024f, 130}, // Latin with marks
	{0x036f, 200}, // phonetic letters, combining marks
	{0x03ff, 122}, // Greek
	{0x040f, 122}, // Cyrillic: letters of Serbian, Macedonian, Ukrainian
	{0x044f, 78},  // Cyrillic: letters of Russian
	{0x045f, 122},
	{0x058f, 218}, // further Cyrillic, Armenian
	{0x05cf, 215},
	{0x05ea, 128}, // Hebrew
	{0x061f, 200},
	{0x064a, 96}, // Arabic
	{0x06ff, 175},
	{0x08ff, 200},
	{0x097f, 135}, // Devanagari
	{0x09ff, 175}, // Bengali
	{0x0aff, 205}, // Gurmukhi, Gujarati
	{0x0b7f, 295}, // Oriya
	{0x0bff, 165}, // Tamil
	{0x0cff, 205}, // Telugu, Kannada
	{0x0d7f, 190}, // Malayalam
	{0x0dff, 220}, // Sinhala
	{0x0e7f, 120}, // Thai
	{0x0fff, 230}, // Lao, Tibetan
	{0x10ff, 212}, // Burmese, Georgian
	{0x11ff, 250},
	{0x177f, 300}, // Ethiopic, Cherokee, syllabics
	{0x17ff, 170}, // Khmer
	{0x1dff, 300},
	{0x1eff, 150}, // Latin with two marks: Vietnamese
	{0x1fff, 250}, // Greek with breathings
	{0x200f, 200},
	{0x2026, 110}, // dashes, quotation marks, bullets
	{0x20ff, 200},
	{0x25ff, 210}, // arrows, mathematics, lines and boxes
	{0x27bf, 260}, // pictures
	{0x2fff, 300},
	{0x303f, 120}, // punctuation of CJK
	{0x30ff, 160}, // kana
	{0x9fff, 195}, // ideographs
	{0xabff, 300},
	{0xd7ff, 165}, // hangul
	{0xfeff, 200}, // presentation forms, selectors of variants
	{0xffff, 170}, // full width
	{0x10ffff, 310},
}

func scriptCost(r rune) int {
	low, high := 0, len(scripts)-1
	for low < high {
		mid := (low + high) / 2
		if r <= scripts[mid].last {
			high = mid
		} else {
			low = mid + 1
		}
	}
	return scripts[low].cost
}
