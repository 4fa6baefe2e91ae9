package main

import (
	"bytes"
	"database/sql"
	"fmt"
	"net"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/memory"
)

// oldVar names the program of an earlier release. Without it, this program is the old one too.
const oldVar = "STEMMA_OLD"

// A front passes connections to the hubs that serve, in turn, as a load balancer does.
type front struct {
	net.Listener
	mu   sync.Mutex
	to   []string
	next int
	work sync.WaitGroup
}

func newFront(t *testing.T, to ...string) *front {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	f := &front{Listener: l, to: to}
	f.work.Go(func() {
		for in, err := f.Accept(); err == nil; in, err = f.Accept() {
			f.mu.Lock()
			f.next++
			to := f.to[f.next%len(f.to)]
			f.mu.Unlock()
			carry(f, in, to)
		}
	})
	t.Cleanup(func() { _ = l.Close() })
	return f
}

func carry(f *front, in net.Conn, to string) {
	out, err := net.Dial("tcp", to)
	if err != nil {
		_ = in.Close()
		return
	}
	for _, way := range [][2]net.Conn{{in, out}, {out, in}} {
		f.work.Go(func() {
			_, _ = way[0].(*net.TCPConn).WriteTo(way[1])
			_, _ = in.Close(), out.Close()
		})
	}
}

// sendTo names the hubs that serve from now on.
func (f *front) sendTo(to ...string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.to = to
}

// serveHub starts a hub with a program, and returns where it is and what ends it.
func (m *member) serveHub(program string) (at string, stop func() (log string)) {
	m.Helper()
	url, said := &lineOf{got: make(chan string, 1)}, new(bytes.Buffer)
	c := m.command(program, "hub", "serve", "--addr", "127.0.0.1:0")
	c.Stdout, c.Stderr = url, said
	if err := c.Start(); err != nil {
		m.Fatal(err)
	}
	ended := sync.OnceValue(func() string {
		_ = c.Process.Signal(os.Interrupt)
		if err := c.Wait(); err != nil {
			m.Errorf("the hub ended with %v: %s", err, said)
		}
		return said.String()
	})
	m.Cleanup(func() { ended() })
	select {
	case at := <-url.got:
		return strings.TrimPrefix(strings.TrimSpace(at), "http://"), ended
	case <-time.After(time.Minute):
		m.Fatalf("the hub does not start: %s", said)
	}
	return "", nil
}

// with runs a command of a program that must end well, and returns what it wrote.
func (m *member) with(program string, args ...string) string {
	m.Helper()
	out, err := m.command(program, args...).CombinedOutput()
	if err != nil {
		m.Fatalf("%s %q: %v: %s", program, args, err, out)
	}
	return string(out)
}

