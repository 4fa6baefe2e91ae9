package intake

import (
	"io"
	"os"
)

// Rewindable returns r as something that can be read twice: itself if it is a
// file, otherwise a copy in a temporary file. Done gives the copy back.
func Rewindable(r io.Reader) (_ io.ReadSeeker, done func(), err error) {
	if s, ok := r.(io.ReadSeeker); ok {
		if _, err := s.Seek(0, io.SeekCurrent); err == nil {
			return s, func() {}, nil
		}
	}
	f, err := os.CreateTemp("", "stemma-import-*")
	if err != nil {
		return nil, nil, err
	}
	// Where a file can lose its name while it is open, nothing is left behind
	// by a sequence that no one goes through; elsewhere done removes it.
	gone := os.Remove(f.Name()) == nil
	done = func() {
		f.Close()
		if !gone {
			os.Remove(f.Name())
		}
	}
	if _, err = io.Copy(f, r); err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		done()
		return nil, nil, err
	}
	return f, done, nil
}
