package code

import (
	"bufio"
	"context"
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

// touched finds for each path the newest commit at or before HEAD that changed or
// deleted it: with one git log, which is ended when all are found.
func (l *look) touched(ctx context.Context, paths []string) error {
	wanted := make(map[string]bool)
	for _, p := range paths {
		if _, known := l.newest[p]; !known {
			wanted[p] = true
			l.newest[p] = nil
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	var in strings.Builder
	in.WriteString(l.head + "\n")
	if len(wanted) <= maxPaths {
		in.WriteString("--\n")
		for p := range wanted {
			in.WriteString(p + "\n")
		}
	}
	running, stop := context.WithCancel(ctx)
	defer stop()
	cmd, stderr := git.Command(running, l.t.root, "log", "--stdin", "-z", "-c", "--name-only", "--no-renames",
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
	done := readLog(out, func(c *commit, path string) bool {
		if wanted[path] {
			delete(wanted, path)
			l.newest[path] = c
		}
		return len(wanted) > 0
	})
	if !done {
		stop()
	}
	err = cmd.Wait()
	if !done && ctx.Err() == nil {
		return nil // it was ended by us
	}
	return failed(ctx, err, stderr)
}

// readLog gives each commit with each file it touched. A commit begins with a
// slash, with which no path of git's does. It reports whether it came to the end.
func readLog(out interface{ Read([]byte) (int, error) }, tell func(*commit, string) bool) bool {
	fields := bufio.NewScanner(out)
	fields.Buffer(make([]byte, 0, maxField), 16*maxField)
	fields.Split(splitNUL)
	next := func() string {
		fields.Scan()
		return fields.Text()
	}
	var c *commit
	first := false
	for fields.Scan() {
		field := fields.Text()
		if id, ok := strings.CutPrefix(field, "/"); ok {
			c, first = &commit{id: id}, true
			c.by, c.subject = shown(next(), maxSubject), shown(next(), maxSubject)
			continue
		}
		if first {
			field = strings.TrimPrefix(field, "\n") // what git puts before the first name
		}
		if field == "" || c == nil {
			continue
		}
		if first = false; len(c.id) < 7 || !tell(c, field) {
			return false
		}
	}
	return true
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

// descends tells whether HEAD is a commit after another one. Where git cannot
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
