package cli

import (
	"context"
	"path/filepath"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/beside"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/journal"
)

const (
	besideFor   = 2 * time.Minute // a process that makes vectors works so long at most
	besideFrom  = 9               // records without a vector: a search makes those of fewer itself
	importWaits = 3 * time.Second // for vectors, where no person watches
)

// leaveVectors leaves a process that makes the vectors of what is new, where there is more than a search makes itself.
// No write waits for it.
func (a *app) leaveVectors(ctx context.Context) {
	if a.engine == nil || a.absent || a.env.Embedder == nil {
		return
	}
	of, without, err := engine.WithoutVector(ctx, a.engine)
	if err != nil || of != a.env.Embedder.Model() || without < besideFrom {
		return
	}
	args, env := besideOf(a.opened)
	_ = beside.Start(a.env.Dir, env, args...) // or the next one makes them
}

// besideOf returns how the process is called that makes vectors for a store.
// The address of a store may hold a password.
func besideOf(spec string) (args, env []string) {
	return []string{"embed", "--beside"}, []string{"STEMMA_STORE=" + spec}
}

// embedBeside makes vectors for a while, unless another process does.
func (a *app) embedBeside(ctx context.Context) error {
	dir, err := a.dataDir()
	if err != nil {
		return err
	}
	unlock, locked, err := journal.TryLock(filepath.Join(dir, "embedding.lock"))
	if err != nil || !locked {
		return err
	}
	defer unlock()
	beside.Yield()
	ctx, end := context.WithTimeout(ctx, besideFor)
	defer end()
	a.embeds = true
	e, err := a.open(ctx)
	if err != nil {
		return err
	}
	if _, err = e.Embed(ctx, api.EmbedRequest{}); ctx.Err() != nil {
		return nil // what was made is kept, and the next one goes on
	}
	return err
}

// vectorsAfterImport makes the vectors of what was imported: a person at a terminal sees how far it has come and may
// end it; where no person watches, what takes long goes on in a process of its own.
func (a *app) vectorsAfterImport(ctx context.Context) {
	if a.engine == nil || a.absent || a.env.Embedder == nil {
		return
	}
	if of, _, err := engine.WithoutVector(ctx, a.engine); err != nil || of != a.env.Embedder.Model() {
		return
	}
	bar := a.progress(-1, "vectors")
	if bar.w == nil {
		var end context.CancelFunc
		ctx, end = context.WithTimeout(ctx, importWaits)
		defer end()
	}
	_, _ = a.engine.Embed(ctx, api.EmbedRequest{Progress: bar.of}) // the records are there: words find them
	bar.end()
	if ctx.Err() != nil {
		a.leaveVectors(context.WithoutCancel(ctx))
	}
}
