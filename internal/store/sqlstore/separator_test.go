package sqlstore

import (
	"database/sql"
	"encoding/binary"
	"os"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
)

// Where the inner page of a table names a wrong key, what is looked up by key is not found,
// while all of it can be read in order. One repair is enough.
func TestAWrongKeyOfAnInnerPageIsMendedAtOnce(t *testing.T) {
	t.Parallel()
	rs := various(t)
	path := tempSQLite(t)
	o := Options{Now: func() time.Time { return time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC) }}
	s := filled(t, path, o)
	appendAll(t, s, chain(t, 330))
	indexAll(t, s)
	want, err := answers(t, s, rs)
	if err != nil {
		t.Fatal(err)
	}
	var root int
	err = s.read.Each(t.Context(), func(rows *sql.Rows) error { return rows.Scan(&root) },
		"SELECT rootpage FROM sqlite_master WHERE name = 'payloads'")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const innerTable, header, child = 5, 12, 4
	page := file[(root-1)*session.PageSize : root*session.PageSize]
	if page[0] != innerTable {
		t.Fatalf("page %d is of kind %d", root, page[0])
	}
	page[int(binary.BigEndian.Uint16(page[header:]))+child+1] ^= 1 << 5 // of the first key
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	if s, err = Open(t.Context(), path, o); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	did, err := s.Repair(t.Context(), nil)
	if err != nil || len(did.Left) > 0 {
		t.Fatalf("repaired %+v: %v", did, err)
	}
	for err := range s.Check(t.Context()) {
		t.Error(err)
	}
	if got, err := answers(t, s, rs); err != nil || got != want {
		t.Errorf("%v: %s", err, difference(got, want))
	}
}
