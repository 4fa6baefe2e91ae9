package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
)

// hubConns is how many connections a hub takes unless its address says it.
const hubConns = 24

// What a role may that serves a hub is what the fences leave it.
const (
	roleTooMuch = `SELECT rolname, rolsuper, rolbypassrls, rolcreaterole FROM pg_roles
		WHERE pg_has_role(current_user, oid, 'MEMBER') AND (rolsuper OR rolbypassrls OR rolcreaterole OR rolname = ` +
		`current_user)`
	roleOwns = `SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
		WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'v', 'p') AND pg_has_role(current_user, c.relowner, ` +
		`'MEMBER')`
	unfenced = `SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
		WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p') AND NOT (c.relrowsecurity AND c.relforcerowsecurity)`
)

// openShared checks what a hub finds: it makes no schema and no roles itself.
func (s *Store) openShared(ctx context.Context, conns int) error {
	if conns < 2 {
		return fmt.Errorf(
			"the address is not understood: a hub needs at least 2 connections, %s is %d", store.PoolSize, conns,
		)
	}
	have, err := s.version(ctx, s.read)
	if session.PostgresCode(err) == session.Forbidden {
		have, err = 0, nil
	}
	if err != nil {
		return err
	}
	want, err := versionOf(s.d)
	if err == nil {
		err = usable(have, want)
	}
	if err != nil {
		return err
	}
	if have < want {
		return fmt.Errorf("%w: it has version %d and must first be brought to %d with `hub_migrate admin=ADDRESS`",
			store.ErrReadOnly, have, want)
	}
	var citus int
	if _, err := s.read.One(ctx, []any{&citus}, session.HasCitus); err != nil {
		return err
	}
	s.spread = citus > 0
	return s.CheckRole(ctx)
}

// CheckRole refuses to serve a hub with a role to which its fences mean nothing.
func (s *Store) CheckRole(ctx context.Context) error {
	var who string
	var wrong []string
	err := s.read.Each(ctx, func(r *sql.Rows) error {
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
	if _, err := s.read.One(ctx, []any{&owns}, roleOwns); err != nil {
		return err
	}
	if owns > 0 {
		wrong = append(wrong, fmt.Sprintf("%s owns %d tables", who, owns))
	}
	var bare []string
	err = s.read.Each(ctx, func(r *sql.Rows) error {
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
	return fmt.Errorf("%w: %s; `hub_migrate admin=ADDRESS` makes one that may serve", store.ErrRole,
		strings.Join(slices.Compact(wrong), ", "))
}
