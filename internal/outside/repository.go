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

// A repository is a checkout of git on this machine, read without running anything of its own.
type repository struct {
	git.Repository
	asked *int // questions to git in this call
}

// repositoryOf finds the repository that a path lies in as one of its files, nil for none.
func repositoryOf(path string) *repository {
	r, ok := git.Find(path)
	for ok && r.Bare() { // what lies in there was checked out nowhere
		r, ok = git.Find(filepath.Dir(r.Dir))
	}
	if !ok || git.Beginning(filepath.Join(r.GitDir, "HEAD")) == "" {
		return nil
	}
	return &repository{Repository: r}
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
	cmd, _ := git.Command(ctx, r.Dir, args...)
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
	for line := range strings.Lines(tail(filepath.Join(r.GitDir, "logs", "HEAD"))) {
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
	head := strings.TrimSpace(git.Beginning(filepath.Join(r.GitDir, "HEAD")))
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
	if address := r.Remote(); address != "" {
		return remoteName(address)
	}
	return r.Dir
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
	head := git.Beginning(filepath.Join(r.GitDir, "HEAD"))
	if ref, ok := strings.CutPrefix(strings.TrimSpace(head), "ref: "); ok {
		b.WriteString(git.Beginning(filepath.Join(r.Common, filepath.FromSlash(ref))))
	}
	for _, name := range []string{"packed-refs", "reftable/tables.list"} {
		b.WriteString(changed(filepath.Join(r.Common, filepath.FromSlash(name))))
	}
	return b.String()
}

// stamp changes with whatever the standing follows from.
func (r *repository) stamp() string {
	return fmt.Sprintf("%x", hashOf(
		r.Dir, git.Beginning(filepath.Join(r.GitDir, "HEAD")), r.refs(), changed(filepath.Join(r.GitDir, "logs", "HEAD")),
		changed(filepath.Join(r.Common, "config")),
		changed(filepath.Join(r.Common, "refs", "remotes", "origin")),
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
