package sqlstore

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strconv"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
	"github.com/stemma-memory/stemma/memory"
)

// The schema, one file a version. A file that was released never changes.
//
//go:embed migrations
var migrations embed.FS

// applicationID marks a SQLite file as a store: "stma".
const applicationID = 0x73746d61

// The version of a schema, where each database has a place for it.
const (
	sqliteVersion = "SELECT (SELECT user_version FROM pragma_user_version), (SELECT application_id FROM " +
		"pragma_application_id)"
	postgresHasMeta = "SELECT count(*) FROM information_schema.tables WHERE table_schema = current_schema() AND " +
		"table_name = 'meta'"
	postgresVersion = "SELECT value FROM meta WHERE name = 'schema'"
)

// upgrade brings the schema to our version, if the store is not read-only and
// older.
func (s *Store) upgrade(ctx context.Context) error {
	have, err := s.version(ctx, s.read)
	if err != nil {
		return err
	}
	want, err := versionOf(s.d)
	if err != nil || have == want {
		return err
	}
	if err := usable(have, want); err != nil {
		return err
	}
	if s.readOnly {
		return fmt.Errorf("%w: it has version %d and must first be brought to %d by opening it for writing",
			store.ErrReadOnly, have, want)
	}
	return s.migrate(ctx)
}

// firstVersion is the version of the first file, that of 0.1.0. What was made before has a
// smaller one; 0 is an empty database.
const firstVersion = 100

// versionOf returns the version that the last file makes.
func versionOf(d *session.Dialect) (int, error) {
	files, err := fs.ReadDir(migrations, d.Migration)
	return firstVersion + len(files) - 1, err
}

// usable returns an error if a store has a version that this program cannot bring to the
// wanted one.
func usable(have, want int) error {
	switch {
	case have > want:
		return fmt.Errorf("%w: it has version %d, this one knows %d; bring this program up to date too", store.ErrNewer,
			have, want)
	case have > 0 && have < firstVersion:
		return fmt.Errorf("%w: it has version %d, this one needs %d or later; export it with the program that made it, "+
			"and import the file", store.ErrOlder, have, firstVersion)
	}
	return nil
}

// version reads the version of the schema, 0 for an empty database.
func (s *Store) version(ctx context.Context, on *session.Session) (int, error) {
	if s.d == session.SQLite {
		var version, app int
		if _, err := on.One(ctx, []any{&version, &app}, sqliteVersion); err != nil {
			return 0, err
		}
		if app != applicationID && (app != 0 || version != 0) {
			return 0, noStore{"it is a database of another program"}
		}
		return version, nil
	}
	var tables int
	if _, err := on.One(ctx, []any{&tables}, postgresHasMeta); err != nil || tables == 0 {
		return 0, err
	}
	var value string
	if found, err := on.One(ctx, []any{&value}, postgresVersion); err != nil || !found {
		return 0, err
	}
	return strconv.Atoi(value)
}

// migrate runs the files that are missing, all in one transaction. Of several
// processes one does it and the others find it done.
func (s *Store) migrate(ctx context.Context) error {
	return s.Online(ctx, "make the schema of", func(ctx context.Context, w *session.Session) error {
		if s.d == session.Postgres {
			// two that make the table at once fail each other, and try again
			if err := session.Run(
				ctx, w, "CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
			); err != nil {
				return err
			}
			if err := session.Run(ctx, w, "LOCK TABLE meta IN EXCLUSIVE MODE"); err != nil {
				return err
			}
		}
		have, err := s.version(ctx, w)
		if err != nil {
			return err
		}
		want, err := versionOf(s.d)
		if err != nil || have >= want {
			return err
		}
		if err := usable(have, want); err != nil {
			return err
		}
		files, err := fs.ReadDir(migrations, s.d.Migration)
		if err == nil && have > 0 && s.d == session.Postgres {
			if err = session.Run(ctx, w, session.Briefly); err == nil { // others may use the tables
				err = session.AsAll(ctx, w)
			}
		}
		if err != nil {
			return err
		}
		for i := max(have, firstVersion-1) - firstVersion + 1; i < len(files); i++ {
			text, err := fs.ReadFile(migrations, s.d.Migration+"/"+files[i].Name())
			if err != nil {
				return err
			}
			if err := session.Run(ctx, w, string(text)); err != nil {
				return fmt.Errorf("migration %s: %w", files[i].Name(), err)
			}
		}
		if err := listKinds(ctx, w); err != nil {
			return err
		}
		return s.setVersion(ctx, w, want)
	})
}

// listKinds puts the kinds that are known into their table.
func listKinds(ctx context.Context, w *session.Session) error {
	for _, k := range slices.Concat(memory.Memories(), memory.Claims()) {
		err := w.Exec(ctx, "INSERT INTO kinds (no, name) VALUES (?, ?) ON CONFLICT DO NOTHING", k.Form().Number, string(k))
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) setVersion(ctx context.Context, w *session.Session, version int) error {
	if s.d == session.SQLite {
		return session.Run(
			ctx, w, fmt.Sprintf("PRAGMA user_version = %d; PRAGMA application_id = %d", version, applicationID),
		)
	}
	return w.Exec(ctx, "INSERT INTO meta (name, value) VALUES ('schema', ?) ON CONFLICT (name) DO UPDATE SET value "+
		"= excluded.value",
		strconv.Itoa(version))
}
