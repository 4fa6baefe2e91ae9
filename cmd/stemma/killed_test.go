package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// operate DIR NAME SEED ROUNDS is a process that does every operation that writes, in
// an order that follows from SEED, and says each thing that was acknowledged. It goes on
// for ROUNDS, 0 for ever; first-N is the first N operations.
func operate() {
	err := func() error {
		seed, err := strconv.ParseUint(os.Args[3], 10, 64)
		if err != nil {
			return err
		}
		some, only := strings.CutPrefix(os.Args[4], "first-")
		rounds, err := strconv.Atoi(some)
		if err != nil {
			return err
		}
		few := len(samples)
		if only {
			few, rounds = rounds, 1
		}
		h, err := openHand(context.Background(), os.Args[1], os.Args[2])
		if err != nil {
			return err
		}
		h.said = func(op string, reply []byte) { fmt.Printf("ack %s %s\n", op, reply) }
		rnd := rand.New(rand.NewPCG(seed, 0))
		for round := 0; round < rounds || rounds == 0; round++ {
			names := writing()
			rnd.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
			for _, name := range names[:min(few, len(names))] {
				fmt.Println("try", name)
				switch err := h.try(name); {
				case errors.Is(err, api.ErrConflict): // another process was faster
					fmt.Printf("late %s: %v\n", name, err)
				case err != nil:
					fmt.Printf("fail %s: %v\n", name, err)
				}
			}
		}
		return h.close()
	}()
	if err != nil {
		fmt.Println("fail", err)
		os.Exit(1)
	}
}

// An observer keeps what processes said that was acknowledged.
type observer struct {
	mu     sync.Mutex
	refs   map[string]string // of the operation that said so
	ops    map[string]int    // acknowledged
	last   map[string]int    // during which a process was killed
	failed []string
	late   int // operations in which another process was faster
}

func newObserver() *observer {
	return &observer{refs: make(map[string]string), ops: make(map[string]int), last: make(map[string]int)}
}

// aFullRef is one of any kind.
var aFullRef = regexp.MustCompile(`\b[a-z]+:[0-9a-f]{64}\b`)

// listen reads what a process says to its end; began is told of the first line.
func (o *observer) listen(r io.Reader, began func()) {
	last := ""
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadString('\n')
		if err != nil { // a line without its end was not acknowledged
			break
		}
		what, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		o.mu.Lock()
		switch what {
		case "try":
			if last == "" {
				began()
			}
			last = rest
		case "ack":
			name, reply, _ := strings.Cut(rest, " ")
			o.ops[name]++
			if strings.HasPrefix(reply, "{") {
				o.hold(name, reply)
			}
		case "late":
			o.late++
		case "fail":
			o.failed = append(o.failed, rest)
		}
		o.mu.Unlock()
	}
	o.mu.Lock()
	o.last[last]++
	o.mu.Unlock()
}

// hold keeps the refs of a reply. A record of a stranger is no record here.
func (o *observer) hold(name, reply string) {
	for _, ref := range aFullRef.FindAllString(reply, -1) {
		if _, known := o.refs[ref]; !known {
			o.refs[ref] = name
		}
	}
}

