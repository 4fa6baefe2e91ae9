package sqlstore

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/stemma-memory/stemma/internal/store/sqlstore/fences"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
)

// What PostgreSQL can do and an engine that spreads it over machines cannot, or not
// well. docs/lab/design/scale.md has the engines.
var unspreadable = []struct {
	what string
	is   *regexp.Regexp
}{
	{"sequence", regexp.MustCompile(`(?i)\b(small|big)?serial\d?\b|CREATE\s+SEQUENCE|\bnextval\s*\(|\bAS\s+IDENTITY\b`)},
	{"advisory lock", regexp.MustCompile(`(?i)\bpg_(try_)?advisory_`)},
	{"message between sessions", regexp.MustCompile(`(?im)^\s*(LISTEN|UNLISTEN|NOTIFY)\s+\w+\s*(,|;|$)|pg_notify\s*\(`)},
	{"trigger", regexp.MustCompile(`(?i)\bCREATE\s+(OR\s+REPLACE\s+)?(CONSTRAINT\s+)?TRIGGER\b`)},
	{"deferred constraint", regexp.MustCompile(`\bDEFERRABLE\b|INITIALLY\s+DEFERRED|SET\s+CONSTRAINTS`)},
	{"temporary table", regexp.MustCompile(`(?i)\bCREATE\s+((GLOBAL|LOCAL)\s+)?TEMP(ORARY)?\s|\bpg_temp\b`)},
	{"locked row", regexp.MustCompile(`\bFOR\s+((NO\s+)?KEY\s+)?(UPDATE|SHARE)\b|SKIP\s+LOCKED`)},
	{"locked table", regexp.MustCompile(`(?i)\bLOCK\s+TABLE\b`)},
	{"part of a transaction", regexp.MustCompile(`(?i)^\s*(SAVEPOINT|ROLLBACK\s+TO|PREPARE\s+TRANSACTION)\b`)},
	{"foreign key", regexp.MustCompile(`\bREFERENCES\s+\w+\s*[(,]|FOREIGN\s+KEY`)},
	{"place of a row on disk", regexp.MustCompile(`(?i)\bctid\b|\bxmin\b`)},
}

// excused is what of it we use all the same, each where it is found and as often.
var excused = map[string]struct {
	times int
	why   string
}{
	"trigger in migrations/postgres/0101.sql": {2, "two of those of 0100, which must not be in the way of a new column"},
	"trigger in migrations/postgres/0100.sql": {8,
		"they bind the owner of the schema too; nothing of ours rests on them, and scale.md says what stands in their " +
			"place where they cannot be made"},
	"trigger in schema.go": {
		1, "it reads in the migrations which there should be, and makes none that they do not have",
	},
	"locked table in migrate.go": {
		1,
		"of the processes that open a new schema one makes it; 'hub migrate' is the only one where the schema is a hub's",
	},
	"locked table in split.go": {1, "the list of spaces of one shard, while accounts move out of it"},
	"trigger in sweep.go":      {1, "those that keep what is signed are made again after what moved away is gone"},
	"locked row in pgvector.go": {1,
		"two that copy vectors for pgvector do so one after the other; without the copy we scan ourselves"},
}

// notBySpace are the tables whose primary key does not begin with a space, or with a
// key or src, which have the space's number in their high bits.
var notBySpace = map[string]string{
	"spaces":  "the list of spaces itself, a row each",
	"authors": "numbers of public keys, for all spaces: small, everywhere the same",
	"kinds":   "names of kinds: small, everywhere the same",
	"models":  "names of embedders: small; each has the counter of its vectors, which all spaces share",
	"vectors": "by model, then by key: a search of one model goes through its vectors in order, and one model is " +
		"what most hubs have",
	"near":    "the copy of vectors for pgvector, keyed as they are",
	"meta":    "the version of the schema and notes of the program",
	"cursors": "places of readers of one machine",
	"counts":  "counters of one machine",
	"jobs":    "by what is to be done, so that it is left once; a hub's spaces have none",

	"hub_accounts":    "who is known to the hub, in whatever space",
	"hub_tokens":      "found by the secret before it is known whose it is",
	"hub_invitations": "found by the secret before it is known to what space",
	"hub_quotas":      "of a space or of an account",
	"hub_letters":     "by the account that is to have them",
	"hub_shards":      "the list of shards, a row each",
	"hub_places":      "where the spaces of an account lie",
}

