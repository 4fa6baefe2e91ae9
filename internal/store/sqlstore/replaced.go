package sqlstore

import (
	"context"
	"database/sql"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
	"github.com/stemma-memory/stemma/memory"
)

var _ store.Replacer = (*Store)(nil)

// replacedBy follows the arrows by which a record replaces others: in one statement, since a memory may have
// hundreds of revisions. 2 is graph.Supersedes.
const replacedBy = `WITH RECURSIVE chain(key) AS (
		SELECT key FROM records WHERE id = ?
		UNION SELECT e.dst FROM chain c JOIN edges e ON e.src = c.key WHERE e.rel = 2
	) SELECT r.kind, r.id FROM chain c JOIN records r ON r.key = c.key ORDER BY r.key DESC LIMIT ?`

// Replaced returns what a record replaces, directly or not, and the record itself.
func (s *Store) Replaced(ctx context.Context, id memory.ID, most int) ([]memory.Ref, error) {
	return instead(ctx, s, func(s *Store) ([]memory.Ref, error) {
		var out []memory.Ref
		var kinds []int
		err := s.read.Each(ctx, func(rows *sql.Rows) error {
			var kind int
			var ref memory.Ref
			err := rows.Scan(&kind, session.AsID(&ref.ID))
			out, kinds = append(out, ref), append(kinds, kind)
			return err
		}, replacedBy, session.Blob(id), most)
		for i := 0; err == nil && i < len(kinds); i++ {
			out[i].Kind, err = s.names.Kind(ctx, s.read, kinds[i])
		}
		return out, s.Failed("follow revisions in", err)
	})
}
