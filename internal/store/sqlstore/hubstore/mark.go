package hubstore

import (
	"context"

	"github.com/stemma-memory/stemma/internal/store/sqlstore"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/lists"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
)

// unmarked counts the key records that do not say that they are such.
const unmarked = "SELECT count(*) FROM payloads WHERE NOT keyed AND key IN (" + keysOfKeys + ")"

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

// markOldKeys marks the key records that an older hub added after the tables were brought up to date.
func markOldKeys(ctx context.Context, s *sqlstore.Store) error {
	return s.Online(ctx, "mark keys in", func(ctx context.Context, w *session.Session) error {
		var citus, left int
		if _, err := w.One(ctx, []any{&citus}, session.HasCitus); err != nil || citus > 0 { // 0.1.0 does not run there
			return err
		}
		for _, text := range []string{session.Briefly, unbind} {
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
