package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"strings"

	"github.com/stemma-memory/stemma/internal/atrest"
)

// A Line is one line of a journal.
type Line struct {
	ID   string
	JSON []byte // the whole object, its id included, without the line's end
}

// All returns the lines there are when it begins, newest first. A line that is
// torn or was not written by Append is passed over and counted, see Passed. A
// file that cannot be read is one error, and the other file is still read; no
// file at all is an empty journal.
func (f *File) All() iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		passed := int64(0)
		defer func() { f.passed.Store(passed) }()
		for raw, err := range f.Texts() {
			if err != nil {
				if !yield(Line{}, err) {
					return
				}
				continue
			}
			line, ok := parse(raw)
			if !ok {
				passed++
				continue
			}
			if !yield(line, nil) {
				return
			}
		}
	}
}

// Texts returns the lines as they are, newest first, for a reader who knows by a part of
// a line whether it needs the rest. It gives lines that are torn or of others, too.
func (f *File) Texts() iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		texts, err := f.read()
		if err != nil && !yield(nil, fmt.Errorf("journal %s: %w", f.path, err)) {
			return
		}
		for _, text := range texts {
			for len(text) > 0 {
				// what follows the last line's end is a line without one
				whole := text[len(text)-1] == '\n'
				text = bytes.TrimSuffix(text, []byte{'\n'})
				start := bytes.LastIndexByte(text, '\n') + 1
				raw := text[start:len(text):len(text)]
				text = text[:start]
				switch {
				case len(raw) == 0:
					continue
				case !whole:
					raw = nil // it is torn, and no line
				}
				if raw, err = atrest.UnsealLine(raw); err != nil {
					continue // it is another store's, and no one can read it here
				}
				if !yield(raw, nil) {
					return
				}
			}
		}
	}
}

// Find returns the lines whose ids begin with idPrefix, newest first, and with an
// error those that could be read.
func (f *File) Find(idPrefix string) ([]Line, error) {
	var found []Line
	var wrong error
	for line, err := range f.All() {
		switch {
		case err != nil:
			wrong = err
		case strings.HasPrefix(line.ID, idPrefix):
			line.JSON = bytes.Clone(line.JSON) // not to hold on to the whole file
			found = append(found, line)
		}
	}
	return found, wrong
}

// Passed says how many lines the last reading that ended passed over.
func (f *File) Passed() int { return int(f.passed.Load()) }

// parse reads a line as Append writes it.
func parse(raw []byte) (Line, bool) {
	var head struct{ ID string }
	if !bytes.HasPrefix(raw, []byte(`{"id":"`)) || json.Unmarshal(raw, &head) != nil || head.ID == "" {
		return Line{}, false
	}
	return Line{ID: head.ID, JSON: raw}, true
}

// mostTries bounds how often files that are renamed while they are opened are
// opened again.
const mostTries = 10

// read returns the texts of both files, the newer first, as they were at one time.
func (f *File) read() (texts [][]byte, wrong error) {
	for try := 1; ; try++ {
		newer, info, newerErr := openPlain(f.path, os.O_RDONLY)
		older, _, olderErr := openPlain(f.path+olderSuffix, os.O_RDONLY)
		// After renames in between, the older may be later than the newer. If
		// they do not end, the newer alone has to do.
		same := newerErr != nil && !errors.Is(newerErr, fs.ErrNotExist) || f.still(info)
		if same || try == mostTries {
			texts, wrong = readInto(texts, wrong, newer, newerErr)
			if same {
				texts, wrong = readInto(texts, wrong, older, olderErr)
			}
		}
		newer.Close() // of a nil file does nothing
		older.Close()
		if same || try == mostTries {
			return texts, wrong
		}
	}
}

// still reports that the newer file is the one of info, which is nil for none.
func (f *File) still(info fs.FileInfo) bool {
	now, err := os.Lstat(f.path)
	if info == nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	return err == nil && os.SameFile(info, now)
}

// readInto adds the text of a file, or what is wrong with it, if there is one.
func readInto(texts [][]byte, wrong error, file *os.File, err error) ([][]byte, error) {
	if errors.Is(err, fs.ErrNotExist) {
		return texts, wrong
	}
	if err != nil {
		return texts, errors.Join(wrong, err)
	}
	text, err := io.ReadAll(file)
	return append(texts, text), errors.Join(wrong, err)
}
