package web

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/access"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/hosts"
	"github.com/stemma-memory/stemma/internal/importers"
	"github.com/stemma-memory/stemma/memory"
)

// seal makes plans of this process: a confirmation repeats the plan that a person was shown, which
// a page of another origin cannot read.
var seal = sync.OnceValue(rand.Text)

func planOf(parts ...[]byte) string {
	h := sha256.New()
	for _, p := range append([][]byte{[]byte(seal())}, parts...) {
		fmt.Fprintf(h, "%d ", len(p))
		h.Write(p)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// forOwner lets only a person do what it leads to: in a browser that they signed in.
func (p *pages) forOwner(do http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		c, known := access.CallerOf(r.Context())
		if !known || c.Origin != memory.OriginOwner || r.Header.Get("Authorization") != "" {
			fail(w, fmt.Errorf("only a person can do this, in a browser that they signed in: %w", api.ErrForbidden))
			return
		}
		do(w, r)
	}
}

// What a first run can do.
type (
	setupReply struct {
		Hosts      []hostChoice `json:"hosts"`
		Repository *repository  `json:"repository,omitempty"`
		WhyNot     string       `json:"why_not,omitempty"` // no repository can be imported
		Most       int          `json:"most_upload"`
	}
	hostChoice struct {
		Name      string `json:"name"`
		Title     string `json:"title"`
		Connected bool   `json:"connected,omitempty"`
	}
	repository struct {
		Dir     string `json:"dir"`
		Commits int    `json:"commits"`
		Plan    string `json:"plan"`
	}
)

func (p *pages) setup(w http.ResponseWriter, r *http.Request) {
	answer(p, w, r, func(_ *engine.Engine, _ struct{}) (any, error) {
		reply := setupReply{Hosts: []hostChoice{}, Most: mostUpload}
		if p.config.Setup.Place != nil {
			place, err := p.config.Setup.Place()
			if err != nil {
				return nil, err
			}
			for _, name := range hosts.Names() {
				reply.Hosts = append(reply.Hosts, hostChoice{name, hosts.Title(name), place.Hooked(name)})
			}
		}
		repo, _, err := p.history(r.Context())
		if reply.Repository = repo; err != nil && p.config.Setup.Here != "" {
			reply.WhyNot = err.Error()
		}
		return reply, nil
	})
}

// history is the repository in which the server was started, and its commits.
func (p *pages) history(ctx context.Context) (*repository, importers.Sequence, error) {
	dir := p.config.Setup.Here
	if dir == "" {
		return nil, nil, api.Invalid("the server was not started in a repository")
	}
	from, total, err := importers.History{Dir: dir}.Read(ctx)
	if err != nil || total == 0 {
		return nil, nil, errors.Join(err, api.Invalid("there are no commits in %s", dir))
	}
	return &repository{dir, total, planOf([]byte("git"), []byte(dir), fmt.Append(nil, total))}, from, nil
}

// What is asked and answered when a host is connected.
type (
	connectRequest struct {
		Host    string `json:"host"`
		Confirm string `json:"confirm,omitempty"` // the plan that was shown
	}
	connectReply struct {
		Host  string        `json:"host"`
		Title string        `json:"title"`
		Files []plannedFile `json:"files"`
		Notes []string      `json:"notes,omitempty"`
		Plan  string        `json:"plan"`
		Done  bool          `json:"done,omitempty"`
	}
	plannedFile struct {
		Path   string `json:"path"`
		What   string `json:"what"`
		Change string `json:"change"` // created, changed or unchanged
		Backup string `json:"backup,omitempty"`
		Diff   string `json:"diff,omitempty"`
	}
)

// connect shows what connecting a host would change, and changes it once that is confirmed.
func (p *pages) connect(w http.ResponseWriter, r *http.Request) {
	answer(p, w, r, func(e *engine.Engine, in connectRequest) (any, error) {
		if p.config.Setup.Place == nil || !slices.Contains(hosts.Names(), in.Host) {
			return nil, api.Invalid("host: want one of %s", strings.Join(hosts.Names(), ", "))
		}
		place, err := p.config.Setup.Place()
		if err != nil {
			return nil, err
		}
		if place.Allow, err = place.Allowed(in.Host); err != nil { // what was allowed before stays so, and no more
			return nil, err
		}
		changes, notes, err := place.Plan(in.Host, false)
		if err != nil {
			return nil, err
		}
		reply := connectReply{Host: in.Host, Title: hosts.Title(in.Host), Notes: notes, Files: []plannedFile{}}
		parts := [][]byte{[]byte(in.Host)}
		for i := range changes {
			c := &changes[i]
			if err := within(place, c.Path); err != nil {
				return nil, err
			}
			parts = append(parts, []byte(c.Path), c.Old, c.New)
			f := plannedFile{Path: c.Path, What: c.What, Change: "changed", Backup: c.Backup()}
			switch {
			case c.Same():
				f.Change, f.Backup = "unchanged", ""
			case c.Old == nil:
				f.Change = "created"
			}
			f.Diff = hosts.Diff(c.Path, string(c.Old), string(c.New))
			reply.Files = append(reply.Files, f)
		}
		reply.Plan = planOf(parts...)
		switch in.Confirm {
		case "":
			return reply, nil
		case reply.Plan:
		default:
			return nil, changedSince{}
		}
		if _, err := e.Init(r.Context(), api.Nothing{}); err != nil && !errors.Is(err, api.ErrForbidden) {
			return nil, err // locked keys are there
		}
		reply.Done = true
		return reply, hosts.Write(changes)
	})
}

// changedSince says that a plan is not the one that was shown.
type changedSince struct{}

func (changedSince) Error() string {
	return "something changed since this was shown: look at it again; nothing was written"
}

func (changedSince) Is(target error) bool { return target == api.ErrConflict }

// within refuses a file that is not below the person's home or settings, wherever links lead.
func within(p hosts.Place, path string) error {
	real := path
	if to, err := filepath.EvalSymlinks(path); err == nil {
		real = to
	} else if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		real = filepath.Join(dir, filepath.Base(path))
	}
	for _, root := range []string{p.Home, p.Config} {
		if to, err := filepath.EvalSymlinks(root); err == nil {
			root = to
		}
		if rel, err := filepath.Rel(root, real); root != "" && err == nil && filepath.IsLocal(rel) {
			return nil
		}
	}
	return fmt.Errorf(
		"%s is outside your home directory, where the page changes nothing; the command line can: %w",
		path, api.ErrForbidden,
	)
}