// indexesNotBySpace are the further indexes, and the constraints of one of a kind,
// that do not begin with a space.
var indexesNotBySpace = map[string]string{
	"records (id)": "a record is one record whichever space asks for it; an engine that must have " +
		"the space in it takes (key, id) and a table of ids beside it",
	"records (kind, key)":           "the key records of all spaces are read together, and counts by kind",
	"records (session, key)":        "a session's number is of 64 bits of its hash: it is spread by itself",
	"edges (dst, src, ord, rel)":    "by the space of what is pointed at: its key comes first",
	"dangling (dst, src, ord, rel)": "by the hash that is waited for: of no space yet",
	"state (due)":                   "what comes due, in all spaces",
	"spaces (name)":                 "the list of spaces",
	"authors (did)":                 "the list of authors",
	"kinds (name)":                  "the list of kinds",
	"models (name)":                 "the list of models",
	"hub_shards (name)":             "the list of shards",
	"vectors (model, ord)": "the order in which a model's vectors came: whoever copies them reads on from " +
		"a number",
	"near (model, ord)":       "as vectors",
	"jobs (ended, made, key)": "what is open, the oldest first",
	"hub_members (account, space)": "where an account may do what, with each of its requests: few rows, of " +
		"whatever spaces",
	"hub_brought (account, space)":  "what an account brought, into whatever spaces",
	"hub_letters (sender, expires)": "what an account has on its way: messages are of no space",
}

// A piece is SQL of ours and where it stands.
type piece struct{ file, text string }

// sources returns every string of this package that is not a test's, constants put
// together as they are in the code, and every migration of PostgreSQL.
func sources(t *testing.T) []piece {
	t.Helper()
	var out []piece
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	rooms, err := filepath.Glob("*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Concat(names, rooms) {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			e, ok := n.(ast.Expr)
			if !ok {
				return true
			}
			if text := literal(e); text != "" {
				out = append(out, piece{filepath.Base(name), text})
				return false
			}
			return true
		})
	}
	comment := regexp.MustCompile(`--[^\n]*`)
	files, err := filepath.Glob("migrations/postgres/*.sql")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, piece{filepath.ToSlash(name), comment.ReplaceAllString(string(text), "")})
	}
	if len(out) < 300 || len(files) < 1 {
		t.Fatalf("found %d strings and %d migrations: fewer than there are", len(out), len(files))
	}
	return out
}

// literal returns a string, or several put together; what is worked out later is a
// space. Of other expressions it gives "".
func literal(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			text, _ := strconv.Unquote(e.Value)
			return text
		}
	case *ast.BinaryExpr:
		if l, r := literal(e.X), literal(e.Y); e.Op == token.ADD && l+r != "" {
			return l + " " + r
		}
	}
	return ""
}

// unspread finds what of some pieces an engine that spreads tables may not do.
func unspread(all []piece) map[string]int {
	found := make(map[string]int)
	for _, s := range all {
		for _, u := range unspreadable {
			if n := len(u.is.FindAllString(s.text, -1)); n > 0 {
				found[u.what+" in "+s.file] += n
			}
		}
	}
	return found
}

func TestSQLCanBeSpread(t *testing.T) {
	found := unspread(sources(t))
	for what, n := range found {
		if n != excused[what].times {
			t.Errorf("%d times a %s: %d are excused", n, what, excused[what].times)
		}
	}
	for what, e := range excused {
		if found[what] == 0 {
			t.Errorf("a %s is excused and not there any more", what)
		}
		if e.why == "" {
			t.Errorf("a %s is excused without a reason", what)
		}
	}
}

