package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/lists"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
	"github.com/stemma-memory/stemma/memory"
)

// Repair makes all that is made of records again: arrows, states, the index of words,
// the counters and trees of logs, the columns that are copied out of signed bytes, and
// the schema. Signed bytes and signatures are only read. It is one transaction, so that
// others read what was there until all is done, and those who write wait; where pages of
// a file are damaged there is a second one, over the file that was written again.
//
// Usage, vectors and times of arrival are made of nothing that is held: where they are
// damaged they are left out, and that is said.
func (s *Store) Repair(ctx context.Context, progress store.Progress) (store.Repaired, error) {
	if progress == nil {
		progress = func(string, int, int) {}
	}
	if s.shared {
		return store.Repaired{}, fmt.Errorf(
			"repair %s: this is a hub: the database's owner must open it as a store and repair it", s.name)
	}
	broken := s.brokenPages(ctx)
	first, err := s.repairOnce(ctx, broken, progress)
	out := first.done
	out.Left = slices.Concat(first.lost, first.done.Left)
	if err != nil || !broken && !s.brokenPages(ctx) { // what was written may have met a page that looked whole
		return out, s.Failed("repair", err)
	}
	if err := s.rewrite(ctx); err != nil {
		return out, s.Failed("repair", err)
	}
	// In a damaged file what is looked up by its key may not be found. Now it is.
	last, err := s.repairOnce(ctx, false, progress)
	out = last.done
	out.Columns = max(out.Columns, first.done.Columns)
	out.Left = slices.Concat(first.lost, last.lost, last.done.Left)
	return out, s.Failed("repair", err)
}

// repairOnce is one run, and one transaction. Broken says that pages of the file are damaged.
func (s *Store) repairOnce(ctx context.Context, broken bool, progress store.Progress) (*repairing, error) {
	x := &repairing{}
	if err := s.writeLeniently(ctx, broken); err != nil {
		return x, err
	}
	err := s.Change(ctx, "repair", func(ctx context.Context, w *session.Session) error {
		x = &repairing{
			s: s, ctx: ctx, w: w, progress: progress, broken: broken,
			authors: newVotes(), spaces: newVotes(), kinds: newVotes(),
			places: make(map[memory.ID]place), awaited: make(map[memory.ID]bool),
		}
		return x.run()
	})
	err = errors.Join(err, s.writeLeniently(ctx, false))
	if errors.Is(err, store.ErrDamaged) && !errors.Is(err, errUnmendable) {
		err = fmt.Errorf("%w: %w", err, errUnmendable)
	}
	if err != nil {
		return x, err
	}
	s.forgetKnown()
	return x, errors.Join(s.dropFallback(), s.dropCodes(ctx))
}

// writeLeniently says whether the next transaction may write to a file of whose schema a
// part cannot be understood.
func (s *Store) writeLeniently(ctx context.Context, may bool) error {
	w, is := s.write.(*session.SQLiteWriter)
	if !is || w.Lenient == may {
		return nil
	}
	select {
	case <-s.writing:
		defer func() { s.writing <- struct{}{} }()
	case <-ctx.Done():
		return ctx.Err()
	}
	w.Lenient = may
	return w.Close()
}

// forgetKnown drops what was remembered of tables that are other ones now.
func (s *Store) forgetKnown() {
	s.names.Forget()
	s.moments.forget()
	s.heads.mu.Lock()
	s.heads.known = nil
	s.heads.mu.Unlock()
	s.unread.mu.Lock()
	s.unread.known = nil
	s.unread.mu.Unlock()
	s.ring.mu.Lock()
	s.ring.of, s.ring.roots = nil, nil
	s.ring.mu.Unlock()
	s.tallies.put(tallied{})
	s.forgetFilling()
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
			x.spaces.cast(one.key>>session.SeqBits, h.Space)
		}
		return nil
	})
	if twice > 0 {
		x.remains("%d records are in the log a second time", twice)
	}
	x.total, x.done.Records = len(x.whole), len(x.whole)
	if err != nil {
		return err
	}
	return x.others()
}

// others finds the rows of the log without intact bytes. What is known of them cannot be
// derived, and is kept.
func (x *repairing) others() error {
	whole := make(map[int64]bool, len(x.whole))
	for _, key := range x.whole {
		whole[key] = true
	}
	x.gone, x.astray = make(map[int64]bool), make(map[memory.ID]strayRow)
	damaged := 0
	var gone []memory.ID
	err := x.w.Each(x.ctx, func(rows *sql.Rows) error {
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
		for k, n := range lists.KindNumbers() {
			if int64(n) == no {
				x.places[memory.ID(raw)] = place{key, k}
			}
		}
		return nil
	}, "SELECT r.key, r.id, r.kind, r.came, r.sum, p.key FROM records r LEFT JOIN payloads p ON p.key = r.key "+
		"ORDER BY r.key")
	if damaged > 0 {
		x.remains("%d records whose signed bytes are damaged: restore them from a backup, an export or a remote", damaged)
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
	if s.d != session.SQLite {
		return false
	}
	lines, err := s.integrity(ctx)
	return err != nil || !slices.Equal(lines, []string{"ok"})
}

// integrity returns SQLite's report on the structure of its file. The quick check would not
// see an index that lacks a row.
func (s *Store) integrity(ctx context.Context) (lines []string, err error) {
	err = s.read.Long(ctx, func(rows *sql.Rows) error {
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
	w, err := s.write.Begin(ctx)
	if err != nil {
		return err
	}
	err = s.write.Done(session.Run(ctx, w, "VACUUM"))
	if session.ExplainSQLite(err) == store.ErrDamaged {
		return errors.Join(errUnmendable, err)
	}
	return err
}

// filled ends Repair: what should have rows is what has them.
func (x *repairing) filled() error {
	f, err := readFillings(x.ctx, x.w)
	return errors.Join(err, SetMeta(x.ctx, x.w, filledName, strings.Join(f.have, " ")),
		x.w.Exec(x.ctx, "DELETE FROM meta WHERE name = ?", lostName))
}
