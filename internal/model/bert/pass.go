package bert

import (
	"context"
	"math"
)

// A desk holds what one pass works with. It is made for the longest text a model takes; a short one touches only the
// front of each part.
type desk struct {
	hidden  []float32 // [tokens][Hidden]
	wide    []float32 // [tokens][3·Hidden or Inner]
	found   []float32 // [tokens][Hidden], what attention found
	sums    []int32   // [tokens][3·Hidden or Inner]
	numbers []int16   // the tokens' numbers as the kernels read them
	factors []float32 // of each token's numbers
	keys    []float32 // [Hidden÷Heads][tokens], of one head
	shares  []float32 // [laneSize][tokens], how much of each token another takes
}

func newDesk(s Shape, tokens int) *desk {
	tokens = (tokens + block - 1) / block * block
	wide := max(3*s.Hidden, s.Inner)
	return &desk{
		hidden: make([]float32, tokens*s.Hidden), wide: make([]float32, tokens*wide),
		found: make([]float32, tokens*s.Hidden), sums: make([]int32, tokens*wide),
		numbers: make([]int16, tokens*max(s.Hidden, s.Inner)), factors: make([]float32, tokens),
		keys: make([]float32, tokens*s.Hidden/s.Heads), shares: make([]float32, tokens*laneSize),
	}
}

// A runner runs passes of one model, few at a time, so that its memory does not grow with those who ask.
type runner struct {
	weights *Weights
	tokens  int // most of a text
	kernels *kernels
	seats   chan struct{}
	desks   chan *desk // that nobody sits at
}

const maxSeats = 2 // a question need not wait for a batch

func newRunner(w *Weights, tokens int) *runner {
	return &runner{
		weights: w, tokens: tokens, kernels: &best, seats: make(chan struct{}, maxSeats),
		desks: make(chan *desk, maxSeats),
	}
}

// run gives the vector of a text of tokens, of unit length.
func (r *runner) run(ctx context.Context, tokens []int) ([]float32, error) {
	select {
	case r.seats <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-r.seats }()
	var d *desk
	select {
	case d = <-r.desks:
	default:
		d = newDesk(r.weights.shape, r.tokens)
	}
	defer func() { r.desks <- d }()
	p := pass{weights: r.weights, kernels: r.kernels, desk: d, tokens: len(tokens)}
	p.groups = (len(tokens) + laneSize - 1) / laneSize
	p.read(tokens)
	for i := range r.weights.layers {
		if err := p.layer(ctx, &r.weights.layers[i]); err != nil {
			return nil, err
		}
	}
	return p.pool(), nil
}

// A pass is one text on its way through the layers. The tokens come in groups: those beyond the text's own are
// computed like the others, and nothing looks at them.
type pass struct {
	*desk
	weights *Weights
	kernels *kernels
	tokens  int
	groups  int
}

func (p *pass) rows() int { return p.groups * laneSize }

// read lays out the tokens' rows.
func (p *pass) read(tokens []int) {
	w, n := p.weights, p.weights.shape.Hidden
	for i, token := range tokens {
		scale := floatAt(w.scales[4*token:])
		codes, places := w.words[token*n:][:n], w.positions[4*i*n:][:4*n]
		row := p.hidden[i*n:][:n]
		for j := range row {
			row[j] = float32(int8(codes[j]))*scale + floatAt(places[4*j:])
		}
		p.kernels.level(row, w.embedded, w.shape.Epsilon)
	}
}

func (p *pass) layer(ctx context.Context, l *layer) error {
	s := p.weights.shape
	p.multiply(p.wide, p.hidden, &l.attend)
	for head := range s.Heads {
		if err := ctx.Err(); err != nil {
			return err
		}
		p.attend(head)
	}
	p.multiply(p.wide, p.found, &l.mix)
	p.join(l.mixed)
	if err := ctx.Err(); err != nil {
		return err
	}
	p.multiply(p.wide, p.hidden, &l.widen)
	p.kernels.bend(p.wide[:p.tokens*s.Inner])
	if err := ctx.Err(); err != nil {
		return err
	}
	p.multiply(p.wide, p.wide, &l.narrow)
	p.join(l.narrowed)
	return ctx.Err()
}

// least is the smallest number that a token's numbers are divided by: below it they are as good as zero.
const least = 1e-30

// multiply puts from times a matrix into to, which may be the same.
func (p *pass) multiply(to, from []float32, m *matrix) {
	most := limit(m.inputs)
	for i := range p.rows() {
		row := from[i*m.inputs:][:m.inputs]
		factor := float32(0)
		if largest := p.kernels.largest(row); largest > least {
			factor = most / largest
			p.factors[i] = largest / most
		}
		group, place := i/laneSize, i%laneSize
		p.kernels.pack(p.numbers[group*laneSize*m.inputs+2*place:], row, factor)
	}
	p.kernels.products(p.sums, p.numbers, m, p.groups)
	for i := range p.rows() {
		p.kernels.scale(to[i*m.outputs:][:m.outputs], p.sums[i*m.outputs:][:m.outputs], m, p.factors[i])
	}
}

// join adds what a half of a layer found to what came into it.
func (p *pass) join(by norm) {
	n := p.weights.shape.Hidden
	for i := range p.rows() {
		row := p.hidden[i*n:][:n]
		p.kernels.add(row, p.wide[i*n:][:n])
		p.kernels.level(row, by, p.weights.shape.Epsilon)
	}
}

// attend lets each token gather from all those of the text, by one head.
func (p *pass) attend(head int) {
	s := p.weights.shape
	n, row := s.Hidden/s.Heads, 3*s.Hidden
	queries, keys, values := p.wide[head*n:], p.wide[s.Hidden+head*n:], p.wide[2*s.Hidden+head*n:]
	width := (p.tokens + block - 1) / block * block
	scale := float32(1 / math.Sqrt(float64(n)))
	for j := range n {
		column := p.keys[j*width:][:p.tokens]
		for i := range column {
			column[i] = keys[i*row+j] * scale
		}
	}
	shares := p.shares[:laneSize*width]
	for group := range p.groups {
		from := group * laneSize
		for j := 0; j < width; j += block {
			p.kernels.tile(shares[j:], width, queries[from*row:], row, p.keys[j:], width, n)
		}
		for i := range laneSize {
			p.kernels.weigh(shares[i*width:][:width], p.tokens)
		}
		for j := 0; j < n; j += block {
			p.kernels.tile(p.found[from*s.Hidden+head*n+j:], s.Hidden, shares, width, values[j:], row, p.tokens)
		}
	}
}

// pool makes one vector of the tokens'.
func (p *pass) pool() []float32 {
	n := p.weights.shape.Hidden
	count := p.tokens
	if p.weights.shape.First {
		count = 1
	}
	sums := make([]float64, n)
	for i := range count {
		for j, x := range p.hidden[i*n:][:n] {
			sums[j] += float64(x)
		}
	}
	var length float64
	for _, x := range sums {
		length += x * x
	}
	vector := make([]float32, n)
	if length = math.Sqrt(length); length > 0 {
		for j, x := range sums {
			vector[j] = float32(x / length)
		}
	}
	return vector
}
