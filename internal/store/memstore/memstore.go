// Package memstore is the model of a store: plain maps under one lock, made to
// be obviously right, not fast. The other stores are compared with it.
package memstore

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/index"
	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// A Store keeps records in memory, for as long as the process lives.
type Store struct {
	now func() time.Time

	mu       sync.RWMutex
	log      []*entry                   // in the order of arrival
	byID     map[memory.ID]*entry       // every record held
	spaces   []string                   // in the order they began
	inSpace  map[string][]*entry        // the log of each space
	pointing map[memory.ID][]graph.Edge // edges by what they point at, held or not
	keys     *state.Keyring             // of the key records held
	trees    map[string]*ledger.Frontier
	held     []store.Checkpoint
	came     map[string]time.Time               // when the last of each space came: no later one came before
	usage    map[memory.ID]store.Usage          // what was read
	vectors  map[string]map[memory.ID][]float32 // by model
	from     store.Store                        // of a copy: where vectors are that were not asked for yet
	cursors  map[string]store.Seq
	notes    map[string][]byte
	jobs     []*store.Job                // in the order they came
	counts   map[string]map[string]int64 // by day
}

// entry is one record held.
type entry struct {
	rec   *memory.Record // its bytes are gone where purged
	seq   store.Seq
	came  time.Time
	gone  bool                        // purged
	state *state.State                // nil is the initial one
	words atomic.Pointer[index.Entry] // what the index knows of it, once a question was asked; places are of the question
}

var _ store.Store = (*Store)(nil)

// Open makes an empty store. now returns the time, which decides when claims dated ahead take
// effect; nil is the real time.
func Open(now func() time.Time) *Store {
	if now == nil {
		now = time.Now
	}
	s := &Store{
		now:      now,
		trees:    make(map[string]*ledger.Frontier),
		came:     make(map[string]time.Time),
		byID:     make(map[memory.ID]*entry),
		inSpace:  make(map[string][]*entry),
		pointing: make(map[memory.ID][]graph.Edge),
		keys:     state.NewKeyring(),
		usage:    make(map[memory.ID]store.Usage),
		vectors:  make(map[string]map[memory.ID][]float32),
		cursors:  make(map[string]store.Seq),
		notes:    make(map[string][]byte),
		counts:   make(map[string]map[string]int64),
	}
	s.keys.Arrived, s.keys.Agrees = s.arrived, s.agrees
	return s
}

// Append adds the records that are not stored yet. Everything that can fail is checked before
// anything is changed.
func (s *Store) Append(ctx context.Context, b store.Batch) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	fresh := s.unheld(b.Records)
	now := s.now()
	again := len(fresh) == 0 && len(b.Records) > 0 // sent twice: nothing to add, so nothing to be in conflict with
	if !again {
		if err := b.Checked(fresh); err != nil {
			return 0, err
		}
		if err := s.expected(b, fresh, now); err != nil {
			return 0, err
		}
	}
	if err := s.mayPurge(b, fresh); err != nil {
		return 0, err
	}
	if err := s.finish(b.Finished, now); err != nil && !again {
		return 0, err
	}
	s.addJobs(b.Jobs)
	if again {
		return 0, s.purge(b.Purge, now, b.Gone)
	}
	claims := s.keep(b.By)
	awaited := make(map[memory.ID]bool)
	came := s.arrival(fresh, now.Truncate(time.Millisecond))
	for _, r := range fresh {
		awaited[r.ID] = len(s.pointing[r.ID]) > 0
		s.add(r, came[r.Header.Space])
	}
	if b.Obey {
		claims = append(claims, s.due(now)...)
	}
	purged, err := store.Refold(rows{s}, fresh, func(id memory.ID) bool { return awaited[id] }, claims, now)
	if err != nil {
		return 0, err
	}
	if !b.Obey {
		return len(fresh), s.purge(b.Purge, now, b.Gone)
	}
	obeyed, err := store.Obeyed(rows{s}, fresh, purged)
	if err != nil {
		return 0, err
	}
	return len(fresh), s.purge(append(slices.Clip(b.Purge), obeyed...), now, b.Gone)
}

