//go:build !race

package care_test

import (
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// flippable are the columns whose bits are flipped: what is signed, the signatures,
// the log, its tree, and what is held of it. Of a purged record only its id stays
// certain: nothing says any more who wrote it.
var flippable = []struct{ class, table, column, where string }{
	{"statement", "payloads", "bytes", "key IN (SELECT key FROM records WHERE kind <> 16)"},
	{"signature", "payloads", "sig", "key IN (SELECT key FROM records WHERE kind <> 16)"},
	{"key event", "payloads", "bytes", "key IN (SELECT key FROM records WHERE kind = 107)"},
	{"key event's signature", "payloads", "sig", "key IN (SELECT key FROM records WHERE kind = 107)"},
	{"second signature", "signatures", "sig", "1"}, {"second signer", "signatures", "author", "1"},
	{"log: id", "records", "id", "1"}, {"log: kind", "records", "kind", "1"}, {
		"log: author", "records", "author", "key IN (SELECT key FROM payloads)",
	},
	{"log: key", "records", "key", "1"}, {
		"log: how many signatures", "records", "more", "key IN (SELECT key FROM payloads)",
	},
	{"tree", "spaces", "tree", "1"},
	{"checkpoint", "checkpoints", "note", "1"}, {
		"checkpoint: root", "checkpoints", "root", "1",
	}, {"checkpoint: size", "checkpoints", "size", "1"},
}

// flip changes one bit of a column of one row, and says which.
func flip(db *sql.DB, rng *rand.Rand, table, column, where string) (what string, err error) {
	rowid := "rowid"
	if table == "signatures" {
		rowid = "key * 100 + ord" // it has none
	}
	var ids []int64
	rows, err := db.Query(
		"SELECT " + rowid + " FROM " + table + " WHERE " + where + " AND " + column + " IS NOT NULL ORDER BY 1",
	)
	if err != nil {
		return "", err
	}
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return "", err
		}
		ids = append(ids, id)
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return "", err
	}
	if len(ids) == 0 {
		return "", fmt.Errorf("nothing to flip in %s of %s", column, table)
	}
	for range 100 { // until a bit is found that no other row has so
		id := ids[rng.IntN(len(ids))]
		var v any
		if err := db.QueryRow("SELECT "+column+" FROM "+table+" WHERE "+rowid+" = ?", id).Scan(&v); err != nil {
			return "", err
		}
		bit := 0
		switch x := v.(type) {
		case int64:
			bit = rng.IntN(44)
			v = x ^ 1<<bit
		case string:
			b := []byte(x)
			bit = rng.IntN(len(b) * 8)
			b[bit/8] ^= 1 << (bit % 8)
			v = string(b)
		case []byte:
			b := slices.Clone(x)
			bit = rng.IntN(len(b) * 8)
			b[bit/8] ^= 1 << (bit % 8)
			v = b
		}
		if _, err = db.Exec("UPDATE "+table+" SET "+column+" = ? WHERE "+rowid+" = ?", v, id); err == nil {
			return fmt.Sprintf("bit %d of %s.%s of row %d", bit, table, column, id), nil
		}
	}
	return "", err
}

// Whoever has the file can change a bit of it, and an audit shows that he did.
func TestBitFlipsInAStore(t *testing.T) {
	t.Parallel()
	g := newGrave(t)
	if r, err := g.Audited(); err != nil || r.Exit != 0 {
		t.Fatalf("before: exit %d, %v, %+v %+v", r.Exit, err, r.Offenders, r.Logs)
	}
	rng := rand.New(rand.NewPCG(92, 1000))
	found, refused := make(map[string]int), make(map[string]int)
	total := 0
	for i := range 1000 / fewer {
		f := flippable[i%len(flippable)]
		if err := os.WriteFile(g.Path, g.Good, 0o600); err != nil {
			t.Fatal(err)
		}
		var what string
		g.Dig(func(db *sql.DB) (err error) {
			what, err = flip(db, rng, f.table, f.column, f.where)
			return err
		})
		total++
		switch r, err := g.Audited(); {
		case err != nil && err.Error() != "":
			refused[f.class]++
		case r.Exit != 0:
			found[f.class]++
		default:
			t.Errorf("%s: %s is not found", f.class, what)
		}
	}
	left, _ := filepath.Glob(g.Path + "-*")
	t.Logf("%d flips; found %v; refused %v; beside the file %d", total, found, refused, len(left))
}
