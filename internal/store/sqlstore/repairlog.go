package sqlstore

import (
	"bytes"
	"database/sql"
	"fmt"
	"maps"
	"slices"

	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/lists"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/sums"
	"github.com/stemma-memory/stemma/memory"
)

// The lists of names and the columns of the log are copied out of signed bytes. Here
// they are compared with them.

// lists makes the names of authors, kinds and spaces what the records say.
func (x *repairing) lists() error {
	for _, one := range []struct {
		table, column string
		votes         *votes
	}{{"authors", "did", x.authors}, {"kinds", "name", x.kinds}} {
		listed, err := x.listed(one.table, one.column)
		if err != nil {
			return err
		}
		want := one.votes.names(listed)
		if one.table == "kinds" {
			for k, no := range lists.KindNumbers() {
				maps.DeleteFunc(want, func(_ int64, name string) bool { return name == string(k) })
				want[int64(no)] = string(k)
			}
		}
		for no, name := range listed {
			if want[no] == name {
				continue
			}
			if err := x.w.Exec(x.ctx, "DELETE FROM "+one.table+" WHERE no = ?", no); err != nil {
				return err
			}
		}
		for _, no := range slices.Sorted(maps.Keys(want)) {
			if listed[no] == want[no] {
				continue
			}
			query := "INSERT INTO " + one.table + " (no, " + one.column + ") VALUES (?, ?)"
			if err := x.w.Exec(x.ctx, query, no, want[no]); err != nil {
				return err
			}
		}
	}
	x.s.names.Forget()
	x.s.names.Start()
	return x.spaceNames()
}

// listed reads a list of names; an invalid name is "".
func (x *repairing) listed(table, column string) (map[int64]string, error) {
	out := make(map[int64]string)
	err := x.w.Each(x.ctx, func(rows *sql.Rows) error {
		var no int64
		var name any
		err := rows.Scan(&no, &name)
		out[no], _ = name.(string)
		return err
	}, "SELECT no, "+column+" FROM "+table)
	return out, err
}

// spaceNames returns each space the name that its records say.
func (x *repairing) spaceNames() error {
	listed, err := x.listed("spaces", "name")
	if err != nil {
		return err
	}
	want := x.spaces.names(listed)
	changed := func(no int64) bool { return listed[no] != want[no] }
	for no := range listed {
		if changed(no) { // a name that another is to have
			if err := x.w.Exec(
				x.ctx, "UPDATE spaces SET name = ? WHERE no = ?", fmt.Sprintf("(damaged %d)", no), no,
			); err != nil {
				return err
			}
		}
	}
	for _, no := range slices.Sorted(maps.Keys(want)) {
		if !changed(no) {
			continue
		}
		query := "UPDATE spaces SET name = ? WHERE no = ?"
		if _, there := listed[no]; !there {
			query = "INSERT INTO spaces (name, no, last, indexed) VALUES (?, ?, 0, 0)"
		}
		if err := x.w.Exec(x.ctx, query, want[no], no); err != nil {
			return err
		}
	}
	return nil
}

