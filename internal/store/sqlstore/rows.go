package sqlstore

import (
	"context"
	"database/sql"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
	"github.com/stemma-memory/stemma/memory"
)

// rows is the store as Refold sees it: inside a writing transaction, or for reading a state
// that has come due. It caches what it has read.
type rows struct {
	s   *Store
	ctx context.Context // of the one transaction or reading this lives for
	on  *session.Session
	now time.Time

	keys    map[memory.ID]int64 // 0 is not held
	records map[memory.ID]*memory.Record
	states  map[memory.ID]*known
	dirty   []memory.ID             // states to be written
	kinds   map[memory.ID]int       // numbers of those that find looked up
	toward  map[memory.ID][]pointer // what points at those that Ahead read
	alone   map[memory.ID]bool      // new records at which nothing points
	came    map[memory.ID]int64     // when the new records came
	places  map[memory.ID]state.Arrival
	ring    *state.Keyring // nil is not read yet
	failed  error          // of a look for a place in the log

	repairs bool  // an unreadable row counts as absent: it is made again
	made    int64 // of a repair: states of records before this key are made already
}

// known is a state as it is or will be in its row.
type known struct {
	state  state.State
	is     bool // there is one
	inRow  bool // it is in the database
	unsent bool
}

var _ store.Rows = (*rows)(nil)

func newRows(ctx context.Context, s *Store, on *session.Session) *rows {
	return newRowsFor(ctx, s, on, 0)
}

// newRowsFor is newRows for one who is about to add n records.
func newRowsFor(ctx context.Context, s *Store, on *session.Session, n int) *rows {
	return &rows{
		s: s, ctx: ctx, on: on, now: s.now(),
		keys: make(map[memory.ID]int64, n), records: make(map[memory.ID]*memory.Record, n),
		states: make(map[memory.ID]*known, n), alone: make(map[memory.ID]bool, n), came: make(map[memory.ID]int64, n),
		places: make(map[memory.ID]state.Arrival), kinds: make(map[memory.ID]int), toward: make(map[memory.ID][]pointer),
	}
}

// find looks up the keys of records.
func (w *rows) find(ids []memory.ID) error {
	var todo []memory.ID
	for _, id := range ids {
		if _, known := w.keys[id]; !known {
			w.keys[id] = 0
			todo = append(todo, id)
		}
	}
	for part := range slices.Chunk(todo, session.MostListed) {
		query, args := session.SpreadFor("SELECT id, key, kind FROM records WHERE id IN (…)", part, session.Blob)
		err := w.on.Each(w.ctx, func(r *sql.Rows) error {
			var id memory.ID
			var key int64
			var kind int
			err := r.Scan(session.AsID(&id), &key, &kind)
			if err == nil {
				w.keys[id], w.kinds[id] = key, kind
			}
			return err
		}, query, args...)
		if err != nil {
			return err
		}
	}
	return nil
}

// Record returns a held record, nil when it is not held or was purged.
func (w *rows) Record(id memory.ID) (*memory.Record, error) {
	if r, known := w.records[id]; known {
		return r, nil
	}
	if key, known := w.keys[id]; known && key == 0 {
		return nil, nil
	}
	const query = `SELECT r.key, p.bytes, s.flags, s.fold FROM records r
		LEFT JOIN payloads p ON p.key = r.key LEFT JOIN state s ON s.key = r.key WHERE r.id = ?`
	var key int64
	var bytes []byte
	var flags sql.NullInt64
	var fold sql.NullString
	_, err := w.on.One(w.ctx, []any{&key, &bytes, &flags, &fold}, query, id[:])
	if err != nil {
		return nil, err
	}
	return w.take(id, key, bytes, flags, fold)
}

// take remembers a record and its state as they were read.
func (w *rows) take(
	id memory.ID, key int64, bytes []byte, flags sql.NullInt64, fold sql.NullString,
) (*memory.Record, error) {
	var rec *memory.Record
	var err error
	if bytes != nil {
		if rec, err = memory.Load(bytes); err != nil && !w.repairs {
			return nil, err
		}
		if rec != nil && rec.ID != id && w.repairs {
			rec = nil // its bytes are damaged
		}
	}
	w.records[id], w.keys[id] = rec, key
	if w.states[id] == nil {
		st := &known{is: flags.Valid, inRow: flags.Valid}
		if flags.Valid {
			st.state, err = decodeState(rec, flags, fold)
			switch {
			case err != nil && !w.repairs:
				return nil, err
			case err != nil:
				st.state, st.is = state.State{}, false
			case w.repairs && key >= w.made:
				st.state.Outranked = false // rivals are compared again
			}
		}
		st.state.Purged = st.state.Purged || rec == nil && key != 0
		w.states[id] = st
	}
	return rec, nil
}

