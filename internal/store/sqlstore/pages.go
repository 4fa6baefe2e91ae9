package sqlstore

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/stemma-memory/stemma/internal/canon"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/lists"
)

// How many rows List reads at a time: few at first, since most want few.
const (
	firstPage = 64
	laterPage = 256
)

// The parts of the query for a page.
const (
	ofKind      = "WHERE r.kind = ? "
	ofMemories  = "WHERE r.kind <= ? "
	inRange     = "AND r.key > ? AND r.key < ? "
	inSession   = "AND r.session = ? "
	byAuthor    = "AND r.author = (SELECT no FROM authors WHERE did = ?) "
	andShown    = "AND " + shown + " "
	byAuthors   = "author IN (SELECT no FROM authors WHERE did IN (%s)) "
	andOpen     = "AND (s.fold IS NULL OR s.fold NOT LIKE '%\"done\":true%' OR s.due <= ?) "
	andDone     = "AND (s.fold LIKE '%\"done\":true%' OR s.due <= ?) "
	andUnused   = "AND (NOT EXISTS (SELECT 1 FROM edges e WHERE e.dst = r.key AND e.rel = 1) OR "
	oldestFirst = "ORDER BY r.key LIMIT ?"
	newestFirst = "ORDER BY r.key DESC LIMIT ?"
)

// unbounded is a limit that limits nothing.
const unbounded = math.MaxInt32

// longMark is longer than a mark that ties a record to others, in bytes: one about thousands of records is not read for
// each of them.
const longMark = "2048"

// andUntied begins the condition that no mark m, with the bytes p, ties a record r to its first one, which is shown.
const andUntied = `AND NOT EXISTS (SELECT 1 FROM edges e
	JOIN records m ON m.key = e.src JOIN payloads p ON p.key = e.src
	JOIN edges f ON f.src = e.src AND f.ord = 0 LEFT JOIN state fs ON fs.key = f.dst
	WHERE e.dst = r.key AND e.rel = 3 AND f.dst <> r.key AND (fs.flags IS NULL OR fs.flags & 63 < 1) `

// unmade is the condition for a record r of which nothing current was made: no memory that was derived from it is
// shown, nor one that took the place of such a memory. The revision of an undo stands for what it says again, its
// second source, and not for what it took the place of: see store.Restores.
func (s *Store) unmade(args []any) (string, []any) {
	return `NOT EXISTS (WITH RECURSIVE made(key) AS (
		SELECT e.src FROM edges e WHERE e.dst = r.key AND e.rel = 1
		UNION SELECT e.src FROM made m JOIN edges e ON e.dst = m.key AND (e.rel = 2 OR e.rel = 1 AND e.ord = 1)
			LEFT JOIN payloads p ON p.key = e.src WHERE (e.rel = 2) = COALESCE(` + s.d.Lacks + `, true)
	) SELECT 1 FROM made m LEFT JOIN state s ON s.key = m.key WHERE s.flags IS NULL OR s.flags & 63 < 1)`,
		append(args, []byte(`"context":"`+store.ContextUndo+`"`))
}

// pages reads one kind of one space, a page at a time.
type pages struct {
	s             *Store
	q             store.Query
	kind          int
	after, before int64 // keys still to be read lie between
	size          int
	page          []*row
	ended         bool
}

func (p *pages) query() (string, []any) {
	query, args := itemColumns+itemTables+ofKind, []any{p.kind}
	if p.kind == lists.AllMemories {
		query, args = itemColumns+itemTables+ofMemories, []any{lists.LastMemory}
	}
	query, args = query+inRange, append(args, p.after, p.before)
	query, args = p.s.asked(p.q, query, args)
	query, args = p.s.narrowed(p.q, query, args)
	if p.q.Oldest {
		query += oldestFirst
	} else {
		query += newestFirst
	}
	return query, append(args, p.size)
}

// The canonical form has the members of a record in order, and no quotation mark in a text that
// is not escaped: what a record says is found in its bytes as they are.
const (
	aboutFirst = `{"about":`
	isCertain  = `"confidence":1000,"`
	isUsual    = `"confidence":800,"` // what a memory has whose author said nothing of it
	isPerson   = `"kind":"relationship"`
	isRaw      = `"kind":"raw"`
	isImported = `"origin":"import"`
	isAgents   = `"origin":"agent"`
	isOwners   = `"origin":"owner"`
	happened   = `"occurred_at":"`
	created    = `"at":"`
	hasOthers  = `"ext":{` // members of somebody else's, of which one may look like it
)

// hasLabels are in the bytes of each memory that has words beside those it says: tags, why it was remembered, what was
// felt, the type of a goal.
var hasLabels = []string{`"tags":[`, `"trigger":"`, `"labels":[`, `"kind":"goal"`}

// The parts of the query that leave out records that were not asked for.
const (
	andNamed  = "AND (r.kind <> " + lists.RawKind + " OR substr(p.bytes, 1, 9) = ?) "
	andAfter  = "AND r.at > ? "
	andUnsure = "AND (s.fold IS NOT NULL OR s.due <= ? OR "
)