// columns corrects the rows of the log by the bytes. The triggers that forbid to change
// a row are away for this one transaction, of which no one sees a part; the table of the
// bytes themselves keeps its own, and nothing here writes to it.
func (x *repairing) columns() error {
	signatures := make(map[int64]int64)
	err := x.w.Each(x.ctx, func(rows *sql.Rows) error {
		var key, n int64
		err := rows.Scan(&key, &n)
		signatures[key] = n
		return err
	}, "SELECT key, count(*) FROM signatures GROUP BY key")
	if err != nil {
		return err
	}
	lost, err := cameWrongly(x.ctx, x.w)
	if err != nil {
		return err
	}
	var wrong []corrected
	more, came := 0, 0
	err = x.each("rows of the log compared", func(page []heldRow) error {
		for _, one := range page {
			if x.places[one.rec.ID].key != one.key {
				continue
			}
			want, err := x.row(one.rec, signatures[one.key])
			if err != nil {
				return err
			}
			if at, is := x.astray[one.rec.ID]; is && !one.was.there {
				one.was.came, one.was.sum = at.came, at.sum
				delete(lost, at.key) // it was right for the key that the row had
				if n, is := at.came.(int64); is && at.sum != nil && at.sum != sums.Came(one.key, n) {
					lost[one.key] = true
				}
			}
			if _, is := one.was.came.(int64); is && !lost[one.key] {
				want.came, want.sum = one.was.came, one.was.sum
			} else if lost[one.key] {
				came++
			} else if one.was.came != nil || !one.was.there {
				came++
			}
			if n, is := one.was.more.(int64); one.was.there && is && n != signatures[one.key] {
				more++
			}
			delete(lost, one.key)
			if !one.was.there || !one.was.is(want) {
				wrong = append(wrong, corrected{one.key, one.was.there, want})
			}
		}
		return nil
	})
	if more > 0 {
		x.left("%d records have another number of signatures beside their author's than was noted; "+
			"`audit` says whether one is missing", more)
	}
	if came += len(lost); came > 0 {
		x.left("%d records have lost the time at which they came: nothing else says it", came)
	}
	x.done.Columns = len(wrong) + len(lost) // those have no bytes that are whole
	if err != nil {
		return err
	}
	odd := 0
	if x.w.Dialect == session.SQLite {
		if _, err := x.w.One(x.ctx, []any{&odd}, "SELECT count(*) FROM records WHERE "+oddColumns); err != nil {
			return err
		}
	}
	if len(wrong) == 0 && len(lost) == 0 && len(x.astray) == 0 && len(x.renamed) == 0 && odd == 0 {
		return nil
	}
	return x.correct(wrong, slices.Sorted(maps.Keys(lost)))
}

// A corrected is a row of the log as it should be.
type corrected struct {
	key   int64
	there bool
	want  logRow
}

// row returns the row of the log that a record should have.
func (x *repairing) row(r *memory.Record, others int64) (logRow, error) {
	h := &r.Header
	kind, err := x.s.names.Intern(x.ctx, x.w, lists.Kinds, string(h.Kind))
	if err != nil {
		return logRow{}, err
	}
	author, err := x.s.names.Intern(x.ctx, x.w, lists.Authors, h.Author)
	if err != nil {
		return logRow{}, err
	}
	var at int64
	if !h.At.IsZero() {
		at = h.At.Time().UnixMilli()
	}
	return logRow{
		id: r.ID[:], kind: int64(kind), author: int64(author), at: at, session: sessionKey(h.Session), more: others,
	}, nil
}

// is compares a row as it was found with one as it should be.
func (w *logRow) is(want logRow) bool {
	id, is := w.id.([]byte)
	return is && bytes.Equal(id, want.id.([]byte)) && w.kind == want.kind && w.author == want.author &&
		w.at == want.at && w.session == want.session && w.more == want.more && w.came == want.came && w.sum == want.sum
}

// Columns of a purged record, of which no bytes say what they were.
const (
	oddColumns = `typeof(kind) <> 'integer' OR typeof(author) <> 'integer' OR typeof(at) <> 'integer'
		OR typeof(more) <> 'integer' OR typeof(session) NOT IN ('integer', 'null') OR typeof(came) NOT IN ('integer', 'null')
		OR typeof(sum) NOT IN ('integer', 'null')`
	evenColumns = `UPDATE records SET
		kind = CASE typeof(kind) WHEN 'integer' THEN kind ELSE 0 END,
		author = CASE typeof(author) WHEN 'integer' THEN author ELSE 0 END,
		at = CASE typeof(at) WHEN 'integer' THEN at ELSE 0 END,
		more = CASE typeof(more) WHEN 'integer' THEN more ELSE 0 END,
		session = CASE typeof(session) WHEN 'integer' THEN session END,
		came = CASE typeof(came) WHEN 'integer' THEN came END,
		sum = CASE WHEN typeof(came) = 'integer' AND typeof(sum) = 'integer' THEN sum END
		WHERE ` + oddColumns
)

