package blame

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/stemma-memory/stemma/internal/git"
	"github.com/stemma-memory/stemma/internal/lazy"
)

// A version is what one commit made of a file.
type version struct {
	commit string // "" is what is not committed
	path   string
	was    string // its name before, where that was another
	edits  []edit
	copied bool // git takes it for a copy of another file, which is there still
	order  int
}

// An edit is lines that a commit took out and put in.
type edit struct {
	from, to int // where the lines began in the old and in the new file, from 0
	gone     []string
	added    []string
}

const (
	mostHistory = 256 << 20 // bytes of diffs that are read
	mostCommits = 20_000    // whose order is known
)

// diffing are the options of every diff here: white space is no change, and no setting of the repository runs anything.
var diffing = []string{"-p", "-U0", "-w", "-M", "--text", "--no-ext-diff", "--no-textconv", "--no-color",
	"--src-prefix=a/", "--dst-prefix=b/", "--submodule=short", "--ita-visible-in-index"}

// An indexFile in a context is the index that a commit in the making uses: git names one to its hooks.
type indexFile struct{}

// run starts git and hands what it prints to read.
func run(ctx context.Context, dir, stdin string, read func(*bufio.Reader) error, args ...string) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	cmd, said := git.Command(ctx, dir, args...)
	cmd.Stdin = strings.NewReader(stdin)
	if index, is := ctx.Value(indexFile{}).(string); is {
		cmd.Env = append(cmd.Env, "GIT_INDEX_FILE="+index)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("git: %w", err)
	}
	err = read(bufio.NewReaderSize(io.LimitReader(out, mostHistory), 64<<10))
	if err != nil {
		stop()
	}
	_, _ = io.Copy(io.Discard, out)
	if ended := cmd.Wait(); err == nil && ended != nil {
		words, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(said.String()), "fatal: "), "\n")
		if words == "" {
			words = ended.Error()
		}
		err = errors.New("git: " + words)
	}
	return err
}

// output is all that git prints.
func output(ctx context.Context, dir, stdin string, args ...string) (string, error) {
	var all []byte
	err := run(ctx, dir, stdin, func(r *bufio.Reader) (err error) {
		all, err = io.ReadAll(r)
		return err
	}, args...)
	return string(all), err
}

// history returns what made a file what it is at a commit, the oldest first. Of a merge the difference to its first
// parent counts: what came in with it came in there.
func history(ctx context.Context, dir, rev, path string) ([]version, error) {
	args := append([]string{"log", "--first-parent", "-m", "--follow", "--format=%x00%H"}, diffing...)
	var out []version
	err := run(ctx, dir, "", func(r *bufio.Reader) (err error) {
		out, err = versions(r)
		return err
	}, append(args, "--end-of-options", rev, "--", path)...)
	if err != nil {
		return nil, err
	}
	for i, v := range out {
		if v.copied { // who made the copy wrote it: what came before is another file's
			text, err := output(ctx, dir, "", "cat-file", "blob", v.commit+":"+v.path)
			if err != nil {
				return nil, err
			}
			out[i].edits = []edit{{added: squeezedLines(lines(text))}}
			out = out[:i+1]
			break
		}
	}
	slices.Reverse(out)
	return out, nil
}

func squeezedLines(all []string) []string {
	out := make([]string, len(all))
	for i, line := range all {
		out[i] = squeezed(strings.ToValidUTF8(line, "\uFFFD"))
	}
	return out
}

// changed is what a file has that something else has not.
func changed(ctx context.Context, dir, path, than string) (version, error) {
	args := append([]string{"diff"}, diffing...)
	v := version{path: path}
	err := run(ctx, dir, "", func(r *bufio.Reader) error {
		all, err := versions(r)
		if err == nil && len(all) > 0 {
			v.edits = all[0].edits
		}
		return err
	}, append(args, than, "--", path)...)
	return v, err
}

var hunkHead = lazy.Regexp(`^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@`)

