package peer

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// A Hub serves a store to peers. It knows nothing of how a caller showed who he is.
// It is safe for concurrent use.
type Hub struct {
	store store.Store
	key   *keys.Key
	now   func() time.Time

	mu     sync.Mutex
	shared map[string]*shared
	book   *KeyBook
	ring   *memory.Keyring
	last   map[string]store.Seq // the logs when the key records were read last
}

// shared is what a hub keeps in memory of one space; all of it can be read again.
type shared struct {
	writing chan struct{} // full while records are appended, so that where each batch came to stand is known
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

// A Caller is who asks a hub, and what he may do there. Who makes one vouches for it.
type Caller struct {
	Account string          // under which his logs are cosigned
	Roles   map[string]Role // by space
	Any     bool            // every space, those too that he begins, as a writer
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
	caller string // the name of his store
}

// allowed returns an error unless the caller may do what a role may.
func (s *session) allowed(space string, need Role) error {
	if !s.who.role(space).May(need) {
		return fmt.Errorf("%w: you are no %s of the space %s", ErrDenied, need, memory.Cut(space, 200))
	}
	return nil
}

// space returns what is kept in memory of a space.
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

// Hello says what the caller may see.
func (s *session) Hello(ctx context.Context, in Hello) (Welcome, error) {
	w := Welcome{Version: Version, Key: s.key.DID(), Any: s.who.Any}
	if in.Version != Version {
		return w, fmt.Errorf("%w: this peer speaks %d, not %d", ErrVersion, Version, in.Version)
	}
	var err error
	if w.Name, err = s.store.StoreName(ctx); err != nil {
		return w, err
	}
	logs, err := s.store.Spaces(ctx)
	if err != nil {
		return w, err
	}
	var names []string
	for _, l := range logs {
		names = append(names, l.Name)
	}
	for name := range s.who.Roles {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	names = slices.DeleteFunc(names, func(name string) bool { return !s.who.role(name).May(Reader) })
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(home(b)-home(a), cmp.Compare(a, b)) })
	keysOf := make(map[string]string)
	// others write meanwhile: what is known of keys first, and where they end before where they
	// wrote, so that no one is told of an end and not of what came before it
	for _, name := range names {
		about, err := s.concern(ctx, name)
		if err != nil {
			return w, err
		}
		if len(about) > 0 {
			keysOf[name] = DigestIDs(IDs(about))
		}
	}
	for _, name := range names {
		one := Shared{Space: name, Role: s.who.role(name), Keys: keysOf[name]}
		if one.Head, err = s.head(ctx, name); err != nil {
			return w, err
		}
		seen, _, err := s.seen(ctx, in.Store, name)
		if err != nil {
			return w, err
		}
		one.Cosigned, one.CosignedRoot = seen.Size, seen.Root
		w.Spaces = append(w.Spaces, one)
	}
	return w, nil
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

// Prove shows that a log grew.
func (s *session) Prove(ctx context.Context, in ProveRequest) (Proof, error) {
	if err := s.allowed(in.Space, Reader); err != nil {
		return Proof{}, err
	}
	f, err := s.store.Tree(ctx, in.Space)
	if err != nil {
		return Proof{}, err
	}
	if in.Old < 1 || in.Old > in.Size || in.Size > f.Size() {
		return Proof{}, fmt.Errorf("%w: from %d to %d in a log of %d", ErrRequest, in.Old, in.Size, f.Size())
	}
	hashes, err := s.consistency(ctx, in.Space, in.Old, in.Size)
	return Proof{hashes}, err
}

// witnessed is what a hub remembers of a caller's own log.
type witnessed struct {
	Head
	Key    string   `json:"key"`
	Before []string `json:"before,omitempty"` // checkpoints from which the log did not grow
}

func (s *session) seenName(store, space string) string {
	return "cosigned/" + s.who.Account + "/" + store + "/" + space
}

// seen returns what was cosigned last of a caller's log.
func (s *session) seen(ctx context.Context, store, space string) (witnessed, []byte, error) {
	var w witnessed
	raw, err := s.store.Note(ctx, s.seenName(store, space))
	if err != nil || len(raw) == 0 {
		return w, nil, err
	}
	return w, raw, json.Unmarshal(raw, &w)
}

// Cosign signs that the caller's log grew.
func (s *session) Cosign(ctx context.Context, in CosignRequest) (Cosigned, error) {
	var out Cosigned
	if err := s.allowed(in.Space, Writer); err != nil {
		return out, err
	}
	store, now, err := shown(in)
	if err != nil {
		return out, err
	}
	was, raw, err := s.seen(ctx, store, in.Space)
	if err != nil {
		return out, err
	}
	if err := s.mayShow(ctx, was, in.Key); err != nil {
		return out, err
	}
	if err := grew(was.Head, now, in.Proof); err != nil {
		if !in.Restart {
			return out, err
		}
		was.Before = append(was.Before, was.Note)
		const enough = 100
		was.Before = was.Before[max(0, len(was.Before)-enough):]
	}
	was.Head, was.Key = now, in.Key
	next, err := json.Marshal(was)
	if err != nil {
		return out, err
	}
	// two at once: one of them sees what the other left, and asks again
	if err := s.store.SwapNote(ctx, s.seenName(store, in.Space), raw, next); err != nil {
		return out, err
	}
	out.Note, err = Cosign(s.key, in.Note, s.now())
	return out, err
}

// mayShow returns an error unless the key that signed a checkpoint is that of the one
// before, or another of the same person.
func (s *session) mayShow(ctx context.Context, was witnessed, did string) error {
	if was.Key == "" || was.Key == did {
		return nil
	}
	if _, err := s.keyBook(ctx); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, k := range s.book.about[did] {
		for _, o := range s.book.about[was.Key] {
			if s.ring.Principal(k.Header.Author) == s.ring.Principal(o.Header.Author) {
				return nil
			}
		}
	}
	return fmt.Errorf("%w: the checkpoint is signed by another key than the one before", ErrDenied)
}

// mostNote bounds a checkpoint: it is kept.
const mostNote = 4 << 10

// shown reads a caller's checkpoint and verifies its signature.
func shown(in CosignRequest) (store string, h Head, err error) {
	if len(in.Note) > mostNote {
		return "", h, fmt.Errorf("%w: a checkpoint of %d bytes, the most is %d", ErrRequest, len(in.Note), mostNote)
	}
	c, _, err := ledger.Read([]byte(in.Note))
	if err != nil {
		return "", h, fmt.Errorf("%w: checkpoint: %w", ErrRequest, err)
	}
	store, ok := cutOrigin(c.Origin, in.Space)
	if !ok {
		return "", h, fmt.Errorf("%w: the checkpoint is of another log", ErrRequest)
	}
	public, err := keys.ParseDID(in.Key)
	if err != nil {
		return "", h, fmt.Errorf("%w: key: %w", ErrRequest, err)
	}
	v, err := ledger.Verifier(c.Origin, public)
	if err != nil {
		return "", h, fmt.Errorf("%w: %w", ErrRequest, err)
	}
	if _, _, err := ledger.Open([]byte(in.Note), v); err != nil {
		return "", h, fmt.Errorf("%w: checkpoint: %w", ErrRequest, err)
	}
	return store, Head{Size: c.Size, Root: ledger.EncodeHash(c.Root), Note: in.Note}, nil
}
