package sqlstore

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/stemma-memory/stemma/internal/index"
	"github.com/stemma-memory/stemma/internal/sorting"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
	"github.com/stemma-memory/stemma/memory"
)

// errGone says that a segment was merged into another while we read.
var errGone = errors.New("a segment of the index is gone")

// The index of words is kept in segments of neighbouring records. New records
// make a small one; several of one size become one of the next, so that there
// are few. A small one for each record would cost a capture more than all else,
// so the words of the newest few of a space wait: the next that is one too many
// makes a segment of all of them, and a search reads them as they are.

// Sizes of segments, in records.
const (
	backlog     = 64   // how many of the newest records of a space may wait
	mergeOf     = 8    // so many of one level make one of the next
	segmentMost = 4096 // how many records one made at once holds
	levels      = 4    // the greatest hold backlog * mergeOf^levels records
)

// A segment is a row of the table.
type segment struct {
	space       int
	no          int64
	level       int
	version     int
	first, last int64
}

// segmentsOf lists the segments of a space in the order of their records.
func segmentsOf(ctx context.Context, on *session.Session, space int) (all []segment, err error) {
	err = on.Each(ctx, func(r *sql.Rows) error {
		g := segment{space: space}
		err := r.Scan(&g.no, &g.level, &g.version, &g.first, &g.last)
		all = append(all, g)
		return err
	}, "SELECT no, level, version, first, last FROM segments WHERE space = ?", space)
	sorting.By(all, func(a, b segment) int { return cmp.Compare(a.first, b.first) })
	return all, err
}

// partsOf reads all parts of a segment, as this version makes them.
func partsOf(ctx context.Context, on *session.Session, g segment) (parts [][]byte, err error) {
	err = on.Each(ctx, func(r *sql.Rows) error {
		var b []byte
		err := r.Scan(&b)
		parts = append(parts, b)
		return err
	}, "SELECT bytes FROM segment_parts WHERE space = ? AND no = ? ORDER BY part", g.space, g.no)
	if err == nil && len(parts) == 0 {
		err = fmt.Errorf("%w: a segment has no parts", index.ErrDamaged)
	}
	if err == nil && g.version < index.Version {
		var newly *index.Newly
		if newly, err = newlyKept(ctx, on, g); err == nil {
			parts, err = index.Renew(parts, newly)
		}
	}
	return parts, err
}

// newlyKept returns what older versions did not keep of the records of a segment. Those that cannot have a mark which
// older versions did not make are not decoded.
func newlyKept(ctx context.Context, on *session.Session, g segment) (*index.Newly, error) {
	newly := new(index.Newly)
	err := on.Each(ctx, func(r *sql.Rows) error {
		var key int64
		var raw sql.RawBytes
		if err := r.Scan(&key, &raw); err != nil {
			return err
		}
		if plainly(raw) {
			if at, known := happenedIn(raw); known {
				newly.AddPast(key, index.PastOf(bytes.Contains(raw, []byte(isImported)), at.Time()))
				return nil
			}
		}
		if rec, err := memory.Load(bytes.Clone(raw)); err == nil {
			newly.Add(key, rec)
		}
		return nil
	}, "SELECT key, bytes FROM payloads WHERE key >= ? AND key <= ? ORDER BY key",
		session.FirstKey(g.space)+g.first, session.FirstKey(g.space)+g.last)
	return newly, err
}

// plainly reports whether bytes are of a record that is about nothing, of which its author was as sure as usual, and
// that is a capture or was not made here.
func plainly(raw []byte) bool {
	sure := bytes.Contains(raw, []byte(isCertain)) || bytes.Contains(raw, []byte(isUsual))
	return sure && !bytes.Contains(raw, []byte(hasOthers)) && !bytes.HasPrefix(raw, []byte(aboutFirst)) &&
		!bytes.Contains(raw, []byte(isPerson)) && !labelled(raw) && !madeHere(raw)
}

// madeHere reports whether bytes may be of a memory that is no import and that no tool printed.
func madeHere(raw []byte) bool {
	return !bytes.Contains(raw, []byte(isRaw)) &&
		(bytes.Contains(raw, []byte(isAgents)) || bytes.Contains(raw, []byte(isOwners)))
}

