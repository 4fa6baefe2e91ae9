package words

// Distance is the number of bytes to change, add, take away or swap with their
// neighbour to make b of a.
func Distance(a, b string) int {
	before, row := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		now := make([]int, len(b)+1)
		now[0] = i + 1
		for j := range len(b) {
			change := row[j]
			if a[i] != b[j] {
				change++
			}
			now[j+1] = min(change, row[j+1]+1, now[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				now[j+1] = min(now[j+1], before[j-1]+1)
			}
		}
		before, row = row, now
	}
	return row[len(b)]
}

// Slip reports whether a word is a verb with a slip or two of the hand: one for a verb
// of up to four letters, two for a longer one. The verb itself is none.
func Slip(word, verb string) (edits int, is bool) {
	most := 2
	if len(verb) <= 4 {
		most = 1
	}
	if len(word) > len(verb)+most || len(word)+most < len(verb) || word == verb {
		return 0, false
	}
	edits = Distance(word, verb)
	return edits, edits <= most
}
