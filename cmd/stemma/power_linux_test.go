package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// A call is one that a process made of the system and that went well.
type call struct {
	name string
	args string
	got  int
}

var (
	aCall    = regexp.MustCompile(`^(\w+)\((.*)\)\s+= (-?\d+)`)
	resumed  = regexp.MustCompile(`^<\.\.\. \w+ resumed>`)
	aPlace   = regexp.MustCompile(`(?:AT_FDCWD|\d+)<((?:\\x[0-9a-f]{2})*)>`)
	aString  = regexp.MustCompile(`"((?:\\x[0-9a-f]{2})*)"`)
	lastDigs = regexp.MustCompile(`, (\d+)$`)
)

func unhex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(s, `\x`, ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// calls reads what strace wrote down.
func calls(t *testing.T, trace string, each func(call)) {
	t.Helper()
	f, err := os.Open(trace)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	begun := make(map[string]string) // by process: what was not finished
	lines := bufio.NewReaderSize(f, 1<<20)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return
		}
		pid, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		rest = strings.TrimLeft(rest, " ")
		if before, is := strings.CutSuffix(rest, " <unfinished ...>"); is {
			begun[pid] = before
			continue
		}
		if at := resumed.FindStringIndex(rest); at != nil {
			rest = begun[pid] + rest[at[1]:]
		}
		if m := aCall.FindStringSubmatch(rest); m != nil {
			if got, err := strconv.Atoi(m[3]); err == nil && got >= 0 {
				each(call{m[1], m[2], got})
			}
		}
	}
}

// paths returns the names of a call: each string, in the directory that stands before it.
func (c call) paths(t *testing.T) (all []string) {
	for _, at := range aString.FindAllStringSubmatchIndex(c.args, -1) {
		path := string(unhex(t, c.args[at[2]:at[3]]))
		if !filepath.IsAbs(path) {
			if dirs := aPlace.FindAllStringSubmatch(c.args[:at[0]], -1); len(dirs) > 0 {
				path = filepath.Join(string(unhex(t, dirs[len(dirs)-1][1])), path)
			}
		}
		all = append(all, filepath.Clean(path))
	}
	return all
}

// A player does the calls of a trace to a disk.
type player struct {
	*testing.T
	*disk
	at map[string]int // where the next write of an open file goes; by its name
}

// play does a call. Said is what it wrote to the standard output.
func (p *player) play(c call) (said string) {
	place := ""
	if m := aPlace.FindStringSubmatchIndex(c.args); m != nil && m[0] == 0 {
		place = string(unhex(p.T, c.args[m[2]:m[3]]))
	}
	switch c.name {
	case "open", "openat", "creat":
		path := c.paths(p.T)[0]
		if p.ours(path) && (strings.Contains(c.args, "O_CREAT") || strings.Contains(c.args, "O_TRUNC")) {
			p.create(path, strings.Contains(c.args, "O_TRUNC"))
		}
		if p.at[path] = 0; strings.Contains(c.args, "O_APPEND") {
			p.at[path] = -1
		}
	case "write", "pwrite64":
		text := aString.FindStringSubmatch(c.args)
		if text == nil {
			p.Fatalf("a write that was not written down whole: %.200s", c.args)
		}
		b := unhex(p.T, text[1])[:c.got]
		if strings.HasPrefix(c.args, "1<") {
			return string(b)
		}
		f := p.now[place]
		if f == nil {
			return "" // no file of ours, or one whose name is gone
		}
		at := p.at[place]
		switch {
		case c.name == "pwrite64":
			at, _ = strconv.Atoi(lastDigs.FindStringSubmatch(c.args)[1])
		case at < 0:
			at = f.length()
		default:
			p.at[place] += len(b)
		}
		f.waiting = append(f.waiting, piece{at, b})
	case "ftruncate":
		if f := p.now[place]; f != nil {
			n, _ := strconv.Atoi(lastDigs.FindStringSubmatch(c.args)[1])
			f.waiting = append(f.waiting, piece{n, nil})
		}
	case "fsync", "fdatasync":
		p.sync(place)
	case "rename", "renameat", "renameat2":
		paths := c.paths(p.T)
		if len(paths) == 2 && p.ours(paths[1]) {
			p.move(paths[0], paths[1])
		}
	case "link", "linkat":
		if paths := c.paths(p.T); len(paths) == 2 && p.ours(paths[1]) && p.now[paths[0]] != nil {
			p.rename(change{to: paths[1], file: p.now[paths[0]]})
		}
	case "unlink", "unlinkat":
		if path := c.paths(p.T)[0]; p.now[path] != nil {
			p.rename(change{from: path})
		}
	}
	return ""
}

