package cli

import (
	"bytes"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// syncBuffer is what a bar and a test both look at.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// What takes less than a second shows nothing; then the bar is drawn, and its end clears the line.
func TestBarIsShownAfterASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out syncBuffer
		b := &bar{w: &out, total: 10, what: "records", began: time.Now()}
		b.at(1)
		<-time.After(500 * time.Millisecond)
		if b.at(2); out.String() != "" {
			t.Errorf("shown within a second: %q", out.String())
		}
		<-time.After(barAfter)
		b.at(5)
		if got := out.String(); !strings.Contains(got, "5 of 10 records") {
			t.Errorf("after a second: %q", got)
		}
		b.at(6)
		if got := out.String(); strings.Contains(got, "6 of 10") {
			t.Errorf("drawn twice within a tenth of a second: %q", got)
		}
		if b.end(); !strings.HasSuffix(out.String(), barClear) {
			t.Errorf("the end leaves %q", out.String())
		}
		<-time.After(barAfter)
		before := out.String()
		if b.at(9); out.String() != before {
			t.Errorf("drawn after its end: %q", out.String())
		}
	})
}

// What does not say how far it has come shows the time, until it ends or is interrupted.
func TestElapsedTicks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out syncBuffer
		b := &bar{w: &out, total: -1, what: "copying", began: time.Now(), stop: make(chan struct{}),
			ended: make(chan struct{})}
		go b.tick()
		<-time.After(3*time.Second + barEvery/2)
		if got := out.String(); !strings.Contains(got, "copying… 3 s") || strings.Contains(got, "0 s") {
			t.Errorf("after three seconds: %q", got)
		}
		b.hush()
		hushed := out.String()
		<-time.After(time.Second)
		if out.String() != hushed || !strings.HasSuffix(hushed, barClear) {
			t.Errorf("after it was hushed: %q", out.String())
		}
		b.end()
	})
}

// An operation for which a bar is shown already gets no second one.
func TestTickingIsOneBar(t *testing.T) {
	a := &app{}
	own := &bar{w: io.Discard, began: time.Now()}
	a.busy.Store(own)
	if a.ticking()(); a.busy.Load() != own || !own.shows() {
		t.Error("the bar that was shown gave way to another")
	}
	own.end()
	if a.ticking()(); a.busy.Load() == own {
		t.Error("nothing ticks where nothing is shown")
	}
}

// Lines are counted whether they are written or read.
func TestLinesAreCounted(t *testing.T) {
	var wrote, read int
	w := &counter{Writer: io.Discard, at: func(n int) { wrote = n }}
	if _, err := io.WriteString(w, "one\ntwo\n"); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(w, "three\n"); err != nil || wrote != 3 {
		t.Errorf("%d lines written, %v, want 3", wrote, err)
	}
	r := &lineReader{Reader: strings.NewReader("one\ntwo\nthree"), at: func(n int) { read = n }}
	if _, err := io.Copy(io.Discard, r); err != nil || read != 2 {
		t.Errorf("%d lines read, %v, want 2", read, err)
	}
}
