package keys

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"testing"
)

// A batch says of each signature what Verify says of it alone, of keys that come often and of such
// as come once, whatever stands beside it.
func TestBatch(t *testing.T) {
	type signed struct {
		did, of string
		payload []byte
		sig     []byte
	}
	var all []signed
	for i := range 4*oftenEnough + 10 {
		who := i % 3
		if i > 3*oftenEnough {
			who = i // comes once
		}
		private := ed25519.NewKeyFromSeed(fmt.Appendf(nil, "%032d", who))
		public := publicKey(private.Public().(ed25519.PublicKey))
		s := signed{did: encodeDID(public), of: PayloadType("raw", 1), payload: fmt.Appendf(nil, "turn %d", i)}
		s.sig = ed25519.Sign(private, PAE(s.of, s.payload))
		switch i % 11 {
		case 3:
			s.sig[i%64] ^= 1 << (i % 8)
		case 5:
			s.payload = append(s.payload, '.')
		case 7:
			s.sig = s.sig[:i%64]
		case 9:
			s.did = s.did[:len(s.did)-1]
		}
		all = append(all, s)
	}
	for _, size := range []int{1, 7, len(all)} {
		for from := 0; from < len(all); from += size {
			part := all[from:min(from+size, len(all))]
			b := NewBatch(1)
			for i, s := range part {
				if n := b.Add(s.did, s.of, s.payload, s.sig); n != i {
					t.Fatalf("signature %d has the number %d", i, n)
				}
			}
			b.Verify()
			for i, s := range part {
				got, want := b.Err(i), Verify(s.did, s.of, s.payload, s.sig)
				if fmt.Sprint(got) != fmt.Sprint(want) || errors.Is(got, ErrBadKey) != errors.Is(want, ErrBadKey) ||
					errors.Is(got, ErrBadSignature) != errors.Is(want, ErrBadSignature) {
					t.Errorf("of %d, signature %d: %v in a batch, %v alone", size, from+i, got, want)
				}
			}
		}
	}
	NewBatch(0).Verify()
}
