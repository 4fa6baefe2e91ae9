package memory

import (
	"encoding/base64"
	"encoding/binary"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Blob returns the captured bytes, exactly.
func (b *Raw) Blob() []byte {
	if b.Base64 == "" {
		return []byte(b.Text)
	}
	blob, _ := base64.StdEncoding.DecodeString(b.Base64) // Check has tried it
	return blob
}

// Said returns the words: the text, or what bytes that are not UTF-8 say. These are read
// as UTF-16 if they begin as it does, and else each byte that is not UTF-8 as
// Windows-1252. "" is for bytes that are no words, such as a picture. It is for reading
// and for searching: what was captured is Blob, and is signed as it is.
func (b *Raw) Said() string {
	if b.Base64 == "" {
		return b.Text
	}
	return decoded(b.Blob())
}

func decoded(blob []byte) string {
	if len(blob) >= 2 && (blob[0] == 0xff && blob[1] == 0xfe || blob[0] == 0xfe && blob[1] == 0xff) {
		return fromUTF16(blob)
	}
	var b strings.Builder
	b.Grow(len(blob) + len(blob)/8)
	odd := 0 // characters that no text has
	for i := 0; i < len(blob); {
		r, size := utf8.DecodeRune(blob[i:])
		if r == utf8.RuneError && size == 1 {
			r = windows1252(blob[i])
		}
		switch {
		case r == '\t' || r == '\n' || r == '\r' || r >= ' ' && r != 0x7f && r != utf8.RuneError:
			b.WriteRune(r)
		case r == 0 && utf8.Valid(blob): // as between the names that find -print0 gives
			b.WriteByte(' ')
		default:
			odd++
			b.WriteByte(' ')
		}
		i += size
	}
	if odd*20 > len(blob) {
		return ""
	}
	return strings.TrimSpace(b.String())
}

func fromUTF16(blob []byte) string {
	order := binary.ByteOrder(binary.LittleEndian)
	if blob[0] == 0xfe {
		order = binary.BigEndian
	}
	var units []uint16
	for i := 2; i+1 < len(blob); i += 2 {
		units = append(units, order.Uint16(blob[i:]))
	}
	return decoded([]byte(string(utf16.Decode(units))))
}

// high are the characters from 0x80 to 0x9f of Windows-1252; U+FFFD where there is none.
const high = "€\ufffd‚ƒ„…†‡ˆ‰Š‹Œ\ufffdŽ\ufffd\ufffd‘’“”•–—˜™š›œ\ufffdžŸ"

var windowsHigh = []rune(high)

// windows1252 returns the character of a byte of Windows-1252.
func windows1252(c byte) rune {
	if 0x80 <= c && c <= 0x9f {
		return windowsHigh[c-0x80]
	}
	return rune(c)
}
