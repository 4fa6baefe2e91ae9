package hubstore

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
	"github.com/stemma-memory/stemma/internal/store/storetest"
	"github.com/stemma-memory/stemma/memory"
)

// tempOwner gives a new role an empty schema of its own, and returns the role's address there. The role is no
// superuser, and row-level security binds it.
func tempOwner(t *testing.T, rights string) (address, role string) {
	t.Helper()
	admin := os.Getenv("STEMMA_TEST_POSTGRES")
	if admin == "" {
		t.Skip("STEMMA_TEST_POSTGRES names no server")
	}
	role = fmt.Sprintf("owner_%d_%d", os.Getpid(), time.Now().UnixNano())
	asOwner(t, admin, "CREATE ROLE "+role+" LOGIN NOSUPERUSER PASSWORD 'owner' "+rights,
		"CREATE SCHEMA "+role+" AUTHORIZATION "+role, "GRANT CREATE ON DATABASE "+databaseOf(t, admin)+" TO "+role)
	t.Cleanup(func() {
		for _, name := range []string{role + "_serves", role} { // the second owns the schemas
			asOwner(t, admin, "DO $$ BEGIN IF EXISTS (SELECT FROM pg_roles WHERE rolname = '"+name+"') THEN "+
				"DROP OWNED BY "+name+" CASCADE; DROP ROLE "+name+"; END IF; END $$")
		}
	})
	u, err := url.Parse(admin)
	if err != nil {
		t.Fatal(err)
	}
	u.User = url.UserPassword(role, "owner")
	q := u.Query()
	q.Set("search_path", role)
	u.RawQuery = q.Encode()
	return u.String(), role
}

// asOwner runs statements at an address.
func asOwner(t *testing.T, address string, all ...string) {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	for _, q := range all {
		if _, err := conn.Exec(ctx, q); err != nil {
			t.Fatalf("%s: %v", q, err)
		}
	}
}

func databaseOf(t *testing.T, address string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return session.Quoted(strings.TrimPrefix(u.Path, "/"))
}

// inShard returns somebody whose spaces are in a shard of a hub of two, with one that has begun.
func inShard(t *testing.T, h *Hub, name string, no uint64) *storetest.Author {
	t.Helper()
	for i := 0; ; i++ {
		who := storetest.NewOwner(fmt.Sprint(name, i))
		if hashed(ownerOf(who.Space))%2 != no {
			continue
		}
		if err := h.AddSpace(t.Context(), who.Space); err != nil {
			t.Fatal(err)
		}
		return who
	}
}

