package sqlstore

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

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

// Repair makes all that is made of records again: arrows, states, the index of words,
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
		return Repaired{}, fmt.Errorf(
			"repair %s: this is a hub: whoever owns the database opens it as a store and repairs it", s.name)
	}
	broken := s.brokenPages(ctx)
	var out Repaired
	err := s.writeLeniently(ctx, broken)
	if err != nil {
		return out, s.failed("repair", err)
	}
	err = s.change(ctx, "repair", func(ctx context.Context, w *session) error {
		x := &repairing{
			s: s, ctx: ctx, w: w, told: told, broken: broken,
			authors: newVotes(), spaces: newVotes(), kinds: newVotes(),
			places: make(map[memory.ID]place), awaited: make(map[memory.ID]bool),
		}
		err := x.run()
		out = x.done
		return err
	})
	err = errors.Join(err, s.writeLeniently(ctx, false))
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
	if broken || s.brokenPages(ctx) { // what was written may have met a page that looked whole
		err = s.rewrite(ctx)
	}
	return out, s.failed("repair", err)
}

// writeLeniently says whether the next transaction may write to a file of whose schema a
// part cannot be understood.
func (s *Store) writeLeniently(ctx context.Context, may bool) error {
	w, is := s.write.(*sqliteWriter)
	if !is || w.lenient == may {
		return nil
	}
	select {
	case <-s.writing:
		defer func() { s.writing <- struct{}{} }()
	case <-ctx.Done():
		return ctx.Err()
	}
	w.lenient = may
	return w.close()
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
	s.forgetFilling()
}

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
	s      *Store
	ctx    context.Context
	w      *session
	told   Progress
	broken bool // pages of the file are damaged, not only rows
	done   Repaired
	total  int

	authors, spaces, kinds *votes
	places                 map[memory.ID]place
	whole                  []int64 // keys of records whose bytes are whole
	astray                 map[memory.ID]strayRow
	toGo                   []memory.ID         // what held marks purge
	renamed                map[int64]memory.ID // rows without bytes whose id is damaged, and what it was
	gone                   map[int64]bool      // keys of all others: purged, or damaged
	awaited                map[memory.ID]bool  // something before them in the log points at them
}

func (x *repairing) run() error {
	for _, step := range []func() error{
		x.schemaOff, x.survey, x.lists, x.columns, x.arrows, x.logs, x.words, x.states, x.local, x.filled, x.schemaOn,
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
	there                                          bool
	id, kind, author, at, session, more, came, sum any
}

// each goes through the payloads in the order of the logs and gives those that are
// records.
func (x *repairing) each(what string, do func(page []heldRow) error) error {
	const query = `SELECT p.key, p.bytes, p.sig, r.key, r.id, r.kind, r.author, r.at, r.session, r.more, r.came, r.sum
		FROM payloads p LEFT JOIN records r ON r.key = p.key WHERE p.key > ? ORDER BY p.key LIMIT ?`
	n := 0
	for after := int64(-1); ; {
		var page []heldRow
		read, last := 0, after
		err := x.w.each(x.ctx, func(rows *sql.Rows) error {
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
			if m, is := one.rec.Body.(*memory.Mark); is && m.Verb == memory.Purge && m.Of != nil {
				x.toGo = append(x.toGo, m.Of.ID)
			}
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
	x.gone, x.astray = make(map[int64]bool), make(map[memory.ID]strayRow)
	damaged := 0
	var gone []memory.ID
	err := x.w.each(x.ctx, func(rows *sql.Rows) error {
		var key int64
		var id, kind, came, sum, has any
		if err := rows.Scan(&key, &id, &kind, &came, &sum, &has); err != nil || whole[key] {
			return err
		}
		raw, is := id.([]byte)
		is = is && len(raw) == len(memory.ID{})
		if is && has == nil && whole[x.places[memory.ID(raw)].key] {
			x.astray[memory.ID(raw)] = strayRow{key, came, sum}
			return nil
		}
		x.gone[key] = true
		if has != nil {
			damaged++
		}
		if !is {
			return nil
		}
		gone = append(gone, memory.ID(raw))
		no, _ := kind.(int64)
		for k, n := range kindNumbers {
			if int64(n) == no {
				x.places[memory.ID(raw)] = place{key, k}
			}
		}
		return nil
	}, "SELECT r.key, r.id, r.kind, r.came, r.sum, p.key FROM records r LEFT JOIN payloads p ON p.key = r.key "+
		"ORDER BY r.key")
	if damaged > 0 {
		x.left("%d records whose signed bytes are damaged: restore them from a backup, an export or a remote", damaged)
	}
	x.rename(gone)
	return err
}

// rename finds what the ids of rows without bytes were. Of a purged record a mark names
// it: where no mark names that of a row, and one names nearly the same that is nowhere,
// a byte of it is damaged.
func (x *repairing) rename(gone []memory.ID) {
	x.renamed = make(map[int64]memory.ID)
	for _, id := range gone {
		if slices.Contains(x.toGo, id) {
			continue
		}
		for _, was := range x.toGo {
			different := 0
			for i := range was {
				if was[i] != id[i] {
					different++
				}
			}
			if at, held := x.places[id]; held && different == 1 && x.places[was].key == 0 {
				x.places[was], x.renamed[at.key] = at, was
				delete(x.places, id)
				break
			}
		}
	}
}

// brokenPages asks SQLite whether the file holds together.
func (s *Store) brokenPages(ctx context.Context) bool {
	if s.d != sqliteDialect {
		return false
	}
	lines, err := s.integrity(ctx)
	return err != nil || !slices.Equal(lines, []string{"ok"})
}

// integrity returns what SQLite says of the structure of its file. The quick check would
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

// rewrite writes the file again without the pages that hang on no table any more.
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
var errUnmendable = errors.New(
	"it cannot be made again in place: 'stemma recover FILE --to NEW' writes the records that are whole into another store")
