package tokens

// The patterns by which tiktoken parts a text before it looks at its vocabulary, written as loops. Each of
// the functions returns the end of the piece that begins at i, which is before the end of the text.
//
// o200k:
//
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	\p{N}{1,3}
//	 ?[^\s\p{L}\p{N}]+[\r\n/]*
//	\s*[\r\n]+
//	\s+(?!\S)
//	\s+
//
// cl100k:
//
//	'(?i:[sdmt]|ll|ve|re)
//	[^\r\n\p{L}\p{N}]?+\p{L}++
//	\p{N}{1,3}+
//	 ?[^\s\p{L}\p{N}]++[\r\n]*+
//	\s++$
//	\s*[\r\n]
//	\s+(?!\S)
//	\s
//
// Blanks that end a text are parted behind their last line end here, as o200k does it: no token of cl100k
// ends in a line end with something behind it, so the numbers of tokens are the same.

// splitO200k parts by the pattern of o200k.
func splitO200k(v reading, i int) int {
	c, n := v.at(i)
	switch c {
	case upper, lower, both, mark:
		return v.word(i)
	case number:
		return v.numbers(i)
	case other, space:
		if next, _ := v.at(i + n); next.letter() || next == mark {
			return v.word(i + n)
		}
	}
	if end := v.symbols(i); end > i {
		for end < len(v.text) && (v.text[end] == '\r' || v.text[end] == '\n' || v.text[end] == '/') {
			end++
		}
		return end
	}
	return v.blanks(i)
}

// splitCl100k parts by the pattern of cl100k.
func splitCl100k(v reading, i int) int {
	if end := v.contraction(i); end > i {
		return end
	}
	c, n := v.at(i)
	if c == number {
		return v.numbers(i)
	}
	end := i
	if c != lineEnd && !c.letter() {
		end += n
	}
	if next, n := v.at(end); next.letter() {
		for next.letter() {
			end += n
			next, n = v.at(end)
		}
		return end
	}
	if end := v.symbols(i); end > i {
		for end < len(v.text) && (v.text[end] == '\r' || v.text[end] == '\n') {
			end++
		}
		return end
	}
	return v.blanks(i)
}

// word reads capitals and then small letters, with a contraction. At i is a letter or a mark.
//
// Letters without case and marks are in both of the pattern's sets. If no small letter follows the capitals,
// the pattern goes back to the last of these, and ends behind it.
func (v reading) word(i int) int {
	end, caseless := i, i
	c, n := v.at(end)
	for c == upper || c == both || c == mark {
		end += n
		if c != upper {
			caseless = end
		}
		c, n = v.at(end)
	}
	switch {
	case c == lower:
		for c == lower || c == both || c == mark {
			end += n
			c, n = v.at(end)
		}
	case caseless > i:
		end = caseless
	}
	return v.contraction(end)
}

// contraction returns the end of 's, 't, 're, 've, 'm, 'll or 'd, or i.
func (v reading) contraction(i int) int {
	s := v.text[i:]
	if len(s) < 2 || s[0] != '\'' {
		return i
	}
	switch s[1] | 0x20 {
	case 's', 't', 'm', 'd':
		return i + 2
	case 'r', 'v':
		if len(s) > 2 && s[2]|0x20 == 'e' {
			return i + 3
		}
	case 'l':
		if len(s) > 2 && s[2]|0x20 == 'l' {
			return i + 3
		}
	}
	if len(s) > 2 && s[1:3] == "ſ" { // an s without regard to case
		return i + 3
	}
	return i
}

func (v reading) numbers(i int) int {
	for range 3 {
		c, n := v.at(i)
		if c != number {
			break
		}
		i += n
	}
	return i
}

// symbols reads a space, if one is there, and all that is neither blank, letter nor number; if none is, it
// returns i.
func (v reading) symbols(i int) int {
	end := i
	if v.text[end] == ' ' {
		end++
	}
	c, n := v.at(end)
	if n == 0 || c != other && c != mark {
		return i
	}
	for n > 0 && (c == other || c == mark) {
		end += n
		c, n = v.at(end)
	}
	return end
}

// blanks reads white space up to the last line end, or all but the last blank, which goes with what follows.
// At i is a blank.
func (v reading) blanks(i int) int {
	end, last, ending := i, i, i
	c, n := v.at(end)
	for c.blank() {
		last = end
		end += n
		if c == lineEnd {
			ending = end
		}
		c, n = v.at(end)
	}
	switch {
	case ending > i:
		return ending
	case end == len(v.text) || last == i:
		return end
	}
	return last
}
