package outside

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/internal/git"
)

// A repository is one of git on this machine, read without running anything of its own.
type repository struct {
	root   string // of its files
	gitDir string // of this checkout
	common string // of what its worktrees share
	asked  *int   // questions to git in this call
}

// repositoryOf finds the repository that a path lies in, nil for none.
func repositoryOf(path string) *repository {
	for dir := path; ; dir = filepath.Dir(dir) {
		dot := filepath.Join(dir, ".git")
		if info, err := os.Stat(dot); err == nil {
			r := &repository{root: dir, gitDir: dot}
			if !info.IsDir() { // a worktree or a submodule
				named, ok := strings.CutPrefix(strings.TrimSpace(beginning(dot)), "gitdir:")
				if !ok {
					return nil
				}
				r.gitDir = inDir(dir, strings.TrimSpace(named))
			}
			if beginning(filepath.Join(r.gitDir, "HEAD")) == "" {
				return nil
			}
			r.common = r.gitDir
			if shared := strings.TrimSpace(beginning(filepath.Join(r.gitDir, "commondir"))); shared != "" {
				r.common = inDir(r.gitDir, shared)
			}
			return r
		}
		if dir == filepath.Dir(dir) {
			return nil
		}
	}
}

func inDir(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// beginning is the first part of a small file, "" where there is none.
func beginning(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	text, _ := io.ReadAll(io.LimitReader(f, 256<<10))
	return string(text)
}

const (
	patience  = 300 * time.Millisecond // how long one question to git may take
	mostAsked = 16                     // questions in one call
)

// ask runs git in the repository; ok is false where it did not answer.
func (r *repository) ask(args ...string) (lines []string, ok bool) {
	if r.asked != nil {
		if *r.asked++; *r.asked > mostAsked {
			return nil, false
		}
	}
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	cmd, _ := git.Command(ctx, r.root, args...)
	out, err := cmd.Output()
	if err != nil {
		return nil, false
	}
	return strings.FieldsFunc(string(out), func(r rune) bool { return r == '\n' || r == 0 }), true
}

// tracked returns those of some paths, from the root, that git tracks. What git does not say is not known.
func (r *repository) tracked(paths []string) (map[string]bool, bool) {
	lines, ok := r.ask(append([]string{"ls-files", "-z", "--"}, paths...)...)
	out := make(map[string]bool, len(lines))
	for _, line := range lines {
		out[line] = true
	}
	return out, ok
}

// mains are the names of branches that are a repository's own line, no matter who wrote on them.
var mains = []string{"main", "master", "trunk", "develop"}

// mostLooked is how many of the newest commits are looked at for one by this person.
const mostLooked = 2000

// A standing says whose the files of a checkout are.
type standing struct {
	Stamp string `json:"stamp"`
	Clone string `json:"clone,omitempty"` // no commit is by this person: what it is a clone of
	Of    string `json:"of,omitempty"`    // the branch is of others: its name
}

// source names strangers whose files these are, "" for none.
func (s standing) source() string {
	switch {
	case s.Clone != "":
		return "clone of " + s.Clone
	case s.Of != "":
		return "branch " + s.Of + " of others"
	}
	return ""
}

// standing works out whose the files are. Known are addresses of people that were introduced.
func (r *repository) standing(known []string) (standing, bool) {
	s := standing{Stamp: r.stamp()}
	mine, ok := r.addresses(known)
	if !ok || len(mine) == 0 {
		return s, false
	}
	if !r.committedHere(mine) {
		authors, ok := r.ask("log", "-n", fmt.Sprint(mostLooked), "--format=%ae", "HEAD", "--branches", "--")
		if !ok {
			return s, len(r.refs()) == 0 // nothing was committed yet
		}
		if len(authors) > 0 && !slices.ContainsFunc(authors, mine.has) {
			s.Clone = r.origin()
			return s, true
		}
	}
	if branch := r.branch(); !slices.Contains(mains, branch) {
		if r.ofOthers(mine, "HEAD") {
			s.Of = branch
		}
	}
	return s, true
}

// addressBook is a set of e-mail addresses.
type addressBook []string

func (b addressBook) has(address string) bool {
	return slices.Contains(b, strings.ToLower(strings.TrimSpace(address)))
}

// addresses are the e-mail addresses of this person here and of people that were introduced.
func (r *repository) addresses(known []string) (addressBook, bool) {
	var out addressBook
	for _, k := range known {
		out = append(out, strings.ToLower(k))
	}
	lines, ok := r.ask("config", "-z", "--get-all", "user.email")
	for _, line := range lines {
		out = append(out, strings.ToLower(strings.TrimSpace(line)))
	}
	return out, ok
}

// committedHere reports whether this person committed in this checkout, by what git notes of each move of HEAD.
func (r *repository) committedHere(mine addressBook) bool {
	for line := range strings.Lines(tail(filepath.Join(r.gitDir, "logs", "HEAD"))) {
		who, what, _ := strings.Cut(line, "\t")
		if !strings.HasPrefix(what, "commit:") && !strings.HasPrefix(what, "commit (") {
			continue
		}
		if _, rest, ok := strings.Cut(who, "<"); ok {
			address, _, _ := strings.Cut(rest, ">")
			if mine.has(address) {
				return true
			}
		}
	}
	return false
}

// tail is the last part of a file.
func tail(path string) string {
	const most = 128 << 10
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Size() > most {
		_, _ = f.Seek(-most, io.SeekEnd)
	}
	text, _ := io.ReadAll(io.LimitReader(f, most))
	return string(text)
}

// branch is the name of the branch that is checked out, or a word for none.
func (r *repository) branch() string {
	head := strings.TrimSpace(beginning(filepath.Join(r.gitDir, "HEAD")))
	if name, ok := strings.CutPrefix(head, "ref: refs/heads/"); ok {
		return name
	}
	return "without a name"
}

// ofOthers reports whether what a revision has beyond the main branches is by others alone. Of many branches at once
// it is enough that some of it is.
func (r *repository) ofOthers(mine addressBook, revision string) bool {
	args := []string{"log", "-n", "100", "--ignore-missing", "--format=%ae", revision}
	args = append(args, "--not")
	for _, name := range mains {
		args = append(args, "refs/heads/"+name, "refs/remotes/origin/"+name)
	}
	args = append(args, "refs/remotes/origin/HEAD", "--")
	authors, ok := r.ask(args...)
	if strings.HasPrefix(revision, "-") {
		return ok && slices.ContainsFunc(authors, func(a string) bool { return !mine.has(a) })
	}
	return ok && len(authors) > 0 && !slices.ContainsFunc(authors, mine.has)
}

// origin is where a repository was cloned from, or its directory.
func (r *repository) origin() string {
	section := false
	for line := range strings.Lines(beginning(filepath.Join(r.common, "config"))) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			section = strings.HasPrefix(line, "[remote ")
		}
		name, value, ok := strings.Cut(line, "=")
		if section && ok && strings.TrimSpace(name) == "url" {
			return remoteName(strings.TrimSpace(value))
		}
	}
	return r.root
}

