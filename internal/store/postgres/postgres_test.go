package postgres

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"math"
	"net/url"
	"os"
	"reflect"
	"strings"
	"testing"
)

// address returns that of the server, with a mode.
func address(t *testing.T, mode mode) string {
	t.Helper()
	server := os.Getenv("STEMMA_TEST_POSTGRES")
	if server == "" {
		t.Skip("STEMMA_TEST_POSTGRES names no server")
	}
	u, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	q.Set("default_query_exec_mode", string(mode))
	u.RawQuery = q.Encode()
	return u.String()
}

// open returns one connection to the server, as database/sql has it.
func open(t *testing.T, mode mode) *sql.Conn {
	t.Helper()
	config, err := Parse(address(t, mode))
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(config)
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := conn.Close(); err != nil && !errors.Is(err, sql.ErrConnDone) {
			t.Error(err)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return conn
}

var modes = []mode{prepared, described, asked, direct, simple}

// one asks for one value.
func one(t *testing.T, conn *sql.Conn, query string, args ...any) any {
	t.Helper()
	var got any
	if err := conn.QueryRowContext(t.Context(), query, args...).Scan(&got); err != nil {
		t.Errorf("%s: %v", query, err)
	}
	return got
}

func TestValuesComeBack(t *testing.T) {
	for _, mode := range modes {
		conn := open(t, mode)
		for _, tt := range []struct {
			kind string
			in   any
			want any
		}{
			{"bigint", int64(math.MinInt64), int64(math.MinInt64)},
			{"bigint", nil, nil},
			{"integer", -7, int64(-7)},
			{"smallint", 300, int64(300)},
			{"boolean", true, true},
			{"boolean", false, false},
			{"double precision", 0.1, 0.1},
			{"double precision", math.Inf(-1), math.Inf(-1)},
			{"real", 0.5, 0.5},
			{"text", "it's \\ \"é\"\n", "it's \\ \"é\"\n"},
			{"text", "", ""},
			{"bytea", []byte{0, 1, 255, '\\'}, []byte{0, 1, 255, '\\'}},
			{"bytea", []byte{}, []byte{}},
			{"bytea", []byte(nil), nil},
			{"numeric", int64(12), "12"},
		} {
			for range 2 { // as new, and as known
				if got := one(t, conn, "SELECT $1::"+tt.kind, tt.in); !reflect.DeepEqual(got, tt.want) {
					t.Errorf("%s: %v as %s = %#v, want %#v", mode, tt.in, tt.kind, got, tt.want)
				}
			}
		}
	}
}

func TestListsAreArrays(t *testing.T) {
	n, s, b := int64(-1), `a "b", {c}`, []byte{0, 255}
	for _, mode := range modes {
		conn := open(t, mode)
		for _, tt := range []struct {
			kind string
			in   any
			want string
		}{
			{"bigint", []int64{3, math.MinInt64}, "{3,-9223372036854775808}"},
			{"bigint", []int64{}, "{}"},
			{"bigint", []*int64{nil, &n}, "{NULL,-1}"},
			{"text", []string{"", s, "NULL"}, `{"","a \"b\", {c}","NULL"}`},
			{"text", []*string{&s, nil}, `{"a \"b\", {c}",NULL}`},
			{"bytea", [][]byte{b, {}, nil}, `{"\\x00ff","\\x",NULL}`},
			{"bytea", []*[]byte{nil, &b}, `{NULL,"\\x00ff"}`},
			{"real", []float32{0.5, -2}, "{0.5,-2}"},
		} {
			if got := one(t, conn, "SELECT $1::"+tt.kind+"[]::text", tt.in); got != tt.want {
				t.Errorf("%s: %v = %v, want %s", mode, tt.in, got, tt.want)
			}
		}
	}
}

func TestAnArgumentOfAnotherType(t *testing.T) {
	conn := open(t, prepared)
	if err := conn.QueryRowContext(t.Context(), "SELECT $1::text", []bool{true}).Err(); err == nil {
		t.Error("a list of another type is taken")
	}
	if got := one(t, conn, "SELECT 'it goes on'"); got != "it goes on" {
		t.Errorf("then = %v", got)
	}
}

func TestStatementsWithoutArguments(t *testing.T) {
	conn := open(t, prepared)
	_, err := conn.ExecContext(t.Context(), "CREATE TEMP TABLE pair (n int); INSERT INTO pair VALUES (1), (2)")
	if err != nil {
		t.Fatal(err)
	}
	if got := one(t, conn, "SELECT count(*) FROM pair"); got != int64(2) {
		t.Errorf("%v rows, want 2", got)
	}
	done, err := conn.ExecContext(t.Context(), "DELETE FROM pair WHERE n > $1", 0)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := done.RowsAffected(); n != 2 || err != nil {
		t.Errorf("%d rows deleted, %v; want 2", n, err)
	}
}

// A table that changed makes what was prepared of it useless: it fails once, within a
// transaction and outside.
func TestAnotherTableThanWhenPrepared(t *testing.T) {
	for _, mode := range modes {
		conn := open(t, mode)
		run := func(query string) {
			t.Helper()
			if _, err := conn.ExecContext(t.Context(), query); err != nil {
				t.Fatalf("%s: %s: %v", mode, query, err)
			}
		}
		const query = "SELECT * FROM changing WHERE n = $1"
		columns := func() (int, error) {
			got, err := conn.QueryContext(t.Context(), query, 1)
			if err != nil {
				return 0, err
			}
			names, err := got.Columns()
			return len(names), errors.Join(err, got.Close())
		}
		run("CREATE TEMP TABLE changing (n int); INSERT INTO changing VALUES (1)")
		if n, err := columns(); n != 1 || err != nil {
			t.Fatalf("%s: %d columns, %v", mode, n, err)
		}
		run("ALTER TABLE changing ADD COLUMN more text")
		run("BEGIN")
		_, first := columns()
		run("ROLLBACK")
		if n, err := columns(); n != 2 || err != nil {
			t.Errorf("%s: after %v: %d columns, %v; want 2", mode, first, n, err)
		}
	}
}

func TestNotTooManyStatementsAreKept(t *testing.T) {
	conn := open(t, prepared)
	for i := range mostKnown + 50 {
		query := fmt.Sprintf("SELECT $1::int + %d", i)
		for range 2 {
			if got := one(t, conn, query, 1); got != int64(i+1) {
				t.Fatalf("%s = %v", query, got)
			}
		}
	}
	if n := one(t, conn, "SELECT count(*) FROM pg_prepared_statements WHERE $1", true).(int64); n > mostKnown {
		t.Errorf("the server keeps %d statements, at most %d", n, mostKnown)
	}
}

// A statement that is planned for its values is not one that the server keeps.
func TestPlannedEachTime(t *testing.T) {
	conn := open(t, prepared)
	for range 2 {
		if got := one(t, conn, "SELECT $1::int * 2", Planned{}, 21); got != int64(42) {
			t.Errorf("got %v", got)
		}
	}
	kept := one(t, conn, "SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE $1", "SELECT $1::int * 2")
	if kept != int64(0) {
		t.Errorf("%v are kept", kept)
	}
}

func TestACancelledQueryEndsItsConnection(t *testing.T) {
	conn := open(t, prepared)
	ctx, cancel := context.WithCancel(t.Context())
	got, err := conn.QueryContext(ctx, "SELECT n FROM generate_series(1, $1::bigint) n", 2_000_000)
	if err != nil {
		t.Fatal(err)
	}
	if !got.Next() {
		t.Fatal("no row")
	}
	cancel()
	for got.Next() {
		continue
	}
	if err := got.Err(); !errors.Is(err, context.Canceled) {
		t.Errorf("the rows end with %v", err)
	}
	_ = got.Close()
	if err := conn.PingContext(t.Context()); !errors.Is(err, driver.ErrBadConn) && !errors.Is(err, sql.ErrConnDone) {
		t.Errorf("then = %v", err)
	}
}

// The pool gives out no connection that someone left within a transaction.
func TestLeftWithinATransaction(t *testing.T) {
	config, err := Parse(address(t, prepared))
	if err != nil {
		t.Fatal(err)
	}
	conn, err := config.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.ResetSession(t.Context()); err != nil || !conn.Idle() {
		t.Errorf("a new connection: %v", err)
	}
	if _, err := conn.ExecContext(t.Context(), "BEGIN", nil); err != nil {
		t.Fatal(err)
	}
	if err := conn.ResetSession(t.Context()); !errors.Is(err, driver.ErrBadConn) {
		t.Errorf("within a transaction: %v", err)
	}
}

func TestAddresses(t *testing.T) {
	for text, want := range map[string]mode{"": prepared, "exec": direct, "simple_protocol": direct,
		"cache_describe": described, "describe_exec": asked, "cache_statement": prepared} {
		at := "postgres://u@h/d?statement_cache_capacity=5"
		if text != "" {
			at += "&default_query_exec_mode=" + text
		}
		c, err := Parse(at)
		if err != nil || c.mode != want {
			t.Errorf("%q = %q, %v; want %q", text, c.mode, err, want)
		}
		if err == nil && len(c.RuntimeParams) > 0 {
			t.Errorf("%q: the server is given %v", text, c.RuntimeParams)
		}
	}
	for _, wrong := range []string{"postgres://h/d?default_query_exec_mode=often", "postgres://h:port/d"} {
		if _, err := Parse(wrong); err == nil {
			t.Errorf("%s is taken", wrong)
		}
	}
}

// Programs that share connections at a pooler mean the same statement by a name.
func TestAStatementIsNamedAfterItsText(t *testing.T) {
	conn := open(t, prepared)
	one(t, conn, "SELECT $1::int", 1)
	name := fmt.Sprint(one(t, conn, "SELECT name FROM pg_prepared_statements WHERE statement = $1", "SELECT $1::int"))
	if !strings.HasPrefix(name, "stemma_") || len(name) != len("stemma_")+32 {
		t.Errorf("it is named %q", name)
	}
}
