package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A disk is what became of files by the calls that a process made, and what of it would
// be there if the power failed now: contents that were synced, and names that were
// made durable. A new file's name is as durable as its contents, as every file system
// has it that we know of; a rename and a removal are when their directory was synced.
type disk struct {
	root  string
	now   map[string]*content // files by their names
	sure  map[string]*content
	names []change // of names, not yet durable, in their order
	deaf  string   // the end of the names of files whose syncs do nothing: a control
}

// A content is what is in one file.
type content struct {
	sure    []byte
	waiting []piece // since the last sync
}

// A piece is bytes that were written, or with nil a length that was set.
type piece struct {
	at    int
	bytes []byte
}

// A change is of a name: to has a file now, and from has none any more.
type change struct {
	from, to string
	file     *content
	in       []string // the directories whose sync makes it durable
}

func newDisk(root string) *disk {
	return &disk{root: root, now: make(map[string]*content), sure: make(map[string]*content)}
}

func (p piece) into(b []byte) []byte {
	end := p.at + len(p.bytes)
	if p.bytes == nil {
		if p.at < len(b) {
			return b[:p.at:p.at]
		}
	}
	if end > len(b) {
		b = append(b, make([]byte, end-len(b))...)
	}
	copy(b[p.at:], p.bytes)
	return b
}

func (c change) apply(names map[string]*content) {
	if c.from != "" {
		delete(names, c.from)
	}
	if c.to != "" {
		names[c.to] = c.file
	}
}

func (d *disk) ours(path string) bool { return strings.HasPrefix(path, d.root+"/") }

func (d *disk) rename(c change) {
	if c.in == nil {
		c.in = []string{filepath.Dir(c.from), filepath.Dir(c.to)}
	}
	c.apply(d.now)
	d.names = append(d.names, c)
}

// create returns the file of a name, which is made if it is not there.
func (d *disk) create(path string, truncate bool) {
	f := d.now[path]
	if f == nil {
		d.rename(change{to: path, file: new(content)})
	} else if truncate {
		f.waiting = append(f.waiting, piece{})
	}
}

// sync makes a file durable, or the names in a directory.
func (d *disk) sync(path string) {
	if f := d.now[path]; f != nil {
		if d.deaf != "" && strings.HasSuffix(path, d.deaf) {
			return
		}
		for _, p := range f.waiting {
			f.sure = p.into(f.sure)
		}
		f.waiting = nil
		made := slices.IndexFunc(d.names, func(c change) bool { return c.file == f && c.from == "" })
		n := -1
		if made < 0 {
			return
		}
		name := d.names[made].to
		d.settle(func(c change) bool { // what the name was before comes first
			n++
			return n == made || n < made && (c.from == name || c.to == name)
		})
		return
	}
	d.settle(func(c change) bool { return slices.Contains(c.in, path) })
}

// settle makes some changes of names durable.
func (d *disk) settle(which func(change) bool) {
	d.names = slices.DeleteFunc(d.names, func(c change) bool {
		if !which(c) {
			return false
		}
		c.apply(d.sure)
		return true
	})
}

const sector = 512

// cut writes what is there after the power failed: what is durable, and with a source of
// chance some of the rest, of the last write of a file only some sectors.
func (d *disk) cut(t *testing.T, chance *rand.Rand) {
	t.Helper()
	names := make(map[string]*content)
	for name, f := range d.sure {
		names[name] = f
	}
	if chance != nil { // names are written down in their order
		for _, c := range d.names[:chance.IntN(len(d.names)+1)] {
			c.apply(names)
		}
	}
	if err := os.RemoveAll(d.root); err != nil {
		t.Fatal(err)
	}
	for name, f := range names {
		b := slices.Clone(f.sure)
		if chance != nil {
			for _, p := range f.waiting {
				switch chance.IntN(3) {
				case 0:
					b = p.into(b)
				case 1:
					for at := 0; at < len(p.bytes); at += sector {
						if chance.IntN(2) == 0 {
							b = piece{p.at + at, p.bytes[at:min(at+sector, len(p.bytes))]}.into(b)
						}
					}
				}
			}
		}
		err := os.MkdirAll(filepath.Dir(name), 0o700)
		if err == nil {
			err = os.WriteFile(name, b, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}
