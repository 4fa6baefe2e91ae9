package exchange

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/sorting"
	"github.com/stemma-memory/stemma/internal/store"
)

// Whose a remote is, as a person says.
const (
	whoseMine   = "mine"   // of this person alone: all of their spaces go there
	whoseShared = "shared" // of others too
)

// A choosing says which spaces a remote exchanges. Of one's own, where no list names them, these are what was exchanged
// before and the space "main", which every store has begun with; unless the remote is only this person's. So a new
// project reaches others only by a person's word.
type choosing struct {
	r      *api.Remote
	me     string
	before []string // exchanged, by their full names
}

func (e *Exchange) choosing(ctx context.Context, r *api.Remote) (*choosing, error) {
	c := &choosing{r: r}
	own, err := e.KnownKeys()
	switch {
	case e.C.Service: // its file says which spaces it has
		c.before, err = e.remoteSpaces(ctx, r.Name)
		return c, err
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, err
	case err == nil && own != nil:
		c.me = own.Principal
	}
	c.before, err = e.remoteSpaces(ctx, r.Name)
	return c, err
}

// has reports whether a space is exchanged.
func (c *choosing) has(space string) bool {
	owner, name, _ := strings.Cut(space, "/")
	switch {
	case len(c.r.Spaces) > 0:
		chosen := slices.Concat(c.r.Spaces, c.r.Also)
		return slices.Contains(chosen, space) || slices.Contains(chosen, name)
	case c.r.Whose == whoseMine || c.me == "" || owner != c.me:
		return true
	case name == core.MeSpace:
		return false
	}
	return name == core.DefaultSpace || slices.Contains(c.before, space) || slices.Contains(c.r.Also, name) ||
		slices.Contains(c.r.Also, space)
}

// keptBack returns one's own spaces that stay here until a person says whose the remote is, by their names.
func (e *Exchange) keptBack(ctx context.Context, c *choosing) ([]string, error) {
	var out []string
	if c.r.Whose != "" || len(c.r.Spaces) > 0 {
		return out, nil
	}
	spaces, err := e.First().Spaces(ctx)
	if err != nil {
		return nil, core.Classify(err)
	}
	for _, s := range spaces {
		if c.me != "" && store.OwnerOf(s.Name) == c.me && !c.has(s.Name) {
			out = append(out, strings.TrimPrefix(s.Name, c.me+"/"))
		}
	}
	sorting.By(out, strings.Compare)
	return out, nil
}

// sharedSpace returns the space in use, which may have members: what is the person's alone has none.
func (e *Exchange) sharedSpace(me string) (string, error) {
	space, err := e.WriteSpace(me)
	if err == nil && strings.HasSuffix(space, "/"+core.MeSpace) {
		return "", core.Invalid("space: %s holds what is yours alone and has no members: name another space, or do this in "+
			"the repository whose memories are meant", core.MeSpace)
	}
	return space, err
}

// withRaw reports whether a remote gets raws from now on. Without them another store of this person cannot tell what a
// memory was made of, so a place that is only theirs has them, unless they chose what it gets.
func withRaw(r *api.Remote, in api.RemoteRequest) bool {
	switch {
	case in.Raw != nil:
		return *in.Raw
	case in.Whose == r.Whose:
		return r.Raw
	case in.Whose == whoseMine:
		return r.Raw || len(r.Kinds)+len(r.Tags) == 0
	}
	return r.Raw && (in.Whose == "" || r.Whose != whoseMine)
}

// checkWhose returns what is wrong with whose a remote is said to be.
func checkWhose(r *api.Remote) error {
	switch r.Whose {
	case "", whoseMine, whoseShared:
	default:
		return core.Invalid("whose: want mine, for a place that is only yours, or shared; got %q", r.Whose)
	}
	if r.Whose != whoseMine && slices.ContainsFunc(slices.Concat(r.Spaces, r.Also), func(s string) bool {
		return s == core.MeSpace || strings.HasSuffix(s, "/"+core.MeSpace)
	}) {
		return core.Invalid("spaces: %s holds what is yours alone; it goes only to a remote that is only yours: whose=mine",
			core.MeSpace)
	}
	return nil
}
