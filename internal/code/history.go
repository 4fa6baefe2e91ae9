package code

import (
	"bufio"
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/stemma-memory/stemma/internal/git"
	"github.com/stemma-memory/stemma/internal/lazy"
)

// commitForm is what a commit id of a ref or of the cache must look like before
// git is asked about it.
var commitForm = lazy.Regexp(`^[0-9a-f]{7,64}$`)

const (
	maxSubject  = 60  // characters of a commit's subject, and of its author's name
	maxPaths    = 100 // above which git is not asked to search for each path
	maxField    = 64 << 10
	renameLimit = "-l400" // files deleted times added, above which only files moved unchanged are followed
)

// commit is what is said of one.
type commit struct{ id, by, subject string }

// String is how reasons name a commit.
func (c *commit) String() string {
	if c.subject == "" {
		return c.id[:7]
	}
	return c.id[:7] + ` "` + c.subject + `"`
}

// touched finds for each path the newest commit at or before HEAD that changed it, or
// where HEAD does not have it deleted it: with one git log, which is ended when all are
// found.
func (l *look) touched(ctx context.Context, paths []string) error {
	wanted := make(map[string]bool)
	for _, p := range paths {
		if _, known := l.newest[p]; !known {
			there, err := l.objects.find(ctx, l.head, p)
			wanted[p] = err == nil && there.kind != absent
			l.newest[p] = nil
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	return l.log(ctx, l.head, slices.Collect(maps.Keys(wanted)), func(c *commit, t touch) bool {
		if is, ok := wanted[t.path]; ok && is != t.deleted {
			delete(wanted, t.path)
			l.newest[t.path] = c
		}
		return len(wanted) > 0
	})
}

// A touch is what one commit did to one file.
type touch struct {
	path    string
	was     []string // ids of its bytes in each parent, "" where there was no file
	now     string   // after it
	deleted bool
}

// came reports whether no parent of the commit has the file.
func (t *touch) came() bool {
	return !slices.ContainsFunc(t.was, func(id string) bool { return id != "" })
}

// log returns what commits at or before some did to files, the newest first, until tell
// says that it is enough.
func (l *look) log(ctx context.Context, from string, paths []string, tell func(*commit, touch) bool) error {
	var in strings.Builder
	in.WriteString(from + "\n")
	if len(paths) <= maxPaths {
		in.WriteString("--\n")
		for _, p := range paths {
			in.WriteString(p + "\n")
		}
	}
	running, stop := context.WithCancel(ctx)
	defer stop()
	cmd, stderr := git.Command(running, l.t.root, "log", "--stdin", "-z", "-c", "--raw", "--no-abbrev", "--no-renames",
		"--format=/%H%x00%an%x00%s%x00", "--encoding=UTF-8", "--no-relative", "--no-ext-diff", "--no-textconv",
		"--ignore-submodules=none", "-O/dev/null", "--no-show-signature", "--no-notes", "--no-mailmap")
	cmd.Stdin = strings.NewReader(in.String())
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return failed(ctx, err, stderr)
	}
	done := readLog(out, tell)
	if !done {
		stop()
	}
	err = cmd.Wait()
	if !done && ctx.Err() == nil {
		return nil // it was ended by us
	}
	return failed(ctx, err, stderr)
}

// readLog returns each commit with each file it touched. A commit begins with a slash, a
// file with a colon for each parent. It reports whether it came to the end.
func readLog(out interface{ Read([]byte) (int, error) }, tell func(*commit, touch) bool) bool {
	fields := bufio.NewScanner(out)
	fields.Buffer(make([]byte, 0, maxField), 16*maxField)
	fields.Split(splitNUL)
	next := func() string {
		fields.Scan()
		return fields.Text()
	}
	var c *commit
	for fields.Scan() {
		field := strings.TrimPrefix(fields.Text(), "\n") // what git puts before the first file
		if id, ok := strings.CutPrefix(field, "/"); ok {
			c = &commit{id: id}
			c.by, c.subject = shown(next(), maxSubject), shown(next(), maxSubject)
			continue
		}
		if field == "" || c == nil {
			continue
		}
		t, ok := readTouch(field)
		if t.path = next(); !ok || len(c.id) < 7 || !tell(c, t) {
			return false
		}
	}
	return true
}

// readTouch reads modes and ids of a file: those in each parent, then those after the
// commit.
func readTouch(field string) (t touch, ok bool) {
	n := len(field) - len(strings.TrimLeft(field, ":"))
	parts := strings.Fields(field[n:])
	if n == 0 || len(parts) != 2*n+3 {
		return t, false
	}
	for i := range n + 1 {
		mode, id := parts[i], parts[n+1+i]
		if !strings.HasPrefix(mode, "100") {
			id = "" // no file: nothing, a link, a submodule
		}
		if i < n {
			t.was = append(t.was, id)
		} else {
			t.now, t.deleted = id, strings.Trim(mode, "0") == ""
		}
	}
	return t, true
}

func splitNUL(data []byte, atEnd bool) (int, []byte, error) {
	for i, b := range data {
		if b == 0 {
			return i + 1, data[:i], nil
		}
	}
	if atEnd && len(data) > 0 {
		return len(data), data, nil
	}
	return 0, nil, nil
}

// renames finds what the commits renamed: for each commit, new paths by old ones.
func (l *look) renames(ctx context.Context, commits []*commit) (map[string]map[string]string, error) {
	var in strings.Builder
	for _, c := range commits {
		in.WriteString(c.id + "\n")
	}
	out, err := ask(ctx, l.t.root, in.String(), "diff-tree", "--stdin", "-r", "-m", "-M", renameLimit, "-z",
		"--name-status", "--diff-filter=R", "--no-ext-diff", "--no-textconv", "-O/dev/null")
	if err != nil {
		return nil, err
	}
	all := make(map[string]map[string]string)
	var now map[string]string
	fields := strings.Split(out, "\x00")
	for i := 0; i < len(fields); i++ {
		switch field := fields[i]; {
		case isRename(field) && i+2 < len(fields):
			if now != nil {
				now[fields[i+1]] = fields[i+2]
			}
			i += 2
		case commitForm.Get().MatchString(field):
			if now = all[field]; now == nil {
				now = make(map[string]string)
				all[field] = now
			}
		}
	}
	return all, nil
}

// isRename tells git's letter for a rename, which a number follows.
func isRename(field string) bool {
	digits, ok := strings.CutPrefix(field, "R")
	_, err := strconv.Atoi(digits)
	return ok && err == nil
}

// descends reports whether HEAD is a commit after another one. Where git cannot
// tell, because that one is gone or cut off, it is not.
func (l *look) descends(ctx context.Context, from string) bool {
	after, known := l.descent[from]
	if !known {
		if l.descent == nil {
			l.descent = make(map[string]bool)
		}
		if len(l.descent) < maxDescents {
			_, err := ask(ctx, l.t.root, "", "merge-base", "--is-ancestor", "--end-of-options", from, l.head)
			after = err == nil
		}
		l.descent[from] = after
	}
	return after
}

const maxDescents = 4 // other HEADs of the cache that git is asked about
