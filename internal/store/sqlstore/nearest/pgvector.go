package nearest

import (
	"context"
	"database/sql"
	"strings"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/lists"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
)

// mostNear is how many numbers a vector of pgvector has at most.
const mostNear = 16000

// The statements about the copy; EXT is the schema of the extension, which need
// not be on the search path.
const (
	makeNear = `CREATE TABLE IF NOT EXISTS near (
		model INTEGER NOT NULL, key BIGINT NOT NULL, ord BIGINT NOT NULL, vec EXT.vector, PRIMARY KEY (model, key))`
	makeNearOrd = "CREATE INDEX IF NOT EXISTS near_ord ON near (model, ord)"
	hasNear     = "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'near'"
	nearMark    = "SELECT coalesce(max(ord), 0) FROM near WHERE model = ?"
	putNear     = "INSERT INTO near (model, key, ord, vec) VALUES "
	putNearRow  = "(?,?,?,CAST(? AS real[])::EXT.vector)"
	replaceNear = " ON CONFLICT (model, key) DO UPDATE SET ord = excluded.ord, vec = excluded.vec"

	// of equals the newest; what has come due is judged by us
	searchNear = `SELECT r.key, r.id, n.vec OPERATOR(EXT.<=>) CAST(? AS real[])::EXT.vector AS far
		FROM near n JOIN records r ON r.key = n.key JOIN payloads p ON p.key = n.key LEFT JOIN state s ON s.key = n.key
		WHERE n.model = ? AND n.vec IS NOT NULL `
	nearInSpaces = "AND n.key >> 40 IN (…) "
	nearOfKinds  = "AND r.kind IN (…) "
	nearest      = "ORDER BY far, r.key DESC LIMIT ?"
)

// extension returns the schema of pgvector, "" if it is not installed.
func (s *Base) extension(ctx context.Context, on *session.Session) (string, error) {
	if on.Dialect != session.Postgres {
		return "", nil
	}
	s.Copies.near.mu.Lock()
	defer s.Copies.near.mu.Unlock()
	if s.Copies.near.asked {
		return s.Copies.near.schema, nil
	}
	const query = `SELECT quote_ident(n.nspname) FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
		WHERE e.extname = 'vector'`
	_, err := on.One(ctx, []any{&s.Copies.near.schema}, query)
	s.Copies.near.asked = err == nil
	return s.Copies.near.schema, err
}

func in(schema, query string) string { return strings.ReplaceAll(query, "EXT.", schema+".") }

// inDatabase lets the database search. done is false where it cannot.
func (q *nearing) inDatabase(ctx context.Context) (hits []store.Hit, done bool, err error) {
	ext, err := q.s.extension(ctx, q.s.Read)
	if err != nil || ext == "" || q.model.Dims > mostNear {
		return nil, false, err
	}
	if ready, err := q.s.copyNear(ctx, ext, q.model); err != nil || !ready {
		return nil, false, err
	}
	for ask := q.limit; ; ask *= growing {
		all, err := q.ask(ctx, ext, ask)
		if err != nil {
			return nil, false, err
		}
		found := len(all)
		if all, err = q.shown(ctx, all); err != nil {
			return nil, false, err
		}
		if len(all) >= q.limit || found < ask {
			return q.best(all), true, nil
		}
	}
}

// ask returns the n nearest, which may have come due to be hidden.
func (q *nearing) ask(ctx context.Context, ext string, n int) ([]candidate, error) {
	query, args := in(ext, searchNear), []any{q.Vec, q.model.No}
	if len(q.spaces) > 0 {
		part, list := session.SpreadFor(nearInSpaces, q.spaces, session.AnyInt)
		query, args = query+part, append(args, list...)
	}
	if q.kinds[0] == lists.AllMemories {
		query, args = query+"AND r.kind <= ? ", append(args, lists.LastMemory)
	} else {
		part, list := session.SpreadFor(nearOfKinds, q.kinds, session.AnyInt)
		query, args = query+part, append(args, list...)
	}
	if !q.Hidden {
		query, args = query+"AND "+q.s.IsShown+" ", append(args, q.s.Now().UnixMilli())
	}
	var out []candidate
	err := q.s.Read.Long(ctx, func(rows *sql.Rows) error {
		var c candidate
		var far float64
		err := rows.Scan(&c.key, session.AsID(&c.id), &far)
		c.score = 1 - far
		out = append(out, c)
		return err
	}, query+nearest, append(args, n)...)
	return out, err
}

