package hub

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/stemma-memory/stemma/internal/store/sqlstore/hubstore"
)

// The same on Citus, while the schema moves from one worker to the other and back, and its worker is killed and comes
// back seconds later.
func TestNothingAcknowledgedIsLostWhileItMoves(t *testing.T) {
	if onCitus(t) == "" {
		return
	}
	address := tempPostgres(t)
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	p := serveHub(t, openHub(t, address))
	p.TB = t
	const lasts = 20 * time.Second
	var took []time.Duration
	acked := everybodyPushes(t, p, strings.TrimPrefix(p.http.URL, "http://"), 20, lasts, func() {
		tick := time.NewTicker(lasts / 8)
		defer tick.Stop()
		for i := range 4 {
			<-tick.C
			if i%2 == 0 {
				began := time.Now()
				moveSchema(t, u.Query().Get("search_path"))
				took = append(took, time.Since(began))
				continue
			}
			killWorker(t, workerOf(t, u.Query().Get("search_path")), tick.C)
		}
	})
	t.Logf("20 clients, %d records acknowledged, the schema moved in %v and its worker was killed twice", acked, took)
}

// The same with several shards: one is split and one moved while clients push, and the worker of a third is killed and
// comes back seconds later.
func TestNothingAcknowledgedIsLostWhileShardsMove(t *testing.T) {
	if onCitus(t) == "" {
		return
	}
	address := tempShards(t, 4)
	admin, _, schema := adminOf(t, address)
	p := serveHub(t, openHub(t, address))
	p.TB = t
	const lasts = 40 * time.Second
	var took []time.Duration
	var moved hubstore.Split
	acked := everybodyPushes(t, p, strings.TrimPrefix(p.http.URL, "http://"), 20, lasts, func() {
		tick := time.NewTicker(lasts / 16)
		defer tick.Stop()
		timed := func(do func()) {
			<-tick.C
			began := time.Now()
			do()
			took = append(took, time.Since(began).Round(time.Millisecond))
		}
		timed(func() { moved = splitShard(t, address, busiest(t, p)) })
		timed(func() {
			no := busiest(t, p)
			to := otherWorker(t, workerOf(t, shardSchema(schema, no)))
			if _, err := hubstore.MoveShard(t.Context(), admin, no, "127.0.0.1:"+to); err != nil {
				t.Errorf("shard %d is not moved: %v", no, err)
			}
		})
		timed(func() { killWorker(t, workerOf(t, shardSchema(schema, busiest(t, p))), tick.C) })
		timed(func() { moved = splitShard(t, address, busiest(t, p)) })
	})
	t.Logf("20 clients, %d records acknowledged; a split, a move, a node killed and a split took %v; the last: %+v",
		acked, took, moved)
}

// A shard whose node is away is named, and the others serve. When the node is back it serves again by itself.
func TestAShardIsAway(t *testing.T) {
	nodes := onCitus(t)
	if nodes == "" {
		return
	}
	address := tempShards(t, 4)
	_, _, schema := adminOf(t, address)
	p := serveHub(t, openHub(t, address))
	p.TB = t
	directory := workerOf(t, schema)
	gone := make(map[int]bool) // the shards of the other worker
	for no := 1; no < 4; no++ {
		gone[no] = workerOf(t, shardSchema(schema, no)) != directory
	}
	if !gone[1] && !gone[2] && !gone[3] {
		moveSchema(t, shardSchema(schema, 3))
		gone[3] = true
	}
	var people []*person
	for i := range 12 {
		who := p.joins(fmt.Sprint("person", i), "", "")
		who.believes(t, who.home(), who.name+" was here")
		who.mustSync(t)
		people = append(people, who)
	}
	in := make(map[string]int)
	for no := range 4 {
		for _, who := range accountsIn(t, address, no) {
			in[who] = no
		}
	}
	away := otherWorker(t, directory)
	node(t, away, "stop")
	served := 0
	for _, who := range people {
		err := hello(p, who)
		no := in[who.key.DID()]
		switch {
		case !gone[no] && err != nil:
			t.Errorf("%s, whose shard %d is there: %v", who.name, no, err)
		case gone[no] && (err == nil || !strings.Contains(err.Error(), fmt.Sprintf("shard %d ", no))):
			t.Errorf("%s, whose shard %d is away: %v", who.name, no, err)
		case !gone[no]:
			served++
		}
	}
	if served == 0 || served == len(people) {
		t.Errorf("%d of %d are served", served, len(people))
	}
	for _, sh := range shardsOf(t, p) {
		if (sh.Problem != "") != gone[sh.No] {
			t.Errorf("shard %d says %q", sh.No, sh.Problem)
		}
	}
	node(t, away, "start")
	for _, who := range people {
		for end := time.Now().Add(time.Minute); ; {
			if err := hello(p, who); err == nil || time.Now().After(end) {
				if err != nil {
					t.Errorf("%s, once all are back: %v", who.name, err)
				}
				break
			}
		}
	}
}

