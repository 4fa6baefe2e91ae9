// Package owned keeps the list of the stores that are this person's: those that one
// of their programs made, and those that they adopted. The list lies in the person's
// data directory, and its mark is made with the secret there: no file that comes with
// a project can write itself into it.
package owned

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/internal/durable"
	"github.com/stemma-memory/stemma/internal/journal"
	"github.com/stemma-memory/stemma/internal/seal"
)

const (
	// File is the name of the list in the data directory.
	File = "stores.json"

	aside    = ".edited" // the end of the name that a list gets which another hand changed
	purpose  = "list of stores"
	version  = 1
	dirMode  = 0o700
	patience = 2 * time.Second

	// making is how long a store may be in the making: another program that sees its
	// file before the list names it takes it for this person's that long.
	making = 10 * time.Minute
)

// How a store came into the list.
type How string

// The ways into the list.
const (
	Made     How = "made"     // a program of this person made it
	Adopted  How = "adopted"  // the person said so
	Upgraded How = "upgraded" // it was there before stores were listed, and all in it is this person's
	Moved    How = "moved"    // it is one of the list, at another place
	Restored How = "restored" // it was made out of a backup
)

// A Head is what the log of a space was.
type Head struct {
	Space string `json:"space"`
	Size  int64  `json:"size"`
	Root  []byte `json:"root"`
}

// An Entry is one store.
type Entry struct {
	Place
	Store   string    `json:"store,omitempty"` // the name that it was given when it was made
	Owner   string    `json:"owner,omitempty"` // the principal who keeps it
	Heads   []Head    `json:"heads,omitempty"`
	Seen    time.Time `json:"seen,omitzero"` // when the heads were taken
	Adopted time.Time `json:"adopted"`
	How     How       `json:"how"`
}

// list is what is marked.
type list struct {
	Version  int       `json:"version"`
	FirstRun time.Time `json:"first_run"` // of a program that keeps this list
	Stores   []Entry   `json:"stores"`
}

// file is what is on disk.
type file struct {
	List json.RawMessage `json:"list"`
	Mark string          `json:"mark"`
}

// A List is the list as it was when it was read. It is for one goroutine.
type List struct {
	dir     string
	list    list
	there   bool
	problem string
	now     func() time.Time
}

// Load reads the list of a data directory. It never fails: a list that cannot be
// believed is empty, and Problem says why.
func Load(dir string, now func() time.Time) *List {
	l := &List{dir: dir, now: now}
	l.read()
	return l
}

// path is where the list lies.
func (l *List) path() string { return filepath.Join(l.dir, File) }

func (l *List) read() {
	l.list, l.there, l.problem = list{Version: version}, true, ""
	text, err := os.ReadFile(l.path())
	if errors.Is(err, fs.ErrNotExist) {
		l.there, l.list.FirstRun = false, l.now()
		if _, err := seal.Load(l.dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
			l.problem = unsealed(err)
		}
		return
	}
	if err != nil {
		l.problem = fmt.Sprintf("the list of your stores cannot be read: %v", err)
		return
	}
	s, err := seal.Load(l.dir)
	if err != nil {
		l.problem = unsealed(err)
		return
	}
	var f file
	var body bytes.Buffer
	var mark []byte
	if err = json.Unmarshal(text, &f); err == nil {
		err = json.Compact(&body, f.List)
	}
	if err == nil {
		mark, err = hex.DecodeString(f.Mark)
	}
	var got list
	if err != nil || !s.Is(mark, purpose, body.Bytes()) || json.Unmarshal(body.Bytes(), &got) != nil ||
		got.Version != version {
		l.problem = fmt.Sprintf(
			"%s was changed by another hand, and counts for nothing: adopt your stores again with `store_adopt PATH`",
			l.path(),
		)
		return
	}
	l.list = got
}

func unsealed(err error) string {
	return fmt.Sprintf(
		"none of your stores can be told from a stranger's: the secret in your data directory cannot be read: %v",
		err,
	)
}

// Problem says in one line why the list counts for nothing; "" is that it counts.
func (l *List) Problem() string { return l.problem }

// FirstRun is when a program first ran that keeps this list. It is zero where the
// list is a second one, made after another hand changed the first.
func (l *List) FirstRun() time.Time { return l.list.FirstRun }

// All returns the stores in the order in which they came into the list.
func (l *List) All() []Entry {
	return slices.DeleteFunc(slices.Clone(l.list.Stores), func(e Entry) bool { return e.Store == "" })
}

// At returns the entry of the store at a place. The place alone says it: nothing is
// opened.
func (l *List) At(p Place) (Entry, bool) {
	var last Entry // at that path, whatever file it is
	for _, e := range slices.Backward(l.list.Stores) {
		if e.Path != p.Path {
			continue
		}
		if last.Path == "" {
			last = e
		}
		switch {
		case e.Store == "":
			if l.now().Sub(e.Adopted) < making {
				return e, true
			}
		case e.server():
			return e, true
		case e.Inode != 0 && e.Inode == p.Inode && e.Dev == p.Dev:
			return e, true
		}
	}
	return last, false
}

