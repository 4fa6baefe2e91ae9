// Package bench measures this program on the machine that it runs on: what it takes, and how many
// times as long that is as the same with SQLite alone, with the disk, or reading the same bytes.
package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
	"github.com/stemma-memory/stemma/memory"
)

// Options say what to measure.
type Options struct {
	Program  string // the file of this program, which is run as users run it
	Dir      string // an empty directory, which the caller removes afterwards
	Getenv   func(string) string
	Keep     bool                                  // of Verbs: leave the stores in Dir, and use those that are there
	Server   func(context.Context) (string, error) // makes an empty store on a server for Verbs; nil is a file
	Serving  int                                   // the server's first process, whose time is measured too; 0 is none
	Records  []int                                 // how many records the stores have; Run measures the first
	Verbs    func(string) bool                     // of Verbs: those to ask
	Progress func(done int)                        // called with the number of steps that are done
}

// Bounds of a store that is measured, in records.
const (
	LeastRecords = 100
	MostRecords  = 5_000_000
)

// Report is what was measured. Times are in milliseconds by the clock.
type Report struct {
	System   string    `json:"system"`
	Cores    int       `json:"cores"`
	Go       string    `json:"go"`
	Records  int       `json:"records"`
	Bytes    int64     `json:"bytes"` // of the store
	Measures []Measure `json:"measures"`
}

// Measure is one line of the report.
type Measure struct {
	What      string  `json:"what"`
	Turns     int     `json:"turns"`
	Median    float64 `json:"median_ms"`
	P95       float64 `json:"p95_ms"`
	PerSecond float64 `json:"per_second,omitempty"`
	Unit      string  `json:"unit,omitempty"` // of PerSecond: records or MB
	Against   string  `json:"against,omitempty"`
	Other     float64 `json:"against_ms,omitempty"` // the median of what it is measured against
	Ratio     float64 `json:"ratio,omitempty"`      // of the medians: as many times as long
}

// Steps is how many steps Run reports.
const Steps = 15

// running is one run of the measures.
type running struct {
	Options
	home   *home
	engine *engine.Engine
	plain  *plain
	report Report
	step   int
}

// Run measures a store of conversations, made for it in the directory of the options.
func Run(ctx context.Context, o Options) (_ Report, err error) {
	r := &running{Options: o, report: Report{
		System: system(), Cores: runtime.NumCPU(), Go: runtime.Version(), Records: o.Records[0],
	}}
	if r.home, err = newHome(o, filepath.Join(o.Dir, "home")); err != nil {
		return Report{}, err
	}
	if r.plain, err = newPlain(ctx, filepath.Join(o.Dir, "plain.db")); err != nil {
		return Report{}, err
	}
	defer func() { err = errors.Join(err, r.plain.db.Close()) }()
	if err := r.imports(ctx); err != nil {
		return Report{}, err
	}
	r.engine, err = engine.Open(ctx, r.home.store(), engine.Config{
		Databases: sqlstore.Databases{},
		KeyDir:    filepath.Join(r.home.data, "keys"), Data: r.home.data, Origin: memory.OriginOwner,
	})
	if err != nil {
		return Report{}, err
	}
	err = r.reads(ctx)
	if err == nil {
		err = r.writes(ctx)
	}
	if err = errors.Join(err, r.engine.Close()); err != nil {
		return Report{}, err
	}
	if err := r.processes(ctx); err != nil {
		return Report{}, err
	}
	return r.report, nil
}

func system() string { return runtime.GOOS + "/" + runtime.GOARCH }

// add puts a line into the report.
func (r *running) add(m Measure) {
	r.report.Measures = append(r.report.Measures, m)
	if r.step++; r.Progress != nil {
		r.Progress(r.step)
	}
}

// talk writes the conversations of so many records into a file.
func talk(path string, records int) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	return errors.Join(Talk(f, records), f.Close())
}

// size returns how many bytes a file has.
func size(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// copied reads a file and writes it to another, on the disk when it returns.
func copied(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Sync(), out.Close(), os.Remove(to))
}

// read reads a file and keeps nothing.
func read(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(io.Discard, f)
	return err
}
