package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/stemma-memory/stemma/internal/live"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
)

// writtenAtOnce is how many bytes of pages are written at a time: SQLite's own copy writes each page by itself, which
// is most of its time.
const writtenAtOnce = 1 << 20

// copyPages copies the pages of the file as of one moment, and looks into none of them. What was
// purged is in none: SQLite writes zeros over what it frees.
func (s *Store) copyPages(ctx context.Context, to string) (err error) {
	conn, err := s.readers.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	f, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, session.FilePerm)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, live.Close(f)) }()
	out, err := s.encrypted(f)
	if err != nil {
		return err
	}
	blocks, free := make(chan []byte, 1), make(chan []byte, 2) // free has room for both
	free <- make([]byte, 0, writtenAtOnce)
	written := make(chan error, 1)
	go func() { written <- writeBlocks(out, blocks, free) }()
	err = readPages(ctx, conn, blocks, free)
	close(blocks)
	if in := <-written; in != nil {
		return in
	}
	return err
}

// writeBlocks writes blocks one after the other and gives them back. After an error it writes no more.
func writeBlocks(f io.Writer, blocks <-chan []byte, free chan<- []byte) (err error) {
	for b := range blocks {
		if err == nil {
			_, err = f.Write(b)
		}
		free <- b[:0]
	}
	return session.FullIf(err)
}

// readPages hands over all pages of a database.
func readPages(ctx context.Context, conn *sql.Conn, blocks chan<- []byte, free <-chan []byte) error {
	rows, err := conn.QueryContext(ctx, "SELECT pgno, data FROM sqlite_dbpage ORDER BY pgno")
	if err != nil {
		return err
	}
	block := make([]byte, 0, writtenAtOnce)
	next := 1
	for ; rows.Next(); next++ {
		var no int
		var page sql.RawBytes
		err := rows.Scan(&no, &page)
		if err == nil && (no != next || len(page) != session.PageSize) {
			err = fmt.Errorf("%w: page %d has %d bytes and comes as page %d", store.ErrDamaged, no, len(page), next)
		}
		if err != nil {
			return errors.Join(err, rows.Close())
		}
		if block = append(block, page...); no == 1 { // it has no log beside it: it can be read where none can be written
			block[writeVersion], block[writeVersion+1] = 1, 1
		}
		if len(block) == writtenAtOnce {
			blocks <- block
			block = <-free
		}
	}
	if len(block) > 0 {
		blocks <- block
	}
	return errors.Join(rows.Err(), rows.Close())
}

// writeVersion is where the head says how the file is written, and after it how it is read: 1
// with a journal, 2 with a log.
const writeVersion = 18