// begin starts a process whose words are listened to. The end says when all were heard.
func (o *observer) begin(t *testing.T, c *exec.Cmd, began func()) (end func() error) {
	t.Helper()
	out, err := c.StdoutPipe()
	if err == nil {
		c.Stderr = os.Stderr
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	heard := make(chan struct{})
	go func() { defer close(heard); o.listen(out, began) }()
	return func() error { <-heard; return c.Wait() }
}

// A home is a person's directory, in which all is.
type home struct {
	dir string
	env []string
}

// newHome makes a person's directory and the store in it, as the command line does.
func newHome(t *testing.T) home {
	t.Helper()
	h := homeAt(t.TempDir())
	if out, err := h.command("stemma", "raw", "the first words").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return h
}

// homeAt is a person's directory that is there.
func homeAt(dir string) home {
	return home{dir, append(os.Environ(), "HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_CONFIG_HOME="+dir,
		"XDG_CACHE_HOME="+filepath.Join(dir, "cache"),
		"STEMMA_STORE="+filepath.Join(dir, "memory.db"), "GORACE=atexit_sleep_ms=0")}
}

func (h home) command(name string, args ...string) *exec.Cmd {
	c := exec.Command(name, args...)
	c.Dir, c.Env = h.dir, h.env
	return c
}

func (h home) store() string { return filepath.Join(h.dir, "memory.db") }

// looked is what is lost of the refs of a store that something happened to,
// and what a doctor finds.
type looked struct {
	lost     []string
	problems []string
	repaired bool // there were some, and a repair took them away
}

// look opens the store, asks for each ref, and looks for damage. What is damaged is
// repaired.
func (h home) look(ctx context.Context, refs map[string]string) (l looked, err error) {
	e, err := engine.Open(ctx, h.store(), handConfig(h.dir, memory.OriginOwner))
	if err != nil {
		return l, fmt.Errorf("open: %w", err)
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	for ref, op := range refs {
		if _, err := e.Show(ctx, api.RefRequest{Ref: ref}); err != nil {
			l.lost = append(l.lost, fmt.Sprintf("%s of %s: %v", ref, op, err))
		}
	}
	slices.Sort(l.lost)
	for _, in := range []api.DoctorRequest{{}, {Repair: true}} {
		d, err := e.Doctor(ctx, in)
		if err != nil {
			return l, fmt.Errorf("doctor: %w", err)
		}
		for _, n := range d.Notes { // that is no damage, but nobody here takes a key back in anger
			if strings.Contains(n, "has no effect") {
				l.problems = append(l.problems, n)
				return l, nil
			}
		}
		if len(d.Problems) == 0 {
			l.repaired = in.Repair
			return l, nil
		}
		for _, p := range d.Problems {
			l.problems = append(l.problems, fmt.Sprintf("%s %s (repair %t)", p.What, p.Ref, in.Repair))
		}
	}
	return l, nil
}

// works asks that the person and the agent can go on: their keys are whole, and what
// they write stands.
func (h home) works(ctx context.Context) error {
	hand, err := openHand(ctx, h.dir, "after")
	if err != nil {
		return err
	}
	for _, op := range []string{"approve", "promote"} {
		if err := hand.try(op); err != nil {
			return errors.Join(err, hand.close())
		}
	}
	return hand.close()
}

// long returns the first number in a normal run, and the second in a long one. The
// variable goes before both.
func long(variable string, usual, long int) int {
	if n, err := strconv.Atoi(os.Getenv(variable)); err == nil {
		return n
	}
	if os.Getenv("STEMMA_LONG") != "" {
		return long
	}
	return usual
}

// killed is what became of the processes of TestKilledAnywhere.
type killed struct {
	Kills, Acks, Late, Lost, Repaired, NotBack, Stores int
	During                                             map[string]int
}

// Processes that write are killed at any moment, in every operation that writes: what
// was acknowledged is there, and doctor finds nothing, or mends it.
func TestKilledAnywhere(t *testing.T) {
	kills := long("STEMMA_KILLS", 8, 2000)
	const each = 20 // of one store
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 0))
	sum := killed{During: make(map[string]int)}
	var last home
	for sum.Kills < kills && !t.Failed() {
		sum.Stores++
		h, o := newHome(t), newObserver()
		last = h
		for n := 0; n < each && sum.Kills < kills; {
			before := len(o.refs)
			victims := 1 + rnd.IntN(2)
			var ends []func() error
			for v := range victims {
				c := h.command(
					"operate", h.dir, fmt.Sprintf("v%dx%dx%d", sum.Stores, n, v),
					strconv.FormatUint(rnd.Uint64(), 10), "0",
				)
				kill := func(after time.Duration) {
					time.AfterFunc(after, func() { _ = c.Process.Kill() })
				}
				wait, early := time.Duration(rnd.Int64N(int64(600*time.Millisecond))), rnd.IntN(5) == 0
				ends = append(ends, o.begin(t, c, func() { kill(wait) }))
				if early { // while it begins
					kill(wait / 3)
				}
			}
			for _, end := range ends {
				if err := end(); err == nil {
					t.Errorf("a process that goes on for ever ended by itself")
				}
				sum.Kills++
				n++
			}
			l, err := h.look(t.Context(), o.refs)
			if err != nil {
				t.Errorf("kill %d, during %v: %v", sum.Kills, o.last, err)
				sum.NotBack++
				break
			}
			if len(l.lost) > 0 {
				sum.Lost += len(l.lost)
				t.Errorf("kill %d: %d of %d are lost: %s", sum.Kills, len(l.lost), len(o.refs), clip(l.lost))
			}
			if l.repaired {
				sum.Repaired++
				t.Logf("kill %d: repaired: %s", sum.Kills, clip(l.problems))
			} else if len(l.problems) > 0 {
				sum.NotBack++
				t.Errorf("kill %d: not brought back: %s", sum.Kills, clip(l.problems))
			}
			if err := h.works(t.Context()); err != nil {
				t.Errorf("kill %d: what comes after it fails: %v", sum.Kills, err)
			}
			sum.Acks += len(o.refs) - before
			if t.Failed() {
				break
			}
		}
		for _, f := range o.failed {
			t.Errorf("an operation failed beside the killed: %s", f)
		}
		sum.Late += o.late
		for op, n := range o.last {
			sum.During[op] += n
		}
		if t.Failed() {
			t.Logf("the store is kept at %s", keep(t, h.dir))
		}
	}
	text, _ := json.Marshal(sum)
	t.Logf("%s", text)
	if os.Getenv("STEMMA_LONG") != "" && !t.Failed() {
		asBefore(t, last)
	}
	if sum.Acks == 0 {
		t.Error("no process lived long enough to write")
	}
}

