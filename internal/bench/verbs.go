package bench

import (
	"bytes"
	"context"
	"encoding/json"
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

// VerbsReport is what every verb that reads took, each a process from start to end.
type VerbsReport struct {
	System string `json:"system"`
	Cores  int    `json:"cores"`
	Verbs  []Verb `json:"verbs"`
}

// Verb is one verb on one store.
type Verb struct {
	Verb      string  `json:"verb"`
	Records   int     `json:"records"`
	Processor float64 `json:"processor_ms"` // of all cores, the user's and the system's
	Clock     float64 `json:"clock_ms"`
	Peak      float64 `json:"peak_mb,omitempty"` // memory
	Printed   int64   `json:"printed_bytes"`
	Failed    string  `json:"failed,omitempty"` // why, of what did not end well
}

// A reading is a verb and what is given to it. NOTE and BELIEF stand for the newest of each, OUT for a
// file that is not there yet.
var readings = [][]string{
	{"import", "jsonl", "TALK"},
	{"status"},
	{"recall", "where does Person1 work"},
	{"context", "where does Person1 work"},
	{"search", "Person1 works at Acme"},
	{"search", "nosuchword"},
	{"search", "--tag", "nosuchtag", "bogak"},
	{"recent"},
	{"list"},
	{"list", "raw"},
	{"list", "--tag", "nosuchtag"},
	{"list", "--type", "quote"},
	{"list", "--oldest"},
	{"list", "--session", "talk-1"},
	{"list", "--limit", "-1"},
	{"list", "raw", "--limit", "-1"},
	{"raw", "list", "--unprocessed"},
	{"show", "BELIEF"},
	{"trace", "BELIEF"},
	{"why", "BELIEF"},
	{"trust", "BELIEF"},
	{"belief", "history", "BELIEF"},
	{"belief", "list"},
	{"goal", "list"},
	{"drive", "list"},
	{"value", "list"},
	{"relationship", "list"},
	{"playbook", "list"},
	{"playbook", "find", "bogak"},
	{"emotion", "summary"},
	{"entities", "list"},
	{"entities", "show", "Person1"},
	{"identity", "show"},
	{"conflicts"},
	{"conflicts", "--all"},
	{"review"},
	{"review", "--all"},
	{"jobs", "--all"},
	{"check"},
	{"anchor", "check"},
	{"forget", "list"},
	{"forget", "candidates"},
	{"meta", "uncertain"},
	{"meta", "lineage", "BELIEF"},
	{"meta", "history", "BELIEF"},
	{"taint", "BELIEF"},
	{"taint", "source:nosuchsource"},
	{"taint", "source:import"},
	{"receipts"},
	{"key", "list"},
	{"store", "list"},
	{"migrate", "--infer-provenance"},
	{"export", "--out", "OUT"},
	{"export", "BELIEF", "--out", "OUT"},
	{"backup", "OUT"},
	{"audit"},
	{"doctor"},
}

// CountVerbs returns how many verbs Verbs asks of each store.
func CountVerbs(wanted func(string) bool) int {
	n := 0
	for _, args := range readings {
		if wanted(strings.Join(args, " ")) {
			n++
		}
	}
	return n
}

// Verbs makes a store of each size, asks every verb of it, and removes it.
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
		if err = errors.Join(err, os.RemoveAll(dir)); err != nil {
			return report, err
		}
	}
	return report, nil
}

// ask asks every verb of a new store.
func (o Options) ask(ctx context.Context, dir string, records int, each func(Verb)) error {
	h, err := newHome(o, dir)
	if err != nil {
		return err
	}
	if o.Server != nil {
		if h.server, err = o.Server(ctx); err != nil {
			return err
		}
	}
	lines, out := filepath.Join(dir, "talk.jsonl"), filepath.Join(dir, "out")
	if err := talk(lines, records); err != nil {
		return err
	}
	stands := map[string]string{"TALK": lines, "OUT": out}
	for _, args := range readings {
		name := strings.Join(args, " ")
		if !o.Verbs(name) && args[0] != "import" {
			continue
		}
		v, err := h.ask(ctx, args, stands)
		if err != nil {
			return err
		}
		if args[0] == "import" {
			if v.Failed != "" {
				return errors.New(v.Failed)
			}
			if err := h.differ(ctx, stands); err != nil {
				return err
			}
		}
		if o.Verbs(name) {
			v.Verb, v.Records = name, records
			each(v)
		}
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
	within, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	c, err := h.used(within, io.Discard, given...)
	v := Verb{Processor: ms(c.processor), Clock: ms(c.clock), Peak: float64(c.peak) / 1e6, Printed: c.printed}
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

// differ says what does not go together, and finds what later verbs ask for.
func (h *home) differ(ctx context.Context, stands map[string]string) error {
	for i := range 8 {
		for _, place := range []string{"Acme", "Globex"} {
			said := fmt.Sprintf("Person%d works at %s", i+1, place)
			if err := h.run(ctx, "remember", said); err != nil {
				return err
			}
		}
	}
	for name, kind := range map[string]string{"BELIEF": "belief", "NOTE": "note"} {
		var out bytes.Buffer
		if _, err := h.used(ctx, &out, "list", kind, "--limit", "1", "--json"); err != nil {
			return err
		}
		var reply struct{ Memories []struct{ Ref string } }
		if err := json.Unmarshal(out.Bytes(), &reply); err != nil || len(reply.Memories) == 0 {
			return fmt.Errorf("bench: no %s is listed: %w", kind, err)
		}
		stands[name] = reply.Memories[0].Ref
	}
	return nil
}