// versions reads diffs as git prints them.
func versions(r *bufio.Reader) ([]version, error) {
	var out []version
	last := func() *version {
		if len(out) == 0 {
			out = append(out, version{})
		}
		return &out[len(out)-1]
	}
	for {
		line, err := r.ReadString('\n')
		if line == "" && err != nil {
			if errors.Is(err, io.EOF) {
				return out, nil
			}
			return out, err
		}
		line = strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(line, "\x00"):
			out = append(out, version{commit: line[1:]})
		case strings.HasPrefix(line, "rename from "):
			last().was = unquoted(strings.TrimPrefix(line, "rename from "))
		case strings.HasPrefix(line, "copy from "):
			last().copied = true
		case strings.HasPrefix(line, "rename to "):
			last().path = unquoted(strings.TrimPrefix(line, "rename to "))
		case strings.HasPrefix(line, "+++ "):
			if p, ok := strings.CutPrefix(unquoted(strings.TrimSuffix(line[4:], "\t")), "b/"); ok {
				last().path = p
			}
		case strings.HasPrefix(line, "@@ "):
			e, err := readEdit(r, line)
			if err != nil {
				return out, err
			}
			v := last()
			v.edits = append(v.edits, e)
		}
	}
}

func readEdit(r *bufio.Reader, head string) (e edit, err error) {
	m := hunkHead.Get().FindStringSubmatch(head)
	if m == nil {
		return e, errors.New("git: a diff that cannot be read")
	}
	var n [4]int
	for i := range n {
		n[i] = 1
		if m[i+1] != "" {
			if n[i], err = strconv.Atoi(m[i+1]); err != nil {
				return e, err
			}
		}
	}
	e.from, e.to = n[0], n[2]
	if n[1] > 0 {
		e.from--
	}
	if n[3] > 0 {
		e.to--
	}
	for len(e.gone) < n[1] || len(e.added) < n[3] {
		line, err := r.ReadString('\n')
		if err != nil && !(errors.Is(err, io.EOF) && line != "") {
			return e, errors.New("git: a diff that ends early")
		}
		switch text := strings.TrimSuffix(line, "\n"); {
		case strings.HasPrefix(text, "-"):
			e.gone = append(e.gone, squeezed(strings.ToValidUTF8(text[1:], "\uFFFD")))
		case strings.HasPrefix(text, "+"):
			e.added = append(e.added, squeezed(strings.ToValidUTF8(text[1:], "\uFFFD")))
		case strings.HasPrefix(text, `\`):
		default:
			return e, errors.New("git: a diff that cannot be read")
		}
	}
	return e, nil
}

// unquoted is a path as it is; git quotes one with odd characters.
func unquoted(path string) string {
	if strings.HasPrefix(path, `"`) {
		if plain, err := strconv.Unquote(path); err == nil {
			return plain
		}
	}
	return path
}

// A lineage is the order of commits along first parents, and where others branched off.
type lineage struct {
	order   map[string]int // the newest has the highest
	parents map[string]string
}

var commitForm = regexp.MustCompile(`^[0-9a-f]{40,64}$`)

// lineageOf reads the order of the commits up to one. The heads of notes may be commits that nothing leads to any more.
func lineageOf(ctx context.Context, dir, rev string, heads []string) (lineage, error) {
	l := lineage{make(map[string]int), make(map[string]string)}
	var in strings.Builder
	in.WriteString(rev + "\n")
	for _, h := range heads {
		if commitForm.MatchString(h) {
			in.WriteString(h + "\n")
		}
	}
	text, err := output(ctx, dir, in.String(), "rev-list", "--parents", "--ignore-missing",
		"--max-count="+strconv.Itoa(mostCommits), "--stdin")
	if err != nil {
		return l, err
	}
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) == 1 {
			l.parents[f[0]] = ""
		} else if len(f) > 1 {
			l.parents[f[0]] = f[1]
		}
	}
	var chain []string
	for c := rev; c != "" && len(chain) <= mostCommits; c = l.parents[c] {
		chain = append(chain, c)
	}
	for i, c := range chain {
		l.order[c] = len(chain) - i
	}
	return l, nil
}

// of is the place of a commit, or of the newest before it that has one; 0 is before all.
func (l lineage) of(commit string) int {
	for n := 0; commit != "" && n <= mostCommits; n++ {
		if o, ok := l.order[commit]; ok {
			return o
		}
		commit = l.parents[commit]
	}
	return 0
}
