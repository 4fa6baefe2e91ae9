package sqlstore

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/stemma-memory/stemma/internal/store"
)

// The row-level security of a hub. Every table forces it, so that its owner is
// bound too; the role that serves owns nothing and cannot lift it.

// Whom a row is for, as conditions on the settings of the session. Each is a
// subquery, so that it is worked out once for a statement and not for each row.
// Where a setting is missing the array is empty, and no row is anybody's.
const (
	seesKeys = "(SELECT coalesce(string_to_array(nullif(current_setting('" + setKeys +
		"', true), ''), ','), '{}')::bigint[])"
	mayRead = "(SELECT coalesce(string_to_array(nullif(current_setting('" + setReads +
		"', true), ''), ','), '{}')::bigint[])"
	mayWrite = "(SELECT coalesce(string_to_array(nullif(current_setting('" + setWrites +
		"', true), ''), ','), '{}')::bigint[])"
	isHub = "(SELECT coalesce(current_setting('" + setHub + "', true), '') = 'on')"
)

// A fence says who may see and who may change the rows of a table: conditions of
// SQL, "" is no one.
type fence struct {
	reads, adds, changes, drops string
	why                         string // for what has no rows of a space
}

// bySpace fences a table by an expression that gives a row's space.
func bySpace(number string) fence {
	read, write := number+" = ANY ("+mayRead+"::bigint[])", number+" = ANY ("+mayWrite+"::bigint[])"
	return fence{reads: read, adds: write, changes: write, drops: write}
}

// byName is bySpace for a table with the name of the space.
func byName() fence {
	const head = "space IN (SELECT name FROM spaces WHERE no = ANY ("
	return fence{
		reads: head + mayRead + "::bigint[]))", adds: head + mayWrite + "::bigint[]))",
		changes: head + mayWrite + "::bigint[]))", drops: head + mayWrite + "::bigint[]))",
	}
}

// signed fences a table of what is signed: it does not change. Of some spaces the
// key records alone are shown, and only those.
func signed(kept fence, keys string) fence {
	kept.reads += " OR (key >> 40) = ANY (" + seesKeys + "::bigint[]) AND " + keys
	kept.changes = ""
	return kept
}

// ofKeys is for rows that say by their key of which record they are.
func ofKeys(table string) string {
	return "EXISTS (SELECT 1 FROM records r WHERE r.key = " + table + ".key AND r.kind = 16)"
}

// undropped is a fence through which nothing is removed.
func undropped(f fence) fence { f.drops = ""; return f }

// fences has every table. A list of names that rows use by number has to be seen
// whole by whoever adds to it; what it tells is written in docs/lab/design/hub.md.
var fences = map[string]fence{
	"spaces": {
		reads: isHub + " OR no = ANY (" + mayRead + "::bigint[]) OR no = ANY (" + seesKeys + "::bigint[])", adds: isHub,
		changes: "no = ANY (" + mayWrite + "::bigint[])",
	},
	"records":       undropped(signed(bySpace("(key >> 40)"), "kind = 16")),
	"payloads":      signed(bySpace("(key >> 40)"), ofKeys("payloads")),
	"signatures":    signed(bySpace("(key >> 40)"), ofKeys("signatures")),
	"edges":         bySpace("(src >> 40)"),
	"dangling":      bySpace("(src >> 40)"),
	"aliases":       bySpace("space"),
	"state":         bySpace("(key >> 40)"),
	"usage":         bySpace("(key >> 40)"),
	"vectors":       bySpace("(key >> 40)"),
	"near":          bySpace("(key >> 40)"),
	"segments":      bySpace("space"),
	"segment_parts": bySpace("space"),
	"checkpoints":   byName(),
	"jobs":          byName(),

	"meta": {
		reads: isHub + " OR name NOT LIKE 'note:%'", drops: isHub, adds: isHub, changes: isHub,
		why: "the version of the schema and the name of the store",
	},
	"authors": {reads: "true", adds: "true", why: "numbers of public keys, given out once for all spaces"},
	"kinds":   {reads: "true", adds: "true", why: "names of kinds of records"},
	"models": {
		reads: "true", adds: "true", changes: "true",
		why: "names of embedders, with the counter of their vectors",
	},
	"cursors": {reads: isHub, adds: isHub, changes: isHub, drops: isHub, why: "places of readers of this machine"},
	"counts":  {reads: isHub, adds: isHub, changes: isHub, drops: isHub, why: "counters of this machine"},

	"hub_accounts":    hubs("who is known to the hub"),
	"hub_members":     hubs("who may do what"),
	"hub_tokens":      hubs("what opens the hub"),
	"hub_invitations": hubs("who may come in"),
	"hub_quotas":      hubs("bounds"),
	"hub_brought":     hubs("what counts against bounds"),
	"hub_letters":     hubs("what is on its way between accounts"),
	"hub_keys":        hubs("which keys belong to what was written where"),
}

