package sqlstore

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// derivedTables are made of records, and of nothing else.
var derivedTables = []string{"edges", "dangling", "aliases", "state", "segments", "segment_parts"}

// Repaired says what Repair made again and what it could not.
type Repaired struct {
	Records int      // read
	Columns int      // rows of the log in which a column was corrected
	Edges   int      // written, dangling ones too
	States  int      // written
	Left    []string // what is lost, or was left as it was
}

// Progress is told what a long work is at, and how far; total 0 is not known.
type Progress func(what string, done, total int)

// repairPage is how many records are read at a time.
const repairPage = 1024

// Repair makes all that is made of records anew: arrows, states, the index of words,
// the counters and trees of logs, the columns that are copied out of signed bytes, and
// the schema. Signed bytes and signatures are only read. It is one transaction, so that
// others read what was there until all is done, and those who write wait.
//
// Usage, vectors and times of arrival are made of nothing that is held: where they are
// damaged they are left out, and that is said.
func (s *Store) Repair(ctx context.Context, told Progress) (Repaired, error) {
	if told == nil {
		told = func(string, int, int) {}
	}
	if s.shared {
		return Repaired{}, fmt.Errorf("repair %s: a hub is repaired by the owner of its database, who opens it as a store", s.name)
	}
	broken := s.brokenPages(ctx)
	var out Repaired
	err := s.change(ctx, "repair", func(ctx context.Context, w *session) error {
		x := &repairing{
			s: s, ctx: ctx, w: w, told: told, broken: broken,
			places: make(map[memory.ID]place), awaited: make(map[memory.ID]bool), authors: newVotes(), spaces: newVotes(), kinds: newVotes(),
		}
		err := x.run()
		out = x.done
		return err
	})
	if errors.Is(err, store.ErrDamaged) && !errors.Is(err, errUnmendable) {
		err = fmt.Errorf("%w: %w", err, errUnmendable)
	}
	if err != nil {
		return out, err
	}
	s.forgetKnown()
	if err := s.dropStandIn(); err != nil {
		return out, s.failed("repair", err)
	}
	if err := s.dropCodes(ctx); err != nil {
		return out, s.failed("repair", err)
	}
	if broken {
		err = s.rewrite(ctx)
	}
	return out, s.failed("repair", err)
}

// forgetKnown drops what was remembered of tables that are other ones now.
func (s *Store) forgetKnown() {
	s.names.forget()
	s.heads.mu.Lock()
	s.heads.known = nil
	s.heads.mu.Unlock()
	s.ring.mu.Lock()
	s.ring.of, s.ring.roots = nil, nil
	s.ring.mu.Unlock()
	s.tallies.put(tallied{})
}

// A place is where a record is in the log.
type place struct {
	key  int64
	kind memory.Kind
}

// repairing is one run of Repair, in the transaction that writes.
type repairing struct {
	s      *Store
	ctx    context.Context
	w      *session
	told   Progress
	broken bool // pages of the file are damaged, not only rows
	done   Repaired
	total  int

	authors, spaces, kinds *votes
	places                 map[memory.ID]place
	whole                  []int64            // keys of records whose bytes are whole
	gone                   map[int64]bool     // keys of all others: purged, or damaged
	awaited                map[memory.ID]bool // something before them in the log points at them
}

