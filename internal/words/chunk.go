package words

// A chunk is a word, or several without a space between: an identifier, a version, a hyphenated word.
// It comes apart at
//
//	.  :  ::         between letters or digits   config.max_retries, std::vector, 10:30
//	_  __  -         between letters or digits   ERR_CONN, foo-bar
//	an apostrophe    before a word of its own    O'Brien, l'homme
//	a hump           of upper case               handleUserInput, HTTPServer
//
// and at every step gives the whole before the parts, so config.max_retries is found by
// max_retries too. A slash, a backslash and an at-sign end a chunk: a path is found by its names.

// level is the order in which a chunk is taken apart.
type level uint8

const (
	byDot level = iota
	byDash
	byApostrophe
	byHump
	levels
)

type cut struct {
	at    int // offset in analyzer.fold
	level level
}

// chunk appends the terms of the chunk that begins at i and gives its end.
func (a *analyzer) chunk(text string, i int) int {
	a.fold, a.cuts = a.fold[:0], a.cuts[:0]
	if isVersion(text[i:]) {
		i++ // v1.2.3 is 1.2.3
	}
	previous := separator
	for i < len(text) {
		k, size := classAt(text, i)
		end := i + size
		switch {
		case k == ignorable:
		case k == joiner:
			var at level
			if end, at = join(text, i, size); end == i {
				a.emit(0, len(a.fold), a.cuts, byDot)
				return i
			}
			a.cuts = append(a.cuts, cut{len(a.fold), at})
			previous = separator
		case k == apostrophe:
			letters, after := clitic(text, end)
			switch {
			case letters == 0:
				a.emit(0, len(a.fold), a.cuts, byDot)
				return i
			case after > end:
				end = after
			case letters == cliticLetters:
				a.cuts = append(a.cuts, cut{len(a.fold), byApostrophe})
			}
			previous = separator
		case k.inWord():
			if k == upper && isHump(previous, text, end) {
				a.cuts = append(a.cuts, cut{len(a.fold), byHump})
			}
			a.fold = appendFolded(a.fold, text[i:end])
			previous = k
		default:
			a.emit(0, len(a.fold), a.cuts, byDot)
			return i
		}
		i = end
	}
	a.emit(0, len(a.fold), a.cuts, byDot)
	return i
}

// emit appends the terms of one piece of the chunk, taken apart at a level and those after it.
func (a *analyzer) emit(from, to int, cuts []cut, at level) {
	for ; at < levels; at++ {
		if at == byHump && to-from > MaxBytes {
			break // no name, but data written in letters: its humps would fill the index
		}
		start, first, apart := from, 0, false
		for i, c := range cuts {
			if c.level != at {
				continue
			}
			if !apart {
				a.whole(a.fold[from:to])
				apart = true
			}
			a.emit(start, c.at, cuts[first:i], at+1)
			start, first = c.at, i+1
		}
		if apart {
			a.emit(start, to, cuts[first:], at+1)
			return
		}
	}
	a.word(a.fold[from:to])
}

// join returns the end of the joiner at i and what it parts, or i if it joins nothing.
func join(text string, i, size int) (int, level) {
	end, at := i+size, byDash
	switch text[i] {
	case '.':
		at = byDot
	case ':':
		at = byDot
		if end < len(text) && text[end] == ':' {
			end++
		}
	case '_':
		for end < len(text) && text[end] == '_' {
			end++
		}
	}
	if k, _, _ := next(text, end); !k.inWord() {
		return i, at
	}
	return end, at
}

// cliticLetters is more letters than a clitic has: from this many on a word stands behind the apostrophe.
const cliticLetters = 3

// clitic counts the letters behind an apostrophe, up to cliticLetters. If they are an English ending
// that is a word of its own ('s 'll 're 've 'd 'm) and is left out, after is its end, otherwise i.
// So Caroline's is caroline and she'll is no shell; any other is written together: don't is dont.
func clitic(text string, i int) (letters, after int) {
	var buf [16]byte
	ending := buf[:0]
	end := i
	for letters < cliticLetters {
		k, at, size := next(text, end)
		if !k.inWord() {
			break
		}
		end = at + size
		ending = appendFolded(ending, text[at:end])
		letters++
	}
	switch string(ending) {
	case "s", "ll", "re", "ve", "d", "m":
		return letters, end
	}
	return letters, i
}

// isHump reports whether the upper-case letter that ends at i begins a part of a name.
func isHump(previous class, text string, i int) bool {
	if previous == lower {
		return true
	}
	if previous != upper && previous != digit {
		return false
	}
	k, at, size := next(text, i)
	if k != lower {
		return false
	}
	var buf [8]byte
	if previous == upper && string(appendFolded(buf[:0], text[at:at+size])) == "s" { // userIDs is user and ids
		k, _, _ = next(text, at+size)
		return k == lower
	}
	return true
}

// isVersion reports whether a chunk begins like v1.2.
func isVersion(chunk string) bool {
	if chunk[0]|0x20 != 'v' {
		return false
	}
	i := 1
	for i < len(chunk) && isDigit(chunk[i]) {
		i++
	}
	return i > 1 && i+1 < len(chunk) && chunk[i] == '.' && isDigit(chunk[i+1])
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
