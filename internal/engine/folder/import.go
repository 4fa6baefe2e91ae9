package folder

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/markdown"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/memory"
)

// maxNote bounds one file of a folder, in bytes: the words of a raw with their
// front matter.
const maxNote = memory.MaxRawText + 512<<10

// maxNotes bounds the files of a folder.
const maxNotes = 1_000_000

// IsExportedFolder reports whether a directory was written by ExportMarkdown.
func IsExportedFolder(dir string) bool {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return false
	}
	defer root.Close()
	_, err = root.Lstat(filesFile)
	return err == nil
}

// ImportMarkdown reads a directory that ExportMarkdown wrote. The signed bytes come back
// unchanged. A file whose words or tags were edited becomes a revision of its memory, in the
// importer's voice; a file without a ref becomes a memory. A deleted file changes nothing. The
// front matter is trusted only for tags, and for the kind and type of a new file: any other
// difference is named in a warning. All files are read and checked before anything is stored.
func (e *Folder) ImportMarkdown(ctx context.Context, dir string, progress func(done int)) (api.FolderReply, error) {
	var reply api.FolderReply
	root, err := os.OpenRoot(dir)
	if err != nil {
		return reply, core.Invalid("import %s: %v", dir, err)
	}
	defer root.Close()
	f := &folder{e: e, root: root, reply: &reply}
	err = f.read(ctx)
	if err == nil {
		err = f.importRecords(ctx)
	}
	if err == nil {
		err = f.store(ctx, progress)
	}
	if err != nil && !core.HasKind(err) {
		err = fmt.Errorf("import %s: %w", dir, err)
	}
	return reply, core.Classify(err)
}

// A folder is one run of ImportMarkdown.
type folder struct {
	e     *Folder
	root  *os.Root
	reply *api.FolderReply
	cat   *catalogue
	files []*noteFile
}

// A noteFile is a file that may have something new to say.
type noteFile struct {
	path  string
	ref   memory.Ref // zero for a new one
	front markdown.Front
	text  string
}

func (f *folder) warn(format string, args ...any) {
	f.reply.Warnings = append(f.reply.Warnings, fmt.Sprintf(format, args...))
}

// read reads every file and checks what can be checked without a store.
func (f *folder) read(ctx context.Context) error {
	var err error
	if f.cat, err = readCatalogue(f.root); err != nil {
		return err
	}
	names, err := NoteFiles(ctx, f.root)
	if err != nil {
		return err
	}
	there := make(map[string]bool, len(names))
	for _, name := range names {
		there[name] = true
	}
	for _, name := range names {
		content, err := readFile(f.root, name, maxNote)
		if err != nil {
			return err
		}
		f.reply.Files++
		if f.cat.Files[name].holds(content) {
			f.reply.Unchanged++
			continue
		}
		if !utf8.Valid(content) || bytes.IndexByte(content, 0) >= 0 {
			return core.Invalid("%s: is not UTF-8 text", name)
		}
		n := &noteFile{path: name}
		n.front, n.text = markdown.Split(string(content))
		if !f.whose(n, there) {
			continue
		}
		if err := n.check(); err != nil {
			return err
		}
		f.files = append(f.files, n)
	}
	return nil
}

// whose finds the memory that a file is of. A file says its ref itself, and is
// believed only where the catalogue says that this is the memory's file, or that
// the memory's file is gone and this may be it under another name.
func (f *folder) whose(n *noteFile, there map[string]bool) bool {
	says := strings.TrimSpace(n.front.Text(frontRef))
	known := f.cat.Files[n.path]
	if says == "" && known == nil {
		return true // a new one
	}
	if says == "" {
		says = known.Ref
		f.warn("%s: its ref is gone from the front matter; it is still read as %s", n.path, shortRef(says))
	}
	if known != nil && says != known.Ref {
		f.warn("%s: says that it is %s, but is the file of %s; ignored", n.path, shortRef(says), shortRef(known.Ref))
		return false
	}
	home := known != nil
	for name, other := range f.cat.Files {
		if other.Ref != says || name == n.path {
			continue
		}
		if there[name] {
			f.warn("%s: says that it is %s, whose file is %s; ignored", n.path, shortRef(says), name)
			return false
		}
		home = true
	}
	ref, err := memory.ParseRef(says)
	if err != nil || !home {
		f.warn("%s: its ref was not exported to this folder; left out. Without a ref it would be a new memory", n.path)
		return false
	}
	n.ref = ref
	return true
}

