package folder

import (
	"bufio"
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/markdown"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// markdownPage is how many files are made at a time.
const markdownPage = 500

// markdownExport is one run of ExportMarkdown. It reads the memories twice: first to note in
// the catalogue which files it will write, so that an interrupted run recognizes its own
// files, then to write them.
type markdownExport struct {
	e      *Folder
	root   *os.Root
	reply  *api.MarkdownReply
	cat    *catalogue
	spaces []string
	names  map[memory.ID]string // of memories that have a file
	wanted map[string]bool      // paths to write
	kept   map[string]bool      // paths that are not ours to write
}

func (x *markdownExport) run(ctx context.Context, progress func(int)) error {
	var err error
	if x.spaces, err = x.e.NamedSpaces(ctx); err != nil {
		return err
	}
	if x.cat, err = readCatalogue(x.root); err != nil {
		return err
	}
	for _, s := range x.cat.Spaces {
		if !slices.Contains(x.spaces, s) {
			return core.Conflict("this folder is an export of %s, which is not open now; export to another folder", s)
		}
	}
	x.cat.Spaces, x.kept = x.spaces, make(map[string]bool)
	if err := x.root.MkdirAll(notesDir, 0o700); err != nil {
		return err
	}
	if err := x.records(ctx); err != nil {
		return err
	}
	if err := x.each(ctx, nil, x.note); err != nil {
		return err
	}
	if err := x.tidy(ctx); err != nil {
		return err
	}
	if err := x.cat.write(x.root); err != nil {
		return err
	}
	if err := x.each(ctx, progress, x.write); err != nil {
		return err
	}
	return x.cat.write(x.root)
}

// records writes the signed bytes of everything.
func (x *markdownExport) records(ctx context.Context) error {
	const temporary = recordsFile + ".new"
	f, err := x.root.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(f)
	x.reply.ExportReply, err = x.e.intake.Export(ctx, out, api.ExportRequest{})
	if err == nil {
		err = out.Flush()
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return x.root.Rename(temporary, recordsFile)
}

// each calls do with every memory that has a file, its path and what belongs there.
func (x *markdownExport) each(
	ctx context.Context, progress func(int),
	do func(ctx context.Context, it *store.Item, name string, content []byte) error,
) error {
	if len(x.spaces) == 0 {
		return nil
	}
	x.reply.LeftOut = 0
	var page []*store.Item
	done := 0
	flush := func() error {
		if err := x.name(ctx, page); err != nil {
			return err
		}
		trusted, err := x.e.trust.Rate(x.e.trust.Reading(ctx), page, false)
		if err != nil {
			return err
		}
		marks, err := x.e.views.MarksOf(x.e.trust.Reading(ctx), page, trusted, memory.Time{})
		if err != nil {
			return err
		}
		for i, it := range page {
			file := renderFile(it, trusted[it.Ref.ID], marks[i], x.names)
			if err := do(ctx, it, fileOf(it.Record), file); err != nil {
				return err
			}
		}
		done += len(page)
		page = page[:0]
		if progress != nil {
			progress(done)
		}
		return nil
	}
	for it, err := range x.e.Store.List(ctx, store.Query{Spaces: x.spaces, Hidden: true, Oldest: true}) {
		if err != nil {
			return err
		}
		if !shown(it) {
			x.reply.LeftOut++
			continue
		}
		if page = append(page, it); len(page) == markdownPage {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}

// name learns what the files are called that a page of memories links to.
func (x *markdownExport) name(ctx context.Context, page []*store.Item) error {
	var ask []memory.ID
	want := func(id memory.ID) {
		if _, known := x.names[id]; !known && !id.IsZero() {
			x.names[id] = ""
			ask = append(ask, id)
		}
	}
	for _, it := range page {
		x.names[it.Ref.ID] = nameOf(it.Record)
		p := &it.Record.Header.Provenance
		for _, r := range slices.Concat(p.From, p.Supersedes) {
			want(r.ID)
		}
		want(it.State.SupersededBy)
	}
	items, err := x.e.Store.Get(ctx, ask...)
	if err != nil {
		return err
	}
	for _, it := range items {
		if it != nil && shown(it) && slices.Contains(x.spaces, it.Record.Header.Space) {
			x.names[it.Ref.ID] = nameOf(it.Record)
		}
	}
	return nil
}

// note notes in the catalogue the files that exist and those that will be written.
func (x *markdownExport) note(ctx context.Context, it *store.Item, name string, content []byte) error {
	x.reply.Files++
	known := x.cat.Files[name]
	before, err := readFile(x.root, name, maxNote)
	ours := errors.Is(err, fs.ErrNotExist)
	switch {
	case ours:
	case err != nil && !errors.Is(err, api.ErrInvalid):
		return err
	case err == nil && hashOf(before) == hashOf(content):
		x.cat.Files[name] = &writtenFile{Ref: it.Ref.String(), Hashes: []string{hashOf(content)}}
		return nil
	case err == nil:
		ours = known.holds(before)
		if !ours && known != nil {
			if ours, err = x.e.cameIn(ctx, it, before); err != nil {
				return err
			}
		}
	}
	if !ours {
		x.kept[name] = true
		x.reply.Untouched = append(x.reply.Untouched, name)
		return nil
	}
	f := &writtenFile{Ref: it.Ref.String(), Hashes: []string{hashOf(content)}}
	if before != nil {
		f.Hashes = append(f.Hashes, hashOf(before))
	}
	x.cat.Files[name], x.wanted[name] = f, true
	return nil
}

// cameIn reports whether what a person wrote into the file of a memory was taken in
// since: then the file can be written again.
func (e *Folder) cameIn(ctx context.Context, it *store.Item, file []byte) (bool, error) {
	front, text := markdown.Split(string(file))
	later, err := e.revisions(ctx, it)
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(later, func(r *store.Item) bool { return fileSays(r.Record, front, text) }), nil
}

func (x *markdownExport) write(_ context.Context, _ *store.Item, name string, content []byte) error {
	if !x.wanted[name] {
		return nil
	}
	if err := x.root.MkdirAll(path.Dir(name), 0o700); err != nil {
		return err
	}
	if err := replaceFile(x.root, name, content); err != nil {
		return err
	}
	x.cat.Files[name].Hashes = []string{hashOf(content)}
	x.reply.Written++
	return nil
}

// tidy takes away files of memories that are purged or hidden since. Where somebody
// changed one, it stays.
func (x *markdownExport) tidy(ctx context.Context) error {
	for name, f := range x.cat.Files {
		ref, err := memory.ParseRef(f.Ref)
		if err != nil || x.wanted[name] || x.kept[name] {
			continue
		}
		items, err := x.e.Store.Get(ctx, ref.ID)
		if err != nil {
			return err
		}
		if items[0] == nil || shown(items[0]) {
			continue
		}
		content, err := readFile(x.root, name, maxNote)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err == nil && f.holds(content):
			if err := x.root.Remove(name); err != nil {
				return err
			}
			x.reply.Removed++
		default:
			x.reply.Untouched = append(x.reply.Untouched, name)
			continue
		}
		delete(x.cat.Files, name)
	}
	return nil
}