func TestTheLintBites(t *testing.T) {
	tests := map[string]string{
		"CREATE TABLE t (no BIGSERIAL PRIMARY KEY)":                      "sequence",
		"SELECT nextval('s')":                                            "sequence",
		"ALTER TABLE t ADD n BIGINT GENERATED ALWAYS AS IDENTITY":        "sequence",
		"SELECT pg_advisory_xact_lock(1)":                                "advisory lock",
		"LISTEN work":                                                    "message between sessions",
		"SELECT pg_notify('work', '')":                                   "message between sessions",
		"CREATE CONSTRAINT TRIGGER x AFTER INSERT ON t":                  "trigger",
		"ALTER TABLE t ADD UNIQUE (a) DEFERRABLE":                        "deferred constraint",
		"CREATE TEMP TABLE t (a INT)":                                    "temporary table",
		"SELECT key FROM jobs WHERE ended = 0 FOR UPDATE SKIP LOCKED":    "locked row",
		"LOCK TABLE t IN EXCLUSIVE MODE":                                 "locked table",
		"SAVEPOINT a":                                                    "part of a transaction",
		"CREATE TABLE t (a BIGINT REFERENCES records (key))":             "foreign key",
		"UPDATE counts SET n = n + 1 WHERE name = ?":                     "",
		"INSERT INTO t VALUES (1) ON CONFLICT (key) DO UPDATE SET a = 1": "",
	}
	for text, want := range tests {
		got := unspread([]piece{{"x", text}})
		if want == "" && len(got) > 0 || want != "" && got[want+" in x"] == 0 {
			t.Errorf("of %q it says %v, want %q", text, got, want)
		}
	}
}

var (
	madeTable  = regexp.MustCompile(`(?s)CREATE TABLE (?:IF NOT EXISTS )?(\w+) \((.*?)\)(?:;|$)`)
	goneTable  = regexp.MustCompile(`DROP TABLE (\w+)`)
	madeIndex  = regexp.MustCompile(`CREATE (?:UNIQUE )?INDEX (?:IF NOT EXISTS )?\w+ ON (\w+) (?:USING \w+ )?\(([^)]*)\)`)
	primaryKey = regexp.MustCompile(`PRIMARY KEY \(([^)]*)\)|(\w+)\s+\w+\s+(?:NOT NULL )?PRIMARY KEY`)
	oneOfAKind = regexp.MustCompile(`(\w+)\s+\w+\s+NOT NULL UNIQUE|UNIQUE \(([^)]*)\)`)
)

// A schema has the columns of each table's primary key, and the further indexes.
type schema struct {
	tables  map[string]string
	made    map[string]string // their columns as they are written
	indexes map[string]bool
}

// schemaOf reads a schema out of what makes it, in the order of the pieces.
func schemaOf(all []piece) schema {
	s := schema{make(map[string]string), make(map[string]string), make(map[string]bool)}
	for _, src := range all {
		for _, m := range goneTable.FindAllStringSubmatch(src.text, -1) {
			delete(s.tables, m[1])
			for name := range s.indexes {
				if strings.HasPrefix(name, m[1]+" (") {
					delete(s.indexes, name)
				}
			}
		}
		for _, m := range madeTable.FindAllStringSubmatch(src.text, -1) {
			s.tables[m[1]], s.made[m[1]] = "", m[2]
			if k := primaryKey.FindStringSubmatch(m[2]); k != nil {
				s.tables[m[1]] = k[1] + k[2]
			}
			for _, u := range oneOfAKind.FindAllStringSubmatch(m[2], -1) {
				s.indexes[m[1]+" ("+u[1]+u[2]+")"] = true
			}
		}
		for _, m := range madeIndex.FindAllStringSubmatch(src.text, -1) {
			s.indexes[m[1]+" ("+m[2]+")"] = true
		}
	}
	return s
}

