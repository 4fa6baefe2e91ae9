package folder

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/engine/views"
	"github.com/stemma-memory/stemma/internal/markdown"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Names in a folder of Markdown files. The directory is hidden, so that note editors ignore
// it, and its name differs from those that a store is searched under.
const (
	notesDir    = ".stemma-markdown"
	recordsFile = notesDir + "/records.jsonl" // the signed bytes, as Export writes them
	filesFile   = notesDir + "/files.json"    // what was written, to know it again
)

// written is the catalogue's entry about one written file.
type writtenFile struct {
	Ref    string   `json:"ref"`
	Hashes []string `json:"sha256"` // what it may hold; of a run that was cut off, two
}

// A catalogue is the list of files that an export wrote to a folder.
type catalogue struct {
	Version int                     `json:"version"`
	Spaces  []string                `json:"spaces"`
	Files   map[string]*writtenFile `json:"files"` // by path, with slashes
}

// catalogueVersion is the version of the catalogue that is written.
const catalogueVersion = 1

// maxCatalogue bounds the catalogue of a folder, in bytes.
const maxCatalogue = 256 << 20

// readCatalogue returns the catalogue of a folder, an empty one if nothing was exported to it.
func readCatalogue(root *os.Root) (*catalogue, error) {
	c := &catalogue{Version: catalogueVersion, Files: make(map[string]*writtenFile)}
	raw, err := readFile(root, filesFile, maxCatalogue)
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(c); err != nil {
		return nil, core.Invalid("%s: %v", filesFile, err)
	}
	if c.Version != catalogueVersion {
		return nil, core.Invalid("%s: is of version %d; this program knows %d", filesFile, c.Version, catalogueVersion)
	}
	for name, f := range c.Files {
		if f == nil || !fs.ValidPath(name) {
			return nil, core.Invalid("%s: %q is not a file of this folder", filesFile, shorten.To(name, 80))
		}
	}
	return c, nil
}

func (c *catalogue) write(root *os.Root) error {
	raw, err := json.MarshalIndent(c, "", " ")
	if err != nil {
		return err
	}
	return replaceFile(root, filesFile, append(raw, '\n'))
}

// holds reports whether a file still is what was written.
func (f *writtenFile) holds(content []byte) bool {
	return f != nil && slices.Contains(f.Hashes, hashOf(content))
}

func hashOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// readFile reads a regular file of a folder, up to a bound.
func readFile(root *os.Root, name string, most int64) ([]byte, error) {
	info, err := root.Lstat(name)
	if err != nil {
		return nil, err
	}
	switch {
	case !info.Mode().IsRegular():
		return nil, core.Invalid("%s: is not a regular file", name)
	case info.Size() > most:
		return nil, core.Invalid("%s: is longer than %d MiB", name, most>>20)
	}
	return root.ReadFile(name)
}

// replaceFile writes a file whole or not at all.
func replaceFile(root *os.Root, name string, content []byte) error {
	const temporary = notesDir + "/new" // a name that only this code uses
	if err := root.WriteFile(temporary, content, 0o600); err != nil {
		return err
	}
	return root.Rename(temporary, name)
}

// shown reports whether a memory has a file: what a person would find, and what
// was in its place before.
func shown(it *store.Item) bool {
	s := it.State
	return it.Record != nil && it.Ref.Kind.IsMemory() && s.Review != state.ReviewRejected && !s.Forgotten &&
		!s.Quarantined && !s.Purged
}

// fileOf returns the path of a memory's file: its kind, and its headline with so
// much of its id that no two are the same, on any file system.
func fileOf(r *memory.Record) string {
	return string(r.Header.Kind) + "/" + nameOf(r) + ".md"
}

func nameOf(r *memory.Record) string {
	id := r.ID.String()[:16]
	if slug := markdown.Slug(r.Headline()); slug != "" {
		return slug + "-" + id
	}
	return id
}

// render returns the file of a memory. Names returns the files of other memories.
func renderFile(it *store.Item, v *trust.Rating, marks []string, names map[memory.ID]string) []byte {
	return []byte(frontOf(it, v, marks, names).String() + "\n" + layOut(core.DraftOf(it.Record.Body)))
}

