package bert

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
)

// The form of a file of weights: a head that says how large the model is, then the parts in the order in which
// layout names them, each at a multiple of 64 bytes, all numbers with the lowest byte first.
//
// A matrix is in blocks of 16 outputs. Within a block the weights stand by pairs of inputs: those of the inputs 0
// and 1 to the output 0, then to the output 1, and so on to the output 15; then those of the inputs 2 and 3. One
// step of a kernel takes 32 bytes, and the same bytes suit all kernels. The weight of a row is its code times the
// row's scale.
const (
	magic    = "bert weights 1\n\x00"
	headSize = 128
	align    = 64

	block    = 16 // outputs of a block
	laneSize = 4  // texts' tokens that a kernel takes at a time
)

// A Shape is the size of a model. Its order is that of the head of a file.
type Shape struct {
	Layers    int
	Hidden    int // numbers of a token between layers
	Heads     int
	Inner     int     // numbers of a token within the second half of a layer
	Words     int     // tokens of the vocabulary
	Positions int     // most tokens of a text
	First     bool    // the vector is that of the first token, not the mean of all
	Epsilon   float32 // of the normalization of a layer
}

// What a file may ask for is bounded by the largest models of this kind, so that no sum overflows and no head makes
// a program ask for all the memory there is.
const (
	maxLayers    = 48
	maxHidden    = 2048
	maxInner     = 8192
	maxWords     = 1 << 20
	maxPositions = 8192
)

func (s Shape) check() error {
	switch {
	case s.Layers < 1 || s.Layers > maxLayers:
		return fmt.Errorf("%d layers", s.Layers)
	case s.Hidden < 2*block || s.Hidden > maxHidden || s.Hidden%(2*block) != 0:
		return fmt.Errorf("%d numbers a token, not a multiple of %d", s.Hidden, 2*block)
	case s.Heads < 1 || s.Hidden%s.Heads != 0 || s.Hidden/s.Heads%block != 0:
		return fmt.Errorf("%d heads of %d numbers", s.Heads, s.Hidden)
	case s.Inner < 2*block || s.Inner > maxInner || s.Inner%(2*block) != 0:
		return fmt.Errorf("%d inner numbers, not a multiple of %d", s.Inner, 2*block)
	case s.Words < 1 || s.Words > maxWords:
		return fmt.Errorf("%d tokens", s.Words)
	case s.Positions < 3 || s.Positions > maxPositions:
		return fmt.Errorf("%d positions", s.Positions)
	case !(s.Epsilon > 0 && s.Epsilon < 1):
		return fmt.Errorf("an epsilon of %v", s.Epsilon)
	}
	return nil
}

// head writes a shape down.
func (s Shape) head() []byte {
	first := 0
	if s.First {
		first = 1
	}
	head := []byte(magic)
	for _, n := range []int{s.Layers, s.Hidden, s.Heads, s.Inner, s.Words, s.Positions, first} {
		head = binary.LittleEndian.AppendUint32(head, uint32(n))
	}
	head = binary.LittleEndian.AppendUint32(head, math.Float32bits(s.Epsilon))
	return append(head, make([]byte, headSize-len(head))...)
}

// readHead reads the shape that a file begins with.
func readHead(file string) (Shape, error) {
	if len(file) < headSize || !strings.HasPrefix(file, magic) {
		return Shape{}, fmt.Errorf("it does not begin as a file of weights does")
	}
	at := len(magic)
	next := func() uint32 {
		at += 4
		return uint32At(file[at-4:])
	}
	var s Shape
	for _, into := range []*int{&s.Layers, &s.Hidden, &s.Heads, &s.Inner, &s.Words, &s.Positions} {
		*into = int(int32(next()))
	}
	first := next()
	s.First = first == 1
	s.Epsilon = math.Float32frombits(next())
	if first > 1 || strings.Trim(file[at:headSize], "\x00") != "" {
		return Shape{}, fmt.Errorf("its head says what this program does not know")
	}
	return s, s.check()
}

