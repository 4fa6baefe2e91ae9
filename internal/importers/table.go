package importers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

// FormatOf returns a format by its name; nil if there is none.
func FormatOf(name string) *Format {
	for _, f := range Formats() {
		if f.Name == name {
			return &f
		}
	}
	return nil
}

// Detect returns the format of a file, or of the files of a folder or archive, by what stands in it. Where
// they are of several, it is that of most.
func Detect(ctx context.Context, name string) (string, error) {
	if name != "-" && engine.IsExportedFolder(name) {
		return FormatFolder, nil
	}
	t, err := openTree(ctx, Source{Path: name})
	if err != nil {
		return "", about1(name, err)
	}
	defer t.done()
	groups, err := t.group(ctx, "")
	if err != nil {
		return "", about1(name, err)
	}
	most := slices.MaxFunc(groups, func(a, b group) int { return cmp.Compare(len(a.files), len(b.files)) })
	return most.format.Name, nil
}

// A group is the files of a source that are of one format.
type group struct {
	format Format
	files  []*file
}

// group says of each file of a source which format it is of. What is of none is left out by name; a
// source of nothing else is refused.
func (t *tree) group(ctx context.Context, only string) ([]group, error) {
	formats := Formats()
	if only != "" {
		f := FormatOf(only)
		if f == nil {
			return nil, api.Invalid("there is no format %q", only)
		}
		formats = []Format{*f}
	}
	at := make(map[string]*group)
	unknown := ""
	var seen []*file
	for _, f := range t.files {
		if _, err := f.look(ctx); err != nil {
			t.bad = append(t.bad, f.name+": "+flat(err))
			continue
		}
		if f.base() == memoryIndex {
			if t.indexed == nil {
				t.indexed = make(map[string]bool)
			}
			t.indexed[path.Dir(f.name)] = true
		}
		if t.isBasic = t.isBasic || f.seen.page() && looksBasic(f.seen); t.dir {
			f.seen.forget()
		}
		seen = append(seen, f)
	}
	for _, f := range seen {
		s := f.seen
		i := slices.IndexFunc(formats, func(o Format) bool { return o.is(s) })
		if i < 0 && only != "" && !t.dir {
			i = 0 // a person says what it is
		}
		if i < 0 {
			t.left[leftFile(f)]++
			if unknown == "" {
				unknown = s.looksLike()
			}
			continue
		}
		o := formats[i]
		if at[o.Name] == nil {
			at[o.Name] = &group{format: o}
		}
		at[o.Name].files = append(at[o.Name].files, f)
	}
	var out []group
	for _, o := range formats {
		if g := at[o.Name]; g != nil {
			out = append(out, *g)
		}
	}
	if len(out) > 0 {
		return out, nil
	}
	if len(t.bad) > 0 {
		return nil, api.Invalid("%s", t.bad[0])
	}
	if t.dir {
		if len(t.files) == 0 {
			return nil, api.Invalid("there is no file in it that can be read; `import git %s` reads a repository", t.path)
		}
		return nil, api.Invalid("none of its %d files is of a format that stemma knows; the first %s", len(t.files), unknown)
	}
	return nil, api.Invalid("unknown format: it %s; choose one with `format=NAME`: %s", unknown,
		strings.Join(Names(), ", "))
}

// leftFile says under which name a file counts that is of no format.
func leftFile(f *file) string {
	if ext := path.Ext(f.name); ext != "" && len(ext) < 12 {
		return clean("files " + ext)
	}
	return "files of no known format"
}

// Names are those of all formats.
func Names() []string {
	var out []string
	for _, f := range Formats() {
		out = append(out, f.Name)
	}
	slices.Sort(out)
	return out
}

// Read opens a source. What is bad in it costs only itself and is named in the end; a source of
// which nothing can be read is an error.
func Read(ctx context.Context, s Source) (*Found, error) {
	t, err := openTree(ctx, s)
	if err != nil {
		return nil, about1(s.Path, err)
	}
	groups, err := t.group(ctx, s.Format)
	if err != nil {
		t.done()
		return nil, about1(s.Path, err)
	}
	found := &Found{Mine: s.Mine, done: t.done}
	for _, g := range groups {
		found.Formats = append(found.Formats, g.format.Name)
		if g.format.read == nil {
			if len(groups) == 1 && len(g.files) == 1 {
				found.Open = func() (io.ReadCloser, error) {
					in, err := g.files[0].text(nil)
					if err != nil {
						return nil, about1(s.Path, err)
					}
					return closing{in, func() error { defer t.done(); return in.Close() }}, nil
				}
				return found, nil
			}
			t.left["files of the format "+g.format.Name+", which is imported by itself"] += len(g.files)
		}
	}
	found.Records = func(yield func(api.Foreign, error) bool) {
		defer t.done()
		r := &reading{ctx: ctx, source: s, tree: t, found: found, yield: yield}
		if err := r.all(groups); err != nil && !errors.Is(err, errEnough) {
			yield(api.Foreign{}, about1(s.Path, err))
		}
	}
	return found, nil
}

// all reads the files of all formats.
func (r *reading) all(groups []group) error {
	for _, text := range r.tree.bad {
		r.found.Lost.bad("%s", text)
	}
	for _, g := range groups {
		if g.format.read == nil {
			continue
		}
		if err := r.bad("", g.format.read(r, g.files)); err != nil {
			return err
		}
	}
	for why, n := range r.tree.left {
		if why != "" && n > 0 {
			r.found.Lost.LeftOut = plus(r.found.Lost.LeftOut, why, n)
		}
	}
	if l := &r.found.Lost; r.found.Total == 0 && l.Broken > 0 {
		text := l.Bad[0]
		if l.Broken > 1 {
			text += fmt.Sprintf("; so are %d more, and nothing of it can be read", l.Broken-1)
		}
		return api.Invalid("%s", text)
	}
	return nil
}

// Close gives back what a source took that is not read after all.
func (f *Found) Close() { f.done() }
