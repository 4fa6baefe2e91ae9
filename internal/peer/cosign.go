package peer

import (
	"fmt"
	"time"

	"golang.org/x/mod/sumdb/note"

	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/internal/ledger"
)

// cosigner signs checkpoints of others: that it saw them, and when.
type cosigner struct {
	note.Verifier
	key *keys.NoteSigner
	now time.Time
}

// Sign signs the text of a note.
func (c cosigner) Sign(text []byte) ([]byte, error) { return ledger.Cosign(text, c.now, c.key.Sign) }

// cosignName is the name under which a peer cosigns.
const cosignName = "stemma-witness"

// Cosign adds a signature to a checkpoint whose own has been verified.
func Cosign(key *keys.Key, raw string, now time.Time) (string, error) {
	public, err := keys.ParseDID(key.DID())
	if err != nil {
		return "", err
	}
	v, err := ledger.Cosigner(cosignName, public)
	if err != nil {
		return "", err
	}
	signer, err := key.NoteSigner(cosignName)
	if err != nil {
		return "", err
	}
	n, err := note.Open([]byte(raw), note.VerifierList())
	if none, ok := err.(*note.UnverifiedNoteError); ok {
		n, err = none.Note, nil
	}
	if err != nil {
		return "", err
	}
	out, err := note.Sign(n, cosigner{v, signer, now})
	return string(out), err
}

// cosignedBy returns an error unless a note is the one that was shown, with the
// signature of the peer's key.
func cosignedBy(did, shown, signed string) (ledger.Checkpoint, error) {
	was, _, err := ledger.Read([]byte(shown))
	if err != nil {
		return was, err
	}
	public, err := keys.ParseDID(did)
	if err != nil {
		return was, err
	}
	v, err := ledger.Cosigner(cosignName, public)
	if err != nil {
		return was, err
	}
	c, _, err := ledger.Open([]byte(signed), v)
	if err != nil {
		return was, fmt.Errorf("the peer did not sign the checkpoint it was shown: %w", err)
	}
	if c.Origin != was.Origin || c.Size != was.Size || c.Root != was.Root {
		return was, rewritten("the peer signed another checkpoint than it was shown")
	}
	return c, nil
}
