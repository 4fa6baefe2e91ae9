package bench

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/stemma-memory/stemma/api"
)

// How often each is measured.
const (
	turnsWritten = 200
	turnsRead    = 100
	turnsTraced  = 20
	turnsProcess = 10
	turnsWhole   = 3
)

// imports makes the store as a user does, and the same words in SQLite alone.
func (r *running) imports(ctx context.Context) error {
	path := filepath.Join(r.Dir, "talk.jsonl")
	if err := talk(path, r.report.Records); err != nil {
		return err
	}
	took, err := timed(1,
		func(int) error { return r.home.run(ctx, "import", "jsonl", path) },
		func(int) error { return r.plain.load(ctx, path) })
	if err != nil {
		return err
	}
	r.report.Bytes = size(r.home.store())
	r.add(measure("import", took[0], "SQLite, full-text index", took[1]).rate(float64(r.report.Records), "records"))
	return os.Remove(path)
}

// reads measures what is read within one process.
func (r *running) reads(ctx context.Context) error {
	asked := newTalker(2)
	questions := make([]string, turnsRead)
	for i := range questions {
		questions[i] = asked.some(3, 8)
	}
	find := func(limit int) act {
		return func(i int) error { return r.plain.find(ctx, questions[i%turnsRead], limit) }
	}
	newest, err := r.engine.List(ctx, api.ListRequest{Kind: "raw", Limit: turnsRead, Brief: true})
	if err != nil {
		return err
	}
	one := newest.Memories
	for _, m := range []struct {
		what  string
		turns int
		ours  act
		over  string
		other act
	}{
		{"search, 10 results", turnsRead, func(i int) error {
			_, err := r.engine.Search(ctx, api.SearchRequest{Query: questions[i]})
			return err
		}, "SQLite, full-text index", find(10)},
		{"context, 2,000 tokens", turnsRead, func(i int) error {
			_, err := r.engine.Context(ctx, api.ContextRequest{Query: questions[(i+turnsRead/2)%turnsRead], Level: "task"})
			return err
		}, "SQLite, 50 rows by words", find(50)},
		{"list, the newest 20", turnsRead, func(int) error {
			_, err := r.engine.List(ctx, api.ListRequest{Limit: 20})
			return err
		}, "SQLite, 20 rows", func(int) error {
			return r.plain.newest(ctx)
		}},
		{"show", turnsRead, func(i int) error {
			_, err := r.engine.Show(ctx, api.RefRequest{Ref: one[i%len(one)].Ref})
			return err
		}, "SQLite, 1 row", func(i int) error {
			return r.plain.get(ctx, i)
		}},
		{"status", turnsTraced, func(int) error {
			_, err := r.engine.Status(ctx, api.Nothing{})
			return err
		}, "SQLite, count(*)", func(int) error {
			return r.plain.count(ctx)
		}},
	} {
		took, err := timed(m.turns, m.ours, m.other)
		if err != nil {
			return err
		}
		r.add(measure(m.what, took[0], m.over, took[1]))
	}
	return nil
}

// writes measures what is written within one process, and the tree of what was written.
func (r *running) writes(ctx context.Context) error {
	said := newTalker(3)
	f, err := os.Create(filepath.Join(r.Dir, "synced"))
	if err != nil {
		return err
	}
	defer f.Close()
	page := make([]byte, 4096)
	took, err := timed(turnsWritten,
		func(int) error {
			_, err := r.engine.Capture(ctx, api.CaptureRequest{Text: said.say()})
			return err
		},
		func(int) error { return r.plain.insert(ctx, said.say()) },
		func(int) error {
			if _, err := f.Write(page); err != nil {
				return err
			}
			return f.Sync()
		})
	if err != nil {
		return err
	}
	r.add(measure("capture", took[0], "SQLite, insert of 1 row", took[1]))
	r.add(measure("capture", took[0], "4 kB and fsync", took[2]))
	const many = 50
	var episodes []string
	for i := range many {
		raw, err := r.engine.Capture(ctx, api.CaptureRequest{Text: said.say()})
		if err != nil {
			return err
		}
		made := api.PromoteRequest{From: []string{raw.Ref}}
		made.Text = fmt.Sprint("what was said ", i)
		episode, err := r.engine.Promote(ctx, made)
		if err != nil {
			return err
		}
		episodes = append(episodes, episode.Ref)
	}
	drawn := api.ConsolidateRequest{From: episodes}
	drawn.Text = "what all of them say"
	belief, err := r.engine.Consolidate(ctx, drawn)
	if err != nil {
		return err
	}
	ids := make([]int, 2*many)
	for i := range ids {
		ids[i] = i
	}
	took, err = timed(turnsTraced,
		func(int) error {
			_, err := r.engine.Trace(ctx, api.TraceRequest{Ref: belief.Ref})
			return err
		},
		func(int) error { return r.plain.get(ctx, ids...) })
	if err != nil {
		return err
	}
	r.add(measure("trace, 50 episodes, 50 raws", took[0], "SQLite, 100 rows", took[1]))
	return nil
}

// processes measures the program from its start to its end.
func (r *running) processes(ctx context.Context) error {
	said := newTalker(4)
	start := func(int) error { return r.home.run(ctx, "--version") }
	began, against := start, "a process that does nothing"
	if sqlite, err := exec.LookPath("sqlite3"); err == nil {
		against = "sqlite3 FILE 'insert …'"
		bare := filepath.Join(r.Dir, "bare.db")
		insert := func(int) error {
			return exec.CommandContext(ctx, sqlite, bare, insertion(said.say())).Run()
		}
		if err := insert(0); err != nil {
			return fmt.Errorf("bench: sqlite3: %w", err)
		}
		began = insert
	}
	for _, m := range []struct {
		what  string
		ours  act
		over  string
		other act
	}{
		{"raw, a process", func(int) error { return r.home.run(ctx, "raw", said.say()) }, against, began},
		{"search, a process", func(int) error { return r.home.run(ctx, "search", said.some(3, 8)) },
			"a process that does nothing", start},
	} {
		took, err := timed(turnsProcess, m.ours, m.other)
		if err != nil {
			return err
		}
		r.add(measure(m.what, took[0], m.over, took[1]))
	}
	return r.wholes(ctx)
}

// wholes measures what goes through all of the store.
func (r *running) wholes(ctx context.Context) error {
	store, out := r.home.store(), filepath.Join(r.Dir, "out")
	again := func(args ...string) act {
		return func(int) error {
			if err := os.RemoveAll(out); err != nil {
				return err
			}
			return r.home.run(ctx, args...)
		}
	}
	records, megabytes := float64(r.report.Records), float64(size(store))/1e6
	for _, m := range []struct {
		what  string
		ours  act
		over  string
		other act
		much  float64
		unit  string
	}{
		{"audit", again("audit"), "reading the file", func(int) error { return read(store) }, records, "records"},
		{"doctor", again("doctor"), "reading the file", func(int) error { return read(store) }, records, "records"},
		{"export", again("export", "--out", out), "reading the file", func(int) error { return read(store) },
			records, "records"},
		{"backup", again("backup", out), "copying the file", func(int) error { return copied(store, out+".copy") },
			megabytes, "MB"},
	} {
		var ours, other []time.Duration
		took, err := timed(turnsWhole, m.ours, m.other)
		if err != nil {
			return err
		}
		ours, other = took[0], took[1]
		r.add(measure(m.what, ours, m.over, other).rate(m.much, m.unit))
	}
	return nil
}
