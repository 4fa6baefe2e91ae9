package bert

import (
	"encoding/binary"
	"fmt"
	"math"
)

// maxCode is the largest code of a weight.
const maxCode = 127

// Floats gives n numbers of a tensor of a model from one on, the last dimension first to go by; all that there are if
// n is negative. It is an error if there is no such tensor, or it has another number of them in all than size, which
// may be 0 for any.
type Floats func(name string, size, from, n int) ([]float32, error)

// readRows is how many rows of the largest tensor are read at a time.
const readRows = 4096

// Quantise writes the weights of a model down, row by row in int8. The names are those of a BERT as published.
func Quantise(s Shape, offset int, tensor Floats) ([]byte, error) {
	if err := s.check(); err != nil {
		return nil, fmt.Errorf("the model cannot be used: it has %w", err)
	}
	q := quantiser{tensor: tensor, file: append(make([]byte, 0, s.size()), s.head()...)}
	q.embeddings(s, offset)
	for i := range s.Layers {
		at := fmt.Sprintf("encoder.layer.%d.", i)
		q.matrix(s.Hidden, s.Hidden, at+"attention.self.query", at+"attention.self.key", at+"attention.self.value")
		q.matrix(s.Hidden, s.Hidden, at+"attention.output.dense")
		q.norm(s.Hidden, at+"attention.output.LayerNorm")
		q.matrix(s.Hidden, s.Inner, at+"intermediate.dense")
		q.matrix(s.Inner, s.Hidden, at+"output.dense")
		q.norm(s.Hidden, at+"output.LayerNorm")
	}
	if q.err != nil {
		return nil, fmt.Errorf("the model cannot be used: %w", q.err)
	}
	return q.file, nil
}

type quantiser struct {
	tensor Floats
	file   []byte
	err    error
}

// begin begins a part of the file.
func (q *quantiser) begin() { q.file = append(q.file, make([]byte, -len(q.file)&(align-1))...) }

// read gives a tensor, or zeros after an error.
func (q *quantiser) read(name string, size int) []float32 {
	if size == 0 {
		return q.part(name, 0, 0, -1)
	}
	return q.part(name, size, 0, size)
}

// part gives n numbers of a tensor, or zeros after an error.
func (q *quantiser) part(name string, size, from, n int) []float32 {
	var list []float32
	if q.err == nil {
		list, q.err = q.tensor(name, size, from, n)
	}
	for _, x := range list {
		if x-x != 0 && q.err == nil {
			q.err = fmt.Errorf("its tensor %q holds values that are not finite numbers", name)
		}
	}
	if q.err != nil {
		return make([]float32, max(n, 0))
	}
	return list
}

func (q *quantiser) floats(list []float32) {
	q.begin()
	for _, x := range list {
		q.file = binary.LittleEndian.AppendUint32(q.file, math.Float32bits(x))
	}
}

// embeddings writes the words, and the positions from offset on, to which the first type of token is added: all
// tokens of a text alone are of that type.
func (q *quantiser) embeddings(s Shape, offset int) {
	q.begin()
	scales := make([]float32, s.Words)
	codes := make([]int8, s.Hidden)
	var rows []float32
	for i := range scales {
		if i%readRows == 0 {
			n := min(readRows, s.Words-i) * s.Hidden
			rows = q.part("embeddings.word_embeddings.weight", s.Words*s.Hidden, i*s.Hidden, n)
		}
		scales[i] = quantiseRow(codes, rows[i%readRows*s.Hidden:][:s.Hidden])
		for _, c := range codes {
			q.file = append(q.file, byte(c))
		}
	}
	q.floats(scales)
	positions := q.read("embeddings.position_embeddings.weight", 0)
	if q.err == nil && len(positions) < (offset+s.Positions)*s.Hidden {
		q.err = fmt.Errorf("it has fewer than %d positions", s.Positions)
	}
	first := q.read("embeddings.token_type_embeddings.weight", 0)
	if q.err == nil && len(first) < s.Hidden {
		q.err = fmt.Errorf("it has no type of token")
	}
	sums := make([]float32, s.Positions*s.Hidden)
	if q.err == nil {
		for i := range sums {
			sums[i] = positions[offset*s.Hidden+i] + first[i%s.Hidden]
		}
	}
	q.floats(sums)
	q.norm(s.Hidden, "embeddings.LayerNorm")
}

func (q *quantiser) norm(n int, name string) {
	q.floats(q.read(name+".weight", n))
	q.floats(q.read(name+".bias", n))
}

// matrix writes matrices of the same inputs as one.
func (q *quantiser) matrix(inputs, outputs int, names ...string) {
	var rows, biases []float32
	for _, name := range names {
		rows = append(rows, q.read(name+".weight", inputs*outputs)...)
		biases = append(biases, q.read(name+".bias", outputs)...)
	}
	scales := make([]float32, len(biases))
	codes := make([][]int8, len(biases))
	for i := range scales {
		codes[i] = make([]int8, inputs)
		scales[i] = quantiseRow(codes[i], rows[i*inputs:][:inputs])
	}
	q.begin()
	q.file = blocks(q.file, codes)
	q.floats(scales)
	q.floats(biases)
}

// blocks appends rows of codes in the order of the kernels.
func blocks(file []byte, rows [][]int8) []byte {
	for from := 0; from < len(rows); from += block {
		for input := 0; input < len(rows[from]); input += 2 {
			for _, row := range rows[from : from+block] {
				file = append(file, byte(row[input]), byte(row[input+1]))
			}
		}
	}
	return file
}

// quantiseRow puts a row's codes into codes and returns what they are to be multiplied by.
func quantiseRow(codes []int8, row []float32) float32 {
	var largest float64
	for _, x := range row {
		largest = max(largest, math.Abs(float64(x)))
	}
	scale := float32(largest / maxCode)
	for i, x := range row {
		codes[i] = 0
		if scale > 0 {
			codes[i] = int8(max(-maxCode, min(maxCode, math.RoundToEven(float64(x)/float64(scale)))))
		}
	}
	return scale
}