// onCitus returns the directory of the nodes on which the tests run, "" for none.
func onCitus(t *testing.T) string {
	t.Helper()
	nodes := os.Getenv("STEMMA_CITUS_DIR")
	if nodes == "" || os.Getenv("STEMMA_TEST_POSTGRES") != os.Getenv("STEMMA_TEST_CITUS") {
		t.Log("no Citus to test on")
		return ""
	}
	return nodes
}

// shardSchema is the schema of a shard of a hub.
func shardSchema(first string, no int) string {
	if no == 0 {
		return first
	}
	return fmt.Sprintf("%s_shard_%03d", first, no)
}

// busiest returns the shard with the most accounts.
func busiest(t testing.TB, p *place) (no int) {
	t.Helper()
	most := int64(-1)
	for _, sh := range shardsOf(t, p) {
		if sh.Accounts > most {
			no, most = sh.No, sh.Accounts
		}
	}
	return no
}

// node stops or starts the worker that listens on a port.
func node(t testing.TB, port, do string) {
	t.Helper()
	for n := 1; n <= 2; n++ {
		has, err := os.ReadFile(fmt.Sprintf("%s/worker%d.port", os.Getenv("STEMMA_CITUS_DIR"), n))
		if err != nil {
			t.Error(err)
			return
		}
		if strings.TrimSpace(string(has)) != port {
			continue
		}
		if out, err := exec.Command("../../scripts/citus.sh", "node", fmt.Sprint(n), do).CombinedOutput(); err != nil {
			t.Errorf("%s: %s", err, out)
		}
	}
}

// killWorker kills a worker, and starts it again after a tick.
func killWorker(t testing.TB, port string, tick <-chan time.Time) {
	t.Helper()
	node(t, port, "stop")
	<-tick
	node(t, port, "start")
}

// otherWorker returns the port of the worker that is not on a port.
func otherWorker(t testing.TB, from string) (port string) {
	t.Helper()
	asAdmin(t, func(conn *pgx.Conn) error {
		const other = "SELECT nodeport::text FROM pg_dist_node WHERE groupid <> 0 AND nodeport::text <> $1"
		return conn.QueryRow(t.Context(), other, from).Scan(&port)
	})
	return port
}

// workerOf returns the port of the worker that has a schema.
func workerOf(t testing.TB, schema string) (port string) {
	t.Helper()
	asAdmin(t, func(conn *pgx.Conn) error {
		const at = "SELECT DISTINCT nodeport::text FROM citus_shards " +
			"WHERE table_name::text LIKE replace($1, '_', '\\_') || '.%'"
		return conn.QueryRow(t.Context(), at, schema).Scan(&port)
	})
	return port
}

// moveSchema moves a schema to the other worker. Writes wait meanwhile: what Citus does without that, replicating what
// is written, PostgreSQL refuses where tables have row-level security, and Citus tries it for ever.
func moveSchema(t testing.TB, schema string) {
	t.Helper()
	from := workerOf(t, schema)
	port := otherWorker(t, from)
	asAdmin(t, func(conn *pgx.Conn) error {
		const move = "SELECT citus_schema_move($1::text::regnamespace, '127.0.0.1', $2::text::int, 'block_writes')"
		_, err := conn.Exec(t.Context(), move, schema, port)
		return err
	})
	if now := workerOf(t, schema); now != port {
		t.Errorf("the schema was moved from %s to %s and is at %s", from, port, now)
	}
}

func asAdmin(t testing.TB, do func(*pgx.Conn) error) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), os.Getenv("STEMMA_TEST_POSTGRES"))
	if err == nil {
		err = errors.Join(do(conn), conn.Close(t.Context()))
	}
	if err != nil {
		t.Error(err)
	}
}
