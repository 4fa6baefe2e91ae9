package store

import (
	"context"
	"sync"
)

// A Glance is what stores remember while one request is answered: all that it reads is of one
// moment, and nothing is read twice.
type Glance struct {
	mu sync.Mutex
	of map[any]any
}

type glanceKey struct{}

// AtOnce returns a context for a request that only reads.
func AtOnce(ctx context.Context) context.Context {
	if GlanceOf(ctx) != nil {
		return ctx
	}
	return context.WithValue(ctx, glanceKey{}, &Glance{of: make(map[any]any)})
}

type servedKey struct{}

// Served returns a context for the requests of a process that answers many: what the first one reads is remembered for
// the next.
func Served(ctx context.Context) context.Context { return context.WithValue(ctx, servedKey{}, true) }

// IsServed reports whether a context is of such a process.
func IsServed(ctx context.Context) bool { return ctx.Value(servedKey{}) != nil }

// GlanceOf returns the glance of a request, nil where there is none.
func GlanceOf(ctx context.Context) *Glance {
	g, _ := ctx.Value(glanceKey{}).(*Glance)
	return g
}

// Fresh returns a context for readings of the same request that must not be of an earlier moment than now.
func Fresh(ctx context.Context) context.Context {
	return context.WithValue(ctx, glanceKey{}, &Glance{of: make(map[any]any)})
}

// Kept returns what Keep was given for this request, nil if there is nothing.
func (g *Glance) Kept(of any) any {
	if g == nil {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.of[of]
}

// Keep remembers something for this request.
func (g *Glance) Keep(of, what any) {
	if g == nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.of[of] = what
}

// Of returns what a store remembers for this request, and asks fresh for it the first time, or
// where what there is does not hold any more.
func (g *Glance) Of(s any, holds func(any) bool, fresh func() any) any {
	g.mu.Lock()
	defer g.mu.Unlock()
	v, there := g.of[s]
	if !there || !holds(v) {
		v = fresh()
		g.of[s] = v
	}
	return v
}
