package hosts

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/atrest"
	"github.com/stemma-memory/stemma/internal/engine"
)

// A Spool keeps what hooks saw while a store had no time for it, one file for each
// event, in a directory of its own for each store.
type Spool struct {
	Dir string
	// Key returns the key of the store that they wait for, with which they are sealed; nil, or a nil
	// key, leaves them readable.
	Key func() (*atrest.Key, error)
}

// seal seals what one file holds.
func (s Spool) seal(text []byte) ([]byte, error) {
	if s.Key == nil {
		return text, nil
	}
	key, err := s.Key()
	if err != nil {
		return nil, err
	}
	return key.Seal(atrest.Spool, text)
}

// readFile reads one file, with a key that is known or can be.
func (s Spool) readFile(name string) ([]byte, error) {
	text, err := os.ReadFile(filepath.Join(s.Dir, name))
	if err != nil || !atrest.IsSealed(text) {
		return text, err
	}
	if s.Key != nil {
		if _, err := s.Key(); err != nil {
			return nil, err
		}
	}
	return atrest.Unseal(atrest.Spool, text)
}

const (
	spoolSuffix = ".event"
	badSuffix   = ".bad"  // what could not be read, kept for a person to look at
	halfPrefix  = ".half" // of a file that is being written

	// A store that no one can write to for weeks does not fill a disk.
	mostSpooled      = 10_000
	mostSpooledBytes = 256 << 20
	fewSpooled       = 1_000 // which are never so many bytes

	drainBatch = 100
	halfLasts  = time.Hour
)

// ErrSpoolFull is what Put fails with when as much waits as may.
var ErrSpoolFull = errors.New("as many events wait as may")

// spooled is what stands in one file.
type spooled struct {
	V      int               `json:"v"`
	Events []engine.Observed `json:"events"`
}

// Put keeps events and returns when they are safe from a crash of the machine. ID names
// them; at is when they happened.
func (s Spool) Put(id string, at time.Time, events []engine.Observed) (err error) {
	if err := os.MkdirAll(s.Dir, 0o700); err != nil {
		return err
	}
	if n := s.Count(); n >= mostSpooled {
		return ErrSpoolFull
	} else if n >= fewSpooled {
		if _, bytes := s.Waiting(); bytes >= mostSpooledBytes {
			return ErrSpoolFull
		}
	}
	for i := range events {
		if events[i].OccurredAt == "" {
			events[i].OccurredAt = at.UTC().Format(time.RFC3339Nano)
		}
	}
	text, err := json.Marshal(spooled{V: 1, Events: events})
	if err != nil {
		return err
	}
	if text, err = s.seal(text); err != nil {
		return err
	}
	half, err := os.CreateTemp(s.Dir, halfPrefix+"-*")
	if err != nil {
		return err
	}
	_, err = half.Write(text)
	if err == nil {
		err = half.Sync()
	}
	err = errors.Join(err, half.Close())
	if err == nil {
		err = os.Rename(half.Name(), filepath.Join(s.Dir, fmt.Sprintf("%020d-%s%s", at.UnixNano(), id, spoolSuffix)))
	}
	if err != nil {
		return errors.Join(err, os.Remove(half.Name()))
	}
	return syncDir(s.Dir)
}

// syncDir makes the names in a directory safe from a crash, where that can be done.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	_ = d.Sync() // some systems cannot, and need not
	return d.Close()
}

// Count says how many files wait.
func (s Spool) Count() (files int) {
	d, err := os.Open(s.Dir)
	if err != nil {
		return 0
	}
	defer d.Close()
	names, err := d.Readdirnames(-1)
	if err != nil {
		return 0
	}
	for _, name := range names {
		if strings.HasSuffix(name, spoolSuffix) {
			files++
		}
	}
	return files
}

// Waiting says how many files wait, and how many bytes they take.
func (s Spool) Waiting() (files int, bytes int64) {
	list, err := os.ReadDir(s.Dir)
	if err != nil {
		return 0, 0
	}
	for _, f := range list {
		if !strings.HasSuffix(f.Name(), spoolSuffix) {
			continue
		}
		files++
		if info, err := f.Info(); err == nil {
			bytes += info.Size()
		}
	}
	return files, bytes
}

// Drain hands what waits to observe, the oldest first, at most most files or all for
// 0. A file goes only after observe has kept what is in it; whoever is stopped in
// between hands it over again, which observe does not keep twice. What cannot be
// read, or is refused as no event, is put aside and is an error at the end.
func (s Spool) Drain(
	ctx context.Context, most int, observe func(context.Context, []engine.Observed) error,
) (drained int, err error) {
	list, err := os.ReadDir(s.Dir) // sorted by name, and so by time
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	var names []string
	for _, f := range list {
		if strings.HasSuffix(f.Name(), spoolSuffix) {
			names = append(names, f.Name())
		} else if strings.HasPrefix(f.Name(), halfPrefix) {
			s.dropHalf(f)
		}
	}
	if most > 0 && len(names) > most {
		names = names[:most]
	}
	var bad error
	for len(names) > 0 {
		n := min(len(names), drainBatch)
		kept, err := s.drain(ctx, names[:n], observe)
		if errors.Is(err, api.ErrInvalid) && n > 1 { // one of them: which?
			for _, name := range names[:n] {
				one, err := s.drain(ctx, []string{name}, observe)
				drained += one
				if errors.Is(err, api.ErrInvalid) {
					err = s.aside(name, err)
					bad = errors.Join(bad, err)
				} else if err != nil {
					return drained, errors.Join(bad, err)
				}
			}
			names = names[n:]
			continue
		}
		drained += kept
		if errors.Is(err, api.ErrInvalid) {
			err = s.aside(names[0], err)
			bad = errors.Join(bad, err)
		} else if err != nil {
			return drained, errors.Join(bad, err)
		}
		names = names[n:]
	}
	return drained, bad
}