// length is how long a file is now.
func (f *content) length() int {
	n := len(f.sure)
	for _, p := range f.waiting {
		if p.bytes == nil {
			n = p.at
		}
		n = max(n, p.at+len(p.bytes))
	}
	return n
}

// move renames a file, or all that is in a directory.
func (p *player) move(from, to string) {
	if f := p.now[from]; f != nil {
		p.rename(change{from: from, to: to, file: f})
		p.at[to] = p.at[from]
		return
	}
	for name, f := range p.now {
		if rest, in := strings.CutPrefix(name, from+"/"); in {
			p.rename(
				change{from: name, to: filepath.Join(to, rest), file: f, in: []string{filepath.Dir(from), filepath.Dir(to)}},
			)
		}
	}
}

// canTrace says why no process can be traced here.
func canTrace() error {
	if _, err := exec.LookPath("strace"); err != nil {
		return errors.New("there is no strace; 'scripts/install.sh strace' installs it")
	}
	if out, err := exec.Command("strace", "-f", "-o", os.DevNull, "true").CombinedOutput(); err != nil {
		return fmt.Errorf("no process can be traced: %w: %s", err, out)
	}
	return nil
}

// traced are the calls by which a file, or a name of one, changes.
const traced = "open,openat,creat,write,pwrite64,ftruncate,fsync,fdatasync,rename,renameat,renameat2,link,linkat," +
	"unlink,unlinkat,writev,pwritev,copy_file_range,fallocate,truncate,sendfile"

// record runs a script in a new home under a tracer, and gives the home and the trace.
func record(t *testing.T, script string) (home, string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	h := homeAt(filepath.Join(dir, "home"))
	if err := os.Mkdir(h.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	trace := filepath.Join(dir, "trace")
	c := h.command(
		"strace", "-f", "-y", "-xx", "-s", "16000000", "-e", "signal=none", "-e", "trace="+traced,
		"--seccomp-bpf", "-o", trace, "sh", "-ec", script,
	)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	} else if at := bytes.Index(out, []byte("fail ")); at >= 0 {
		t.Fatalf("%.500s", out[at:])
	}
	return h, trace
}

// everything does every operation that writes, or some of them, in an order that follows
// from a seed, and what writes beside the table.
const everything = `
stemma raw 'the first words' >/dev/null
operate . once %d %s
stemma config set pack.budget 901 >/dev/null
echo 'ack config-901 {}'
stemma backup backup.db >/dev/null
echo 'ack backup {}'
stemma export all.jsonl >/dev/null
echo 'ack export {}'
stemma config set pack.budget 902 >/dev/null
echo 'ack config-902 {}'
stemma export all.jsonl --force >/dev/null
stemma backup backup.db >/dev/null
echo 'ack again {}'
`

// cuts is what became of the disks of TestPowerCuts.
type cuts struct{ Cuts, Acks, Lost, NotOpened, Repaired, NotBack int }

// replay cuts the power at many moments of a trace, and looks at what is left.
func (s *cuts) replay(
	t *testing.T, h home, trace, deaf string, most int, chance *rand.Rand, tell func(format string, args ...any),
) {
	t.Helper()
	total, acks := 0, 0
	reading := &player{T: t, disk: newDisk(h.dir), at: make(map[string]int)}
	calls(t, trace, func(c call) {
		total++
		if strings.Contains(reading.play(c), "ack ") {
			acks++
		}
	})
	s.Acks = acks
	o := newObserver()
	var last, remotes string
	p := &player{T: t, disk: newDisk(h.dir), at: make(map[string]int)}
	p.deaf = deaf
	done := 0
	cut := func(torn *rand.Rand, atAck bool) {
		if s.Cuts >= most {
			return
		}
		s.Cuts++
		p.cut(t, torn)
		when := fmt.Sprintf("cut %d, call %d after %q, torn %t", s.Cuts, done, last, torn != nil)
		if len(o.refs) == 0 {
			return
		}
		if atAck {
			if err := beside(h, last, remotes, o.ops); err != nil {
				s.Lost++
				tell("%s: %v", when, err)
			}
		}
		l, err := h.look(t.Context(), o.refs)
		switch {
		case err != nil:
			s.NotOpened++
			tell("%s: %v", when, err)
			return
		case len(l.lost) > 0:
			s.Lost += len(l.lost)
			tell("%s: %d of %d lost: %s", when, len(l.lost), len(o.refs), clip(l.lost))
		case l.repaired:
			s.Repaired++
			t.Logf("%s: repaired: %s", when, clip(l.problems))
		case len(l.problems) > 0:
			s.NotBack++
			tell("%s: not brought back: %s", when, clip(l.problems))
		}
		if err := h.works(t.Context()); err != nil {
			s.NotBack++
			tell("%s: what comes after it fails: %v", when, err)
		}
	}
	calls(t, trace, func(c call) {
		if t.Failed() {
			return
		}
		done++
		said := p.play(c)
		for line := range strings.Lines(said) {
			if what, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " "); what == "ack" {
				name, reply, _ := strings.Cut(rest, " ")
				o.ops[name]++
				o.hold(name, reply)
				if last = name; name == "remote_add" || name == "remote_remove" {
					remotes = reply
				}
			}
		}
		atAck := strings.HasPrefix(said, "ack ")
		switch {
		case atAck && chance.IntN(acks) < most/3:
			cut(nil, true)
			cut(chance, true)
		case !atAck && chance.IntN(total) < most/2:
			cut(chance, false)
		}
	})
}