// bySpaceFirst reports whether columns of a table begin with a space, or with a key of
// the log, which is a number.
func (s schema) bySpaceFirst(table, columns string) bool {
	first, _, _ := strings.Cut(columns, ",")
	return first == "space" || (first == "key" || first == "src") &&
		regexp.MustCompile(`\b`+first+`\s+BIGINT\b`).MatchString(s.made[table])
}

func TestTablesAreKeyedBySpaceFirst(t *testing.T) {
	s := schemaOf(sources(t))
	if fenced := slices.Sorted(maps.Keys(fences.All)); !slices.Equal(slices.Sorted(maps.Keys(s.tables)), fenced) {
		t.Errorf("the tables are %q, row security has %q", slices.Sorted(maps.Keys(s.tables)), fenced)
	}
	for table, columns := range s.tables {
		switch why, excepted := notBySpace[table]; {
		case columns == "":
			t.Errorf("table %s has no primary key", table)
		case s.bySpaceFirst(table, columns) && excepted:
			t.Errorf("table %s is keyed by %s and excepted as if it were not", table, columns)
		case !s.bySpaceFirst(table, columns) && why == "":
			t.Errorf("table %s is keyed by %s: a space comes first, or the reason stands in notBySpace", table, columns)
		}
	}
	for index := range s.indexes {
		table, columns, _ := strings.Cut(strings.TrimSuffix(index, ")"), " (")
		if !s.bySpaceFirst(table, columns) && indexesNotBySpace[index] == "" {
			t.Errorf("index %s: a space comes first, or the reason stands in indexesNotBySpace", index)
		}
	}
	for table := range notBySpace {
		if _, there := s.tables[table]; !there {
			t.Errorf("table %s is excepted and not there", table)
		}
	}
	for index := range indexesNotBySpace {
		if !s.indexes[index] {
			t.Errorf("index %s is excepted and not there", index)
		}
	}
}

// TestRetriesAreWholeTransactions fails a transaction as an engine does that could
// not put it in order with others: all of it is done again, and nothing twice.
func TestRetriesAreWholeTransactions(t *testing.T) {
	for _, code := range []string{"40001", "40P01"} {
		s := open(t, tempSQLite(t), Options{})
		d := *s.d
		d.Retry = session.Postgres.Retry
		s.d = &d
		tries := 0
		err := s.Change(t.Context(), "count in", func(ctx context.Context, w *session.Session) error {
			tries++
			err := w.Exec(
				ctx,
				"INSERT INTO counts (day, name, n) VALUES ('d', 'n', 1) ON CONFLICT (day, name) DO UPDATE SET n = counts.n + 1",
			)
			if err == nil && tries < 3 {
				err = fmt.Errorf("as a driver wraps it: %w", &pgconn.PgError{Code: code})
			}
			return err
		})
		if err != nil || tries != 3 {
			t.Fatalf("after %s: %d tries, %v", code, tries, err)
		}
		if got, err := s.Counts(t.Context(), ""); err != nil || got["n"] != 1 {
			t.Errorf("after %s and three tries the counter is %v, %v: want 1", code, got, err)
		}
	}
}

// TestTransactionsBeginInOnePlace: what is tried again is what change does, since
// no other code writes in a transaction. convert.go begins one of SQLite that writes
// nothing, so that no one opens a file while it is replaced; scopedconn.go one around each statement of a hub on
// Citus that has none, which is not tried again by it.
func TestTransactionsBeginInOnePlace(t *testing.T) {
	in := make(map[string]int)
	for _, s := range sources(t) {
		if strings.HasPrefix(s.text, "BEGIN ") || strings.HasPrefix(s.text, "COMMIT") {
			in[s.file]++
		}
	}
	if want := map[string]int{"convert.go": 1, "dialect.go": 2, "scopedconn.go": 2, "store.go": 1}; !maps.Equal(in, want) {
		t.Errorf("transactions begin or end in %v, want %v", in, want)
	}
}
