package session

import (
	"errors"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/stemma-memory/stemma/internal/store"
)

// What a server with several nodes says without a code of its own is told apart by its words.
func TestErrorsOfPostgres(t *testing.T) {
	node := fmt.Errorf("append: %w", &pgconn.PgError{
		Code: pgInternal, Message: "could not commit transaction for shard 102008 on any active node",
	})
	other := &pgconn.PgError{Code: pgInternal, Message: "cache lookup failed"}
	if !NodeFailed(node) || NodeFailed(other) || explainPostgres(node) != store.ErrGone || explainPostgres(other) != nil {
		t.Error("of errors within the server, a commit that a node did not carry out alone is tried again")
	}
	lost := &pgconn.PgError{Code: pgInternal, Message: "server closed the connection unexpectedly\ninvalid socket"}
	if !GoneAway(lost) || GoneAway(other) || GoneAway(node) || explainPostgres(lost) != store.ErrGone {
		t.Error("of errors within the server, one that lost a node is of a connection that broke")
	}
	if retryPostgres(errors.New("another")) || retryPostgres(&pgconn.PgError{Code: "23514"}) {
		t.Error("what would fail again is tried again")
	}
}
