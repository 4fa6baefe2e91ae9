package tokenizer

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// parseSplitter reads one pre_tokenizer, or a sequence of them.
func parseSplitter(text string) ([]splitter, error) {
	return parseSteps(text, "pretokenizers", maxSplitters, parseOneSplitter)
}

func parseOneSplitter(kind string, f map[string]string) (splitter, error) {
	switch kind {
	case "BertPreTokenizer":
		return splitBert, nil
	case "WhitespaceSplit":
		return splitSpace, nil
	case "Whitespace":
		return splitWords, nil
	case "Punctuation":
		behavior := "Isolated"
		if err := unmarshal("behavior", f["behavior"], &behavior); err != nil {
			return nil, err
		}
		if behavior != "Isolated" {
			return nil, errStep
		}
		return splitMarks, nil
	case "Metaspace":
		return parseMetaspace(f)
	case "ByteLevel":
		return parseByteLevel(f)
	}
	return nil, errStep
}

// splitBy yields runs of characters of one class. Those of class 0 are dropped, those of class 1 stand alone.
func splitBy(text string, class func(rune) int, yield func(string) bool) bool {
	start, last := 0, 0
	for i, r := range text {
		c := class(r)
		if i > start && (c != last || c == 1) {
			if last != 0 && !yield(text[start:i]) {
				return false
			}
			start = i
		}
		last = c
	}
	return last == 0 || yield(text[start:])
}

func splitBert(text string, yield func(string) bool) bool {
	return splitBy(text, func(r rune) int {
		switch {
		case unicode.IsSpace(r):
			return 0
		case mark(r):
			return 1
		}
		return 2
	}, yield)
}

func splitSpace(text string, yield func(string) bool) bool {
	return splitBy(text, func(r rune) int {
		if unicode.IsSpace(r) {
			return 0
		}
		return 2
	}, yield)
}

// splitWords parts runs of word characters from runs of others.
func splitWords(text string, yield func(string) bool) bool {
	return splitBy(text, func(r rune) int {
		switch {
		case unicode.IsSpace(r):
			return 0
		case unicode.IsLetter(r) || unicode.IsMark(r) || unicode.Is(unicode.Nd, r) || unicode.Is(unicode.Nl, r) ||
			unicode.Is(unicode.Pc, r):
			return 2
		}
		return 3
	}, yield)
}

func splitMarks(text string, yield func(string) bool) bool {
	return splitBy(text, func(r rune) int {
		if mark(r) {
			return 1
		}
		return 2
	}, yield)
}

// mark is punctuation as BERT has it: Unicode's, and all of ASCII that is neither letter nor digit.
func mark(r rune) bool {
	if r < 0x80 {
		return r > ' ' && r < 0x7F && !('0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z')
	}
	return unicode.IsPunct(r)
}

// parseMetaspace reads the splitter that writes spaces as ▁ and leaves them with the word they precede.
func parseMetaspace(f map[string]string) (splitter, error) {
	replacement, scheme, split := "▁", "always", true
	prefix := true // what older files say instead of the scheme
	for _, err := range []error{
		unmarshal("replacement", f["replacement"], &replacement),
		unmarshal("add_prefix_space", f["add_prefix_space"], &prefix),
		unmarshal("split", f["split"], &split),
	} {
		if err != nil {
			return nil, err
		}
	}
	if !prefix {
		scheme = "never"
	}
	if err := unmarshal("prepend_scheme", f["prepend_scheme"], &scheme); err != nil {
		return nil, err
	}
	// "first" means the first piece only, which is every piece unless another splitter went before
	if utf8.RuneCountInString(replacement) != 1 || scheme != "always" && scheme != "never" && scheme != "first" {
		return nil, errStep
	}
	return func(text string, yield func(string) bool) bool {
		text = strings.ReplaceAll(text, " ", replacement)
		if scheme != "never" && !strings.HasPrefix(text, replacement) {
			text = replacement + text
		}
		for split {
			next := strings.Index(text[min(len(text), len(replacement)):], replacement)
			if next < 0 {
				break
			}
			next += min(len(text), len(replacement))
			if !yield(text[:next]) {
				return false
			}
			text = text[next:]
		}
		return yield(text)
	}, nil
}

// parseByteLevel reads the splitter that writes every byte as a character that can be seen. Static models have it
// without its regular expression; with it, it is not known.
func parseByteLevel(f map[string]string) (splitter, error) {
	prefix, regex := true, true
	if err := unmarshal("add_prefix_space", f["add_prefix_space"], &prefix); err != nil {
		return nil, err
	}
	if err := unmarshal("use_regex", f["use_regex"], &regex); err != nil {
		return nil, err
	}
	if regex {
		return nil, errStep
	}
	var seen [256]string
	hidden := rune(0x100)
	for b := range seen {
		r := rune(b)
		if !('!' <= b && b <= '~' || 0xA1 <= b && b <= 0xAC || 0xAE <= b) {
			r = hidden
			hidden++
		}
		seen[b] = string(r)
	}
	return func(text string, yield func(string) bool) bool {
		if prefix && !strings.HasPrefix(text, " ") {
			text = " " + text
		}
		var out strings.Builder
		for i := range len(text) {
			out.WriteString(seen[text[i]])
		}
		return yield(out.String())
	}, nil
}
