package care

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/envelope"
	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/door"
	"github.com/stemma-memory/stemma/memory"
)

// examinePage is how many records are examined at a time, by each processor.
const examinePage = 250

// A part is what was found in one page of a log.
type part struct {
	examination
	found api.DoctorReply
	err   error
	done  chan struct{}
}

// space examines what one log has after its first records, a page by each processor, and tells what
// was found in the log's order.
func (x *examination) space(ctx context.Context, space string, tree *ledger.Frontier) error {
	ctx, stop := context.WithCancel(ctx)
	var working sync.WaitGroup
	defer working.Wait()
	defer stop()
	var queue []*part
	after := store.Seq(tree.Size())
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
		page, err := x.e.Store.Since(ctx, space, after, examinePage)
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
		for _, c := range page {
			if c.Seq <= x.begun[space] {
				tree.Append(ledger.Hash(c.ID))
			}
		}
		p := &part{examination: *x, done: make(chan struct{})}
		p.reply, p.away = &p.found, 0
		queue = append(queue, p)
		working.Go(func() {
			defer close(p.done)
			p.err = p.page(ctx, space, page)
		})
	}
	return nil
}

// take adds what was found in a page.
func (x *examination) take(p *part) {
	r, f := x.reply, &p.found
	r.Records, r.Signatures, x.away = r.Records+f.Records, r.Signatures+f.Signatures, x.away+p.away
	x.keys = x.keys || p.keys
	r.Problems, r.Notes, r.Secrets = append(r.Problems, f.Problems...), append(r.Notes, f.Notes...),
		append(r.Secrets, f.Secrets...)
	if x.progress != nil {
		x.progress(r.Records)
	}
}

// examined is a record as it lies there, a forged one too, and as it is given to who reads.
type examined struct {
	it, given *store.Item
	wrong     error // of its signatures
}

// page examines some records.
func (x *examination) page(ctx context.Context, space string, page []store.Change) error {
	ids := make([]memory.ID, len(page))
	for i, c := range page {
		ids[i] = c.ID
	}
	all, err := x.get(ctx, ids, func() ([]*store.Item, error) { return x.placed(ctx, space, page, ids) })
	if err != nil {
		return core.Classify(err)
	}
	for _, one := range all {
		if one.it == nil {
			continue
		}
		x.item(one.it, one.wrong)
		if one.given != nil && one.given.Doubt == store.Withheld && !x.untrusted {
			x.problem(one.it, "%s: a claim about it is missing, so its state is unverified", one.it.Ref.Short())
		}
	}
	return x.sources(ctx, all)
}

// placed reads a page of a log at once where the store can, and otherwise by its ids.
func (x *examination) placed(
	ctx context.Context, space string, page []store.Change, ids []memory.ID,
) ([]*store.Item, error) {
	s, can := x.kept.(interface {
		Placed(ctx context.Context, space string, after, upTo store.Seq) ([]*store.Item, error)
	})
	if can {
		items, err := s.Placed(ctx, space, page[0].Seq-1, page[len(page)-1].Seq)
		if err == nil && slices.EqualFunc(items, ids, func(it *store.Item, id memory.ID) bool { return it.Ref.ID == id }) {
			return items, nil
		}
	}
	return x.kept.Get(ctx, ids...)
}

// get reads records and verifies them. One that cannot be read is a problem, and absent.
func (x *examination) get(
	ctx context.Context, ids []memory.ID, read func() ([]*store.Item, error),
) ([]examined, error) {
	items, err := read()
	if err == nil {
		var all []examined
		if all, err = x.verified(ctx, ids, items); err == nil {
			return all, nil
		}
	}
	switch {
	case ctx.Err() != nil || !errors.Is(err, store.ErrDamaged):
		return nil, err
	case len(ids) == 1:
		x.reply.Problems = append(
			x.reply.Problems,
			api.Problem{What: fmt.Sprintf("%s cannot be read: %s", ids[0].Short(), core.OneLine(err))},
		)
		return make([]examined, 1), nil
	}
	var all []examined
	for _, id := range ids {
		one, err := x.get(ctx, []memory.ID{id}, func() ([]*store.Item, error) { return x.kept.Get(ctx, id) })
		if err != nil {
			return nil, err
		}
		all = append(all, one...)
	}
	return all, nil
}

// verified verifies records that were read, and returns them as who reads gets them too.
func (x *examination) verified(ctx context.Context, ids []memory.ID, items []*store.Item) ([]examined, error) {
	all := make([]examined, len(items))
	var records []*memory.Record
	for i, it := range items {
		if all[i].it = it; it != nil && it.Record != nil {
			records = append(records, it.Record)
		}
	}
	wrong, holds := envelope.VerifyAll(records), make([]bool, len(records))
	for i, n := 0, 0; i < len(items); i++ {
		if items[i] != nil && items[i].Record != nil {
			all[i].wrong, holds[n] = wrong[n], wrong[n] == nil
			n++
		}
	}
	var given []*store.Item
	var err error
	if d, ok := store.Plain(x.e.Store).(*door.Store); ok {
		given, err = d.Verified(ctx, items, func([]*memory.Record) []bool { return holds })
	} else {
		given, err = x.e.Store.Get(ctx, ids...)
	}
	if err != nil {
		return nil, err
	}
	for i := range all {
		all[i].given = given[i]
	}
	return all, nil
}
