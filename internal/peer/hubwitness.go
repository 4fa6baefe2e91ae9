package peer

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/internal/ledger"
)

// mostNote bounds a checkpoint: it is kept.
const mostNote = 4 << 10

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
