package keys

import (
	"crypto/ed25519"
	"fmt"
	"math/big"
	"testing"

	"filippo.io/edwards25519"
	"pgregory.net/rapid"
)

// byTable verifies by a table that is made for it.
func byTable(public publicKey, message, sig []byte) bool {
	point, err := new(edwards25519.Point).SetBytes(public[:])
	if err != nil {
		return false
	}
	return verifyBy(newTable(point.Negate(point), keyBits), public, message, sig)
}

// The tables give what crypto/ed25519 gives, of good signatures and of such as were
// changed in any bit, or with S as another writing of the same number.
func TestTablesAgree(t *testing.T) {
	order, _ := new(big.Int).SetString("7237005577332262213973186563042994240857116359379907606001950938285454250989", 10)
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "seed")
		message := rapid.SliceOfN(rapid.Byte(), 0, 200).Draw(t, "message")
		private := ed25519.NewKeyFromSeed(seed)
		public := publicKey(private.Public().(ed25519.PublicKey))
		sig := ed25519.Sign(private, message)
		if !byTable(public, message, sig) {
			t.Fatal("a good signature is refused")
		}
		bad := append([]byte{}, sig...)
		switch rapid.IntRange(0, 3).Draw(t, "harm") {
		case 0:
			bad[rapid.IntRange(0, 63).Draw(t, "byte")] ^= 1 << rapid.IntRange(0, 7).Draw(t, "bit")
		case 1:
			bad = bad[:rapid.IntRange(0, 63).Draw(t, "length")]
		case 2:
			message = append(message, 0)
		case 3: // S and the order of the group: the same, and refused
			s := new(big.Int)
			for i := 63; i >= 32; i-- {
				s.Lsh(s, 8).Or(s, big.NewInt(int64(bad[i])))
			}
			raw := s.Add(s, order).FillBytes(make([]byte, 32))
			for i := range 32 {
				bad[32+i] = raw[31-i]
			}
		}
		if got, want := byTable(public, message, bad), ed25519.Verify(public[:], message, bad); got || got != want {
			t.Fatalf("a changed signature is taken: %v, crypto/ed25519 says %v", got, want)
		}
	})
}

// A table multiplies as the library does, at the ends of the scalars too.
func TestTableMultiplies(t *testing.T) {
	g := edwards25519.NewGeneratorPoint()
	small := func(n byte) *edwards25519.Scalar {
		s, err := edwards25519.NewScalar().SetCanonicalBytes(append([]byte{n}, make([]byte, 31)...))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	for _, bits := range []uint{keyBits, baseBits} {
		table := newTable(g, bits)
		scalars := []*edwards25519.Scalar{
			minusOne, small(0), small(1), small(31), small(32), small(33), small(127), small(128), small(129),
			small(255),
		}
		for i := range 200 {
			var wide [64]byte
			copy(wide[:], fmt.Sprintf("%064d", i*7919))
			s, err := edwards25519.NewScalar().SetUniformBytes(wide[:])
			if err != nil {
				t.Fatal(err)
			}
			scalars = append(scalars, s.Multiply(s, s))
		}
		for _, s := range scalars {
			sum, want := newSum(), new(edwards25519.Point).ScalarBaseMult(s)
			if table.add(sum, s); !sum.is((*[32]byte)(want.Bytes())) {
				t.Fatalf("%d bits at a time, %x times the generator is wrong", bits, s.Bytes())
			}
		}
	}
}

// However many keys come, few are remembered, and each is verified.
func TestRegularsAreFew(t *testing.T) {
	m := regulars{keys: make(map[publicKey]*regular), tables: make(map[publicKey]*regular)}
	message := []byte("as it was signed")
	for i := range mostMet + 50 {
		private := ed25519.NewKeyFromSeed(fmt.Appendf(nil, "%032d", i))
		public := publicKey(private.Public().(ed25519.PublicKey))
		sig := ed25519.Sign(private, message)
		times := 1
		if i < mostTables+4 {
			times = oftenEnough + 2
		}
		for range times {
			if !m.verify(public, message, sig) || m.verify(public, message[1:], sig) {
				t.Fatalf("key %d: a good signature is refused, or a bad one taken", i)
			}
		}
		if i == mostTables-1 && len(m.tables) != mostTables {
			t.Errorf("%d tables of %d keys that came often", len(m.tables), mostTables)
		}
	}
	if len(m.keys) > mostMet || len(m.tables) > mostTables {
		t.Errorf("%d keys and %d tables are kept, the most is %d and %d", len(m.keys), len(m.tables), mostMet, mostTables)
	}
}

// One key, again and again, with and without its table.
func BenchmarkTables(b *testing.B) {
	private := ed25519.NewKeyFromSeed(make([]byte, 32))
	public := publicKey(private.Public().(ed25519.PublicKey))
	message := make([]byte, 600)
	sig := ed25519.Sign(private, message)
	point, _ := new(edwards25519.Point).SetBytes(public[:])
	minus := newTable(point.Negate(point), keyBits)
	b.Run("table", func(b *testing.B) {
		for b.Loop() {
			verifyBy(minus, public, message, sig)
		}
	})
	b.Run("library", func(b *testing.B) {
		for b.Loop() {
			ed25519.Verify(public[:], message, sig)
		}
	})
	b.Run("making a table", func(b *testing.B) {
		for b.Loop() {
			newTable(point, keyBits)
		}
	})
}
