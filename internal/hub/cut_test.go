package hub

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/hub/client"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// A cutter carries connections to a server, until it cuts them all in the middle of
// what they carry.
type cutter struct {
	net.Listener
	to string

	mu    sync.Mutex
	conns map[net.Conn]bool
	work  sync.WaitGroup
}

func newCutter(t testing.TB, to string) *cutter {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := &cutter{Listener: l, to: to, conns: make(map[net.Conn]bool)}
	c.work.Go(c.serve)
	t.Cleanup(func() {
		_ = l.Close()
		c.cut()
		c.work.Wait()
	})
	return c
}

func (c *cutter) serve() {
	for {
		in, err := c.Accept()
		if err != nil {
			return
		}
		out, err := net.Dial("tcp", c.to)
		if err != nil {
			_ = in.Close()
			continue
		}
		c.mu.Lock()
		c.conns[in], c.conns[out] = true, true
		c.mu.Unlock()
		carry := func(a, b net.Conn) {
			_, _ = io.Copy(a, b)
			_, _ = a.Close(), b.Close()
			c.mu.Lock()
			delete(c.conns, a)
			delete(c.conns, b)
			c.mu.Unlock()
		}
		c.work.Go(func() { carry(in, out) })
		c.work.Go(func() { carry(out, in) })
	}
}

// cut ends every connection at once.
func (c *cutter) cut() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := len(c.conns)
	for conn := range c.conns {
		_ = conn.Close()
	}
	return n
}

// Many push while the database's connections and their own are cut, and, in the long
// run, while PostgreSQL is restarted. What was acknowledged is there, and everybody
// gets through by himself.
func TestNothingAcknowledgedIsLost(t *testing.T) {
	clients, lasts, cuts := 8, 4*time.Second, 8
	long := os.Getenv("STEMMA_LONG") != ""
	if long {
		clients, lasts, cuts = 50, 5*time.Minute, 60
	}
	server := ""
	if long { // nobody else's tests run on what is restarted
		server = ownPostgres(t)
	}
	address := tempPostgres(t)
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	toDatabase := newCutter(t, u.Host)
	u.Host = toDatabase.Addr().String()
	p := serveHub(t, openHub(t, u.String()))
	p.TB = t
	toHub := newCutter(t, strings.TrimPrefix(p.http.URL, "http://"))
	cutDatabase, cutClients := 0, 0
	acked := everybodyPushes(t, p, toHub.Addr().String(), clients, lasts, func() {
		tick := time.NewTicker(lasts / time.Duration(cuts+1))
		defer tick.Stop()
		for i := range cuts {
			<-tick.C
			if i%2 == 0 {
				cutDatabase += toDatabase.cut()
			} else {
				cutClients += toHub.cut()
			}
			if long && i%20 == 10 {
				restart(t, server)
			}
		}
	})
	t.Logf("%d clients, %d records acknowledged, %d connections of the database and %d of clients cut",
		clients, acked, cutDatabase, cutClients)
	if cutDatabase == 0 || cutClients == 0 {
		t.Errorf("%d and %d connections were cut", cutDatabase, cutClients)
	}
}

// A hub whose database is away says so at once, also to a client that waits for a hub that is busy, and serves when it
// is back.
func TestTheDatabaseIsAway(t *testing.T) {
	address := tempPostgres(t)
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	database := u.Host
	through := newCutter(t, database)
	u.Host = through.Addr().String()
	p := serveHub(t, openHub(t, u.String()))
	p.TB = t
	ann := p.joins("ann", "", "")
	ann.believes(t, ann.home(), "before")
	ann.mustSync(t)
	_ = through.Close()
	through.cut()
	ann.Client = p.with(client.Options{Token: tokenOf(t, serveHub(t, openHub(t, address)), ann), Patience: time.Minute})
	ann.believes(t, ann.home(), "meanwhile")
	began := time.Now()
	_, err = ann.sync(t.Context())
	took := time.Since(began)
	if !errors.Is(err, peer.ErrAway) || !strings.Contains(err.Error(), "the database does not answer") {
		t.Errorf("a sync without the database: %v", err)
	}
	if took > 30*time.Second { // it is some 4 seconds, and was 170
		t.Errorf("that took %v", took)
	}
	t.Logf("refused after %v", took)
	p.http.Config.Handler = serveHub(t, openHub(t, address)).server.Handler()
	if report := ann.mustSync(t); report.Spaces[0].Pushed != 1 {
		t.Errorf("once the database is back: %+v", report)
	}
}