// beside asks for what was acknowledged and lies beside the store.
func beside(h home, last, remotes string, acked map[string]int) error {
	e, err := engine.Open(context.Background(), h.store(), handConfig(h.dir, memory.OriginOwner))
	if err != nil {
		return err
	}
	r, err := e.Remotes(context.Background(), api.RemoteRequest{})
	if err = errors.Join(err, e.Close()); err != nil {
		return fmt.Errorf("remotes: %w", err)
	}
	var said api.RemoteReply
	if remotes != "" {
		if err := json.Unmarshal([]byte(remotes), &said); err != nil {
			return err
		}
	}
	for _, one := range said.Remotes {
		if !slices.ContainsFunc(r.Remotes, func(o api.Remote) bool { return o.Name == one.Name }) {
			return fmt.Errorf(
				"the remote %s that was added is not there: %d of %d are", one.Name, len(r.Remotes),
				len(said.Remotes),
			)
		}
	}
	budget := ""
	for _, n := range []string{"901", "902"} {
		if acked["config-"+n] > 0 {
			budget = n
		}
	}
	if b, err := os.ReadFile(filepath.Join(h.dir, "stemma", "config.toml")); budget != "" &&
		!bytes.Contains(b, []byte(budget)) {
		return fmt.Errorf("the setting %s is lost: %q, %v", budget, b, err)
	}
	if acked["backup"] > 0 {
		config := handConfig(h.dir, memory.OriginOwner)
		config.ReadOnly = true
		b, err := engine.Open(context.Background(), filepath.Join(h.dir, "backup.db"), config)
		if err != nil {
			return fmt.Errorf("the backup: %w", err)
		}
		d, err := b.Doctor(context.Background(), api.DoctorRequest{})
		if err = errors.Join(err, b.Close()); err != nil || len(d.Problems) > 0 {
			return fmt.Errorf("the backup: %w %+v", err, d.Problems)
		}
	}
	if acked["export"] > 0 {
		b, err := os.ReadFile(filepath.Join(h.dir, "all.jsonl"))
		if err != nil || len(b) == 0 || b[len(b)-1] != '\n' {
			return fmt.Errorf("the export is not whole: %d bytes, %v", len(b), err)
		}
	}
	return nil
}

// The power fails in the middle of every operation that writes. The disk is made again
// of what the processes asked the system for: what was acknowledged is there, and all
// that lies beside the store is whole.
func TestPowerCuts(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs under a tracer")
	}
	if err := canTrace(); err != nil {
		t.Skipf("the power was NOT cut: %v", err)
	}
	most := long("STEMMA_CUTS", 16, 500)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	chance := rand.New(rand.NewPCG(seed, 0))
	rounds := "1"
	if most < 100 {
		rounds = "first-12" // of each run others
	}
	h, trace := record(t, fmt.Sprintf(everything, seed%1000, rounds))
	var sum cuts
	sum.replay(t, h, trace, "", most, chance, t.Errorf)
	t.Logf("%+v", sum)
	if t.Failed() {
		t.Logf("it is kept at %s", keep(t, filepath.Dir(h.dir)))
	}
	var control cuts // whose syncs of the log do nothing, as if they were turned off
	control.replay(t, h, trace, "-wal", 12, chance, func(string, ...any) {})
	t.Logf("the control: %+v", control)
	if control.Lost+control.NotOpened+control.NotBack == 0 {
		t.Error("without syncs nothing is lost either: this test would see nothing")
	}
}
