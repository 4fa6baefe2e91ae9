package project

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/stemma-memory/stemma/internal/durable"
	"github.com/stemma-memory/stemma/internal/journal"
)

const (
	// File is the name of the book in the data directory.
	File = "projects.json"

	version  = 1
	dirMode  = 0o700
	waiting  = 2 * time.Second // for others who write the book
	beginsBy = `{"version":1,"projects":[` + "\n"
	endsBy   = "\n]}\n"
)

// file is what is on the disk: one project on a line, so that one can be read without the others.
type file struct {
	Version  int       `json:"version"`
	Projects []Project `json:"projects"`
}

// Read reads the book of a data directory, an empty one where there is none. A damaged book is an error.
func Read(dataDir string) (*Book, error) {
	text, err := text(dataDir)
	if err != nil {
		return nil, err
	}
	return parseBook(dataDir, text)
}

// text is the book as it is on the disk.
func text(dataDir string) ([]byte, error) {
	text, err := os.ReadFile(filepath.Join(dataDir, File))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the list of your projects: %w", err)
	}
	if len(text) == 0 {
		text = []byte(" ") // an empty file is no book
	}
	return text, nil
}

func parseBook(dataDir string, text []byte) (*Book, error) {
	if text == nil {
		return &Book{}, nil
	}
	var f file
	err := json.Unmarshal(text, &f)
	if err == nil && f.Version != version {
		err = fmt.Errorf("version %d is unknown", f.Version)
	}
	for _, p := range f.Projects {
		if err == nil && p.Space == "" {
			err = errors.New("a project has no space")
		}
	}
	if err != nil {
		return nil, fmt.Errorf("the list of your projects, %s, is damaged (%w): restore it from a backup, "+
			"or move it away to begin another", filepath.Join(dataDir, File), err)
	}
	return &Book{f.Projects}, nil
}

// Change reads the book, changes it and writes it, while no one else does. Nothing is written where do
// returns an error or changes nothing.
func Change(dataDir string, do func(*Book) error) (err error) {
	if err := os.MkdirAll(dataDir, dirMode); err != nil {
		return err
	}
	path := filepath.Join(dataDir, File)
	unlock, err := journal.Lock(path, waiting)
	if err != nil {
		return fmt.Errorf("the list of your projects: %w", err)
	}
	defer unlock()
	was, err := text(dataDir)
	if err != nil {
		return err
	}
	b, err := parseBook(dataDir, was)
	if err != nil {
		return err
	}
	if err := do(b); err != nil {
		return err
	}
	now, err := b.written()
	if err != nil || bytes.Equal(was, now) || was == nil && len(b.Projects) == 0 {
		return err
	}
	return replace(path, now)
}

// written is the text of a book.
func (b *Book) written() ([]byte, error) {
	var out bytes.Buffer
	out.WriteString(beginsBy)
	for i, p := range b.Projects {
		line, err := json.Marshal(p)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			out.WriteString(",\n")
		}
		out.Write(line)
	}
	out.WriteString(endsBy)
	return out.Bytes(), nil
}

// replace puts a text in the place of a file, whole or not at all.
func replace(path string, text []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+File+"-*") // with mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // gone already when all went well
	_, err = f.Write(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return durable.Rename(f.Name(), path)
}

// stamped returns the project with a stamp of a directory, without reading the others. It finds nothing in a
// book that another hand has written.
func stamped(text []byte, dir string) (p Project, s Stamp, ok bool) {
	name, err := json.Marshal(dir)
	if err != nil || !bytes.HasPrefix(text, []byte(beginsBy)) || !bytes.HasSuffix(text, []byte(endsBy)) {
		return p, s, false
	}
	at := bytes.Index(text, append([]byte(`{"dir":`), name...))
	if at < 0 {
		return p, s, false
	}
	line := text[bytes.LastIndexByte(text[:at], '\n')+1:]
	if end := bytes.IndexByte(line, '\n'); end >= 0 {
		line = line[:end]
	}
	if json.Unmarshal(bytes.TrimSuffix(line, []byte(",")), &p) != nil || p.Space == "" {
		return Project{}, s, false
	}
	for _, s := range p.Stamps {
		if s.Dir == dir {
			return p, s, true
		}
	}
	return Project{}, s, false
}
