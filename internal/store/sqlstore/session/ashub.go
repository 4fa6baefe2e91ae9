package session

import (
	"context"
	"database/sql"
	"strings"

	"github.com/stemma-memory/stemma/internal/store"
)

// Briefly has a transaction wait for locks only briefly. While a hub serves, who waits for one table and holds another
// makes the pushes of all clients wait, and PostgreSQL looks for a deadlock after a second only.
const Briefly = "SET LOCAL lock_timeout = '200ms'"

// AsHub lets a transaction of the administrator see and change what the fences keep from all others: the directory,
// and the spaces that it moves.
func AsHub(ctx context.Context, w *Session, nos []int, names []string) error {
	of := ScopeOf(nos, nos, nil).Named(store.Sight{Reads: names, Writes: names})
	of.Hub = "on"
	for _, one := range of.Settings() {
		text := "SET LOCAL " + one.Name + " TO '" + strings.ReplaceAll(one.Value, "'", "''") + "'"
		if err := Run(ctx, w, text); err != nil {
			return err
		}
	}
	return nil
}

// AsAll is asHub for all spaces of a schema. Without it policies hide rows from the owner of the tables, unless that is
// a superuser: what is changed everywhere would be changed nowhere, and nothing would say so.
func AsAll(ctx context.Context, w *Session) error {
	if err := AsHub(ctx, w, nil, nil); err != nil {
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
	return AsHub(ctx, w, nos, names)
}
