package blame

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/internal/git"
)

// A Line is one line of a file, and who wrote it.
type Line struct {
	Number    int
	Text      string
	Commit    string // "" is not committed
	Boundary  bool   // the history of a shallow clone ends there
	Summary   string
	Author    string
	Committed string // when the author wrote it, as git says
	Path      string // in that commit
	Note      *Note  // nil is not seen
}

// A Source gives what was noted of some paths of the repository, the oldest first; nil is all.
type Source func(paths []string) ([]*Note, error)

// An Asked is what somebody wants to know of a file.
type Asked struct {
	Repository git.Repository
	Path       string // in the repository, with slashes
	Rev        string // "" is the file as it is now
	From, To   int    // lines, from 1; 0 is all
	Notes      Source

	now *uncommitted // of the file as it is now
}

// An Error says in one line why nothing can be said.
type Error struct{ text string }

func (e *Error) Error() string { return e.text }

func failed(format string, values ...any) error { return &Error{fmt.Sprintf(format, values...)} }

// Of says who wrote the lines of a file.
func Of(ctx context.Context, a Asked) ([]Line, error) {
	dir := a.Repository.Dir
	head, err := commitOf(ctx, dir, or(a.Rev, "HEAD"))
	if err != nil && (a.Rev != "" || !errors.Is(err, errNone)) {
		return nil, err
	}
	var text string
	if a.Rev == "" {
		text, err = workFile(a.Repository, a.Path)
	} else {
		text, err = committedFile(ctx, dir, head, a.Path)
	}
	if err != nil {
		return nil, err
	}
	all := lines(text)
	if a.From > len(all) {
		return nil, failed("%s has %d lines; there is no line %d", a.Path, len(all), a.From)
	}
	if a.To == 0 {
		a.From, a.To = 1, len(all)
	}
	a.To = min(a.To, len(all))
	if a.Rev == "" && head != "" {
		if a.now, err = uncommittedIn(ctx, dir, head, a.Path, all); err != nil {
			return nil, err
		}
	}
	blamed := make(chan map[int]*Line, 1)
	go func() { blamed <- blamedBy(ctx, dir, &a, head) }()
	rows, err := owners(ctx, &a, head, all)
	if err == nil {
		elsewhere(ctx, &a, rows)
	}
	by := <-blamed
	ends := shallow(a.Repository)
	if err != nil {
		return nil, err
	}
	var out []Line
	for n := a.From; n <= a.To; n++ {
		l := Line{Number: n, Path: a.Path}
		if b := by[n]; b != nil {
			l = *b
		}
		l.Text, l.Boundary = all[n-1], l.Commit != "" && slices.Contains(ends, l.Commit)
		if n <= len(rows) {
			l.Note = rows[n-1].note
			if by[n] == nil {
				l.Commit = rows[n-1].commit
			}
		}
		out = append(out, l)
	}
	return out, nil
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

var errNone = errors.New("no commit yet")

// commitOf is the commit that a name stands for.
func commitOf(ctx context.Context, dir, rev string) (string, error) {
	if strings.HasPrefix(rev, "-") || strings.ContainsFunc(rev, func(r rune) bool { return r < ' ' }) {
		return "", failed("%q is no commit", rev)
	}
	out, err := output(ctx, dir, "", "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}")
	if err != nil && ctx.Err() != nil {
		return "", ctx.Err()
	}
	if err != nil && rev == "HEAD" {
		return "", errNone
	}
	if err != nil {
		return "", failed("%q is no commit of this repository", rev)
	}
	return strings.TrimSpace(out), nil
}

// workFile reads a file of the checkout.
func workFile(r git.Repository, path string) (string, error) {
	full := filepath.Join(r.Dir, filepath.FromSlash(path))
	info, err := os.Lstat(full)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", failed("there is no file %s here; one that was deleted is in a commit: name that, too", path)
	case err != nil:
		return "", failed("%s cannot be read: %v", path, errors.Unwrap(err))
	case info.IsDir():
		if _, err := os.Lstat(filepath.Join(full, ".git")); err == nil {
			return "", failed("%s is a repository of its own, such as a submodule: ask inside it", path)
		}
		return "", failed("%s is a directory; name a file", path)
	case !info.Mode().IsRegular():
		return "", failed("%s is no regular file", path)
	case info.Size() > MaxFile:
		return "", failed("%s is larger than %d MiB", path, MaxFile>>20)
	}
	if at, _ := git.Find(filepath.Dir(full)); at.Dir != r.Dir {
		return "", failed("%s is in another repository, %s: ask inside it", path, at.Dir)
	}
	f, err := os.Open(full)
	if err != nil {
		return "", failed("%s cannot be read", path)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, MaxFile))
	if err != nil {
		return "", failed("%s cannot be read", path)
	}
	return plainText(path, text)
}

func committedFile(ctx context.Context, dir, commit, path string) (string, error) {
	text, err := output(ctx, dir, "", "cat-file", "blob", commit+":"+path)
	switch {
	case err != nil && ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil:
		return "", failed("%s is no file in %s", path, short(commit))
	case len(text) > MaxFile:
		return "", failed("%s is larger than %d MiB", path, MaxFile>>20)
	}
	return plainText(path, []byte(text))
}

const looked = 8000 // bytes in which git looks for a NUL

func plainText(path string, text []byte) (string, error) {
	if bytes.IndexByte(text[:min(len(text), looked)], 0) >= 0 {
		return "", failed("%s is binary; it has no lines", path)
	}
	if len(text) == 0 {
		return "", failed("%s is empty; it has no lines", path)
	}
	return string(text), nil
}

const shortCommit = 9

