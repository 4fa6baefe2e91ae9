package codec

import (
	"errors"
	"io"
	"os"
	"strings"

	"golang.org/x/crypto/chacha20poly1305"

	"github.com/stemma-memory/stemma/internal/atrest"
	lib "modernc.org/sqlite/lib"
)

// A Reader reads a file of an encrypted store as SQLite would, without SQLite: the main file, or
// by its name the log or the journal. What is damaged is read as zeros.
type Reader struct {
	contents
	f    *os.File
	full int64
	at   int64
}

// NewReader returns a reader of a file, which stays the caller's to close.
func NewReader(f *os.File, k *atrest.Key) (*Reader, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	flags := int32(lib.SQLITE_OPEN_MAIN_DB)
	switch {
	case strings.HasSuffix(f.Name(), "-wal"):
		flags = lib.SQLITE_OPEN_WAL
	case strings.HasSuffix(f.Name(), "-journal"):
		flags = lib.SQLITE_OPEN_MAIN_JOURNAL
	}
	c, err := contentsOf(k, flags)
	return &Reader{contents: c, f: f, full: info.Size()}, err
}

func contentsOf(k *atrest.Key, flags int32) (contents, error) {
	v := &vfs{}
	var err error
	if v.pages, err = k.Sub("pages", chacha20poly1305.KeySize); err != nil {
		return nil, err
	}
	if v.reused, err = k.Sub("journals", xtsKey); err != nil {
		return nil, err
	}
	return newContents(v, flags, make([]byte, pageRecord))
}

// Size is how long the file is for SQLite.
func (r *Reader) Size() int64 { return r.plainSize(r.full) }

// ReadAt is io.ReaderAt.
func (r *Reader) ReadAt(p []byte, off int64) (n int, err error) {
	for size := r.Size(); n < len(p) && off < size; {
		part := p[n:min(len(p), n+int(min(size-off, pageSize-off%pageSize)))]
		if _, err := r.readAt(plainFile{r.f}, part, off); errors.Is(err, errData) {
			clear(part)
		} else if err != nil {
			return n, err
		}
		n, off = n+len(part), off+int64(len(part))
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// Read is io.Reader.
func (r *Reader) Read(p []byte) (int, error) {
	n, err := r.ReadAt(p, r.at)
	if r.at += int64(n); n > 0 {
		err = nil
	}
	return n, err
}

// PlainSize is how long a main file of a size is for SQLite.
func PlainSize(full int64) int64 { return mainLayout{}.plainSize(full) }

// A Writer writes the pages of a main file, one after the other, behind a head.
type Writer struct {
	contents
	f  *os.File
	at int64
}

// NewWriter writes a head into an empty file, and returns what writes its pages. Each write is of
// whole pages.
func NewWriter(f *os.File, k *atrest.Key, h *atrest.Head) (*Writer, error) {
	head, err := h.Bytes()
	if err != nil {
		return nil, err
	}
	if _, err := f.Write(head); err != nil {
		return nil, err
	}
	c, err := contentsOf(k, lib.SQLITE_OPEN_MAIN_DB)
	return &Writer{contents: c, f: f}, err
}

// Write is io.Writer.
func (w *Writer) Write(p []byte) (int, error) {
	if err := w.writeAt(plainFile{w.f}, p, w.at); err != nil {
		return 0, err
	}
	w.at += int64(len(p))
	return len(p), nil
}

// plainFile is a file of the system's.
type plainFile struct{ f *os.File }

func (f plainFile) read(p []byte, at int64) (short bool, err error) {
	n, err := f.f.ReadAt(p, at)
	clear(p[n:])
	if errors.Is(err, io.EOF) {
		return true, nil
	}
	return false, err
}

func (f plainFile) write(p []byte, at int64) error {
	_, err := f.f.WriteAt(p, at)
	return err
}