// copyNear brings the copy up to date. ready is false where it cannot be
// written.
func (s *Base) copyNear(ctx context.Context, ext string, m Model) (ready bool, err error) {
	s.Copies.near.mu.Lock()
	seen := s.Copies.near.seen[m.No]
	s.Copies.near.mu.Unlock()
	if seen == m.Last {
		return true, nil
	}
	for more := true; more; {
		behind, err := s.isBehind(ctx, m)
		if err != nil {
			return false, err
		}
		if !behind {
			break
		}
		if s.ReadOnly {
			return false, nil
		}
		err = s.Change(ctx, "copy vectors in", func(ctx context.Context, w *session.Session) error {
			var err error
			more, err = copyPage(ctx, w, ext, m)
			return err
		})
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
		if err != nil {
			return false, nil // another writes for long, or we may make no table: we scan ourselves
		}
	}
	s.Copies.near.mu.Lock()
	defer s.Copies.near.mu.Unlock()
	if s.Copies.near.seen == nil {
		s.Copies.near.seen = make(map[int]int64)
	}
	s.Copies.near.seen[m.No] = m.Last
	return true, nil
}

// isBehind reports whether the copy lacks vectors, or is not there.
func (s *Base) isBehind(ctx context.Context, m Model) (bool, error) {
	var n int
	if _, err := s.Read.One(ctx, []any{&n}, hasNear); err != nil || n == 0 {
		return n == 0, err
	}
	var mark int64
	if _, err := s.Read.One(ctx, []any{&mark}, nearMark, m.No); err != nil {
		return false, err
	}
	var one int
	return s.Read.One(ctx, []any{&one}, "SELECT 1 FROM vectors WHERE model = ? AND ord > ? LIMIT 1", m.No, mark)
}

// copyPage copies some vectors; more may be left.
func copyPage(ctx context.Context, w *session.Session, ext string, m Model) (more bool, err error) {
	for _, query := range []string{makeNear, makeNearOrd} {
		if err := session.Run(ctx, w, in(ext, query)); err != nil {
			return false, err
		}
	}
	// two that copy at once do so one after the other, and none comes between
	var last, mark int64
	if _, err := w.One(ctx, []any{&last}, "SELECT last FROM models WHERE no = ? FOR UPDATE", m.No); err != nil {
		return false, err
	}
	if _, err := w.One(ctx, []any{&mark}, nearMark, m.No); err != nil {
		return false, err
	}
	page, err := vectorsAfter(ctx, w, m, mark, last)
	if err != nil {
		return false, err
	}
	if len(page.keys) == 0 {
		return false, nil
	}
	p := session.Pile{Into: putNear, Row: in(ext, putNearRow), Tail: replaceNear}
	for i, key := range page.keys {
		var v any // none: the row says how far we have come
		if page.vecs[i] != nil {
			v = page.vecs[i]
		}
		p.Add(m.No, key, page.ords[i], v)
	}
	return len(page.keys) == Page, p.Flush(ctx, w)
}

// DropCopies removes the copies of vectors.
func (s *Base) DropCopies(ctx context.Context, w *session.Session, keys []int64) error {
	ext, err := s.extension(ctx, w)
	if err != nil || ext == "" {
		return err
	}
	var n int
	if _, err := w.One(ctx, []any{&n}, hasNear); err != nil || n == 0 {
		return err
	}
	for _, key := range keys {
		if err := w.Exec(ctx, "UPDATE near SET vec = NULL WHERE key = ?", key); err != nil {
			return err
		}
	}
	return nil
}
