package sqlstore

import (
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
)

// A page of a log has the same records where tables are on several nodes, with gaps in the log and without.
func TestAPageOfALogIsTheSameOnSeveralNodes(t *testing.T) {
	s := open(t, tempSQLite(t), Options{})
	for _, places := range [][]int64{{1, 2, 3, 4, 5, 6}, {1, 2, 5, 9, 10, 40}, {7}, {30, 31}} {
		var rows []string
		for _, at := range places {
			rows = append(rows, fmt.Sprintf("(%d)", session.FirstKey(1)+at))
		}
		query := "WITH log (key) AS (VALUES " + strings.Join(rows, ",") + ") SELECT key FROM log WHERE key > ? AND key < ? " +
			"ORDER BY key LIMIT ?"
		for _, limit := range []int{1, 2, 3, 6, 100} {
			for _, after := range []store.Seq{0, 1, 4, 10, 40} {
				page := func(spread bool) (out []store.Seq) {
					s.read.Spread = spread
					err := s.read.Page(t.Context(), func(r *sql.Rows) error {
						var key int64
						err := r.Scan(&key)
						out = append(out, session.SeqOf(key))
						return err
					}, query, 1, after, limit)
					if err != nil {
						t.Fatal(err)
					}
					return out
				}
				if want, got := page(false), page(true); !slices.Equal(got, want) {
					t.Errorf("%v after %d, at most %d: %v, want %v", places, after, limit, got, want)
				}
			}
		}
	}
}
