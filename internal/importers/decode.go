package importers

import (
	"bufio"
	"bytes"
	"io"
	"slices"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// How a text was written, where that is not UTF-8.
const (
	saidUTF16 = "UTF-16"
	saidLatin = "Windows-1252"
)

// looked is how many bytes of a file are looked at to know what it is.
const looked = 256 << 10

// A decoder reads a text as UTF-8, however it was written: UTF-8 with or without a byte
// order mark, UTF-16, and where bytes are neither, Windows-1252 (which has Latin-1 in it).
// A text is never held as a whole.
type decoder struct {
	in   *bufio.Reader
	big  bool // of UTF-16, the higher byte comes first
	wide bool // it is UTF-16
	said func(how string)
	out  []byte // decoded, not given yet
	raw  []byte // read, not decoded yet
	end  error
	told bool
}

// decoded returns the text of r as UTF-8. Said is called once with the encoding, if it is another.
func decoded(r io.Reader, buffer int, said func(string)) io.Reader {
	d := &decoder{in: bufio.NewReaderSize(r, max(buffer, 512)), said: said}
	head, _ := d.in.Peek(512)
	switch {
	case bytes.HasPrefix(head, []byte("\ufeff")):
		_, _ = d.in.Discard(3)
	case bytes.HasPrefix(head, []byte("\xff\xfe")):
		d.wide = true
		_, _ = d.in.Discard(2)
	case bytes.HasPrefix(head, []byte("\xfe\xff")):
		d.wide, d.big = true, true
		_, _ = d.in.Discard(2)
	default:
		d.wide, d.big = unmarked(head)
	}
	if d.wide {
		d.tell(saidUTF16)
	}
	return d
}

// unmarked reports whether a text is UTF-16 without a mark: every other byte is zero.
func unmarked(head []byte) (wide, big bool) {
	head = head[:len(head)/2*2]
	if len(head) < 4 {
		return false, false
	}
	var zeros [2]int
	for i, c := range head {
		if c == 0 {
			zeros[i%2]++
		}
	}
	most := len(head) / 2
	switch {
	case zeros[1] > most*3/4 && zeros[0] < most/8:
		return true, false
	case zeros[0] > most*3/4 && zeros[1] < most/8:
		return true, true
	}
	return false, false
}

func (d *decoder) tell(how string) {
	if !d.told && d.said != nil {
		d.said(how)
	}
	d.told = true
}

func (d *decoder) Read(p []byte) (int, error) {
	for len(d.out) == 0 {
		if d.end != nil && len(d.raw) == 0 {
			return 0, d.end
		}
		d.fill()
	}
	n := copy(p, d.out)
	d.out = d.out[n:]
	return n, nil
}

// fill reads and decodes some more.
func (d *decoder) fill() {
	if d.end == nil {
		d.raw = slices.Grow(d.raw, d.in.Size())
		n, err := d.in.Read(d.raw[len(d.raw):cap(d.raw)])
		d.raw, d.end = d.raw[:len(d.raw)+n], err
	}
	if d.wide {
		d.fillWide()
		return
	}
	whole := len(d.raw)
	if d.end == nil { // a character may be cut at the end
		for i := max(0, whole-utf8.UTFMax); i < whole; i++ {
			if utf8.RuneStart(d.raw[i]) && !utf8.FullRune(d.raw[i:]) {
				whole = i
				break
			}
		}
	}
	text := d.raw[:whole]
	if !utf8.Valid(text) {
		text = d.narrow(text)
	}
	d.out = append(d.out[:0:0], text...)
	d.raw = append(d.raw[:0], d.raw[whole:]...)
}

// narrow reads the bytes that are no UTF-8 as Windows-1252.
func (d *decoder) narrow(text []byte) []byte {
	d.tell(saidLatin)
	out := make([]byte, 0, len(text)+len(text)/8)
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if r == utf8.RuneError && size == 1 {
			r = charmap.Windows1252.DecodeByte(text[0])
		}
		out = utf8.AppendRune(out, r)
		text = text[size:]
	}
	return out
}

// fillWide decodes UTF-16.
func (d *decoder) fillWide() {
	units := make([]uint16, 0, len(d.raw)/2)
	i := 0
	for ; i+1 < len(d.raw); i += 2 {
		u := uint16(d.raw[i]) | uint16(d.raw[i+1])<<8
		if d.big {
			u = uint16(d.raw[i])<<8 | uint16(d.raw[i+1])
		}
		units = append(units, u)
	}
	if n := len(units); d.end == nil && n > 0 && utf16.IsSurrogate(rune(units[n-1])) && units[n-1] < 0xdc00 {
		units, i = units[:n-1], i-2 // its other half comes next
	}
	d.raw = append(d.raw[:0], d.raw[i:]...)
	if d.end != nil {
		d.raw = nil // half of a character
	}
	d.out = []byte(string(utf16.Decode(units)))
}
