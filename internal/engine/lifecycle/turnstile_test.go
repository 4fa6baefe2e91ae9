package lifecycle

import (
	"testing"
	"time"
)

func TestJobsOfOneMomentKeepTheirOrder(t *testing.T) {
	var s turnstile
	now := time.Date(2026, 11, 28, 9, 0, 0, 0, time.UTC)
	last := time.Time{}
	for i, at := range []time.Time{now, now, now.Add(-time.Hour), now.Add(time.Microsecond), now.Add(time.Second)} {
		got := s.after(at)
		if got.Before(at) || !got.Truncate(time.Millisecond).After(last.Truncate(time.Millisecond)) {
			t.Errorf("job %d of %v is of %v, after %v", i, at, got, last)
		}
		last = got
	}
	if want := now.Add(time.Second); !last.Equal(want) {
		t.Errorf("when the clock has caught up, it is %v and not %v", last, want)
	}
}
