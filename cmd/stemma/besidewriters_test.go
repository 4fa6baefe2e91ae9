package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// numbered is a word for each number, so that no two sentences differ by a number alone.
func numbered(n int) string {
	word := ""
	for _, digit := range fmt.Sprint(n) {
		word += []string{"ka", "lo", "mi", "nu", "pe", "ra", "si", "to", "vu", "ze"}[digit-'0']
	}
	return word
}

// scribble DIR NAME writes into the store of a person's directory until its input ends: it captures,
// remembers, approves, takes approvals back and disputes, as a person and as an agent by turns.
func scribble() {
	h, err := openHand(context.Background(), os.Args[1], os.Args[2])
	if err == nil {
		over := make(chan struct{})
		go func() {
			_, _ = io.Copy(io.Discard, os.Stdin) // its end is all that is awaited
			close(over)
		}()
		err = scribbled(os.Args[1], h, os.Args[2], over)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "scribble:", err)
		os.Exit(1)
	}
}

// scribbled writes until over, and closes its engines now and then as a program does that ends.
func scribbled(dir string, h *hand, name string, over <-chan struct{}) error {
	ctx := context.Background()
	for n := 0; ; n++ {
		select {
		case <-over:
			return h.close()
		case <-time.After(pause):
		}
		text := fmt.Sprintf("%s saw the ferry %s", name, numbered(n))
		if _, err := h.agent.Capture(ctx, api.CaptureRequest{Text: text}); err != nil {
			return err
		}
		if n%15 != 0 { // a store that grows too fast is read too slowly
			continue
		}
		w, err := h.agent.Add(ctx, api.AddRequest{Draft: api.Draft{Kind: "note", Type: "decision", Text: text + ", decided"}})
		if err != nil {
			return err
		}
		switch {
		case n%45 == 0:
			_, err = h.owner.Approve(ctx, api.DecideRequest{Refs: []string{w.Ref}})
		case n%45 == 15:
			_, err = h.agent.Witness(ctx, api.WitnessRequest{Ref: w.Ref, Attestation: "dispute"})
		default:
			_, err = h.owner.Reject(ctx, api.DecideRequest{Refs: []string{w.Ref}, Reason: "no"})
		}
		if err != nil {
			return err
		}
		if n%21 != 0 {
			continue
		}
		if err := h.close(); err != nil {
			return err
		}
		if h, err = openHand(ctx, dir, name); err != nil {
			return err
		}
	}
}

// besides is a store with constraints that hold, beside whose readers others write.
type besides struct {
	*testing.T
	home
	constraints []string
	work        sync.WaitGroup

	loads, alarms, without, writes atomic.Int64
}

const bindingConstraints = 3

// pause is what a writer waits for between two writes: the readers are what is looked at.
const pause = 20 * time.Millisecond

func newBesides(t *testing.T) *besides {
	t.Helper()
	b := &besides{T: t, home: newHome(t)}
	h, err := openHand(t.Context(), b.dir, "first")
	if err != nil {
		t.Fatal(err)
	}
	for n := range bindingConstraints {
		text := fmt.Sprintf("Never moor at pier %d", n)
		w, err := h.agent.Add(t.Context(), api.AddRequest{Draft: api.Draft{Kind: "note", Type: "constraint", Text: text}})
		if err == nil {
			_, err = h.owner.Approve(t.Context(), api.DecideRequest{Refs: []string{w.Ref}})
		}
		if err != nil {
			t.Fatal(err)
		}
		b.constraints = append(b.constraints, text)
	}
	if err := h.close(); err != nil {
		t.Fatal(err)
	}
	return b
}

// scribbler starts a process that writes, and gives what ends it.
func (b *besides) scribbler(name string) (end func()) {
	b.Helper()
	c := b.command("scribble", b.dir, name)
	in, err := c.StdinPipe()
	if err == nil {
		c.Stderr = os.Stderr
		err = c.Start()
	}
	if err != nil {
		b.Fatal(err)
	}
	return func() {
		_ = in.Close() // its process ends by that
		if err := c.Wait(); err != nil {
			b.Errorf("%s: %v", name, err)
		}
	}
}

// forever runs a command of the program again and again, until the context ends.
func (b *besides) forever(ctx context.Context, run func(n int) *exec.Cmd) {
	b.work.Go(func() {
		for n := 0; ctx.Err() == nil; n++ {
			c := run(n)
			if out, err := c.CombinedOutput(); err != nil {
				b.Errorf("%q: %v: %s", c.Args, err, out)
				return
			}
			b.writes.Add(1)
			<-time.After(5 * pause)
		}
	})
}

