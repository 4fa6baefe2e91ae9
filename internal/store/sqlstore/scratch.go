package sqlstore

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/url"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/postgres"
)

// Scratch makes an empty schema on a server, and returns the address of a store in it, which
// is still to be opened. The rest of the database is not touched; drop removes the schema and
// its contents.
func Scratch(
	ctx context.Context, spec string, random io.Reader,
) (in string, drop func(context.Context) error, err error) {
	u, err := url.Parse(spec)
	if err != nil || !store.IsPostgres(spec) {
		return "", nil, errors.New(
			"make a schema: the address is not that of a PostgreSQL server: postgres://user@host/database",
		)
	}
	var b [8]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return "", nil, fmt.Errorf("make a schema: %w", err)
	}
	name := "stemma_scratch_" + hex.EncodeToString(b[:])
	// A server in which all connections are one session looks at no search_path in an
	// address: for it the path is set here, and it means nothing to any other.
	if err := onServer(ctx, spec, "CREATE SCHEMA "+name, "SET search_path TO "+name); err != nil {
		return "", nil, fmt.Errorf("make a schema: %w", err)
	}
	q := u.Query()
	q.Set("search_path", name)
	u.RawQuery = q.Encode()
	return u.String(), func(ctx context.Context) error {
		if err := onServer(ctx, spec, "DROP SCHEMA "+name+" CASCADE", "RESET search_path"); err != nil {
			return fmt.Errorf("drop the schema %s: %w", name, err)
		}
		return nil
	}, nil
}

// onServer runs statements on a connection of their own.
func onServer(ctx context.Context, spec string, statements ...string) error {
	config, err := postgres.Parse(spec)
	if err != nil {
		return fmt.Errorf("the address is not understood: %w", err)
	}
	delete(config.RuntimeParams, store.PoolSize)
	conn, err := config.Open(ctx)
	if err != nil {
		return err
	}
	for _, text := range statements {
		if _, err := conn.ExecContext(ctx, text, nil); err != nil {
			return errors.Join(err, conn.Close())
		}
	}
	return conn.Close()
}
