package importers

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/live"
)

// Bounds of what is read at a time.
const (
	mostFiles = 200_000
	mostOpen  = 64 << 20 // of a packed file that expands more than it may, in bytes
	mostFold  = 150      // how many times its size a packed file may expand to, if it is long
)

// A tree is what is read: one file, the files of a folder, or those of an archive.
type tree struct {
	path  string // where it is, as it was named
	root  string // its real path; "" for a pipe
	dir   bool   // a folder or an archive
	files []*file
	left  map[string]int // files that are not looked at, by why
	bad   []string
	close []func()

	templates string // where a vault keeps its templates, as it says

	named map[string]bool // files that files of instructions name; nil is not known yet

	indexed map[string]bool // directories in which Claude Code keeps what it remembers

	isBasic bool // its pages are of Basic Memory
}

// A file is one of a tree.
type file struct {
	tree *tree
	name string // in the tree, with slashes
	path string // on disk; "" in an archive
	size int64
	raw  func() (io.ReadCloser, error)
	seen *sight
}

// done gives everything back.
func (t *tree) done() {
	for _, do := range slices.Backward(t.close) {
		do()
	}
	t.close = nil
}

// openTree opens what a source names.
func openTree(ctx context.Context, s Source) (_ *tree, err error) {
	t := &tree{path: s.Path, left: make(map[string]int)}
	defer func() {
		if err != nil {
			t.done()
		}
	}()
	if s.In != nil {
		return t, t.pipe(s.In)
	}
	info, err := os.Stat(s.Path)
	if errors.Is(err, fs.ErrNotExist) {
		if strings.Contains(s.Path, "://") {
			return nil, api.Invalid("is an address; save what it has to a file, and import that")
		}
		return nil, api.Invalid("does not exist")
	}
	if err != nil {
		return nil, api.Invalid("%v", err)
	}
	if t.root, err = realPath(s.Path); err != nil {
		return nil, api.Invalid("%v", err)
	}
	if info.IsDir() {
		t.dir = true
		return t, t.walk(ctx)
	}
	if !info.Mode().IsRegular() {
		return nil, api.Invalid("is neither a file nor a directory")
	}
	if live.Has(info) {
		return nil, api.Invalid("%v", live.ErrOpen)
	}
	return t, t.one(filepath.Base(s.Path), s.Path, info.Size())
}

func realPath(name string) (string, error) {
	whole, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	if known, err := filepath.EvalSymlinks(whole); err == nil {
		whole = known
	}
	return whole, nil
}

// pipe keeps a stream in a temporary file, since it is read more than once.
func (t *tree) pipe(in io.Reader) error {
	f, err := os.CreateTemp("", "stemma-import-*")
	if err != nil {
		return err
	}
	t.close = append(t.close, func() { os.Remove(f.Name()) })
	size, err := io.Copy(f, in)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return t.one("-", f.Name(), size)
}

// one adds one file, or what is in it if it is an archive.
func (t *tree) one(name, where string, size int64) error {
	f := t.onDisk(name, where, size)
	head, err := f.head()
	if err != nil {
		return api.Invalid("%v", err)
	}
	if bytes.HasPrefix(head, []byte("PK\x03\x04")) {
		return t.unzip(where, 0)
	}
	t.files = append(t.files, f)
	return nil
}

func (t *tree) onDisk(name, where string, size int64) *file {
	return &file{tree: t, name: name, path: where, size: size, raw: func() (io.ReadCloser, error) {
		f, err := os.Open(where)
		if err != nil {
			return nil, err
		}
		return closing{f, func() error { return live.Close(f) }}, nil
	}}
}

// closing is a reader with its own way of being closed.
type closing struct {
	io.Reader
	close func() error
}

func (c closing) Close() error { return c.close() }

// head returns the first bytes of a file as they are.
func (f *file) head() ([]byte, error) {
	r, err := f.raw()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	head := make([]byte, len(magic))
	n, err := io.ReadFull(r, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	}
	return head[:n], nil
}

// text opens a file as UTF-8. What is packed with gzip is unpacked.
func (f *file) text(said func(how string)) (io.ReadCloser, error) {
	r, err := f.raw()
	if err != nil {
		return nil, api.Invalid("%s: %v", f.name, err)
	}
	in, err := f.decode(r, said)
	if err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return closing{in, r.Close}, nil
}

