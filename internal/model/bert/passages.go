package bert

import "slices"

// cut parts the pieces of a text that has more than room into passages. A passage ends where a sentence does, if one
// ends near, and else between words.
func (e *Embedder) cut(pieces []int, room int) [][]int {
	if len(pieces) <= room {
		return [][]int{pieces}
	}
	var passages [][]int
	size := min(passageTokens, room)
	for len(pieces) > size && len(passages) < maxPassages {
		end := e.end(pieces, size)
		passages = append(passages, pieces[:end])
		pieces = pieces[end:]
	}
	if len(pieces) > 0 && len(passages) < maxPassages {
		passages = append(passages, pieces)
	}
	return passages
}

// end is where the first passage of more than size pieces ends.
func (e *Embedder) end(pieces []int, size int) int {
	for end := size; end > max(0, size-sentenceRoom); end-- {
		if slices.Contains(e.options.Ends, pieces[end-1]) {
			return end
		}
	}
	for end := size; end > max(0, size-sentenceRoom) && e.options.Continues != nil; end-- {
		if !e.options.Continues(pieces[end]) {
			return end
		}
	}
	return size
}