// leastSaid is how long words are, in bytes, that are looked for within others.
const leastSaid = 12

// says reports whether an event says the words of something: the same, or one within the
// other where that is no matter of chance.
func says(text, words string) bool {
	text, words = strings.TrimSpace(text), strings.TrimSpace(words)
	switch {
	case text == "" || words == "":
		return false
	case text == words:
		return true
	}
	return len(words) >= leastSaid && strings.Contains(text, words) || len(text) >= leastSaid &&
		strings.Contains(words, text)
}

// Forget drops the events that say the words of what was purged: drained, they would
// bring them back. It drops what was put aside, too.
func (s Spool) Forget(words []string) error {
	return s.each(func(name string) error {
		return s.forgetIf(name, func(text string) bool {
			return slices.ContainsFunc(words, func(w string) bool { return says(text, w) })
		}, func(text []byte) bool {
			return slices.ContainsFunc(words, func(w string) bool { return holds(text, w) })
		})
	})
}

// each does something to each file that waits or was put aside.
func (s Spool) each(do func(name string) error) error {
	list, err := os.ReadDir(s.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, f := range list {
		name := strings.TrimSuffix(f.Name(), badSuffix)
		if !strings.HasSuffix(name, spoolSuffix) && !strings.HasPrefix(name, halfPrefix) {
			continue
		}
		err = errors.Join(err, do(f.Name()))
	}
	return err
}

// forgetIf drops the events of a file of which gone says so, or the file if it cannot be read and half says so; nil is
// what gone says of its bytes.
func (s Spool) forgetIf(name string, gone func(text string) bool, half func(text []byte) bool) error {
	path := filepath.Join(s.Dir, name)
	text, err := s.readFile(name)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, atrest.ErrSealed) {
		return nil // another process has taken it in, or it is another store's
	}
	if err != nil {
		return err
	}
	var in spooled
	if json.Unmarshal(text, &in) != nil { // nobody can take it in
		if half != nil && !half(text) || half == nil && !gone(string(text)) {
			return nil
		}
		return os.Remove(path)
	}
	stays := slices.DeleteFunc(
		slices.Clone(in.Events), func(o engine.Observed) bool { return gone(o.Text) || o.Caption != "" && gone(o.Caption) },
	)
	if len(stays) == len(in.Events) {
		return nil
	}
	at, id, _ := strings.Cut(strings.TrimSuffix(strings.TrimSuffix(name, badSuffix), spoolSuffix), "-")
	nanos, err := strconv.ParseInt(at, 10, 64)
	if len(stays) == 0 || err != nil { // or it is half of a file
		return os.Remove(path)
	}
	if err := s.Put(id, time.Unix(0, nanos), stays); err != nil || !strings.HasSuffix(name, badSuffix) {
		return err // it has taken the place of the file
	}
	return os.Remove(path)
}

// holds reports whether words stand in a text that may be JSON.
func holds(text []byte, words string) bool {
	escaped, err := json.Marshal(words)
	return len(words) >= leastSaid && bytes.Contains(text, []byte(words)) ||
		err == nil && len(words) >= leastSaid && bytes.Contains(text, escaped[1:len(escaped)-1])
}

// dropHalf takes away what a process left that died while it wrote.
func (s Spool) dropHalf(f fs.DirEntry) {
	if info, err := f.Info(); err == nil && time.Since(info.ModTime()) > halfLasts {
		_ = os.Remove(filepath.Join(s.Dir, f.Name()))
	}
}

func (s Spool) aside(name string, why error) error {
	path := filepath.Join(s.Dir, name)
	if err := os.Rename(path, path+badSuffix); err != nil {
		return err
	}
	return fmt.Errorf("%s is put aside: %w", path+badSuffix, why)
}

// drain hands over some files at once. One that another process has handed over
// meanwhile is gone.
func (s Spool) drain(
	ctx context.Context, names []string, observe func(context.Context, []engine.Observed) error,
) (int, error) {
	var events []engine.Observed
	var read []string
	for _, name := range names {
		text, err := s.readFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return 0, err
		}
		var in spooled
		if json.Unmarshal(text, &in) != nil || in.V != 1 {
			return 0, api.Invalid("it holds no event")
		}
		events, read = append(events, in.Events...), append(read, name)
	}
	if err := observe(ctx, events); err != nil {
		return 0, err
	}
	for _, name := range read {
		if err := os.Remove(filepath.Join(s.Dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return 0, err
		}
	}
	return len(read), nil
}

// Drop drops the events of which gone says so, by their words or by what a picture sent with them shows.
func (s Spool) Drop(gone func(text string) bool) error {
	return s.each(func(name string) error { return s.forgetIf(name, gone, nil) })
}
