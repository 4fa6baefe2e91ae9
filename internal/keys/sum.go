package keys

import (
	"sync"

	"filippo.io/edwards25519"
	"filippo.io/edwards25519/field"
)

// A multiple is a point of a table as an addition wants it: with x and y not over a
// common denominator, y+x, y-x and 2dxy. That saves a quarter of the multiplications of
// the library's addition, which takes any point.
type multiple struct{ plus, minus, twist field.Element }

// twiceD is 2d of the curve's equation, d being -121665/121666.
var twiceD = sync.OnceValue(func() *field.Element {
	one := new(field.Element).One()
	over, under := new(field.Element).Mult32(one, 121665), new(field.Element).Mult32(one, 121666)
	d := over.Negate(over.Multiply(over, under.Invert(under)))
	return d.Add(d, d)
})

// multiplesOf readies points for a table, all with one inversion.
func multiplesOf(points []edwards25519.Point) []multiple {
	out := make([]multiple, len(points))
	product := new(field.Element).One()
	for i := range points { // the denominators before each
		_, _, z, _ := points[i].ExtendedCoordinates()
		out[i].twist.Set(product)
		product.Multiply(product, z)
	}
	product.Invert(product)
	for i := len(points) - 1; i >= 0; i-- {
		x, y, z, _ := points[i].ExtendedCoordinates()
		under := new(field.Element).Multiply(product, &out[i].twist)
		product.Multiply(product, z)
		x.Multiply(x, under)
		y.Multiply(y, under)
		out[i].plus.Add(y, x)
		out[i].minus.Subtract(y, x)
		out[i].twist.Multiply(twiceD(), x.Multiply(x, y))
	}
	return out
}

// A sum is a point in extended coordinates: x is X/Z, y is Y/Z, and T is XY/Z.
type sum struct{ x, y, z, t field.Element }

func newSum() *sum {
	s := new(sum)
	s.zero()
	return s
}

func (s *sum) zero() {
	*s = sum{}
	s.y.One()
	s.z.One()
}

// add adds a multiple, or takes it away: the unified addition of Hisil, Wong, Carter and
// Dawson for a = -1, which is right for all points of the curve.
func (s *sum) add(m *multiple, away bool) {
	var a, b, c, d, e, f, g, h field.Element
	plus, minus := &m.plus, &m.minus
	if away {
		plus, minus = minus, plus
	}
	a.Multiply(a.Subtract(&s.y, &s.x), minus)
	b.Multiply(b.Add(&s.y, &s.x), plus)
	c.Multiply(&s.t, &m.twist)
	d.Add(&s.z, &s.z)
	e.Subtract(&b, &a)
	f.Subtract(&d, &c)
	g.Add(&d, &c)
	h.Add(&b, &a)
	if away {
		f, g = g, f
	}
	s.x.Multiply(&e, &f)
	s.y.Multiply(&g, &h)
	s.t.Multiply(&e, &h)
	s.z.Multiply(&f, &g)
}

// is reports whether a point is written so: y, and the lowest bit of x at its top.
func (s *sum) is(text *[32]byte) bool {
	var under field.Element
	return s.over(under.Invert(&s.z)) == *text
}

// over writes a point whose denominator was inverted.
func (s *sum) over(under *field.Element) [32]byte {
	var x, y field.Element
	x.Multiply(&s.x, under)
	y.Multiply(&s.y, under)
	out := [32]byte(y.Bytes())
	out[31] |= byte(x.IsNegative() << 7)
	return out
}
