package sqlstore

import (
	"bytes"
	"context"
	"database/sql"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// A moment is what was read of the database while nothing was committed to it: it holds as long
// as the pages that SQLite keeps itself. Two readings ask for most records that one answer is
// made of, and the next answer for many of the same.
type moment struct {
	mu     sync.Mutex
	before *moment // of which records are used again whose bytes are the same
	writes int64   // of this process, when it began
	from   time.Time
	until  time.Time // when something that was said comes due; zero is never

	passing bool // something came due, and what follows from it may come due again: no list is remembered

	spaces   []store.Space
	items    map[memory.ID]*store.Item // nil is not held
	edges    [2]map[memory.ID][]graph.Edge
	waits    map[string][]waiting
	lists    map[string][]*store.Item
	segments map[int][]segment
	shown    map[int64]bool
	hides    map[int64]bool // all that are not shown; nil is not known. See hiding
	ids      map[int64]memory.ID
	keys     map[memory.ID]int64 // the same the other way
	rows     map[memory.ID]int64 // of records that were read, where they are
	size     int                 // in bytes, about

	hidesFrom int
}

const (
	// mostOfMoment is how much of a moment is remembered, in bytes: what is remembered the collector goes through.
	mostOfMoment = 16 << 20
	// watchFrom is how many readings a Store answers before it keeps a connection to ask whether
	// anything changed: a process that gives one answer does not need it. A request counts for
	// inRequest readings, and one of a server for all of them.
	watchFrom = 64
	inRequest = 16
)

// moments knows the current moment.
type moments struct {
	mu      sync.Mutex
	asked   int // how many readings there were
	conn    *sql.Conn
	stmt    *sql.Stmt
	version int64
	now     *moment
	writes  atomic.Int64 // how often this process changed something
}

func (m *moment) clear() {
	m.spaces, m.hides, m.size = nil, nil, 0
	m.items = make(map[memory.ID]*store.Item)
	m.edges = [2]map[memory.ID][]graph.Edge{make(map[memory.ID][]graph.Edge), make(map[memory.ID][]graph.Edge)}
	m.lists = make(map[string][]*store.Item)
	m.waits, m.segments = make(map[string][]waiting), make(map[int][]segment)
	m.shown, m.ids, m.keys = make(map[int64]bool), make(map[int64]memory.ID), make(map[memory.ID]int64)
	m.rows = make(map[memory.ID]int64)
}

// grows counts what is remembered, and forgets all where it is too much.
func (m *moment) grows(by int) {
	if m.size += by; m.size > mostOfMoment {
		m.clear()
		m.before = nil
	}
}

// current returns the moment of the database as it is, nil while there is no connection to ask:
// the last one if it holds, else one that begins.
func (ms *moments) current(
	ctx context.Context, db *sql.DB, readings int, over func(*moment) bool,
	begin func(before *moment, writes int64) *moment,
) *moment {
	ms.mu.Lock()
	defer ms.mu.Unlock()
	if ms.asked += readings; ms.asked < watchFrom || db == nil {
		return nil
	}
	ctx = context.WithoutCancel(ctx)
	if ms.stmt == nil {
		conn, err := db.Conn(ctx)
		if err != nil {
			return nil
		}
		if ms.stmt, err = conn.PrepareContext(ctx, "PRAGMA data_version"); err != nil {
			_ = conn.Close() // it was only asked
			return nil
		}
		ms.conn = conn
	}
	var version int64
	writes := ms.writes.Load()
	if err := ms.stmt.QueryRowContext(ctx).Scan(&version); err != nil {
		return nil
	}
	if ms.version != version || over(ms.now) {
		ms.now, ms.version = begin(ms.now, writes), version
	}
	return ms.now
}

// forget drops what is remembered.
func (ms *moments) forget() {
	ms.writes.Add(1)
	ms.mu.Lock()
	defer ms.mu.Unlock()
	ms.now = nil
}

func (ms *moments) close() {
	ms.mu.Lock()
	defer ms.mu.Unlock()
	if ms.conn != nil {
		_ = ms.stmt.Close()
		_ = ms.conn.Close() // it was only read
	}
	ms.conn, ms.stmt, ms.now, ms.asked = nil, nil, nil, 0
}

// known puts the items of ids that are remembered into out, and returns the other ids.
func (m *moment) known(ids []memory.ID, out []*store.Item) (unknown []memory.ID) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, id := range ids {
		it, known := m.items[id]
		switch {
		case !known:
			unknown = append(unknown, id)
		case it != nil:
			own := *it // the caller may change it
			out[i] = &own
		}
	}
	return unknown
}

// place remembers the keys of ids.
func (m *moment) place(ids map[int64]memory.ID) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for key, id := range ids {
		m.keys[id] = key
	}
}

