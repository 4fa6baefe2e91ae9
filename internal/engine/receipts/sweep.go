package receipts

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/blame"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/both"
	"github.com/stemma-memory/stemma/internal/store/door"
	"github.com/stemma-memory/stemma/memory"
)

// WhenPurged makes every door into the stores the same: whatever brings a purge, all
// that is kept around them is cleared.
func (e *Journal) WhenPurged() {
	for _, s := range e.stores() {
		if d, ok := s.(*door.Store); ok {
			d.WhenPurged(e.ClearAround)
		}
	}
}

// stores returns those that are read, the one that is written to first.
func (e *Journal) stores() []store.Store {
	if two, ok := store.Plain(e.Store).(*both.Store); ok {
		return two.Both()
	}
	return []store.Store{store.Plain(e.Store)}
}

// ClearAround takes what was purged out of all that is kept around the stores. The
// stores themselves have cleared their tables, their log and their vectors.
func (e *Journal) ClearAround(gone []*memory.Record) error {
	var ids []memory.ID
	var said, words, calls []string
	for _, r := range gone {
		ids = append(ids, r.ID)
		calls = append(calls, r.Header.Alias...)
		said = append(said, telling(r)...)
		words = append(words, memory.Words(r.Body))
	}
	err := e.dropReceipts(ids, said)
	if e.C.Cache != "" { // paths and symbols of code that memories name; it is made again
		e.Code.Forget()
		err = errors.Join(err, os.RemoveAll(filepath.Join(e.C.Cache, trust.ChecksDir)))
	}
	if e.C.Data != "" { // what was edited by a use of a tool that was purged
		err = errors.Join(err, blame.Notes{Dir: filepath.Join(e.C.Data, EditsDir)}.Forget(calls))
	}
	if e.C.Purged != nil {
		err = errors.Join(err, e.C.Purged(words))
	}
	return err
}

// EditsDir is where hooks note edits, in the person's data directory.
const EditsDir = "edits"

// tellingBytes is how long a word is that says what it was taken from.
const tellingBytes = 12

// telling returns the words of a record that are likely nowhere else.
func telling(r *memory.Record) []string {
	return slices.DeleteFunc(strings.Fields(r.Words()), func(w string) bool { return len(w) < tellingBytes })
}

// dropReceipts removes the receipts, in every store, that show a purged record or whose
// question has a telling word of it: words may have been shown from another store too.
func (e *Journal) dropReceipts(ids []memory.ID, said []string) error {
	e.Given.Wait()
	return e.Given.drop(ids, said)
}

func (r *receipts) drop(ids []memory.ID, said []string) error {
	if len(ids) == 0 && len(said) == 0 {
		return nil
	}
	of := make(map[string]bool, len(ids))
	for _, id := range ids {
		of[":"+id.String()] = true
	}
	for _, w := range said { // as it is written in JSON
		if text, err := json.Marshal(w); err == nil && len(text)-2 != len(w) {
			said = append(said, string(text[1:len(text)-1]))
		}
	}
	any := anyOf(said)
	return r.dropIf(func(line []byte) bool {
		return slices.ContainsFunc(core.LongID.Get().FindAll(line, -1), func(id []byte) bool { return of[string(id)] }) ||
			any(line)
	})
}

func (r *receipts) dropIf(gone func(line []byte) bool) error {
	err := r.File.Drop(gone)
	if r.Before != nil {
		err = errors.Join(err, r.Before.Drop(gone))
	}
	return err
}

// anyOf reports whether a line holds one of some words, which may be many: they are looked up by their beginning.
func anyOf(words []string) func(line []byte) bool {
	const begin = 8
	by := make(map[[begin]byte][]string)
	for _, w := range words {
		if len(w) >= begin {
			k := [begin]byte([]byte(w[:begin]))
			by[k] = append(by[k], w)
		}
	}
	return func(line []byte) bool {
		for at := 0; at+begin <= len(line); at++ {
			for _, w := range by[[begin]byte(line[at:at+begin])] {
				if bytes.HasPrefix(line[at:], []byte(w)) {
					return true
				}
			}
		}
		return false
	}
}

// Drop takes out of the receipts those of which gone says so.
func (e *Journal) Drop(gone func(line []byte) bool) error {
	e.Given.Wait()
	return e.Given.dropIf(gone)
}

// Purges returns a text that is another once anything was purged from the stores, by
// whichever process: who keeps answers drops those that were given before. "" is that
// nothing ever was.
func (e *Journal) Purges(ctx context.Context) (string, error) {
	rd := e.trust.Reading(ctx)
	var all []string
	for _, s := range e.stores() {
		raw, err := s.Note(rd, store.PurgesNote)
		if err != nil {
			return "", core.Classify(err)
		}
		if len(raw) > 0 {
			all = append(all, string(raw))
		}
	}
	return strings.Join(all, " "), nil
}

// Sweep takes out of the receipts what was purged without this process: by another one
// that was cut off, on another machine, or in a backup that took the store's place. Only
// the ids of it are known by then.
func (e *Journal) Sweep(rd *trust.Reading) error {
	if e.C.Receipts == "" || e.C.ReadOnly || e.C.Foreign {
		return nil
	}
	mark, err := e.Purges(rd)
	if err != nil || mark == "" {
		return err
	}
	s := &e.Swept
	s.Lock()
	defer s.Unlock()
	if !s.read && s.File != "" {
		raw, err := os.ReadFile(s.File)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		s.mark = string(raw)
	}
	if s.read = true; s.mark == mark {
		return nil
	}
	var ids []memory.ID
	for _, one := range e.stores() {
		if ids, err = PurgedIn(rd, one, ids); err != nil {
			return err
		}
	}
	if err := e.Given.drop(ids, nil); err != nil {
		return err
	}
	if s.mark = mark; s.File == "" {
		return nil
	}
	const dirMode, fileMode = 0o700, 0o600
	if err := os.MkdirAll(filepath.Dir(s.File), dirMode); err != nil {
		return err
	}
	return os.WriteFile(s.File, []byte(mark), fileMode)
}

// PurgedIn adds the ids of what was purged from a store.
func PurgedIn(ctx context.Context, s store.Store, ids []memory.ID) ([]memory.ID, error) {
	spaces, err := s.Spaces(ctx)
	if err != nil {
		return nil, err
	}
	for _, sp := range spaces {
		for after := store.Seq(0); ; {
			page, err := s.Listed(ctx, sp.Name, after, core.ExportPage)
			if err != nil {
				return nil, err
			}
			if len(page) == 0 {
				break
			}
			for _, l := range page {
				if l.Gone {
					ids = append(ids, l.Ref.ID)
				}
			}
			after = page[len(page)-1].Seq
		}
	}
	return ids, nil
}

// SweptFile is where it is remembered how far the receipts were swept for a store.
func SweptFile(spec string, c core.Config) string {
	if c.Data == "" || spec == core.InMemory {
		return ""
	}
	sum := sha256.Sum256([]byte(core.PlaceOf(spec)))
	const enough = 8
	return filepath.Join(c.Data, "purged", hex.EncodeToString(sum[:enough]))
}