// asBefore compares how long each operation takes at a store whose writers were killed,
// after a repair, with how long it takes at one where no one was.
func asBefore(t *testing.T, h home) {
	t.Helper()
	if out, err := h.command("stemma", "doctor", "--repair").CombinedOutput(); err != nil {
		t.Errorf("doctor --repair: %v: %s", err, out)
	}
	peaceful := newHome(t)
	if out, err := peaceful.command("operate", peaceful.dir, "peace", "1", "2").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	before, after := times(t, peaceful), times(t, h)
	all, allAfter := time.Duration(0), time.Duration(0)
	for op, took := range before {
		all, allAfter = all+took, allAfter+after[op]
		const noise = 250 * time.Millisecond
		if after[op] > 3*took+noise {
			t.Errorf("%s takes %v where writers were killed, and %v where none were", op, after[op], took)
		}
	}
	t.Logf("all operations take %v where writers were killed, and %v where none were", allAfter, all)
}

// times is how long each operation takes, the shortest of three.
func times(t *testing.T, h home) map[string]time.Duration {
	t.Helper()
	hand, err := openHand(t.Context(), h.dir, "timed")
	if err != nil {
		t.Fatal(err)
	}
	all := make(map[string]time.Duration)
	for range 3 {
		for _, op := range writing() {
			began := time.Now()
			if err := hand.try(op); err != nil {
				t.Errorf("%s: %v", op, err)
			}
			if took := time.Since(began); all[op] == 0 || took < all[op] {
				all[op] = took
			}
		}
	}
	if err := hand.close(); err != nil {
		t.Error(err)
	}
	return all
}

// clip returns the first of many.
func clip(all []string) string {
	if len(all) > 6 {
		return strings.Join(all[:6], "\n\t") + fmt.Sprintf("\n\tand %d more", len(all)-6)
	}
	return strings.Join(all, "\n\t")
}

// keep moves a directory where it outlives the test, when that is wanted.
func keep(t *testing.T, dir string) string {
	to := os.Getenv("STEMMA_KEEP")
	if to == "" {
		return "no place: STEMMA_KEEP names none"
	}
	at := filepath.Join(to, fmt.Sprintf("%s-%d", t.Name(), time.Now().UnixNano()))
	if err := os.CopyFS(at, os.DirFS(dir)); err != nil {
		return err.Error()
	}
	return at
}
