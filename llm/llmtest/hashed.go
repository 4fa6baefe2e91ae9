package llmtest

import (
	"context"
	"fmt"
	"hash/fnv"
	"strings"
	"unicode"

	"github.com/stemma-memory/stemma/internal/model"
	"github.com/stemma-memory/stemma/llm"
)

const (
	defaultHashedDims = 256
	trigramWeight     = 0.35 // of a word's weight: enough to bring "planned" near "planning"
)

// Hashed returns a deterministic Embedder that needs no model: it hashes words and the groups of three characters
// in them to places in the vector. Texts that share words, or forms of a word, are near each other; words that
// only mean the same are not. It is useful for tests and knows nothing. The same dims and seed give the same
// vectors on every machine. Fewer than one dims means 256.
func Hashed(dims int, seed uint64) llm.Embedder {
	if dims < 1 {
		dims = defaultHashedDims
	}
	return hashed{dims, seed}
}

type hashed struct {
	dims int
	seed uint64
}

func (h hashed) Model() string { return fmt.Sprintf("hashed:%d:%d", h.dims, h.seed) }

func (h hashed) Embed(ctx context.Context, _ llm.Purpose, texts ...string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		vectors[i] = h.vector(text)
	}
	return vectors, nil
}

// vector is nil for a text without words.
func (h hashed) vector(text string) []float32 {
	sum := make([]float32, h.dims)
	for _, word := range strings.FieldsFunc(
		text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) },
	) {
		word = strings.ToLower(word)
		h.add(sum, "word", word, 1)
		letters := []rune("^" + word + "$") // where a word begins and ends is part of its form
		for i := 0; i+3 <= len(letters); i++ {
			h.add(sum, "part", string(letters[i:i+3]), trigramWeight)
		}
	}
	unit, ok := model.Unit(sum)
	if !ok {
		return nil
	}
	return unit
}

// add puts one feature at its place, of a sign of its own so that those that share a place cancel out on average.
func (h hashed) add(sum []float32, kind, feature string, weight float32) {
	f := fnv.New64a()
	fmt.Fprintf(f, "%d\x00%s\x00%s", h.seed, kind, feature)
	x := f.Sum64()
	x ^= x >> 32 // the high bits of a short text's FNV are better than the low
	if x&1 == 0 {
		weight = -weight
	}
	sum[(x>>1)%uint64(h.dims)] += weight
}
