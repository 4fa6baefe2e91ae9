package hubstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/fences"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/lists"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
	"github.com/stemma-memory/stemma/internal/store/storetest"
	"github.com/stemma-memory/stemma/memory"
)

// tempHub migrates an empty schema and gives its address for the role that serves,
// which is dropped when the test ends.
func tempHub(tb testing.TB) (admin, address, role string) {
	tb.Helper()
	admin = storetest.EmptyPostgres(tb)
	role = fmt.Sprintf("hub_%d_%d", os.Getpid(), time.Now().UnixNano())
	conn, err := pgx.Connect(tb.Context(), os.Getenv("STEMMA_TEST_POSTGRES"))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		ctx := context.WithoutCancel(tb.Context())
		_, err := conn.Exec(ctx, "DROP OWNED BY "+role)
		if err == nil {
			_, err = conn.Exec(ctx, "DROP ROLE "+role)
		}
		if err := errors.Join(err, conn.Close(ctx)); err != nil {
			tb.Error(err)
		}
	})
	m, err := Migrate(tb.Context(), admin, role, 0)
	if err != nil {
		tb.Fatal(err)
	}
	if !m.Made || m.Tables != len(fences.All)-1 { // all but the copy that pgvector searches
		tb.Errorf("Migrate gives %+v, want a new role and %d tables", m, len(fences.All)-1)
	}
	return admin, m.Address, role
}

func openHub(tb testing.TB, address string, now func() time.Time) *Hub {
	tb.Helper()
	h, err := Open(tb.Context(), address, sqlstore.Options{Now: now})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := h.Close(); err != nil {
			tb.Error(err)
		}
	})
	return h
}

// tempHubs returns a hub on each database.
func tempHubs(t *testing.T, do func(t *testing.T, h *Hub)) {
	t.Run("sqlite", func(t *testing.T) { do(t, openHub(t, tempSQLite(t), nil)) })
	t.Run("postgres", func(t *testing.T) {
		_, address, _ := tempHub(t)
		do(t, openHub(t, address, nil))
	})
}

