package nearest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"

	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
	"github.com/stemma-memory/stemma/internal/vec"
)

// WorthWriting is how many new vectors are worth a write to the file; fewer are
// taken into memory by each process.
const WorthWriting = 64

// withCodes calls do with the codes of a model, up to date.
func (s *Base) withCodes(ctx context.Context, name string, m Model, do func(*vec.Index) error) error {
	c := s.Copies.codes.model(m, name)
	c.mu.RLock()
	if c.index == nil || c.seen != m.Last {
		c.mu.RUnlock()
		if err := c.refresh(ctx, s); err != nil {
			return err
		}
		c.mu.RLock()
	}
	defer c.mu.RUnlock()
	if c.index == nil {
		return errCodesClosed // just now
	}
	return do(c.index)
}

// refresh brings the codes up to date.
func (c *codes) refresh(ctx context.Context, s *Base) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return errCodesClosed
	}
	m, err := ModelOf(ctx, s.Read, c.model)
	if err != nil {
		return err
	}
	if c.index != nil && (m.Last < c.seen || m.Last > c.seen && !c.index.Current()) {
		if err := c.shut(); err != nil { // the database was brought back, or another process wrote the file
			return err
		}
	}
	if c.index == nil {
		if err := c.open(ctx, s, m); err != nil {
			return err
		}
	}
	if c.seen != m.Last {
		if err := c.extend(ctx, s, m); err != nil {
			return err
		}
		c.seen = m.Last
	}
	return nil
}

// CodesAt returns the place of a model's codes and the state of its file. "" is nowhere.
func (s *Base) CodesAt(ctx context.Context, name string, m Model) (path string, h vec.Header, err error) {
	var id string
	if _, err = s.Read.One(ctx, []any{&id}, "SELECT value FROM meta WHERE name = 'store'"); err != nil {
		return "", h, err
	}
	h = vec.Header{Model: id + " " + name, Dims: m.Dims}
	if s.Unfiled {
		return "", h, nil
	}
	if s.Read.Dialect == session.SQLite && s.Cache == "" {
		const digits = 12
		sum := sha256.Sum256([]byte(name))
		return s.Name + "-vectors-" + hex.EncodeToString(sum[:])[:digits], h, nil
	}
	if s.Cache == "" {
		return "", h, nil
	}
	where := s.Name
	if s.Read.Dialect == session.Postgres {
		var schema string
		if _, err = s.Read.One(ctx, []any{&schema}, "SELECT coalesce(current_schema(), '')"); err != nil {
			return "", h, err
		}
		where += "\x00" + schema
	}
	const digits = 24
	sum := sha256.Sum256([]byte(where + "\x00" + name))
	return filepath.Join(s.Cache, "vectors", hex.EncodeToString(sum[:])[:digits]), h, nil
}

// open opens the file, or makes it again, or begins in memory where neither can
// be done. Only what the database says is an error.
func (c *codes) open(ctx context.Context, s *Base, m Model) error {
	path, h, err := s.CodesAt(ctx, c.model, m)
	if err != nil {
		return err
	}
	if path != "" {
		x, opened := vec.Open(path, h)
		if opened == nil {
			ours, err := s.hasOrd(ctx, m, x)
			if ours && err == nil {
				c.index, c.filed = x, true
				return nil
			}
			if err = errors.Join(err, x.Close()); err != nil {
				return err
			}
		}
		if (opened == nil || vec.Rebuild(opened)) && !s.ReadOnly {
			if err := s.writeCodes(ctx, path, h, m); err != nil {
				return err
			}
			if x, opened = vec.Open(path, h); opened == nil {
				c.index, c.filed = x, true
				return nil
			}
		}
	}
	c.index, err = vec.New(h)
	return err
}

const ordQuery = "SELECT 1 FROM vectors WHERE model = ? AND ord = ?"

