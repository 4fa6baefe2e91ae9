package tokenizer

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"strings"
	"unicode/utf8"
)

// A charsmap is how SentencePiece keeps its normalization: a trie of what to replace, in a double array of 32-bit
// units, and the replacements, each ended by a zero byte.
//
// A unit holds, from its low end: 8 bits of the byte that leads to it, a bit that says whether something ends
// here, and the distance to its children (bits 10 to 30, eight bits further if bit 9 is set). A unit with its
// highest bit set holds where the replacement begins.
type charsmap struct {
	units        []byte // as in the file
	replacements string
}

var errCharsmap = errors.New("its precompiled_charsmap is cut off or damaged")

func parseCharsmap(field string) (func(string) string, error) {
	var text *string
	if err := unmarshal("precompiled_charsmap", field, &text); err != nil {
		return nil, err
	}
	if text == nil || *text == "" {
		return func(s string) string { return s }, nil
	}
	content, err := base64.StdEncoding.DecodeString(*text)
	if err != nil || len(content) < 4 {
		return nil, errCharsmap
	}
	size := binary.LittleEndian.Uint32(content)
	if content = content[4:]; uint64(size) > uint64(len(content)) || size%4 != 0 {
		return nil, errCharsmap
	}
	c := &charsmap{units: content[:size], replacements: string(content[size:])}
	return c.normalize, nil
}

func (c *charsmap) unit(at uint32) (uint32, bool) {
	if uint64(at)*4+4 > uint64(len(c.units)) {
		return 0, false
	}
	return binary.LittleEndian.Uint32(c.units[4*at:]), true
}

// children is where a unit's children are, counted from the unit.
func children(unit uint32) uint32 { return (unit >> 10) << ((unit & (1 << 9)) >> 6) }

// replace finds the longest beginning of text there is a replacement for: its length, or 0.
func (c *charsmap) replace(text string) (length int, replacement string) {
	unit, ok := c.unit(0)
	at := children(unit)
	for i := 0; ok && i < len(text) && text[i] != 0; i++ {
		at ^= uint32(text[i])
		if unit, ok = c.unit(at); !ok || unit&(1<<31|0xFF) != uint32(text[i]) {
			break
		}
		at ^= children(unit)
		if unit&(1<<8) == 0 {
			continue
		}
		if leaf, found := c.unit(at); found {
			begin := leaf &^ (1 << 31)
			if uint64(begin) <= uint64(len(c.replacements)) {
				length = i + 1
				replacement, _, _ = strings.Cut(
					c.replacements[begin:min(uint64(begin)+maxReplacement, uint64(len(c.replacements)))], "\x00",
				)
			}
		}
	}
	return length, replacement
}

func (c *charsmap) normalize(text string) string {
	var out strings.Builder
	for text != "" {
		length, replacement := c.replace(text)
		if length == 0 {
			_, length = utf8.DecodeRuneInString(text)
			replacement = text[:length]
		}
		out.WriteString(replacement)
		text = text[length:]
	}
	return out.String()
}
