package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/client"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
	"github.com/stemma-memory/stemma/memory"
)

// A member is a person with a store of their own, whose server exchanges records by itself.
type member struct {
	*testing.T
	name, dir string
	env       []string
	c         *client.Client
	lag       []int64 // seconds since the last complete exchange, as it was shown now and then
	longest   int64
	wrote     []string
	exits     map[int]int
	said      string // by its server
}

func newMember(t *testing.T, dir, name string) *member {
	t.Helper()
	m := &member{T: t, name: name, dir: filepath.Join(dir, name), exits: make(map[int]int)}
	if err := os.MkdirAll(m.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	m.env = append(os.Environ(), "HOME="+m.dir, "XDG_DATA_HOME="+m.dir, "XDG_CONFIG_HOME="+m.dir,
		"XDG_CACHE_HOME="+filepath.Join(m.dir, "cache"), "STEMMA_HUB_DIR="+filepath.Join(dir, "hub"),
		"GORACE=atexit_sleep_ms=0", "GOMAXPROCS=2", "STEMMA_SPACE=main")
	return m
}

func (m *member) command(name string, args ...string) *exec.Cmd {
	c := exec.Command(name, args...)
	c.Dir, c.Env = m.dir, m.env
	return c
}

// run runs a command that must end well, and returns what it wrote.
func (m *member) run(args ...string) string {
	m.Helper()
	out, err := m.command("stemma", args...).CombinedOutput()
	if err != nil {
		m.Fatalf("%s: stemma %q: %v: %s", m.name, args, err, out)
	}
	return string(out)
}

// own runs a command as a person at a terminal.
func (m *member) own(args ...string) {
	m.Helper()
	line := "stty -onlcr -echo; exec stemma"
	for _, a := range args {
		line += " '" + a + "'"
	}
	if out, err := m.command("script", "-qec", line, os.DevNull).CombinedOutput(); err != nil {
		m.Fatalf("%s: stemma %q: %v: %s", m.name, args, err, out)
	}
}

// serve starts a server, and returns what ends it.
func (m *member) serve() (stop func()) {
	m.Helper()
	url, said := new(lineOf), new(bytes.Buffer)
	url.got = make(chan string, 1)
	c := m.command("stemma", "serve", "--addr", "127.0.0.1:0")
	c.Stdout, c.Stderr = url, said
	if err := c.Start(); err != nil {
		m.Fatal(err)
	}
	select {
	case at := <-url.got:
		token, err := os.ReadFile(filepath.Join(m.dir, "stemma", "server", "token"))
		if err != nil {
			m.Fatal(err)
		}
		m.c = client.New(at, strings.TrimSpace(string(token)))
	case <-time.After(time.Minute):
		m.Fatalf("%s: the server does not start: %s", m.name, said)
	}
	return func() {
		_ = c.Process.Signal(os.Interrupt)
		if err := c.Wait(); err != nil {
			m.Errorf("%s: the server ended with %v: %s", m.name, err, said)
		}
		m.said = said.String()
	}
}

// lineOf passes on the first line that is written.
type lineOf struct {
	text []byte
	got  chan string
}

func (l *lineOf) Write(b []byte) (int, error) {
	before := bytes.IndexByte(l.text, '\n') >= 0
	l.text = append(l.text, b...)
	if at := bytes.IndexByte(l.text, '\n'); at >= 0 && !before {
		l.got <- string(l.text[:at])
	}
	return len(b), nil
}

// look notes how long ago the last complete exchange was.
func (m *member) look(ctx context.Context, began time.Time) {
	all, err := m.c.Remotes(ctx, api.RemoteRequest{})
	if err != nil || len(all.Remotes) != 1 {
		if ctx.Err() == nil {
			m.Errorf("%s: remotes: %+v, %v", m.name, all, err)
		}
		return
	}
	behind := int64(time.Since(began).Seconds()) // of who has exchanged nothing yet
	if l := all.Remotes[0].Lag; l.Seconds != nil {
		behind = *l.Seconds
	}
	m.lag, m.longest = append(m.lag, behind), max(m.longest, behind)
}

// exchange runs one sync as a command. An exit code that is not 0 must have a failure as its reason.
func (m *member) exchange() {
	c := m.command("stemma", "sync", "--json")
	out, err := c.Output()
	code := c.ProcessState.ExitCode()
	m.exits[code]++
	var r api.SyncReply
	if json.Unmarshal(out, &r) != nil || code != 0 && r.Failed == 0 || code == 0 && r.Failed > 0 {
		m.Errorf("%s: sync ended with %d, %v: %s", m.name, code, err, out)
	}
}

// beliefs returns the IDs and words of what is held in a space, and a word that is another for other states.
func (m *member) beliefs(ctx context.Context, space string) (ids map[string]string, state string) {
	m.Helper()
	s, err := sqlstore.Open(ctx, filepath.Join(m.dir, "stemma", "memory.db"), sqlstore.Options{ReadOnly: true})
	if err != nil {
		m.Fatal(err)
	}
	defer s.Close()
	ids = make(map[string]string)
	var lines []string
	q := store.Query{Kinds: []memory.Kind{memory.KindBelief}, Spaces: []string{space}, Hidden: true}
	for it, err := range s.List(ctx, q) {
		if err != nil {
			m.Fatal(err)
		}
		st, err := json.Marshal(it.State)
		if err != nil {
			m.Fatal(err)
		}
		ids[it.Ref.ID.String()] = memory.Headline(it.Record.Body)
		lines = append(lines, it.Ref.ID.String()+string(st))
	}
	slices.Sort(lines)
	return ids, fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(lines, "\n"))))
}

