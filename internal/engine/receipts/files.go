package receipts

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"iter"
	"path/filepath"
	"sync"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/atrest"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/journal"
)

// Name says which store this is.
func (r *receipts) Name(spec, file string) {
	name := spec
	if path, ok := core.SQLitePath(spec); ok {
		name = realPath(path)
		r.path = name
		r.nextToStore = file != "" && filepath.Dir(name) == filepath.Dir(realPath(file))
	}
	sum := sha256.Sum256([]byte(name))
	r.Store = hex.EncodeToString(sum[:6])
}

// SealReceipts has the receipts sealed with the key of a store that is read, if one is encrypted.
func (e *Journal) SealReceipts() {
	for _, s := range e.stores() {
		if d, ok := core.Inside(s).(interface{ Key() *atrest.Key }); ok && e.Given.File.Key == nil {
			e.Given.File.Key = d.Key()
		}
	}
}

// Reseal seals the receipts of this store that are not sealed, or makes them readable if it is not
// encrypted.
func (e *Journal) Reseal() error {
	r := &e.Given
	r.Wait()
	for _, f := range r.files() {
		f.Key = r.File.Key
		err := f.Reseal(func(line []byte) bool {
			var one api.Receipt
			return json.Unmarshal(line, &one) == nil && r.mine(&one, f == r.Before)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// realPath returns the path of a file without symbolic links, as far as it can be resolved.
func realPath(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		return filepath.Join(dir, filepath.Base(path))
	}
	return path
}

// A kept line is one of either file.
type kept struct {
	journal.Line
	old bool // from the file that an earlier version kept next to the store
}

// files returns the journals there are, that of today first.
func (r *receipts) files() []*journal.File {
	if r.Before == nil {
		return []*journal.File{r.File}
	}
	return []*journal.File{r.File, r.Before}
}

// all returns the lines of both files, newest first in each.
func (r *receipts) all() iter.Seq2[kept, error] {
	return func(yield func(kept, error) bool) {
		for _, f := range r.files() {
			for line, err := range f.All() {
				if !yield(kept{line, f == r.Before}, err) {
					return
				}
			}
		}
	}
}

// texts returns the lines of both as they are.
func (r *receipts) texts() iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for _, f := range r.files() {
			for text, err := range f.Texts() {
				if !yield(text, err) {
					return
				}
			}
		}
	}
}

// unreadable counts the lines that the last reading passed over.
func (r *receipts) unreadable() int {
	n := r.File.Passed()
	if r.Before != nil {
		n += r.Before.Passed()
	}
	return n
}

// mine reports whether a receipt is of this store. Those of earlier versions name none.
func (r *receipts) mine(one *api.Receipt, old bool) bool {
	return one.Store == r.Store || one.Store == "" && (old || r.nextToStore)
}

// Later calls f once those before it have been called, and holds up no one.
func (r *receipts) Later(f func()) {
	r.Lock()
	defer r.Unlock()
	before, last := r.last, make(chan struct{})
	r.last = last
	go func() {
		defer close(last)
		if before != nil {
			<-before
		}
		f()
	}()
}

// sweepAfter is how long an engine is open before what was purged without it is looked for,
// whether anything asks for it or not.
const sweepAfter = time.Second

// Soon calls f once: before what was given is looked at, after a while, or at the end.
func (r *receipts) Soon(f func()) {
	r.begin = sync.OnceFunc(func() { r.Later(f) })
	r.timer = time.AfterFunc(sweepAfter, r.begin)
}

// Ready waits for those so far, and for what Soon was to do.
func (r *receipts) Ready() {
	if r.begin != nil {
		r.begin()
	}
	r.Wait()
}

// End waits for those so far; left says to leave what Soon was to do to the next who opens the
// store.
func (r *receipts) End(left bool) {
	if r.timer != nil {
		r.timer.Stop()
	}
	if left {
		r.Wait()
	} else {
		r.Ready()
	}
}

// Wait waits for those so far, however many come meanwhile.
func (r *receipts) Wait() {
	r.Lock()
	last := r.last
	r.Unlock()
	if last != nil {
		<-last
	}
}
