package session

import (
	"fmt"
	"net/url"
	"strings"
	"time"
)

// Who may read a store's file and look into its directory: its owner.
const (
	FilePerm = 0o600
	DirPerm  = 0o700
)

// Settings of the connections. WAL is a property of the file, set when it is
// made.
const (
	AlwaysSet = "foreign_keys(1) trusted_schema(0) cell_size_check(1) temp_store(2)"
	WriterSet = "synchronous(FULL) secure_delete(1) wal_autocheckpoint(1000)"
	ReaderSet = "query_only(1)"

	// In KiB: the index of ids of some 250,000 records, for each of four readers. Setting it
	// reads the file, which one without its shared memory does not bear.
	ReaderCache = "cache_size(-16384)"

	// patience is how long to wait for other processes by default.
	patience = 10 * time.Second
)

// AnySchema makes a connection pass over what of a schema cannot be understood. It must
// be the first setting: others look at the schema.
const AnySchema = "writable_schema(1) "

// LenientSet is writerSet for such a file: to set synchronous SQLite would read the
// schema, and FULL is what it is by itself.
const LenientSet = "secure_delete(1) wal_autocheckpoint(1000)"

// Lasting is the setting of how long a connection waits for others.
func Lasting(d time.Duration) string {
	if d == 0 {
		d = patience
	}
	return fmt.Sprintf("busy_timeout(%d) ", d.Milliseconds())
}

// DSN returns the driver's name for a file.
func DSN(path, settings string, params ...string) string {
	q := make([]string, 0, len(params)+8)
	q = append(q, params...)
	for _, p := range strings.Fields(settings) {
		q = append(q, "_pragma="+url.QueryEscape(p))
	}
	return "file:" + (&url.URL{Path: path}).EscapedPath() + "?" + strings.Join(q, "&")
}

// PageSize is that of every store we make, in bytes.
const PageSize = 4096

// Quoted returns a name as SQL has it.
func Quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
