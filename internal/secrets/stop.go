package secrets

import (
	"bytes"
	"slices"
	"strings"
)

const (
	stopBits  = 13 // of the number of a stop word's first bytes
	stopShort = 3  // bytes of the shortest stop word
	stopLong  = 40 // and of the longest
)

// stopWords are pieces of words and names that random text does not hold.
type stopWords struct {
	sorted []string
	first  [1 << stopBits]bool // whether one begins with bytes of that number
}

func readStopWords(columns string) *stopWords {
	w := &stopWords{sorted: strings.Split(columns, "\t")}
	for _, word := range w.sorted {
		w.first[stopNumber(word)] = true
	}
	return w
}

// within says that a value holds one of the words, in any case.
func (w *stopWords) within(value []byte) bool {
	v := string(bytes.ToLower(value))
	for i := 0; i+stopShort <= len(v); i++ {
		if !w.first[stopNumber(v[i:])] {
			continue
		}
		rest := v[i:min(len(v), i+stopLong)]
		n, _ := slices.BinarySearch(w.sorted, rest[:stopShort])
		for ; n < len(w.sorted) && w.sorted[n][:stopShort] == rest[:stopShort]; n++ {
			if strings.HasPrefix(rest, w.sorted[n]) {
				return true
			}
		}
	}
	return false
}

// stopNumber is made of the first bytes of a text.
func stopNumber(s string) int {
	return (int(s[0])*961 + int(s[1])*31 + int(s[2])) & (1<<stopBits - 1)
}