func short(commit string) string { return commit[:min(len(commit), shortCommit)] }

// owners says of each line of a file which note it is from.
func owners(ctx context.Context, a *Asked, head string, all []string) ([]*row, error) {
	dir := a.Repository.Dir
	var versions []version
	var err error
	if head != "" {
		if versions, err = history(ctx, dir, head, a.Path); err != nil {
			return nil, err
		}
	}
	now := version{path: a.Path}
	switch {
	case a.Rev == "" && len(versions) > 0:
		now.edits = a.now.edits
	case a.Rev == "":
		now.edits = []edit{{added: squeezedLines(all)}}
	}
	if len(now.edits) > 0 {
		versions = append(versions, now)
	}
	notes, err := a.Notes(paths(versions, a.Path))
	if err != nil {
		return nil, err
	}
	if err := order(ctx, dir, head, versions, notes); err != nil {
		return nil, err
	}
	rows := replay(versions, notes)
	if len(rows) != len(all) { // a filter of the checkout makes other lines
		return nil, nil
	}
	return rows, nil
}

// paths are the names that a file ever had.
func paths(versions []version, path string) []string {
	out := []string{path}
	for _, v := range versions {
		for _, p := range []string{v.path, v.was} {
			if p != "" && !slices.Contains(out, p) {
				out = append(out, p)
			}
		}
	}
	return out
}

// order says of versions and notes how they follow each other.
func order(ctx context.Context, dir, head string, versions []version, notes []*Note) error {
	if len(notes) == 0 || head == "" {
		return nil
	}
	var heads []string
	for _, n := range notes {
		if c := or(n.Commit, n.Head); c != "" && !slices.Contains(heads, c) {
			heads = append(heads, c)
		}
	}
	l, err := lineageOf(ctx, dir, head, heads)
	if err != nil {
		return err
	}
	for i := range versions {
		versions[i].order = l.order[versions[i].commit]
	}
	for _, n := range notes {
		n.order = l.of(or(n.Commit, n.Head))
		if _, on := l.order[n.Commit]; on {
			n.order = never
		}
	}
	return nil
}

// blamedBy asks git which commit each line is from. Where git does not say, the history does.
func blamedBy(ctx context.Context, dir string, a *Asked, head string) map[int]*Line {
	out := make(map[int]*Line)
	if head == "" {
		return out
	}
	from, to := a.From, a.To
	if a.now != nil {
		if from, to = a.now.within(from, to); from == 0 {
			return out
		}
	}
	args := []string{"-c", "blame.ignoreRevsFile=", "blame", "--porcelain", "--root", "-w", "--no-textconv",
		"-L", fmt.Sprintf("%d,%d", from, to), head}
	known := make(map[string]*Line)
	read := func(r *bufio.Reader) error { return readBlame(r, known, out) }
	err := run(ctx, dir, "", read, append(args, "--", a.Path)...)
	if err != nil {
		return nil
	}
	if a.now == nil {
		return out
	}
	here := make(map[int]*Line)
	for n := a.From; n <= a.To; n++ {
		if l := out[a.now.at[n-1]]; l != nil {
			one := *l
			one.Number = n
			here[n] = &one
		}
	}
	return here
}

func readBlame(r *bufio.Reader, known map[string]*Line, out map[int]*Line) error {
	var at *Line
	var commit string
	number := 0
	for {
		line, err := r.ReadString('\n')
		if line == "" && err != nil {
			return nil
		}
		line = strings.TrimSuffix(line, "\n")
		name, value, _ := strings.Cut(line, " ")
		switch {
		case strings.HasPrefix(line, "\t"):
			one := *at
			one.Number = number
			out[number] = &one
		case commitForm.MatchString(name):
			f := strings.Fields(value)
			if len(f) < 2 {
				return errors.New("git: an answer that cannot be read")
			}
			if number, err = strconv.Atoi(f[1]); err != nil {
				return err
			}
			commit = name
			if known[commit] == nil {
				known[commit] = &Line{Commit: strings.TrimLeft(commit, "0")}
				if known[commit].Commit != "" {
					known[commit].Commit = commit
				}
			}
			at = known[commit]
		case at == nil:
			return errors.New("git: an answer that cannot be read")
		case name == "author":
			at.Author = value
		case name == "author-time":
			if sec, err := strconv.ParseInt(value, 10, 64); err == nil {
				at.Committed = time.Unix(sec, 0).UTC().Format(time.RFC3339)
			}
		case name == "summary":
			at.Summary = value
		case name == "filename":
			at.Path = unquoted(value)
		}
	}
}

// shallow are the commits at which the history of a repository is cut off.
func shallow(r git.Repository) []string {
	return strings.Fields(git.Beginning(filepath.Join(r.Common, "shallow")))
}

// Head is the commit that is checked out, read from files; "" where that is not known.
func Head(r git.Repository) string {
	text := strings.TrimSpace(git.Beginning(filepath.Join(r.GitDir, "HEAD")))
	name, is := strings.CutPrefix(text, "ref: ")
	if !is {
		return named(text)
	}
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return ""
	}
	for _, dir := range []string{r.GitDir, r.Common} {
		if c := named(strings.TrimSpace(git.Beginning(filepath.Join(dir, filepath.FromSlash(name))))); c != "" {
			return c
		}
	}
	for line := range strings.Lines(git.Beginning(filepath.Join(r.Common, "packed-refs"))) {
		if commit, ref, ok := strings.Cut(strings.TrimSpace(line), " "); ok && ref == name {
			return named(commit)
		}
	}
	return ""
}

func named(text string) string {
	if commitForm.MatchString(text) {
		return text
	}
	return ""
}