// everybodyPushes has clients push for a while, during which something happens. Each must get through by himself, and
// what was acknowledged must be there in the end.
func everybodyPushes(t *testing.T, p *place, toHub string, clients int, lasts time.Duration, during func()) int64 {
	t.Helper()
	ann := p.joins("ann", "", "")
	pushers := []*person{ann}
	for i := range clients - 1 {
		pushers = append(pushers, p.joins(fmt.Sprint("pusher ", i), ann.home(), store.Writer))
	}
	ann.mustSync(t)
	var acked sync.Map // of records that the hub said it has
	var pushed, failed atomic.Int64
	ctx, end := context.WithTimeout(t.Context(), lasts)
	defer end()
	var work sync.WaitGroup
	for i, who := range pushers {
		token := tokenOf(t, p, who)
		c, err := client.New("http://"+toHub, client.Options{Token: token, Patience: 2 * time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		// a hub that never answered is given up within seconds, and this is no test of that
		if _, err := c.Hello(t.Context(), peer.Hello{Version: peer.Version}); err != nil {
			t.Fatal(err)
		}
		space := ann.home() // half of them write in one space, so that they are in each other's way
		if i%2 == 1 {
			space = who.home()
		}
		var inception *memory.Record
		for it, err := range who.List(t.Context(), store.Query{Kinds: []memory.Kind{memory.KindKey}, Hidden: true}) {
			if err != nil {
				t.Fatal(err)
			}
			inception = it.Record
		}
		work.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				lines := []peer.Line{line(t, inception)}
				for range 10 {
					lines = append(lines, line(t, who.make(t, space, &memory.Belief{Statement: fmt.Sprint(who.name, n)})))
				}
				acks, err := c.Push(context.WithoutCancel(ctx), peer.Push{Space: space, Lines: lines})
				if err != nil || len(acks.Refused) > 0 {
					failed.Add(1)
					t.Errorf("%s: %v, %+v", who.name, err, acks.Refused)
					return
				}
				for _, id := range append(acks.Stored, acks.Held...) {
					acked.Store(id, space)
					pushed.Add(1)
				}
			}
		})
	}
	during()
	work.Wait()
	lost := 0
	bySpace := make(map[string][]memory.ID)
	acked.Range(func(id, space any) bool {
		bySpace[space.(string)] = append(bySpace[space.(string)], id.(memory.ID))
		return true
	})
	for space, ids := range bySpace {
		for part := range slices.Chunk(ids, 500) {
			items, err := p.read(t, space, everyHome(pushers), part)
			for range 20 { // a connection that was cut is found out by who uses it next
				if err == nil {
					break
				}
				items, err = p.read(t, space, everyHome(pushers), part)
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, it := range items {
				if it == nil {
					lost++
				}
			}
		}
	}
	if lost > 0 || pushed.Load() == 0 || failed.Load() > 0 {
		t.Errorf("%d of %d acknowledged records are lost, %d clients did not get through", lost, pushed.Load(), failed.Load())
	}
	return pushed.Load()
}

// read reads records of a space as whose keys are given.
func (p *place) read(t *testing.T, space string, homes []string, ids []memory.ID) ([]*store.Item, error) {
	v, err := p.store.Within(t.Context(), store.Sight{Reads: []string{space}, Keys: homes})
	if err != nil {
		return nil, err
	}
	return v.Get(t.Context(), ids...)
}

func everyHome(all []*person) (homes []string) {
	for _, p := range all {
		homes = append(homes, p.home())
	}
	return homes
}

// tokenOf returns another token of somebody.
func tokenOf(t testing.TB, p *place, who *person) string {
	t.Helper()
	text, kept := NewToken()
	tk := store.Token{
		ID: NewID(), Secret: kept, Account: who.key.DID(), Audience: "hub.test", Made: p.now,
		Expires: p.now.Add(time.Hour),
	}
	if err := p.store.AddToken(t.Context(), tk); err != nil {
		t.Fatal(err)
	}
	return text
}

// ownPostgres starts a server for this test alone, where tempPostgres makes its schemas
// from then on, and gives the server's directory.
func ownPostgres(t *testing.T) (dir string) {
	t.Helper()
	const start = `eval "$(../../scripts/postgres.sh start)" && echo "$STEMMA_TEST_POSTGRES" "$STEMMA_POSTGRES_DIR"`
	c := exec.Command("bash", "-c", start)
	c.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.Contains(v, "POSTGRES") })
	c.Stderr = os.Stderr
	out, err := c.Output()
	if err != nil {
		t.Fatalf("a server of its own: %v", err)
	}
	said := strings.Fields(string(out))
	if len(said) != 2 {
		t.Fatalf("a server of its own: %q", out)
	}
	dir = said[1]
	t.Cleanup(func() {
		c := exec.Command("../../scripts/postgres.sh", "stop")
		c.Env = append(os.Environ(), "STEMMA_POSTGRES_DIR="+dir)
		if out, err := c.CombinedOutput(); err != nil {
			t.Errorf("stop the server: %v: %s", err, out)
		}
	})
	t.Setenv("STEMMA_TEST_POSTGRES", said[0])
	return dir
}

// restart restarts the server in a directory that scripts/postgres.sh made.
func restart(t testing.TB, dir string) {
	t.Helper()
	const script = `ctl=$(ls -d /usr/lib/postgresql/*/bin/pg_ctl | tail -n 1); port=$(sed -n 4p ` +
		`"$0/data/postmaster.pid"); cd "$0"
if [ "$(id -u)" = 0 ]; then as="runuser -u postgres --"; fi
$as "$ctl" --pgdata="$0/data" --mode=fast --wait --silent --log="$0/log" --options="-p $port" restart`
	if out, err := exec.Command("bash", "-c", script, dir).CombinedOutput(); err != nil {
		t.Fatalf("restart: %v: %s", err, out)
	}
}