// A hub is made, brought up to date and split by a role that owns its tables, is no superuser and is bound by their
// policies: nothing is hidden from it that it has to change.
func TestTheOwnerOfTheTablesMigrates(t *testing.T) {
	admin, owner := tempOwner(t, "CREATEROLE")
	role := owner + "_serves"
	m, err := Migrate(t.Context(), admin, role, 2)
	if os.Getenv("STEMMA_TEST_POSTGRES") == os.Getenv("STEMMA_TEST_CITUS") { // where only who bypasses policies can
		if !errors.Is(err, store.ErrRole) || !strings.Contains(err.Error(), "on Citus "+owner) {
			t.Errorf("%+v, %v; want ErrRole", m, err)
		}
		return
	}
	if err != nil || !m.Made {
		t.Fatalf("%+v, %v", m, err)
	}
	h := openHub(t, m.Address, nil)
	ann, bob := inShard(t, h, "ann", 0), inShard(t, h, "bob", 0)
	hers := ann.Raw(t, "a heron on the river")
	his := bob.Belief(t, "herons fish", hers)
	both, err := h.Within(t.Context(), store.Sight{Writes: []string{ann.Space, bob.Space}})
	if err == nil {
		_, err = both.Append(t.Context(), store.Batch{Records: []*memory.Record{hers, his}})
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, schema := range []string{owner, shardName(owner, 1)} { // as the last release left them
		asOwner(t, admin, "SET stemma.hub = 'on'", "ALTER TABLE "+schema+".hub_quotas DROP COLUMN archived",
			"DROP INDEX "+schema+".state_decided",
			"UPDATE "+schema+".meta SET value = '103' WHERE name = 'schema'")
	}
	if m, err = Migrate(t.Context(), admin, role, 0); err != nil || m.Made || m.Shards != 2 {
		t.Fatalf("the owner of an older hub migrates it: %+v, %v", m, err)
	}
	if done, err := SplitShard(t.Context(), admin, role, 0, []string{ownerOf(ann.Space)}, atOnce); err != nil ||
		done.Records != 1 {
		t.Fatalf("the owner splits a shard: %+v, %v", done, err)
	}
	conn, err := pgx.Connect(t.Context(), os.Getenv("STEMMA_TEST_POSTGRES"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	var records, lost, waits int
	if err := conn.QueryRow(t.Context(), fmt.Sprintf(`SELECT (SELECT count(*) FROM %[1]s.records),
		(SELECT count(*) FROM %[1]s.edges WHERE dst NOT IN (SELECT key FROM %[1]s.records)),
		(SELECT count(*) FROM %[1]s.dangling)`, owner)).Scan(&records, &lost, &waits); err != nil {
		t.Fatal(err)
	}
	if records != 1 || lost != 0 || waits != 1 {
		t.Errorf("where ann was are %d records, %d arrows to nothing, %d that wait for hers; want 1, 0 and 1",
			records, lost, waits)
	}
	back, err := h.Within(t.Context(), store.Sight{Reads: []string{ann.Space}})
	if err != nil {
		t.Fatal(err)
	}
	if items, err := back.Get(t.Context(), hers.ID); err != nil || items[0] == nil {
		t.Errorf("what ann wrote is gone after the split: %v, %v", items, err)
	}
}

// A role that lacks a right is told which, in one line, before anything is changed.
func TestAnAdministratorWithoutRights(t *testing.T) {
	rights := ""
	if os.Getenv("STEMMA_TEST_POSTGRES") == os.Getenv("STEMMA_TEST_CITUS") {
		rights = "BYPASSRLS"
	}
	admin, owner := tempOwner(t, rights)
	tables := func() (n int) {
		conn, err := pgx.Connect(t.Context(), admin)
		if err == nil {
			err = conn.QueryRow(t.Context(), "SELECT count(*) FROM pg_tables WHERE schemaname = $1", owner).Scan(&n)
			err = errors.Join(err, conn.Close(t.Context()))
		}
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	refused := func(what, role string, shards int, want string) {
		t.Helper()
		before := tables()
		_, err := Migrate(t.Context(), admin, role, shards)
		if !errors.Is(err, store.ErrRole) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want ErrRole in one line with %q", what, err, want)
		}
		if n := tables(); n != before {
			t.Errorf("%s: %d tables after it, %d before", what, n, before)
		}
	}
	refused("a role that may make no roles", owner+"_serves", 0, "CREATE ROLE")
	server := os.Getenv("STEMMA_TEST_POSTGRES")
	asOwner(t, server, "CREATE ROLE "+owner+"_serves LOGIN",
		"REVOKE CREATE ON DATABASE "+databaseOf(t, server)+" FROM "+owner)
	refused("a role that may make no schemas", owner+"_serves", 3, "GRANT CREATE ON DATABASE")
	asOwner(t, server, "CREATE TABLE "+owner+".meta (name TEXT PRIMARY KEY, value TEXT NOT NULL)")
	refused("a role that does not own a table", owner+"_serves", 0, "does not own the table meta")
	asOwner(t, server, "DROP TABLE "+owner+".meta")
	if m, err := Migrate(t.Context(), admin, owner+"_serves", 0); err != nil || m.Made {
		t.Errorf("where the role is there: %+v, %v", m, err)
	}
}