// A hub is upgraded while its clients push: its tables are brought up to date, a second hub begins to serve, and the
// first ends. Nothing acknowledged is lost, and no one waits long.
func TestAHubIsUpgradedWhileItServes(t *testing.T) {
	dsn := os.Getenv(postgresVar)
	if dsn == "" {
		t.Skip(postgresVar + " names no server")
	}
	const clients, longestWait = 8, 5 * time.Second
	step := time.Duration(long("STEMMA_UPGRADE_SECONDS", 1, 10)) * time.Second
	old := os.Getenv(oldVar)
	if old == "" {
		old = "stemma"
	}
	address, role, drop, err := schemaAt(dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(drop)
	m := newMember(t, t.TempDir(), "operator")
	m.with(old, "hub", "migrate", "--admin", address, "--role", role)
	m.with(old, "hub", "init", "--name", "hub.test")
	first, end := m.serveHub(old)
	f := newFront(t, first)
	invite := func(args ...string) string {
		said := m.with(old, append([]string{"hub", "invite"}, args...)...)
		for _, word := range strings.Fields(said) {
			if strings.HasPrefix(word, "stemma-invitation-") {
				return word
			}
		}
		t.Fatalf("no invitation in %q", said)
		return ""
	}
	var all []*pusher
	for i := range clients {
		p := &pusher{T: t, acked: make(map[string][]memory.ID)}
		if i == 0 {
			p.join("http://"+f.Addr().String(), invite())
			p.push(p.home(), p.first)
		} else {
			p.join("http://"+f.Addr().String(), invite(all[0].home(), "--role", "writer"))
		}
		defer p.c.Close()
		all = append(all, p)
	}
	var work sync.WaitGroup
	var over, later atomic.Bool
	for i, p := range all {
		work.Go(func() {
			for n := 0; !over.Load(); n++ {
				space := all[0].home() // half of them write in one space
				if i%2 == 1 {
					space = p.home()
				}
				lines := append([]peer.Line(nil), p.first...)
				if i >= clients/2 && space == p.home() && !later.Load() {
					continue // their keys come when the tables are new and the old hub still serves
				}
				for range 10 {
					lines = append(lines, p.line(space, &memory.Belief{Statement: fmt.Sprint("statement ", i, " ", n)}))
				}
				if !p.push(space, lines) {
					return
				}
			}
		})
	}
	<-time.After(step) // they push meanwhile
	began := time.Now()
	m.with("stemma", "hub", "migrate", "--admin", address, "--role", role)
	took := time.Since(began)
	later.Store(true)
	<-time.After(step) // they push meanwhile
	second, endSecond := m.serveHub("stemma")
	f.sendTo(first, second)
	for _, p := range all {
		p.c.Close() // its next connection may be to either
	}
	<-time.After(step) // they push meanwhile
	f.sendTo(second)
	log := end()
	if old == "stemma" {
		asTheFirstRelease(t, address)
	}
	<-time.After(step) // they push meanwhile
	before := unmarked(t, address)
	m.with("stemma", "hub", "migrate", "--admin", address, "--role", role) // for what the old one wrote last
	over.Store(true)
	work.Wait()
	acked, lost, longest := 0, 0, time.Duration(0)
	for _, p := range all {
		longest = max(longest, p.longest)
		for _, ids := range p.acked {
			acked += len(ids)
			lost += missing(t, address, ids)
		}
	}
	if before == 0 {
		t.Error("the old hub left no key record unmarked: the second migrate had nothing to do")
	}
	t.Logf("%d clients, %d records acknowledged, %d lost; migrate took %s, the longest push %s", clients, acked, lost,
		took.Round(time.Millisecond), longest.Round(time.Millisecond))
	if n := unmarked(t, address); n > 0 {
		t.Errorf("%d key records of the old hub are unmarked", n)
	}
	if lost > 0 || acked == 0 || longest > longestWait {
		t.Errorf("%d of %d acknowledged records are lost, the longest push took %s", lost, acked, longest)
	}
	if log += endSecond(); strings.Contains(log, "deadlock detected") {
		t.Errorf("migrate and a hub waited for each other: %s", log)
	}
}

// missing counts the records that a database does not have.
func missing(t *testing.T, address string, ids []memory.ID) (n int) {
	t.Helper()
	db, err := sql.Open("pgx", address)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	have := make(map[string]bool)
	rows, err := db.Query("SELECT encode(id, 'hex') FROM records JOIN payloads USING (key)")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			t.Fatal(err)
		}
		have[id] = true
	}
	for _, id := range ids {
		if !have[id.String()] {
			n++
		}
	}
	return n
}

// asTheFirstRelease makes the key records what a hub of 0.1.0 leaves, which does not mark them.
func asTheFirstRelease(t *testing.T, address string) {
	t.Helper()
	db, err := sql.Open("pgx", address)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, table := range []string{"payloads", "signatures"} {
		_, err := db.Exec("BEGIN; ALTER TABLE " + table + " DISABLE TRIGGER kept; UPDATE " + table +
			" SET keyed = false WHERE keyed; ALTER TABLE " + table + " ENABLE TRIGGER kept; COMMIT")
		if err != nil {
			t.Fatal(err)
		}
	}
}

// unmarked counts the key records whose rows do not say that they are key records, so that those who see only the keys
// of a space do not see them.
func unmarked(t *testing.T, address string) (n int) {
	t.Helper()
	db, err := sql.Open("pgx", address)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	const keyRecords = "SELECT count(*) FROM payloads JOIN records USING (key) WHERE kind = 107 AND NOT keyed"
	if err := db.QueryRow(keyRecords).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}
