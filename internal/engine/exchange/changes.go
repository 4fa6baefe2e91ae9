package exchange

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// mostChanges is how many changes are given at once.
const mostChanges = 200

// Cursor returns where the logs of the spaces in use end now. Changes after this cursor are
// those that come later.
func (e *Exchange) Cursor(ctx context.Context) (string, error) {
	at, err := e.ends(ctx)
	return at.String(), err
}

// Changes returns the records that came after a cursor, those of one space in the
// order of its log, at most 200; "" is the beginning.
func (e *Exchange) Changes(ctx context.Context, after string) ([]api.Change, error) {
	at, err := readCursor(after)
	if err != nil {
		return nil, err
	}
	spaces, err := e.Store.Spaces(ctx)
	if err != nil {
		return nil, core.Classify(err)
	}
	reads, err := e.Reads(ctx)
	if err != nil {
		return nil, core.Classify(err)
	}
	var out []api.Change
	for _, s := range spaces {
		key := cursorKey(s.Name)
		if !reads(s.Name) || at[key] >= s.Last || len(out) == mostChanges {
			continue
		}
		log, err := e.Store.Since(ctx, s.Name, at[key], mostChanges-len(out))
		if err != nil {
			return nil, core.Classify(err)
		}
		ids := make([]memory.ID, len(log))
		for i, c := range log {
			ids[i] = c.ID
		}
		items, err := e.Store.Get(ctx, ids...)
		if err != nil {
			return nil, core.Classify(err)
		}
		for i, c := range log {
			at[key] = c.Seq
			if it := items[i]; it != nil {
				out = append(
					out,
					api.Change{Ref: it.Ref.String(), Type: string(it.Ref.Kind), Space: s.Name, Seq: int64(c.Seq), Cursor: at.String()},
				)
			}
		}
	}
	return out, nil
}

// cursor is a place in each of several logs, by the beginnings of the hashes of
// their names.
type cursor map[string]store.Seq

func (e *Exchange) ends(ctx context.Context) (cursor, error) {
	spaces, err := e.Store.Spaces(ctx)
	if err != nil {
		return nil, core.Classify(err)
	}
	reads, err := e.Reads(ctx)
	if err != nil {
		return nil, core.Classify(err)
	}
	at := make(cursor)
	for _, s := range spaces {
		if reads(s.Name) && s.Last > 0 {
			at[cursorKey(s.Name)] = s.Last
		}
	}
	return at, nil
}

const cursorKeyBytes = 6

func cursorKey(space string) string {
	sum := sha256.Sum256([]byte(space))
	return hex.EncodeToString(sum[:cursorKeyBytes])
}

func (c cursor) String() string {
	parts := make([]string, 0, len(c))
	for key, seq := range c {
		parts = append(parts, key+"-"+strconv.FormatInt(int64(seq), 10))
	}
	slices.Sort(parts)
	return strings.Join(parts, ".")
}

// readCursor reads what String wrote.
func readCursor(text string) (cursor, error) {
	const most = 64 << 10
	c := make(cursor)
	if text == "" {
		return c, nil
	}
	if len(text) > most {
		return nil, core.Invalid("cursor: longer than %d bytes", most)
	}
	for part := range strings.SplitSeq(text, ".") {
		key, number, _ := strings.Cut(part, "-")
		seq, err := strconv.ParseInt(number, 10, 64)
		if _, bad := hex.DecodeString(key); bad != nil || len(key) != 2*cursorKeyBytes || err != nil || seq < 1 {
			return nil, core.Invalid("cursor: %q is not a cursor that this operation returned", shorten.To(text, 80))
		}
		c[key] = store.Seq(seq)
	}
	return c, nil
}
