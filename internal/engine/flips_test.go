//go:build !race

package engine_test

import (
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
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

// A grave is a store that somebody digs in.
type grave struct {
	*people
	good []byte // the file, which nothing guards any more
}

func newGrave(t *testing.T) *grave {
	p, other := newPeople(t), newPeople(t)
	ctx := t.Context()
	var raws []string
	for i := range 6 {
		raws = append(raws, capture(t, p.agent, fmt.Sprintf("the %dth thing that was said of the dig", i)))
	}
	belief := consolidate(t, p.agent, "the dig goes well", promote(t, p.agent, "dug", raws...))
	approve(t, p.owner, belief)
	if _, err := p.owner.Checkpoint(ctx, api.CheckpointRequest{}); err != nil {
		t.Fatal(err)
	}
	theirs := add(t, other.owner, "belief", "words of another")
	carry(t, other.owner, p.owner)
	if _, err := p.owner.Witness(ctx, api.WitnessRequest{Ref: theirs, Attestation: "confirm"}); err != nil {
		t.Fatal(err)
	}
	for _, do := range []func() error{
		func() error { _, err := p.owner.KeyRecovery(ctx, api.Nothing{}); return err },
		func() error { _, err := p.owner.KeyRotate(ctx, api.KeyRequest{}); return err },
		func() error { _, err := p.owner.KeyDelegate(ctx, api.KeyRequest{Name: "dig"}); return err },
		func() error { _, err := p.owner.Purge(ctx, api.PurgeRequest{Refs: raws[:1]}); return err },
		func() error { _, err := p.owner.Checkpoint(ctx, api.CheckpointRequest{}); return err },
		p.owner.Close, p.agent.Close,
	} {
		if err := do(); err != nil {
			t.Fatal(err)
		}
	}
	g := &grave{people: p}
	g.dig(func(db *sql.DB) error {
		for _, table := range []string{"records", "payloads", "signatures"} {
			for _, guard := range []string{"kept", "stay", "new"} {
				if _, err := db.Exec("DROP TRIGGER " + table + "_" + guard); err != nil {
					return err
				}
			}
		}
		return nil
	})
	var err error
	if g.good, err = os.ReadFile(p.path); err != nil {
		t.Fatal(err)
	}
	return g
}

// dig opens the file behind the engine's back.
func (g *grave) dig(do func(*sql.DB) error) {
	g.t.Helper()
	db, err := sql.Open("sqlite", g.path+"?_pragma=synchronous(off)") // it is written a thousand times
	if err == nil {
		db.SetMaxOpenConns(1)
		err = errors.Join(do(db), db.Close())
	}
	if err != nil {
		g.t.Fatal(err)
	}
}

// audited audits everything as a reader: what is found, or why that cannot be done.
func (g *grave) audited() (r api.AuditReply, err error) {
	e, err := engine.Open(
		g.t.Context(), g.path,
		engine.Config{KeyDir: g.config.KeyDir, Origin: memory.OriginOwner, ReadOnly: true, Now: g.Now},
	)
	if err != nil {
		return r, err
	}
	r, err = e.Audit(g.t.Context(), api.AuditRequest{})
	return r, errors.Join(err, e.Close())
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
	if r, err := g.audited(); err != nil || r.Exit != 0 {
		t.Fatalf("before: exit %d, %v, %+v %+v", r.Exit, err, r.Offenders, r.Logs)
	}
	rng := rand.New(rand.NewPCG(92, 1000))
	found, refused := make(map[string]int), make(map[string]int)
	total := 0
	for i := range 1000 / fewer {
		f := flippable[i%len(flippable)]
		if err := os.WriteFile(g.path, g.good, 0o600); err != nil {
			t.Fatal(err)
		}
		var what string
		g.dig(func(db *sql.DB) (err error) {
			what, err = flip(db, rng, f.table, f.column, f.where)
			return err
		})
		total++
		switch r, err := g.audited(); {
		case err != nil && err.Error() != "":
			refused[f.class]++
		case r.Exit != 0:
			found[f.class]++
		default:
			t.Errorf("%s: %s is not found", f.class, what)
		}
	}
	left, _ := filepath.Glob(g.path + "-*")
	t.Logf("%d flips; found %v; refused %v; beside the file %d", total, found, refused, len(left))
}