// correct writes rows of the log, takes times of arrival away, and rows that went astray. An
// id that another row has is freed first.
func (x *repairing) correct(wrong []corrected, lost []int64) error {
	// schemaOn makes them again
	open, shut := "DROP TRIGGER IF EXISTS records_kept; DROP TRIGGER IF EXISTS records_stay", ""
	if x.w.Dialect == session.Postgres {
		open = "GRANT UPDATE, DELETE ON records TO CURRENT_USER;\nALTER TABLE records DISABLE TRIGGER USER"
		shut = "ALTER TABLE records ENABLE TRIGGER USER;\nREVOKE UPDATE, DELETE ON records FROM CURRENT_USER"
	}
	if err := session.Run(x.ctx, x.w, open); err != nil {
		return err
	}
	for _, one := range x.astray {
		if err := x.w.Exec(x.ctx, "DELETE FROM records WHERE key = ?", one.key); err != nil {
			return err
		}
	}
	for key, was := range x.renamed {
		if err := x.w.Exec(x.ctx, "UPDATE records SET id = ? WHERE key = ?", was[:], key); err != nil {
			return err
		}
	}
	for _, c := range wrong {
		if !c.there {
			continue
		}
		free := fmt.Appendf(nil, "in repair: %d", c.key)
		if err := x.w.Exec(x.ctx, "UPDATE records SET id = ? WHERE key = ?", free, c.key); err != nil {
			return err
		}
	}
	for _, c := range wrong {
		w := &c.want
		query := "UPDATE records SET id = ?, kind = ?, author = ?, at = ?, session = ?, more = ?, came = ?, sum = ? " +
			"WHERE key = ?"
		if !c.there {
			query = "INSERT INTO records (id, kind, author, at, session, more, came, sum, key) VALUES (?, ?, ?, ?, ?, ?, " +
				"?, ?, ?)"
		}
		err := x.w.Exec(x.ctx, query, w.id, w.kind, w.author, w.at, w.session, w.more, w.came, w.sum, c.key)
		if err != nil {
			return err
		}
	}
	for _, key := range lost {
		if err := x.w.Exec(x.ctx, "UPDATE records SET came = NULL, sum = NULL WHERE key = ?", key); err != nil {
			return err
		}
	}
	if shut == "" {
		return session.Run(x.ctx, x.w, evenColumns)
	}
	return session.Run(x.ctx, x.w, shut)
}

// logs makes the counter and the tree of each space again of the ids in its log. A log
// that was longer once, by a counter and a tree that agree, has lost records: that is
// not to be mended away.
func (x *repairing) logs() error {
	listed, err := x.listed("spaces", "name")
	if err != nil {
		return err
	}
	for _, no := range slices.Sorted(maps.Keys(listed)) {
		if err := x.log(int(no), listed[no]); err != nil {
			return err
		}
	}
	return nil
}

func (x *repairing) log(no int, name string) error {
	var last, tree, end, held, latest any
	const row = "SELECT last, tree FROM spaces WHERE no = ?"
	_, err := x.w.One(x.ctx, []any{&last, &tree}, row, no)
	if err != nil {
		return err
	}
	const query = "SELECT max(key), count(*), max(came) FROM records WHERE key > ? AND key < ?"
	if _, err := x.w.One(
		x.ctx, []any{&end, &held, &latest}, query, session.FirstKey(no), session.FirstKey(no+1),
	); err != nil {
		return err
	}
	most, n := int64(0), int64(0)
	if key, is := end.(int64); is {
		most = int64(session.SeqOf(key))
	}
	if count, is := held.(int64); is {
		n = count
	}
	var was ledger.Frontier
	b, _ := tree.([]byte)
	said, _ := last.(int64)
	if was.UnmarshalBinary(b) == nil && was.Size() == said && said > most || n != most {
		x.remains("space %s: the log has lost records (it ends at %d of %d and holds %d): restore the store from a backup",
			name, most, max(said, most), n)
		if was.Size() != said || said < most {
			said = most
		}
		return x.w.Exec(x.ctx, "UPDATE spaces SET last = ?, indexed = 0 WHERE no = ?", said, no)
	}
	var f ledger.Frontier
	for f.Size() < most {
		page, err := changesAfter(x.ctx, x.w, no, store.Seq(f.Size()), treePage)
		if err == nil {
			err = store.Extend(&f, page)
		}
		if err != nil || len(page) == 0 {
			x.remains("space %s: its log cannot be read after place %d, since a signed record is damaged there: "+
				"restore the store from a backup", name, f.Size())
			return nil
		}
	}
	b, err = f.MarshalBinary()
	if err != nil {
		return err
	}
	at, _ := latest.(int64) // when the last of its records came, as far as that is known
	const made = "UPDATE spaces SET last = ?, indexed = 0, came = ?, tree = ? WHERE no = ?"
	return x.w.Exec(x.ctx, made, most, at, b, no)
}