// Members of a front matter that say where a memory came from. What a person
// writes there changes nothing; a difference is named.
const (
	frontRef        = "ref"
	frontTags       = "tags"
	frontSources    = "sources"
	frontSupersedes = "supersedes"
)

// frontOf returns the front matter of a memory.
func frontOf(it *store.Item, v *trust.Rating, marks []string, names map[memory.ID]string) markdown.Front {
	m, h := views.View(it), &it.Record.Header
	only := func(is bool) string {
		if is {
			return "true"
		}
		return ""
	}
	link := func(refs []memory.Ref) []string {
		var out []string
		for _, r := range refs {
			if name := names[r.ID]; name != "" {
				out = append(out, "[["+name+"]]")
			} else {
				out = append(out, r.String())
			}
		}
		return out
	}
	var after []memory.Ref
	if !it.State.SupersededBy.IsZero() {
		after = []memory.Ref{{Kind: it.Ref.Kind, ID: it.State.SupersededBy}}
	}
	return markdown.Front{Members: append(signedFront(it.Record), markdown.List(frontTags, h.Tags),
		markdown.List(frontSources, link(h.Provenance.From)), markdown.List(frontSupersedes, link(h.Provenance.Supersedes)),
		markdown.List("superseded_by", link(after)),
		markdown.Text(
			"confidence", fmt.Sprint(m.Confidence),
		), markdown.Text("tier", m.Tier), markdown.Text("review", m.Review),
		markdown.Text("status", m.Status), markdown.Text("progress", m.Progress), markdown.Text(
			"intensity", decimalOrNone(m.Intensity),
		),
		markdown.Text("disputed", only(v != nil && v.Disputed)), markdown.Text("external", only(v != nil && v.Tainted)),
		markdown.List("marks", marks),
	)}
}

// signedFront returns the members that follow from the record alone.
func signedFront(r *memory.Record) []markdown.Member {
	h := &r.Header
	all := []markdown.Member{
		markdown.Text(frontRef, r.Ref().String()), markdown.Text("kind", string(h.Kind)), markdown.Text(
			"type", core.DraftOf(r.Body).Type,
		),
		markdown.Text("author", h.Author), markdown.Text("agent", h.Agent), markdown.Text("origin", string(h.Origin)),
		markdown.Text("via", string(h.Provenance.Via)), markdown.Text("created", h.At.String()),
		markdown.Text("valid_from", h.ValidFrom.String()), markdown.Text("valid_until", h.ValidUntil.String()),
		markdown.Text("session", h.Session), markdown.List("alias", h.Alias),
		markdown.Text("title", shorten.To(r.Headline(), 200)), markdown.List("about", h.About),
	}
	if raw, ok := r.Body.(*memory.Raw); ok {
		all = append(all, markdown.Text("speaker", raw.Speaker), markdown.Text("occurred", raw.OccurredAt.String()))
	}
	return all
}

// ExportMarkdown writes one file for each memory of the spaces in use into a directory: its
// words, its tags, its origin, and wikilinks to its sources. It also writes the signed bytes
// of all records. A directory of an earlier export is brought up to date: a file that somebody
// edited or added is left alone and named. Progress, if not nil, is called with the number of
// memories done.
func (e *Folder) ExportMarkdown(ctx context.Context, dir string, progress func(done int)) (api.MarkdownReply, error) {
	var reply api.MarkdownReply
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return reply, fmt.Errorf("export to %s: %w", dir, err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return reply, fmt.Errorf("export to %s: %w", dir, err)
	}
	defer root.Close()
	x := &markdownExport{e: e, root: root, reply: &reply, names: make(map[memory.ID]string), wanted: make(map[string]bool)}
	err = x.run(ctx, progress)
	slices.Sort(reply.Untouched)
	if err != nil && cmp.Or(core.Classify(err), err) == err && !core.HasKind(err) {
		err = fmt.Errorf("export to %s: %w", dir, err)
	}
	return reply, core.Classify(err)
}

// decimalOrNone writes a number; "" for none.
func decimalOrNone(f *float64) string {
	if f == nil {
		return ""
	}
	return fmt.Sprint(*f)
}
