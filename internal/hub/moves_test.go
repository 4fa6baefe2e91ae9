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
)

// The same on Citus, while the schema moves from one worker to the other and back, and its worker is killed and comes
// back seconds later.
func TestNothingAcknowledgedIsLostWhileItMoves(t *testing.T) {
	nodes := os.Getenv("STEMMA_CITUS_DIR")
	if nodes == "" || os.Getenv("STEMMA_TEST_POSTGRES") != os.Getenv("STEMMA_TEST_CITUS") {
		t.Log("no Citus to test on")
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
			worker := workerOf(t, u.Query().Get("search_path"))
			for _, do := range []string{"stop", "start"} {
				for n := 1; n <= 2; n++ {
					port, err := os.ReadFile(fmt.Sprintf("%s/worker%d.port", nodes, n))
					if err != nil {
						t.Error(err)
						return
					}
					if strings.TrimSpace(string(port)) != worker {
						continue
					}
					c := exec.Command("../../scripts/citus.sh", "node", fmt.Sprint(n), do)
					if out, err := c.CombinedOutput(); err != nil {
						t.Errorf("%s: %s", err, out)
					}
				}
				<-tick.C
			}
		}
	})
	t.Logf("20 clients, %d records acknowledged, the schema moved in %v and its worker was killed twice", acked, took)
}

// workerOf returns the port of the worker that has a schema.
func workerOf(t testing.TB, schema string) (port string) {
	t.Helper()
	asAdmin(t, func(conn *pgx.Conn) error {
		const at = "SELECT DISTINCT nodeport::text FROM citus_shards WHERE table_name::text LIKE $1 || '.%'"
		return conn.QueryRow(t.Context(), at, schema).Scan(&port)
	})
	return port
}

// moveSchema moves a schema to the other worker. Writes wait meanwhile: what Citus does without that, replicating what
// is written, PostgreSQL refuses where tables have row-level security, and Citus tries it for ever.
func moveSchema(t testing.TB, schema string) {
	t.Helper()
	port, from := "", workerOf(t, schema)
	asAdmin(t, func(conn *pgx.Conn) error {
		const other = "SELECT nodeport::text FROM pg_dist_node WHERE groupid <> 0 AND nodeport::text <> $1"
		const move = "SELECT citus_schema_move($1::text::regnamespace, '127.0.0.1', $2::text::int, 'block_writes')"
		err := conn.QueryRow(t.Context(), other, from).Scan(&port)
		if err == nil {
			_, err = conn.Exec(t.Context(), move, schema, port)
		}
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
