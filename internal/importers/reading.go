package importers

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strings"

	"github.com/stemma-memory/stemma/api"
)

// A reading is one run through a source.
type reading struct {
	ctx    context.Context
	source Source
	tree   *tree
	found  *Found
	yield  func(api.Foreign, error) bool
	kept   string // what tells a pipe from others
}

// errEnough says that no more records are wanted.
var errEnough = errors.New("no more records are wanted")

// give hands over a record.
func (r *reading) give(f api.Foreign) error {
	f.Mine = r.found.Mine
	if !r.yield(f, nil) {
		return errEnough
	}
	r.found.Total++
	return r.ctx.Err()
}

// part arranges what belongs together, and hands it over.
func (r *reading) part(h *heap) error {
	order, err := h.arranged(r.ctx, r.source.Held)
	if err != nil {
		return err
	}
	r.found.Lost.add(&h.lost)
	for _, it := range order {
		if err := r.give(it.made); err != nil {
			return err
		}
	}
	return nil
}

// bad notes what cannot be read, and returns whatever ends the whole reading.
func (r *reading) bad(where string, err error) error {
	if err == nil || errors.Is(err, errEnough) || r.ctx.Err() != nil {
		return err
	}
	if text := flat(err); where != "" {
		r.found.Lost.bad("%s: %s", where, strings.TrimPrefix(text, where+": "))
	} else {
		r.found.Lost.bad("%s", text)
	}
	return nil
}

// name tells the ids of a source that has none of its own from those of others: it is that of
// the whole path, so that two files of one name are two sources.
func (r *reading) name(f *file) string {
	switch {
	case r.source.Name != "":
		return r.source.Name
	case r.tree.root == "":
		if r.kept == "" {
			r.kept = "stdin~" + f.digest()
		}
		return r.kept
	}
	base := strings.TrimSuffix(filepath.Base(r.tree.root), path.Ext(r.tree.root))
	return clean(base) + "~" + digestOf(r.tree.root)[:8]
}

// was is how versions before this one named the same source.
func (r *reading) was() string {
	if r.source.Name != "" {
		return ""
	}
	if r.tree.root == "" {
		return "stdin"
	}
	base := filepath.Base(r.tree.root)
	if r.tree.dir {
		return base
	}
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// wasIn is how versions before this one named the directory of a page.
func (r *reading) wasIn() string {
	switch {
	case r.source.Name != "":
		return r.source.Name
	case r.tree.root == "":
		return "stdin"
	case r.tree.dir:
		return filepath.Base(r.tree.root)
	}
	return filepath.Base(filepath.Dir(r.tree.root))
}

// digest returns digits that tell the content of a file from others.
func (f *file) digest() string {
	sum := sha256.New()
	if r, err := f.raw(); err == nil {
		_, _ = io.Copy(sum, r)
		r.Close()
	}
	return hex.EncodeToString(sum.Sum(nil)[:4])
}

// open opens a file of the source as text, and notes how it is written.
func (r *reading) open(f *file) (io.ReadCloser, error) {
	return f.text(func(how string) { r.found.Lost.encoded(how) })
}

// where names a file in what is said about it: a source of one file is named already.
func (r *reading) where(f *file) string {
	if !r.tree.dir {
		return ""
	}
	return f.name
}

// object returns the one object of a file.
func (r *reading) object(f *file) (members, error) {
	var out members
	err := r.each(f, "object", nil, func(e element) error {
		if out == nil {
			out = e.members
		}
		return nil
	})
	if err == nil && out == nil {
		err = errNotJSON
		if l := &r.found.Lost; l.Broken > 0 {
			l.Broken--
			err = errors.New(l.Bad[len(l.Bad)-1])
			l.Bad = l.Bad[:len(l.Bad)-1]
		}
	}
	return out, err
}

// rows calls do with each row of a table of a database.
func (r *reading) rows(f *file, table string, lost *Lost, do func(row string, m members) error) error {
	s, err := f.look(r.ctx)
	if err != nil {
		return err
	}
	n := 0
	for m, err := range s.tables.Rows(r.ctx, table) {
		if n++; err != nil {
			if r.ctx.Err() != nil {
				return r.ctx.Err()
			}
			return api.Invalid("%v", err)
		}
		row := fmt.Sprintf("%s, row %d", table, n)
		if err := do(row, m); err != nil {
			lost.bad("%s: %s", row, unrowed(row, errors.New(flat(err))))
		}
	}
	return nil
}
