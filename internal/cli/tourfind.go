package cli

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/decisions"
	"github.com/stemma-memory/stemma/internal/importers"
	"github.com/stemma-memory/stemma/internal/secrets"
	"github.com/stemma-memory/stemma/memory"
)

// The sample is made up: a file of a small shop, before and after an agent changed it.
//
//go:embed sample
var sample embed.FS

const sampleCode = "orders.py"

const (
	mostCommits  = 500 // of a repository are read
	leastCommits = 20  // are imported, if there are as many
	mostPath     = 50  // bytes of a file that a belief names
)

// A history is the commits that the tour chose from, and how they are imported.
type history struct {
	found decisions.Found
	steps []string // the command that imports them
}

// repository looks in the newest commits of the current repository. What it returns in
// place of a decision is why there is none.
func (t *tour) repository() (h history, why string, err error) {
	seq, total, err := importers.History{Dir: t.at, Last: mostCommits}.Read(t.ctx)
	switch {
	case t.ctx.Err() != nil:
		return h, "", t.ctx.Err()
	case err != nil:
		return h, strings.TrimPrefix(strings.TrimPrefix(err.Error(), "import git "+t.at+": "), "import git: "), nil
	case total == 0:
		return h, "this repository has no commits", nil
	}
	commits, err := newestFirst(seq)
	if err != nil {
		return h, "", err
	}
	found, ok := decisions.Find(commits)
	if !ok {
		return h, fmt.Sprintf("no decision was found in the last %s of this repository",
			count(len(commits), "commit", "commits")), nil
	}
	last := leastCommits
	for i, c := range commits {
		if c.Hash == found.Decision.Hash || found.Second != nil && c.Hash == found.Second.Hash {
			last = max(last, i+1)
		}
	}
	return history{found: found, steps: []string{"import", "git", ".", "--last", fmt.Sprint(last)}}, "", nil
}

// newestFirst reads commits from the records that an import would make of them, which come
// oldest first. One with a secret in it is left without words.
func newestFirst(seq importers.Sequence) ([]decisions.Commit, error) {
	var commits []decisions.Commit
	for f, err := range seq {
		if err != nil {
			return nil, err
		}
		raw, ok := f.Body.(*memory.Raw)
		if !ok || len(f.Alias) == 0 {
			continue
		}
		c := decisions.Commit{Hash: hashOf(f.Alias[0]), Author: raw.Speaker}
		if len(secrets.Find(raw.Text)) == 0 {
			c.Message, c.Files = decisions.Read(raw.Text)
		}
		commits = append(commits, c)
	}
	slices.Reverse(commits)
	return commits, nil
}

// hashOf returns the hash in the alias of a commit's capture.
func hashOf(alias string) string { return alias[strings.LastIndexByte(alias, ':')+1:] }

// refs returns the refs of the captures of commits, by hash.
func (t *tour) refs() (map[string]string, error) {
	var out bytes.Buffer
	if code := t.run(&out, "raw", "list", "--json", "--limit", fmt.Sprint(mostCommits)); code != 0 {
		return nil, fmt.Errorf("tour: raw list ended with %d: %s", code, out.String())
	}
	var list api.ListReply
	if err := json.Unmarshal(out.Bytes(), &list); err != nil {
		return nil, err
	}
	refs := make(map[string]string)
	for _, m := range list.Memories {
		for _, alias := range m.Alias {
			refs[hashOf(alias)] = m.Ref
		}
	}
	return refs, nil
}

// fileHere returns the first of files that is in the work tree around where the steps are
// taken, as it is named from there; "" for none.
func (t *tour) fileHere(files []string) string {
	top := t.at
	for t.at != t.dir {
		if _, err := os.Lstat(filepath.Join(top, ".git")); err == nil {
			break
		}
		if top == filepath.Dir(top) {
			return ""
		}
		top = filepath.Dir(top)
	}
	for _, f := range files {
		info, err := os.Lstat(filepath.Join(top, f))
		name, relErr := filepath.Rel(t.at, filepath.Join(top, f))
		if err == nil && relErr == nil && info.Mode().IsRegular() && len(name) <= mostPath &&
			!strings.ContainsAny(name, "#:") {
			return filepath.ToSlash(name)
		}
	}
	return ""
}
