package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

const (
	longest      = 10 * time.Minute // that one verb may take
	nothingThere = 3                // the exit status of an answer that there is no such thing
)

// VerbsReport is what verbs took, each a process from start to end.
type VerbsReport struct {
	System string `json:"system"`
	Cores  int    `json:"cores"`
	Verbs  []Verb `json:"verbs"`
}

// Verb is one verb on one store.
type Verb struct {
	Verb      string  `json:"verb"`
	Records   int     `json:"records"`
	Processor float64 `json:"processor_ms"`        // of all cores, the user's and the system's
	Server    float64 `json:"server_ms,omitempty"` // the same of a PostgreSQL server's processes
	Clock     float64 `json:"clock_ms"`
	Peak      float64 `json:"peak_mb,omitempty"` // memory
	Printed   int64   `json:"printed_bytes"`
	Failed    string  `json:"failed,omitempty"` // why, of what did not end well
}

// CountVerbs returns how many verbs Verbs asks of each store.
func CountVerbs(wanted func(string) bool) int {
	n := 0
	if wanted(importing) {
		n++
	}
	for _, args := range readings {
		if wanted(strings.Join(args, " ")) {
			n++
		}
	}
	return n
}

// Verbs makes a store of each size, asks every verb of it, and removes it, if it is not to be kept.
func Verbs(ctx context.Context, o Options) (VerbsReport, error) {
	report, done := VerbsReport{System: system(), Cores: runtime.NumCPU(), Verbs: []Verb{}}, 0
	for _, records := range o.Records {
		dir := filepath.Join(o.Dir, fmt.Sprint(records))
		err := o.ask(ctx, dir, records, func(v Verb) {
			report.Verbs = append(report.Verbs, v)
			if done++; o.Progress != nil {
				o.Progress(done)
			}
		})
		if !o.Keep {
			err = errors.Join(err, os.RemoveAll(dir))
		}
		if err != nil {
			return report, err
		}
	}
	return report, nil
}

// ask asks every verb of a store, which is made where none was kept.
func (o Options) ask(ctx context.Context, dir string, records int, each func(Verb)) error {
	h, err := newHome(o, dir)
	if err != nil {
		return err
	}
	out := filepath.Join(dir, "out")
	stands, err := o.kept(ctx, h, dir, records, each)
	if err != nil {
		return err
	}
	stands["OUT"] = out
	for _, args := range readings {
		name := strings.Join(args, " ")
		if !o.Verbs(name) || lacks(args, stands) {
			continue
		}
		v, err := h.ask(ctx, args, stands)
		if err != nil {
			return err
		}
		v.Verb, v.Records = name, records
		each(v)
		if err := os.RemoveAll(out); err != nil {
			return fmt.Errorf("bench: %w", err)
		}
	}
	return nil
}

// ask runs one verb. An error is that it was interrupted.
func (h *home) ask(ctx context.Context, args []string, stands map[string]string) (Verb, error) {
	given := make([]string, len(args))
	for i, a := range args {
		if given[i] = a; stands[a] != "" {
			given[i] = stands[a]
		}
	}
	if given[0] == pageVerb {
		return h.askPage(ctx)
	}
	within, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	c, err := h.used(within, io.Discard, given...)
	v := Verb{Processor: ms(c.processor), Server: ms(c.server), Clock: ms(c.clock),
		Peak: float64(c.peak) / 1e6, Printed: c.printed}
	switch {
	case ctx.Err() != nil:
		return v, ctx.Err()
	case within.Err() != nil:
		v.Failed = fmt.Sprintf("took more than %s", longest)
	case err != nil && c.exit != nothingThere:
		v.Failed = err.Error()
	}
	return v, nil
}
