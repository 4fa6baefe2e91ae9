package hubstore

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/fences"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
)

// Migrated is what Migrate did.
type Migrated struct {
	Role    string `json:"role"`
	Made    bool   `json:"made"`              // whether the role is new
	Address string `json:"address,omitempty"` // of the database for the new role, with its password
	Tables  int    `json:"tables"`
	Shards  int    `json:"shards"`
}

// mostShards is how many shards a hub has at most.
const mostShards = 256

const (
	tablesOf = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename"
	hasRole  = "SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = ?"
)

// Migrate makes or brings up to date the schema of a hub on PostgreSQL, with
// its fences, and the role that serves it. admin is the address of a role that
// owns the schema and may make roles. It can be done again at any time, and makes as many shards as are asked for;
// 0 is as many as there are.
func Migrate(ctx context.Context, admin, role string, want int) (m Migrated, err error) {
	if want < 0 || want > mostShards {
		return m, fmt.Errorf("a hub has 1 to %d shards, not %d", mostShards, want)
	}
	if !strings.HasPrefix(admin, "postgres://") && !strings.HasPrefix(admin, "postgresql://") {
		return m, errors.New("only a hub on PostgreSQL is migrated so: the address begins with postgres://")
	}
	if err := mayMigrate(ctx, admin, role, want); err != nil {
		return m, err
	}
	s, err := sqlstore.Open(ctx, admin, sqlstore.Options{})
	if err != nil {
		return m, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	m.Role = role
	err = s.Change(ctx, "make a role for", func(ctx context.Context, w *session.Session) error {
		password, err := makeRole(ctx, w, role)
		if err != nil {
			return err
		}
		m.Made = password != ""
		if m.Made {
			if m.Address, err = addressFor(admin, role, password); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		err = markOldKeys(ctx, s)
	}
	if err == nil {
		m.Tables, err = fenceIn(ctx, s, role)
	}
	if err == nil {
		m.Shards, err = migrateShards(ctx, s, admin, role, want)
	}
	return m, err
}

// mayMigrate returns store.ErrRole where the administrator's role lacks a right that a migration needs. It is asked
// before anything is changed.
func mayMigrate(ctx context.Context, admin, role string, want int) (err error) {
	s, err := sqlstore.Connect(admin)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Connections().Close()) }()
	var who, other string
	var there, makes, schemas, bound bool
	if _, err := s.Reads().One(ctx, []any{&who, &makes, &bound, &there, &schemas, &other}, `SELECT current_user::text,
		(SELECT rolsuper OR rolcreaterole FROM pg_roles WHERE rolname = current_user),
		(SELECT NOT rolsuper AND NOT rolbypassrls FROM pg_roles WHERE rolname = current_user)
			AND EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'citus'),
		EXISTS (SELECT 1 FROM pg_roles WHERE rolname = ?),
		has_database_privilege(current_database(), 'CREATE'),
		coalesce((SELECT min(c.relname::text) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
			WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'v', 'p')
			AND NOT pg_has_role(current_user, c.relowner, 'USAGE')), '')`, role); err != nil {
		return s.Failed("open", err)
	}
	switch {
	case bound: // what it sets reaches no other node, and Citus does not rewrite all that policies add
		return fmt.Errorf("%w: on Citus %s must be a superuser or have BYPASSRLS to migrate or split a hub",
			store.ErrRole, who)
	case !there && !makes:
		return fmt.Errorf("%w: %s may not make the role %s; have an administrator run CREATE ROLE %s LOGIN PASSWORD '…', "+
			"then migrate again", store.ErrRole, who, role, session.Quoted(role))
	case want > 1 && !schemas:
		return fmt.Errorf("%w: %s may make no schemas for shards; have an administrator run GRANT CREATE ON DATABASE … TO %s",
			store.ErrRole, who, session.Quoted(who))
	case other != "":
		return fmt.Errorf("%w: %s does not own the table %s; migrate as the role that owns it", store.ErrRole, who, other)
	}
	return nil
}

// makeRole makes a role that may only log in, unless it exists. It returns the password of a
// new one.
func makeRole(ctx context.Context, w *session.Session, role string) (password string, err error) {
	var tooMuch bool
	found, err := w.One(ctx, []any{&tooMuch}, hasRole, role)
	if err != nil || found && !tooMuch {
		return "", err
	}
	if found {
		return "", fmt.Errorf(
			"%w: role %q is a superuser or bypasses row security; name another with `role=NAME`", store.ErrRole, role,
		)
	}
	random := make([]byte, 24)
	if _, err := rand.Read(random); err != nil {
		return "", err
	}
	password = base64.RawURLEncoding.EncodeToString(random)
	return password, session.Run(ctx, w, "CREATE ROLE "+session.Quoted(role)+
		" LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE NOREPLICATION PASSWORD '"+password+"'")
}

// addressFor returns admin's address with another role.
func addressFor(admin, role, password string) (string, error) {
	u, err := url.Parse(admin)
	if err != nil {
		return "", err
	}
	u.User = url.UserPassword(role, password)
	return u.String(), nil
}

// fenceIn fences every table of the schema. One that no one thought of is an
// error: better no hub than one with a hole. Each table has a transaction of its own, so that a hub which serves
// meanwhile waits for one table only; a table that is not fenced yet is not granted either.
func fenceIn(ctx context.Context, s *sqlstore.Store, role string) (int, error) {
	var tables []string
	var schema string
	role = session.Quoted(role)
	err := s.Online(ctx, "fence in", func(ctx context.Context, w *session.Session) error {
		tables = nil
		err := w.Each(ctx, func(r *sql.Rows) error {
			var t string
			err := r.Scan(&t)
			tables = append(tables, t)
			return err
		}, tablesOf)
		if err != nil {
			return err
		}
		for _, t := range tables {
			if _, known := fences.All[t]; !known {
				return fmt.Errorf("table %q is in no plan of row security: a hub needs a schema of its own", t)
			}
		}
		if _, err := w.One(ctx, []any{&schema}, "SELECT quote_ident(current_schema())"); err != nil {
			return err
		}
		return runAll(ctx, w, []string{session.Briefly,
			"REVOKE ALL ON SCHEMA " + schema + " FROM PUBLIC", "GRANT USAGE ON SCHEMA " + schema + " TO " + role,
			// It would show what its owner sees; no one but people with SQL reads it.
			"REVOKE ALL ON memory_provenance FROM PUBLIC", "ALTER VIEW memory_provenance SET (security_invoker = true)",
		})
	})
	for _, t := range tables {
		if err != nil {
			return 0, err
		}
		err = s.Online(ctx, "fence in", func(ctx context.Context, w *session.Session) error {
			var citus int
			if _, err := w.One(ctx, []any{&citus}, session.HasCitus); err != nil {
				return err
			}
			return runAll(ctx, w, append([]string{session.Briefly}, fences.All[t].Statements(t, role, citus > 0)...))
		})
	}
	return len(tables), err
}

// runAll runs statements, and says which one failed.
func runAll(ctx context.Context, w *session.Session, all []string) error {
	for _, text := range all {
		if err := session.Run(ctx, w, text); err != nil {
			return fmt.Errorf("%s: %w", strings.SplitN(text, " USING", 2)[0], err)
		}
	}
	return nil
}
