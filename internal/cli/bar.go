package cli

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// A bar shows on a terminal how far a long operation has come, and nothing elsewhere. A
// library for it costs every run of stemma a millisecond at its start.
type bar struct {
	total int // below 0 is not known
	what  string
	began time.Time

	mu    sync.Mutex
	w     io.Writer // nil shows nothing
	shown time.Time
	stop  chan struct{} // ends the ticking, of a bar that has no count to show
	ended chan struct{}
}

const (
	barWidth = 30
	barAfter = time.Second // what is done sooner shows nothing
	barEvery = 100 * time.Millisecond
	barClear = "\r\x1b[K"
)

func (b *bar) tick() {
	defer close(b.ended)
	t := time.NewTicker(barEvery)
	defer t.Stop()
	for {
		select {
		case <-b.stop:
			return
		case now := <-t.C:
			b.draw(now, func() string { return fmt.Sprintf("%s… %.0f s", b.what, now.Sub(b.began).Seconds()) })
		}
	}
}

// of is at, of an operation that learns on its way how much there is.
func (b *bar) of(done, total int) {
	b.mu.Lock()
	b.total = total
	b.mu.Unlock()
	b.at(done)
}

// at draws the bar, at most ten times a second.
func (b *bar) at(done int) {
	now := time.Now()
	b.draw(now, func() string { return b.line(done, now) })
}

// draw puts a line in the place of the last one.
func (b *bar) draw(now time.Time, line func() string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.w == nil || now.Sub(b.began) < barAfter || now.Sub(b.shown) < barEvery {
		return
	}
	b.shown = now
	fmt.Fprint(b.w, barClear+line())
}

// line says how much was done, and how fast.
func (b *bar) line(done int, now time.Time) string {
	rate := float64(done) / max(now.Sub(b.began).Seconds(), 0.001)
	if b.total <= 0 {
		return fmt.Sprintf("%d %s, %.0f per second", done, b.what, rate)
	}
	full := min(done*barWidth/b.total, barWidth)
	return fmt.Sprintf("%s%s %d of %d %s, %.0f per second", strings.Repeat("█", full), strings.Repeat("░", barWidth-full),
		done, b.total, b.what, rate)
}

// clear takes the line away for other words. The bar comes again.
func (b *bar) clear() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.w != nil && !b.shown.IsZero() {
		fmt.Fprint(b.w, barClear)
	}
}

// shows reports whether the bar shows something, or will.
func (b *bar) shows() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.w != nil
}

// hush takes the line away, and shows nothing any more.
func (b *bar) hush() {
	b.clear()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.w = nil
}

// end takes the bar away, and waits until nothing draws it.
func (b *bar) end() {
	if b.stop != nil {
		close(b.stop)
		<-b.ended
		b.stop = nil
	}
	b.hush()
}

// A counter counts the lines that are written through it.
type counter struct {
	io.Writer
	lines int
	at    func(int)
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.Writer.Write(p)
	c.lines += bytes.Count(p[:n], []byte("\n"))
	c.at(c.lines)
	return n, err
}

// A lineReader counts the lines that are read through it.
type lineReader struct {
	io.Reader
	lines int
	at    func(int)
}

func (r *lineReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	r.lines += bytes.Count(p[:n], []byte("\n"))
	r.at(r.lines)
	return n, err
}