// readAt remembers where a record was read.
func (m *moment) readAt(id memory.ID, key int64) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	const entry = 64
	m.grows(entry)
	m.rows[id] = key
}

// rowsOf returns the places of those of some records that were read at this moment, and the others.
func (m *moment) rowsOf(ids []memory.ID) (keys []int64, others []memory.ID) {
	if m == nil {
		return nil, ids
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, id := range ids {
		if key, is := m.rows[id]; is {
			keys = append(keys, key)
		} else {
			others = append(others, id)
		}
	}
	slices.Sort(keys)
	return keys, others
}

// placesOf returns those of ids whose keys are known, with their keys, and the others: a record is found by its key
// without the index of ids, which lies all over the file.
func (m *moment) placesOf(ids []memory.ID) (placed []memory.ID, keys []int64, unplaced []memory.ID) {
	if m == nil {
		return nil, nil, ids
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, id := range ids {
		if key, is := m.keys[id]; is {
			placed, keys = append(placed, id), append(keys, key)
		} else {
			unplaced = append(unplaced, id)
		}
	}
	slices.Sort(keys)
	return placed, keys, unplaced
}

// keep remembers an item, nil for one that is not held.
func (m *moment) keep(id memory.ID, it *store.Item) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.grows(sizeOf(it))
	if it != nil {
		own := *it
		it = &own
	}
	m.items[id] = it
}

// record returns the record that was made before of some bytes and their author's signature, nil
// if there is none.
func (m *moment) record(id memory.ID, text, sig []byte) *memory.Record {
	if m == nil || text == nil {
		return nil
	}
	m.mu.Lock()
	before := m.before
	m.mu.Unlock()
	if before == nil {
		return nil
	}
	before.mu.Lock()
	it := before.items[id]
	before.mu.Unlock()
	if it == nil || it.Record == nil || !bytes.Equal(it.Record.Bytes, text) {
		return nil
	}
	if sigs := it.Record.Sigs; len(sigs) > 1 || len(sigs) == 1 && !bytes.Equal(sigs[0].Sig, sig) ||
		len(sigs) == 0 && sig != nil {
		return nil
	}
	return it.Record
}

// edgesOf returns the edges of ids that are remembered, and the other ids.
func (m *moment) edgesOf(dir graph.Direction, ids []memory.ID) (known map[memory.ID][]graph.Edge, unknown []memory.ID) {
	known = make(map[memory.ID][]graph.Edge, len(ids))
	if m == nil {
		return known, ids
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, id := range ids {
		if all, is := m.edges[side(dir)][id]; is {
			known[id] = all
		} else {
			unknown = append(unknown, id)
		}
	}
	return known, unknown
}

func (m *moment) keepEdges(dir graph.Direction, id memory.ID, all []graph.Edge) {
	m.mu.Lock()
	defer m.mu.Unlock()
	const entry, edge = 80, 72
	m.grows(entry + edge*len(all))
	m.edges[side(dir)][id] = all
}

func side(dir graph.Direction) int {
	if dir == graph.Forward {
		return 1
	}
	return 0
}

// remember returns what a moment has, or reads and keeps it.
func remember[K comparable, V any](m *moment, of func(*moment) map[K]V, key K, read func() (V, error)) (V, error) {
	if m == nil {
		return read()
	}
	m.mu.Lock()
	v, known := of(m)[key]
	m.mu.Unlock()
	if known {
		return v, nil
	}
	v, err := read()
	if err == nil {
		m.mu.Lock()
		of(m)[key] = v
		m.mu.Unlock()
	}
	return v, err
}

// rememberEach is remember for the values of many keys. The keys that read returns with them are
// of values that do not hold for long.
func rememberEach[V any](
	m *moment, of func(*moment) map[int64]V, keys []int64, read func([]int64) (map[int64]V, []int64, error),
) (map[int64]V, error) {
	if m == nil {
		all, _, err := read(keys)
		return all, err
	}
	out := make(map[int64]V, len(keys))
	var unknown []int64
	m.mu.Lock()
	for _, k := range keys {
		if v, known := of(m)[k]; known {
			out[k] = v
		} else {
			unknown = append(unknown, k)
		}
	}
	m.mu.Unlock()
	if len(unknown) == 0 {
		return out, nil
	}
	more, passing, err := read(unknown)
	if err != nil {
		return nil, err
	}
	maps.Copy(out, more)
	for _, k := range passing {
		delete(more, k)
	}
	const entry = 64
	m.mu.Lock()
	defer m.mu.Unlock()
	m.grows(entry * len(more))
	maps.Copy(of(m), more)
	return out, nil
}

// sizeOf is about how many bytes an item takes.
func sizeOf(it *store.Item) int {
	const item, header = 600, 2
	if it == nil || it.Record == nil {
		return item
	}
	return item + header*len(it.Record.Bytes)
}
