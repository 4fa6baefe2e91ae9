package sqlstore

import (
	"context"
	"database/sql"
	"maps"
	"sync"

	"github.com/stemma-memory/stemma/memory"
)

// A list is a table of names that rows elsewhere use by number.
type list struct {
	find string // number by name
	add  string // a name, with the next number
	all  string
}

// The lists. Numbers are given under the lock of a writing transaction: there
// is no sequence to run ahead of it.
var (
	spaceList = &list{
		find: "SELECT no FROM spaces WHERE name = ?",
		add:  "INSERT INTO spaces (no, name, last, indexed) SELECT coalesce(max(no), 0) + 1, ?, 0, 0 FROM spaces",
		all:  "SELECT no, name FROM spaces",
	}
	authorList = &list{
		find: "SELECT no FROM authors WHERE did = ?",
		add:  "INSERT INTO authors (no, did) SELECT coalesce(max(no), 0) + 1, ? FROM authors",
		all:  "SELECT no, did FROM authors",
	}
	kindList = &list{
		find: "SELECT no FROM kinds WHERE name = ?",
		add:  "INSERT INTO kinds (no, name) SELECT coalesce(max(no), 0) + 1, ? FROM kinds",
		all:  "SELECT no, name FROM kinds",
	}
	modelList = &list{
		find: "SELECT no FROM models WHERE name = ?",
		add:  "INSERT INTO models (no, name) SELECT coalesce(max(no), 0) + 1, ? FROM models",
		all:  "SELECT no, name FROM models",
	}
)

// kindNumbers are the numbers of the kinds we know, as the first migration has
// them: the memories first, so that a range takes them all.
var kindNumbers = map[memory.Kind]int{
	memory.KindRaw: 1, memory.KindEpisode: 2, memory.KindNote: 3, memory.KindBelief: 4, memory.KindValue: 5,
	memory.KindGoal: 6, memory.KindDrive: 7, memory.KindRelationship: 8, memory.KindPlaybook: 9,
	memory.KindLink: 10, memory.KindWitness: 11, memory.KindAnchor: 12, memory.KindVerify: 13,
	memory.KindAssess: 14, memory.KindMark: 15, memory.KindKey: 16,
}

// lastMemory is the greatest number of a memory kind.
const lastMemory = 9

// A name is an entry of a list.
type name struct {
	of   *list
	name string
}

// names remembers numbers, which never change once committed.
type names struct {
	mu      sync.RWMutex
	numbers map[name]int
	kinds   map[int]memory.Kind
	fresh   map[name]int // of the transaction that is writing
}

func newNames() *names {
	n := &names{numbers: make(map[name]int), kinds: make(map[int]memory.Kind)}
	for k, no := range kindNumbers {
		n.numbers[name{kindList, string(k)}] = no
		n.kinds[no] = k
	}
	return n
}

// forget drops all numbers but those that never change.
func (n *names) forget() {
	fresh := newNames()
	n.mu.Lock()
	defer n.mu.Unlock()
	n.numbers, n.kinds = fresh.numbers, fresh.kinds
}

func (n *names) start() { n.fresh = make(map[name]int) }

// keep takes over what the transaction found, now that it is committed.
func (n *names) keep() {
	n.mu.Lock()
	defer n.mu.Unlock()
	maps.Copy(n.numbers, n.fresh)
}

func (n *names) known(key name) (int, bool) {
	n.mu.RLock()
	defer n.mu.RUnlock()
	no, ok := n.numbers[key]
	return no, ok
}

// number returns the number of a name, 0 when it has none.
func (n *names) number(ctx context.Context, on *session, of *list, text string) (int, error) {
	key := name{of, text}
	if no, ok := n.known(key); ok {
		return no, nil
	}
	var no int
	found, err := on.one(ctx, []any{&no}, of.find, text)
	if err != nil || !found {
		return 0, err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.numbers[key] = no
	return no, nil
}

// intern returns the number of a name, and gives it one if it has none. Only the
// transaction that is writing may call it.
func (n *names) intern(ctx context.Context, w *session, of *list, text string) (int, error) {
	key := name{of, text}
	if no, ok := n.known(key); ok {
		return no, nil
	}
	if no, ok := n.fresh[key]; ok {
		return no, nil
	}
	var no int
	found, err := w.one(ctx, []any{&no}, of.find, text)
	if err == nil && !found {
		if err = w.exec(ctx, of.add, text); err == nil {
			_, err = w.one(ctx, []any{&no}, of.find, text)
		}
	}
	if err == nil {
		n.fresh[key] = no
	}
	return no, err
}

// kind returns the kind of a number.
func (n *names) kind(ctx context.Context, on *session, no int) (memory.Kind, error) {
	n.mu.RLock()
	k, ok := n.kinds[no]
	n.mu.RUnlock()
	if ok {
		return k, nil
	}
	found := make(map[int]memory.Kind)
	err := on.each(ctx, func(rows *sql.Rows) error {
		var i int
		var text string
		err := rows.Scan(&i, &text)
		found[i] = memory.Kind(text)
		return err
	}, kindList.all)
	if err != nil {
		return "", err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.kinds[no] = found[no]
	return found[no], nil
}
