package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// bar shows on a terminal how far an import has come, and nothing elsewhere. A
// library for it costs every run of stemma a millisecond at its start.
type bar struct {
	w     io.Writer // nil shows nothing
	total int       // below 0 is not known
	what  string
	began time.Time
	shown time.Time
}

const (
	barWidth = 30
	barEvery = 100 * time.Millisecond
	barClear = "\r\x1b[K"
)

func (a *app) progress(total int, what string) *bar {
	f, ok := a.env.Stderr.(*os.File)
	if !ok || !isTerminal(f) || a.flags.json {
		return &bar{}
	}
	return &bar{w: f, total: total, what: what, began: time.Now()}
}

// at draws the bar, at most ten times a second.
func (b *bar) at(done int) {
	now := time.Now()
	if b.w == nil || now.Sub(b.shown) < barEvery {
		return
	}
	b.shown = now
	rate := float64(done) / max(now.Sub(b.began).Seconds(), 0.001)
	if b.total <= 0 {
		fmt.Fprintf(b.w, "%s%d %s, %.0f a second", barClear, done, b.what, rate)
		return
	}
	full := min(done*barWidth/b.total, barWidth)
	fmt.Fprintf(b.w, "%s%s%s %d of %d %s, %.0f a second", barClear, strings.Repeat("█", full), strings.Repeat("░", barWidth-full),
		done, b.total, b.what, rate)
}

// end takes the bar away.
func (b *bar) end() {
	if b.w != nil {
		fmt.Fprint(b.w, barClear)
	}
}
