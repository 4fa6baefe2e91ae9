package sqlstore

import (
	"context"
	"database/sql"
	"maps"
	"slices"
	"sync"

	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
	"github.com/stemma-memory/stemma/memory"
)

// lastMemory is the greatest number of a kind of memory. Claims and keys have greater ones.
const lastMemory = 99

// A list is a table of names that rows elsewhere use by number.
type list struct {
	find string // number by name
	next string // the next number
	add  string // a name with a number
	all  string
}

// The lists. Numbers are given under the lock of a writing transaction: there
// is no sequence to run ahead of it.
var (
	spaceList = &list{
		find: "SELECT no FROM spaces WHERE name = ?",
		next: "SELECT coalesce(max(no), 0) + 1 FROM spaces",
		add:  "INSERT INTO spaces (no, name, last, indexed) VALUES (?, ?, 0, 0)",
		all:  "SELECT no, name FROM spaces",
	}
	authorList = &list{
		find: "SELECT no FROM authors WHERE did = ?",
		next: "SELECT coalesce(max(no), 0) + 1 FROM authors",
		add:  "INSERT INTO authors (no, did) VALUES (?, ?)",
		all:  "SELECT no, did FROM authors",
	}
	kindList = &list{
		find: "SELECT no FROM kinds WHERE name = ?",
		next: "SELECT CASE WHEN coalesce(max(no), 0) > 1000 THEN max(no) + 1 ELSE 1001 END FROM kinds",
		add:  "INSERT INTO kinds (no, name) VALUES (?, ?)",
		all:  "SELECT no, name FROM kinds",
	}
	modelList = &list{
		find: "SELECT no FROM models WHERE name = ?",
		next: "SELECT coalesce(max(no), 0) + 1 FROM models",
		add:  "INSERT INTO models (no, name) VALUES (?, ?)",
		all:  "SELECT no, name FROM models",
	}
)

// Numbers of kinds, in queries.
const (
	rawKind  = "1"
	markKind = "106"
	keyKind  = "107"
)

// kindNumbers are the numbers of the kinds that are known. They are the same in every store.
func kindNumbers() map[memory.Kind]int {
	numbers := make(map[memory.Kind]int)
	for _, k := range slices.Concat(memory.Memories(), memory.Claims()) {
		numbers[k] = k.Form().Number
	}
	return numbers
}

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
	for k, no := range kindNumbers() {
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
	if no := kindNumber(key); no > 0 {
		return no, true
	}
	n.mu.RLock()
	defer n.mu.RUnlock()
	no, ok := n.numbers[key]
	return no, ok
}

// kindNumber returns the number of a kind that is known, 0 for another name.
func kindNumber(key name) int {
	if key.of != kindList {
		return 0
	}
	return memory.Kind(key.name).Form().Number
}

// number returns the number of a name, 0 when it has none.
func (n *names) number(ctx context.Context, on *session.Session, of *list, text string) (int, error) {
	key := name{of, text}
	if no, ok := n.known(key); ok {
		return no, nil
	}
	var no int
	found, err := on.One(ctx, []any{&no}, of.find, text)
	if err != nil || !found {
		return 0, err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.numbers[key] = no
	return no, nil
}

// intern returns the number of a name, and assigns one if it has none. Only the transaction
// that is writing may call it.
func (n *names) intern(ctx context.Context, w *session.Session, of *list, text string) (int, error) {
	key := name{of, text}
	n.mu.RLock()
	no, ok := n.numbers[key]
	n.mu.RUnlock()
	if ok {
		return no, nil
	}
	if no, ok := n.fresh[key]; ok {
		return no, nil
	}
	found, err := w.One(ctx, []any{&no}, of.find, text)
	switch own := kindNumber(key); {
	case err != nil:
	case own > 0 && !found: // of a store that was made before the kind
		no, err = own, w.Exec(ctx, kindList.add, own, text)
	case own > 0: // if the table has another, that is for repair
		no = own
	case !found:
		if _, err = w.One(ctx, []any{&no}, of.next); err == nil {
			err = w.Exec(ctx, of.add, no, text)
		}
	}
	if err == nil {
		n.fresh[key] = no
	}
	return no, err
}

// kind returns the kind of a number.
func (n *names) kind(ctx context.Context, on *session.Session, no int) (memory.Kind, error) {
	n.mu.RLock()
	k, ok := n.kinds[no]
	n.mu.RUnlock()
	if ok {
		return k, nil
	}
	found := make(map[int]memory.Kind)
	err := on.Each(ctx, func(rows *sql.Rows) error {
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
