package code

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stemma-memory/stemma/internal/lazy"
	"github.com/stemma-memory/stemma/memory"
)

const (
	maxPath   = 4096 // bytes
	maxSymbol = 1024 // bytes
	maxLine   = 1<<31 - 1
)

// lineForm is what stands after the path of a ref to lines.
var lineForm = lazy.Regexp(`^(.*):([0-9]+)(?:-([0-9]+))?$`)

// Parse reads path, path#symbol, path:10 or path:10-20. The path is relative to
// cwd, where the user stands, and becomes relative to the root; where there is no
// such file but there is one of that path from the root, that is meant. An empty
// cwd, or one outside the tree, is the root. Parse looks for files only to read
// the text right, a path may hold '#' and ':'; that the file exists is for Pin.
func (t *Tree) Parse(text, cwd string) (memory.Evidence, error) {
	none := memory.Evidence{}
	if strings.TrimSpace(text) == "" {
		return none, invalid("a code ref is a path, path#symbol or path:10-20, and this is empty")
	}
	if len(text) > maxPath+maxSymbol {
		return none, invalid("a code ref of %d bytes is too long", len(text))
	}
	here := t.below(cwd)
	root, err := os.OpenRoot(t.root)
	if err != nil {
		return none, fmt.Errorf("parse %s: %w", shown(text, maxWord), err)
	}
	defer root.Close()

	e, err := t.split(root, text, here)
	if err != nil {
		return none, err
	}
	e.Path = t.rooted(root, e.Path, here)
	if wrong := wrongPath(e.Path); wrong != "" {
		return none, invalid("%s: %s", shown(text, maxWord), wrong)
	}
	if err := rangeOf(e); err != nil {
		return none, err
	}
	return e, nil
}

// split takes the path from what stands after it: where that leaves a choice, as
// a file exists.
func (t *Tree) split(root *os.Root, text, here string) (memory.Evidence, error) {
	e := memory.Evidence{Type: "code", Path: text}
	if !strings.ContainsAny(text, "#:") || t.exists(root, text, here) {
		return e, nil
	}
	for i := range len(text) {
		if text[i] == '#' && t.exists(root, text[:i], here) {
			return withSymbol(e, text, i)
		}
	}
	lines := lineForm.Get().FindStringSubmatch(text)
	cut := strings.IndexByte(text, '#')
	switch {
	case cut >= 0 && (lines == nil || !t.exists(root, lines[1], here)):
		return withSymbol(e, text, cut)
	case lines != nil:
		return withLines(e, lines)
	}
	return e, nil
}

func withSymbol(e memory.Evidence, text string, cut int) (memory.Evidence, error) {
	e.Path, e.Symbol = text[:cut], text[cut+1:]
	m := lineForm.Get().FindStringSubmatch(e.Symbol)
	switch {
	case e.Symbol == "" || strings.TrimSpace(e.Symbol) != e.Symbol || len(e.Symbol) > maxSymbol ||
		!utf8.ValidString(e.Symbol) ||
		strings.ContainsFunc(e.Symbol, unicode.IsControl):
		return e, invalid("%s: the text after # is not a symbol's name", shown(text, maxWord))
	case m != nil && !strings.HasSuffix(m[1], ":"): // A::10 is no range of lines
		return e, invalid("%s: name a symbol or lines, not both", shown(text, maxWord))
	}
	return e, nil
}

func withLines(e memory.Evidence, form []string) (memory.Evidence, error) {
	start, err := strconv.ParseInt(form[2], 10, 32)
	end := start
	if err == nil && form[3] != "" {
		end, err = strconv.ParseInt(form[3], 10, 32)
	}
	if err != nil || start < 1 {
		return e, invalid("%s: lines are counted from 1", shown(form[0], maxWord))
	}
	e.Path, e.Start, e.End = form[1], int(start), int(end)
	return e, nil
}

// below is the directory from the root in which the user stands.
func (t *Tree) below(cwd string) string {
	if cwd == "" {
		return "."
	}
	if there, err := realDir(cwd); err == nil {
		cwd = there
	}
	rel, err := filepath.Rel(t.root, cwd)
	if err != nil || !filepath.IsLocal(rel) {
		return "."
	}
	return filepath.ToSlash(rel)
}

// rooted makes a path relative to the root; one that cannot be is left as it is.
func (t *Tree) rooted(root *os.Root, p, here string) string {
	p = filepath.ToSlash(p)
	if last := path.Base(p); strings.HasPrefix(p, "/") || strings.HasSuffix(p, "/") || last == "." || last == ".." ||
		isDrive(p) {
		return p
	}
	joined := path.Join(here, p)
	if clean := path.Clean(p); here != "." && !existsAt(root, joined) && existsAt(root, clean) {
		return clean
	}
	return joined
}

func (t *Tree) exists(root *os.Root, p, here string) bool {
	return existsAt(root, t.rooted(root, p, here))
}

func existsAt(root *os.Root, p string) bool {
	if wrongPath(p) != "" {
		return false
	}
	_, err := root.Lstat(filepath.FromSlash(p))
	return err == nil
}

// isDrive says how paths of Windows begin that are not relative.
func isDrive(p string) bool { return len(p) > 1 && p[1] == ':' }

// wrongPath says what is wrong with a path from the root, or "". A path that is
// fine here is fine in a record.
func wrongPath(p string) string {
	switch {
	case p == "":
		return "the path is missing"
	case len(p) > maxPath:
		return "the path is too long"
	case !utf8.ValidString(p) || strings.ContainsFunc(p, unicode.IsControl):
		return "the path holds control characters or bytes that are no text"
	case strings.HasPrefix(p, "/") || isDrive(p):
		return "the path must be relative to the root of the repository"
	case strings.Contains(p, `\`):
		return `the path must be written with / and hold no \`
	case strings.HasPrefix(p, "../") || strings.HasSuffix(p, "/..") || p == "..":
		return "the path leads out of the repository"
	case p == "." || strings.HasSuffix(p, "/") || strings.HasSuffix(p, "/."):
		return "the path is a directory: name a file"
	case path.Clean(p) != p || strings.TrimSpace(p) == "":
		return "the path has needless parts"
	}
	for part := range strings.SplitSeq(p, "/") {
		if strings.EqualFold(part, ".git") {
			return "files inside .git cannot be referenced"
		}
	}
	return ""
}

func rangeOf(e memory.Evidence) error {
	if none := e.Start == 0 && e.End == 0; !none && (e.Start < 1 || e.End < e.Start || e.End > maxLine) {
		return invalid("%s: %d to %d is no range of lines", shown(Text(e), maxWord), e.Start, e.End)
	}
	return nil
}

// unfit says why a ref, which may be a stranger's, cannot be looked at, or "".
func unfit(e memory.Evidence) string {
	switch {
	case e.Type != "code":
		return "it is no code ref"
	case wrongPath(e.Path) != "":
		return wrongPath(e.Path)
	case len(e.Symbol) > maxSymbol:
		return "the symbol's name is too long"
	case rangeOf(e) != nil:
		return "its lines are no range"
	}
	return ""
}

func invalid(format string, args ...any) error {
	return &failure{ErrInvalid, fmt.Sprintf(format, args...)}
}

func notFound(format string, args ...any) error {
	return &failure{ErrNotFound, fmt.Sprintf(format, args...)}
}
