// Package bert embeds texts by a model of the kind of BERT, in this process: its own pass over weights of 8 bits, on
// one core. A text's vector is the mean of its tokens' after the last layer, or that of the first.
package bert

import (
	"context"
	"strings"

	"github.com/stemma-memory/stemma/internal/model/tokenizer"
	"github.com/stemma-memory/stemma/llm"
)

const unknownShare = 5 // one unknown piece in so many is too much

// Options are what an Embedder is told beside its weights.
type Options struct {
	Name       string // what Model gives
	Tokens     int    // most of a text, the two included that mark its ends; 0 means as many as there are positions
	Begin, End int    // the tokens that mark the ends of a text
	Unknown    int    // the token of what is unknown
	Query      string // what stands before a question
	Document   string // what stands before a text to be found

	// Reads says whether the pieces of a text are of a language that the model knows. All are when it is nil.
	Reads func(pieces []int) bool
}

// Embedder is an llm.Embedder.
type Embedder struct {
	options Options
	words   *tokenizer.Tokenizer
	runner  *runner
}

var _ llm.Embedder = (*Embedder)(nil)

// New makes an Embedder of weights and the tokenizer they belong to.
func New(w *Weights, words *tokenizer.Tokenizer, o Options) *Embedder {
	most := w.shape.Positions
	if o.Tokens > 2 {
		most = min(most, o.Tokens)
	}
	return &Embedder{options: o, words: words, runner: newRunner(w, most)}
}

// Model names the weights and the tokenizer.
func (e *Embedder) Model() string { return e.options.Name }

// Dims is the dimension of the vectors.
func (e *Embedder) Dims() int { return e.runner.weights.shape.Hidden }

// Embed returns the vectors of the texts, of unit length: of a text that is longer than the model takes that of its
// beginning, and nil where the model cannot read it.
func (e *Embedder) Embed(ctx context.Context, purpose llm.Purpose, texts ...string) ([][]float32, error) {
	before := e.options.Document
	if purpose == llm.Query {
		before = e.options.Query
	}
	var head []int
	if before = strings.TrimRight(before, " "); before != "" {
		head = e.words.Pieces(before, e.runner.tokens/2)
	}
	room := e.runner.tokens - 2 - len(head)
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		pieces := e.words.Pieces(text, room)
		if !e.reads(pieces) {
			continue
		}
		var err error
		if vectors[i], err = e.runner.run(ctx, e.tokens(head, pieces)); err != nil {
			return nil, err
		}
	}
	return vectors, nil
}

// tokens are those of a text as the model takes it.
func (e *Embedder) tokens(head, pieces []int) []int {
	tokens := make([]int, 0, len(head)+len(pieces)+2)
	tokens = append(append(append(append(tokens, e.options.Begin), head...), pieces...), e.options.End)
	for i, token := range tokens {
		if token < 0 || token >= e.runner.weights.shape.Words {
			tokens[i] = e.options.Unknown
		}
	}
	return tokens
}

// reads says whether the model can read a text: at most a fifth of its pieces are unknown, and it is of a
// language the model knows.
func (e *Embedder) reads(pieces []int) bool {
	unknown := 0
	for _, piece := range pieces {
		if piece == tokenizer.Unknown {
			unknown++
		}
	}
	return len(pieces) > 0 && unknown*unknownShare <= len(pieces) &&
		(e.options.Reads == nil || e.options.Reads(pieces))
}
