package sqlstore

import (
	"context"
	"database/sql"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/lists"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
)

// While a hub serves, its tables are changed by transactions that wait for locks only briefly: who waits for one table
// and holds another makes the pushes of all clients wait, and PostgreSQL looks for a deadlock after a second only.
const (
	briefly  = "SET LOCAL lock_timeout = '200ms'"
	lockWait = time.Minute // in all, for tables that are in use
	unmarked = "SELECT count(*) FROM payloads WHERE NOT keyed AND key IN (SELECT key FROM records WHERE kind = " +
		lists.KeyKind + ")"
)

// keysOfKeys are the keys of the records about keys.
const keysOfKeys = "SELECT key FROM records WHERE kind = " + lists.KeyKind

// markKeys lets rows of key records say that they are such. A hub of 0.1.0 that goes on while its tables are brought up
// to date adds rows that do not, and then no one but the writers of a space sees its new keys. The owner is not to
// change what is signed, nor bound to what policies show, but for this.
const markKeys = `GRANT UPDATE ON payloads, signatures TO CURRENT_USER;
ALTER TABLE payloads DISABLE TRIGGER kept;
ALTER TABLE signatures DISABLE TRIGGER kept;
UPDATE payloads SET keyed = true WHERE NOT keyed AND key IN (` + keysOfKeys + `);
UPDATE signatures SET keyed = true WHERE NOT keyed AND key IN (` + keysOfKeys + `);
ALTER TABLE payloads ENABLE TRIGGER kept;
ALTER TABLE signatures ENABLE TRIGGER kept;
REVOKE UPDATE ON payloads, signatures FROM CURRENT_USER`

// unbind and bind say whether policies bind the owner of the tables.
const (
	unbind = `ALTER TABLE records NO FORCE ROW LEVEL SECURITY;
ALTER TABLE payloads NO FORCE ROW LEVEL SECURITY;
ALTER TABLE signatures NO FORCE ROW LEVEL SECURITY`
	bind = `ALTER TABLE records FORCE ROW LEVEL SECURITY;
ALTER TABLE payloads FORCE ROW LEVEL SECURITY;
ALTER TABLE signatures FORCE ROW LEVEL SECURITY`
)

// online runs do as change does, and again where tables are in use, for a minute at most.
func (s *Store) online(ctx context.Context, doing string, do func(context.Context, *session.Session) error) error {
	for until, try := time.Now().Add(lockWait), 1; ; try++ {
		err := s.change(ctx, doing, do)
		if session.PostgresCode(err) != session.LockTimeout || time.Now().After(until) {
			return err
		}
		if err := pause(ctx, try); err != nil {
			return err
		}
	}
}

// markOldKeys marks the key records that an older hub added after the tables were brought up to date.
func (s *Store) markOldKeys(ctx context.Context) error {
	return s.online(ctx, "mark keys in", func(ctx context.Context, w *session.Session) error {
		var citus, left int
		if _, err := w.One(ctx, []any{&citus}, session.HasCitus); err != nil || citus > 0 { // 0.1.0 does not run there
			return err
		}
		for _, text := range []string{briefly, unbind} {
			if err := session.Run(ctx, w, text); err != nil {
				return err
			}
		}
		if _, err := w.One(ctx, []any{&left}, unmarked); err != nil {
			return err
		}
		if left > 0 {
			if err := session.Run(ctx, w, markKeys); err != nil {
				return err
			}
		}
		return session.Run(ctx, w, bind)
	})
}

// asHub lets a transaction of the administrator see and change what the fences keep from all others: the directory,
// and the spaces that it moves.
func asHub(ctx context.Context, w *session.Session, nos []int, names []string) error {
	of := session.ScopeOf(nos, nos, nil).Named(store.Sight{Reads: names, Writes: names})
	of.Hub = "on"
	for _, one := range of.Settings() {
		text := "SET LOCAL " + one.Name + " TO '" + strings.ReplaceAll(one.Value, "'", "''") + "'"
		if err := session.Run(ctx, w, text); err != nil {
			return err
		}
	}
	return nil
}

// asAll is asHub for all spaces of a schema. Without it policies hide rows from the owner of the tables, unless that is
// a superuser: what is changed everywhere would be changed nowhere, and nothing would say so.
func asAll(ctx context.Context, w *session.Session) error {
	if err := asHub(ctx, w, nil, nil); err != nil {
		return err
	}
	var nos []int
	var names []string
	err := w.Each(ctx, func(r *sql.Rows) error {
		var no int
		var name string
		err := r.Scan(&no, &name)
		nos, names = append(nos, no), append(names, name)
		return err
	}, "SELECT no, name FROM spaces")
	if err != nil {
		return err
	}
	return asHub(ctx, w, nos, names)
}