// asked adds to a query for a page whose records are asked for, of which session, and in which state.
func (s *Store) asked(q store.Query, query string, args []any) (string, []any) {
	if q.Author != "" {
		query, args = query+byAuthor, append(args, q.Author)
	}
	query, args = authored(q, "AND r.", query, args)
	if q.Session != "" {
		query, args = query+inSession, append(args, sessionKey(q.Session))
	}
	now := s.now().UnixMilli()
	for _, c := range []struct {
		is    bool
		where string
	}{{!q.Hidden, andShown}, {q.Open, andOpen}, {q.Done, andDone}} {
		if c.is {
			query, args = query+c.where, append(args, now)
		}
	}
	if q.Unused {
		var where string
		where, args = s.unmade(args)
		query += andUnused + where + ") "
	}
	if q.Untied != "" { // last: it reads the marks
		query += andUntied + "AND CASE WHEN length(p.bytes) > " + longMark + " THEN false ELSE NOT (" + s.d.Lacks + ") END "
		query, args = authored(q, "AND m.", query, append(args, []byte(`"verb":"`+q.Untied+`"`)))
		query += ") "
	}
	return query, args
}

// authored adds to a query that one of some keys signed a record.
func authored(q store.Query, of, query string, args []any) (string, []any) {
	n := len(q.Authors)
	if n == 0 {
		return query, args
	}
	for _, did := range q.Authors {
		args = append(args, did)
	}
	return query + of + fmt.Sprintf(byAuthors, strings.TrimSuffix(strings.Repeat("?, ", n), ", ")), args
}

// narrowed adds to a query for a page what may be left out.
func (s *Store) narrowed(q store.Query, query string, args []any) (string, []any) {
	if q.Named {
		query, args = query+andNamed, append(args, []byte(aboutFirst))
	}
	if q.Here {
		query += "AND NOT (" + s.d.Lacks + " AND " + s.d.Lacks + ") "
		args = append(args, []byte(isAgents), []byte(isOwners))
	}
	if !q.After.IsZero() {
		query, args = query+andAfter, append(args, q.After.UnixMilli())
	}
	query, args = s.saying(q, query, args)
	for _, sure := range []struct {
		says string
		of   int
	}{{isCertain, 1000}, {isUsual, 800}} {
		if q.Below > 0 && sure.of >= q.Below {
			query += andUnsure + s.d.Lacks + " OR NOT (" + s.d.Lacks + ")) "
			args = append(args, s.now().UnixMilli(), []byte(sure.says), []byte(hasOthers))
		}
	}
	return query, args
}

// saying adds to a query that what does not have a text in its bytes may be left out, and what has members that were
// not asked for.
func (s *Store) saying(q store.Query, query string, args []any) (string, []any) {
	for _, member := range q.But {
		query, args = query+"AND "+s.d.Lacks+" ", append(args, []byte(member))
	}
	if q.Says == "" {
		return query, args
	}
	said := canon.AppendText(nil, q.Says)
	return query + "AND NOT (" + s.d.Lacks + ") ", append(args, said[1:len(said)-1])
}

// next returns the next row, nil at the end.
func (p *pages) next(ctx context.Context) (*row, error) {
	if len(p.page) == 0 && !p.ended {
		if p.q.Few > 0 && p.size == firstPage {
			p.size = min(p.q.Few, laterPage)
		}
		if p.q.Limit > 0 {
			p.size = min(p.size, p.q.Limit)
		}
		query, args := p.query()
		page, err := p.s.items(ctx, query, p.s.d.Planned(args)...)
		if err != nil {
			return nil, err
		}
		p.page, p.ended, p.size = page, len(page) < p.size, laterPage
		if len(page) > 0 && p.q.Oldest {
			p.after = page[len(page)-1].key
		} else if len(page) > 0 {
			p.before = page[len(page)-1].key
		}
	}
	if len(p.page) == 0 {
		return nil, nil
	}
	r := p.page[0]
	p.page = p.page[1:]
	return r, nil
}

// A source returns rows in order, nil at the end.
type source interface {
	next(ctx context.Context) (*row, error)
}

// merge returns the rows of several sources in one order.
type merge struct {
	from   []source
	heads  []*row // the next of each; nil has ended
	given  int    // of whose head was given last: its next is read when it is asked for
	before func(a, b *row) bool
}

func (m *merge) next(ctx context.Context) (*row, error) {
	if m.heads == nil {
		m.heads = make([]*row, len(m.from))
		for i := range m.from {
			if err := m.advance(ctx, i); err != nil {
				return nil, err
			}
		}
	} else if m.given >= 0 {
		if err := m.advance(ctx, m.given); err != nil {
			return nil, err
		}
	}
	best := -1
	for i, r := range m.heads {
		if r != nil && (best < 0 || m.before(r, m.heads[best])) {
			best = i
		}
	}
	m.given = best
	if best < 0 {
		return nil, nil
	}
	return m.heads[best], nil
}

func (m *merge) advance(ctx context.Context, i int) error {
	r, err := m.from[i].next(ctx)
	m.heads[i] = r
	return err
}

// cmpTime orders rows of different spaces.
func cmpTime(a, b *row) int {
	switch {
	case a.at != b.at && a.at < b.at, a.at == b.at && a.key < b.key:
		return -1
	case a.key == b.key:
		return 0
	}
	return 1
}