func within(tb testing.TB, h *Hub, writes ...string) store.Store {
	tb.Helper()
	for _, s := range writes {
		if err := h.AddSpace(tb.Context(), s); err != nil {
			tb.Fatal(err)
		}
	}
	s, err := h.Within(tb.Context(), store.Sight{Writes: writes})
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// Every table has row-level security that binds its owner too, and either a plan by
// space or a reason why it has none.
func TestEveryTableIsFenced(t *testing.T) {
	admin, _, role := tempHub(t)
	s := open(t, admin, sqlstore.Options{})
	rows, err := s.Connections().QueryContext(t.Context(), `SELECT c.relname, c.relrowsecurity, c.relforcerowsecurity,
		(SELECT count(*) FROM pg_policy p WHERE p.polrelid = c.oid),
		has_table_privilege($1, c.oid, 'TRUNCATE') OR has_table_privilege($1, c.oid, 'REFERENCES') OR `+
		`has_table_privilege($1, c.oid, 'TRIGGER')
		FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = current_schema() AND c.relkind IN `+
		`('r', 'p')`, role)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	seen := 0
	for rows.Next() {
		var name string
		var on, forced, tooMuch bool
		var policies int
		if err := rows.Scan(&name, &on, &forced, &policies, &tooMuch); err != nil {
			t.Fatal(err)
		}
		seen++
		f := fences.All[name]
		bySpace := strings.Contains(f.Reads, session.SetReads) || strings.Contains(f.Reads, session.SetReadNames)
		if !on || !forced || policies == 0 || tooMuch || !bySpace && f.Why == "" {
			t.Errorf("table %s: row security %v, forced %v, %d policies, too many privileges %v, fenced by space %v, reason %q",
				name, on, forced, policies, tooMuch, bySpace, f.Why)
		}
	}
	if err := rows.Err(); err != nil || seen < 20 {
		t.Errorf("%d tables were looked at, %v", seen, err)
	}
	if _, err := Migrate(t.Context(), admin, role, 0); err != nil {
		t.Errorf("the second Migrate gives %v, want that it can be done again", err)
	}
	exec(t, s, "CREATE TABLE forgotten (key BIGINT)")
	if _, err := Migrate(t.Context(), admin, role, 0); err == nil || !strings.Contains(err.Error(), "forgotten") {
		t.Errorf("Migrate of a schema with a table in no plan gives %v, want an error that names it", err)
	}
}

func TestHubRefusesARoleThatMayTooMuch(t *testing.T) {
	admin, address, role := tempHub(t)
	refused := func(what, address, want string) {
		t.Helper()
		h, err := Open(t.Context(), address, sqlstore.Options{})
		if err == nil {
			h.Close()
		}
		if !errors.Is(err, store.ErrRole) || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), "hub_migrate") {
			t.Errorf("Open as %s gives %v, want ErrRole about %q and what to do", what, err, want)
		}
	}
	refused("a superuser", admin, "superuser")
	s := open(t, admin, sqlstore.Options{})
	for _, tt := range []struct{ what, grant, revoke, want string }{
		{"a role that bypasses", "ALTER ROLE " + role + " BYPASSRLS", "ALTER ROLE " + role + " NOBYPASSRLS", "bypasses"},
		{
			"a role that makes roles", "ALTER ROLE " + role + " CREATEROLE",
			"ALTER ROLE " + role + " NOCREATEROLE", "makes roles",
		},
		{"an owner", "ALTER TABLE usage OWNER TO " + role, "ALTER TABLE usage OWNER TO CURRENT_USER", "owns 1 table"},
		{
			"nobody in particular", "ALTER TABLE edges NO FORCE ROW LEVEL SECURITY",
			"ALTER TABLE edges FORCE ROW LEVEL SECURITY", "edges",
		},
	} {
		exec(t, s, tt.grant)
		refused(tt.what, address, tt.want)
		exec(t, s, tt.revoke)
	}
	openHub(t, address, nil)
	exec(t, s, "ALTER ROLE "+role+" BYPASSRLS")
	if _, err := Migrate(t.Context(), admin, role, 0); !errors.Is(err, store.ErrRole) {
		t.Errorf("Migrate with a role that bypasses row security gives %v, want ErrRole", err)
	}
	exec(t, s, "ALTER ROLE "+role+" NOBYPASSRLS")
}

func TestHubIsNotMadeByWhoServesIt(t *testing.T) {
	_, address, role := tempHub(t)
	empty := storetest.EmptyPostgres(t)
	mine, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	other, err := url.Parse(empty)
	if err != nil {
		t.Fatal(err)
	}
	mine.RawQuery = other.RawQuery
	if h, err := Open(t.Context(), mine.String(), sqlstore.Options{}); err == nil ||
		!strings.Contains(err.Error(), "hub_migrate") {
		t.Errorf("Open of an empty schema as %s gives %v, %v, want to be told to migrate", role, h, err)
	}
}

