// Package lists has the lists of names that rows elsewhere use by number: spaces, authors, kinds and models.
package lists

import (
	"context"
	"database/sql"
	"maps"
	"slices"
	"sync"

	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
	"github.com/stemma-memory/stemma/memory"
)

// LastMemory is the greatest number of a kind of memory. Claims and keys have greater ones.
const LastMemory = 99

// AllMemories means every memory kind at once.
const AllMemories = 0

// A List is a table of names that rows elsewhere use by number.
type List struct {
	Find string // number by name
	Next string // the next number
	add  string // a name with a number
	All  string
}

// The lists. Numbers are given under the lock of a writing transaction: there
// is no sequence to run ahead of it.
var (
	Spaces = &List{
		Find: "SELECT no FROM spaces WHERE name = ?",
		Next: "SELECT coalesce(max(no), 0) + 1 FROM spaces",
		add:  "INSERT INTO spaces (no, name, last, indexed) VALUES (?, ?, 0, 0)",
		All:  "SELECT no, name FROM spaces",
	}
	Authors = &List{
		Find: "SELECT no FROM authors WHERE did = ?",
		Next: "SELECT coalesce(max(no), 0) + 1 FROM authors",
		add:  "INSERT INTO authors (no, did) VALUES (?, ?)",
		All:  "SELECT no, did FROM authors",
	}
	Kinds = &List{
		Find: "SELECT no FROM kinds WHERE name = ?",
		Next: "SELECT CASE WHEN coalesce(max(no), 0) > 1000 THEN max(no) + 1 ELSE 1001 END FROM kinds",
		add:  "INSERT INTO kinds (no, name) VALUES (?, ?)",
		All:  "SELECT no, name FROM kinds",
	}
	Models = &List{
		Find: "SELECT no FROM models WHERE name = ?",
		Next: "SELECT coalesce(max(no), 0) + 1 FROM models",
		add:  "INSERT INTO models (no, name) VALUES (?, ?)",
		All:  "SELECT no, name FROM models",
	}
)

// Numbers of kinds, in queries.
const (
	RawKind  = "1"
	MarkKind = "106"
	KeyKind  = "107"
)

// KindNumbers are the numbers of the kinds that are known. They are the same in every store.
func KindNumbers() map[memory.Kind]int {
	numbers := make(map[memory.Kind]int)
	for _, k := range slices.Concat(memory.Memories(), memory.Claims()) {
		numbers[k] = k.Form().Number
	}
	return numbers
}

// A name is an entry of a list.
type name struct {
	of   *List
	name string
}

// Names remembers numbers, which never change once committed.
type Names struct {
	mu      sync.RWMutex
	numbers map[name]int
	kinds   map[int]memory.Kind
	fresh   map[name]int // of the transaction that is writing
}

// New returns the names that every store has.
func New() *Names {
	n := &Names{numbers: make(map[name]int), kinds: make(map[int]memory.Kind)}
	for k, no := range KindNumbers() {
		n.kinds[no] = k
	}
	return n
}

// Forget drops all numbers but those that never change.
func (n *Names) Forget() {
	fresh := New()
	n.mu.Lock()
	defer n.mu.Unlock()
	n.numbers, n.kinds = fresh.numbers, fresh.kinds
}

// Start begins a transaction that writes.
func (n *Names) Start() { n.fresh = make(map[name]int) }

// Keep takes over what the transaction found, now that it is committed.
func (n *Names) Keep() {
	n.mu.Lock()
	defer n.mu.Unlock()
	maps.Copy(n.numbers, n.fresh)
}

func (n *Names) known(key name) (int, bool) {
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
	if key.of != Kinds {
		return 0
	}
	return memory.Kind(key.name).Form().Number
}

// Number returns the number of a name, 0 when it has none.
func (n *Names) Number(ctx context.Context, on *session.Session, of *List, text string) (int, error) {
	key := name{of, text}
	if no, ok := n.known(key); ok {
		return no, nil
	}
	var no int
	found, err := on.One(ctx, []any{&no}, of.Find, text)
	if err != nil || !found {
		return 0, err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.numbers[key] = no
	return no, nil
}

// Intern returns the number of a name, and assigns one if it has none. Only the transaction
// that is writing may call it.
func (n *Names) Intern(ctx context.Context, w *session.Session, of *List, text string) (int, error) {
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
	found, err := w.One(ctx, []any{&no}, of.Find, text)
	switch own := kindNumber(key); {
	case err != nil:
	case own > 0 && !found: // of a store that was made before the kind
		no, err = own, w.Exec(ctx, Kinds.add, own, text)
	case own > 0: // if the table has another, that is for repair
		no = own
	case !found:
		if _, err = w.One(ctx, []any{&no}, of.Next); err == nil {
			err = w.Exec(ctx, of.add, no, text)
		}
	}
	if err == nil {
		n.fresh[key] = no
	}
	return no, err
}

// Kind returns the kind of a number.
func (n *Names) Kind(ctx context.Context, on *session.Session, no int) (memory.Kind, error) {
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
	}, Kinds.All)
	if err != nil {
		return "", err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.kinds[no] = found[no]
	return found[no], nil
}

// KindsOf returns the numbers of kinds; those no one has written have none.
func (n *Names) KindsOf(ctx context.Context, on *session.Session, kinds []memory.Kind) ([]int, error) {
	if len(kinds) == 0 {
		return []int{AllMemories}, nil
	}
	var out []int
	for _, k := range kinds {
		no, err := n.Number(ctx, on, Kinds, string(k))
		if err != nil {
			return nil, err
		}
		if no != 0 && !slices.Contains(out, no) {
			out = append(out, no)
		}
	}
	return out, nil
}

// AsksFor reports whether some numbers of kinds ask for a kind.
func AsksFor(kinds []int, kind int) bool {
	return kinds[0] == AllMemories && kind <= LastMemory || slices.Contains(kinds, kind)
}