// State returns the state last put.
func (w *rows) State(id memory.ID) (state.State, bool, error) {
	if w.states[id] == nil {
		if _, err := w.Record(id); err != nil {
			return state.State{}, false, err
		}
	}
	if st := w.states[id]; st != nil {
		return st.state, st.is, nil
	}
	return state.State{}, false, nil
}

// PutState keeps a state until the transaction writes them all.
func (w *rows) PutState(r *memory.Record, s state.State) error {
	st := w.states[r.ID]
	if st == nil {
		st = new(known)
		w.states[r.ID] = st
	}
	st.state, st.is = s, true
	if !st.unsent {
		st.unsent = true
		w.dirty = append(w.dirty, r.ID)
	}
	return nil
}

// Pointing returns the records that draw one of these arrows to id, held or not.
func (w *rows) Pointing(id memory.ID, rels ...graph.Relation) ([]memory.ID, error) {
	if w.alone[id] {
		return nil, nil
	}
	if all, read := w.toward[id]; read {
		return pointing(all, rels), nil
	}
	if err := w.find([]memory.ID{id}); err != nil {
		return nil, err
	}
	const held = `SELECT r.id, e.rel FROM edges e JOIN records r ON r.key = e.src WHERE e.dst = ? ORDER BY e.src, e.ord`
	const awaited = `SELECT r.id, e.rel FROM dangling e JOIN records r ON r.key = e.src WHERE e.dst = ? ORDER BY ` +
		`e.src, e.ord`
	query, arg := held, any(w.keys[id])
	if w.keys[id] == 0 {
		query, arg = awaited, id[:]
	}
	var all []pointer
	err := w.on.Each(w.ctx, func(r *sql.Rows) error {
		var p pointer
		err := r.Scan(session.AsID(&p.from), &p.rel)
		all = append(all, p)
		return err
	}, query, arg)
	return pointing(all, rels), err
}

// ByAuthor returns what a key wrote. It reads the whole log, which a new
// delegation is worth.
func (w *rows) ByAuthor(author string) ([]memory.ID, error) {
	const query = `SELECT r.id FROM authors a JOIN records r ON r.author = a.no WHERE a.did = ? ORDER BY r.key`
	var out []memory.ID
	err := w.on.Each(w.ctx, func(r *sql.Rows) error {
		var id memory.ID
		err := r.Scan(session.AsID(&id))
		out = append(out, id)
		return err
	}, query, author)
	return out, err
}

// Voices returns the voices that follow from the key records, those of the
// batch too.
func (w *rows) Voices() (state.Voices, error) {
	if err := w.readKeyring(); err != nil {
		return nil, err
	}
	return w.ring, w.failed
}

// readKeyring reads the key records that are committed.
func (w *rows) readKeyring() error {
	if w.ring != nil {
		return nil
	}
	shared, err := w.s.ring.read(w.ctx, w.on)
	if err != nil {
		return err
	}
	own := *shared
	w.ring = &own
	w.ring.Arrived, w.ring.Agrees = w.arrived, w.agrees
	return nil
}

// arrived returns the place of a record in the log.
func (w *rows) arrived(id memory.ID) (state.Arrival, bool) {
	if at, fresh := w.came[id]; fresh {
		return state.Arrival{Space: w.records[id].Header.Space, Seq: int64(
			session.SeqOf(w.keys[id]),
		), At: time.UnixMilli(at)}, true
	}
	if a, known := w.places[id]; known {
		return a, true
	}
	a, held, err := arrivedIn(w.ctx, w.on, id)
	if err != nil {
		w.failed = err // change and Current ask for it
	}
	if held {
		w.places[id] = a
	}
	return a, held
}

// agrees reports whether a log once had a root.
func (w *rows) agrees(space string, size int64, root string) bool {
	ok, err := w.s.ring.agrees(w.ctx, w.on, space, size, root, len(w.came) == 0)
	if err != nil {
		w.failed = err
	}
	return ok
}

// A pointer is an arrow as the record sees it that it points at.
type pointer struct {
	from memory.ID
	rel  graph.Relation
}

// pointing returns the records that draw one of these arrows, each once. The arrows
// of a record follow one another.
func pointing(all []pointer, rels []graph.Relation) []memory.ID {
	var out []memory.ID
	for _, p := range all {
		if slices.Contains(rels, p.rel) && (len(out) == 0 || out[len(out)-1] != p.from) {
			out = append(out, p.from)
		}
	}
	return out
}