// Two callers, each with spaces of his own, on the connections of one pool.
func TestHubKeepsCallersApart(t *testing.T) {
	tempHubs(t, func(t *testing.T, h *Hub) {
		ann, bob := storetest.NewOwner("ann"), storetest.NewOwner("bob")
		hers, his := ann.Raw(t, "a heron on the river"), bob.Raw(t, "a heron on the roof")
		a, b := within(t, h, hers.Header.Space), within(t, h, his.Header.Space)
		for _, x := range []struct {
			s store.Store
			r *memory.Record
		}{{a, hers}, {b, his}} {
			if n, err := x.s.Append(t.Context(), store.Batch{Records: []*memory.Record{x.r}}); n != 1 || err != nil {
				t.Fatalf("Append gives %d, %v, want 1", n, err)
			}
		}
		if n, err := a.Append(
			t.Context(), store.Batch{Records: []*memory.Record{bob.Raw(t, "put in by another")}},
		); n != 0 || err == nil {
			t.Errorf("Append into another's space gives %d, %v, want an error", n, err)
		}
		for range 20 { // whichever connection it gets
			items, err := a.Get(t.Context(), hers.ID, his.ID)
			if err != nil || items[0] == nil || items[1] != nil {
				t.Fatalf("Get gives %v, %v, want hers and not his", items, err)
			}
			items, err = b.Get(t.Context(), hers.ID, his.ID)
			if err != nil || items[0] != nil || items[1] == nil {
				t.Fatalf("Get gives %v, %v, want his and not hers", items, err)
			}
		}
		hits, err := a.Match(t.Context(), store.Match{Terms: []string{"heron"}})
		if err != nil || len(hits) != 1 || hits[0].ID != hers.ID {
			t.Errorf("Match gives %v, %v, want hers alone", hits, err)
		}
		if spaces, err := a.Spaces(t.Context()); err != nil || len(spaces) != 1 {
			t.Errorf("Spaces gives %v, %v, want hers alone", spaces, err)
		}
		if log, err := a.Since(t.Context(), his.Header.Space, 0, 10); err != nil || len(log) != 0 {
			t.Errorf("Since of his log gives %v, %v, want none", log, err)
		}
		both, err := h.Within(
			t.Context(), store.Sight{Reads: []string{his.Header.Space}, Writes: []string{hers.Header.Space}},
		)
		if err != nil {
			t.Fatal(err)
		}
		items, err := both.Get(t.Context(), hers.ID, his.ID)
		if err != nil || items[0] == nil || items[1] == nil {
			t.Errorf("Get for who reads both gives %v, %v", items, err)
		}
		if n, err := both.Append(t.Context(), store.Batch{Records: []*memory.Record{bob.Raw(t, "only read")}}); n != 0 ||
			err == nil {
			t.Errorf("Append into a space that is only read gives %d, %v, want an error", n, err)
		}
	})
}

