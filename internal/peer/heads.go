package peer

import (
	"context"
	"fmt"

	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/internal/ledger"
)

// Origin names a store's log of a space in its checkpoints.
func Origin(store, space string) string { return "stemma/" + store + "/" + space }

// rewritten is the error of a log that is not what was said of it.
func rewritten(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrRewritten, fmt.Sprintf(format, args...))
}

// witness verifies the heads that one peer signs.
type witness struct{ name, key string }

// root verifies the signature of a head, and returns its root.
func (w witness) root(space string, h Head) (ledger.Hash, error) {
	root, err := ledger.DecodeHash(h.Root)
	if err != nil {
		return root, rewritten("the peer's word on %s has no root", space)
	}
	public, err := keys.ParseDID(w.key)
	if err != nil {
		return root, fmt.Errorf("%w: the peer's key: %w", ErrRequest, err)
	}
	v, err := ledger.Verifier(Origin(w.name, space), public)
	if err != nil {
		return root, fmt.Errorf("%w: %w", ErrRequest, err)
	}
	c, _, err := ledger.Open([]byte(h.Note), v)
	switch {
	case err != nil:
		return root, rewritten("the peer did not sign what it says of %s: %v", space, err)
	case c.Origin != Origin(w.name, space) || c.Size != h.Size || c.Root != root:
		return root, rewritten("the peer signed something else than what it says of %s", space)
	}
	return root, nil
}

// grew returns an error unless the log of new begins with that of old, which the
// caller has verified before. Its signature must have been verified.
func grew(old, now Head, proof []string) error {
	if old.Size == 0 {
		return nil
	}
	if now.Size < old.Size {
		return rewritten("its log had %d records and has %d now", old.Size, now.Size)
	}
	if now.Size == old.Size {
		if now.Root != old.Root {
			return rewritten("its log of %d records differs from the log it showed before", now.Size)
		}
		return nil
	}
	oldRoot, err := ledger.DecodeHash(old.Root)
	if err != nil {
		return err
	}
	root, err := ledger.DecodeHash(now.Root)
	if err != nil {
		return err
	}
	p, err := ledger.ParseProof(proof)
	if err == nil {
		err = ledger.CheckConsistency(p, old.Size, oldRoot, now.Size, root)
	}
	if err != nil {
		return rewritten("nothing shows that its log of %d records goes on from the %d it had: %v", now.Size, old.Size, err)
	}
	return nil
}

// headOf says what a frontier is, unsigned.
func headOf(f *ledger.Frontier) Head {
	return Head{Size: f.Size(), Root: ledger.EncodeHash(f.Root())}
}

// Signed returns an error unless a peer signed the head of its log of a space.
func Signed(name, key, space string, h Head) error {
	_, err := witness{name, key}.root(space, h)
	return err
}

// Compare asks a peer to show that two heads of one log, which two stores hold of it,
// are of one history. A peer that showed them different logs cannot, and the error is
// ErrRewritten then; one that does not answer shows nothing either way.
func Compare(ctx context.Context, r Remote, name, key, space string, a, b Head) error {
	w := witness{name, key}
	for _, h := range []Head{a, b} {
		if _, err := w.root(space, h); err != nil {
			return err
		}
	}
	if a.Size > b.Size {
		a, b = b, a
	}
	var proof Proof
	if a.Size < b.Size {
		var err error
		if proof, err = r.Prove(ctx, ProveRequest{space, a.Size, b.Size}); err != nil && Code(err) == "" {
			return fmt.Errorf("the peer could not be asked: %w", err)
		} else if err != nil {
			return rewritten(
				"it signed for %d and for %d records of %s, and does not show that they are of one log: %v",
				a.Size, b.Size, space, err,
			)
		}
	}
	return grew(a, b, proof.Hashes)
}