// labelled reports whether bytes may be of a memory that its author said something of beside its words.
func labelled(raw []byte) bool {
	return !bytes.Contains(raw, []byte(isRaw)) && slices.ContainsFunc(hasLabels, func(name string) bool {
		return bytes.Contains(raw, []byte(name))
	})
}

// happenedIn returns when what a record says happened, from its bytes.
func happenedIn(raw []byte) (at memory.Time, known bool) {
	for _, name := range []string{happened, created} {
		_, from, is := bytes.Cut(raw, []byte(name))
		if text, _, ends := bytes.Cut(from, []byte(`"`)); is && ends {
			return at, at.UnmarshalText(text) == nil
		}
	}
	return at, false
}

// entriesOf reads the records of a space after one place and up to another, as
// the index wants them.
func entriesOf(ctx context.Context, on *session.Session, space int, after, upTo int64) (all []index.Entry, err error) {
	err = on.Each(ctx, func(r *sql.Rows) error {
		var key int64
		var kind int
		var in sql.NullInt64
		var raw []byte
		if err := r.Scan(&key, &kind, &in, &raw); err != nil {
			return err
		}
		rec, err := memory.Load(raw)
		if err != nil {
			return nil // Check names it; the words of others are found without it
		}
		if e := index.Describe(key, kind, uint64(in.Int64), rec); len(e.Terms) > 0 {
			all = append(all, e)
		}
		return nil
	}, `SELECT r.key, r.kind, r.session, p.bytes FROM payloads p JOIN records r ON r.key = p.key
		WHERE p.key > ? AND p.key <= ? ORDER BY p.key`, session.FirstKey(space)+after, session.FirstKey(space)+upTo)
	return all, err
}

// A waiting space has records whose words are in no segment.
type waiting struct {
	space         int
	indexed, last int64
}

// waitingIn returns what waits in some spaces, or in all for none.
func waitingIn(ctx context.Context, on *session.Session, spaces []int) (all []waiting, err error) {
	query, args := "SELECT no, indexed, last FROM spaces WHERE indexed < last", []any(nil)
	if len(spaces) > 0 {
		part, list := session.SpreadFor(" AND no IN (…)", spaces, session.AnyInt)
		query, args = query+part, list
	}
	err = on.Each(ctx, func(r *sql.Rows) error {
		var w waiting
		err := r.Scan(&w.space, &w.indexed, &w.last)
		all = append(all, w)
		return err
	}, query+" ORDER BY no", args...)
	return all, err
}

// heads remembers the heads of segments, which never change, by their space: a search reads one space after the other,
// and what it reads of one is not to be forgotten for the next.
type heads struct {
	mu    sync.Mutex
	known map[int]map[segment]*index.Head
}

// of returns the heads of the segments of a space, and forgets others of it.
func (h *heads) of(ctx context.Context, on *session.Session, space int, all []segment) ([]*index.Head, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	out := make([]*index.Head, len(all))
	known := h.known[space]
	for i, g := range all {
		if out[i] = known[g]; out[i] != nil {
			continue
		}
		err := on.Each(ctx, func(r *sql.Rows) error {
			var b sql.RawBytes
			err := r.Scan(&b)
			if err == nil {
				out[i], err = index.Open(b)
			}
			return err
		}, "SELECT bytes FROM segment_parts WHERE space = ? AND no = ? AND part = 0", g.space, g.no)
		if err != nil {
			return nil, err
		}
		if out[i] == nil {
			return nil, errGone
		}
		if h.known == nil || known == nil && len(h.known) == session.MostListed {
			h.known = make(map[int]map[segment]*index.Head)
		}
		if known == nil {
			known = make(map[segment]*index.Head)
			h.known[space] = known
		}
		known[g] = out[i]
	}
	if len(known) > 2*len(all)+mergeOf {
		known = make(map[segment]*index.Head)
		for i, g := range all {
			known[g] = out[i]
		}
		h.known[space] = known
	}
	return out, nil
}