func hubs(why string) fence {
	return fence{reads: isHub, adds: isHub, changes: isHub, drops: isHub, why: why + ": read before it is known who asks"}
}

// statements returns what fences a table in, and what gives a role its part of it.
// All of it can be said again.
func (f fence) statements(table, role string) []string {
	name := pgx.Identifier{table}.Sanitize()
	all := []string{
		"ALTER TABLE " + name + " ENABLE ROW LEVEL SECURITY",
		"ALTER TABLE " + name + " FORCE ROW LEVEL SECURITY",
		"REVOKE ALL ON " + name + " FROM PUBLIC",
	}
	var may []string
	for _, p := range []struct{ verb, using, check string }{
		{"SELECT", f.reads, ""}, {"INSERT", "", f.adds}, {"UPDATE", f.changes, f.changes}, {"DELETE", f.drops, ""},
	} {
		policy := "stemma_" + strings.ToLower(p.verb)
		all = append(all, "DROP POLICY IF EXISTS "+policy+" ON "+name)
		if p.using == "" && p.check == "" {
			continue
		}
		text := "CREATE POLICY " + policy + " ON " + name + " FOR " + p.verb + " TO PUBLIC"
		if p.using != "" {
			text += " USING (" + p.using + ")"
		}
		if p.check != "" {
			text += " WITH CHECK (" + p.check + ")"
		}
		all, may = append(all, text), append(may, p.verb)
	}
	return append(all, "GRANT "+strings.Join(may, ", ")+" ON "+name+" TO "+role)
}

// Migrated is what MigrateHub did.
type Migrated struct {
	Role    string `json:"role"`
	Made    bool   `json:"made"`              // whether the role is new
	Address string `json:"address,omitempty"` // of the database for the new role, with its password
	Tables  int    `json:"tables"`
}

const (
	tablesOf = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename"
	hasRole  = "SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = ?"
)

