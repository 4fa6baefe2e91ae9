package tokenizer

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// What a file may ask for is bounded, so that none makes a short text a vast one. The longest real list of
// normalizers replaces each mark of ASCII, the longest real replacement has 33 bytes.
const (
	maxNormalizers = 256
	maxSplitters   = 8
	maxReplacement = 64
)

// parseNormalizer reads one normalizer, or a sequence of them.
func parseNormalizer(text string) ([]func(string) string, error) {
	return parseSteps(text, "normalizers", maxNormalizers, parseOneNormalizer)
}

// parseSteps reads what tokenizer.json calls a normalizer or a pre_tokenizer: null, one, or a sequence.
func parseSteps[T any](
	text, list string, most int, one func(kind string, f map[string]string) (T, error),
) ([]T, error) {
	var steps []T
	var read func(text string, depth int) error
	read = func(text string, depth int) error {
		if text == "" || text == "null" {
			return nil
		}
		if depth > maxDepth || len(steps) >= most {
			return fmt.Errorf("too many steps")
		}
		f, err := fields(text)
		if err != nil {
			return err
		}
		var kind string
		if err := unmarshal("type", f["type"], &kind); err != nil {
			return err
		}
		if kind == "Sequence" {
			s := scanner{text: f[list]}
			return s.array(func() error {
				inner, err := s.raw()
				if err != nil {
					return err
				}
				return read(inner, depth+1)
			})
		}
		step, err := one(kind, f)
		if err != nil {
			return fmt.Errorf("%q: %w", kind, err)
		}
		steps = append(steps, step)
		return nil
	}
	return steps, read(text, 0)
}

var errStep = errors.New("this step is not known")

func parseOneNormalizer(kind string, f map[string]string) (func(string) string, error) {
	switch kind {
	case "BertNormalizer":
		return parseBert(f)
	case "Lowercase":
		return lowered, nil
	case "NFC":
		return norm.NFC.String, nil
	case "NFD":
		return norm.NFD.String, nil
	case "NFKC":
		return norm.NFKC.String, nil
	case "NFKD":
		return norm.NFKD.String, nil
	case "StripAccents":
		return withoutMarks, nil
	case "Strip":
		left, right := true, true
		if err := unmarshal("strip_left", f["strip_left"], &left); err != nil {
			return nil, err
		}
		if err := unmarshal("strip_right", f["strip_right"], &right); err != nil {
			return nil, err
		}
		return func(text string) string {
			if left {
				text = strings.TrimLeftFunc(text, unicode.IsSpace)
			}
			if right {
				text = strings.TrimRightFunc(text, unicode.IsSpace)
			}
			return text
		}, nil
	case "Prepend":
		var prefix string
		err := unmarshal("prepend", f["prepend"], &prefix)
		if len(prefix) > maxReplacement {
			return nil, errStep
		}
		return func(text string) string {
			if text == "" {
				return text
			}
			return prefix + text
		}, err
	case "Replace":
		return parseReplace(f)
	case "Precompiled":
		return parseCharsmap(f["precompiled_charsmap"])
	}
	return nil, errStep
}

func parseReplace(f map[string]string) (func(string) string, error) {
	var pattern struct{ String, Regex *string }
	var content string
	if err := unmarshal("pattern", f["pattern"], &pattern); err != nil {
		return nil, err
	}
	if err := unmarshal("content", f["content"], &content); err != nil {
		return nil, err
	}
	switch {
	case len(content) > maxReplacement:
		return nil, errStep
	case pattern.String != nil && *pattern.String != "":
		return func(text string) string { return strings.ReplaceAll(text, *pattern.String, content) }, nil
	case pattern.Regex == nil:
		return nil, errStep
	}
	// tokenizers means all of Unicode's spaces by it, regexp those of ASCII
	source := *pattern.Regex
	if source == `\s+` || source == `\s` {
		source = strings.Replace(source, `\s`, `[\s\v\x{85}\p{Z}]`, 1)
	}
	expression, err := regexp.Compile(source)
	if err != nil {
		return nil, err
	}
	return func(text string) string { return expression.ReplaceAllLiteralString(text, content) }, nil
}

// bert is BERT's own normalizer.
type bert struct{ clean, chinese, strip, lower bool }

func parseBert(f map[string]string) (func(string) string, error) {
	b := bert{clean: true, chinese: true, lower: true}
	var strip *bool
	for _, err := range []error{
		unmarshal("clean_text", f["clean_text"], &b.clean),
		unmarshal("handle_chinese_chars", f["handle_chinese_chars"], &b.chinese),
		unmarshal("lowercase", f["lowercase"], &b.lower),
		unmarshal("strip_accents", f["strip_accents"], &strip),
	} {
		if err != nil {
			return nil, err
		}
	}
	b.strip = b.lower // unless it says otherwise
	if strip != nil {
		b.strip = *strip
	}
	return b.normalize, nil
}

func (b bert) normalize(text string) string {
	if b.clean || b.chinese {
		text = b.characters(text)
	}
	if b.strip {
		text = withoutMarks(text)
	}
	if b.lower {
		text = lowered(text)
	}
	return text
}

// characters drops what cannot be seen, makes every space a plain one, and gives each Chinese character space.
func (b bert) characters(text string) string {
	if plain(text) {
		return text
	}
	var out strings.Builder
	out.Grow(len(text))
	for _, r := range text {
		switch {
		case b.clean && (r == 0 || r == utf8.RuneError):
		case b.clean && (r == '\t' || r == '\n' || r == '\r'):
			out.WriteByte(' ')
		case b.clean && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs):
		case b.clean && unicode.IsSpace(r):
			out.WriteByte(' ')
		case b.chinese && chinese(r):
			out.WriteByte(' ')
			out.WriteRune(r)
			out.WriteByte(' ')
		default:
			out.WriteRune(r)
		}
	}
	return out.String()
}

// plain says that a text is ASCII that can be seen.
func plain(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' {
			return false
		}
	}
	return true
}

// chinese are the ideographs that BERT takes for a word each.
func chinese(r rune) bool {
	return 0x4E00 <= r && r <= 0x9FFF || 0x3400 <= r && r <= 0x4DBF || 0x20000 <= r && r <= 0x2A6DF ||
		0x2A700 <= r && r <= 0x2B73F || 0x2B740 <= r && r <= 0x2B81F || 0x2B920 <= r && r <= 0x2CEAF ||
		0xF900 <= r && r <= 0xFAFF || 0x2F800 <= r && r <= 0x2FA1F
}

// withoutMarks takes characters apart and drops the accents.
func withoutMarks(text string) string {
	if plain(text) {
		return text
	}
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(text))
}

// lowered is each character's lower case. (strings.ToLower knows more than that of a final sigma's neighbours.)
func lowered(text string) string { return strings.Map(unicode.ToLower, text) }
