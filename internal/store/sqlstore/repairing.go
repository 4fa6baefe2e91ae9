package sqlstore

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/stemma-memory/stemma/internal/envelope"
	"github.com/stemma-memory/stemma/internal/sorting"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
	"github.com/stemma-memory/stemma/memory"
)

// votes counts for each number which name the records give it.
type votes struct {
	of map[int64]map[string]int
}

func newVotes() *votes { return &votes{make(map[int64]map[string]int)} }

func (v *votes) cast(no any, name string) {
	n, is := no.(int64)
	if !is {
		n = -1 // it names a name and no number
	}
	if v.of[n] == nil {
		v.of[n] = make(map[string]int)
	}
	v.of[n][name]++
}

// names returns each number its name: that which most of its records have, unless another
// number has more of them; otherwise what the list says.
func (v *votes) names(listed map[int64]string) map[int64]string {
	type vote struct {
		no   int64
		name string
		n    int
	}
	var all []vote
	for no, names := range v.of {
		for name, n := range names {
			if no > 0 {
				all = append(all, vote{no, name, n})
			}
		}
	}
	sorting.By(all, func(a, b vote) int {
		return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.no, b.no), cmp.Compare(a.name, b.name))
	})
	out, used := make(map[int64]string), make(map[string]bool)
	for _, one := range all {
		if out[one.no] == "" && !used[one.name] {
			out[one.no], used[one.name] = one.name, true
		}
	}
	for _, no := range slices.Sorted(maps.Keys(listed)) {
		if name := listed[no]; out[no] == "" && !used[name] && name != "" {
			out[no], used[name] = name, true
		}
	}
	return out
}

// repairPage is how many records are read at a time.
const repairPage = 1024

// A place is where a record is in the log.
type place struct {
	key  int64
	kind memory.Kind
}

// A strayRow is a row of the log whose key is damaged: its record lies elsewhere.
type strayRow struct {
	key       int64
	came, sum any
}

// repairing is one run of Repair, in the transaction that writes.
type repairing struct {
	s        *Store
	ctx      context.Context
	w        *session.Session
	progress store.Progress
	broken   bool // pages of the file are damaged, not only rows
	done     store.Repaired
	lost     []string
	total    int

	authors, spaces, kinds *votes
	places                 map[memory.ID]place
	whole                  []int64 // keys of records whose bytes are whole
	astray                 map[memory.ID]strayRow
	toGo                   []memory.ID         // what held marks purge
	renamed                map[int64]memory.ID // rows without bytes whose id is damaged, and what it was
	gone                   map[int64]bool      // keys of all others: purged, or damaged
	awaited                map[memory.ID]bool  // something before them in the log points at them
}

// left notes what was damaged, cannot be made again, and is gone.
func (x *repairing) left(format string, args ...any) {
	x.lost = append(x.lost, fmt.Sprintf(format, args...))
}

// remains notes what is damaged still.
func (x *repairing) remains(format string, args ...any) {
	x.done.Left = append(x.done.Left, fmt.Sprintf(format, args...))
}

// A heldRow is a row of the payloads whose bytes are whole, with the row of the log.
type heldRow struct {
	key int64
	rec *memory.Record
	was logRow
}

// A logRow is a row of the log as it is found: of any type and length.
type logRow struct {
	there                                          bool
	id, kind, author, at, session, more, came, sum any
}

// each reads the payloads in the order of the logs and yields those that are records.
func (x *repairing) each(what string, do func(page []heldRow) error) error {
	const query = `SELECT p.key, p.bytes, p.sig, r.key, r.id, r.kind, r.author, r.at, r.session, r.more, r.came, r.sum
		FROM payloads p LEFT JOIN records r ON r.key = p.key WHERE p.key > ? ORDER BY p.key LIMIT ?`
	n := 0
	for after := int64(-1); ; {
		var page []heldRow
		read, last := 0, after
		err := x.w.Each(x.ctx, func(rows *sql.Rows) error {
			var one heldRow
			var raw, sig, there any
			w := &one.was
			err := rows.Scan(&one.key, &raw, &sig, &there,
				&w.id, &w.kind, &w.author, &w.at, &w.session, &w.more, &w.came, &w.sum)
			if err != nil {
				return err
			}
			read++
			last = max(last, one.key)
			w.there = there != nil
			if b, is := raw.([]byte); is {
				one.rec = wholeRecord(b, w.id, sig) // Check reports one that is not a record
			}
			if one.rec != nil {
				page = append(page, one)
			}
			return nil
		}, query, after, repairPage)
		if err != nil {
			return err
		}
		if err := do(page); err != nil {
			return err
		}
		n += len(page)
		x.progress(what, n, x.total)
		if read < repairPage || last == after {
			return nil
		}
		after = last
	}
}

// wholeRecord returns the record that bytes are. Where the log says another id, one of the
// two is damaged: it is the log's if the signature holds.
func wholeRecord(raw []byte, id, sig any) *memory.Record {
	r, err := memory.Load(slices.Clone(raw))
	if err != nil {
		return nil
	}
	if b, is := id.([]byte); is && bytes.Equal(b, r.ID[:]) {
		return r
	}
	if b, is := sig.([]byte); is && envelope.SignedBy(r, b) {
		return r
	}
	return nil
}

// errUnmendable says that the damage is not in a derived table.
var errUnmendable = errors.New(
	"it cannot be made again in place: `recover_file FILE to=NEW` writes the records that are whole into another store")