// MigrateHub makes or brings up to date the schema of a hub on PostgreSQL, with
// its fences, and the role that serves it. admin is the address of a role that
// owns the schema and may make roles. It can be done again at any time.
func MigrateHub(ctx context.Context, admin, role string) (m Migrated, err error) {
	if !strings.HasPrefix(admin, "postgres://") && !strings.HasPrefix(admin, "postgresql://") {
		return m, errors.New("only a hub on PostgreSQL is migrated so: the address begins with postgres://")
	}
	s, err := Open(ctx, admin, Options{})
	if err != nil {
		return m, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	m.Role = role
	err = s.change(ctx, "fence in", func(ctx context.Context, w *session) error {
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
		m.Tables, err = fenceIn(ctx, w, role)
		return err
	})
	return m, err
}

// makeRole makes a role that may log in and nothing else, unless it is there. It
// gives the password of a new one.
func makeRole(ctx context.Context, w *session, role string) (password string, err error) {
	var tooMuch bool
	found, err := w.one(ctx, []any{&tooMuch}, hasRole, role)
	if err != nil || found && !tooMuch {
		return "", err
	}
	if found {
		return "", fmt.Errorf(
			"%w: role %q is a superuser or bypasses row security; name another with --role", store.ErrRole, role,
		)
	}
	random := make([]byte, 24)
	if _, err := rand.Read(random); err != nil {
		return "", err
	}
	password = base64.RawURLEncoding.EncodeToString(random)
	return password, run(ctx, w, "CREATE ROLE "+pgx.Identifier{role}.Sanitize()+
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
// error: better no hub than one with a hole.
func fenceIn(ctx context.Context, w *session, role string) (int, error) {
	var tables []string
	err := w.each(ctx, func(r *sql.Rows) error {
		var t string
		err := r.Scan(&t)
		tables = append(tables, t)
		return err
	}, tablesOf)
	if err != nil {
		return 0, err
	}
	role = pgx.Identifier{role}.Sanitize()
	var schema string
	if _, err := w.one(ctx, []any{&schema}, "SELECT quote_ident(current_schema())"); err != nil {
		return 0, err
	}
	all := []string{
		"REVOKE ALL ON SCHEMA " + schema + " FROM PUBLIC", "GRANT USAGE ON SCHEMA " + schema + " TO " + role,
		// It would show what its owner sees; no one but people with SQL reads it.
		"REVOKE ALL ON memory_provenance FROM PUBLIC", "ALTER VIEW memory_provenance SET (security_invoker = true)",
	}
	for _, t := range tables {
		f, known := fences[t]
		if !known {
			return 0, fmt.Errorf("table %q is in no plan of row security: a hub needs a schema of its own", t)
		}
		all = append(all, f.statements(t, role)...)
	}
	for _, text := range all {
		if err := run(ctx, w, text); err != nil {
			return 0, fmt.Errorf("%s: %w", strings.SplitN(text, " USING", 2)[0], err)
		}
	}
	return len(tables), nil
}

// What a role may that serves a hub is what the fences leave it.
const (
	roleTooMuch = `SELECT rolname, rolsuper, rolbypassrls, rolcreaterole FROM pg_roles
		WHERE pg_has_role(current_user, oid, 'MEMBER') AND (rolsuper OR rolbypassrls OR rolcreaterole OR rolname = current_user)`
	roleOwns = `SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
		WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'v', 'p') AND pg_has_role(current_user, c.relowner, 'MEMBER')`
	unfenced = `SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
		WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p') AND NOT (c.relrowsecurity AND c.relforcerowsecurity)`
)

// checkRole refuses to serve a hub with a role to which its fences mean nothing.
func (s *Store) checkRole(ctx context.Context) error {
	var who string
	var wrong []string
	err := s.read.each(ctx, func(r *sql.Rows) error {
		var name string
		var super, bypass, creates bool
		if err := r.Scan(&name, &super, &bypass, &creates); err != nil {
			return err
		}
		switch {
		case super:
			wrong = append(wrong, name+" is a superuser")
		case bypass:
			wrong = append(wrong, name+" bypasses row security")
		case creates:
			wrong = append(wrong, name+" makes roles")
		}
		who = name
		return nil
	}, roleTooMuch)
	if err != nil {
		return err
	}
	var owns int
	if _, err := s.read.one(ctx, []any{&owns}, roleOwns); err != nil {
		return err
	}
	if owns > 0 {
		wrong = append(wrong, fmt.Sprintf("%s owns %d tables", who, owns))
	}
	var bare []string
	err = s.read.each(ctx, func(r *sql.Rows) error {
		var t string
		err := r.Scan(&t)
		bare = append(bare, t)
		return err
	}, unfenced)
	if err != nil {
		return err
	}
	if len(bare) > 0 {
		wrong = append(wrong, "tables without row security: "+strings.Join(bare, ", "))
	}
	if len(wrong) == 0 {
		return nil
	}
	return fmt.Errorf("%w: %s; 'stemma hub migrate --admin ADDRESS' makes one that may serve", store.ErrRole,
		strings.Join(slices.Compact(wrong), ", "))
}
