//go:build !race

package sqlstore

import (
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/store/storetest"
)

// On PostgreSQL, too, what is made of records can be lost. Its columns hold to their
// types; the triggers that guard what is signed may be switched off by its owner.
func TestRepairPostgres(t *testing.T) {
	storetest.EmptyPostgres(t)
	rs := various(t)
	clock := func() time.Time { return time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC) }
	for _, tt := range []struct{ name, sql string }{
		{"no edges", "DELETE FROM edges"},
		{"no states", "DELETE FROM state WHERE key IN (SELECT key FROM payloads)"},
		{"a state that is none", `UPDATE state SET fold = '{"due":' WHERE key IN (SELECT key FROM payloads)`},
		{"no segments", "DELETE FROM segments"},
		{"no words", "DELETE FROM segment_parts WHERE part = 0"},
		{"a counter far too big", "UPDATE spaces SET last = 9223372036854775807"},
		{"a tree that is none", `UPDATE spaces SET tree = '\x00'`},
		{"no authors", "DELETE FROM authors"},
		{"an id of a wrong length", `UPDATE records SET id = '\x0011' WHERE key = (SELECT max(key) FROM records)`},
		{"another time and kind", "UPDATE records SET at = 5, kind = 5 WHERE key = (SELECT min(key) + 2 FROM records)"},
		{"a trigger that is off", "SELECT 1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := filled(t, storetest.EmptyPostgres(t), Options{Now: clock})
			healthy(t, s)
			want, err := answers(t, s, rs)
			if err != nil {
				t.Fatal(err)
			}
			exec(t, s, "GRANT UPDATE ON records TO CURRENT_USER; ALTER TABLE records DISABLE TRIGGER USER")
			exec(t, s, tt.sql)
			if _, err := answers(t, s, rs); err != nil {
				t.Errorf("damaged, it answers %v", err)
			}
			if says := s.Damaged(); says != "" {
				if got, err := answers(t, s, rs); err != nil || got != want {
					t.Errorf("damaged, it answers %v\n%s", err, difference(got, want))
				}
			}
			did, err := s.Repair(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%+v", did)
			healthy(t, s)
			if got, err := answers(t, s, rs); err != nil || got != want {
				t.Errorf("repaired, it answers %v\n%s", err, difference(got, want))
			}
		})
	}
}
