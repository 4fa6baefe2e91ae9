package care

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/live"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// RecoverFileRequest names a damaged store and a new one.
type RecoverFileRequest struct {
	From string `json:"from"` // a SQLite file; it is not changed
	To   string `json:"to"`   // a file that is not there yet; "" is From with -recovered before its end
}

// RecoverFileReply says what was whole, and names what was not.
type RecoverFileReply struct {
	From    string       `json:"from"`
	File    string       `json:"file"` // the new store
	Records int          `json:"records"`
	Spaces  []LogSize    `json:"spaces"`
	Lost    []LostRecord `json:"lost"`
}

// LogSize is how many records of a space there are.
type LogSize struct {
	Space   string `json:"space"`
	Records int    `json:"records"`
}

// A LostRecord was in the log of the damaged store, and is not whole.
type LostRecord struct {
	Space string `json:"space,omitempty"`
	Seq   int64  `json:"seq"`
	ID    string `json:"id,omitempty"`
	Why   string `json:"why"`
}

// recoverPage is how many records are written at a time.
const recoverPage = 512

// RecoverFile writes each record of a damaged SQLite file that is still whole, by its
// bytes and signatures, into a new store, in the order of the logs. Read counts, vectors
// and settings of the old store are not carried over; times of arrival are those of the
// recovery.
func RecoverFile(
	ctx context.Context, c core.Config, in RecoverFileRequest, progress func(done int),
) (RecoverFileReply, error) {
	c.Fill()
	reply, err := recoverFile(ctx, c, in, progress)
	return reply, core.Classify(err)
}

func recoverFile(
	ctx context.Context, c core.Config, in RecoverFileRequest, progress func(done int),
) (reply RecoverFileReply, err error) {
	reply = RecoverFileReply{Spaces: []LogSize{}, Lost: []LostRecord{}}
	if reply.From, err = filepath.Abs(in.From); err != nil {
		return reply, err
	}
	if in.To == "" {
		end := filepath.Ext(reply.From)
		in.To = reply.From[:len(reply.From)-len(end)] + "-recovered" + end
	}
	if reply.File, err = filepath.Abs(in.To); err != nil {
		return reply, err
	}
	if _, err := os.Lstat(reply.File); err == nil {
		return reply, core.Conflict("%s exists already: name a new file with `to=NEW`", reply.File)
	}
	files, err := databases(c)
	if err != nil {
		return reply, err
	}
	found, err := files.Salvage(ctx, reply.From)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return reply, core.NotFound("there is no file %s", reply.From)
	case errors.Is(err, live.ErrOpen):
		return reply, core.Invalid("%s is open here: `doctor repair=true` repairs it in place", reply.From)
	case err != nil:
		return reply, err
	}
	for _, l := range found.Lost {
		one := LostRecord{Space: l.Space, Seq: l.Seq, Why: l.Why}
		if !l.ID.IsZero() {
			one.ID = l.ID.String()
		}
		reply.Lost = append(reply.Lost, one)
	}
	if len(found.Records) == 0 {
		return reply, core.Invalid("%s has no undamaged record, and %d damaged ones: nothing was written",
			reply.From, len(found.Lost))
	}
	return reply, writeRecovered(ctx, c, found.Records, &reply, progress)
}

// writeRecovered makes the new store.
func writeRecovered(
	ctx context.Context, c core.Config, rs []*memory.Record, reply *RecoverFileReply, progress func(done int),
) (err error) {
	s, err := c.Databases.Open(ctx, reply.File, store.Options{
		Now: c.Now, Rand: c.Rand, Patience: c.Patience, Like: reply.From,
	})
	if err != nil {
		return err
	}
	defer func() {
		if err = errors.Join(err, s.Close()); err != nil {
			discard(reply.File)
		}
	}()
	for len(rs) > 0 {
		n := min(len(rs), recoverPage)
		added, err := s.Append(ctx, store.Batch{Records: rs[:n], Obey: true})
		if err != nil {
			return fmt.Errorf("recover: %w", err)
		}
		if reply.Records += added; progress != nil {
			progress(reply.Records)
		}
		rs = rs[n:]
	}
	spaces, err := s.Spaces(ctx)
	for _, sp := range spaces {
		reply.Spaces = append(reply.Spaces, LogSize{Space: sp.Name, Records: int(sp.Last)})
	}
	return err
}
