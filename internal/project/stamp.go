package project

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/internal/git"
	"github.com/stemma-memory/stemma/internal/owned"
)

// A Stamp is what a repository looked like when its project was worked out. While that is so, nothing is asked again.
type Stamp struct {
	Dir   string    `json:"dir"`             // what its worktrees share
	Place string    `json:"place,omitempty"` // see Identity
	Facts string    `json:"facts"`
	Open  bool      `json:"open,omitempty"` // there is no commit yet: a new branch brings one
	Again time.Time `json:"again,omitzero"` // git did not answer: it is asked again then
}

// How long an answer holds that git had no part in.
const (
	againByRemote = 24 * time.Hour
	againByPath   = 10 * time.Minute
)

// stampOf is the stamp of a repository with its identity.
func stampOf(r git.Repository, id Identity, now time.Time) Stamp {
	s := Stamp{Dir: r.Common, Place: id.Place, Open: id.Root == "" && !id.failed}
	s.Facts = factsOf(r, s.Open)
	switch {
	case !id.failed:
	case id.Remote != "":
		s.Again = now.Add(againByRemote)
	default:
		s.Again = now.Add(againByPath)
	}
	return s
}

// holds reports whether a repository is as it was.
func (s Stamp) holds(r git.Repository, now time.Time) bool {
	if s.Dir != r.Common || !s.Again.IsZero() && (now.After(s.Again) || now.Before(s.Again.Add(-againByRemote))) {
		return false
	}
	return s.Place == placeOf(r.Common) && s.Facts == factsOf(r, s.Open)
}

// factsOf is what an identity follows from, as far as a few files say it. It does not change with what is checked out.
func factsOf(r git.Repository, open bool) string {
	sum := sha256.New()
	sum.Write([]byte(git.Beginning(filepath.Join(r.Common, "config"))))
	cut := git.Beginning(filepath.Join(r.Common, "shallow"))
	sum.Write([]byte(cut))
	if open && cut == "" {
		for _, name := range []string{
			"refs/heads", "refs/remotes", "refs/remotes/origin", "packed-refs", "reftable/tables.list",
		} {
			if info, err := os.Stat(filepath.Join(r.Common, filepath.FromSlash(name))); err == nil {
				fmt.Fprintln(sum, name, info.Size(), info.ModTime().UnixNano())
			}
		}
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// placeOf says which directory of the file system a repository is, "" where that is not known. A file
// system may use a number again, and number devices anew, but git writes the description once.
func placeOf(common string) string {
	p, err := owned.Where(common)
	if err != nil || p.Inode == 0 {
		return ""
	}
	if info, err := os.Lstat(filepath.Join(common, "description")); err == nil {
		return fmt.Sprintf("%d:%d", p.Inode, info.ModTime().UnixNano())
	}
	return fmt.Sprintf("%d on %d", p.Inode, p.Dev)
}

// stamp keeps the stamp of a project in the place of the one that its directory had.
func (b *Book) stamp(p *Project, s Stamp) {
	for i := range b.Projects {
		other := &b.Projects[i]
		other.Stamps = slices.DeleteFunc(other.Stamps, func(old Stamp) bool { return old.Dir == s.Dir })
	}
	p.Stamps = append(p.Stamps, s)
	p.Stamps = p.Stamps[max(0, len(p.Stamps)-mostStamps):]
}
