package hubstore

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/lists"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
	"github.com/stemma-memory/stemma/memory"
)

// Readers of a space need the keys of all who wrote there, and those have spaces of their own, which may lie in other
// shards. Their key records are stored where they are at home first, and then copied to every shard in which they are
// needed. While that is under way a row in the directory says so: who reads meanwhile, or after who copied was cut
// off, copies what is missing.

// copiesUntil is how long whoever copies may take. A row that is older is of somebody who was cut off.
const copiesUntil = 10 * time.Minute

// copied runs do, which stores key records of some spaces at home, and copies them.
func (h *Hub) copied(ctx context.Context, spaces []string, do func() error) error {
	random := make([]byte, 16)
	if _, err := rand.Read(random); err != nil {
		return err
	}
	id := hex.EncodeToString(random)
	err := h.write(ctx, "note what is copied in", func(ctx context.Context, w *session.Session) error {
		for _, space := range spaces {
			err := w.Exec(ctx, "INSERT INTO hub_copying (space, id, at) VALUES (?, ?, ?)", space, id, stamp(h.base.Now()))
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		err = do()
	}
	for _, space := range spaces {
		if err == nil {
			err = h.copyAround(ctx, space)
		}
	}
	if err != nil {
		return err // the rows stay: who reads next copies
	}
	return h.one(ctx, "note what is copied in", "DELETE FROM hub_copying WHERE id = ?", id)
}

// caughtUp copies what others left uncopied of some spaces.
func (h *Hub) caughtUp(ctx context.Context, spaces []string) error {
	old := make(map[string][]string) // what ended long ago, by space
	waiting := make(map[string]bool)
	for part := range slices.Chunk(spaces, session.MostListed) {
		query, args := session.SpreadFor("SELECT space, id, at FROM hub_copying WHERE space IN (…)", part,
			func(s string) any { return s })
		err := h.each(ctx, "read what is copied in", func(r *sql.Rows) error {
			var space, id string
			var at int64
			if err := r.Scan(&space, &id, &at); err != nil {
				return err
			}
			waiting[space] = true
			if h.base.Now().Sub(unstamp(at)) > copiesUntil {
				old[space] = append(old[space], id)
			}
			return nil
		}, query, args...)
		if err != nil {
			return err
		}
	}
	for space := range waiting {
		if err := h.copyAround(ctx, space); err != nil {
			return err
		}
		for _, id := range old[space] {
			const done = "DELETE FROM hub_copying WHERE space = ? AND id = ?"
			if err := h.one(ctx, "note what is copied in", done, space, id); err != nil {
				return err
			}
		}
	}
	return nil
}

// copyAround copies the key records of a space to every shard where what was written needs them.
func (h *Hub) copyAround(ctx context.Context, space string) error {
	var needed []string
	err := h.each(ctx, "read whose keys are in", func(r *sql.Rows) error {
		var s string
		err := r.Scan(&s)
		needed = append(needed, s)
		return err
	}, "SELECT space FROM hub_keys WHERE keys = ? ORDER BY space", space)
	if err != nil {
		return err
	}
	groups, err := h.Spread(ctx, needed)
	if err != nil {
		return err
	}
	for _, group := range groups {
		to, err := h.placeOf(ctx, group[0])
		if err != nil {
			return err
		}
		if err := h.copyKeys(ctx, space, to); err != nil {
			return err
		}
	}
	return nil
}

// copyKeys copies the key records of a space to a shard in which it is not at home. Those that are there stay.
func (h *Hub) copyKeys(ctx context.Context, space string, to *shard) error {
	from, err := h.placeOf(ctx, space)
	if err != nil || from.no == to.no {
		return err
	}
	no, err := from.own.Names().Number(ctx, from.own.Reads(), lists.Spaces, space)
	if err != nil || no == 0 {
		return from.own.Failed("read the spaces of", err)
	}
	source := h.base.Seen(session.Scope{Keys: session.Numbers([]int{no}), Path: from.path}, from.turns)
	var all []*memory.Record
	for it, err := range source.List(ctx, store.Query{Kinds: []memory.Kind{memory.KindKey}, Hidden: true, Oldest: true}) {
		if err != nil {
			return err
		}
		if it.Record != nil {
			all = append(all, it.Record)
		}
	}
	if no, err = h.guest(ctx, space, to); err != nil || len(all) == 0 {
		return err
	}
	of := session.Numbers([]int{no})
	there := h.base.Seen(session.Scope{Reads: of, Writes: of, Path: to.path}, to.turns)
	_, err = there.AppendWith(ctx, store.Batch{Records: all}, []string{space})
	return err
}

// guest returns the number of a space in a shard, in which it begins without being at home there.
func (h *Hub) guest(ctx context.Context, space string, in *shard) (int, error) {
	no, err := in.own.Names().Number(ctx, in.own.Reads(), lists.Spaces, space)
	if err != nil || no != 0 {
		return no, in.own.Failed("read the spaces of", err)
	}
	err = in.own.Change(ctx, "begin a space in", func(ctx context.Context, w *session.Session) error {
		found, err := w.One(ctx, []any{&no}, lists.Spaces.Find, space)
		if found || err != nil {
			return err
		}
		if _, err := w.One(ctx, []any{&no}, lists.Spaces.Next); err != nil {
			return err
		}
		return w.Exec(ctx, "INSERT INTO spaces (no, name, last, indexed, home) VALUES (?, ?, 0, 0, false)", no, space)
	})
	return no, err
}

// appendIn appends what a view was given. Key records of spaces that are at home elsewhere go there first.
func (s *seen) appendIn(ctx context.Context, b store.Batch) (added int, err error) {
	keys := make(map[string][]*memory.Record)
	for _, r := range b.Records {
		if r.Header.Kind == memory.KindKey {
			keys[r.Header.Space] = append(keys[r.Header.Space], r)
		}
	}
	if len(keys) == 0 {
		return s.Store.Append(ctx, b)
	}
	var spaces []string
	for space := range keys {
		spaces = append(spaces, space)
	}
	slices.Sort(spaces)
	err = s.h.copied(ctx, spaces, func() error {
		var guests []string
		for _, space := range spaces {
			home, err := s.h.placeOf(ctx, space)
			if err != nil {
				return err
			}
			if home.no == s.at.no {
				continue
			}
			guests = append(guests, space)
			no, err := home.own.Names().Number(ctx, home.own.Reads(), lists.Spaces, space)
			if err != nil {
				return home.own.Failed("read the spaces of", err)
			}
			of := session.Numbers([]int{no})
			there := s.h.base.Seen(session.Scope{Reads: of, Writes: of, Path: home.path}, home.turns)
			if _, err := there.Append(ctx, store.Batch{Records: keys[space], Check: b.Check, By: b.By}); err != nil {
				return err
			}
		}
		added, err = s.Store.AppendWith(ctx, b, guests)
		return err
	})
	return added, err
}
