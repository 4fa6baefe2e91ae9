//go:build !race

package engine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stemma-memory/stemma/memory"
)

// Rows of derived tables find records. Whatever they say, they lift nothing.
func TestDerivedTablesLiftNothing(t *testing.T) {
	t.Parallel()
	whole := newPoisoned(t)
	if wrong := whole.Lifted(t, false); len(wrong) > 0 {
		t.Fatalf("before anything was touched: %v", wrong)
	}
	e := whole.Open(t, memory.OriginAgent)
	if in := contextOf(t, e, "harbour")[short(whole.Kept)]; in != "verified" {
		t.Fatalf("what a person approved is in %q", in)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	putBack := whole.Keep(t)
	approved := `'{"review":"approved","reviewed_at":"2026-01-01T00:00:00.000Z","reviewed_by":"` + "%s" +
		`","confidence":1000}'`
	tests := []struct {
		name  string
		steps []string
		book  bool // only what is remembered outside of the store tells
		lost  bool // what was decided is gone: the rest stands unverified, and nothing higher
	}{
		{"no flag hides anything", []string{"UPDATE state SET flags = flags & ~63"}, false, false},
		{"no state at all", []string{"DELETE FROM state"}, false, false},
		{"all flags", []string{"UPDATE state SET flags = 4095 & ~63"}, false, false},
		{
			"approved by a row",
			[]string{
				"INSERT OR REPLACE INTO state (key, flags, due, fold) SELECT key, 0, NULL, " + fmt.Sprintf(approved, "x") +
					" FROM records",
			},
			false, false,
		},
		{
			"approved by a row that is due",
			[]string{
				"INSERT OR REPLACE INTO state (key, flags, due, fold) SELECT key, 0, 253370764800000, " +
					fmt.Sprintf(approved, "x") + " FROM records",
			},
			false, false,
		},
		{
			"approved by the owner's key",
			[]string{
				"INSERT OR REPLACE INTO state (key, flags, due, fold) SELECT key, 0, NULL, replace(" +
					fmt.Sprintf(approved, "OWNER") + ", 'OWNER', (SELECT did FROM authors WHERE no = 1)) FROM records",
			},
			false, false,
		},
		{
			"every mark speaks of everything",
			[]string{
				"INSERT OR IGNORE INTO edges (src, ord, rel, dst) SELECT m.key, 100 + r.key % 1000, 3, r.key FROM records " +
					"m, records r WHERE m.kind = 106 AND r.kind < 100",
			},
			false, false,
		},
		{"no mark speaks of anything", []string{"DELETE FROM edges WHERE rel = 3"}, true, false},
		{
			"nothing is superseded",
			[]string{"DELETE FROM edges WHERE rel = 2", "UPDATE state SET flags = flags & ~63", "DELETE FROM state"},
			true, false,
		},
		{"no arrows", []string{"DELETE FROM edges", "DELETE FROM state"}, true, false},
		{
			"everything rests on the raw",
			[]string{
				"INSERT OR IGNORE INTO edges (src, ord, rel, dst) SELECT r.key, 900, 1, (SELECT min(key) FROM records WHERE " +
					"kind = 1) FROM records r WHERE r.kind BETWEEN 2 AND 9",
			},
			false, false,
		},
		{"all by the owner", []string{"UPDATE records SET author = 1"}, false, false},
		{
			"marks lost their payload",
			[]string{"DELETE FROM payloads WHERE key IN (SELECT key FROM records WHERE kind = 106)", "DELETE FROM state"},
			true, true,
		},
		{
			"marks lost their payload and are witnesses",
			[]string{
				"DELETE FROM payloads WHERE key IN (SELECT key FROM records WHERE kind = 106)",
				"UPDATE records SET kind = 102 WHERE kind = 106", "DELETE FROM state",
			},
			true, true,
		},
		{"marks are notes", []string{"UPDATE records SET kind = 3 WHERE kind = 106", "DELETE FROM state"}, false, false},
		{
			"marks are gone",
			[]string{
				"DELETE FROM edges WHERE src IN (SELECT key FROM records WHERE kind = 106)",
				"DELETE FROM payloads WHERE key IN (SELECT key FROM records WHERE kind = 106)",
				"DELETE FROM records WHERE kind = 106", "DELETE FROM state",
			},
			true, true,
		},
		{
			"the end of the log is gone",
			[]string{
				"DELETE FROM edges WHERE src > 1099511627776 + 14",
				"DELETE FROM payloads WHERE key > 1099511627776 + 14",
				"DELETE FROM records WHERE key > 1099511627776 + 14",
				"UPDATE spaces SET last = 14, indexed = 14", "DELETE FROM state",
			},
			true, true,
		},
		{
			"signatures are empty",
			[]string{"UPDATE payloads SET sig = x'00' WHERE key IN (SELECT key FROM records WHERE kind < 100)"},
			false, false,
		},
		{"nobody keeps it", []string{"DELETE FROM meta WHERE name = 'keeper'"}, false, false},
		{"many keep it", []string{"UPDATE meta SET value = '*' WHERE name = 'keeper'"}, false, false},
		{"all came long ago", []string{"UPDATE records SET came = 0"}, false, false},
		{"all came tomorrow", []string{"UPDATE records SET came = 99999999999999, at = 99999999999999"}, false, false},
		{"raws are values", []string{"UPDATE records SET kind = 5 WHERE kind = 1"}, false, false},
		{"notes are values", []string{"UPDATE records SET kind = 5 WHERE kind = 3"}, false, false},
		{"beliefs are goals", []string{"UPDATE records SET kind = 6 WHERE kind = 4"}, false, false},
		{"no keys", []string{"UPDATE records SET kind = 3 WHERE kind = 107"}, false, false},
		{
			"keys without payload",
			[]string{"DELETE FROM payloads WHERE key IN (SELECT key FROM records WHERE kind = 107)"}, false,
			false,
		},
	}
	for _, tt := range tests {
		for _, book := range []bool{true, false} {
			if tt.book && !book {
				continue
			}
			t.Run(fmt.Sprintf("%s, remembered %v", tt.name, book), func(t *testing.T) {
				p := whole
				putBack(t)
				if !book {
					if err := os.RemoveAll(filepath.Join(p.Data, "proof")); err != nil {
						t.Fatal(err)
					}
				}
				p.Tamper(t, tt.steps...)
				for _, wrong := range p.Lifted(t, tt.lost) {
					t.Error(wrong)
				}
			})
		}
	}
}