// Raw SQL of the role that serves, in the scope of one caller, about the rows of
// another; and in no scope at all.
func TestRawSQLAcrossCallers(t *testing.T) {
	_, address, _ := tempHub(t)
	h := openHub(t, address, nil)
	ann, bob := storetest.NewOwner("ann"), storetest.NewOwner("bob")
	fill := func(o *storetest.Author) string {
		belief := o.Belief(t, "it is so")
		rs := []*memory.Record{
			o.Raw(t, "words", func(h *memory.Header) { h.Alias, h.Session = []string{"elsewhere"}, "talk" }),
			belief, o.Mark(t, memory.Approve, belief),
		}
		s := within(t, h, belief.Header.Space)
		if _, err := s.Append(t.Context(), store.Batch{Records: rs}); err != nil {
			t.Fatal(err)
		}
		return belief.Header.Space
	}
	fill(ann)
	space := fill(bob)
	his := within(t, h, space).(*seen)
	no, err := his.Names().Number(t.Context(), his.Reads(), lists.Spaces, space)
	if err != nil || no == 0 {
		t.Fatal(no, err)
	}
	var spaceTables []string
	for table, f := range fences.All {
		if table != "near" && f.Why == "" {
			spaceTables = append(spaceTables, table)
		}
	}
	slices.Sort(spaceTables)
	columns := map[string]string{"spaces": "no = $1", "edges": "src >> 40 = $1", "dangling": "src >> 40 = $1",
		"aliases":  "space = $1",
		"segments": "space = $1", "segment_parts": "space = $1", "checkpoints": "$1 > 0", "jobs": "$1 > 0"}
	adds := map[string]string{
		"spaces": "INSERT INTO spaces (no, name, last, indexed) VALUES ($1 + 100, 'x/y', 0, 0)",
		"records": "INSERT INTO records (key, id, kind, author, at, more) VALUES ($1::bigint << 40 | 99, '\\x01', 1, " +
			"1, 0, 0)",
		"payloads":      "INSERT INTO payloads VALUES ($1::bigint << 40 | 99, '\\x01', '\\x01')",
		"signatures":    "INSERT INTO signatures VALUES ($1::bigint << 40 | 99, 0, 1, '\\x01')",
		"edges":         "INSERT INTO edges VALUES ($1::bigint << 40 | 99, 0, 1, 1)",
		"dangling":      "INSERT INTO dangling VALUES ($1::bigint << 40 | 99, 0, 1, '\\x01')",
		"aliases":       "INSERT INTO aliases VALUES ($1, '\\x01', 1)",
		"state":         "INSERT INTO state VALUES ($1::bigint << 40 | 99, 0)",
		"usage":         "INSERT INTO usage VALUES ($1::bigint << 40 | 99, 1, 1)",
		"vectors":       "INSERT INTO vectors VALUES (1, $1::bigint << 40 | 99, 1, '\\x01')",
		"segments":      "INSERT INTO segments VALUES ($1, 9, 0, 1, 1, 1)",
		"segment_parts": "INSERT INTO segment_parts VALUES ($1, 9, 0, '\\x01')",
		"checkpoints":   "INSERT INTO checkpoints VALUES ('x/y', $1, '\\x01', '', '', 0)",
		"jobs":          "INSERT INTO jobs (key, task, space, made, due) VALUES ('k', 't', 'x/y', $1, 0)",
	}
	hers := within(t, h, ann.Raw(t, "x").Header.Space).(*seen)
	tried, leaked, wrote := 0, 0, 0
	for _, as := range []*session.Scope{hers.Reads().As, {}, {Hub: "on"}} {
		for _, table := range spaceTables {
			where := columns[table]
			if where == "" {
				where = "key >> 40 = $1"
			}
			var n int
			if as.Hub == "" || table != "spaces" { // the hub sees the names of spaces
				tried++
				if err := h.base.Connections().QueryRowContext(
					as.Under(t.Context()), "SELECT count(*) FROM "+table+" WHERE "+where, no,
				).Scan(&n); err != nil || n > 0 {
					leaked++
					t.Errorf("as %+v %s shows %d rows, %v", *as, table, n, err)
				}
			}
			if as.Hub != "" && table == "spaces" {
				continue
			}
			if adds[table] == "" {
				t.Errorf("no INSERT is tried on %s", table)
			}
			for _, query := range []string{"UPDATE " + table + " SET " + strings.Fields(
				strings.ReplaceAll(where, "$1 > 0", "space"),
			)[0] + " = " +
				strings.Fields(
					strings.ReplaceAll(where, "$1 > 0", "space"),
				)[0] + " WHERE " + where, "DELETE FROM " + table + " WHERE " + where, adds[table]} {
				tried++
				result, err := h.base.Connections().ExecContext(as.Under(t.Context()), query, no)
				if err == nil {
					if n, _ := result.RowsAffected(); n > 0 {
						wrote++
						t.Errorf("as %+v %q changes %d rows", *as, query, n)
					}
				} else if code := session.PostgresCode(err); code != session.Forbidden {
					t.Errorf("as %+v %q gives %v, want that it is not allowed", *as, query, err)
				}
			}
		}
		for table, f := range fences.All {
			if strings.HasPrefix(table, "hub_") && as.Hub == "" {
				tried++
				var n int
				if err := h.base.Connections().QueryRowContext(
					as.Under(t.Context()), "SELECT count(*) FROM "+table,
				).Scan(&n); err != nil || n > 0 {
					t.Errorf("as %+v %s (%s) shows %d rows, %v", *as, table, f.Why, n, err)
				}
			}
		}
	}
	for _, query := range []string{"SELECT * FROM memory_provenance", "SET ROLE postgres",
		"ALTER TABLE records DISABLE ROW LEVEL SECURITY",
		"DROP POLICY stemma_select ON records", "CREATE TABLE mine (x int)", "TRUNCATE edges",
		"ALTER TABLE records OWNER TO CURRENT_USER"} {
		tried++
		if _, err := h.base.Connections().ExecContext(hers.Reads().As.Under(t.Context()), query); err == nil {
			t.Errorf("%q was done", query)
		}
	}
	t.Logf("%d attempts, %d rows shown, %d written", tried, leaked, wrote)
	items, err := his.Get(t.Context())
	if err != nil || len(items) != 0 {
		t.Error(items, err)
	}
}

