package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// The heads of the queries that find words, best first and of equals the newest.
// SQLite takes the hits of the full-text index, in order, and looks up one after
// the other until it has enough: LIMIT -1 keeps it from dropping the order, and
// CROSS JOIN from turning the join around.
const (
	matchSQLite = `SELECT r.id, -h.score, s.due FROM (
			SELECT rowid AS key, bm25(words) AS score FROM words WHERE words MATCH ? AND rowid > ? AND rowid < ?
			ORDER BY score, rowid DESC LIMIT -1) h
		CROSS JOIN records r ON r.key = h.key LEFT JOIN state s ON s.key = r.key WHERE true`
	matchPostgres = `SELECT r.id, h.score, s.due FROM (SELECT w.key, ts_rank(w.tsv, q.q, 1) AS score
			FROM (SELECT ?::tsquery AS q) q, words w WHERE w.tsv @@ q.q AND w.key > ? AND w.key < ?) h
		JOIN records r ON r.key = h.key LEFT JOIN state s ON s.key = r.key WHERE h.score > 0`
	bestSQLite   = " LIMIT ?"
	bestPostgres = " ORDER BY h.score DESC, r.key DESC LIMIT ?"
)

// Match finds records by their words. Spaces, kinds and hidden records are told
// apart before the best are chosen, so that nothing crowds out anything.
func (s *Store) Match(ctx context.Context, m store.Match) ([]store.Hit, error) {
	hits, err := s.match(ctx, m)
	return hits, s.failed("search", err)
}

func (s *Store) match(ctx context.Context, m store.Match) ([]store.Hit, error) {
	terms := searchable(m.Terms)
	if len(terms) == 0 {
		return nil, ctx.Err()
	}
	waiting, err := s.catchUp(ctx)
	if err != nil {
		return nil, err
	}
	limit := m.Limit
	if limit <= 0 {
		limit = unbounded
	}
	hits, err := s.matchIndexed(ctx, m, terms, limit)
	if err != nil || len(waiting) == 0 {
		return hits, err
	}
	return s.withWaiting(ctx, m, terms, hits, waiting, limit)
}

// matchIndexed finds records by the index.
func (s *Store) matchIndexed(ctx context.Context, m store.Match, terms []string, limit int) ([]store.Hit, error) {
	query, args, err := s.matchQuery(ctx, m, terms)
	if err != nil || query == "" {
		return nil, err
	}
	for ask := limit; ; ask *= 2 {
		hits, seen, err := s.hits(ctx, m, query, append(args, ask))
		if err != nil {
			return nil, err
		}
		if len(hits) >= limit || seen < ask { // else claims came due that hide some
			return hits[:min(limit, len(hits))], nil
		}
	}
}

// matchQuery gives the query but for its limit; "" finds nothing.
func (s *Store) matchQuery(ctx context.Context, m store.Match, terms []string) (string, []any, error) {
	kinds, err := s.kindsOf(ctx, s.read, m.Kinds)
	if err != nil || len(kinds) == 0 {
		return "", nil, err
	}
	low, high, several, err := s.keysOf(ctx, m.Spaces)
	if err != nil || low == high {
		return "", nil, err
	}
	query, args := s.d.Match, []any{s.d.Query(terms), low, high}
	if kinds[0] == allMemories {
		query, args = query+" AND r.kind <= ?", append(args, lastMemory)
	} else {
		part, list := spreadFor(" AND r.kind IN (…)", kinds, anyInt)
		query, args = query+part, append(args, list...)
	}
	if len(several) > 0 {
		part, list := spreadFor(" AND r.key / 1099511627776 IN (…)", several, anyInt) // >> seqBits
		query, args = query+part, append(args, list...)
	}
	if !m.Hidden {
		query, args = query+" AND "+shown, append(args, s.now().UnixMilli())
	}
	return query + s.d.Best, args, nil
}

func anyInt(n int) any { return n }