// remoteName is a remote without user, password and scheme: github.com/a/b.
func remoteName(address string) string {
	if at := strings.Index(address, ":"); at > 0 && !strings.Contains(address, "://") &&
		strings.Contains(address[:at], "@") { // git@github.com:a/b.git
		address = "ssh://" + address[:at] + "/" + address[at+1:]
	}
	if strings.Contains(address, "://") {
		_, address, _ = strings.Cut(shortAddress(address), "://")
	}
	return strings.TrimSuffix(address, ".git")
}

// refs is what the refs say, as far as a few files tell: it changes when one does.
func (r *repository) refs() string {
	var b bytes.Buffer
	head := beginning(filepath.Join(r.gitDir, "HEAD"))
	if ref, ok := strings.CutPrefix(strings.TrimSpace(head), "ref: "); ok {
		b.WriteString(beginning(filepath.Join(r.common, filepath.FromSlash(ref))))
	}
	for _, name := range []string{"packed-refs", "reftable/tables.list"} {
		b.WriteString(changed(filepath.Join(r.common, filepath.FromSlash(name))))
	}
	return b.String()
}

// stamp changes with whatever the standing follows from.
func (r *repository) stamp() string {
	return fmt.Sprintf("%x", hashOf(
		r.root, beginning(filepath.Join(r.gitDir, "HEAD")), r.refs(), changed(filepath.Join(r.gitDir, "logs", "HEAD")),
		changed(filepath.Join(r.common, "config")),
		changed(filepath.Join(r.common, "refs", "remotes", "origin")),
	))
}

// changed says when a file last changed, "" where there is none.
func changed(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%s %d %d\n", filepath.Base(path), info.Size(), info.ModTime().UnixNano())
}