// hooks captures prompts as a host's hook does, and lets another command remember.
func (b *besides) hooks(ctx context.Context) {
	b.forever(ctx, func(n int) *exec.Cmd {
		if n%2 == 1 {
			return b.command("stemma", "remember", fmt.Sprintf("Captain %s sails for Acme", numbered(n)))
		}
		c := b.command("stemma", "hook", "run", "claude-code", "UserPromptSubmit")
		c.Stdin = strings.NewReader(fmt.Sprintf(
			`{"session_id":"s1","hook_event_name":"UserPromptSubmit","prompt":"typed beside a reader, %d"}`, n))
		return c
	})
}

// aNotice is a line of a pack that warns of the whole of it.
var aNotice = regexp.MustCompile(`(?m)^! .*$`)

// see looks at what a load gave.
func (b *besides) see(who, text string) {
	b.loads.Add(1)
	if notice := aNotice.FindString(text); notice != "" {
		if b.alarms.Add(1) < 5 {
			b.Errorf("%s: an alarm without a cause: %s", who, notice)
		}
	}
	at := strings.Index(text, "Constraints")
	for _, c := range b.constraints {
		if at < 0 || !strings.Contains(text[at:], c) {
			if b.without.Add(1) < 5 {
				b.Errorf("%s: %q is missing of\n%.600s", who, c, text)
			}
			return
		}
	}
}

// reader loads in this process, and opens the store again every now and then.
func (b *besides) reader(who string, loads, life int) {
	var e *engine.Engine
	var err error
	for n := range loads {
		if n%life == 0 {
			if e != nil {
				err = e.Close()
			}
			if err == nil {
				e, err = engine.Open(b.Context(), b.store(), handConfig(b.dir, memory.OriginAgent))
			}
		}
		var pack api.ContextReply
		if err == nil {
			pack, err = e.Load(b.Context(), api.LoadRequest{Budget: 2000})
		}
		var text []byte
		if err == nil {
			text, err = pack.Render("text", false)
		}
		if err != nil {
			b.Errorf("%s, load %d: %v", who, n, err)
			return
		}
		b.see(who, string(text))
	}
	if e != nil && e.Close() != nil {
		b.Errorf("%s cannot close", who)
	}
}

// report says what was seen.
func (b *besides) report(what string) {
	b.Logf("%s: %d loads, %d alarms, %d without the constraints, beside %d commands that write",
		what, b.loads.Load(), b.alarms.Load(), b.without.Load(), b.writes.Load())
}

// loadsOfAStore is how many times one store is loaded beside writers: it grows all the while, and a load with it.
const loadsOfAStore = 1000

// A reader beside programs that write never says that the log is another, and never lacks a constraint. With
// STEMMA_LONG for 20,000 loads, and 500 by the command, of a new store after each thousand.
func TestAWriterBesideAReaderRaisesNoAlarm(t *testing.T) {
	loads, byCommand := long("STEMMA_LOADS", 120, 20_000), long("STEMMA_LOAD_COMMANDS", 10, 500)
	stores := (loads + loadsOfAStore - 1) / loadsOfAStore
	for n := range stores {
		t.Run(fmt.Sprint(n), func(t *testing.T) { besideWriters(t, loads/stores, byCommand/stores) })
	}
}

// besideWriters loads a store so many times while four programs write into it.
func besideWriters(t *testing.T, loads, byCommand int) {
	b := newBesides(t)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ends := []func(){b.scribbler("one"), b.scribbler("two")}
	b.hooks(ctx)
	var readers sync.WaitGroup
	readers.Go(func() { b.reader("a reader that stays", loads/2, loads) })
	readers.Go(func() { b.reader("a reader that comes and goes", loads/2, 10) })
	readers.Go(func() {
		for range byCommand {
			out, err := b.command("stemma", "load").CombinedOutput()
			if err != nil {
				b.Errorf("load: %v: %s", err, out)
				return
			}
			b.see("a command", string(out))
		}
	})
	readers.Wait()
	stop()
	b.work.Wait()
	for _, end := range ends {
		end()
	}
	b.report("beside writers")
}

