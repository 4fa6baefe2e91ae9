package gone

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/live"
	"github.com/stemma-memory/stemma/internal/probes"
	"github.com/stemma-memory/stemma/internal/store"
)

// A sifting is one search of all tables and files for probes.
type sifting struct {
	set    probes.Set
	all    *probes.Search // those found anywhere but in other stores
	in     map[string]bool
	others map[string]bool // files of other stores in which some were found
	tables map[string]bool
	files  map[string]bool
	bytes  int64
}

func (s *sifting) found() int { return s.all.Found() }

// places are where probes were found.
func (s *sifting) places() []string { return slices.Sorted(maps.Keys(s.in)) }

// sift looks for probes in every table and file of the stores, and in every file of the data directory and the cache:
// what waits, receipts, vectors, notes of conversations. But is a file that is left out.
func (e *Gone) sift(ctx context.Context, set probes.Set, but string) (*sifting, error) {
	s := &sifting{
		set: set, all: probes.NewSearch(set), in: make(map[string]bool), others: make(map[string]bool),
		tables: make(map[string]bool), files: make(map[string]bool),
	}
	own := make(map[string]bool)
	for _, one := range e.stores() {
		d, ok := core.Inside(one).(store.Database)
		if !ok {
			continue
		}
		if d.Path() != "" {
			for _, end := range []string{"", "-wal", "-journal", "-shm"} {
				own[absolute(d.Path())+end] = true
			}
		}
		if err := d.Sift(ctx, s.take); err != nil {
			return nil, core.Classify(err)
		}
	}
	places := []string{e.C.Data, e.C.Cache, e.C.Receipts, e.C.Earlier}
	if e.C.Receipts != "" {
		places = append(places, e.C.Receipts+".1")
	}
	for path := range maps.Clone(own) {
		if found, err := filepath.Glob(globbed(path) + "-vectors-*"); err == nil {
			places = append(places, found...)
		}
	}
	seen := make(map[string]bool)
	for _, place := range places {
		if place == "" {
			continue
		}
		if err := s.walk(ctx, place, e.dir(), own, seen, but); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	return path
}

// globbed is a path in which nothing is a pattern.
func globbed(path string) string {
	return strings.NewReplacer("[", "\\[", "*", "\\*", "?", "\\?").Replace(path)
}

func (s *sifting) take(place string, text []byte, last bool) error {
	was := s.all.Found()
	if s.bytes += int64(len(text)); strings.HasPrefix(place, "table ") {
		s.tables[place] = true
	} else {
		s.files[place] = true
	}
	_, _ = s.all.Write(text)
	if last {
		s.all.Over()
	}
	if s.all.Found() > was {
		s.in[place] = true
	}
	return nil
}

func (s *sifting) walk(ctx context.Context, from, without string, own, seen map[string]bool, but string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // it went meanwhile
		}
		if err != nil || ctx.Err() != nil {
			return errors.Join(err, ctx.Err())
		}
		if d.IsDir() && without != "" && path == without {
			return fs.SkipDir
		}
		real := absolute(path)
		if !d.Type().IsRegular() || own[real] || seen[real] || but != "" && real == absolute(but) {
			return nil
		}
		seen[real] = true
		return s.file(path)
	})
}

// sqliteMagic begins a SQLite file.
const sqliteMagic = "SQLite format 3\x00"

// file searches one file. What is found in the file of another store is told apart: that store keeps it.
func (s *sifting) file(path string) (err error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, live.Close(f)) }()
	head := make([]byte, len(sqliteMagic))
	n, _ := io.ReadFull(f, head)
	base, _, wal := strings.Cut(filepath.Base(path), "-wal")
	if string(head[:n]) == sqliteMagic || wal && base != "" {
		other := probes.NewSearch(s.set)
		_, _ = other.Write(head[:n])
		if _, err := io.Copy(other, f); err != nil {
			return err
		}
		if other.Over(); other.Found() > 0 {
			s.others[strings.TrimSuffix(path, "-wal")] = true
		}
		return nil
	}
	place := "file " + filepath.Base(path)
	if done, err := s.sealed(f, place, head[:n]); done || err != nil {
		return err
	}
	_ = s.take(place, head[:n], false)
	part := make([]byte, 256<<10)
	for {
		n, err := f.Read(part)
		if n > 0 {
			_ = s.take(place, part[:n], false)
		}
		if errors.Is(err, io.EOF) {
			return s.take(place, nil, true)
		}
		if err != nil {
			return err
		}
	}
}