// Many members join at once, write all the time, and their servers exchange what they wrote through a network that
// cuts, delays and swallows. No store is far behind, nothing is lost or doubled, and all end with one state. The hub is
// on a file; in a long run also on Citus, in 4 shards.
func TestManyStoresWriteAllTheTime(t *testing.T) {
	if _, err := exec.LookPath("script"); err != nil {
		t.Log("no program that gives a terminal: nothing is tested")
		return
	}
	t.Run("file", func(t *testing.T) { manyStores(t, "") })
	if spread := os.Getenv("STEMMA_TEST_CITUS"); spread != "" && os.Getenv("STEMMA_LONG") != "" {
		t.Run("citus", func(t *testing.T) { manyStores(t, spread) })
	}
}

// manyStores is that with a hub on a server; "" is a file.
func manyStores(t *testing.T, server string) {
	t.Helper()
	members, writes, lasts, every := 6, 60, 15*time.Second, 2*time.Second
	median, most := int64(5), int64(15)
	if os.Getenv("STEMMA_LONG") != "" {
		members, writes, lasts, every = 30, 500, 5*time.Minute, 10*time.Second
		median, most = 20, 60
	}
	dir := t.TempDir()
	lead := newMember(t, dir, "lead")
	if server != "" {
		address, role, drop, err := schemaAt(server)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(drop)
		lead.run("hub", "migrate", "--admin", address, "--role", role, "--shards", "4")
	}
	lead.run("hub", "init", "--name", "hub.test")
	hubURL := &lineOf{got: make(chan string, 1)}
	hubLog, err := os.Create(filepath.Join(dir, "hub.log"))
	if err != nil {
		t.Fatal(err)
	}
	defer hubLog.Close()
	served := lead.command("stemma", "hub", "serve", "--addr", "127.0.0.1:0")
	served.Stdout, served.Stderr = hubURL, hubLog
	if err := served.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = served.Process.Signal(os.Interrupt)
		if err := served.Wait(); err != nil {
			t.Errorf("the hub ended with %v", err)
		}
	}()
	net := newFaulty(t, strings.TrimPrefix(<-hubURL.got, "http://"))
	space := regexp.MustCompile(`did:key:\w+/main`).FindString(lead.run("init", "--user"))
	invite := func(m *member, args ...string) {
		m.Helper()
		said := lead.run(append([]string{"hub", "invite"}, args...)...)
		code := regexp.MustCompile(`stemma-invitation-\S+`).FindString(said)
		m.own("remote", "add", "team", "http://"+net.Addr().String(), "--invitation", code)
	}
	invite(lead)
	first := regexp.MustCompile(`belief:[0-9a-f]{64}`).FindString(lead.run("belief", "add", "What all have an opinion of"))
	lead.run("sync", "team")

	all := []*member{lead}
	var work sync.WaitGroup
	for i := range members - 1 {
		m := newMember(t, dir, fmt.Sprint("m", i))
		all = append(all, m)
		m.run("init", "--user")
		invite(m, space, "--role", "writer")
	}
	for _, m := range all {
		m.own("config", "set", "sync.auto", "watch")
		m.own("config", "set", "sync.every", every.String())
	}
	began := time.Now()
	stops := make([]func(), len(all))
	for i, m := range all {
		work.Go(func() { stops[i] = m.serve() }) // all new members at once
	}
	work.Wait()
	net.fail(true)
	ctx, end := context.WithTimeout(t.Context(), lasts)
	defer end()
	for i, m := range all {
		m.c.Space = space
		work.Go(func() { m.write(ctx, writes, lasts, first) })
		work.Go(func() { m.watch(ctx, began) })
		if i%10 == 5 {
			work.Go(func() { m.syncNowAndThen(ctx, lasts/6) })
		}
	}
	work.Wait()
	cut := net.fail(false)
	for _, stop := range stops {
		work.Go(stop)
	}
	work.Wait()
	settle(t, all, &work)

	wrote := map[string]bool{}
	var lags []int64
	longest := int64(0)
	exits := map[int]int{}
	for _, m := range all {
		for _, ref := range m.wrote {
			wrote[strings.TrimPrefix(ref, "belief:")] = true
		}
		if m.longest > most {
			t.Logf("%s was %d s behind at most:\n%s", m.name, m.longest, m.said)
		}
		lags, longest = append(lags, m.lag...), max(longest, m.longest)
		for code, n := range m.exits {
			exits[code] += n
		}
	}
	slices.Sort(lags)
	want, state := lead.beliefs(t.Context(), space)
	for _, m := range all {
		has, st := m.beliefs(t.Context(), space)
		lost, words := 0, map[string]int{}
		for id := range wrote {
			if _, ok := has[id]; !ok {
				lost++
			}
		}
		for _, text := range has {
			words[text]++
		}
		if lost > 0 || len(has) != len(want) || len(words) != len(has) || st != state {
			t.Errorf("%s holds %d beliefs with %d texts and lacks %d of %d that were acknowledged; one state: %v",
				m.name, len(has), len(words), lost, len(wrote), st == state)
		}
	}
	middle := lags[len(lags)/2]
	t.Logf("%d stores wrote %d memories in %v; %d connections were cut or refused; behind: %d s at the median, "+
		"%d s at most; exits %v", len(all), len(wrote), lasts, cut, middle, longest, exits)
	if middle > median || longest > most || len(wrote) < len(all)*writes/2 || cut == 0 {
		t.Errorf("%d memories; %d s behind at the median, at most %d may be; %d s at most, at most %d may be",
			len(wrote), middle, median, longest, most)
	}
}

