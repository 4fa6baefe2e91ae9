// Package ledger keeps a list of ids that can be shown never to have been
// rewritten: a tree of hashes by RFC 6962, and checkpoints of it that others
// sign. It holds hashes only, and knows no store.
package ledger

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"math/bits"

	"golang.org/x/mod/sumdb/tlog"
)

// A Hash is a SHA-256: the id of a record, or a node of the tree over ids.
type Hash = [sha256.Size]byte

// MaxSize bounds the number of ids in a tree, and so what proofs may claim.
const MaxSize = 1 << levels

const levels = 48

// The bytes that keep a leaf from being read as a node, and a node as a leaf.
const (
	leafPrefix = 0x00
	nodePrefix = 0x01
)

// ErrProof says that a proof does not show what it is said to show.
var ErrProof = errors.New("the proof does not hold")

// Leaf returns the leaf of the tree for an id.
func Leaf(id Hash) Hash {
	var b [1 + sha256.Size]byte
	b[0] = leafPrefix
	copy(b[1:], id[:])
	return sha256.Sum256(b[:])
}

func node(left, right Hash) Hash {
	var b [1 + 2*sha256.Size]byte
	b[0] = nodePrefix
	copy(b[1:], left[:])
	copy(b[1+sha256.Size:], right[:])
	return sha256.Sum256(b[:])
}

// EmptyRoot returns the root of a tree without ids.
func EmptyRoot() Hash { return sha256.Sum256(nil) }

// A Proof is the hashes that lead from what one holds to a root.
type Proof []Hash

// EncodeHash spells a hash in base64.
func EncodeHash(h Hash) string { return base64.StdEncoding.EncodeToString(h[:]) }

// DecodeHash reads what EncodeHash writes, and no other spelling of it.
func DecodeHash(s string) (h Hash, err error) {
	// A hash is never longer, and the text is a stranger's.
	if len(s) != base64.StdEncoding.EncodedLen(len(h)) {
		return h, fmt.Errorf("hash: %d characters of base64, want %d", len(s), base64.StdEncoding.EncodedLen(len(h)))
	}
	b, err := base64.StdEncoding.Strict().DecodeString(s)
	if err != nil || len(b) != len(h) || EncodeHash(Hash(b)) != s {
		return h, errors.New("hash: not base64 of 32 bytes")
	}
	return Hash(b), nil
}

// Strings spells the hashes of p in base64, in order.
func (p Proof) Strings() []string {
	out := make([]string, len(p))
	for i, h := range p {
		out[i] = EncodeHash(h)
	}
	return out
}

// maxProof is more hashes than any proof in a tree of MaxSize needs.
const maxProof = 2 * levels

// ParseProof reads what Strings writes. A hash of another length is an error,
// and so are more hashes than a proof can have.
func ParseProof(hashes []string) (Proof, error) {
	if len(hashes) > maxProof {
		return nil, fmt.Errorf("%d hashes, a proof has up to %d", len(hashes), maxProof)
	}
	p := make(Proof, len(hashes))
	for i, s := range hashes {
		h, err := DecodeHash(s)
		if err != nil {
			return nil, fmt.Errorf("hash %d of the proof: %w", i, err)
		}
		p[i] = h
	}
	return p, nil
}

// CheckInclusion returns an error unless p shows that id stands at index,
// counted from 0, in the tree of size ids with this root.
func CheckInclusion(p Proof, id Hash, index, size int64, root Hash) error {
	return checkLeaf(p, Leaf(id), index, size, root)
}

func checkLeaf(p Proof, leaf Hash, index, size int64, root Hash) error {
	if err := checkSize(size); err != nil {
		return err
	}
	if index < 0 || index >= size {
		return fmt.Errorf("index %d is not in a tree of %d", index, size)
	}
	if len(p) > maxProof {
		return fmt.Errorf("%w: %d hashes", ErrProof, len(p))
	}
	if err := tlog.CheckRecord(convert(p), size, tlog.Hash(root), index, tlog.Hash(leaf)); err != nil {
		return fmt.Errorf("%w: record %d of %d", ErrProof, index, size)
	}
	return nil
}

// InclusionRoot returns the root of the one tree of size ids in which p shows that
// id stands at index: for a reader who has the proof before the root. Whether
// that is the tree one means is for the caller to compare.
func InclusionRoot(p Proof, id Hash, index, size int64) (Hash, error) {
	if err := checkSize(size); err != nil {
		return Hash{}, err
	}
	if index < 0 || index >= size {
		return Hash{}, fmt.Errorf("index %d is not in a tree of %d", index, size)
	}
	// RFC 9162, section 2.1.3.2
	at, last, root := index, size-1, Leaf(id)
	for _, h := range p {
		switch {
		case last == 0:
			return Hash{}, fmt.Errorf("%w: %d hashes are too many", ErrProof, len(p))
		case at&1 == 1 || at == last:
			root = node(h, root)
			for at&1 == 0 { // it is not 0: last is not, or at is odd
				at, last = at>>1, last>>1
			}
		default:
			root = node(root, h)
		}
		at, last = at>>1, last>>1
	}
	if last != 0 {
		return Hash{}, fmt.Errorf("%w: %d hashes are too few", ErrProof, len(p))
	}
	return root, nil
}

// CheckConsistency returns an error unless p shows that the tree of size ids
// with this root begins with the oldSize ids of the tree with oldRoot. Of an
// empty tree there is nothing to show, and to ask is an error.
func CheckConsistency(p Proof, oldSize int64, oldRoot Hash, size int64, root Hash) error {
	if err := checkSize(size); err != nil {
		return err
	}
	if oldSize < 1 || oldSize > size {
		return fmt.Errorf("a tree cannot grow from %d to %d", oldSize, size)
	}
	if len(p) > maxProof {
		return fmt.Errorf("%w: %d hashes", ErrProof, len(p))
	}
	if err := tlog.CheckTree(convert(p), size, tlog.Hash(root), oldSize, tlog.Hash(oldRoot)); err != nil {
		return fmt.Errorf("%w: from %d to %d", ErrProof, oldSize, size)
	}
	return nil
}

func checkSize(size int64) error {
	if size < 0 || size > MaxSize {
		return fmt.Errorf("size %d is out of range", size)
	}
	return nil
}

func convert(p Proof) []tlog.Hash {
	out := make([]tlog.Hash, len(p))
	for i, h := range p {
		out[i] = tlog.Hash(h)
	}
	return out
}

// ones is how many full trees a tree of size is made of.
func ones(size int64) int { return bits.OnesCount64(uint64(size)) }
