package bench

import (
	"bufio"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	_ "modernc.org/sqlite" // the same SQLite as the store's
)

// plain is the same words in a database of SQLite and nothing else: a table, and its full-text index.
type plain struct {
	db *sql.DB
}

// batch is how many records are stored at once, as in an import.
const batch = 500

func newPlain(ctx context.Context, path string) (*plain, error) {
	// as durable as a store: on the disk when a write returns
	db, err := sql.Open("sqlite", "file:"+path+
		"?_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_txlock=immediate&_pragma=cache_size(-16000)")
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	db.SetMaxOpenConns(1)
	for _, stmt := range []string{
		"CREATE TABLE said (id TEXT PRIMARY KEY, at INTEGER, text TEXT)",
		"CREATE INDEX said_at ON said (at)",
		"CREATE VIRTUAL TABLE found USING fts5(text, content='said')",
	} {
		if _, err := db.ExecContext(ctx, stmt); err != nil {
			return nil, errors.Join(fmt.Errorf("bench: %w", err), db.Close())
		}
	}
	return &plain{db: db}, nil
}

// load stores the lines of a file in batches.
func (p *plain) load(ctx context.Context, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	in := json.NewDecoder(bufio.NewReader(f))
	for n := 0; in.More(); {
		err := p.tx(ctx, func(tx *sql.Tx) error {
			for range batch {
				if !in.More() {
					break
				}
				var l line
				if err := in.Decode(&l); err != nil {
					return err
				}
				n++
				if _, err := tx.ExecContext(ctx, "INSERT INTO said VALUES (?, ?, ?)", l.ID, n, l.Text); err != nil {
					return err
				}
				if _, err := tx.ExecContext(ctx, "INSERT INTO found (rowid, text) VALUES (?, ?)", n, l.Text); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (p *plain) tx(ctx context.Context, do func(*sql.Tx) error) error {
	tx, err := p.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := do(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// insert stores one row without an index of its words.
func (p *plain) insert(ctx context.Context, text string) error {
	_, err := p.db.ExecContext(ctx, "INSERT INTO said (text) VALUES (?)", text)
	return err
}

// rows reads all rows of a query.
func (p *plain) rows(ctx context.Context, query string, args ...any) error {
	rows, err := p.db.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id sql.NullString
		var text string
		if err := rows.Scan(&id, &text); err != nil {
			return err
		}
	}
	return rows.Err()
}

// find returns the best of the rows that have any of some words.
func (p *plain) find(ctx context.Context, words string, limit int) error {
	quoted := strings.Fields(words)
	for i, w := range quoted {
		quoted[i] = `"` + w + `"`
	}
	return p.rows(ctx, "SELECT s.id, s.text FROM found JOIN said s ON s.rowid = found.rowid "+
		"WHERE found MATCH ? ORDER BY bm25(found) LIMIT ?", strings.Join(quoted, " OR "), limit)
}

// newest reads the newest 20 rows.
func (p *plain) newest(ctx context.Context) error {
	return p.rows(ctx, "SELECT id, text FROM said ORDER BY at DESC LIMIT 20")
}

// get reads some rows by their ids.
func (p *plain) get(ctx context.Context, numbers ...int) error {
	ids := make([]any, len(numbers))
	for i, n := range numbers {
		ids[i] = id(n)
	}
	return p.rows(ctx, "SELECT id, text FROM said WHERE id IN (?"+strings.Repeat(", ?", len(ids)-1)+")", ids...)
}

// count counts the rows.
func (p *plain) count(ctx context.Context) error {
	return p.rows(ctx, "SELECT '', count(*) FROM said")
}

// insertion is what sqlite3 does in an empty file: it makes a table, and stores a text without quotes.
func insertion(text string) string {
	return "CREATE TABLE IF NOT EXISTS said (text); INSERT INTO said VALUES ('" + text + "')"
}