// The suite of every store passes behind row-level security, for who may write
// every space and begin more.
func TestHubViewIsAStore(t *testing.T) {
	if os.Getenv("STEMMA_LONG") == "" {
		t.Skip("STEMMA_LONG is not set: TestPostgres runs the suite, and this one again behind policies")
	}
	storetest.EmptyPostgres(t)
	var all []int
	for i := range 2000 {
		all = append(all, i+1)
	}
	open := func(t *testing.T, now func() time.Time) store.Store {
		_, address, _ := tempHub(t)
		h := openHub(t, address, now)
		of := session.ScopeOf(all, all, nil)
		of.Hub = "on" // the suite sets cursors too, which belong to the machine
		return h.base.Seen(of, make(chan struct{}, hubWriters))
	}
	storetest.RunMany(t, open)
	storetest.Run(t, open, "Jobs", "ManyHands", "Held") // they are of spaces that never begin, and a hub keeps none
}

// Whoever reads a space sees of another the key records alone, if at all.
func TestHubShowsKeysAlone(t *testing.T) {
	tempHubs(t, func(t *testing.T, h *Hub) {
		bob := storetest.NewOwner("bob")
		_, delegation := bob.NewAgent(t, "agent")
		words, ctx := bob.Raw(t, "words"), t.Context()
		home := delegation.Header.Space
		if _, err := within(t, h, home, words.Header.Space).Append(
			ctx, store.Batch{Records: []*memory.Record{delegation, words}},
		); err != nil {
			t.Fatal(err)
		}
		if err := h.AddSpace(ctx, "ann/main"); err != nil {
			t.Fatal(err)
		}
		reader, err := h.Within(ctx, store.Sight{Reads: []string{"ann/main"}, Keys: []string{home}})
		if err != nil {
			t.Fatal(err)
		}
		items, err := reader.Get(ctx, delegation.ID, words.ID)
		if err != nil || items[0] == nil || items[0].Record == nil || len(items[0].Record.Sigs) == 0 || items[1] != nil {
			t.Errorf("Get gives %v, %v, want the key with its signature and not the words", items, err)
		}
		n := 0
		for it, err := range reader.List(ctx, store.Query{Kinds: []memory.Kind{memory.KindKey}, Hidden: true}) {
			if n++; err != nil || it.Ref.ID != delegation.ID {
				t.Errorf("List of keys gives %v, %v", it, err)
			}
		}
		for it, err := range reader.List(ctx, store.Query{Hidden: true}) {
			t.Errorf("List of memories gives %v, %v, want none", it, err)
		}
		ring, err := reader.Keyring(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if _, held := ring.Delegated(delegation.ID); n != 1 || !held {
			t.Errorf("%d keys are listed, and the ring has the delegation: %v", n, held)
		}
		if _, err := reader.Append(
			ctx, store.Batch{Records: []*memory.Record{delegation}},
		); !errors.Is(err, store.ErrAbsent) {
			t.Errorf("Append by a reader gives %v, want ErrAbsent", err)
		}
		writer, err := h.Within(ctx, store.Sight{Writes: []string{"ann/main"}, Keys: []string{home}})
		if err != nil {
			t.Fatal(err)
		}
		_, other := bob.NewAgent(t, "another agent")
		if n, err := writer.Append(ctx, store.Batch{Records: []*memory.Record{other}}); n != 1 || err != nil {
			t.Errorf("Append of a key by a writer gives %d, %v", n, err)
		}
		if _, err := writer.Append(
			ctx, store.Batch{Records: []*memory.Record{bob.Raw(t, "more")}},
		); !errors.Is(err, store.ErrAbsent) {
			t.Errorf("Append of words where the keys are seen gives %v, want ErrAbsent", err)
		}
	})
}

func TestHubAccounts(t *testing.T) {
	tempHubs(t, func(t *testing.T, h *Hub) {
		ctx, now := t.Context(), storetest.Start
		code, first, second := store.Secret{1}, store.Secret{2}, store.Secret{3}
		if err := h.Invite(
			ctx,
			store.Invitation{
				Secret: code, ID: "inv", Space: "ann/main", Role: store.Writer, Made: now,
				Expires: now.Add(time.Hour),
			},
		); err != nil {
			t.Fatal(err)
		}
		bob := store.Account{DID: "did:key:bob", Name: "Bob", Made: now}
		other := store.Invitation{
			Secret: store.Secret{7}, ID: "other", Space: "ann/main", Role: store.Reader, Made: now,
			Expires: now.Add(time.Hour),
		}
		if err := h.Invite(ctx, other); err != nil {
			t.Fatal(err)
		}
		for _, at := range []struct {
			id, space string
			now       time.Time
			want      error
		}{
			{"other", "bob/main", now, store.ErrAbsent}, {"none", "", now, store.ErrAbsent}, {
				"other", "", now.Add(2 * time.Hour), store.ErrAbsent,
			},
			{"other", "ann/main", now, nil}, {"other", "ann/main", now, store.ErrAbsent},
		} {
			if err := h.Uninvite(ctx, at.id, at.space, at.now); !errors.Is(err, at.want) {
				t.Errorf("Uninvite of %s to %q gives %v, want %v", at.id, at.space, err, at.want)
			}
		}
		if _, err := h.Join(
			ctx, other.Secret, bob, store.Token{ID: "t0", Secret: store.Secret{8}, Account: bob.DID, Made: now},
		); !errors.Is(err, store.ErrSpent) {
			t.Errorf("Join with a code that was taken back gives %v, want ErrSpent", err)
		}
		token := store.Token{
			ID: "t1", Secret: first, Account: bob.DID, Audience: "hub", Made: now, Expires: now.Add(time.Hour),
		}
		if _, err := h.Join(ctx, store.Secret{9}, bob, token); !errors.Is(err, store.ErrSpent) {
			t.Errorf("Join with a wrong code gives %v, want ErrSpent", err)
		}
		if got, err := h.Join(ctx, code, bob, token); err != nil || got.Space != "ann/main" || got.Role != store.Writer {
			t.Fatalf("Join gives %+v, %v", got, err)
		}
		if err := h.Uninvite(ctx, "inv", "", now); !errors.Is(err, store.ErrAbsent) {
			t.Errorf("Uninvite of one that was used gives %v, want ErrAbsent", err)
		}
		eve := store.Account{DID: "did:key:eve", Name: "Eve", Made: now}
		if _, err := h.Join(
			ctx, code, eve, store.Token{ID: "t2", Secret: second, Account: eve.DID, Made: now},
		); !errors.Is(err, store.ErrSpent) {
			t.Errorf("Join with a code that was used gives %v, want ErrSpent", err)
		}
		if _, err := h.Account(ctx, eve.DID); !errors.Is(err, store.ErrAbsent) {
			t.Errorf("Account of who was not let in gives %v, want ErrAbsent", err)
		}
		got, err := h.Token(ctx, first)
		if err != nil || got.Account != bob.DID || !got.Good("hub", now) || got.Good("other", now) ||
			got.Good("hub", now.Add(2*time.Hour)) {
			t.Errorf("Token gives %+v, %v", got, err)
		}
		if ms, err := h.Members(ctx, "", bob.DID); err != nil || len(ms) != 1 || ms[0].Role != store.Writer {
			t.Errorf("Members gives %v, %v", ms, err)
		}
		if err := h.RevokeToken(ctx, "t1", "did:key:other", now); !errors.Is(err, store.ErrAbsent) {
			t.Errorf("RevokeToken of another's token gives %v, want ErrAbsent", err)
		}
		if err := h.EndAccount(ctx, bob.DID, now); err != nil {
			t.Fatal(err)
		}
		if got, err := h.Token(ctx, first); err != nil || got.Good("hub", now) {
			t.Errorf("the token of an ended account is %+v, %v, want it revoked", got, err)
		}
		if ms, err := h.Members(ctx, "", bob.DID); err != nil || len(ms) != 0 {
			t.Errorf("Members of an ended account gives %v, %v", ms, err)
		}
	})
}

func TestHubTransit(t *testing.T) {
	tempHubs(t, func(t *testing.T, h *Hub) {
		ctx, now := t.Context(), storetest.Start
		l := store.Message{ID: "l1", From: "a", To: "b", Body: []byte("please"), Made: now, Expires: now.Add(time.Hour)}
		for range 2 {
			if err := h.PutMessage(ctx, l); err != nil {
				t.Fatal(err)
			}
		}
		if all, err := h.Messages(ctx, "b", now); err != nil || len(all) != 1 || all[0].From != "a" {
			t.Errorf("Letters gives %v, %v, want the one", all, err)
		}
		if _, err := h.Message(ctx, "l1", "c", now); !errors.Is(err, store.ErrAbsent) {
			t.Errorf("another's letter gives %v, want ErrAbsent", err)
		}
		if got, err := h.Message(ctx, "l1", "b", now); err != nil || string(got.Body) != "please" {
			t.Errorf("Letter gives %+v, %v", got, err)
		}
		if _, err := h.Message(ctx, "l1", "b", now.Add(2*time.Hour)); !errors.Is(err, store.ErrAbsent) {
			t.Errorf("an expired letter gives %v, want ErrAbsent", err)
		}
		if n, size, err := h.MessagesFrom(ctx, store.Message{From: "a"}, now); n != 1 || size != 6 || err != nil {
			t.Errorf("LettersFrom gives %d of %d bytes, %v, want the one of 6", n, size, err)
		}
		if n, size, err := h.MessagesFrom(ctx, l, now); n != 0 || size != 0 || err != nil {
			t.Errorf("LettersFrom beside the one gives %d of %d bytes, %v", n, size, err)
		}
		if err := h.DropMessage(ctx, "l1", "b"); err != nil {
			t.Error(err)
		}
		for range 2 {
			if err := h.AddKeyed(ctx, "s", "k1", "k2"); err != nil {
				t.Fatal(err)
			}
		}
		if keys, err := h.Keyed(ctx, "s", "other"); err != nil || !slices.Equal(keys, []string{"k1", "k2"}) {
			t.Errorf("Keyed gives %v, %v, want both, once", keys, err)
		}
		for range 2 {
			if err := h.Charge(ctx, "s", "a", 2, 100); err != nil {
				t.Fatal(err)
			}
		}
		if s, a, err := h.Used(ctx, "s", "a"); err != nil || s.Records != 4 || a.Bytes != 200 {
			t.Errorf("Used gives %v, %v, %v", s, a, err)
		}
	})
}

// Whose spaces there are is known of those too that another process begins.
func TestHubSpacesOf(t *testing.T) {
	tempHubs(t, func(t *testing.T, h *Hub) {
		ctx := t.Context()
		other := &Hub{base: h.base, own: h.own} // has read nothing yet
		other.shards.now = &shards{all: []*shard{other.shard(0, "", "", 0)}}
		of := func(h *Hub, owner string, want ...string) {
			t.Helper()
			if got, err := h.SpacesOf(ctx, owner); err != nil || !slices.Equal(got, want) {
				t.Errorf("SpacesOf(%s) = %v, %v, want %v", owner, got, err, want)
			}
		}
		begin := func(spaces ...string) {
			t.Helper()
			for _, s := range spaces {
				if err := h.AddSpace(ctx, s); err != nil {
					t.Fatal(err)
				}
			}
		}
		of(h, "zoe")
		begin("zoe/b", "zoe/a", "zoe2/main")
		of(h, "zoe", "zoe/a", "zoe/b")
		of(other, "zoe2", "zoe2/main")
		begin("zoe2/more", "zoe/a")
		of(other, "zoe2", "zoe2/main", "zoe2/more")
		of(h, "zoe", "zoe/a", "zoe/b")
		of(h, "zo")

		v, err := h.Within(ctx, store.Sight{Reads: []string{"zoe/a"}, Keys: []string{"zoe2/main", "nobody/main"}})
		if err != nil {
			t.Fatal(err)
		}
		all, err := v.Spaces(ctx)
		if err != nil || len(all) != 2 || all[0].Name != "zoe/a" || all[1].Name != "zoe2/main" {
			t.Errorf("within sight there are %v, %v, want zoe/a and zoe2/main", all, err)
		}
	})
}

// Whoever appends looks at the key records in sight alone, however many there are of others.
func TestKeysOfOthersAreNotCounted(t *testing.T) {
	admin, address, _ := tempHub(t)
	h := openHub(t, address, nil)
	var spaces []string
	for i := range 3 {
		o := storetest.NewOwner(fmt.Sprint("person ", i))
		key := o.Make(t, &memory.Key{Op: memory.OpInception, Key: o.Key})
		if _, err := within(t, h, o.Space).Append(t.Context(), store.Batch{Records: []*memory.Record{key}}); err != nil {
			t.Fatal(err)
		}
		spaces = append(spaces, o.Space)
	}
	s := open(t, admin, sqlstore.Options{})
	err := s.Change(t.Context(), "fill", func(ctx context.Context, w *session.Session) error {
		const others = "INSERT INTO records (key, id, kind, author, at, more) SELECT ((i % 2 * 9)::bigint << 40) + i, " +
			"sha256(i::text::bytea), i % 2 * 106 + 1, 1, 0, 0 FROM generate_series(10, 20000) i RETURNING 1"
		return errors.Join(session.AsHub(ctx, w, []int{0, 9}, nil), session.Run(ctx, w, others))
	})
	if err != nil {
		t.Fatal(err)
	}
	exec(t, s, "ANALYZE records")
	ann := within(t, h, spaces[0], spaces[2]).(*seen)
	from, args := sqlstore.KeysInSight(ann.Reads())
	var n int
	if _, err := ann.Reads().One(t.Context(), []any{&n}, "SELECT count(*) FROM "+from, args...); err != nil || n != 2 {
		t.Errorf("%d key records are in sight, %v; want 2", n, err)
	}
	if ann.Reads().Spread {
		return // the plan is another node's
	}
	var plan strings.Builder
	err = ann.Reads().Each(t.Context(), func(r *sql.Rows) error {
		var line string
		err := r.Scan(&line)
		plan.WriteString(line + "\n")
		return err
	}, "EXPLAIN (ANALYZE, COSTS off, TIMING off) SELECT count(*) FROM "+from, args...)
	text := plan.String()
	if err != nil || !strings.Contains(text, "Index Cond: ((kind = 107) AND (key > s.low) AND (key < s.high))") ||
		strings.Contains(text, "Rows Removed") {
		t.Errorf("the key records of others are read too, %v:\n%s", err, text)
	}
}