// due returns records about which a claim that was dated ahead has come due.
func (s *Store) due(now time.Time) (out []*memory.Record) {
	for _, space := range s.spaces {
		for _, e := range s.inSpace[space] {
			if e.state != nil && !e.gone && !e.state.Due.IsZero() && !now.Before(e.state.Due.Time()) {
				out = append(out, e.rec)
			}
		}
	}
	return out
}

// unheld returns the records that are new, each once.
func (s *Store) unheld(records []*memory.Record) []*memory.Record {
	var fresh []*memory.Record
	seen := make(map[memory.ID]bool)
	for _, r := range records {
		if s.byID[r.ID] == nil && !seen[r.ID] {
			seen[r.ID] = true
			fresh = append(fresh, r)
		}
	}
	return fresh
}

// expected returns ErrConflict unless all that the batch expects is so.
func (s *Store) expected(b store.Batch, fresh []*memory.Record, now time.Time) error {
	for _, id := range b.Expect {
		if gone, err := store.Superseded(rows{s}, id, now); gone || err != nil {
			return conflict(err)
		}
	}
	for _, d := range b.Absent {
		if made, err := store.Derived(rows{s}, d); made || err != nil {
			return conflict(err)
		}
	}
	for _, said := range b.Unsaid {
		for at, e := range s.inSpace[said.Space] {
			if store.Seq(at) >= said.After && !e.gone && e.rec.Header.Kind == said.Kind && said.Is(e.rec) {
				return store.ErrConflict
			}
		}
	}
	if !b.NewAliases {
		return nil
	}
	taken := make(map[string]bool)
	for _, r := range fresh {
		for _, alias := range r.Header.Alias {
			in := r.Header.Space + "\x00" + alias
			if _, held := s.aliased(r.Header.Space, alias); held || taken[in] {
				return store.ErrConflict
			}
			taken[in] = true
		}
	}
	return nil
}

func conflict(err error) error {
	if err != nil {
		return err
	}
	return store.ErrConflict
}

// arrival says when the new records of each space come: now, or where the end of a key
// is among them, after what comes to other spaces with it, and what came there before
// when the clock showed more: it was said before.
func (s *Store) arrival(fresh []*memory.Record, now time.Time) map[string]time.Time {
	out := make(map[string]time.Time)
	for _, r := range fresh {
		out[r.Header.Space] = now
	}
	for _, r := range fresh {
		if !r.Ends() {
			continue
		}
		space := r.Header.Space
		if len(out) > 1 {
			out[space] = now.Add(time.Millisecond)
		}
		for other, came := range s.came {
			if other != space && came.After(now) && !came.Before(out[space]) {
				out[space] = came.Add(time.Millisecond)
			}
		}
	}
	return out
}

// add keeps one new record.
func (s *Store) add(r *memory.Record, now time.Time) {
	space := r.Header.Space
	if now.After(s.came[space]) {
		s.came[space] = now
	}
	if s.inSpace[space] == nil {
		s.spaces = append(s.spaces, space)
	}
	e := &entry{rec: r, seq: store.Seq(len(s.inSpace[space]) + 1), came: s.came[space]}
	if s.trees[space] == nil {
		s.trees[space] = new(ledger.Frontier)
	}
	s.trees[space].Append(ledger.Hash(r.ID))
	s.log = append(s.log, e)
	s.byID[r.ID] = e
	s.inSpace[space] = append(s.inSpace[space], e)
	for _, edge := range graph.Edges(r) {
		s.pointing[edge.To] = append(s.pointing[edge.To], edge)
	}
	s.keys.Add(r)
}

// Close does nothing: a store in memory stays readable.
func (s *Store) Close() error { return nil }
