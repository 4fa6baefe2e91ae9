package settings

import "strings"

// mostEdits is how many letters a key may be wrong by to be understood.
const mostEdits = 3

// suggestion names the key that may have been meant, or nothing.
func suggestion(key string) string {
	const mostLetters = 64 // of a key that is looked at
	if len(key) > mostLetters {
		return ""
	}
	best, least := "", mostEdits+1
	for _, k := range table {
		// "budget" and "embeder.url" are meant as much as a slip of one letter
		n := edits(strings.ToLower(key), k.Key)
		if last(key) == last(k.Key) {
			n = min(n, mostEdits)
		}
		if n < least {
			best, least = k.Key, n
		}
	}
	if best == "" {
		return ""
	}
	return " (is " + best + " meant?)"
}

func last(key string) string { return key[strings.LastIndexByte(key, '.')+1:] }

// edits counts the letters to put in, take out or change to make b of a.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
