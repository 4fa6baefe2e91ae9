package importers

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/live"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
	"github.com/stemma-memory/stemma/memory"
)

// Formats that a file can be told by what stands in it. The first are read here by
// Read; the others have readers of their own.
const (
	FormatGraph        = "mcp-memory"
	FormatMem0         = "mem0"
	FormatKernle       = "kernle"
	FormatAlexandria   = "alexandria"
	FormatMarkdown     = "markdown"
	FormatBasic        = "basic-memory"
	FormatInstructions = "instructions"

	FormatRecords   = "records"   // what Export wrote
	FormatFolder    = "folder"    // what ExportMarkdown wrote
	FormatAnamnesis = "anamnesis" // documents of the Memory Provenance Schema
	FormatLoCoMo    = "locomo"
	FormatJSONL     = "jsonl"
)

// A Format is one that Read reads, and what it is.
type Format struct{ Name, Doc, Example string }

// Formats are those that Read reads.
var Formats = []Format{
	{FormatGraph, "The file of the MCP reference memory server: entities and relations", "memory.jsonl"},
	{FormatMem0, "Memories exported by mem0, as JSON", "mem0.json"},
	{FormatKernle, "Kernle's database or its dump as JSON", "~/.kernle/memories.db"},
	{FormatAlexandria, "Alexandria's database or its export", "alexandria.json"},
	{FormatMarkdown, "A folder of notes with front matter and wikilinks, such as Obsidian's", "vault/"},
	{FormatBasic, "A folder of Basic Memory: observations and relations", "basic-memory/"},
	{FormatInstructions, "CLAUDE.md, AGENTS.md: instructions for agents", "CLAUDE.md"},
}

// maxJSON bounds a document of another program, in bytes.
const maxJSON = 512 << 20

var magic = []byte("SQLite format 3\x00")

// Detect returns the format of a file or directory by its content and, for instructions alone,
// by its name.
func Detect(ctx context.Context, path string) (string, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", api.Invalid("import: %s does not exist", path)
	}
	if err != nil {
		return "", api.Invalid("import: %v", err)
	}
	if info.IsDir() {
		return detectFolder(ctx, path)
	}
	if !info.Mode().IsRegular() {
		return FormatRecords, nil // a pipe is read once
	}
	if live.Has(info) {
		return "", api.Invalid("import %s: %v", path, live.ErrOpen)
	}
	f, err := os.Open(path)
	if err != nil {
		return "", api.Invalid("import: %v", err)
	}
	defer live.Close(f)
	head := make([]byte, len(magic))
	n, _ := io.ReadFull(f, head)
	if bytes.Equal(head[:n], magic) {
		return detectDatabase(ctx, path)
	}
	if ext := strings.ToLower(filepath.Ext(path)); ext == ".md" || ext == ".markdown" ||
		looksInstructing(filepath.Base(path)) {
		return detectPage(ctx, path)
	}
	if utf16(head[:n]) {
		return "", api.Invalid("import %s: %s", path, isUTF16)
	}
	begin := int64(0)
	if mark := []byte("\ufeff"); bytes.HasPrefix(head[:n], mark) {
		begin = int64(len(mark))
	}
	if _, err := f.Seek(begin, io.SeekStart); err != nil {
		return "", err
	}
	format, err := detectJSON(f)
	if format == "" && err == nil {
		err = unknown(path)
	}
	return format, err
}

func unknown(path string) error {
	var names []string
	for _, f := range Formats {
		names = append(names, f.Name)
	}
	names = append(names, FormatAnamnesis, FormatLoCoMo, FormatJSONL, FormatRecords)
	return api.Invalid("import %s: unknown format; choose one with `format=NAME`: %s", path, strings.Join(names, ", "))
}

func detectFolder(ctx context.Context, path string) (string, error) {
	if engine.IsExportedFolder(path) {
		return FormatFolder, nil
	}
	_, pages, err := Folder{Path: path}.pages(ctx)
	if err != nil {
		return "", fmt.Errorf("import %s: %w", path, err)
	}
	if len(pages) == 0 {
		return "", api.Invalid(
			"import %s: there is no Markdown file in it; `import git %s` reads a repository", path, path,
		)
	}
	if slices.ContainsFunc(pages, looksBasic) {
		return FormatBasic, nil
	}
	return FormatMarkdown, nil
}

func detectPage(ctx context.Context, path string) (string, error) {
	if looksInstructing(filepath.Base(path)) {
		return FormatInstructions, nil
	}
	_, pages, err := Folder{Path: path}.pages(ctx)
	if err != nil {
		return "", fmt.Errorf("import %s: %w", path, err)
	}
	if looksBasic(pages[0]) {
		return FormatBasic, nil
	}
	return FormatMarkdown, nil
}

func detectDatabase(ctx context.Context, path string) (string, error) {
	f, err := sqlstore.OpenForeign(ctx, path)
	if err != nil {
		return "", api.Invalid("import %s: %v", path, err)
	}
	defer f.Close()
	switch {
	case isKernle(f):
		return FormatKernle, nil
	case isAlexandria(f):
		return FormatAlexandria, nil
	case f.Has("records") && f.Has("spaces"):
		return "", api.Invalid(
			"import %s: is a store of stemma itself: `export store=%s` writes what can be imported",
			path, path,
		)
	}
	return "", api.Invalid("import %s: is a database of neither Kernle nor Alexandria", path)
}

