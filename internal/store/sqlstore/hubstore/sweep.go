package hubstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/internal/store/sqlstore"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/lists"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
)

// Waits is how long who reads where spaces were may go on: longer than any request.
const Waits = time.Minute

// swept removes what spaces left behind when they moved, but for their key records, which others' records may need.
func swept(ctx context.Context, s *sqlstore.Store, admin, name string) (err error) {
	in, err := shardAddress(ctx, s, admin, name)
	if err != nil {
		return err
	}
	sh, err := sqlstore.Open(ctx, in, sqlstore.Options{})
	if err != nil {
		return fmt.Errorf("shard %s: %w", name, err)
	}
	defer func() { err = errors.Join(err, sh.Close()) }()
	return sh.Change(ctx, "sweep", func(ctx context.Context, w *session.Session) error {
		if err := session.AsHub(ctx, w, nil, nil); err != nil {
			return err
		}
		var nos []int
		err := w.Each(ctx, func(r *sql.Rows) error {
			var no int
			err := r.Scan(&no)
			nos = append(nos, no)
			return err
		}, "SELECT no FROM spaces WHERE NOT home")
		if err != nil || len(nos) == 0 {
			return err
		}
		return errors.Join(session.AsAll(ctx, w), sweep(ctx, w, nos)) // others' arrows to what goes are changed too
	})
}

// sweep is the one place where signed rows go without a mark that purges them: each was copied to where its space now
// is, in the transaction that moved it. The triggers and fences that forbid it are lifted within the transaction.
func sweep(ctx context.Context, w *session.Session, nos []int) error {
	in := " IN (" + session.Numbers(nos) + ")"
	keys := "(SELECT key FROM records WHERE kind = " + lists.KeyKind + " AND (key >> 40)" + in + ")"
	goes := func(column string) string {
		return "(" + column + " >> 40)" + in + " AND " + column + " NOT IN " + keys
	}
	var left int64
	if _, err := w.One(ctx, []any{&left}, "SELECT count(*) FROM records WHERE "+goes("key")); err != nil || left == 0 {
		return err
	}
	signed := []struct{ table, trigger, again string }{
		{"payloads", "stays", "BEFORE DELETE ON payloads FOR EACH ROW EXECUTE FUNCTION stemma_purged()"},
		{"signatures", "stays", "BEFORE DELETE ON signatures FOR EACH ROW EXECUTE FUNCTION stemma_signed()"},
		{"records", "kept", "BEFORE UPDATE OR DELETE ON records FOR EACH ROW EXECUTE FUNCTION stemma_kept()"},
	}
	var all []string
	for _, t := range signed {
		all = append(all, "ALTER TABLE "+t.table+" NO FORCE ROW LEVEL SECURITY", "DROP TRIGGER "+t.trigger+" ON "+t.table,
			"GRANT DELETE ON "+t.table+" TO CURRENT_USER")
	}
	const waits = "INSERT INTO dangling (src, ord, rel, dst) SELECT e.src, e.ord, e.rel, r.id FROM edges e " +
		"JOIN records r ON r.key = e.dst WHERE "
	stay := " AND (src >> 40) NOT" + in
	all = append(all, waits+goes("e.dst")+stay, "DELETE FROM edges WHERE "+goes("dst")+stay)
	for _, c := range carried {
		switch c.space {
		case "space":
			all = append(all, "DELETE FROM "+c.table+" WHERE space"+in)
		case "(src >> 40)":
			all = append(all, "DELETE FROM "+c.table+" WHERE "+goes("src"))
		case "(key >> 40)":
			if !slices.Contains([]string{"records", "payloads", "signatures"}, c.table) {
				all = append(all, "DELETE FROM "+c.table+" WHERE "+goes("key"))
			}
		}
	}
	for _, t := range signed { // the records last: they tell which are keys
		all = append(all, "DELETE FROM "+t.table+" WHERE "+goes("key"))
	}
	for _, t := range signed {
		all = append(all, "CREATE TRIGGER "+t.trigger+" "+t.again, "ALTER TABLE "+t.table+" FORCE ROW LEVEL SECURITY")
	}
	all = append(all, "REVOKE DELETE ON records FROM CURRENT_USER")
	for _, text := range all {
		if err := session.Run(ctx, w, text); err != nil {
			return fmt.Errorf("%.60s: %w", text, err)
		}
	}
	return nil
}
