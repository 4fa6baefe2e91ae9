package keys

import (
	"crypto/ed25519"
	"fmt"

	"filippo.io/edwards25519/field"
)

// A Batch verifies signatures that come together. Each is verified by itself, as Verify does it:
// what they share is one division, which is a fifth of what a signature costs.
type Batch struct {
	checks  []check
	message []byte
}

// check is one signature of a batch.
type check struct {
	did  string
	err  error
	open bool // its sum was not compared yet
	sum  sum
	want [32]byte
}

// NewBatch returns a batch with room for n signatures.
func NewBatch(n int) *Batch { return &Batch{checks: make([]check, 0, n)} }

// Add takes a signature, and returns its number.
func (b *Batch) Add(did, payloadType string, payload, sig []byte) int {
	b.checks = append(b.checks, check{did: did})
	c := &b.checks[len(b.checks)-1]
	public, err := parseDID(did)
	if c.err = err; err == nil {
		b.message = appendPAE(b.message[:0], payloadType, payload)
		if minus := met.table(public); minus == nil {
			c.says(ed25519.Verify(public[:], b.message, sig))
		} else if c.open = c.sum.of(minus, public, b.message, sig); c.open {
			copy(c.want[:], sig)
		} else {
			c.says(false)
		}
	}
	return len(b.checks) - 1
}

func (c *check) says(holds bool) {
	if !holds {
		c.err = fmt.Errorf("%w by %s", ErrBadSignature, c.did)
	}
}

// Verify verifies what was added.
func (b *Batch) Verify() {
	before := make([]field.Element, len(b.checks)) // the denominators before each
	product := new(field.Element).One()
	for i := range b.checks {
		if c := &b.checks[i]; c.open {
			before[i].Set(product)
			product.Multiply(product, &c.sum.z)
		}
	}
	product.Invert(product)
	for i := len(b.checks) - 1; i >= 0; i-- {
		c := &b.checks[i]
		if !c.open {
			continue
		}
		var under field.Element
		under.Multiply(product, &before[i])
		product.Multiply(product, &c.sum.z)
		c.says(c.sum.over(&under) == c.want)
		c.open = false
	}
}

// Err returns what Verify returns of a signature, once the batch was verified.
func (b *Batch) Err(n int) error { return b.checks[n].err }
