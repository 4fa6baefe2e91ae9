// Package journal keeps a bounded local file of JSON lines.
//
// It is for what is worth looking up and not worth waiting for, such as the
// receipts of searches: a line is one write and no fsync, so a crash of the
// machine may take the newest ones, and the oldest go when the bound is reached.
package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/stemma-memory/stemma/internal/atrest"
)

const (
	dirMode  = 0o700
	fileMode = 0o600

	olderSuffix = ".1"    // of the file that was full
	lockSuffix  = ".lock" // of the file whose lock guards the bound

	// defaultPatience is how long Append waits for other writers, each of which
	// needs a fraction of a millisecond. Beyond it one of them is stopped.
	defaultPatience = time.Second
	firstWait       = 50 * time.Microsecond
	mostWait        = time.Millisecond
)

// ErrBusy is what Append fails with when another process holds the lock and
// does not give it back, and there is no room without it.
var ErrBusy = errors.New("another process holds its lock")

// A File is a journal. It is safe between goroutines and, where files can be
// locked, between processes.
type File struct {
	Key *atrest.Key // lines are sealed with it; nil leaves them readable

	path     string
	most     int64
	patience time.Duration
	mu       sync.Mutex // one writer of this process at a time
	passed   atomic.Int64
}

// Open names a journal of at most most bytes and touches nothing: the file, and
// its directory if there is none, are made by the first Append. Most 0 is a
// journal that keeps nothing.
//
// Half of the bytes are for the file at path and half for path+".1", which
// holds what came before. What was written under a larger bound stays until
// newer lines have pushed it out.
func Open(path string, most int64) *File {
	return &File{path: path, most: max(most, 0), patience: defaultPatience}
}

// Append adds one line: the object that v is in JSON, with id as its first
// member. It refuses a v that is no object or has an id of its own, and a line
// longer than a quarter of the bound. It returns before the line is safe from a
// crash of the machine, but not before other processes can read it. It waits for
// other writers, a second at most: then it writes beside them if there is room,
// and else fails with ErrBusy.
func (f *File) Append(id string, v any) error {
	if f.most == 0 {
		return nil
	}
	line, err := encode(id, v)
	if err == nil && f.Key != nil {
		if line, err = f.Key.SealLine(id, line[:len(line)-1]); err == nil {
			line = append(line, '\n')
		}
	}
	if err == nil && int64(len(line)) > f.most/4 {
		err = fmt.Errorf("a line of %d bytes is more than a quarter of %d", len(line), f.most)
	}
	if err == nil {
		f.mu.Lock()
		err = f.write(line)
		f.mu.Unlock()
	}
	if err != nil {
		return fmt.Errorf("journal %s: %w", f.path, err)
	}
	return nil
}

func encode(id string, v any) ([]byte, error) {
	if id == "" {
		return nil, errors.New("a line without an id")
	}
	name, err := json.Marshal(id)
	if err != nil {
		return nil, err
	}
	object, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	if object[0] != '{' {
		return nil, fmt.Errorf("line %s is no object", id)
	}
	if mayHaveID(object) {
		var own struct{ ID *json.RawMessage }
		if err := json.Unmarshal(object, &own); err != nil {
			return nil, err
		}
		if own.ID != nil {
			return nil, fmt.Errorf("line %s has an id of its own", id)
		}
	}
	line := append([]byte(`{"id":`), name...)
	if !bytes.Equal(object, []byte("{}")) {
		line = append(line, ',')
	}
	return append(append(line, object[1:]...), '\n'), nil
}

// mayHaveID reports whether an object may have a member "id", in any case, or spelt with escapes.
func mayHaveID(object []byte) bool {
	for _, text := range []string{`"id"`, `"ID"`, `"Id"`, `"iD"`, `\u`} {
		if bytes.Contains(object, []byte(text)) {
			return true
		}
	}
	return false
}

// write makes room for a line and writes it, under the lock if it is to be had.
func (f *File) write(line []byte) error {
	if err := os.MkdirAll(filepath.Dir(f.path), dirMode); err != nil {
		return err
	}
	unlock, locked, err := f.lock()
	if err != nil {
		return err
	}
	defer unlock()
	file, size, err := f.openEnd()
	if err != nil {
		return err
	}
	defer func() { file.Close() }()
	torn, err := endsTorn(file, size)
	if err != nil {
		return err
	}
	if torn {
		line = append([]byte{'\n'}, line...) // so that it does not become part of what a crash cut off
	}
	if size > 0 && size+int64(len(line)) > f.most/2 {
		if !locked {
			return ErrBusy
		}
		file.Close() // where an open file cannot be renamed
		if err := os.Rename(f.path, f.path+olderSuffix); err != nil {
			return err
		}
		if file, _, err = f.openEnd(); err != nil {
			return err
		}
	}
	_, err = file.Write(line)
	return err
}

// Lock takes the lock that guards a journal at path, for files that are kept in the
// same way. It waits for others that hold it, patience at most, and then fails with
// ErrBusy. The directory must be there.
func Lock(path string, patience time.Duration) (unlock func(), err error) {
	f := &File{path: path, patience: patience}
	unlock, locked, err := f.lock()
	if err == nil && !locked {
		err = ErrBusy
	}
	return unlock, err
}

// lock waits for the lock, but not for ever.
func (f *File) lock() (unlock func(), locked bool, err error) {
	for waited, wait := time.Duration(0), firstWait; ; wait = min(2*wait, mostWait) {
		unlock, locked, err = TryLock(f.path + lockSuffix)
		if locked || err != nil || waited >= f.patience {
			return unlock, locked, err
		}
		<-time.After(wait) // nothing tells when another process lets go
		waited += wait
	}
}

// openEnd opens the file to append to, made if there is none, for no eyes but
// its owner's.
func (f *File) openEnd() (*os.File, int64, error) {
	file, info, err := openPlain(f.path, os.O_RDWR|os.O_APPEND|os.O_CREATE)
	if err != nil {
		return nil, 0, err
	}
	if info.Mode().Perm()&^fileMode != 0 {
		if err := closeOthersOut(file); err != nil {
			file.Close()
			return nil, 0, err
		}
	}
	return file, info.Size(), nil
}

// endsTorn reports that the last line of a file has no end.
func endsTorn(file *os.File, size int64) (bool, error) {
	if size == 0 {
		return false, nil
	}
	var last [1]byte
	if _, err := file.ReadAt(last[:], size-1); err != nil && err != io.EOF {
		return false, err
	}
	return last[0] != '\n', nil
}