func (x *repairing) run() error {
	for _, step := range []func() error{
		x.schemaOff, x.survey, x.lists, x.columns, x.arrows, x.logs, x.words, x.states, x.local, x.schemaOn,
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// left notes what could not be made again.
func (x *repairing) left(format string, args ...any) {
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
	there                                     bool
	id, kind, author, at, session, more, came any
}

// each goes through the payloads in the order of the logs and gives those that are
// records.
func (x *repairing) each(what string, do func(page []heldRow) error) error {
	const query = `SELECT p.key, p.bytes, p.sig, r.key, r.id, r.kind, r.author, r.at, r.session, r.more, r.came
		FROM payloads p LEFT JOIN records r ON r.key = p.key WHERE p.key > ? ORDER BY p.key LIMIT ?`
	n := 0
	for after := int64(-1); ; {
		var page []heldRow
		read, last := 0, after
		err := x.w.each(x.ctx, func(rows *sql.Rows) error {
			var one heldRow
			var raw, sig, there any
			w := &one.was
			if err := rows.Scan(&one.key, &raw, &sig, &there, &w.id, &w.kind, &w.author, &w.at, &w.session, &w.more, &w.came); err != nil {
				return err
			}
			read++
			last = max(last, one.key)
			w.there = there != nil
			if b, is := raw.([]byte); is {
				one.rec = wholeRecord(b, w.id, sig) // one that is none is named by Check
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
		x.told(what, n, x.total)
		if read < repairPage || last == after {
			return nil
		}
		after = last
	}
}

// wholeRecord gives the record that bytes are. Where the log says another id, one of the
// two is damaged: it is the log's if the signature holds.
func wholeRecord(raw []byte, id, sig any) *memory.Record {
	r, err := memory.Load(slices.Clone(raw))
	if err != nil {
		return nil
	}
	if b, is := id.([]byte); is && bytes.Equal(b, r.ID[:]) {
		return r
	}
	if b, is := sig.([]byte); is && signedBy(r, b) {
		return r
	}
	return nil
}

// survey reads all records once: what they are, and whose numbers they use.
func (x *repairing) survey() error {
	twice := 0
	err := x.each("records read", func(page []heldRow) error {
		for _, one := range page {
			h := &one.rec.Header
			if was, held := x.places[one.rec.ID]; held && was.key != one.key {
				twice++
				continue // the first stays what it is
			}
			x.places[one.rec.ID] = place{one.key, h.Kind}
			x.whole = append(x.whole, one.key)
			x.authors.cast(one.was.author, h.Author)
			x.kinds.cast(one.was.kind, string(h.Kind))
			x.spaces.cast(one.key>>seqBits, h.Space)
		}
		return nil
	})
	if twice > 0 {
		x.left("%d records are in the log a second time", twice)
	}
	x.total, x.done.Records = len(x.whole), len(x.whole)
	if err != nil {
		return err
	}
	return x.others()
}

// others finds the rows of the log without whole bytes. What is known of them cannot
// be made of anything, and is kept.
func (x *repairing) others() error {
	whole := make(map[int64]bool, len(x.whole))
	for _, key := range x.whole {
		whole[key] = true
	}
	x.gone = make(map[int64]bool)
	damaged := 0
	err := x.w.each(x.ctx, func(rows *sql.Rows) error {
		var key int64
		var id, kind, has any
		if err := rows.Scan(&key, &id, &kind, &has); err != nil || whole[key] {
			return err
		}
		x.gone[key] = true
		if has != nil {
			damaged++
		}
		raw, is := id.([]byte)
		if !is || len(raw) != len(memory.ID{}) {
			return nil
		}
		no, _ := kind.(int64)
		for k, n := range kindNumbers {
			if int64(n) == no {
				x.places[memory.ID(raw)] = place{key, k}
			}
		}
		return nil
	}, "SELECT r.key, r.id, r.kind, p.key FROM records r LEFT JOIN payloads p ON p.key = r.key ORDER BY r.key")
	if damaged > 0 {
		x.left("%d records whose signed bytes are damaged: restore them from a backup, an export or a remote", damaged)
	}
	return err
}

// states folds the state of every record again. What is there is what is known of
// purged records, of which nothing else says it.
func (x *repairing) states() error {
	if err := x.cleanStates(); err != nil {
		return err
	}
	err := x.each("states made", func(page []heldRow) error {
		if len(page) == 0 {
			return nil
		}
		rows := newRowsFor(x.ctx, x.s, x.w, len(page))
		rows.repairs, rows.made = true, page[0].key
		rs := make([]*memory.Record, 0, len(page))
		for _, one := range page {
			if x.places[one.rec.ID].key == one.key {
				rs = append(rs, one.rec)
			}
		}
		if err := store.Anew(rows, rs, func(id memory.ID) bool { return x.awaited[id] }, rows.now); err != nil {
			return err
		}
		if rows.failed != nil {
			return rows.failed
		}
		return (&appending{rows: rows}).writeStates()
	})
	if err != nil {
		return err
	}
	_, err = x.w.one(x.ctx, []any{&x.done.States}, "SELECT count(*) FROM state")
	return err
}

// Rows of states that no record has, or that hold what is none. A server holds its
// columns to their types itself.
const (
	strayStates = "DELETE FROM state WHERE NOT EXISTS (SELECT 1 FROM records r WHERE r.key = state.key)"
	oddStates   = `DELETE FROM state WHERE typeof(flags) <> 'integer' OR typeof(due) NOT IN ('integer', 'null')
		OR typeof(fold) NOT IN ('text', 'null')`
	unsaidPurges = `SELECT r.key FROM records r LEFT JOIN payloads p ON p.key = r.key LEFT JOIN state s ON s.key = r.key
		WHERE p.key IS NULL AND (s.key IS NULL OR s.flags & 32 = 0)`
	purgeMarks = `SELECT p.bytes FROM edges e JOIN records c ON c.key = e.src JOIN payloads p ON p.key = e.src
		WHERE e.dst = ? AND e.rel = 3 AND c.kind = 15`
)

func (x *repairing) cleanStates() error {
	if err := x.w.exec(x.ctx, strayStates); err != nil {
		return err
	}
	if x.w.d == sqliteDialect {
		if err := x.w.exec(x.ctx, oddStates); err != nil {
			return err
		}
	}
	if err := x.cleanGone(); err != nil {
		return err
	}
	unsaid, err := keysOf(x.ctx, x.w, unsaidPurges)
	if err != nil {
		return err
	}
	for _, key := range unsaid {
		purged, err := x.purged(key)
		if err != nil {
			return err
		}
		if !purged {
			x.left("a record in place %d of space %d has lost its bytes, and no purge says why: restore it from a backup", seqOf(key), key>>seqBits)
			continue
		}
		if err := x.w.exec(x.ctx, insertStates+"(?,?,?,?)"+replaceState, key, flagPurged, nil, nil); err != nil {
			return err
		}
	}
	return nil
}

// cleanGone takes away states of records without their bytes that are none.
func (x *repairing) cleanGone() error {
	for _, key := range slices.Sorted(maps.Keys(x.gone)) {
		var flags sql.NullInt64
		var fold sql.NullString
		there, err := x.w.one(x.ctx, []any{&flags, &fold}, "SELECT flags, fold FROM state WHERE key = ?", key)
		if err != nil {
			return err
		}
		if there && wrongAlone(flags, fold) == nil {
			continue
		}
		if err := x.w.exec(x.ctx, "DELETE FROM state WHERE key = ?", key); err != nil {
			return err
		}
	}
	return nil
}

// wrongAlone tells what is wrong with a state by what it says alone.
func wrongAlone(flags sql.NullInt64, fold sql.NullString) error {
	s, err := decodeState(nil, flags, fold)
	if err == nil && strings.HasPrefix(fold.String, "{") && int64(flagsOf(&s)) != flags.Int64 {
		err = errors.New("its state does not say what its flags say")
	}
	return err
}

// purged tells whether a mark that is held says that a record was purged.
func (x *repairing) purged(key int64) (is bool, err error) {
	err = x.w.each(x.ctx, func(rows *sql.Rows) error {
		var raw []byte
		if err := rows.Scan(&raw); err != nil {
			return err
		}
		if r, err := memory.Load(raw); err == nil {
			m, mark := r.Body.(*memory.Mark)
			is = is || mark && m.Verb == memory.Purge
		}
		return nil
	}, purgeMarks, key)
	return is, err
}

// keysOf runs a query for keys.
func keysOf(ctx context.Context, on *session, query string, args ...any) (keys []int64, err error) {
	err = on.each(ctx, func(rows *sql.Rows) error {
		var key int64
		err := rows.Scan(&key)
		keys = append(keys, key)
		return err
	}, query, args...)
	return keys, err
}

// brokenPages asks SQLite whether the file holds together.
func (s *Store) brokenPages(ctx context.Context) bool {
	if s.d != sqliteDialect {
		return false
	}
	lines, err := s.integrity(ctx)
	return err != nil || !slices.Equal(lines, []string{"ok"})
}

// integrity gives what SQLite says of the structure of its file. The quick check would
// not see an index that lacks a row.
func (s *Store) integrity(ctx context.Context) (lines []string, err error) {
	err = s.read.long(ctx, func(rows *sql.Rows) error {
		var line string
		err := rows.Scan(&line)
		lines = append(lines, line)
		return err
	}, "PRAGMA integrity_check")
	return lines, err
}

// rewrite writes the file anew without the pages that hang on no table any more.
func (s *Store) rewrite(ctx context.Context) error {
	select {
	case <-s.writing:
		defer func() { s.writing <- struct{}{} }()
	case <-ctx.Done():
		return ctx.Err()
	}
	w, err := s.write.begin(ctx)
	if err != nil {
		return err
	}
	err = s.write.done(run(ctx, w, "VACUUM"))
	if explainSQLite(err) == store.ErrDamaged {
		return errors.Join(errUnmendable, err)
	}
	return err
}

// errUnmendable says that what is damaged is no derived table.
var errUnmendable = errors.New("it cannot be made again in place: 'stemma recover FILE --to NEW' writes the records that are whole into another store")