func shortRef(s string) string {
	if ref, err := memory.ParseRef(s); err == nil {
		return ref.Short()
	}
	return fmt.Sprintf("%q", shorten.To(s, 80))
}

// check makes the body once, so that what a record cannot hold is refused before
// anything is stored.
func (n *noteFile) check() error {
	d := api.Draft{Kind: string(n.ref.Kind)}
	switch n.ref.Kind {
	case memory.KindRaw:
		return nil // never revised
	case "":
		d = n.draft()
	}
	if _, err := core.DraftBody(readText(d, n.text)); err != nil {
		return core.Invalid("%s: %s", n.path, core.OneLine(err))
	}
	h := memory.Header{Tags: n.tags()}
	for _, t := range h.Tags {
		if len(t) > memory.MaxTagBytes {
			return core.Invalid("%s: tags: %q is longer than %d bytes", n.path, shorten.To(t, 40), memory.MaxTagBytes)
		}
	}
	if len(h.Tags) > memory.MaxTags {
		return core.Invalid("%s: tags: at most %d are allowed", n.path, memory.MaxTags)
	}
	return nil
}

// draft is what a new file is going to be: a note, unless it says another kind.
func (n *noteFile) draft() api.Draft {
	d := api.Draft{Kind: string(memory.KindNote)}
	if k := memory.Kind(strings.ToLower(n.front.Text("kind"))); k.IsMemory() && k != memory.KindRaw {
		d.Kind = string(k)
	}
	if t := n.front.Text("type"); d.Kind != string(memory.KindNote) || slices.Contains(memory.NoteTypes, t) {
		d.Type = t
	}
	return d
}

// tags returns the tags of a file's front matter, as a record has them.
func (n *noteFile) tags() []string { return tagsOf(n.front) }

func tagsOf(front markdown.Front) []string {
	out := []string{} // not nil, which would be null in JSON
	for _, t := range front.List(frontTags) {
		if t = strings.TrimSpace(strings.TrimPrefix(t, "#")); t != "" {
			out = append(out, t)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// NoteFiles returns the paths of the Markdown files of a directory, sorted. Hidden files and
// links are left out.
func NoteFiles(ctx context.Context, root *os.Root) ([]string, error) {
	var names []string
	err := fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return err
		}
		hidden := name != "." && strings.HasPrefix(d.Name(), ".")
		switch {
		case d.IsDir() && hidden:
			return fs.SkipDir
		case hidden || !d.Type().IsRegular() || !strings.EqualFold(path.Ext(name), ".md"):
			return nil
		}
		if names = append(names, name); len(names) > maxNotes {
			return core.Invalid("the folder has more than %d files", maxNotes)
		}
		return nil
	})
	return names, err
}

func (f *folder) importRecords(ctx context.Context) error {
	in, err := f.root.Open(recordsFile)
	if errors.Is(err, fs.ErrNotExist) {
		f.warn("%s is missing: records that are not in this store cannot be restored", recordsFile)
		return nil
	}
	if err != nil {
		return err
	}
	defer in.Close()
	if f.reply.Records, err = f.e.intake.Import(ctx, in, nil); err != nil && errors.Is(err, api.ErrInvalid) {
		return core.Invalid("%s: %s", recordsFile, core.OneLine(err))
	}
	return err
}