// detectJSON looks at the names in the first value of a file, or in the first of
// its list.
func detectJSON(r io.Reader) (string, error) {
	d := json.NewDecoder(io.LimitReader(r, maxJSON))
	t, err := d.Token()
	if err != nil {
		return "", nil
	}
	listed := false
	if t == json.Delim('[') {
		listed = true
		if t, err = d.Token(); err != nil {
			return "", nil
		}
	}
	if t != json.Delim('{') {
		return "", nil
	}
	names := make(map[string]json.RawMessage)
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return FormatRecords, nil // who wrote it says what is wrong with it
		}
		var v json.RawMessage
		if err := d.Decode(&v); err != nil {
			return FormatRecords, nil
		}
		if len(v) > 64 {
			v = v[:64]
		}
		names[name.(string)] = v
	}
	return formatOf(names, listed), nil
}

func formatOf(names map[string]json.RawMessage, listed bool) string {
	has := func(all ...string) bool {
		return !slices.ContainsFunc(all, func(n string) bool { _, ok := names[n]; return !ok })
	}
	list := func(name string) bool { return bytes.HasPrefix(names[name], []byte("[")) }
	kind := strings.Trim(string(names["type"]), `"`)
	switch {
	case has("payload") || has("purged") || has("checkpoint") || has("inclusion"):
		return FormatRecords
	case kind == "entity" && has("name") || kind == "relation" && has("from"):
		return FormatGraph
	case list("beliefs") && list("episodes"), list("raw_entries"):
		return FormatKernle
	case list("objects") && !listed, has("objectType", "content"):
		return FormatAlexandria
	case list("results"), list("memories"), has("id", "memory"):
		return FormatMem0
	case has("content", "provenance"):
		return FormatAnamnesis
	case has("session_1"), has("conversation", "sample_id"), has("conversation", "qa"):
		return FormatLoCoMo
	case has("text") && !listed:
		return FormatJSONL
	}
	return ""
}

// A Source is something to read: a path, or what was opened already.
type Source struct {
	Path   string
	In     io.Reader // instead of a file; not of databases and folders
	Name   string    // tells its ids from those of others, where a format has none of its own
	Format string
	Held   func(ctx context.Context, aliases ...string) (map[string]memory.Ref, error)
}

// Read reads a source in its format. All of it is read and checked before the first
// record is given.
func Read(ctx context.Context, s Source) (*Found, error) {
	found, err := s.read(ctx)
	if err != nil && errors.Is(err, api.ErrInvalid) {
		return nil, api.Invalid("import %s: %s", s.Path, flat(err))
	}
	if err != nil {
		return nil, fmt.Errorf("import %s: %w", s.Path, err)
	}
	return found, nil
}

func (s Source) read(ctx context.Context) (*Found, error) {
	switch s.Format {
	case FormatMarkdown, FormatBasic:
		return Folder{Path: s.Path, Basic: s.Format == FormatBasic, Held: s.Held}.Read(ctx)
	case FormatInstructions:
		return Instructions(ctx, s.Path, s.Held)
	}
	in := s.In
	if in == nil {
		f, err := os.Open(s.Path)
		if err != nil {
			return nil, api.Invalid("%v", err)
		}
		defer live.Close(f)
		in = f
	}
	if s.Format == FormatGraph {
		return Graph(ctx, in, s.Name, s.Held)
	}
	if s.Format == FormatKernle || s.Format == FormatAlexandria {
		if found, err := s.database(ctx, in); found != nil || err != nil {
			return found, err
		}
	}
	data, err := io.ReadAll(io.LimitReader(in, maxJSON+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxJSON {
		return nil, api.Invalid("is longer than %d MiB", maxJSON>>20)
	}
	switch s.Format {
	case FormatMem0:
		return Mem0(ctx, data, s.Held)
	case FormatKernle:
		return KernleDump(ctx, data, s.Held)
	case FormatAlexandria:
		return AlexandriaExport(ctx, data, s.Held)
	}
	return nil, api.Invalid("there is no format %q", s.Format)
}

// database reads a source that is one; nil if it is none.
func (s Source) database(ctx context.Context, in io.Reader) (*Found, error) {
	file, ok := in.(io.ReadSeeker)
	if !ok || s.In != nil {
		return nil, nil
	}
	head := make([]byte, len(magic))
	n, _ := io.ReadFull(file, head)
	if _, err := file.Seek(0, io.SeekStart); err != nil || !bytes.Equal(head[:n], magic) {
		return nil, err
	}
	f, err := sqlstore.OpenForeign(ctx, s.Path)
	if err != nil {
		return nil, api.Invalid("%v", err)
	}
	defer f.Close()
	switch {
	case s.Format == FormatKernle && isKernle(f):
		return kernleTablesOf(ctx, f, s.Held)
	case s.Format == FormatAlexandria && isAlexandria(f):
		return alexandriaTables(ctx, f, s.Held)
	}
	return nil, api.Invalid("is no database of %s", s.Format)
}
