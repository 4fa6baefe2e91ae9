package peer

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// A Hub serves a store to peers. It does not know how callers authenticate. It is safe for
// concurrent use.
type Hub struct {
	store store.Store
	key   *keys.Key
	now   func() time.Time

	mu     sync.Mutex
	shared map[string]*shared
	book   *KeyBook
	ring   *state.Keyring
	last   map[string]store.Seq // the logs when the key records were read last
}

// shared is what a hub keeps in memory of one space; all of it can be read again.
type shared struct {
	writing chan struct{} // full while records are appended, so that the place of each batch is known
	mu      sync.Mutex
	tree    *ledger.Tree
	authors map[string]bool
	read    int64  // how far the log was read for them
	kept    []byte // as it is kept in the store
	keptTo  int64
	head    Head
}

// NewHub makes a hub of a store. The key signs what its logs are.
func NewHub(s store.Store, key *keys.Key, now func() time.Time) *Hub {
	if now == nil {
		now = time.Now
	}
	return &Hub{store: s, key: key, now: now, shared: make(map[string]*shared)}
}

// A Caller is who asks a hub, and what they may do there. The code that makes one answers for it.
type Caller struct {
	Account string          // under which the caller's logs are cosigned
	Roles   map[string]Role // by space
	Any     bool            // every space, including those that the caller begins, as a writer
	// Check is asked of each record that is new, in the transaction that stores it: what was judged before
	// may have changed. Its error ends the push. Nil asks nothing.
	Check func(*memory.Record) error
}

// role returns what a caller may do in a space.
func (c Caller) role(space string) Role {
	if r := c.Roles[space]; r != "" || !c.Any {
		return r
	}
	return Writer
}

// For returns the hub as a caller may use it.
func (h *Hub) For(c Caller) Remote { return &session{h, c, ""} }

// session is a hub with one caller.
type session struct {
	*Hub
	who    Caller
	caller string // the name of the caller's store
}

// allowed returns an error unless the caller may do what a role may.
func (s *session) allowed(space string, need Role) error {
	if !s.who.role(space).May(need) {
		return fmt.Errorf("%w: you are not a %s of the space %s", ErrDenied, need, shorten.To(space, 200))
	}
	return nil
}

// space returns the cached state of a space.
func (h *Hub) space(name string) *shared {
	h.mu.Lock()
	defer h.mu.Unlock()
	s := h.shared[name]
	if s == nil {
		s = &shared{writing: make(chan struct{}, 1), authors: make(map[string]bool)}
		h.shared[name] = s
	}
	return s
}

// head signs what the log of a space is now.
func (h *Hub) head(ctx context.Context, space string) (Head, error) {
	f, err := h.store.Tree(ctx, space)
	if err != nil || f.Size() == 0 {
		return Head{}, err
	}
	head := headOf(&f)
	one := h.space(space)
	one.mu.Lock()
	defer one.mu.Unlock()
	if one.head.Size == head.Size && one.head.Root == head.Root {
		return one.head, nil
	}
	name, err := h.store.StoreName(ctx)
	if err != nil {
		return Head{}, err
	}
	signer, err := h.key.NoteSigner(Origin(name, space))
	if err != nil {
		return Head{}, err
	}
	raw, err := ledger.Sign(ledger.Checkpoint{Origin: Origin(name, space), Size: f.Size(), Root: f.Root()}, signer)
	if err != nil {
		return Head{}, err
	}
	head.Note = string(raw)
	one.head = head
	return head, nil
}

// consistency shows that the log of a space grew from one size to another.
func (h *Hub) consistency(ctx context.Context, space string, old, size int64) ([]string, error) {
	if old == 0 || old == size {
		return nil, nil
	}
	one := h.space(space)
	one.mu.Lock()
	defer one.mu.Unlock()
	if one.tree == nil {
		// the source outlives this request
		t, err := ledger.NewTree(idsOf(context.WithoutCancel(ctx), h.store, space), 0)
		if err != nil {
			return nil, err
		}
		one.tree = t
	}
	if one.tree.Size() < size {
		if err := one.tree.Extend(size); err != nil {
			return nil, err
		}
	}
	p, err := one.tree.Consistency(old, size)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRequest, err)
	}
	return p.Strings(), nil
}

// cutOrigin returns the name of the store whose log of a space an origin names.
func cutOrigin(origin, space string) (string, bool) {
	rest, ok := strings.CutPrefix(origin, "stemma/")
	if !ok {
		return "", false
	}
	name, ok := strings.CutSuffix(rest, "/"+space)
	return name, ok && name != "" && !strings.Contains(name, "/")
}
