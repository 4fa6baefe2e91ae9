package intake

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// importBatch is how many records are stored at a time.
const importBatch = 1000

// Import reads what Export wrote. Every line is verified before any is stored: a bad one is
// named by its number, and nothing changes. Records keep their ids, times, lineage and
// signatures; records that are held already are left alone. Progress, if not nil, is called
// with the number of stored lines.
func (e *Intake) Import(ctx context.Context, r io.Reader, progress func(done int)) (api.ImportReply, error) {
	var reply api.ImportReply
	again, done, err := Rewindable(r)
	if err != nil {
		return reply, fmt.Errorf("import: %w", err)
	}
	defer done()
	begin, err := again.Seek(0, io.SeekCurrent)
	if err != nil {
		return reply, fmt.Errorf("import: %w", err)
	}
	seen, purged, proofs, err := e.verifyLines(ctx, again, &reply)
	if err != nil {
		return reply, err
	}
	reply.Lines, reply.Purged = len(seen)-proofs, purged
	if _, err := again.Seek(begin, io.SeekStart); err != nil {
		return reply, fmt.Errorf("import: %w", err)
	}
	err = e.storeLines(ctx, again, seen, &reply, progress)
	reply.AlreadyThere = reply.Lines - reply.Purged - reply.Added
	return reply, err
}

// verifyLines reads every line as a stranger's and stores nothing. It returns the digest of
// each line, so that reading them again needs no second verification.
func (e *Intake) verifyLines(
	ctx context.Context, r io.Reader, reply *api.ImportReply,
) (seen []digest, purged, proofs int, err error) {
	ring := state.NewKeyring()
	type unknown struct {
		n      int
		record *memory.Record
	}
	var later []unknown // their keys may come in a later line, since members of a space join after it began
	var page [][]byte
	verifyPage := func() error {
		first := len(seen) + 1
		for i, v := range verifyAll(page) {
			seen = append(seen, v.digest)
			switch {
			case errors.Is(v.err, core.ErrPurged):
				purged++
			case errors.Is(v.err, core.ErrProof):
				proofs++
			case v.err != nil:
				return core.BadLine(first+i, v.err)
			default:
				ring.Add(v.record)
				reply.Secrets = core.CountSecrets(reply.Secrets, v.secrets)
				if !covered(ring, v.record) {
					later = append(later, unknown{first + i, &memory.Record{ID: v.record.ID, Header: v.record.Header}})
				}
			}
		}
		page = page[:0]
		return nil
	}
	err = core.EachLine(ctx, r, func(_ int, raw []byte) error {
		if page = append(page, bytes.Clone(raw)); len(page) < verifiedAtOnce {
			return nil
		}
		return verifyPage()
	})
	if err == nil {
		err = verifyPage()
	}
	for _, u := range later {
		if err != nil {
			break
		}
		if failed := e.CheckDelegation(ctx, ring, u.record); failed != nil {
			err = core.BadLine(u.n, failed)
		}
	}
	return seen, purged, proofs, err
}

// verifiedAtOnce is how many lines are verified at a time, by all processors.
const verifiedAtOnce = 256

type digest = [sha256.Size]byte

// verified is one line read as a stranger's.
type verified struct {
	record  *memory.Record
	digest  digest
	secrets []api.Redaction
	err     error
}

// verifyAll reads lines, in order, with all processors.
func verifyAll(lines [][]byte) []verified {
	out := make([]verified, len(lines))
	var next atomic.Int64
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(lines); i = int(next.Add(1)) - 1 {
				v := &out[i]
				v.digest = sha256.Sum256(lines[i])
				if v.record, v.err = core.ReadLine(lines[i]); v.err == nil {
					v.secrets = core.SecretsIn(v.record)
				}
			}
		})
	}
	workers.Wait()
	return out
}

// covered reports whether a record needs no delegation, or a ring holds one that covers it:
// its key, its channel and its time. That somebody ended a key is for the fold to weigh, by
// when a record came.
func covered(ring *state.Keyring, r *memory.Record) bool {
	_, opaque := r.Body.(*memory.Opaque)
	fault := ring.Fault(r)
	return opaque || fault != state.DelegationInvalid && fault != state.KeyExpired
}

// CheckDelegation returns an error for a record whose delegation is neither in the bundle nor in the
// store, or does not cover it.
func (e *Intake) CheckDelegation(ctx context.Context, ring *state.Keyring, r *memory.Record) error {
	if covered(ring, r) {
		return nil
	}
	items, err := e.Store.Get(ctx, r.Header.Delegation)
	if err != nil {
		return err
	}
	if items[0] != nil && items[0].Record != nil {
		ring.Add(items[0].Record)
	}
	if !covered(ring, r) {
		return fmt.Errorf("%s: signed under a delegation that is not held or does not cover it", r.Ref().Short())
	}
	return nil
}

// storeLines appends lines that were verified before.
func (e *Intake) storeLines(
	ctx context.Context, r io.Reader, seen []digest, reply *api.ImportReply, progress func(int),
) error {
	var batch []*memory.Record
	flush := func(n int) error {
		added, err := e.Store.Append(ctx, store.Batch{Records: batch, Obey: true})
		if err != nil {
			return core.Classify(err)
		}
		reply.Added += added
		batch = batch[:0]
		if progress != nil {
			progress(n)
		}
		return nil
	}
	last := 0
	err := core.EachLine(ctx, r, func(n int, raw []byte) error {
		last = n
		if n > len(seen) || sha256.Sum256(raw) != seen[n-1] {
			return core.Invalid("line %d: the file changed while it was read", n)
		}
		rec, err := core.ParseLine(raw)
		if errors.Is(err, core.ErrPurged) || errors.Is(err, core.ErrProof) {
			return nil
		}
		if err != nil {
			return core.BadLine(n, err)
		}
		if batch = append(batch, rec); len(batch) == importBatch {
			return flush(n)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return flush(last)
}

func BadLineIf(n int, err error) error {
	if err == nil {
		return nil
	}
	return core.BadLine(n, err)
}
