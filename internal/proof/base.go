package proof

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sort"
)

// The base is a head, an index with the first key and the mark of every page, and
// pages of entries in the order of their keys. A page is read and checked when
// something on it is first asked for.
//
//	magic 8 | pages 4 | entries 8 | records 8 | mark 32 | index 32 each | pages
const (
	baseMagic  = "stmprf02"
	entrySize  = 32
	pageOf     = 32 // entries: more take longer to check, fewer make a longer index
	pageBytes  = pageOf * entrySize
	indexSize  = 32 // a key and half a mark
	headSize   = len(baseMagic) + 4 + 8 + 8 + 32
	mostPages  = 1 << 24
	keptPages  = 8192 // in memory, 8 MiB: a page that is read again costs a few microseconds
	valueBegin = 16
)

type base struct {
	path  string
	file  *os.File // nil is an empty base
	info  fs.FileInfo
	index []byte
	count int64 // entries
	sound int64 // of them, records that were verified
	pages map[int][]byte
	book  *Book
}

func openBase(path string, b *Book) (*base, error) {
	out := &base{path: path, book: b}
	file, err := os.Open(path)
	if err != nil {
		return out, readable(err)
	}
	if err := out.open(file); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return out, nil
}

func (s *base) open(file *os.File) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	var head [headSize]byte
	if _, err := io.ReadFull(file, head[:]); err != nil || string(head[:len(baseMagic)]) != baseMagic {
		return edited(s.path)
	}
	pages := int64(binary.BigEndian.Uint32(head[len(baseMagic):]))
	s.count = int64(binary.BigEndian.Uint64(head[len(baseMagic)+4:]))
	s.sound = int64(binary.BigEndian.Uint64(head[len(baseMagic)+12:]))
	if pages > mostPages || (s.count+pageOf-1)/pageOf != pages ||
		info.Size() != int64(headSize)+pages*indexSize+s.count*entrySize {
		return edited(s.path)
	}
	s.index = make([]byte, pages*indexSize)
	if _, err := io.ReadFull(file, s.index); err != nil {
		return err
	}
	if !s.book.seal.Is(head[headSize-32:], "proof base", s.book.name, head[:headSize-32], s.index) {
		return edited(s.path)
	}
	s.file, s.info, s.pages = file, info, make(map[int][]byte)
	return nil
}

func (s *base) close() {
	if s.file != nil {
		_ = s.file.Close() // it was only read
	}
}

func (s *base) size() int64 { return s.count * entrySize }

// replaced reports whether another base stands in its place now.
func (s *base) replaced() bool {
	info, err := os.Stat(s.path)
	if err != nil {
		return s.file != nil
	}
	return s.file == nil || !os.SameFile(info, s.info)
}

// page returns the entries of a page.
func (s *base) page(n int) ([]byte, error) {
	if p := s.pages[n]; p != nil {
		return p, nil
	}
	size := min(pageBytes, s.size()-int64(n)*pageBytes)
	p := make([]byte, size)
	at := int64(headSize) + int64(len(s.index)) + int64(n)*pageBytes
	if _, err := s.file.ReadAt(p, at); err != nil {
		return nil, err
	}
	if !s.book.seal.Is(
		s.index[n*indexSize+valueBegin:(n+1)*indexSize], "proof page", s.book.name,
		binary.BigEndian.AppendUint32(nil, uint32(n)), p,
	) {
		return nil, edited(s.path)
	}
	if len(s.pages) >= keptPages {
		clear(s.pages)
	}
	s.pages[n] = p
	return p, nil
}

// find looks for a key.
func (s *base) find(k key) (Sum, bool, error) {
	pages := len(s.index) / indexSize
	n := sort.Search(pages, func(i int) bool { return bytes.Compare(s.index[i*indexSize:][:len(k)], k[:]) > 0 }) - 1
	if n < 0 {
		return Sum{}, false, nil
	}
	p, err := s.page(n)
	if err != nil {
		return Sum{}, false, err
	}
	sum, found := within(p, k)
	return sum, found, nil
}

func within(p []byte, k key) (Sum, bool) {
	n := len(p) / entrySize
	low, high := 0, n
	for low < high {
		at := (low + high) / 2
		e := p[at*entrySize:]
		switch c := bytes.Compare(k[:], e[:len(k)]); {
		case c == 0:
			return Sum{binary.BigEndian.Uint64(e[valueBegin:]), binary.BigEndian.Uint64(e[valueBegin+8:])}, true
		case c < 0:
			high = at
		default:
			low = at + 1
		}
	}
	return Sum{}, false
}

// write makes a base of this one and of what the book's tail said.
func (s *base) write(path string, b *Book) (err error) {
	fresh := make(map[key]Sum, len(b.sound)+len(b.said))
	for k := range b.sound {
		fresh[k] = Sum{}
	}
	for k, sum := range b.said {
		fresh[k] = sum
	}
	out := make([]byte, 0, s.size()+int64(len(fresh))*entrySize)
	for n := range len(s.index) / indexSize {
		p, err := s.page(n)
		if err != nil {
			return err
		}
		for ; len(p) > 0; p = p[entrySize:] {
			if _, newer := fresh[key(p[:16])]; !newer {
				out = append(out, p[:entrySize]...)
			}
		}
		delete(s.pages, n)
	}
	for k, sum := range fresh {
		out = append(out, k[:]...)
		out = binary.BigEndian.AppendUint64(out, sum[0])
		out = binary.BigEndian.AppendUint64(out, sum[1])
	}
	entries := make([][entrySize]byte, len(out)/entrySize)
	for i := range entries {
		entries[i] = [entrySize]byte(out[i*entrySize:])
	}
	slices.SortFunc(entries, func(x, y [entrySize]byte) int { return bytes.Compare(x[:16], y[:16]) })
	for i := range entries {
		copy(out[i*entrySize:], entries[i][:])
	}
	return replace(path, func(f *os.File) error { return errors.Join(writeBase(f, b, out), f.Sync()) }) // it is seldom
}

func writeBase(w io.Writer, b *Book, entries []byte) error {
	count := len(entries) / entrySize
	pages := (count + pageOf - 1) / pageOf
	head := []byte(baseMagic)
	head = binary.BigEndian.AppendUint32(head, uint32(pages))
	head = binary.BigEndian.AppendUint64(head, uint64(count))
	sound := uint64(0)
	for at := idPart; at < len(entries); at += entrySize {
		if entries[at] == soundMark {
			sound++
		}
	}
	head = binary.BigEndian.AppendUint64(head, sound)
	var index []byte
	for n := range pages {
		page := entries[n*pageBytes : min((n+1)*pageBytes, len(entries))]
		m := b.seal.Mark("proof page", b.name, binary.BigEndian.AppendUint32(nil, uint32(n)), page)
		index = append(append(index, page[:valueBegin]...), m[:indexSize-valueBegin]...)
	}
	m := b.seal.Mark("proof base", b.name, head, index)
	for _, part := range [][]byte{head, m[:], index, entries} {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return nil
}

// replace puts a file in the place of another in one step.
func replace(path string, fill func(*os.File) error) error {
	if err := os.MkdirAll(filepath.Dir(path), dirMode); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".new-*") // with mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	if err := errors.Join(fill(tmp), tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}
