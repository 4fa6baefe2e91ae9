package sqlstore

import (
	"database/sql"
	"slices"

	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
	"github.com/stemma-memory/stemma/memory"
)

// fewAhead is how many records are read one by one as well as together.
const fewAhead = 8

// Data that is read ahead.
const (
	manyRecords = `SELECT r.id, r.key, p.bytes, s.flags, s.fold FROM records r
		LEFT JOIN payloads p ON p.key = r.key LEFT JOIN state s ON s.key = r.key WHERE r.id IN (…)`
	manyPointing = `SELECT e.dst, r.id, e.rel FROM edges e JOIN records r ON r.key = e.src
		WHERE e.dst IN (…) ORDER BY e.dst, e.src, e.ord`
)

var _ store.Ahead = (*rows)(nil)

// Ahead reads records, the edges to them, and the claims about them by one of rels, in a few
// queries. All edges of the batch must be written: they are not read again.
func (w *rows) Ahead(ids []memory.ID, rels ...graph.Relation) error {
	if len(ids) <= fewAhead {
		return nil
	}
	if err := w.readAll(ids); err != nil {
		return err
	}
	if err := w.allPointing(ids); err != nil {
		return err
	}
	var speakers []memory.ID
	for _, id := range ids {
		speakers = append(speakers, pointing(w.toward[id], rels)...)
	}
	return w.readAll(speakers)
}

// readAll reads those of some records that are not known yet.
func (w *rows) readAll(ids []memory.ID) error {
	var todo []memory.ID
	asked := make(map[memory.ID]bool)
	for _, id := range ids {
		_, read := w.records[id]
		key, looked := w.keys[id]
		if !read && !asked[id] && (!looked || key != 0) {
			asked[id] = true
			todo = append(todo, id)
		}
	}
	for part := range slices.Chunk(todo, session.MostListed) {
		query, args := session.SpreadFor(manyRecords, part, session.Blob)
		err := w.on.Each(w.ctx, func(r *sql.Rows) error {
			var id memory.ID
			var bytes []byte
			var key int64
			var flags sql.NullInt64
			var fold sql.NullString
			err := r.Scan(session.AsID(&id), &key, &bytes, &flags, &fold)
			if err == nil {
				_, err = w.take(id, key, bytes, flags, fold)
			}
			return err
		}, query, args...)
		if err != nil {
			return err
		}
	}
	return nil
}

// allPointing reads what points at those of some records that are held.
func (w *rows) allPointing(ids []memory.ID) error {
	var todo []int64
	byKey := make(map[int64]memory.ID)
	for _, id := range ids {
		if _, read := w.toward[id]; read || w.alone[id] || w.keys[id] == 0 {
			continue
		}
		key := w.keys[id]
		if _, twice := byKey[key]; !twice {
			byKey[key] = id
			todo = append(todo, key)
		}
	}
	for part := range slices.Chunk(todo, session.MostListed) {
		query, args := session.SpreadFor(manyPointing, part, func(key int64) any { return key })
		err := w.on.Each(w.ctx, func(r *sql.Rows) error {
			var dst int64
			var p pointer
			err := r.Scan(&dst, session.AsID(&p.from), &p.rel)
			w.toward[byKey[dst]] = append(w.toward[byKey[dst]], p)
			return err
		}, query, args...)
		if err != nil {
			return err
		}
		for _, key := range part {
			if id := byKey[key]; w.toward[id] == nil {
				w.toward[id] = []pointer{} // asked, and nothing points at it
			}
		}
	}
	return nil
}

var _ store.Telling = (*rows)(nil)

// Telling returns the claims that a state may follow from.
func (w *rows) Telling(claims []memory.ID) ([]memory.ID, error) {
	if len(claims) <= fewAhead {
		return claims, nil
	}
	claims = w.s.mute.others(claims)
	if len(claims) <= fewAhead {
		return claims, nil
	}
	if err := w.readAll(claims); err != nil {
		return nil, err
	}
	for _, id := range claims {
		if c := w.records[id]; c != nil && store.Mute(c, w.now) {
			w.s.mute.add(id)
		}
	}
	return w.s.mute.others(claims), nil
}
