package care

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/door"
	"github.com/stemma-memory/stemma/memory"
)

// A part is what was found in one page of a log.
type part struct {
	examination
	found api.DoctorReply
	err   error
	done  chan struct{}
}

// space examines one log, a page by each processor, and tells what was found in the log's order.
func (x *examination) space(ctx context.Context, space string) error {
	ctx, stop := context.WithCancel(ctx)
	var working sync.WaitGroup
	defer working.Wait()
	defer stop()
	var queue []*part
	after := store.Seq(0)
	for more := true; more || len(queue) > 0; {
		if !more || len(queue) == runtime.GOMAXPROCS(0) {
			p := queue[0]
			queue = queue[1:]
			<-p.done
			x.take(p)
			if p.err != nil {
				return p.err
			}
			continue
		}
		page, err := x.e.Store.Since(ctx, space, after, core.ExportPage)
		if err != nil {
			return core.Classify(err)
		}
		if more = len(page) > 0; !more {
			continue
		}
		if page[0].Seq <= after {
			return core.Classify(fmt.Errorf("%w: the log of %s is not in order", store.ErrDamaged, space))
		}
		after = page[len(page)-1].Seq
		p := &part{examination: *x, done: make(chan struct{})}
		p.reply, p.away = &p.found, 0
		queue = append(queue, p)
		working.Go(func() {
			defer close(p.done)
			p.err = p.page(ctx, page)
		})
	}
	return nil
}

// take adds what was found in a page.
func (x *examination) take(p *part) {
	r, f := x.reply, &p.found
	r.Records, r.Signatures, x.away = r.Records+f.Records, r.Signatures+f.Signatures, x.away+p.away
	r.Problems, r.Notes, r.Secrets = append(r.Problems, f.Problems...), append(r.Notes, f.Notes...),
		append(r.Secrets, f.Secrets...)
	if x.progress != nil {
		x.progress(r.Records)
	}
}

// page examines some records.
func (x *examination) page(ctx context.Context, page []store.Change) error {
	ids := make([]memory.ID, len(page))
	for i, c := range page {
		ids[i] = c.ID
	}
	items, given, err := x.get(ctx, ids)
	if err != nil {
		return core.Classify(err)
	}
	for i, it := range items {
		if it == nil {
			continue
		}
		x.item(it)
		if given[i] != nil && given[i].Doubt == store.Withheld && !x.untrusted {
			x.problem(it, "%s: a claim about it is missing, so its state is unverified", it.Ref.Short())
		}
	}
	return x.sources(ctx, items)
}

// get returns records as they lie there, forged ones too, and as they are given to who
// reads. One that cannot be read is a problem, and absent.
func (x *examination) get(ctx context.Context, ids []memory.ID) (items, given []*store.Item, err error) {
	if items, err = x.kept.Get(ctx, ids...); err == nil {
		given, err = x.given(ctx, ids, items)
	}
	switch {
	case err == nil || ctx.Err() != nil || !errors.Is(err, store.ErrDamaged):
		return items, given, err
	case len(ids) == 1:
		x.reply.Problems = append(
			x.reply.Problems,
			api.Problem{What: fmt.Sprintf("%s cannot be read: %s", ids[0].Short(), core.OneLine(err))},
		)
		return []*store.Item{nil}, []*store.Item{nil}, nil
	}
	items, given = nil, nil
	for _, id := range ids {
		one, its, err := x.get(ctx, []memory.ID{id})
		if err != nil {
			return nil, nil, err
		}
		items, given = append(items, one...), append(given, its...)
	}
	return items, given, nil
}

// given returns records that were read as who reads gets them.
func (x *examination) given(ctx context.Context, ids []memory.ID, items []*store.Item) ([]*store.Item, error) {
	if d, ok := x.e.Store.(*door.Store); ok {
		return d.Verified(ctx, items)
	}
	return x.e.Store.Get(ctx, ids...)
}
