package vec

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
)

const (
	lockSuffix = ".lock" // beside the file, which is replaced now and then
	newSuffix  = ".new"
)

// Write makes the file again, of all vectors that all gives, and puts it in the
// place of what is there at once and for good. Readers go on with what they
// have opened. Of several vectors under one key it keeps the last. It fails
// with ErrBusy while there is a Writer.
func Write(path string, h Header, mark uint64, all iter.Seq2[Vector, error]) error {
	lock, err := tryLock(path + lockSuffix)
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	defer lock.Close()
	err = replace(path, h, mark, func(b *batch) error {
		for v, err := range all {
			if err != nil {
				return err
			}
			if err := b.put(v); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// replace puts a new file of one batch, which fill puts its vectors in, in the
// place of path. It is called with the lock held.
func replace(path string, h Header, mark uint64, fill func(*batch) error) (err error) {
	x, err := New(h)
	if err != nil {
		return err
	}
	temp := path + newSuffix
	if err := os.Remove(temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	file, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			file.Close() // a second time does no harm
			os.Remove(temp)
		}
	}()
	if _, err := file.Write(h.encode()); err != nil {
		return err
	}
	b := &batch{x: x, mark: mark, write: func(block []byte) error {
		_, err := file.Write(block)
		return err
	}}
	if err := fill(b); err != nil {
		return err
	}
	if err := b.flush(false); err != nil {
		return err
	}
	if err := file.Sync(); err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	if err := os.Rename(temp, path); err != nil {
		return err
	}
	return syncDir(filepath.Dir(path))
}

// A Writer brings a file up to date. There is one at a time; readers need not
// wait for it. It is not safe for concurrent use.
type Writer struct {
	path string
	lock *os.File
	file *os.File
	x    *Index
	end  int64
	err  error // after which nothing is known of the file
}

// Edit begins to write to a file, which it makes if there is none. It cuts off
// what an earlier writer has not finished. It fails with ErrBusy while there is
// another Writer, and like Open.
func Edit(path string, want Header) (*Writer, error) {
	lock, err := tryLock(path + lockSuffix)
	if err != nil {
		return nil, fmt.Errorf("edit %s: %w", path, err)
	}
	w := &Writer{path: path, lock: lock}
	if err := w.begin(want); err != nil {
		lock.Close()
		return nil, fmt.Errorf("edit %s: %w", path, err)
	}
	return w, nil
}

func (w *Writer) begin(want Header) error {
	if _, err := os.Stat(w.path); errors.Is(err, fs.ErrNotExist) {
		if err := replace(w.path, want, 0, func(*batch) error { return nil }); err != nil {
			return err
		}
	}
	file, err := os.OpenFile(w.path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	x, end, err := load(file, w.path, want)
	if err != nil {
		file.Close()
		return err
	}
	if x.info.Size() > end {
		if err := file.Truncate(end); err != nil {
			return errors.Join(err, x.Close(), file.Close())
		}
	}
	w.file, w.x, w.end = file, x, end
	return nil
}

// Mark is what the last batch said of how far the caller has come; 0 at first.
func (w *Writer) Mark() uint64 { return w.x.Mark() }

// Worn says whether Compact would make a difference worth its time.
func (w *Writer) Worn() bool { return w.x.Worn() }

// Append puts vectors and drops keys, and sets the mark. When it returns nil
// all of it survives a crash of the machine; when it fails nothing of it was
// done, and after a failure to write the Writer can only be closed. A key both dropped and put is put.
//
// Append does not remove the codes of a dropped vector from the disk: Compact
// does.
func (w *Writer) Append(mark uint64, put []Vector, drop []int64) error {
	if err := w.append(mark, put, drop); err != nil {
		return fmt.Errorf("append to %s: %w", w.path, err)
	}
	return nil
}

func (w *Writer) append(mark uint64, put []Vector, drop []int64) error {
	if w.err != nil {
		return w.err
	}
	if err := w.x.fit(put); err != nil {
		return err
	}
	end := w.end
	b := &batch{x: w.x, mark: mark, drop: drop, keep: true, write: func(block []byte) error {
		if _, err := w.file.WriteAt(block, end); err != nil {
			return err
		}
		end += int64(len(block))
		return w.file.Sync()
	}}
	if err := b.fill(put); err != nil {
		w.err = errors.Join(err, w.file.Truncate(w.end))
		return w.err
	}
	w.end = end
	return nil
}

// Compact makes the file again of what is in it, without what was dropped or
// replaced.
func (w *Writer) Compact() error {
	if err := w.compact(); err != nil {
		return fmt.Errorf("compact %s: %w", w.path, err)
	}
	return nil
}

func (w *Writer) compact() error {
	if w.err != nil {
		return w.err
	}
	h := w.x.header
	err := replace(w.path, h, w.x.mark, func(b *batch) error { return w.x.each(b.add) })
	if err != nil {
		return err
	}
	w.err = errors.Join(w.x.Close(), w.file.Close())
	if w.err == nil {
		w.err = w.begin(h)
	}
	return w.err
}

// Close lets others write.
func (w *Writer) Close() error {
	return errors.Join(w.x.Close(), w.file.Close(), w.lock.Close())
}