// write writes memories at an even pace, and a revision of what all have an opinion of.
func (m *member) write(ctx context.Context, n int, lasts time.Duration, first string) {
	tick := time.NewTicker(lasts / time.Duration(n+1))
	defer tick.Stop()
	for i := range n {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		op, in := "add", map[string]any{"kind": "belief", "text": fmt.Sprintf("%s found fact %d", m.name, i)}
		if i == n/2 {
			op, in = "revise", map[string]any{"ref": first, "text": m.name + " sees it in another way"}
		}
		got, err := client.Do[map[string]any, api.WriteReply](ctx, m.c, op, in)
		if err == nil {
			m.wrote = append(m.wrote, got.Ref)
		} else if ctx.Err() == nil {
			m.Errorf("%s: write %d: %v", m.name, i, err)
			return
		}
	}
}

func (m *member) watch(ctx context.Context, began time.Time) {
	tick := time.NewTicker(2 * time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			m.look(ctx, began)
		}
	}
}

func (m *member) syncNowAndThen(ctx context.Context, pause time.Duration) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause/2 + rand.N(pause)):
			m.exchange()
		}
	}
}

// settle exchanges until nothing moves.
func settle(t *testing.T, all []*member, work *sync.WaitGroup) {
	t.Helper()
	const rounds = 5
	for range rounds {
		moved := make([]int, len(all))
		turn := make(chan struct{}, 4)
		for i, m := range all {
			work.Go(func() {
				turn <- struct{}{}
				defer func() { <-turn }()
				c := m.command("stemma", "sync", "--json")
				out, failed := c.Output()
				var r api.SyncReply
				if err := json.Unmarshal(out, &r); failed != nil || err != nil || c.ProcessState.ExitCode() != 0 {
					m.Errorf("%s: a sync without faults ended with %d: %s", m.name, c.ProcessState.ExitCode(), out)
				}
				moved[i] = r.Pushed + r.Pulled
			})
		}
		work.Wait()
		if slices.Max(moved) == 0 {
			return
		}
	}
	t.Errorf("after %d rounds records still move", rounds)
}
