package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// onlooker FILE reads a store as another program does: it opens the file, counts, and
// closes it.
func onlooker() {
	db, err := sql.Open("sqlite", "file:"+os.Args[1]+"?_pragma=busy_timeout(10000)")
	var n int
	if err == nil {
		err = errors.Join(db.QueryRow("SELECT count(*) FROM records").Scan(&n), db.Close())
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

// A crowd is everybody who uses one store at once.
type crowd struct {
	*testing.T
	home
	o    *observer
	did  [len(crowdDoes)]atomic.Int64
	work sync.WaitGroup
}

// crowdDoes names what a crowd does, for its report.
var crowdDoes = [...]string{"operations here", "processes", "commands", "outside reads", "backups", "restores"}

const (
	operations = iota
	processes
	commands
	outsideReads
	backups
	restores
)

// forever does something again and again, until the time is over.
func (c *crowd) forever(ctx context.Context, what int, do func(n int) error) {
	c.work.Go(func() {
		for n := 0; ctx.Err() == nil; n++ {
			if err := do(n); err != nil {
				c.Errorf("%s, %d: %v", crowdDoes[what], n, err)
				return
			}
			c.did[what].Add(1)
		}
	})
}

// tooLate is the exit code of a command where another process was faster.
const tooLate = 5

// run is a process that must end well. What it says is noted.
func (c *crowd) run(name string, args ...string) error {
	cmd := c.command(name, args...)
	out, err := cmd.CombinedOutput()
	if name == "stemma" && cmd.ProcessState.ExitCode() == tooLate {
		c.o.mu.Lock()
		c.o.late++
		c.o.mu.Unlock()
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s %q: %w: %s", name, args, err, out)
	}
	c.o.mu.Lock()
	c.o.hold(name, string(out))
	c.o.mu.Unlock()
	return nil
}

// hand is an engine of a person and one of an agent, in this process, that do every
// operation that writes.
func (c *crowd) hand(ctx context.Context, name string, rnd *rand.Rand) {
	h, err := openHand(c.Context(), c.dir, name)
	if err != nil {
		c.Error(err)
		return
	}
	h.said = func(op string, reply []byte) {
		c.o.mu.Lock()
		defer c.o.mu.Unlock()
		c.o.ops[op]++
		c.o.hold(op, string(reply))
	}
	c.forever(ctx, operations, func(n int) error {
		names := writing()
		op := names[rnd.IntN(len(names))]
		err := h.try(op)
		if errors.Is(err, api.ErrConflict) {
			c.o.mu.Lock()
			c.o.late++
			c.o.mu.Unlock()
			return nil
		}
		if n%60 == 59 && err == nil { // it goes away, and comes back
			if err = h.close(); err == nil {
				said, count := h.said, h.n
				if h, err = openHand(c.Context(), c.dir, name); err == nil {
					h.said, h.n = said, count
				}
			}
		}
		return err
	})
}

// backUp makes a backup, looks it over, and makes a store of it elsewhere. In the place
// of the store that all use, none may be put.
func (c *crowd) backUp(ctx context.Context) {
	dir := c.TempDir()
	c.forever(ctx, backups, func(n int) error {
		e, err := engine.Open(c.Context(), c.store(), handConfig(c.dir, memory.OriginOwner))
		if err != nil {
			return err
		}
		file := filepath.Join(dir, fmt.Sprintf("%d.db", n%3))
		_, err = e.Backup(c.Context(), file)
		if err = errors.Join(err, e.Close()); err != nil {
			return err
		}
		copied := home{dir: filepath.Join(dir, "home")}
		config := handConfig(copied.dir, memory.OriginOwner)
		config.KeyDir = filepath.Join(c.dir, "stemma", "keys")
		if _, err := engine.Restore(
			c.Context(), copied.store(), config, api.RestoreRequest{From: file, Force: true},
		); err != nil {
			return fmt.Errorf("restore: %w", err)
		}
		c.did[restores].Add(1)
		e, err = engine.Open(c.Context(), copied.store(), config)
		if err != nil {
			return err
		}
		d, err := e.Doctor(c.Context(), api.DoctorRequest{})
		if err = errors.Join(err, e.Close()); err != nil || len(d.Problems) > 0 {
			return fmt.Errorf("what was restored: %w %+v", err, d.Problems)
		}
		config = handConfig(c.dir, memory.OriginOwner)
		if _, err := engine.Restore(
			c.Context(), c.store(), config, api.RestoreRequest{From: file, Force: true},
		); !errors.Is(err, api.ErrUnavailable) {
			return fmt.Errorf("restore in the place of a store that is in use: %w, want it refused", err)
		}
		old, err := filepath.Glob(filepath.Join(copied.dir, "*.db*"))
		for _, name := range old { // those moved aside
			if err == nil && filepath.Base(name) != "memory.db" {
				err = os.Remove(name)
			}
		}
		return err
	})
}

// Many use one store at once: several engines in this process, processes, commands and
// other programs with an SQLite of their own. Nothing is lost, and no one fails.
func TestACrowd(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes its time")
	}
	lasts := time.Duration(long("STEMMA_CROWD_SECONDS", 3, 20*60)) * time.Second
	const most = time.Minute // at one store
	others := [][]string{{"onlooker"}}
	if _, err := exec.LookPath("sqlite3"); err == nil {
		others = append(others, []string{"sqlite3", "-cmd", ".timeout 10000"})
	} else {
		t.Log("there is no sqlite3: its library was NOT among those that read")
	}
	if exec.Command("python3", "-c", "import sqlite3").Run() == nil {
		others = append(
			others,
			[]string{
				"python3", "-c",
				"import sqlite3,sys; c=sqlite3.connect(sys.argv[1],timeout=10); c.execute(sys.argv[2] if len(sys.argv)>2 " +
					"else 'SELECT count(*) FROM records').fetchall(); c.close()",
			},
		)
	} else {
		t.Log("there is no python3 with SQLite: its library was NOT among those that read")
	}
	var total [len(crowdDoes)]int64
	acks, late, stores := 0, 0, 0
	for until := time.Now().Add(lasts); time.Now().Before(until) && !t.Failed(); stores++ {
		c := &crowd{T: t, home: newHome(t), o: newObserver()}
		ctx, end := context.WithTimeout(t.Context(), min(most, time.Until(until)))
		for n := range 3 {
			c.hand(ctx, fmt.Sprintf("h%d", n), rand.New(rand.NewPCG(uint64(stores), uint64(n))))
		}
		c.forever(ctx, processes, func(n int) error {
			p := c.command("operate", c.dir, fmt.Sprintf("p%d", n), fmt.Sprint(n), "1")
			return c.o.begin(t, p, func() {})()
		})
		c.forever(ctx, commands, func(n int) error {
			for _, args := range [][]string{
				{"raw", fmt.Sprintf("a command said, %d", n)}, {"note", "add", fmt.Sprintf("a command noted, %d", n), "--json"},
				{
					"remember", fmt.Sprintf("C%d works at Acme", n), "--wait", "--json",
				}, {"search", "command"}, {"load"}, {"backup", filepath.Join(c.dir, "backup.db")},
				{"export", filepath.Join(c.dir, "all.jsonl"), "--force"}, {"config", "set", "pack.budget", fmt.Sprint(500 + n)},
			} {
				if err := c.run("stemma", args...); err != nil {
					return err
				}
			}
			return nil
		})
		c.forever(ctx, outsideReads, func(n int) error {
			who := others[n%len(others)]
			args := append(who[1:len(who):len(who)], c.store())
			if who[0] == "sqlite3" {
				args = append(args, "SELECT count(*) FROM records")
			}
			<-time.After(5 * time.Millisecond) // the others are to have their turn
			return c.run(who[0], args...)
		})
		c.backUp(ctx)
		c.work.Wait()
		end()
		for i := range total {
			total[i] += c.did[i].Load()
		}
		for _, f := range c.o.failed {
			t.Errorf("an operation of a process failed: %s", f)
		}
		l, err := c.look(t.Context(), c.o.refs)
		if err != nil || len(l.lost) > 0 || len(l.problems) > 0 {
			t.Errorf("store %d: %v\nlost: %s\nproblems: %s", stores, err, clip(l.lost), clip(l.problems))
		}
		if err := c.works(t.Context()); err != nil {
			t.Error(err)
		}
		acks, late = acks+len(c.o.refs), late+c.o.late
		if t.Failed() {
			t.Logf("the store is kept at %s", keep(t, c.dir))
		}
	}
	t.Logf("%d stores, %d acknowledged, in %d operations another was faster", stores, acks, late)
	for i, what := range crowdDoes {
		t.Logf("%s: %d", what, total[i])
		if total[i] == 0 && !t.Failed() {
			t.Errorf("no %s", what)
		}
	}
}