// Gone returns the newest entry of a store that lay at a path and does not any more: nothing lies there, or another
// store that is named now.
func (l *List) Gone(path, now string) (Entry, bool) {
	for _, e := range slices.Backward(l.list.Stores) {
		if e.Path == path && e.Store != "" && e.Store != now && !e.server() {
			return e, true
		}
	}
	return Entry{}, false
}

// Had reports whether the list names a store at a path, whatever lies there now.
func (l *List) Had(path string) bool {
	return slices.ContainsFunc(l.list.Stores, func(e Entry) bool { return e.Path == path && e.Store != "" })
}

// Known returns the entries of stores with a name whose logs are known: by them a store
// is known again at another place.
func (l *List) Known(store string) []Entry {
	var out []Entry
	for _, e := range l.list.Stores {
		if store != "" && e.Store == store && e.Size() > 0 {
			out = append(out, e)
		}
	}
	return out
}

// Size counts the records that the heads are of.
func (e Entry) Size() int64 {
	var n int64
	for _, h := range e.Heads {
		n += h.Size
	}
	return n
}

// Begin says that a store will be made at a place.
func (l *List) Begin(path string) error {
	return l.change(func(all []Entry) []Entry {
		for _, e := range all {
			if e.Path == path && e.Store == "" && l.now().Sub(e.Adopted) < making {
				return all
			}
		}
		return append(beside(all, path, ""), Entry{Place: Place{Path: path}, Adopted: l.now(), How: Made})
	})
}

// Put keeps an entry, in the place of one of the same store with the same path. An entry of the same
// store whose file is gone goes too: the store was moved. One of another store that lay there stays for a
// while: whoever took that away may put it back.
func (l *List) Put(e Entry) error {
	return l.change(func(all []Entry) []Entry {
		all = slices.DeleteFunc(beside(all, e.Path, e.Store), func(old Entry) bool {
			if old.Store != e.Store || e.Store == "" || old.server() {
				return false
			}
			now, err := Where(old.Path)
			return errors.Is(err, fs.ErrNotExist) || err == nil && (now.Inode != old.Inode || now.Dev != old.Dev)
		})
		return append(all, e)
	})
}

// mostGone is how many stores that lay at a path the list keeps.
const mostGone = 3

// beside takes out the entries of a path but those of other stores that lay there.
func beside(all []Entry, path, store string) []Entry {
	gone := 0
	all = slices.Clone(all)
	for i := len(all) - 1; i >= 0; i-- {
		e := &all[i]
		if e.Path != path {
			continue
		}
		if e.Store != "" && e.Store != store && !e.server() && e.Size() > 0 && gone < mostGone {
			gone++
			continue
		}
		all = slices.Delete(all, i, i+1)
	}
	return all
}

// Drop takes out the entry of a path, and reports whether there was one.
func (l *List) Drop(path string) (bool, error) {
	found := false
	err := l.change(func(all []Entry) []Entry {
		left := without(all, path)
		found = len(left) < len(all)
		return left
	})
	return found, err
}

// Start makes the list where there is none and the data directory is there: from then
// on no store is adopted for its age.
func (l *List) Start() error {
	if info, err := os.Stat(l.dir); l.there || l.problem != "" || err != nil || !info.IsDir() {
		return nil
	}
	return l.change(func(all []Entry) []Entry { return all })
}

func without(all []Entry, path string) []Entry {
	return slices.DeleteFunc(slices.Clone(all), func(e Entry) bool { return e.Path == path })
}

// change reads the list again, changes it and writes it, under its lock. A list that
// counts for nothing is put aside, and a new one begun.
func (l *List) change(do func([]Entry) []Entry) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("the list of your stores: %w", err)
		}
	}()
	s, err := seal.Open(l.dir) // it makes the directory
	if err != nil {
		return err
	}
	unlock, err := journal.Lock(l.path(), patience)
	if err != nil {
		return err
	}
	defer unlock()
	first := l.list.FirstRun
	if l.read(); l.problem != "" {
		if err := os.Rename(l.path(), l.path()+aside); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		l.list, l.problem = list{Version: version}, ""
	} else if !l.there {
		l.list.FirstRun = first
	}
	was := l.list.Stores
	l.list.Stores = do(slices.Clone(was))
	if l.there && slices.EqualFunc(was, l.list.Stores, same) {
		return nil
	}
	return l.write(s)
}

func same(a, b Entry) bool {
	one, err := json.Marshal(a)
	two, err2 := json.Marshal(b)
	return err == nil && err2 == nil && bytes.Equal(one, two)
}

// write puts the list on the disk, whole or not at all.
func (l *List) write(s *seal.Seal) error {
	body, err := json.Marshal(l.list)
	if err != nil {
		return err
	}
	mark := s.Mark(purpose, body)
	text, err := json.MarshalIndent(file{body, hex.EncodeToString(mark[:])}, "", " ")
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(l.dir, "."+File+"-*") // with mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // gone already when all went well
	_, err = f.Write(append(text, '\n'))
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := durable.Rename(f.Name(), l.path()); err != nil {
		return err
	}
	l.there = true
	return nil
}