// keysOf gives the keys between which some spaces lie, none of them when low is
// high; if others lie between too, several are the numbers of those meant.
func (s *Store) keysOf(ctx context.Context, spaces []string) (low, high int64, several []int, err error) {
	if len(spaces) == 0 {
		return -1, math.MaxInt64, nil, nil
	}
	for _, name := range spaces {
		no, err := s.names.number(ctx, s.read, spaceList, name)
		if err != nil {
			return 0, 0, nil, err
		}
		if no != 0 && !slices.Contains(several, no) {
			several = append(several, no)
		}
	}
	switch {
	case len(several) == 0:
		return 0, 0, nil, nil
	case len(several) > mostListed:
		return 0, 0, nil, fmt.Errorf("at most %d spaces can be searched at once, got %d", mostListed, len(several))
	}
	low, high = firstKey(slices.Min(several)), firstKey(slices.Max(several)+1)
	if len(several) == 1 {
		several = nil
	}
	return low, high, several, nil
}

// hits runs the query; seen is how many rows it gave.
func (s *Store) hits(ctx context.Context, m store.Match, query string, args []any) (hits []store.Hit, seen int, err error) {
	var due []memory.ID
	now := s.now().UnixMilli()
	err = s.read.long(ctx, func(rows *sql.Rows) error {
		var id []byte
		var h store.Hit
		var at sql.NullInt64
		err := rows.Scan(&id, &h.Score, &at)
		h.ID = memory.ID(id)
		hits = append(hits, h)
		if at.Valid && at.Int64 <= now {
			due = append(due, h.ID)
		}
		return err
	}, query, args...)
	seen = len(hits)
	if err != nil || m.Hidden || len(due) == 0 {
		return hits, seen, err
	}
	items, err := s.Get(ctx, due...)
	if err != nil {
		return nil, 0, err
	}
	hits = slices.DeleteFunc(hits, func(h store.Hit) bool {
		i := slices.Index(due, h.ID)
		return i >= 0 && (items[i] == nil || !items[i].State.Live())
	})
	return hits, seen, nil
}

// mostTerms is how many terms are looked for: a question has fewer, and a whole
// book is no question.
const mostTerms = 256

// searchable leaves out what cannot be a term: those of package words are
// letters and digits, and whatever else comes may only be found, never obeyed.
func searchable(terms []string) []string {
	var out []string
	for _, t := range terms {
		t = strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				return r
			}
			return -1
		}, strings.ToValidUTF8(t, ""))
		if t != "" && len(t) <= words.MaxBytes && len(out) < mostTerms && !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}

// querySQLite gives the terms as an FTS5 query, each in quotes.
func querySQLite(terms []string) string {
	return `"` + strings.Join(terms, `" OR "`) + `"`
}

// tsquery gives the terms as a query of PostgreSQL, each in quotes.
func tsquery(terms []string) string {
	return `'` + strings.Join(terms, `' | '`) + `'`
}

// Bounds of a tsvector: of all its bytes, of the positions of one word, and of
// a position.
const (
	maxVector    = 800_000
	maxPositions = 255
	maxPosition  = 16383
)

// tsvector writes terms as PostgreSQL reads them, with their places. Words
// beyond what a tsvector can hold are left out.
func tsvector(terms []byte) string {
	places := make(map[string][]int)
	var order []string
	size := 0
	for i, t := range strings.Fields(string(terms)) {
		at := places[t]
		if at == nil {
			order = append(order, t)
			size += len(t) + 8 // its entry and padding
		}
		if size += 2; size > maxVector {
			break
		}
		if len(at) < maxPositions {
			places[t] = append(at, min(i+1, maxPosition))
		}
	}
	var b strings.Builder
	for _, t := range order {
		sep := byte(':')
		b.WriteString(" '" + t + "'")
		for _, p := range places[t] {
			b.WriteByte(sep)
			fmt.Fprint(&b, p)
			sep = ','
		}
	}
	return b.String()
}