// decode returns the bytes of a file as UTF-8.
func (f *file) decode(in io.Reader, said func(how string)) (io.Reader, error) {
	if strings.HasSuffix(f.name, ".gz") {
		packed, err := gzip.NewReader(in)
		if err != nil {
			return nil, api.Invalid("%s: %v", f.name, err)
		}
		return decoded(&bounded{in: packed, left: max(mostOpen, f.size*mostFold)}, longBuffer, said), nil
	}
	return decoded(in, f.buffer(), said), nil
}

// longBuffer is how much of a long text is read at a time.
const longBuffer = 64 << 10

// buffer is how much of a file is read at a time.
func (f *file) buffer() int {
	if f.path == "" || f.size <= 0 { // its size is not known for sure
		return longBuffer
	}
	return int(min(f.size+16, longBuffer))
}

// bounded ends a stream that expands beyond what its size allows.
type bounded struct {
	in   io.Reader
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.in.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, api.Invalid("expands to more than %d times its size; unpack it first if you trust it", mostFold)
	}
	return n, err
}

// Directories in which no one keeps notes. What else is hidden is passed over too, but for
// those in which hosts keep rules.
var (
	neverIn = []string{".git", ".obsidian", ".trash", "node_modules", "__MACOSX"}
	rulesIn = []string{".cursor", ".clinerules", ".claude", ".github", ".windsurf", ".roo", ".kiro"}
)

func passed(dir string) bool {
	return slices.Contains(neverIn, dir) || strings.HasPrefix(dir, ".") && !slices.Contains(rulesIn, dir)
}

// hiddenFiles are those that are read although their names begin with a dot.
var hiddenFiles = []string{".cursorrules", ".windsurfrules", ".clinerules", ".roorules", ".goosehints"}

// walk adds the files of a folder. Links are not followed, so none leads out or in circles.
func (t *tree) walk(ctx context.Context) error {
	return filepath.WalkDir(t.root, func(where string, d fs.DirEntry, err error) error {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		name, err := filepath.Rel(t.root, where)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		switch {
		case name == ".":
			return nil
		case d.IsDir():
			if d.Name() == ".obsidian" {
				t.left[""]++ // a sign of what wrote the folder, and nothing that is left out
				t.readTemplates(func() (io.ReadCloser, error) { return os.Open(filepath.Join(where, "templates.json")) })
			}
			if d.Name() == ".trash" {
				t.countIn(where, "in the trash")
			}
			if passed(d.Name()) {
				return fs.SkipDir
			}
			return nil
		case d.Type()&fs.ModeSymlink != 0:
			t.left["symbolic links"]++
			return nil
		case !d.Type().IsRegular(), strings.HasPrefix(d.Name(), ".") && !slices.Contains(hiddenFiles, d.Name()):
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if live.Has(info) {
			return nil
		}
		if t.files = append(t.files, t.onDisk(name, where, info.Size())); len(t.files) > mostFiles {
			return api.Invalid("has more than %d files", mostFiles)
		}
		return nil
	})
}

// readTemplates learns where a vault keeps its templates.
func (t *tree) readTemplates(open func() (io.ReadCloser, error)) {
	in, err := open()
	if err != nil {
		return
	}
	defer in.Close()
	var says struct{ Folder string }
	if json.NewDecoder(io.LimitReader(in, maxFile)).Decode(&says) == nil {
		t.templates = says.Folder
	}
}

// countIn counts the files of a directory that is passed over.
func (t *tree) countIn(dir, why string) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			t.left[why]++
		}
		return err
	})
}

// onPath returns where a file is on disk; one in an archive is unpacked for it.
func (f *file) onPath() (string, error) {
	if f.path != "" {
		return f.path, nil
	}
	r, err := f.raw()
	if err != nil {
		return "", err
	}
	defer r.Close()
	to, err := os.CreateTemp("", "stemma-import-*")
	if err != nil {
		return "", err
	}
	f.tree.close = append(f.tree.close, func() { os.Remove(to.Name()) })
	_, err = io.Copy(to, r)
	if err = errors.Join(err, to.Close()); err == nil {
		f.path = to.Name()
	}
	return f.path, err
}

// memoryIndex is the file in which Claude Code lists what it remembers.
const memoryIndex = "MEMORY.md"

// base is the name of a file without its directories.
func (f *file) base() string { return path.Base(f.name) }

// ext is the end of a file's name in small letters, without that of gzip.
func (f *file) ext() string {
	return strings.ToLower(path.Ext(strings.TrimSuffix(f.name, ".gz")))
}