// Nor does one of two voices in one process that read and write at once, as those of a server do.
func TestAWriterInTheSameProcessRaisesNoAlarm(t *testing.T) {
	b := newBesides(t)
	e, err := engine.Open(t.Context(), b.store(), handConfig(b.dir, memory.OriginAgent))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	h, err := openHand(t.Context(), b.dir, "inside")
	if err != nil {
		t.Fatal(err)
	}
	h.agent = e
	over := make(chan struct{})
	end := b.scribbler("outside")
	b.work.Go(func() {
		for n := 0; ; n++ {
			select {
			case <-over:
				return
			case <-time.After(pause):
			}
			text := fmt.Sprintf("the tide of day %d", n)
			w, err := e.Add(t.Context(), api.AddRequest{Draft: api.Draft{Kind: "note", Type: "decision", Text: text}})
			if err == nil {
				_, err = h.owner.Approve(t.Context(), api.DecideRequest{Refs: []string{w.Ref}})
			}
			if err != nil {
				t.Errorf("write %d: %v", n, err)
				return
			}
			b.writes.Add(1)
		}
	})
	loads := long("STEMMA_LOADS", 150, 10_000)
	var readers sync.WaitGroup
	for range 3 {
		readers.Go(func() {
			for n := range loads / 3 {
				pack, err := e.Load(t.Context(), api.LoadRequest{Budget: 2000})
				var text []byte
				if err == nil {
					text, err = pack.Render("text", false)
				}
				if err != nil {
					t.Errorf("load %d: %v", n, err)
					return
				}
				b.see("one of three", string(text))
			}
		})
	}
	readers.Wait()
	close(over)
	b.work.Wait()
	end()
	b.report("in one process")
}

// A repair beside a writer raises nothing either, in a reader or in the repair.
func TestARepairBesideAWriterRaisesNoAlarm(t *testing.T) {
	b := newBesides(t)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	end := b.scribbler("one")
	repairs := long("STEMMA_REPAIRS", 6, 100)
	b.work.Go(func() {
		defer stop()
		for n := range repairs {
			out, err := b.command("stemma", "doctor", "--repair").CombinedOutput()
			if err != nil || strings.Contains(string(out), "can be verified") {
				t.Errorf("repair %d: %v: %s", n, err, out)
				return
			}
			if out, err = b.command("stemma", "doctor").CombinedOutput(); err != nil {
				t.Errorf("doctor %d: %v: %s", n, err, out)
			}
		}
	})
	for n := 0; ctx.Err() == nil; n++ {
		b.reader("a reader beside a repair", 20, 10)
	}
	b.work.Wait()
	end()
	b.report(fmt.Sprintf("beside %d repairs", repairs))
}

// A store that is put back to what it was while others read and write beside it still is reported, in every reading
// from then on.
func TestARollBackBesideAReaderIsReported(t *testing.T) {
	b := newBesides(t)
	h, err := openHand(t.Context(), b.dir, "reader")
	if err != nil {
		t.Fatal(err)
	}
	load := func(e *engine.Engine) string {
		t.Helper()
		pack, err := e.Load(t.Context(), api.LoadRequest{Budget: 2000})
		if err != nil {
			t.Fatal(err)
		}
		text, err := pack.Render("text", false)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	if aNotice.MatchString(load(h.agent)) {
		t.Fatal("there is an alarm before anything happened")
	}
	before := filepath.Join(t.TempDir(), "before.db")
	if out, err := b.command("stemma", "backup", before).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if err := h.close(); err != nil {
		t.Fatal(err)
	}
	for n := range 5 {
		if out, err := b.command("stemma", "raw", fmt.Sprintf("said later, %d", n)).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	if out, err := b.command("stemma", "load").CombinedOutput(); err != nil || aNotice.Match(out) {
		t.Fatalf("%v: %s", err, out)
	}
	old, err := os.ReadFile(before)
	if err == nil {
		err = os.WriteFile(b.store(), old, 0o600)
	}
	for _, end := range []string{"-wal", "-shm"} {
		err = errors.Join(err, os.RemoveAll(b.store()+end))
	}
	if err != nil {
		t.Fatal(err)
	}
	// who writes now makes the log as long as it was, but of other records
	over := make(chan struct{})
	w, err := openHand(t.Context(), b.dir, "later")
	if err != nil {
		t.Fatal(err)
	}
	b.work.Go(func() {
		if err := scribbled(b.dir, w, "later", over); err != nil {
			t.Error(err)
		}
	})
	var missed []string
	r, err := engine.Open(t.Context(), b.store(), handConfig(b.dir, memory.OriginAgent))
	if err != nil {
		t.Fatal(err)
	}
	for range 200 {
		if text := load(r); !strings.Contains(text, "! nothing could be verified") {
			missed = append(missed, text)
		}
	}
	close(over)
	b.work.Wait()
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if len(missed) > 0 {
		t.Errorf("%d of 200 readings of a store that was put back do not say so; the first:\n%.600s", len(missed), missed[0])
	}
}
