package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"time"
)

// progress shows how many of a total were done, as at says, on a terminal that can take a line back.
func (a *app) progress(total int, what string) *bar {
	b := &bar{total: total, what: what, began: time.Now()}
	if f, ok := a.env.Stderr.(*os.File); ok && isTerminal(f) && !a.flags.json && a.env.Getenv("TERM") != "dumb" {
		b.w = f
	}
	a.busy.Store(b)
	return b
}

// elapsed shows how long something takes that does not say how far it has come. It ticks
// until end is called.
func (a *app) elapsed(what string) *bar {
	b := a.progress(-1, what)
	if b.w != nil {
		b.stop, b.ended = make(chan struct{}), make(chan struct{})
		go b.tick()
	}
	return b
}

// ticking shows how long an operation takes for which nothing else is shown, until it is called.
func (a *app) ticking() (end func()) {
	if b := a.busy.Load(); b != nil && b.shows() {
		return func() {}
	}
	return a.elapsed("working").end
}

// aside takes the bar away while something else is said.
func (a *app) aside() {
	if b := a.busy.Load(); b != nil {
		b.clear()
	}
}

// hush takes the bar away for good: somebody is asked for something, or the operation was
// interrupted.
func (a *app) hush() {
	if b := a.busy.Load(); b != nil {
		b.hush()
	}
}

// printJSON writes a reply as the other faces do.
func (a *app) printJSON(v any) error {
	enc := json.NewEncoder(a.env.Stdout)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// warn says what was not as it should be, and did not keep a verb from its work.
func (a *app) warn(warnings []string) {
	for _, w := range warnings {
		a.hint("warning: %s", w)
	}
}

// hint says something to a person that is not data.
func (a *app) hint(format string, args ...any) {
	a.aside()
	fmt.Fprintln(a.env.Stderr, clean(inVerbs(fmt.Sprintf(format, args...))))
}
