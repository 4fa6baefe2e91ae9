package gone

import (
	"os"
	"path/filepath"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/store"
)

// stale is how old a copy in the temporary directory is at least that no running command uses.
const stale = 10 * time.Minute

// temporary are the names of directories in which commands put copies of a store for a moment.
var temporary = []string{"stemma-read-*", "stemma-peek-*", "stemma-foreign-*"}

// dropCopies deletes what killed backups and commands left, and returns how many copies these were. A backup that is
// running fails: it would have the words.
func (e *Gone) dropCopies(name string) (n int) {
	for _, c := range e.Copies(name) {
		half, err := filepath.Glob(filepath.Join(globbed(filepath.Dir(c.File)), core.HalfMade+"*"))
		if err != nil {
			continue
		}
		for _, path := range half {
			if os.Remove(path) == nil {
				n++
			}
		}
	}
	for _, dir := range e.temporaries() {
		if info, err := os.Stat(dir); err == nil && time.Since(info.ModTime()) > stale && os.RemoveAll(dir) == nil {
			n++
		}
	}
	return n
}

func (e *Gone) temporaries() (out []string) {
	for _, pattern := range temporary {
		found, err := filepath.Glob(filepath.Join(globbed(os.TempDir()), pattern))
		if err == nil {
			out = append(out, found...)
		}
	}
	return out
}

// unreached names what may have the words and is not erased by this command.
func (e *Gone) unreached(o *order, after *sifting, remotes []api.PurgeRemote) []api.PurgeUnreached {
	out := []api.PurgeUnreached{}
	add := func(what, where string, count int, why string) {
		out = append(out, api.PurgeUnreached{What: what, Where: where, Count: count, Why: why})
	}
	for _, c := range e.Copies(o.Store) {
		if _, err := os.Stat(c.File); err == nil {
			add("backup", c.File, 0, "delete it and make a new one")
		} else {
			add("backup", c.File, 0, "it is not there now: if it was moved, delete it there")
		}
		if half, _ := filepath.Glob(filepath.Join(globbed(filepath.Dir(c.File)), core.HalfMade+"*")); len(half) > 0 {
			add("half", filepath.Dir(c.File), len(half), "the remains of an interrupted backup could not be deleted")
		}
	}
	for _, one := range e.stores() {
		d, ok := core.Inside(one).(store.Database)
		switch {
		case !ok:
		case d.Path() == "":
			add("database", "", 0, "PostgreSQL keeps old rows until VACUUM FULL, and its log and archive")
		default:
			aside, _ := filepath.Glob(globbed(d.Path()) + ".replaced-*")
			for _, path := range aside {
				add("replaced", path, 0, "a restore moved this store aside: delete it")
			}
		}
	}
	for path := range after.others {
		add("store", path, 0, "another store has the same words: run the purge there too")
	}
	for _, dir := range e.temporaries() {
		add("temporary", dir, 0, "a copy for a running command: delete it when that has ended")
	}
	for _, r := range remotes {
		if r.State != "erased" {
			add("remote", r.Remote, 0, "it did not confirm: a sync tries again")
		}
		if n := len(r.Open); n > 0 {
			add("machine", r.Remote, n, "machines that did not confirm")
		}
	}
	for _, what := range []struct{ kind, why string }{
		{"decisions", "decisions that name the person, or give a reason about what went: they cannot be erased"},
		{"keys", "keys that have the name: they cannot be erased"},
		{"spaces", "names of spaces: they cannot be changed"},
		{"theirs", "records of others: they, or the owner of the space, can erase them"},
		{"asked", "records that the request left out"},
	} {
		if n := o.Stays[what.kind]; n > 0 {
			add(what.kind, "", n, what.why)
		}
	}
	if o.Repeats > 0 {
		add("repeats", "", o.Repeats, "records that stay and repeat six words of what went")
	}
	if o.Unsure > 0 {
		add("unsure", "", o.Unsure, "records that may only look as if they named the person")
	}
	add("elsewhere", "", 0, "exports, transcripts of agents' hosts, models that were asked, histories of git")
	return out
}
