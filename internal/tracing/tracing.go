// Package tracing tells an OpenTelemetry collector what a server did and how long it
// took. A span has a name, numbers and words of our own: never a word of a memory, and
// no text of an error. Where nothing is set nothing is made, and a collector that is
// down costs spans, which are counted, and no time.
package tracing

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"sync"
	"sync/atomic"
	"time"
)

// Kind says which part a span has in a request.
type Kind int

// The kinds, with the numbers of the protocol.
const (
	Inside Kind = 1 // work within a process
	Server Kind = 2 // a request answered
	Client Kind = 3 // a request made
)

// An Attr is one thing said of a span.
type Attr struct {
	key    string
	word   string
	number int64
	isWord bool
}

// mostWord bounds a word.
const mostWord = 100

// Word says something by a word of a closed set: the name of an operation, a method, a
// code. What a person or a model wrote is no such word.
func Word(key, word string) Attr {
	if len(word) > mostWord {
		word = word[:mostWord]
	}
	return Attr{key: key, word: word, isWord: true}
}

// Number says something by a number.
func Number[N ~int | ~int64](key string, n N) Attr { return Attr{key: key, number: int64(n)} }

// A Tracer makes spans and sends them. Nil makes none. It is safe for concurrent use.
type Tracer struct {
	o       Options
	queue   chan *Span
	dropped atomic.Int64
}

// mostWaiting is how many spans wait to be sent; what comes then is dropped.
const mostWaiting = 2048

// New makes a tracer; nil where no place is set to send to.
func New(o Options) *Tracer {
	if o.Endpoint == "" {
		return nil
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Tracer{o: o, queue: make(chan *Span, mostWaiting)}
}

// Dropped counts the spans that were not delivered.
func (t *Tracer) Dropped() int64 {
	if t == nil {
		return 0
	}
	return t.dropped.Load()
}

// A Span is a piece of work that is told of. Nil takes everything and does nothing.
type Span struct {
	t      *Tracer
	id     [8]byte
	parent [8]byte // zero is none
	trace  trace
	name   string
	kind   Kind
	began  time.Time

	mu     sync.Mutex
	ended  time.Time
	attrs  []Attr
	failed string // the code of what went wrong
}

// trace is what all spans of a trace share.
type trace struct {
	id      [16]byte
	sampled bool
	state   string // tracestate, passed on as it came
}

type (
	tracerKey struct{}
	placeKey  struct{}
)

// place is where in a trace a context stands.
type place struct {
	trace trace
	span  [8]byte
}

// With lets spans of a context be made by t.
func With(ctx context.Context, t *Tracer) context.Context {
	if t == nil {
		return ctx
	}
	return context.WithValue(ctx, tracerKey{}, t)
}

// Start begins a span within the one of the context. The context it gives is for what is
// done in it. End must be called.
func Start(ctx context.Context, kind Kind, name string, attrs ...Attr) (context.Context, *Span) {
	t, _ := ctx.Value(tracerKey{}).(*Tracer)
	if t == nil {
		return ctx, nil
	}
	s := &Span{t: t, kind: kind, name: name, attrs: attrs}
	_, _ = rand.Read(s.id[:]) // never fails
	up, within := ctx.Value(placeKey{}).(place)
	if within {
		s.trace, s.parent = up.trace, up.span
		if _, remote := ctx.Value(remoteKey{}).(bool); remote {
			s.trace.sampled = t.o.Sampler.within(up.trace)
			ctx = context.WithValue(ctx, remoteKey{}, nil)
		}
	} else {
		_, _ = rand.Read(s.trace.id[:])
		s.trace.sampled = t.o.Sampler.begins(s.trace.id)
	}
	ctx = context.WithValue(ctx, placeKey{}, place{s.trace, s.id})
	if !s.trace.sampled {
		return ctx, nil // what is done within is not told of either
	}
	s.began = t.o.Now()
	return ctx, s
}

// Set says more of a span.
func (s *Span) Set(attrs ...Attr) {
	if s == nil {
		return
	}
	s.mu.Lock()
	s.attrs = append(s.attrs, attrs...)
	s.mu.Unlock()
}

// Fail says that the work failed, by a code: the text of an error may quote a memory.
func (s *Span) Fail(code string) {
	if s == nil {
		return
	}
	s.mu.Lock()
	s.failed = Word("", code).word
	s.mu.Unlock()
}

// End ends the span and leaves it to be sent. It never waits.
func (s *Span) End() {
	if s == nil {
		return
	}
	s.mu.Lock()
	again := !s.ended.IsZero()
	s.ended = s.t.o.Now()
	s.mu.Unlock()
	if again {
		return
	}
	select {
	case s.t.queue <- s:
	default:
		s.t.dropped.Add(1)
	}
}

func hexOf(id []byte) string { return hex.EncodeToString(id) }
