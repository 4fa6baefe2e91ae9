package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
)

// checking is one run of Check.
type checking struct {
	s     *Store
	ctx   context.Context
	yield func(error) bool

	signatures map[int64]int64 // of each record, besides its author's
	after      map[int64]int64 // of the log of each space, only what comes after a place
	walked     walked          // where records are
	elsewhere  elsewhere       // the ids that they say they had elsewhere
	around     *around         // what was read for a page of records at once; nil is nothing
	unread     bool            // a record was not whole
}

// errStop ends a check whose reader wants no more.
var errStop = errors.New("enough")

// found reports damage to signed records, or to data that cannot be derived.
func (c *checking) found(format string, args ...any) error {
	return c.tell(fmt.Errorf("%s: %w: %w", c.s.name, store.ErrDamaged, fmt.Errorf(format, args...)))
}

// stale reports derived data that does not follow from its records.
func (c *checking) stale(format string, args ...any) error {
	return c.tell(session.Derived(fmt.Errorf("%s: %w: %w", c.s.name, store.ErrDamaged, fmt.Errorf(format, args...))))
}

func (c *checking) tell(err error) error {
	if !c.yield(err) {
		return errStop
	}
	return nil
}

// beside does parts in which one processor reads the whole file, while the others go on. What they
// find is told by the function that it returns, which reports whether the reader wants more.
func (c *checking) beside(parts ...func(*checking) error) (tell func() bool, stop func()) {
	ctx, cancel := context.WithCancel(c.ctx)
	var found []error
	own := checking{s: c.s, ctx: ctx, yield: func(err error) bool {
		found = append(found, err)
		return true
	}}
	done := make(chan struct{})
	go func() {
		defer close(done)
		own.all(parts...)
	}()
	yield := c.yield
	tell = sync.OnceValue(func() bool {
		<-done
		return !slices.ContainsFunc(found, func(err error) bool { return !yield(err) })
	})
	return tell, func() {
		cancel()
		<-done
	}
}

// inParts does the parts that next gives, as many at once as there are processors, and tells what
// they found in their order. There are no more parts where next gives nil.
func (c *checking) inParts(next func() (func(*checking) error, error)) error {
	type part struct {
		checking
		found []error
		err   error
		done  chan struct{}
	}
	ctx, stop := context.WithCancel(c.ctx)
	var working sync.WaitGroup
	defer working.Wait()
	defer stop()
	var queue []*part
	tell := func() error { // what the first part found
		p := queue[0]
		queue = queue[1:]
		<-p.done
		c.unread = c.unread || p.unread
		c.elsewhere.join(&p.elsewhere)
		for _, err := range p.found {
			if err := c.tell(err); err != nil {
				return err
			}
		}
		return p.err
	}
	for more := true; more || len(queue) > 0; {
		if !more || len(queue) == runtime.GOMAXPROCS(0) {
			if err := tell(); err != nil {
				return err
			}
			continue
		}
		do, err := next()
		if err != nil {
			return err
		}
		if more = do != nil; !more {
			continue
		}
		p := &part{done: make(chan struct{})}
		p.checking = checking{s: c.s, ctx: ctx, signatures: c.signatures, yield: func(err error) bool {
			p.found = append(p.found, err)
			return true
		}}
		p.elsewhere.seed = c.elsewhere.seed
		queue = append(queue, p)
		working.Go(func() {
			defer close(p.done)
			p.err = do(&p.checking)
		})
	}
	return nil
}
