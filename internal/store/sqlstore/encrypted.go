package sqlstore

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/stemma-memory/stemma/internal/atrest"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/codec"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
)

// Key returns the key that the store's file is encrypted with, nil for none.
func (s *Store) Key() *atrest.Key { return s.key }

// plainSize is how long a file is for SQLite. It is 0 where there is none.
func plainSize(path string, info fs.FileInfo) (int64, error) {
	if info == nil || info.Size() == 0 {
		return 0, nil
	}
	if info.Size() != atrest.HeadSize { // only what was begun and not made is as short as its head
		return info.Size(), nil
	}
	key, err := atrest.KeyOf(path)
	if err != nil || key == nil {
		return info.Size(), err
	}
	return codec.PlainSize(info.Size()), nil
}

// sealedHead reads the head that SQLite would see of an encrypted file, and its length for SQLite.
func sealedHead(f *os.File, path string, length int) (head []byte, size int64, err error) {
	key, err := atrest.KeyOf(path)
	if err != nil || key == nil {
		return nil, 0, errors.Join(err, io.ErrUnexpectedEOF)
	}
	r, err := codec.NewReader(f, key)
	if err != nil {
		return nil, 0, err
	}
	head = make([]byte, length)
	_, err = r.ReadAt(head, 0)
	return head, r.Size(), err
}

// likeAnother begins a file that is to be encrypted as another is.
func (s *Store) likeAnother(path string) error {
	if s.like == "" {
		return nil
	}
	key, err := atrest.KeyOf(s.like)
	if err != nil || key == nil {
		return err
	}
	if info, err := os.Stat(path); err == nil && info.Size() > 0 {
		return nil
	}
	h, err := atrest.ReadHead(s.like)
	if err != nil {
		return err
	}
	head, err := h.Bytes()
	if err != nil {
		return err
	}
	return os.WriteFile(path, head, session.FilePerm)
}

// encrypted returns what writes the pages of a copy: encrypted as the store is.
func (s *Store) encrypted(f *os.File) (io.Writer, error) {
	key := s.Key()
	if key == nil {
		return f, nil
	}
	h, err := atrest.ReadHead(s.name)
	if err != nil {
		return nil, err
	}
	return codec.NewWriter(f, key, h)
}
