package importers

import (
	"context"
	"encoding/base64"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/memory"
)

// Git reads every commit that HEAD, a branch, a tag or a remote branch of the
// repository around dir reaches, parents before children, and how many there
// are. A repository without commits gives none. Nothing of the repository is run
// or changed and nothing is fetched. The sequence can be gone through again.
func Git(ctx context.Context, dir string) (Sequence, int, error) {
	return History{Dir: dir}.Read(ctx)
}

// History reads the commits of a repository.
type History struct {
	Dir  string
	Last int // only so many of the newest; 0 is all
}

// Read returns the commits: see Git.
func (h History) Read(ctx context.Context) (Sequence, int, error) {
	g, err := openRepository(ctx, h.Dir)
	if err != nil {
		return nil, 0, err
	}
	if h.Last > 0 {
		// by date: in the order of the graph they would be those of one branch, and git would
		// read the whole history
		g.order = nil
		g.starts = append([]string{fmt.Sprintf("--max-count=%d", h.Last)}, g.starts...)
	}
	total, err := g.count(ctx)
	if err != nil || total == 0 {
		return none, 0, err
	}
	return func(yield func(api.Foreign, error) bool) {
		for c, err := range g.commits(ctx) {
			if err != nil {
				yield(api.Foreign{}, err)
				return
			}
			if !yield(c.foreign(g.name), nil) {
				return
			}
		}
	}, total, nil
}

// starts are where the walk over the history begins. Stashes and notes are refs
// too, but no one's history.
var starts = []string{"--branches", "--tags", "--remotes"}

// repository is one on this machine.
type repository struct {
	dir    string // where git is run
	name   string // of its directory
	starts []string
	order  []string // options of the log
}

// openRepository looks at dir without reading its history.
func openRepository(ctx context.Context, dir string) (*repository, error) {
	if _, err := exec.LookPath("git"); err != nil {
		return nil, api.Invalid("import git: git is not installed")
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("import git %s: %w", dir, err)
	}
	if err := mustBeFolder(dir, abs); err != nil {
		return nil, err
	}
	g := &repository{dir: abs, starts: starts, order: []string{"--topo-order"}}
	out, err := g.ask(ctx, "rev-parse", "--is-shallow-repository", "--absolute-git-dir")
	if err != nil {
		return nil, err
	}
	shallow, gitDir, _ := strings.Cut(strings.TrimRight(out, "\r\n"), "\n")
	if shallow == "true" {
		return nil, api.Invalid("import git %s: a shallow clone has only the end of the history; "+
			"run git fetch --unshallow there first", dir)
	}
	if g.name, err = g.repositoryName(ctx, gitDir); err != nil {
		return nil, err
	}
	if _, err := g.ask(ctx, "rev-parse", "--verify", "--quiet", "HEAD^{commit}"); err == nil {
		g.starts = append([]string{"HEAD"}, starts...)
	}
	return g, ctx.Err()
}

// repositoryName returns the name of the repository's directory, whichever directory inside
// it is asked about.
func (g *repository) repositoryName(ctx context.Context, gitDir string) (string, error) {
	name := strings.TrimSuffix(filepath.Base(gitDir), ".git") // a bare one
	if inside, err := g.ask(ctx, "rev-parse", "--is-inside-work-tree"); err == nil && strings.TrimSpace(inside) == "true" {
		top, err := g.ask(ctx, "rev-parse", "--show-toplevel")
		if err != nil {
			return "", err
		}
		name = filepath.Base(strings.TrimRight(top, "\r\n"))
	}
	if name == "" { // the .git directory of a work tree
		name = filepath.Base(filepath.Dir(gitDir))
	}
	return speaker(printable(name)), nil
}

// count says how many commits there are.
func (g *repository) count(ctx context.Context) (int, error) {
	out, err := g.ask(ctx, append([]string{"rev-list", "--count"}, g.starts...)...)
	if err != nil {
		return 0, err
	}
	n, err := strconv.Atoi(strings.TrimSpace(out))
	if err != nil {
		return 0, fmt.Errorf("import git %s: count the commits: %w", g.dir, err)
	}
	return n, nil
}

// noMessage replaces the words of a commit that has none.
const noMessage = "(no message)"

// foreign makes the raw of a commit.
func (c *loggedCommit) foreign(repo string) api.Foreign {
	b := &memory.Raw{
		Source: imported, Event: commit, OccurredAt: c.at,
		Speaker: speaker(strings.ToValidUTF8(c.author, "\uFFFD")),
	}
	if text := c.text(); utf8.ValidString(text) {
		b.Text = text
	} else {
		b.Base64 = base64.StdEncoding.EncodeToString([]byte(text))
	}
	return api.Foreign{
		Alias: []string{"git:" + c.hash},
		Body:  b,
		Meta:  api.Meta{Session: "git:" + repo},
	}
}

// text puts a commit in words: its message, a blank line, a line for each file.
func (c *loggedCommit) text() string {
	var b strings.Builder
	message := strings.TrimRight(c.message, "\n")
	if strings.TrimSpace(message) == "" {
		message = noMessage
	}
	b.WriteString(message)
	for i, f := range c.files {
		if i == 0 {
			b.WriteByte('\n')
		}
		b.WriteByte('\n')
		b.WriteString(f)
	}
	if more := c.touched - len(c.files); more > 0 {
		fmt.Fprintf(&b, "\n… and %d more files", more)
	}
	return b.String()
}

// secondsToTime reads the seconds since 1970 that git prints; what is no time of
// the years 1 to 9999, which a forged commit can hold, is none.
func secondsToTime(s string) memory.Time {
	sec, err := strconv.ParseInt(s, 10, 64)
	if err != nil || sec < -62135596799 || sec > 253402300799 {
		return memory.Time{}
	}
	return memory.At(time.Unix(sec, 0))
}
