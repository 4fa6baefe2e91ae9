package access

import (
	"fmt"
	"testing"
	"time"
)

// A client may burst, is then told how long to wait, and does not slow others.
func TestLimiter(t *testing.T) {
	now := time.Unix(0, 0)
	l := NewLimiter(Limit{Rate: 20, Burst: 100, Now: func() time.Time { return now }})
	for i := range 100 {
		if wait := l.Take("one"); wait != 0 {
			t.Fatalf("turn %d of the burst waits %v", i, wait)
		}
	}
	if wait := l.Take("one"); wait != 50*time.Millisecond {
		t.Errorf("beyond the burst one waits %v, want 50ms", wait)
	}
	if wait := l.Take("two"); wait != 0 {
		t.Errorf("another client waits %v", wait)
	}
	now = now.Add(50 * time.Millisecond)
	if wait := l.Take("one"); wait != 0 {
		t.Errorf("who waited as told waits %v more", wait)
	}
	if NewLimiter(Limit{}).Take("one") != 0 {
		t.Error("no limit is one")
	}
	for i := range 2 * mostClients {
		l.Take(fmt.Sprint(i))
	}
	if len(l.known) != mostClients || l.order.Len() != mostClients {
		t.Errorf("%d and %d clients are kept, want %d", len(l.known), l.order.Len(), mostClients)
	}
}

// Turns that are given back can be taken again, and never make more than the burst.
func TestTurnsAreGivenBack(t *testing.T) {
	now := time.Unix(0, 0)
	l := NewLimiter(Limit{Rate: 1, Burst: 4, Now: func() time.Time { return now }})
	for range 3 {
		for range 2 {
			if wait := l.Take("one"); wait != 0 {
				t.Fatalf("a turn that was given back waits %v", wait)
			}
		}
		l.Give("one", 2)
	}
	l.Give("one", 100)
	taken := 0
	for l.Take("one") == 0 {
		taken++
	}
	if taken != 4 {
		t.Errorf("%d turns at once after giving back, want the burst of 4", taken)
	}
}
