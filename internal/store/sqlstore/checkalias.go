package sqlstore

import (
	"database/sql"
	"encoding/binary"
	"hash/maphash"
	"sort"

	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
	"github.com/stemma-memory/stemma/memory"
)

// elsewhere is what the records say of the ids that they had elsewhere. To look for each in its
// table would take a page of the file for each; so the sum of what the records say is compared with
// the sum of the table, and only where they differ is each looked for.
type elsewhere struct {
	seed    maphash.Seed // drawn anew, so that the same sum cannot be prepared
	n       int
	sum     uint64
	emptied map[int64]bool // records without bytes, which say nothing any more
}

func newElsewhere() elsewhere {
	return elsewhere{seed: maphash.MakeSeed(), emptied: make(map[int64]bool)}
}

// add takes in an id that a record had elsewhere.
func (x *elsewhere) add(space, key int64, digest []byte) {
	var at [16]byte
	binary.LittleEndian.PutUint64(at[:], uint64(space))
	binary.LittleEndian.PutUint64(at[8:], uint64(key))
	var h maphash.Hash
	h.SetSeed(x.seed)
	_, _ = h.Write(at[:]) // it never fails
	_, _ = h.Write(digest)
	x.n++
	x.sum += h.Sum64()
}

func (x *elsewhere) empty(key int64) {
	if x.emptied == nil {
		x.emptied = make(map[int64]bool)
	}
	x.emptied[key] = true
}

// join adds what a part of the records says.
func (x *elsewhere) join(part *elsewhere) {
	x.n, x.sum = x.n+part.n, x.sum+part.sum
	for key := range part.emptied {
		x.emptied[key] = true
	}
}

// alias notes the ids that a record had elsewhere.
func (c *checking) alias(r *row, rec *memory.Record) error {
	for _, alias := range rec.Header.Alias {
		c.elsewhere.add(r.key>>session.SeqBits, r.key, digest(alias))
	}
	return nil
}

// aliases compares the table of those ids with what the records say.
func (c *checking) aliases() error {
	says := &c.elsewhere
	listed, strays := elsewhere{seed: says.seed}, 0
	err := c.s.read.Long(c.ctx, func(rows *sql.Rows) error {
		var space, key int64
		var digest sql.RawBytes
		err := rows.Scan(&space, &digest, &key)
		switch {
		case err != nil:
		case !c.walked.has(key):
			strays++
		case !says.emptied[key]:
			listed.add(space, key, digest)
		}
		return err
	}, "SELECT space, alias, key FROM aliases")
	if err == nil && strays > 0 { // or their records came meanwhile
		_, err = c.s.read.One(c.ctx, []any{&strays},
			"SELECT count(*) FROM aliases x LEFT JOIN records r ON r.key = x.key WHERE r.key IS NULL")
	}
	if err == nil && strays > 0 {
		err = c.stale("%d aliases belong to no record", strays)
	}
	if err != nil || !c.unread && listed.n == says.n && listed.sum == says.sum {
		return err
	}
	if err := c.pages((*checking).aliasPage); err != nil || c.unread || listed.n == says.n {
		return err
	}
	return c.stale("%d ids that records had elsewhere are listed, and they say %d", listed.n, says.n)
}

// walked are the places of all records, as runs without gaps.
type walked [][2]int64

func (w *walked) add(keys []int64) {
	for _, key := range keys {
		if n := len(*w); n > 0 && (*w)[n-1][1] == key-1 {
			(*w)[n-1][1] = key
		} else {
			*w = append(*w, [2]int64{key, key})
		}
	}
}

func (w walked) has(key int64) bool {
	at := sort.Search(len(w), func(i int) bool { return w[i][0] > key })
	return at > 0 && key <= w[at-1][1]
}

// aliasPage looks for each id that some neighbouring records had elsewhere.
func (c *checking) aliasPage(keys []int64) error {
	page, err := c.s.items(
		c.ctx, itemColumns+itemTables+"WHERE r.key >= ? AND r.key <= ? ORDER BY r.key", keys[0], keys[len(keys)-1],
	)
	for _, r := range page {
		rec, unread := memory.Load(r.bytes)
		if err != nil || unread != nil {
			continue // it was named
		}
		for _, alias := range rec.Header.Alias {
			const query = "SELECT key FROM aliases WHERE space = ? AND alias = ? AND key = ?"
			var key int64
			held, err := c.s.read.One(c.ctx, []any{&key}, query, r.key>>session.SeqBits, digest(alias), r.key)
			if err == nil && !held {
				err = c.stale("%s: it cannot be found by the id it had elsewhere", rec.Ref().Short())
			}
			if err != nil {
				return err
			}
		}
	}
	return err
}
