package main

import (
	"io"
	"math/rand/v2"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A faulty network carries connections to a server. While it fails, it refuses one in ten, cuts one in four in the
// middle, and delays what it carries.
type faulty struct {
	net.Listener
	to      string
	failing atomic.Bool
	hurt    atomic.Int64

	mu    sync.Mutex
	conns map[net.Conn]bool
	work  sync.WaitGroup
}

func newFaulty(t *testing.T, to string) *faulty {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	f := &faulty{Listener: l, to: to, conns: make(map[net.Conn]bool)}
	f.work.Go(f.serve)
	t.Cleanup(func() {
		_ = l.Close()
		f.mu.Lock()
		for c := range f.conns {
			_ = c.Close()
		}
		f.mu.Unlock()
		f.work.Wait()
	})
	return f
}

// fail begins or ends the faults, and returns how many connections they hit so far.
func (f *faulty) fail(yes bool) int64 {
	f.failing.Store(yes)
	return f.hurt.Load()
}

func (f *faulty) serve() {
	for {
		in, err := f.Accept()
		if err != nil {
			return
		}
		if f.failing.Load() && rand.IntN(10) == 0 {
			f.hurt.Add(1)
			_ = in.Close()
			continue
		}
		out, err := net.Dial("tcp", f.to)
		if err != nil {
			_ = in.Close()
			continue
		}
		f.mu.Lock()
		f.conns[in], f.conns[out] = true, true
		f.mu.Unlock()
		left := new(atomic.Int64)
		left.Store(1 << 62)
		if f.failing.Load() && rand.IntN(4) == 0 {
			left.Store(rand.Int64N(256 << 10))
		}
		f.work.Go(func() { f.carry(in, out, left) })
		f.work.Go(func() { f.carry(out, in, left) })
	}
}

// carry carries one direction until the connection ends or is cut.
func (f *faulty) carry(to, from net.Conn, left *atomic.Int64) {
	defer func() {
		_, _ = to.Close(), from.Close()
		f.mu.Lock()
		delete(f.conns, to)
		delete(f.conns, from)
		f.mu.Unlock()
	}()
	buf := make([]byte, 32<<10)
	for {
		n, err := from.Read(buf)
		if f.failing.Load() {
			<-time.After(rand.N(40 * time.Millisecond))
		}
		if left.Add(-int64(n)) < 0 {
			f.hurt.Add(1)
			return
		}
		if n > 0 {
			if _, werr := to.Write(buf[:n]); werr != nil {
				return
			}
		}
		if err == io.EOF || err != nil {
			return
		}
	}
}
