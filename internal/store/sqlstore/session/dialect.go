package session

import (
	"strconv"
	"strings"

	"github.com/stemma-memory/stemma/internal/store/postgres"
)

const (
	// In KiB, as much as readers have, for a writer once it writes many records at a time:
	// ids are random, so each is of another page of their index. One who captures is not
	// asked to set it.
	wideCache = "cache_size(-32768)"
	// Pages that most batches change are then written to the file once for several of
	// them. 32 MB of log, which the next who opens the store reads if this one dies.
	wideLog = "wal_autocheckpoint(8000)"
)

// SQLite is how SQLite differs.
var SQLite = &Dialect{
	Name:       "sqlite",
	Begin:      "BEGIN IMMEDIATE", // deferred, two readers that go on to write would fail each other
	Size:       "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size",
	Rebind:     func(query string) string { return query },
	Rows:       []int{32, 8, 1},
	Widen:      []string{"PRAGMA " + wideCache, "PRAGMA " + wideLog},
	Retry:      func(error) bool { return false },
	Explain:    ExplainSQLite,
	Lacks:      "instr(p.bytes, ?) = 0",
	NextPlaces: nextPlaces + "true",
	Migration:  "migrations/sqlite",
}

// Postgres is how PostgreSQL differs. Transactions are serializable: a claim and its
// record may arrive at once in two spaces.
var Postgres = &Dialect{
	Name:  "postgres",
	Begin: "BEGIN ISOLATION LEVEL SERIALIZABLE",
	Size: `SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint FROM pg_class c
		JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = current_schema() AND c.relkind = 'r'`,
	Rebind:     dollars,
	Rows:       []int{512, 64, 8, 1},
	Columns:    4096,
	Retry:      retryPostgres,
	Explain:    explainPostgres,
	Lacks:      "position(?::bytea in p.bytes) = 0",
	NextPlaces: nextPlaces + "home",
	Migration:  "migrations/postgres",
}

const nextPlaces = `UPDATE spaces SET last = last + ?, came = CASE WHEN came < ? THEN ? ELSE came END WHERE no = ?
	RETURNING last, indexed, came, tree, `

// A Dialect is everything in which the two databases differ.
type Dialect struct {
	Name      string
	Begin     string // starts a transaction that may write
	Size      string // bytes on disk
	Rebind    func(query string) string
	Rows      []int    // how many rows one INSERT takes, the most first
	Columns   int      // how many it takes if each column is an array; 0 if arrays are not used
	Widen     []string // readies a connection for many records
	Retry     func(error) bool
	Explain   func(error) error // returns the sentinel for an error's meaning, or nil
	Lacks     string            // bytes do not have others in them
	Migration string            // the folder of its migrations
	// NextPlaces takes places at the end of a log, and returns the last, what is indexed and the tree as they were, when
	// the last record came, and whether the space is written here, which on a file it always is.
	NextPlaces string
}

// dollars turns each ? of a query into $1, $2, …: no statement of ours has a
// question mark elsewhere.
func dollars(query string) string {
	var b strings.Builder
	b.Grow(len(query) + len(query)/4)
	n := 0
	for i := range len(query) {
		if query[i] != '?' {
			b.WriteByte(query[i])
			continue
		}
		n++
		b.WriteByte('$')
		b.WriteString(strconv.Itoa(n))
	}
	return b.String()
}

// listSizes are the lengths of the lists that statements are made for, so that
// few statements have to be kept prepared.
var listSizes = []int{1, 4, 16, 32, 64, 128, 256, MostListed}

// MostListed is how many values one statement takes in a list.
const MostListed = 512

// listSize returns the length of the list that takes n values.
func listSize(n int) int {
	for _, size := range listSizes {
		if n <= size {
			return size
		}
	}
	return MostListed
}

// Spread puts placeholders for n values where a query says (…).
func Spread(query string, n int) string {
	return strings.ReplaceAll(query, "(…)", "(?"+strings.Repeat(",?", n-1)+")")
}

// SpreadFor returns the query and the arguments for a list of values: the last
// one fills up the list, which changes no result of IN.
func SpreadFor[T any](query string, list []T, as func(T) any) (string, []any) {
	n := listSize(len(list))
	args := make([]any, n)
	for i := range n {
		args[i] = as(list[min(i, len(list)-1)])
	}
	return Spread(query, n), args
}

// fewListed is for how many values a list stays one. Each is then a value of its own to the server.
const fewListed = 8

// listed sends a long list of values as an array, where the database takes arrays: a statement with a placeholder for
// each costs it more to read and to plan than to carry out.
func (d *Dialect) listed(query string, args []any) (string, []any) {
	before, list, found := strings.Cut(query, "IN (?,?")
	if d.Columns == 0 || !found {
		return query, args
	}
	list, after, _ := strings.Cut(list, ")")
	n, from := 2+strings.Count(list, "?"), strings.Count(before, "?")
	if _, is := args[0].(postgres.Planned); is { // it stands before the values
		from++
	}
	if strings.Trim(list, "?,") != "" || n <= fewListed || from+n > len(args) || strings.Contains(after, "IN (?,?") {
		return query, args
	}
	var all any
	kind := ""
	var err error
	switch args[from].(type) {
	case []byte:
		kind = "bytea"
		all, err = column[[]byte](args[from:from+n], 0, 1)
	case string:
		kind = "text"
		all, err = column[string](args[from:from+n], 0, 1)
	case int, int64:
		kind = "bigint"
		all, err = column[int64](args[from:from+n], 0, 1)
	}
	if err != nil || kind == "" {
		return query, args
	}
	short := append(append(append(make([]any, 0, len(args)-n+1), args[:from]...), all), args[from+n:]...)
	return before + "= ANY (?::" + kind + "[])" + after, short
}

// Planned asks PostgreSQL to plan a statement for its values each time. A plan for any
// value, which it makes after a few calls, goes through the whole log for a page of a
// kind that hardly a record has.
func (d *Dialect) Planned(args []any) []any {
	if d != Postgres {
		return args
	}
	return append([]any{postgres.Planned{}}, args...)
}