// A matrix gives each output the sum of its weights times the inputs, times the output's scale, plus its bias.
type matrix struct {
	inputs, outputs int
	codes           string // int8
	scales, biases  []float32
}

// A layer is one of a model's.
type layer struct {
	attend        matrix // to queries, keys and values
	mix           matrix // of what attention found
	mixed         norm
	widen, narrow matrix
	narrowed      norm
}

// A norm stretches and moves numbers that have been brought to mean 0 and variance 1.
type norm struct{ stretch, move []float32 }

// Weights are a model's, read where they lie: nothing of the large parts is copied or even touched before it is
// needed.
type Weights struct {
	shape     Shape
	words     string // int8 [Words][Hidden]
	scales    string // float32 [Words]
	positions string // float32 [Positions][Hidden], with the first type of token added
	embedded  norm
	layers    []layer
}

// A walk goes over the parts of a file.
type walk struct {
	at   int64
	part func(at, size int64) // of each part in turn
}

func (w *walk) bytes(n int64) {
	w.at = (w.at + align - 1) / align * align
	w.part(w.at, n)
	w.at += n
}

// size is how many bytes a file of a shape has.
func (s Shape) size() int64 {
	w := walk{at: headSize, part: func(int64, int64) {}}
	s.each(&w)
	return w.at
}

// each walks over the parts in order.
func (s Shape) each(w *walk) {
	floats := func(n int) { w.bytes(4 * int64(n)) }
	matrix := func(inputs, outputs int) {
		w.bytes(int64(inputs) * int64(outputs))
		floats(outputs)
		floats(outputs)
	}
	norm := func() {
		floats(s.Hidden)
		floats(s.Hidden)
	}
	w.bytes(int64(s.Words) * int64(s.Hidden))
	floats(s.Words)
	floats(s.Positions * s.Hidden)
	norm()
	for range s.Layers {
		matrix(s.Hidden, 3*s.Hidden)
		matrix(s.Hidden, s.Hidden)
		norm()
		matrix(s.Hidden, s.Inner)
		matrix(s.Inner, s.Hidden)
		norm()
	}
}

// Read reads a file of weights. It looks at its head and its length, and at the numbers that every text needs; that
// the file is whole beyond that is for its digest to say.
func Read(file string) (*Weights, error) {
	s, err := readHead(file)
	if err != nil {
		return nil, fmt.Errorf("the weights cannot be used: %w", err)
	}
	if size := s.size(); int64(len(file)) != size {
		return nil, fmt.Errorf("the weights cannot be used: they should have %d bytes and have %d", size, len(file))
	}
	var parts []string
	s.each(&walk{at: headSize, part: func(at, size int64) { parts = append(parts, file[at:at+size]) }})
	next := func() string {
		part := parts[0]
		parts = parts[1:]
		return part
	}
	sound := true
	floats := func() []float32 {
		list := floatsOf(next())
		for _, x := range list {
			sound = sound && x-x == 0
		}
		return list
	}
	read := func(inputs, outputs int) matrix {
		return matrix{inputs, outputs, next(), floats(), floats()}
	}
	w := &Weights{shape: s, words: next(), scales: next(), positions: next(), embedded: norm{floats(), floats()}}
	for range s.Layers {
		w.layers = append(w.layers, layer{
			attend: read(s.Hidden, 3*s.Hidden), mix: read(s.Hidden, s.Hidden), mixed: norm{floats(), floats()},
			widen: read(s.Hidden, s.Inner), narrow: read(s.Inner, s.Hidden), narrowed: norm{floats(), floats()},
		})
	}
	if !sound {
		return nil, fmt.Errorf("the weights cannot be used: they hold values that are not finite numbers")
	}
	return w, nil
}

// Shape is the model's size.
func (w *Weights) Shape() Shape { return w.shape }

func floatsOf(part string) []float32 {
	list := make([]float32, len(part)/4)
	for i := range list {
		list[i] = floatAt(part[4*i:])
	}
	return list
}

func floatAt(s string) float32 { return math.Float32frombits(uint32At(s)) }

func uint32At(s string) uint32 {
	_ = s[3]
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
}
