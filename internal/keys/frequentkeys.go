package keys

import (
	"crypto/ed25519"
	"crypto/sha512"
	"sync"
	"sync/atomic"

	"filippo.io/edwards25519"
)

// A store meets thousands of signatures of few keys: when it is given the records of
// others, it does little else. Of a key that comes often, multiples are kept, so that
// a signature costs additions alone. The equation is the one that crypto/ed25519
// computes, over the same group, and its outcome is compared byte by byte as there:
// parseDID has refused every key about which verifiers could differ.
const (
	oftenEnough = 64   // signatures of a key before it is worth a table, which costs about 20
	mostTables  = 16   // of 280 kB each
	mostMet     = 1024 // keys that are counted
	keyBits     = 7    // of a scalar at a time
	baseBits    = 8
)

// A table holds the multiples of a point that the digits of a scalar ask for: for
// each place, 1 to half as many times as the place has values.
type table struct {
	bits   uint
	points []multiple
}

func newTable(of *edwards25519.Point, bits uint) *table {
	half, places := 1<<(bits-1), (255+int(bits))/int(bits)
	points := make([]edwards25519.Point, places*half)
	base := new(edwards25519.Point).Set(of)
	for row := range places {
		points := points[row*half : (row+1)*half]
		points[0].Set(base)
		for i := 1; i < half; i++ {
			points[i].Add(&points[i-1], base)
		}
		base.Add(&points[half-1], &points[half-1])
	}
	return &table{bits, multiplesOf(points)}
}

// add adds scalar times the table's point to a sum. It takes another time for another
// scalar: there is no secret in it.
func (t *table) add(s *sum, scalar *edwards25519.Scalar) {
	var b [34]byte // two more, so that a digit is always within two bytes
	copy(b[:], scalar.Bytes())
	half, carry := 1<<(t.bits-1), 0
	for row := 0; row*half < len(t.points); row++ {
		at := uint(row) * t.bits
		digit := (int(b[at/8]) | int(b[at/8+1])<<8) >> (at % 8) & (1<<t.bits - 1)
		digit += carry
		if carry = 0; digit > half {
			digit, carry = digit-2*half, 1
		}
		switch {
		case digit > 0:
			s.add(&t.points[row*half+digit-1], false)
		case digit < 0:
			s.add(&t.points[row*half-digit-1], true)
		}
	}
}

// base is the table of the generator, made when the first key is worth one.
var base = sync.OnceValue(func() *table { return newTable(edwards25519.NewGeneratorPoint(), baseBits) })

// A regular is a key that was met, and its table once it was met often.
type regular struct {
	met   atomic.Int64
	once  sync.Once
	minus atomic.Pointer[table] // of the key's point, negated
}

// verifyBy is ed25519.Verify, by tables.
func verifyBy(minus *table, public publicKey, message, sig []byte) bool {
	p := new(sum)
	return p.of(minus, public, message, sig) && p.is((*[32]byte)(sig[:32]))
}

// of makes s the point that a signature must begin with. It reports whether the signature can
// hold at all.
func (s *sum) of(minus *table, public publicKey, message, sig []byte) bool {
	if len(sig) != ed25519.SignatureSize {
		return false
	}
	scalar, err := edwards25519.NewScalar().SetCanonicalBytes(sig[32:])
	if err != nil {
		return false
	}
	h := sha512.New()
	h.Write(sig[:32])
	h.Write(public[:])
	h.Write(message)
	var digest [sha512.Size]byte
	k, err := edwards25519.NewScalar().SetUniformBytes(h.Sum(digest[:0]))
	if err != nil {
		return false
	}
	s.zero()
	base().add(s, scalar)
	minus.add(s, k)
	return true
}

// regulars are the keys that were met.
type regulars struct {
	mu     sync.RWMutex
	keys   map[publicKey]*regular
	tables map[publicKey]*regular
}

var met = regulars{keys: make(map[publicKey]*regular), tables: make(map[publicKey]*regular)}

// verify verifies a signature, by the table of its key where that has come often.
func (m *regulars) verify(public publicKey, message, sig []byte) bool {
	if minus := m.table(public); minus != nil {
		return verifyBy(minus, public, message, sig)
	}
	return ed25519.Verify(public[:], message, sig)
}

// table counts a signature of a key, and returns the key's table, nil where it has not come often.
func (m *regulars) table(public publicKey) *table {
	m.mu.RLock()
	r := m.keys[public]
	m.mu.RUnlock()
	if r == nil {
		r = m.first(public)
	}
	minus := r.minus.Load()
	if minus == nil && r.met.Add(1) > oftenEnough {
		r.once.Do(func() { m.make(public, r) })
		minus = r.minus.Load()
	}
	return minus
}

// first begins to count a key. Of too many, any other is forgotten.
func (m *regulars) first(public publicKey) *regular {
	m.mu.Lock()
	defer m.mu.Unlock()
	if r := m.keys[public]; r != nil {
		return r
	}
	if len(m.keys) >= mostMet {
		for old := range m.keys {
			m.drop(old)
			break
		}
	}
	r := new(regular)
	m.keys[public] = r
	return r
}

// make makes the table of a key. Of too many, any other goes: it has to be met as
// often again, so that many keys in turn cost little more than without tables.
func (m *regulars) make(public publicKey, r *regular) {
	point, err := new(edwards25519.Point).SetBytes(public[:])
	if err != nil {
		return
	}
	r.minus.Store(newTable(point.Negate(point), keyBits))
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.keys[public] != r {
		return // forgotten meanwhile: it goes with whoever still uses it
	}
	if len(m.tables) >= mostTables {
		for old := range m.tables {
			m.drop(old)
			break
		}
	}
	m.tables[public] = r
}

func (m *regulars) drop(public publicKey) {
	delete(m.keys, public)
	delete(m.tables, public)
}