// hasOrd reports whether an index has come to a number that the store has given.
// If it has not, the index was made of another, or of this one before it was
// brought back from a backup. A vector replaced since looks the same: making
// codes again does no harm.
func (s *Base) hasOrd(ctx context.Context, m Model, x *vec.Index) (bool, error) {
	var one int
	found, err := s.Read.One(ctx, []any{&one}, ordQuery, m.No, int64(x.Mark()))
	return found || x.Mark() == 0, err
}

// writeCodes makes the file again. That the file cannot be written is no error.
func (s *Base) writeCodes(ctx context.Context, path string, h vec.Header, m Model) error {
	if s.Cache != "" {
		if err := os.MkdirAll(filepath.Dir(path), session.DirPerm); err != nil {
			return nil
		}
	}
	var mark int64
	_, err := s.Read.One(ctx, []any{&mark}, "SELECT coalesce(max(ord), 0) FROM vectors WHERE model = ?", m.No)
	if err != nil {
		return err
	}
	var read error // what the database says
	all := func(yield func(vec.Vector, error) bool) {
		for v, err := range s.vectorsUpTo(ctx, m, mark) {
			read = err
			if !yield(v, err) || err != nil {
				return
			}
		}
	}
	_ = vec.Write(path, h, uint64(mark), all) // not written, it is not there to be opened
	return read
}

// vectorsUpTo returns the vectors up to a number. One that is replaced meanwhile
// is after it, and not among them.
func (s *Base) vectorsUpTo(ctx context.Context, m Model, upTo int64) iter.Seq2[vec.Vector, error] {
	return func(yield func(vec.Vector, error) bool) {
		for after := int64(0); after < upTo; {
			page, err := vectorsAfter(ctx, s.Read, m, after, upTo)
			if err != nil {
				yield(vec.Vector{}, err)
				return
			}
			put, _ := page.forIndex()
			for _, v := range put {
				if !yield(v, nil) {
					return
				}
			}
			if len(page.keys) < Page {
				return
			}
			after = page.end()
		}
	}
}

// extend takes in what has come since: into the file where it is worth it and
// can be done, else into memory.
func (c *codes) extend(ctx context.Context, s *Base, m Model) error {
	for {
		page, err := vectorsAfter(ctx, s.Read, m, int64(c.index.Mark()), m.Last)
		if err != nil || len(page.keys) == 0 {
			return err
		}
		put, drop := page.forIndex()
		worth := c.loose+len(page.keys) >= WorthWriting || len(drop) > 0 // what was dropped is not to stay
		if c.filed && worth && !s.ReadOnly {
			written, err := c.write(ctx, s, m)
			if err != nil {
				return err
			}
			if written {
				continue
			}
		}
		if err := c.index.Add(uint64(page.end()), put, drop); err != nil {
			return fmt.Errorf("codes of model %s: %w", c.model, err)
		}
		c.loose += len(page.keys)
	}
}

// write brings the file up to date and opens it again. written is false where
// another is writing it, or no one can.
func (c *codes) write(ctx context.Context, s *Base, m Model) (written bool, err error) {
	path, h, err := s.CodesAt(ctx, c.model, m)
	if err != nil {
		return false, err
	}
	w, failed := vec.Edit(path, h)
	if failed != nil {
		return false, nil
	}
	compact := false
	for failed == nil {
		var page copied
		if page, err = vectorsAfter(ctx, s.Read, m, int64(w.Mark()), m.Last); err != nil || len(page.keys) == 0 {
			break
		}
		put, drop := page.forIndex()
		compact = compact || len(drop) > 0
		failed = w.Append(uint64(page.end()), put, drop)
	}
	if err == nil && failed == nil && (compact || w.Worn()) {
		failed = w.Compact()
	}
	failed = errors.Join(failed, w.Close())
	if err != nil || failed != nil {
		return false, err
	}
	x, failed := vec.Open(path, h)
	if failed != nil {
		return false, nil
	}
	err = c.shut()
	c.index, c.filed = x, true
	return true, err
}
