package audit

import (
	"context"
	"runtime"

	"github.com/stemma-memory/stemma/internal/keys"
)

// What has come is verified by all processors, a batch by each, and taken in in the
// order in which it came. What may be on its way is bounded in both ways.
const (
	batchLines = 64
	batchBytes = 256 << 10
	maxBatches = 32 // on their way
	maxOnWay   = 16 << 20
)

// batch is some neighbouring lines, verified by one processor.
type batch struct {
	in   []input
	out  []output
	size int
	done chan struct{}
}

// flow holds the statements that are being verified. Only one goroutine sends and takes.
type flow struct {
	slots chan struct{} // one for each processor
	queue []*batch      // in the order in which they came
	size  int           // in bytes
}

func newFlow() flow { return flow{slots: make(chan struct{}, runtime.GOMAXPROCS(0))} }

// send has lines verified. While too much is on its way, it takes in what is done.
func (a *Auditor) send(ctx context.Context, lines []input, size int) error {
	if len(lines) == 0 {
		return ctx.Err()
	}
	for f := &a.flow; len(f.queue) > 0; {
		full := len(f.queue) >= maxBatches || f.size+size > maxOnWay
		select {
		case <-f.queue[0].done:
		default:
			if !full {
				a.verify(lines, size)
				return ctx.Err()
			}
			select {
			case <-f.queue[0].done:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		a.take()
	}
	a.verify(lines, size)
	return ctx.Err()
}

// verify has lines verified by the next processor that is free. Nothing has to wait
// for it but who wants what became of them.
func (a *Auditor) verify(lines []input, size int) {
	b := &batch{in: lines, out: make([]output, len(lines)), size: size, done: make(chan struct{})}
	a.flow.queue = append(a.flow.queue, b)
	a.flow.size += size
	slots := a.flow.slots
	go func() {
		slots <- struct{}{}
		b.check()
		<-slots
		close(b.done)
	}()
}

// check verifies the lines of a batch, their signatures together.
func (b *batch) check() {
	signatures := keys.NewBatch(len(b.in))
	for i := range b.in {
		in := &b.in[i]
		b.out[i].in = in
		b.out[i].open(in)
		if in.sealed != nil {
			in.sealed.send(signatures)
		}
	}
	signatures.Verify()
	for i := range b.in {
		in := &b.in[i]
		if in.sealed != nil {
			b.out[i].checked = in.sealed.verify(signatures)
		}
		in.raw, in.sealed = nil, nil
	}
}

// take takes in the batch that came first. It is done.
func (a *Auditor) take() {
	f := &a.flow
	b := f.queue[0]
	f.queue[0] = nil
	f.queue = f.queue[1:]
	f.size -= b.size
	a.absorb(b.out)
}

// drain takes in all that is on its way.
func (a *Auditor) drain() {
	for len(a.flow.queue) > 0 {
		<-a.flow.queue[0].done
		a.take()
	}
}
